"""`DynamicRaggedShape`: what `runtime.shape` gives of rows of different lengths.

    shape = runtime.shape(runtime.ragged.constant([[1], [2, 3]]))
    shape                               # <DynamicRaggedShape lengths=[2, (1, 2)] num_row_partitions=1>
    shape[0]                            # 2
"""

from __future__ import annotations

import operator
from typing import Any

from runtime.composite.extension_type import ExtensionType
from runtime.composite.ragged_calls import rule
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.dtypes import as_dtype, int64
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.ops.rows.rows import lengths_to_row_splits
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.tensor import Tensor

__all__ = ["DynamicRaggedShape"]


class DynamicRaggedShape(ExtensionType):
    """The lengths of rows, from the outside in, and the shape of the values in them."""

    nested_row_splits: tuple[Tensor, ...]
    inner_shape: Tensor

    @classmethod
    def from_tensor(cls, t: Any, dtype: Any = None) -> DynamicRaggedShape:
        """The shape of a tensor or RaggedTensor. dtype: int32 or int64 (that of the splits)."""
        made: Any = cls
        if not isinstance(t, RaggedTensor):
            return made((), ops.shape(convert_to_tensor(t), out_type=int64 if dtype is None else as_dtype(dtype)))
        kind = t.nested_row_splits[0].dtype if dtype is None else as_dtype(dtype)
        splits = tuple(ops.cast(part, dtype=kind) for part in t.nested_row_splits)
        return made(splits, ops.shape(t.flat_values, out_type=kind))

    @classmethod
    def from_lengths(cls, lengths: Any, dtype: Any = int64) -> DynamicRaggedShape:
        """A shape of its lengths: how many rows, a tuple of lengths for each ragged axis, then sizes.

        Raises ValueError where the lengths do not fit to how many rows there are.
        """
        made: Any = cls
        rest, splits = list(lengths), []
        count = rest.pop(0)
        while rest and isinstance(rest[0], tuple | list):
            sizes = list(rest.pop(0))
            if len(sizes) != count:
                raise ShapeMismatchError(f"DynamicRaggedShape: {count} rows, and {len(sizes)} lengths of rows")
            splits.append(lengths_to_row_splits(convert_to_tensor(sizes, dtype)))
            count = sum(sizes)
        return made(tuple(splits), convert_to_tensor([count, *rest], dtype))

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        inner = self._inner_rank()
        return None if inner is None else len(self.nested_row_splits) + inner

    @property
    def num_row_partitions(self) -> int:
        """How many axes are ragged."""
        return len(self.nested_row_splits)

    @property
    def inner_rank(self) -> Any:
        """The rank of the values."""
        return ops.shape(self.inner_shape)[0]

    @property
    def dtype(self) -> Any:
        """int32 or int64."""
        return self.inner_shape.dtype

    def is_uniform(self, axis: int) -> bool:
        """Whether all rows have the same length along an axis because they are not ragged there."""
        if axis < 0 or (self.rank is not None and axis >= self.rank):
            raise IndexError(f"DynamicRaggedShape: the axes are 0 to {(self.rank or 1) - 1}; got {axis}")
        return axis == 0 or axis > self.num_row_partitions

    def static_lengths(self) -> list[Any]:
        """The lengths as `from_lengths` takes them; None for those that only the run knows."""
        parts = [*self.nested_row_splits, self.inner_shape]
        if not all(isinstance(part, EagerTensor) for part in parts):
            return [None] * (self.rank or 0)
        lengths = [tuple((s[1:] - s[:-1]).tolist()) for s in (part.numpy() for part in self.nested_row_splits)]
        inner = self.inner_shape.numpy().tolist()
        return [len(lengths[0]), *lengths, *inner[1:]] if lengths else inner

    def __getitem__(self, axis: Any) -> Any:
        """The size of an axis that is not ragged, a scalar."""
        at = operator.index(axis)
        if not self.is_uniform(at):
            raise ShapeMismatchError(f"DynamicRaggedShape: axis {at} is ragged: its rows have lengths, not one size")
        if at == 0 and self.nested_row_splits:
            splits = self.nested_row_splits[0]
            return ops.shape(splits, out_type=splits.dtype)[0] - 1
        return self.inner_shape[at - self.num_row_partitions]

    def __repr__(self) -> str:
        return f"<DynamicRaggedShape lengths={self.static_lengths()} num_row_partitions={self.num_row_partitions}>"

    def _inner_rank(self) -> int | None:
        return self.inner_shape.shape[0] if self.inner_shape.shape.rank else None


@rule("shape")
def _shape(op: Op, operands: dict[str, Any], attributes: dict[str, Any]) -> Any:
    return DynamicRaggedShape.from_tensor(operands["input"], attributes["out_type"])
