"""`SparseTensor`: a tensor of which only some cells are kept, all others being zero.

>>> x = SparseTensor(indices=[[0, 1], [1, 2]], values=[1.0, 2.0], dense_shape=[2, 3])
>>> runtime.sparse.to_dense(x * 10.0)
<tf.Tensor: shape=(2, 3), dtype=float32, numpy=
array([[ 0., 10.,  0.],
       [ 0.,  0., 20.]], dtype=float32)>

Value i stands in cell indices[i]. A SparseTensor never changes. `runtime.sparse` has the operations; those that keep
zeros zero (`runtime.abs`, `runtime.cast`, `* 2.0`, ...) take it as they take tensors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograph.operators.stager import WHILE_TRACING
from runtime.composite.protocol import WithOperators, with_operators
from runtime.dtypes import DType, as_dtype, float32, int64
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.ops.rows.cells import cells_in_range
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.composites import HANDLERS
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["SparseTensor", "SparseTensorSpec"]


def _as_int64(value: Any) -> Any:
    return ops.cast(value, int64) if hasattr(value, "dtype") else convert_to_tensor(value, int64)


@with_operators
class SparseTensor(WithOperators):
    """indices: integers of shape [n, rank], the cells; values: a vector; dense_shape: the shape of the whole.

    Raises InvalidArgumentError that names the position of indices outside of dense_shape (at once, or when the graph
    runs), ShapeMismatchError where the three don't fit.
    """

    __slots__ = ("_dense_shape", "_indices", "_values")

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    __array_priority__ = 150
    __hash__ = None  # type: ignore[assignment]

    _nest_open = frozenset({".indices", ".values"})

    def __init__(self, indices: Any, values: Any, dense_shape: Any) -> None:
        cells, sizes = _as_int64(indices), _as_int64(dense_shape)
        if isinstance(indices, list | tuple) and not indices and sizes.shape.rank == 1:
            cells = ops.reshape(cells, [0, sizes.shape[0] or 0])  # [] is no cell, of any rank
        kept = convert_to_tensor(values)
        if kept.shape.rank not in (1, None) or not cells.shape[:1].is_compatible_with(kept.shape[:1]):
            raise ShapeMismatchError(
                f"SparseTensor: one value for each row of indices is needed; indices have shape {cells.shape}, values"
                f" {kept.shape}"
            )
        if not (cells.shape[:1].is_fully_defined() and kept.shape.is_fully_defined()):
            counts = [ops.shape(cells)[0], ops.size(kept)]
            ops.check(ops.equal(*counts), counts, message="SparseTensor: one value for each row of indices is needed: ")
        self._indices = cells_in_range(cells, sizes)
        self._values, self._dense_shape = kept, sizes

    @classmethod
    def of(cls, indices: Any, values: Any, dense_shape: Any) -> SparseTensor:
        """One whose parts are known to fit."""
        made = object.__new__(cls)
        made._indices, made._values, made._dense_shape = indices, values, dense_shape
        return made

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """The same from anything with indices, values and dense_shape."""
        if isinstance(sparse_tensor_value, SparseTensor):
            return sparse_tensor_value
        value = sparse_tensor_value
        return cls(value.indices, value.values, value.dense_shape)

    @property
    def indices(self) -> Tensor:
        """The cells, int64 of shape [n, rank]."""
        return self._indices

    @property
    def values(self) -> Tensor:
        """What stands in the cells, a vector."""
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        """The shape of the whole, an int64 vector."""
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape of the whole, as far as it is known."""
        sizes = self._dense_shape
        known = sizes._array if isinstance(sizes, EagerTensor) else getattr(sizes, "value", None)
        if known is not None:
            return TensorShape(known.tolist())
        rank = sizes.shape[0] if sizes.shape.rank == 1 else self._indices.shape[1]
        return TensorShape(None if rank is None else [None] * rank)

    def get_shape(self) -> TensorShape:
        """The static shape, the same as `shape`."""
        return self.shape

    @property
    def rank(self) -> int | None:
        """How many axes the whole has."""
        return self.shape.rank

    def with_values(self, new_values: Any) -> SparseTensor:
        """Other values in the same cells."""
        values = convert_to_tensor(new_values)
        if not values.shape.is_compatible_with(self._values.shape):
            raise ShapeMismatchError(
                f"with_values: {self._values.shape} values are replaced by values of shape {values.shape}"
            )
        if not (values.shape.is_fully_defined() and self._values.shape.is_fully_defined()):
            sizes = [ops.shape(values), ops.shape(self._values)]
            same = ops.reduce_all(ops.equal(*sizes))
            ops.check(same, sizes, message="with_values: other values must have the shape of those before: ")
        return self._with(values)

    def _with(self, values: Any) -> SparseTensor:
        """Other values in the same cells, of which there are known to be as many."""
        return SparseTensor.of(self._indices, values, self._dense_shape)

    def __repr__(self) -> str:
        return f"SparseTensor(indices={self._indices!s}, values={self._values!s}, dense_shape={self._dense_shape!s})"

    def __ag_print__(self) -> list[Any]:
        parts = [self._indices, self._values, self._dense_shape]
        return ["SparseTensor(indices=", parts[0], ", values=", parts[1], ", shape=", parts[2], ")"]

    def __bool__(self) -> bool:
        raise TypeError("a SparseTensor has no truth value; reduce its values first")

    def __getitem__(self, key: Any) -> Any:
        raise TypeError("a SparseTensor has no elements by index; use runtime.sparse.slice or runtime.sparse.to_dense")

    def __iter__(self) -> Any:
        raise TypeError("a SparseTensor has no rows; use runtime.sparse.slice or runtime.sparse.to_dense")

    # -- as a structure (runtime.composite.protocol) -------------------------------------------------------------

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".indices", self._indices), (".values", self._values), (".dense_shape", self._dense_shape)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        if parts[0] is None and parts[2] is None:  # these are gradients, and integers have none
            return None if parts[1] is None else SparseTensor.of(self._indices, parts[1], self._dense_shape)
        return _rebuilt(parts)

    def _nest_invariant(self, shape: Any) -> Any:
        return SparseTensorSpec(shape, self.dtype)

    def _nest_check(self, other: Any) -> None:
        """Sparse tensors of all kinds have one structure."""


def _carried_out(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """An operation on sparse tensors; what carries them out is imported with the first of them."""
    from runtime.composite.sparse_calls import handle

    return handle(op, args, kwargs)


HANDLERS[SparseTensor] = _carried_out


def _rebuilt(parts: Sequence[Any]) -> Any:
    indices, values, dense_shape = parts
    if isinstance(dense_shape, TensorSpec):
        return SparseTensorSpec.of_parts(indices, values, dense_shape)
    return SparseTensor.of(indices, values, dense_shape)


class SparseTensorSpec:
    """What a SparseTensor must look like, e.g. as an argument of a Function. shape: that of the whole.

    >>> SparseTensorSpec([None, 3], runtime.float32)
    SparseTensorSpec(TensorShape([None, 3]), tf.float32)
    """

    __slots__ = ("_names", "_shape", "_values")

    _nest_stands_for = value_type = SparseTensor
    _nest_open = SparseTensor._nest_open

    def __init__(self, shape: Any = None, dtype: Any = float32) -> None:
        self._shape = as_shape(shape)
        self._values = as_dtype(dtype)
        self._names: tuple[Any, Any, Any] = (None, None, None)

    @classmethod
    def of_parts(cls, indices: TensorSpec, values: TensorSpec, dense_shape: TensorSpec) -> SparseTensorSpec:
        """The spec of a SparseTensor with such parts."""
        rank = dense_shape.shape[0] if dense_shape.shape.rank == 1 else None
        made = cls(None if rank is None else [None] * rank, values.dtype)
        made._names = (indices.name, values.name, dense_shape.name)
        return made

    @classmethod
    def from_value(cls, value: SparseTensor) -> SparseTensorSpec:
        """The spec that describes a SparseTensor."""
        return cls(value.shape, value.dtype)

    @property
    def shape(self) -> TensorShape:
        """The shape of the whole."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._values

    @property
    def rank(self) -> int | None:
        """How many axes the whole has."""
        return self._shape.rank

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a SparseTensor (or a spec of one) fits."""
        value = spec_or_value
        fits = isinstance(value, SparseTensor | SparseTensorSpec) and value.dtype is self._values
        return bool(fits and self._shape.is_compatible_with(value.shape))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SparseTensorSpec) and (self._shape.dims, self._values) == (
            other._shape.dims,
            other._values,
        )

    def __hash__(self) -> int:
        return hash((self._shape.dims, self._values))

    def __repr__(self) -> str:
        return f"SparseTensorSpec({self._shape!r}, {self._values!r})"

    def _nest_parts(self) -> list[tuple[str, Any]]:
        rank = self._shape.rank
        specs = (TensorSpec([None, rank], int64), TensorSpec([None], self._values), TensorSpec([rank], int64))
        named = [TensorSpec(s.shape, s.dtype, name) for s, name in zip(specs, self._names, strict=True)]
        return list(zip((".indices", ".values", ".dense_shape"), named, strict=True))

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        return _rebuilt(parts)

    def _nest_check(self, other: Any) -> None:
        if not self._shape.is_compatible_with(other.shape):
            raise TypeError(f"{self!r} is asked for; got a SparseTensor of shape {other.shape}")
