"""Operations on sparse tensors under the names of those on tensors: `runtime.abs(sparse)`, `sparse * 2.0`, ...

An operation is one of the values where it makes zero of zero. Sums of sparse tensors keep the cells of both; products
with a dense tensor keep those of the sparse one. Everything else is a TypeError that says what can be done instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from runtime.composite.sparse_tensor import SparseTensor
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.ops.rows.cells import cell_order, cells_in_order, distinct_cells
from runtime.tensor.composites import bound
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = ["ZERO_STAYS", "added", "densified", "handle", "ordered", "scaled"]

ZERO_STAYS: Final = frozenset({
    "abs", "asin", "asinh", "atan", "atanh", "cast", "ceil", "conj", "erf", "expm1", "floor", "identity", "imag",
    "log1p", "negative", "real", "relu", "round", "sign", "sin", "sinh", "sqrt", "square", "stop_gradient", "tan",
    "tanh", "zeros_like",
})  # fmt: skip
"""Operations by element that make zero of zero."""


def handle(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Carries out the call of an operation with a SparseTensor among its operands."""
    operands, attributes = bound(op, args, kwargs)
    if op.name in ZERO_STAYS:
        (sparse,) = operands.values()
        return sparse._with(op(sparse.values, **attributes))
    found = _RULES.get(op.name)
    if found is not None:
        return found(op, list(operands.values()), attributes)
    raise TypeError(
        f"{op.name}: a SparseTensor is no operand of this operation; use runtime.sparse.map_values for its values, or"
        " runtime.sparse.to_dense"
    )


Rule = Callable[[Op, list[Any], dict[str, Any]], Any]


def _add(op: Op, operands: list[Any], attributes: dict[str, Any]) -> Any:
    return added(*operands)


def _subtract(op: Op, operands: list[Any], attributes: dict[str, Any]) -> Any:
    a, b = operands
    return added(a, ops.negative(b) if hasattr(b, "dtype") else ops.negative(convert_to_tensor(b, a.dtype)))


def _multiply(op: Op, operands: list[Any], attributes: dict[str, Any]) -> Any:
    a, b = operands
    return scaled(op, a, b) if isinstance(a, SparseTensor) else scaled(op, b, a)


def _divide(op: Op, operands: list[Any], attributes: dict[str, Any]) -> Any:
    a, b = operands
    if not isinstance(a, SparseTensor):
        raise TypeError("divide: nothing can be divided by a SparseTensor, most of whose cells are zero")
    return scaled(op, a, b)


_RULES: Final[dict[str, Rule]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "divide": _divide,
    "shape": lambda op, operands, attributes: ops.cast(operands[0].dense_shape, attributes["out_type"]),
    "size": lambda op, operands, attributes: ops.cast(
        ops.reduce_prod(operands[0].dense_shape), attributes["out_type"]
    ),
    "rank": lambda op, operands, attributes: ops.shape(operands[0].dense_shape)[0],
}


# -- what several operations need ----------------------------------------------------------------------------------


def ordered(sparse: SparseTensor) -> SparseTensor:
    """The same with the cells in ascending order."""
    order = cell_order(sparse.indices)
    return SparseTensor.of(ops.gather(sparse.indices, order), ops.gather(sparse.values, order), sparse.dense_shape)


@switches
def densified(sparse: SparseTensor, default_value: Any, validate_indices: bool) -> Any:
    """See `runtime.sparse.to_dense`."""
    cells = cells_in_order(sparse.indices, sparse.dense_shape) if validate_indices else sparse.indices
    empty: Any = b"" if sparse.dtype.family == "string" else False if sparse.dtype.is_bool else 0
    default = convert_to_tensor(empty if default_value is None else default_value, sparse.dtype)
    if default.shape.rank not in (0, None):
        raise ShapeMismatchError(f"to_dense: default_value is a scalar; its shape is {default.shape}")
    whole = ops.fill(sparse.dense_shape, default)
    return ops.tensor_scatter_nd_update(whole, cells, sparse.values)


def added(a: Any, b: Any) -> Any:
    """The sum: sparse for two sparse tensors, dense with a dense one. Raises ShapeMismatchError."""
    if not (isinstance(a, SparseTensor) and isinstance(b, SparseTensor)):
        sparse, dense = (a, b) if isinstance(a, SparseTensor) else (b, a)
        other = dense if isinstance(dense, Tensor) else convert_to_tensor(dense, sparse.dtype)
        _check_shapes("add", sparse.shape, other.shape)
        return ops.tensor_scatter_nd_add(_of_shape(other, sparse), sparse.indices, sparse.values)
    _check_shapes("add", a.shape, b.shape)
    check_same_shape("add", a.dense_shape, b.dense_shape)
    cells, ids = distinct_cells(ops.concat([a.indices, b.indices], axis=0))
    count = ops.shape(cells, out_type="int64")[0]
    values = ops.unsorted_segment_sum(ops.concat([a.values, b.values], axis=0), ids, count)
    return SparseTensor.of(cells, values, a.dense_shape)


def _check_shapes(name: str, a: Any, b: Any) -> None:
    if not a.is_compatible_with(b):
        raise ShapeMismatchError(f"{name}: tensors of one shape are needed; got {a} and {b}")


def check_same_shape(name: str, a: Any, b: Any) -> None:
    """Two dense_shapes are equal, which may only be known when the graph runs."""
    same = ops.reduce_all(ops.equal(a, b))
    ops.check(same, [a, b], message=f"{name}: tensors of one shape are needed; got ")


def _of_shape(dense: Any, sparse: SparseTensor) -> Any:
    """The dense tensor, once it has the shape of the sparse one."""
    check_same_shape("add", sparse.dense_shape, ops.shape(dense, out_type="int64"))
    return dense


def scaled(op: Op, sparse: SparseTensor, other: Any) -> SparseTensor:
    """The values times (or divided by) what stands in their cells of a dense tensor, which broadcasts."""
    if isinstance(other, SparseTensor):
        raise TypeError(f"{op.name}: of two sparse tensors one must be made dense, with runtime.sparse.to_dense")
    dense = other if isinstance(other, Tensor) else convert_to_tensor(other, sparse.dtype)
    if dense.shape.rank != 0:
        dense = ops.gather_nd(ops.broadcast_to(dense, sparse.dense_shape), sparse.indices)
    return sparse._with(op(sparse.values, dense))
