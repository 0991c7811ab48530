"""The features that `parse_example` reads: of which dtype and shape, and what becomes of their values.

    {"age": FixedLenFeature([], runtime.int64, default_value=0), "tags": VarLenFeature(runtime.string)}

Each says what it asks of the messages (`requests`: columns of `runtime.ops.files.example_bytes`), and what it makes of
that (`built`). Dtypes are float32, int64 and string.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor
from runtime.dtypes import as_dtype, int32, int64, string
from runtime.errors import ShapeMismatchError
from runtime.library.io import partitions
from runtime.library.sparse import reorder
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.convert import convert_to_tensor

__all__ = [
    "Feature", "FixedLenFeature", "FixedLenSequenceFeature", "RaggedFeature", "Request", "SparseFeature",
    "VarLenFeature", "dtype_of", "outputs_of",
]  # fmt: skip


SCALAR: Final = TensorShape([])


@dataclass(frozen=True)
class Request:
    """A column that is asked for (`runtime.ops.files.example_bytes`). default: a tensor, where the form takes one."""

    key: str
    form: str
    dtype: Any
    shape: TensorShape = SCALAR
    default: Any = None


_OUTPUTS: Final = {"cells": 3, "rows": 2}


def outputs_of(form: str) -> int:
    """How many tensors a column of this form is."""
    return _OUTPUTS.get(form, 1)


class Feature(Protocol):
    """What a feature is for `parse_example`. single: of one message, not of a vector of them."""

    def requests(self, key: str, single: bool) -> list[Request]: ...

    def built(self, key: str, columns: Sequence[Sequence[Any]], single: bool) -> Any: ...


def dtype_of(feature: Any, key: str) -> Any:
    """The dtype of a feature. Raises ValueError if it has none."""
    if feature.dtype is None:
        raise ValueError(f"the feature {key!r} has no dtype: {feature}")
    return as_dtype(feature.dtype)


def _shape_of(feature: Any, key: str) -> TensorShape:
    if feature.shape is None:
        raise ValueError(f"the feature {key!r} has no shape: {feature}")
    shape = as_shape(feature.shape)
    if not shape.is_fully_defined():
        remedy = "a FixedLenSequenceFeature has any number of them" if shape.rank else "give all dimensions"
        raise ValueError(f"the shape of the feature {key!r} must be wholly known; got {shape}: {remedy}")
    return shape


def _default_of(key: str, value: Any, dtype: Any, shape: TensorShape) -> Any:
    tensor = convert_to_tensor(value, dtype)
    size = tensor.shape.num_elements()
    if size is not None and size != shape.num_elements():
        raise ShapeMismatchError(f"the default of {key!r} has the shape {tensor.shape}, the feature has {shape}")
    return ops.reshape(tensor, shape.as_list())


@dataclass(frozen=True)
class FixedLenFeature:
    """As many values as the shape says, in each message: a tensor [messages, *shape].

    default_value: what stands for a feature that is missing, of the same shape; without it that is an error.
    """

    shape: Any
    dtype: Any
    default_value: Any = None

    def requests(self, key: str, single: bool) -> list[Request]:
        """See `Feature`."""
        dtype, shape = dtype_of(self, key), _shape_of(self, key)
        if self.default_value is None:
            return [Request(key, "required", dtype, shape)]
        return [Request(key, "optional", dtype, shape, _default_of(key, self.default_value, dtype, shape))]

    def built(self, key: str, columns: Sequence[Sequence[Any]], single: bool) -> Any:
        """See `Feature`."""
        return columns[0][0]


@dataclass(frozen=True)
class FixedLenSequenceFeature:
    """Any number of steps of one shape: a tensor [messages, most steps, *shape], or [steps, *shape] of one message.

    allow_missing must be True where the feature is in no list of features: none is no steps. default_value: a scalar,
    which fills up messages with fewer steps; by default 0 or the empty text.
    """

    shape: Any
    dtype: Any
    allow_missing: bool = False
    default_value: Any = None

    def requests(self, key: str, single: bool) -> list[Request]:
        """See `Feature`."""
        if not self.allow_missing:
            raise ValueError(f"the feature {key!r}: a FixedLenSequenceFeature needs allow_missing=True here")
        return [self.padded(key)]

    def padded(self, key: str) -> Request:
        """The column, with what fills it up."""
        dtype, shape = dtype_of(self, key), _shape_of(self, key)
        filler = b"" if dtype is string else 0
        given = filler if self.default_value is None else self.default_value
        return Request(key, "padded", dtype, shape, _default_of(key, given, dtype, SCALAR))

    def built(self, key: str, columns: Sequence[Sequence[Any]], single: bool) -> Any:
        """See `Feature`."""
        return columns[0][0]


@dataclass(frozen=True)
class VarLenFeature:
    """Any number of values: a SparseTensor [messages, most values]."""

    dtype: Any

    def requests(self, key: str, single: bool) -> list[Request]:
        """See `Feature`."""
        return [Request(key, "cells", dtype_of(self, key))]

    def built(self, key: str, columns: Sequence[Sequence[Any]], single: bool) -> Any:
        """See `Feature`."""
        values, cells, size = columns[0]
        return SparseTensor.of(cells, values, size)


@dataclass(frozen=True)
class SparseFeature:
    """Values with their positions, which are other features: a SparseTensor [messages, *size].

    index_key: the key of the positions (int64), or a list of them, one for each axis; size: of each axis.
    already_sorted: believe that the positions of each message rise.
    """

    index_key: Any
    value_key: str
    dtype: Any
    size: Any
    already_sorted: bool = False

    def _axes(self) -> tuple[list[str], list[int]]:
        one = isinstance(self.index_key, str)
        keys, sizes = ([self.index_key], [self.size]) if one else (list(self.index_key), list(self.size))
        if len(keys) != len(sizes):
            raise ValueError(f"a SparseFeature has a size for each index_key; got {self}")
        return keys, sizes

    def requests(self, key: str, single: bool) -> list[Request]:
        """See `Feature`."""
        indices = [Request(name, "cells", int64) for name in self._axes()[0]]
        return [Request(self.value_key, "cells", dtype_of(self, key)), *indices]

    def built(self, key: str, columns: Sequence[Sequence[Any]], single: bool) -> Any:
        """See `Feature`."""
        (values, cells, size), *axes = columns
        for name, axis in zip(self._axes()[0], axes, strict=True):
            message = f"parse_example: {self.value_key!r} and {name!r} must have as many values in each message: "
            partitions.check_same(message, axis[1], cells)
        positions = ops.stack([axis[0] for axis in axes], axis=1)
        lengths = convert_to_tensor(self._axes()[1], int64)
        if not single:
            positions = ops.concat([cells[:, :1], positions], axis=1)
            lengths = ops.concat([size[:1], lengths], axis=0)
        made = SparseTensor(positions, values, lengths)
        return made if self.already_sorted else reorder(made)


@dataclass(frozen=True)
class RaggedFeature:
    """Any number of values: a RaggedTensor [messages, (values)], or a vector for one message.

    value_key: where the values are, by default the key of the feature. partitions: how they are put into rows, from the
    outermost axis to the innermost: `RaggedFeature.RowSplits("key")`, `RowLengths`, `RowStarts`, `RowLimits`,
    `ValueRowIds`, of int64 features, and `UniformRowLength(n)`. row_splits_dtype: int32 or int64. Rows are always
    checked, whatever `validate` says.
    """

    RowLengths: ClassVar[Any] = partitions.RowLengths
    RowLimits: ClassVar[Any] = partitions.RowLimits
    RowSplits: ClassVar[Any] = partitions.RowSplits
    RowStarts: ClassVar[Any] = partitions.RowStarts
    UniformRowLength: ClassVar[Any] = partitions.UniformRowLength
    ValueRowIds: ClassVar[Any] = partitions.ValueRowIds

    dtype: Any
    value_key: str | None = None
    partitions: Sequence[Any] = ()
    row_splits_dtype: Any = int32
    validate: bool = False

    def requests(self, key: str, single: bool) -> list[Request]:
        """See `Feature`."""
        keys = [part.key for part in self.partitions if hasattr(part, "key")]
        first = Request(self.value_key or key, "rows", dtype_of(self, key))
        return [first, *(Request(name, "rows", int64) for name in keys)]

    def built(self, key: str, columns: Sequence[Sequence[Any]], single: bool) -> Any:
        """See `Feature`."""
        (values, splits), *others = columns
        wanted, given = as_dtype(self.row_splits_dtype), others[::-1]
        for part in self.partitions[::-1]:  # the innermost first
            column = given.pop(0) if hasattr(part, "key") else ()
            values, splits = part.rows(values, splits, column)
        if single:
            return values if not hasattr(values, "row_splits") else values.with_row_splits_dtype(wanted)
        return RaggedTensor.from_row_splits(values, splits, validate=False).with_row_splits_dtype(wanted)

