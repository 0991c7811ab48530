"""Rules for lists and TensorArrays: the list of a block holds blocks, so that there is one list for all elements.

    list_push(handle, x)     of an element [3]     ->     list_push(handle, X)     of a block [n, 3]

Positions are the same for all. Where the first axis of a tensor counts positions, the rows stand behind it in a list.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import resource, variant
from runtime.ops.lists import rules as _list_rules  # noqa: F401 - which imports all of the operations
from runtime.ops.lists import tensor_array as _tensor_array  # noqa: F401 - of both kinds
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor
from runtime.vectorize.placed import SAME_FOR_ALL
from runtime.vectorize.rules import NotVectorizable, Rule, Step, register, rows_of
from runtime.vectorize.staged import in_rows

__all__: list[str] = []


def _changed(*places: int, rows: int | None = None, gives: bool = False, sized: bool = False) -> Rule:
    """places: the operands that become blocks, or lists of blocks; all others are the same for all elements.

    rows: which of them has positions along its first axis; gives: whether the result has. sized: whether the size of a
    block must be known, for the zeros in the place of elements that are not there.
    """

    def rule(step: Step) -> Any:
        if any(part.batched for i, part in enumerate(step.parts) if i not in places):
            raise NotVectorizable
        tensors = [part.tensor for part in step.parts]
        for i in places:
            tensors[i] = in_rows(step.parts[i], step.count)
        if rows is not None:
            tensors[rows] = ops.swap_first_axes(tensors[rows])
        if sized and not rows_of(step.count).is_fully_defined():
            raise NotVectorizable
        made = step.operation.op(*tensors, **_kinds(step))
        return ops.swap_first_axes(made) if gives else made

    return rule


def _kinds(step: Step) -> dict[str, Any]:
    """The attributes, with one more axis of the elements."""
    kinds = dict(step.attributes)
    if "element_shape" in kinds and kinds["element_dtype"] is not variant:
        kinds["element_shape"] = rows_of(step.count).concatenate(kinds["element_shape"])
    return kinds


def _of_all(step: Step) -> Any:
    """Operations on any number of tensors, handles of Variables excepted."""
    if any(part.tensor.dtype is resource for part in step.parts):
        raise NotVectorizable
    return step.operation.op([in_rows(part, step.count) for part in step.parts], **_kinds(step))


def _at(*, rows: bool) -> Rule:
    """Gradients of elements, of a shape that is given. rows: of several positions."""

    def rule(step: Step) -> Any:
        handle, index, shape = step.parts
        if index.batched or shape.batched:
            raise NotVectorizable
        size = ops.cast(ops.reshape(step.count, [1]), shape.tensor.dtype)
        is_list = step.attributes["element_dtype"] is variant
        whole = shape.tensor if is_list else ops.concat([size, shape.tensor], axis=0)
        made = step.operation.op(in_rows(handle, step.count), index.tensor, whole, **step.attributes)
        return ops.swap_first_axes(made) if rows else made

    return rule


def _stacked(step: Step) -> Any:
    """All elements, those that are not there zeros: of these a stack must be told the size, which may not be known."""
    shape = step.attributes["element_shape"]
    if rows_of(step.count).is_fully_defined() or not shape.is_fully_defined():
        return _changed(0, gives=True)(step)
    handle, dtype = step.only_first(), step.attributes["element_dtype"]
    sizes = ops.concat([ops.reshape(step.count, [1]), convert_to_tensor(np.array(shape.as_tuple(), np.int32))], axis=0)
    every = ops.range(0, ops.list_length(handle), 1)
    return ops.swap_first_axes(ops.list_rows_at(handle, every, sizes, element_dtype=dtype))


def _unbundle(step: Step) -> Any:
    shapes = zip(step.attributes["dtypes"], step.attributes["shapes"], strict=True)
    one_more = [s if dtype is variant else rows_of(step.count).concatenate(s) for dtype, s in shapes]
    return step.operation.op(step.only_first(), dtypes=step.attributes["dtypes"], shapes=tuple(one_more))


_RULES: Final[dict[str, Rule]] = {
    "array_gather": _changed(0, gives=True, sized=True),
    "array_read": _changed(0, sized=True),
    "array_scatter": _changed(0, 2, rows=2),
    "array_stack": _stacked,
    "array_write": _changed(0, 2),
    "bundle": _of_all,
    "list_add": _changed(0, 2),
    "list_add_rows": _changed(0, 2, rows=2),
    "list_at": _at(rows=False),
    "list_clear": _changed(0),
    "list_concat": _changed(0, 1),
    "list_extend": _changed(0, 1, rows=1),
    "list_get": _changed(0),
    "list_insert": _changed(0, 2),
    "list_new": _of_all,
    "list_pop": _changed(0),
    "list_push": _changed(0, 1),
    "list_put": _changed(0),
    "list_rows_at": _at(rows=True),
    "list_set": _changed(0, 2),
    "list_slice": _changed(0),
    "list_stack": _stacked,
    "list_sum": _of_all,
    "list_take": _changed(0),
    "unbundle": _unbundle,
}

register(_RULES, exact=True)
SAME_FOR_ALL[REGISTRY["list_length"]] = lambda handle, operation: REGISTRY["list_length"](handle)
