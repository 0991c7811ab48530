"""Ragged and sparse tensors as elements: their parts are leaves, which `batch`, `unbatch` and slices treat together.

    kind = kind_of(RaggedTensorSpec([None], int32, ragged_rank=0))      # rows of a RaggedTensor: tensors
    kind.stack([(a,), (b,)])        # (values, row_splits): the parts of the RaggedTensor with the rows a and b
    kind.rows((values, splits))     # of a batch, the parts of its elements

The parts of a RaggedTensor are its flat values and the row_splits of its axes, the innermost first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Protocol

import numpy as np

from runtime.composite.ragged_spec import RaggedTensorSpec
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor, SparseTensorSpec
from runtime.errors import InvalidArgumentError
from runtime.library.data.blocks import Block, Row
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape
from runtime.tensor.spec import TensorSpec

__all__ = ["Kind", "batch_spec", "is_composite", "kind_of", "row_spec", "spec_of", "with_shape"]

CLASSES: Final = (RaggedTensor, RaggedTensorSpec, SparseTensor, SparseTensorSpec)


def is_composite(value: Any) -> bool:
    """Whether a value (or spec) is made of several tensors that count as leaves."""
    return isinstance(value, CLASSES)


def spec_of(value: Any) -> Any:
    """The spec of a composite value."""
    if isinstance(value, RaggedTensor):
        return RaggedTensorSpec.from_value(value)
    return SparseTensorSpec.from_value(value)


class Kind(Protocol):
    """How the elements of one type stand together."""

    def stack(self, elements: Sequence[Row]) -> Row:
        """The parts of a batch of elements that are given by their parts."""
        ...

    def rows(self, batch: Row) -> Block:
        """The parts of the elements of a batch."""
        ...


@dataclass(frozen=True)
class Ragged:
    """Elements of this ragged_rank; those of rank 0 are tensors."""

    ragged_rank: int
    splits: np.dtype[Any]

    def stack(self, elements: Sequence[Row]) -> Row:
        values = [element[0] for element in elements]
        lengths = [len(array) for array in values]
        levels: list[Array] = []
        for parts in list(zip(*elements, strict=True))[1:]:
            begins = np.cumsum([0, *lengths[:-1]])
            ends = [part[1:] + begin for part, begin in zip(parts, begins, strict=True)]
            levels.append(np.concatenate([[0], *ends]).astype(self.splits, copy=False))
            lengths = [len(part) - 1 for part in parts]
        return _joined(values), *levels, np.cumsum([0, *lengths]).astype(self.splits, copy=False)

    def rows(self, batch: Row) -> Block:
        if not self.ragged_rank:
            return Block(batch, len(batch[0]))
        bounds = batch[-1].tolist()
        return Block.of_rows([_cut(batch[:-1], start, stop) for start, stop in pairwise(bounds)], self.ragged_rank)


def _cut(parts: Row, start: int, stop: int) -> Row:
    """The parts of the rows from `start` to `stop`."""
    cut: list[Array] = []
    for splits in reversed(parts[1:]):
        part = splits[start : stop + 1]
        start, stop = int(part[0]), int(part[-1])
        cut.insert(0, part - start)
    return parts[0][start:stop], *cut


def _joined(values: Sequence[Array]) -> Array:
    shape = values[0].shape[1:]
    other = next((array.shape[1:] for array in values if array.shape[1:] != shape), None)
    if other is not None:
        raise InvalidArgumentError(
            f"batch: rows have values of different shapes, {TensorShape(shape)} and {TensorShape(other)}"
        )
    return np.concatenate(values)


class Sparse:
    """Sparse elements of one rank. A batch is as large as the largest of them."""

    def stack(self, elements: Sequence[Row]) -> Row:
        numbers = np.repeat(np.arange(len(elements)), [len(indices) for indices, _, _ in elements])
        indices = np.column_stack([numbers, np.concatenate([indices for indices, _, _ in elements])])
        largest = np.max([shape for _, _, shape in elements], axis=0)
        return indices, np.concatenate([values for _, values, _ in elements]), np.array([len(elements), *largest])

    def rows(self, batch: Row) -> Block:
        indices, values, shape = batch
        order = np.argsort(indices[:, 0], kind="stable")
        bounds = np.searchsorted(indices[order, 0], np.arange(shape[0] + 1)).tolist()
        cells, values = indices[order, 1:], values[order]
        return Block.of_rows([(cells[a:b], values[a:b], shape[1:]) for a, b in pairwise(bounds)], 3)


def kind_of(spec: Any) -> Kind | None:
    """How elements of this type stand together; None for tensors, which are stacked."""
    if isinstance(spec, RaggedTensorSpec):
        return Ragged(spec.ragged_rank, spec.row_splits_dtype.numpy)
    return Sparse() if isinstance(spec, SparseTensorSpec) else None


def batch_spec(spec: Any, size: int | None) -> Any:
    """The type of a batch of so many elements; of ragged ones the first axis is ragged then, too."""
    shape = TensorShape([size]).concatenate(spec.shape)
    if not isinstance(spec, RaggedTensorSpec):
        return with_shape(spec, shape)
    if shape.dims is not None:
        shape = TensorShape([size, *[None] * (spec.ragged_rank + 1), *shape.dims[spec.ragged_rank + 2 :]])
    return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank + 1, spec.row_splits_dtype)


def row_spec(spec: Any) -> Any:
    """The type of the rows of elements of this type."""
    shape = spec.shape[1:] if spec.shape.rank else TensorShape(None)
    if isinstance(spec, RaggedTensorSpec):
        if spec.ragged_rank:
            return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank - 1, spec.row_splits_dtype)
        return TensorSpec(shape, spec.dtype)
    return with_shape(spec, shape)


def with_shape(spec: Any, shape: TensorShape) -> Any:
    """The type with another shape."""
    if isinstance(spec, RaggedTensorSpec):
        return RaggedTensorSpec(shape, spec.dtype, spec.ragged_rank, spec.row_splits_dtype)
    return SparseTensorSpec(shape, spec.dtype) if isinstance(spec, SparseTensorSpec) else TensorSpec(shape, spec.dtype)
