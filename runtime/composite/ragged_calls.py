"""Operations on ragged tensors: `runtime.abs(rows)`, `rows + 1`, `runtime.reduce_sum(rows, axis=1)`.

Element by element (every record whose shape rule is `broadcast` or `same_shape`, and those of `BY_ELEMENT`): the
operation is that of the innermost values. Ragged and dense operands broadcast as in numpy: axes correspond from the
last one on, those of size 1 that are not ragged are spread (`rows + [[10], [20], [30]]`), ragged ones have the same
rows.
Everything else has a row in `RULES`; what has none is a TypeError that says what can be done instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.ops.records.shape_rules import broadcast, same_shape
from runtime.ops.rows.alignment import row_places_beside
from runtime.ops.rows.places import value_cells
from runtime.ops.rows.values import repeat_rows, same_rows
from runtime.tensor.composites import bound
from runtime.tensor.convert import convert_to_tensor

__all__ = ["BY_ELEMENT", "RULES", "aligned", "by_element", "handle", "is_by_element", "outer_splits", "rule"]

Rule = Callable[[Op, dict[str, Any], dict[str, Any]], Any]

BY_ELEMENT: Final = frozenset({
    "add_n", "as_string", "cast", "encode_base64", "one_hot", "parse_number",
    "sigmoid_cross_entropy_with_logits", "string_bucket", "string_concat", "string_length",
    "string_lower", "string_regex_full_match", "string_regex_replace", "string_substr", "string_upper",
    "unicode_transcode",
})  # fmt: skip
"""Operations by element with a shape rule of their own."""

RULES: Final[dict[str, Rule]] = {}
"""By the name of an operation: what carries it out, given its operands and attributes by name."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Decorator: a rule for the operations of these names."""

    def register(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return register


def handle(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Carries out the call of an operation with a RaggedTensor among its operands."""
    from runtime.composite import ragged_gather, ragged_joins, ragged_reduce, ragged_shape, ragged_split  # fill RULES

    assert None not in (ragged_gather, ragged_joins, ragged_reduce, ragged_shape, ragged_split)
    operands, attributes = bound(op, args, kwargs)
    found = RULES.get(op.name)
    if found is not None:
        return found(op, operands, attributes)
    if is_by_element(op):
        return by_element(op, operands, attributes)
    raise TypeError(
        f"{op.name}: a RaggedTensor is no operand of this operation; take its flat_values"
        " (runtime.ragged.map_flat_values), go through its rows, or convert it with to_tensor()"
    )


def is_by_element(op: Op) -> bool:
    """Whether each element of the result comes from the elements at the same place."""
    return op.shape in (broadcast, same_shape) or op.name in BY_ELEMENT


def by_element(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    """The operation on the innermost values."""
    if attributes.get("axis") not in (None, -1):
        raise ShapeMismatchError(f"{op.name}: of a RaggedTensor, axis is -1; got {attributes['axis']}")
    values = [v for n, value in operands.items() for v in (value if n == op.variadic else [value])]
    model = max((v for v in values if isinstance(v, RaggedTensor)), key=_extent)
    flat = {
        n: [aligned(op, model, v) for v in value] if n == op.variadic else aligned(op, model, value)
        for n, value in operands.items()
    }
    in_order = [flat[n] for n in (*op.tensors, *([op.variadic] if op.variadic else []))]
    return model._with_flat(op(*in_order, **attributes))


def _extent(rows: RaggedTensor) -> tuple[int, int, bool]:
    """Of several ragged tensors that with the most axes has the rows of the result, and not one with a single row."""
    return rows.ragged_rank, rows.shape.rank or 0, rows._static_rows() != 1


def aligned(op: Op, model: RaggedTensor, value: Any) -> Any:
    """An operand as it stands beside the innermost values of `model`."""
    if isinstance(value, RaggedTensor):
        return _with_rows_of(op, model, value)
    if isinstance(value, np.generic):
        return value
    if isinstance(value, list | tuple | np.ndarray) and np.ndim(value):
        value = convert_to_tensor(value, None if isinstance(value, np.ndarray) else _dtype_for(value, model))
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        return value
    return _spread(op, model, value)


def _dtype_for(value: Any, model: RaggedTensor) -> Any:
    try:
        convert_to_tensor(value, model.dtype)
    except (TypeError, ValueError):
        return None
    return model.dtype


def _with_rows_of(op: Op, model: RaggedTensor, value: RaggedTensor) -> Any:
    ranks = {value.shape.rank, model.shape.rank}
    one_row = value._static_rows() == 1 and model._static_rows() != 1
    if value.ragged_rank != model.ragged_rank or (len(ranks) > 1 and None not in ranks) or one_row:
        return beside(op, model, value)
    flat = value.flat_values
    for mine, theirs in zip(model.nested_row_splits, value.nested_row_splits, strict=True):
        if mine is not theirs:
            flat = same_rows(flat, ops.cast(theirs, mine.dtype), mine)
    return flat


def _spread(op: Op, model: RaggedTensor, dense: Any) -> Any:
    """A dense operand, with one item for each innermost value where it has one for each row."""
    rank, flat_rank, depth = dense.shape.rank, model.flat_values.shape.rank, model.ragged_rank
    if rank is None or flat_rank is None:
        raise ShapeMismatchError(f"{op.name}: beside a RaggedTensor, a tensor of known rank is needed")
    inner = flat_rank - 1
    if rank <= inner:
        return dense
    missing = 1 + depth + inner - rank
    if missing < 0:
        raise ShapeMismatchError(
            f"{op.name}: a tensor of shape {dense.shape} does not broadcast to a RaggedTensor of shape {model.shape}"
        )
    sizes = [*[1] * missing, *dense.shape[: rank - inner]]
    for _ in range(missing):
        dense = ops.expand_dims(dense, axis=0)
    if all(size == 1 for size in sizes[1:]):
        one_per_row = ops.squeeze(dense, axis=list(range(1, depth + 1)))
        return one_per_row if sizes[0] == 1 else repeat_rows(one_per_row, outer_splits(model))
    if depth == 1:
        first = ops.cast(ops.shape(dense)[:2], model.row_splits.dtype)
        return ops.gather_nd(dense, value_cells(model.row_splits, first))
    return beside(op, model, dense)


def beside(op: Op, model: RaggedTensor, value: Any) -> Any:
    """For each innermost value of `model` the item of a tensor or ragged tensor that stands beside it.

    Axes correspond from the last one on, as in numpy; an axis of size 1 that is not ragged broadcasts. Raises
    ShapeMismatchError, InvalidArgumentError.
    """
    depth, dtype = model.ragged_rank, model.row_splits.dtype
    rank, wanted = value.shape.rank, model.shape.rank
    ragged = value.ragged_rank if isinstance(value, RaggedTensor) else 0
    missing = None if rank is None or wanted is None else wanted - rank
    if missing is None or missing < 0 or missing + ragged > depth:
        raise ShapeMismatchError(f"{op.name}: the shapes {model.shape} and {value.shape} do not broadcast")
    flat = value.flat_values if ragged else value
    sizes = ops.shape(flat, out_type=dtype)
    levels = value.nested_row_splits if ragged else ()
    count = ops.cast(value.nrows(), dtype) if ragged else sizes[0]
    nothing, one = ops.cast(0, dtype), ops.cast(1, dtype)
    places = ops.reshape(nothing, [1])
    rows = [ops.stack([nothing, model.nrows()]), *model.nested_row_splits]
    for axis, splits in enumerate(rows[: depth + 1]):
        theirs = axis - missing
        if theirs <= 0:
            others = ops.stack([nothing, count if theirs == 0 else one])
        elif theirs <= ragged:
            others = ops.cast(levels[theirs - 1], dtype)
            count = others[-1]
        else:
            size = sizes[theirs - ragged]
            others, count = ops.range(nothing, count + 1, one) * size, count * size
        uniform = theirs <= 0 or theirs > ragged
        places = row_places_beside(splits, places, others, uniform=uniform, axis=axis)
    joined = depth - missing - ragged
    if joined:
        flat = ops.reshape(flat, ops.concat([ops.reshape(count, [1]), sizes[joined + 1 :]], axis=0))
    return ops.gather(flat, places)


def outer_splits(model: RaggedTensor) -> Any:
    """Where the innermost values of each outermost row begin."""
    made = model.row_splits
    for splits in model.nested_row_splits[1:]:
        made = ops.gather(splits, made)
    return made


# -- single operations ---------------------------------------------------------------------------------------------


@rule("size")
def _size(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    return op(operands["input"].flat_values, **attributes)


@rule("rank")
def _rank(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    return ops.add(op(operands["input"].flat_values), operands["input"].ragged_rank)
