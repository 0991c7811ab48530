"""What `map_fn` makes of the results for all rows: one tensor of tensors of one shape, or a RaggedTensor of any others.

    collector(TensorSpec([2], float32), True)              # results of shape [2] are stacked
    collector(RaggedTensorSpec([None], float32), True)     # vectors of any length become the rows of a RaggedTensor

A collector keeps what the loop goes through as TensorArrays: the results themselves, or their innermost values and the
lengths of their rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runtime.composite.ragged_spec import RaggedTensorSpec
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.dtypes import DType, as_dtype
from runtime.errors import InvalidArgumentError
from runtime.ops.records.record import REGISTRY
from runtime.shapes import TensorShape
from runtime.state.tensor_array import TensorArray
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec

__all__ = ["RaggedRows", "StackedRows", "collector", "shaped", "stacked"]


def collector(kind: Any, infer_shape: bool) -> StackedRows | RaggedRows:
    """What collects results of this kind: a dtype or a spec. Raises TypeError for specs of other values."""
    if isinstance(kind, RaggedTensorSpec):
        return RaggedRows(kind)
    if hasattr(type(kind), "_nest_separable"):
        raise TypeError(
            f"map_fn: several values of {kind.value_type.__name__} are not known to make one, with rows; derive it from"
            " runtime.experimental.BatchableExtensionType if its tensors have these rows"
        )
    if hasattr(type(kind), "_nest_parts"):
        raise TypeError(
            f"map_fn: results are tensors and ragged tensors; {kind!r} was asked for. Return a dense tensor"
            " (runtime.sparse.to_dense), or use a `for` statement"
        )
    return StackedRows(kind if isinstance(kind, TensorSpec) else TensorSpec(None, as_dtype(kind)), infer_shape)


@dataclass(frozen=True, slots=True)
class StackedRows:
    """Results of one shape."""

    spec: TensorSpec
    infer_shape: bool

    def arrays(self, count: Any) -> list[TensorArray]:
        """What the loop begins with."""
        return [TensorArray(self.spec.dtype, count, element_shape=self.spec.shape, infer_shape=self.infer_shape)]

    def write(self, arrays: Sequence[TensorArray], place: Any, value: Any) -> list[TensorArray]:
        """The arrays with the result of a row."""
        return [arrays[0].write(place, convert_to_tensor(value, self.spec.dtype))]

    def whole(self, arrays: Sequence[TensorArray], rows: int | None) -> Any:
        """All results."""
        return stacked(arrays[0], rows)


@dataclass(frozen=True, slots=True)
class RaggedRows:
    """Results that differ in the lengths of their first axes: ragged tensors, or tensors for ragged_rank 0."""

    spec: RaggedTensorSpec

    @property
    def _inner(self) -> TensorShape:
        """The shape of one of the innermost values."""
        flat = self.spec.flat_values_spec.shape
        if flat.rank is None:
            raise InvalidArgumentError(f"map_fn: a spec of known rank is needed; got {self.spec!r}")
        inner: TensorShape = flat[1:]
        return inner

    def arrays(self, count: Any) -> list[TensorArray]:
        """The innermost values, and the lengths of the rows of each ragged axis, the new one first."""
        splits: DType = self.spec.row_splits_dtype
        values = TensorArray(
            self.spec.dtype, count, element_shape=TensorShape([None]).concatenate(self._inner), infer_shape=False
        )
        outer = TensorArray(splits, count, element_shape=[], infer_shape=False)
        inner = [TensorArray(splits, count, element_shape=[None], infer_shape=False)] * self.spec.ragged_rank
        return [values, outer, *inner]

    def write(self, arrays: Sequence[TensorArray], place: Any, value: Any) -> list[TensorArray]:
        """The arrays with the result of a row. Raises TypeError for one of another ragged_rank."""
        splits = self.spec.row_splits_dtype
        levels = value.ragged_rank if isinstance(value, RaggedTensor) else 0
        made: Any = value if levels else convert_to_tensor(value, self.spec.dtype)
        if levels != self.spec.ragged_rank or (not levels and made.shape.rank == 0):
            raise TypeError(f"map_fn: the function returned {made!r}, fn_output_signature asks for {self.spec!r}")
        if levels:
            parts = [made.flat_values, made.nrows(splits), *made.with_row_splits_dtype(splits).nested_row_lengths()]
        else:
            parts = [made, REGISTRY["shape"](made, out_type=splits)[0]]
        return [array.write(place, part) for array, part in zip(arrays, parts, strict=True)]

    def whole(self, arrays: Sequence[TensorArray], rows: int | None) -> Any:
        """All results as a RaggedTensor with one ragged axis more."""
        values, outer, *inner = arrays
        if rows == 0:
            nothing = REGISTRY["zeros"]([0, *[size or 0 for size in self._inner]], dtype=values.dtype)
            none = REGISTRY["zeros"]([0], dtype=outer.dtype)
            return RaggedTensor.from_nested_row_lengths(nothing, [none] * (1 + len(inner)), validate=False)
        lengths = [stacked(outer, rows), *(array.concat() for array in inner)]
        return RaggedTensor.from_nested_row_lengths(values.concat(), lengths, validate=False)


def shaped(array: TensorArray, shape: TensorShape) -> TensorArray:
    """The array with elements of this shape, if nothing was said of it."""
    if array.element_shape.rank is not None:
        return array
    return TensorArray(array.dtype, handle=array.handle, element_shape=shape)


def stacked(array: TensorArray, rows: int | None, like: Any = None) -> Any:
    """The elements of an array as one tensor of so many rows."""
    if rows == 0 and not array.element_shape.is_fully_defined():
        shape = array.element_shape if like is None else like.shape
        dims = [dim or 0 for dim in shape.dims or ()]
        return REGISTRY["zeros"]([0, *dims], dtype=array.dtype)
    stack = array.stack()
    stack.set_shape(TensorShape([rows]).concatenate(array.element_shape))
    return stack
