"""Rules for elements by position, where each element of a block may have positions of its own.

    x[i]     of elements [5] and []     ->     X[range(n), I]     of blocks [n, 5] and [n]

As positions that stand with an array of row numbers in front, they give the rows first, whatever is between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.ops.kernels.index_spec import ARRAY, AT
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor
from runtime.vectorize.rules import NotVectorizable, Part, Rule, Step, register, shifted, stays_in_place
from runtime.vectorize.staged import in_rows

__all__: list[str] = []


def _getitem(step: Step) -> Any:
    x, places = step.parts[0], step.parts[1:]
    spec = step.attributes["spec"]
    if any(part.batched for part in places):
        spec, indices = _own_positions(step, spec, places)
        return ops.getitem(in_rows(x, step.count), indices, spec=spec)
    if not stays_in_place(spec):
        raise NotVectorizable
    return ops.getitem(step.only_first(), [part.tensor for part in places], spec=((None, None, None), *spec))


def _written(step: Step) -> Any:
    """Operations that put, or add, a value into a tensor by positions."""
    spec, (first, _, *known) = step.attributes["spec"], [t.operand for t in step.operation.inputs]
    ((_, shape),) = REGISTRY["getitem"].infer([first, *known], {"spec": spec})
    if shape.rank is None or shape.rank != step.rank(1):  # it may be broadcast
        raise NotVectorizable
    x, value, *places = step.parts
    if any(part.batched for part in places):
        spec, indices = _own_positions(step, spec, places)
    elif stays_in_place(spec):
        spec, indices = ((None, None, None), *spec), [part.tensor for part in places]
    else:
        raise NotVectorizable
    return step.operation.op(in_rows(x, step.count), in_rows(value, step.count), indices, spec=spec)


def _own_positions(step: Step, spec: Sequence[Any], places: Sequence[Part]) -> tuple[Any, list[Any]]:
    """The spec with the numbers of the rows in front, and the positions beside them.

    Arrays give their axes where they stand: so they must be in front, or all positions be single ones.
    """
    if any(part.tensor.dtype.is_bool or part.rank is None for part in places):
        raise NotVectorizable  # as many as are true in each
    kinds = [entry for entry in spec if entry in (ARRAY, AT)]
    in_front = spec[0] in (ARRAY, AT) and stays_in_place(spec)
    if None in spec or len(kinds) < len(places) or (ARRAY in kinds and not in_front):
        raise NotVectorizable  # a new axis, or a slice between positions
    most = max(part.rank or 0 for part in places)
    indices = [ops.reshape(ops.range(0, step.count, 1), [-1, *[1] * most])]
    changed = iter(ARRAY if part.batched else kind for part, kind in zip(places, kinds, strict=True))
    for part in places:
        tensor = part.tensor
        for _ in range(most - (part.rank or 0) if part.batched else 0):
            tensor = ops.expand_dims(tensor, axis=1)
        indices.append(ops.cast(tensor, "int64"))
    indices[0] = ops.cast(indices[0], "int64")
    return (ARRAY, *(next(changed) if entry in (ARRAY, AT) else entry for entry in spec)), indices


def _gather(step: Step) -> Any:
    """Slices of one tensor for each element, of each element's own, or the same ones of each."""
    params, indices = step.parts
    axis = step.attributes["axis"] or 0
    if not indices.batched:
        return ops.gather(params.tensor, indices.tensor, axis=shifted(axis, step.rank()))
    if axis < 0:
        axis += step.rank()
    if params.batched:
        if axis:
            raise NotVectorizable
        return ops.gather_nd(params.tensor, ops.expand_dims(indices.tensor, axis=-1), batch_dims=1)
    made = ops.gather(params.tensor, indices.tensor, axis=axis)
    if not axis:
        return made
    rank = step.rank() + step.rank(1)
    return ops.transpose(made, perm=(axis, *(i for i in range(rank) if i != axis)))


def _slice(step: Step) -> Any:
    x, (begin, size) = step.only_first(), (part.tensor for part in step.parts[1:])
    zero = convert_to_tensor(np.zeros(1, begin.dtype.numpy))
    every = ops.cast(ops.reshape(step.count, [1]), size.dtype)
    return ops.slice(x, ops.concat([zero, begin], axis=0), ops.concat([every, size], axis=0))


_SAME_NUMBERS: Final[dict[str, Rule]] = {
    "gather": _gather, "getitem": _getitem, "setitem": _written, "slice": _slice,
}  # fmt: skip

register(_SAME_NUMBERS, exact=True)
register({"add_item": _written}, exact=False)
