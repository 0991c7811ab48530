"""`RaggedTensorSpec`: what a RaggedTensor must look like, e.g. as an argument of a Function.

>>> RaggedTensorSpec([None, None], runtime.int32)
RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.dtypes import DType, as_dtype, float32, int32, int64
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.spec import TensorSpec

__all__ = ["RaggedTensorSpec"]


class RaggedTensorSpec:
    """shape: the static shape, None for ragged axes. ragged_rank: how many axes are ragged, by default all but one.

    With ragged_rank=0 it describes a tensor that is a row of a RaggedTensor (`map_fn` makes one of such).
    """

    __slots__ = ("_flat", "_splits", "_splits_dtype")

    _nest_stands_for = value_type = RaggedTensor
    _nest_open = RaggedTensor._nest_open

    def __init__(
        self,
        shape: Any = None,
        dtype: Any = float32,
        ragged_rank: int | None = None,
        row_splits_dtype: Any = int64,
        flat_values_spec: TensorSpec | None = None,
    ) -> None:
        whole, splits = as_shape(shape), as_dtype(row_splits_dtype)
        if splits not in (int32, int64):
            raise ValueError(f"row_splits_dtype is int32 or int64; got {splits.name}")
        if ragged_rank is None:
            if whole.rank is None:
                raise ValueError("RaggedTensorSpec: give the shape or ragged_rank")
            ragged_rank = whole.rank - 1
        if ragged_rank < 0 or (whole.rank is not None and ragged_rank >= whole.rank):
            raise ValueError(
                f"RaggedTensorSpec: ragged_rank is not negative, and less than the rank of the shape; got {ragged_rank}"
                f" for {whole}"
            )
        if whole.rank is not None and any(size is not None for size in whole[1 : ragged_rank + 1]):
            raise ValueError(
                f"RaggedTensorSpec: rows have no length of their own, but axes 1 to {ragged_rank} of the shape {whole}"
                " are to be ragged; give the ragged_rank, which leaves out the axes after it"
            )
        flat = whole
        if whole.rank is not None and ragged_rank:
            flat = TensorShape([None]).concatenate(whole[ragged_rank + 1 :])
        rows = None if whole.rank is None or whole[0] is None else whole[0] + 1
        self._flat = TensorSpec(flat, dtype) if flat_values_spec is None else flat_values_spec
        self._splits = tuple(TensorSpec([None if i else rows], splits) for i in range(ragged_rank))
        self._splits_dtype = splits

    @classmethod
    def from_value(cls, value: RaggedTensor) -> RaggedTensorSpec:
        """The spec that describes a RaggedTensor."""
        shape = value._shape([None] * value.ragged_rank)
        return cls(shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        if not self._splits:
            return self._flat.shape
        rows = self._splits[0].shape[0]
        ragged = TensorShape([None if rows is None else rows - 1, *[None] * len(self._splits)])
        inner = self._flat.shape
        return ragged.concatenate(inner[1:] if inner.rank is not None else TensorShape(None))

    @property
    def dtype(self) -> DType:
        """The dtype of the values."""
        return self._flat.dtype

    @property
    def ragged_rank(self) -> int:
        """How many axes are ragged."""
        return len(self._splits)

    @property
    def row_splits_dtype(self) -> DType:
        """The dtype of row_splits."""
        return self._splits_dtype

    @property
    def flat_values_spec(self) -> TensorSpec:
        """What the innermost values must look like."""
        return self._flat

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a RaggedTensor (or a spec of one) fits."""
        value = spec_or_value
        if not isinstance(value, RaggedTensor | RaggedTensorSpec):
            return False
        given = value if isinstance(value, RaggedTensorSpec) else RaggedTensorSpec.from_value(value)
        alike = (self.dtype, self.ragged_rank, self.row_splits_dtype)
        return alike == (given.dtype, given.ragged_rank, given.row_splits_dtype) and self.shape.is_compatible_with(
            given.shape
        )

    def _key(self) -> tuple[Any, ...]:
        """What it asks for: the names of its parts count for nothing."""
        parts = (self._flat, *self._splits)
        return self._splits_dtype, *((part.shape.dims, part.dtype) for part in parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RaggedTensorSpec) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"RaggedTensorSpec({self.shape!r}, {self.dtype!r}, {self.ragged_rank}, {self.row_splits_dtype!r})"

    # -- as a structure (runtime.composite.protocol) -------------------------------------------------------------

    @classmethod
    def of_parts(cls, values: Any, row_splits: TensorSpec) -> RaggedTensorSpec:
        """The spec of a RaggedTensor with such parts."""
        made = object.__new__(cls)
        inner = isinstance(values, RaggedTensorSpec)
        made._flat = values._flat if inner else values
        made._splits = (row_splits, *(values._splits if inner else ()))
        made._splits_dtype = row_splits.dtype
        return made

    def _nest_parts(self) -> list[tuple[str, Any]]:
        if not self._splits:
            return [(".values", self._flat)]
        inner = self._flat if len(self._splits) == 1 else self._of_values()
        return [(".values", inner), (".row_splits", self._splits[0])]

    def _of_values(self) -> RaggedTensorSpec:
        """The spec of the values."""
        made = object.__new__(RaggedTensorSpec)
        made._flat, made._splits, made._splits_dtype = self._flat, self._splits[1:], self._splits_dtype
        return made

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        if len(parts) == 1:
            return self if isinstance(parts[0], TensorSpec) else parts[0]
        if isinstance(parts[1], TensorSpec):
            return RaggedTensorSpec.of_parts(*parts)
        values, row_splits = parts
        return RaggedTensor(values, row_splits, internal=True)

    def _nest_check(self, other: Any) -> None:
        rank = getattr(other, "ragged_rank", None)
        if not isinstance(other, RaggedTensor | RaggedTensorSpec) or rank != self.ragged_rank:
            raise TypeError(f"{self!r} is asked for; got {other!r}")
