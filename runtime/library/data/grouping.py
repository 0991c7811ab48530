"""What the methods of `Dataset` do that put elements together, and take them apart; see `runtime.data.steps`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from runtime import structures
from runtime.composite.ragged_spec import RaggedTensorSpec
from runtime.composite.rows import of_rows
from runtime.dtypes import as_dtype
from runtime.library.data.batching import batched, padded_batches, unbatched, windows
from runtime.library.data.node import Node
from runtime.library.data.steps import dataset, integer
from runtime.library.data.structure import DatasetSpec, Structure, is_inner
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.dispatch import flag_of
from runtime.tensor.spec import TensorSpec

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["Padding", "batch", "padded_batch", "padding_of", "ragged_batch", "rebatch", "unbatch", "window"]


def batch(source: Dataset[Any], size: Any, drop: Any) -> Dataset[Any]:
    drop = flag_of("batch", "drop_remainder", drop)
    structure = source.structure.with_leading(_batch_dim(size, drop))
    return dataset(
        "Batch",
        lambda node, size: batched(node, integer(size, "batch: batch_size", 1), drop, structure),
        [source, size],
        structure,
    )


def _batch_dim(size: Any, drop: bool) -> int | None:
    """The first dimension of batches, if it is known."""
    return int(size) if drop and isinstance(size, int | np.integer) else None


def ragged_batch(source: Dataset[Any], size: Any, drop: Any, splits: Any) -> Dataset[Any]:
    drop = flag_of("ragged_batch", "drop_remainder", drop)
    dtype = as_dtype(splits)

    def ragged(spec: Any) -> Any:
        if not isinstance(spec, TensorSpec) or spec.shape.is_fully_defined():
            return spec
        if spec.shape.rank is None:
            raise ValueError(f"ragged_batch: elements need a known rank; got {spec!r}")
        return RaggedTensorSpec(spec.shape, spec.dtype, 0, dtype)

    rows = source.structure.map_components(ragged)
    structure = rows.with_leading(_batch_dim(size, drop))

    def build(node: Node, size: Array) -> Node:
        return batched(replace(node, structure=rows), integer(size, "ragged_batch: batch_size", 1), drop, structure)

    return dataset("RaggedBatch", build, [source, size], structure)


def padded_batch(source: Dataset[Any], size: Any, shapes: Any, values: Any, drop: Any) -> Dataset[Any]:
    drop = flag_of("padded_batch", "drop_remainder", drop)
    padding = padding_of(source, shapes, values, "padded_batch")
    structure = padding.batches(source.structure, _batch_dim(size, drop))

    def build(node: Node, size: Array) -> Node:
        number = integer(size, "padded_batch: batch_size", 1)
        return padded_batches(node, number, drop, padding.shapes, padding.values, structure)

    return dataset("PaddedBatch", build, [source, size], structure)


@dataclass(frozen=True)
class Padding:
    """For each leaf: the shape that elements are padded to (None: the largest size), and what with."""

    shapes: Sequence[TensorShape]
    values: Sequence[Array]

    def batches(self, structure: Structure, size: int | None) -> Structure:
        """The type of batches of so many elements."""
        leaves = zip(self.shapes, structure.leaves, strict=True)
        batches = structure.pack([TensorSpec([size, *s], leaf.dtype) for s, leaf in leaves])
        return Structure(of_rows(batches, size))


def padding_of(source: Dataset[Any], shapes: Any, values: Any, what: str) -> Padding:
    """How the elements of a dataset are padded. shapes, values: as `padded_batch` takes them. what: for errors."""
    leaves = source.structure.leaves
    source.structure.require_rows(what)
    if source.structure.has_composites:
        raise TypeError(f"{what}: ragged and sparse tensors are batched as they are; use batch")
    if shapes is None:
        unknown = next((leaf for leaf in leaves if leaf.shape.rank is None), None)
        if unknown is not None:
            raise ValueError(f"{what}: padded_shapes is needed for elements of unknown rank, such as {unknown!r}")
        wanted = [leaf.shape for leaf in leaves]
    else:
        wanted = [_padded_shape(shape, leaf) for shape, leaf in zip(_matched(source, shapes), leaves, strict=True)]
    paddings = _matched(source, values) if is_inner(values) else [values] * len(leaves)
    return Padding(wanted, [_padding(value, leaf) for value, leaf in zip(paddings, leaves, strict=True)])


def _matched(source: Dataset[Any], given: Any) -> list[Any]:
    """One entry for each leaf of the elements: shapes and values may be tuples and lists themselves."""
    model = source.element_spec
    if not is_inner(model):
        return [given]
    parts = structures.corresponding(model, given, check_types=False)
    return [leaf for spec, part, _ in parts for leaf in _entries(spec, part)]


def _entries(spec: Any, given: Any) -> list[Any]:
    if not is_inner(spec):
        return [] if spec is None else [given]
    return [leaf for a, b, _ in structures.corresponding(spec, given, check_types=False) for leaf in _entries(a, b)]


def _padded_shape(given: Any, leaf: Any) -> TensorShape:
    dims = None if given is None else [None if d in (-1, None) else d for d in as_shape(
        [None if d == -1 else d for d in given] if isinstance(given, list | tuple) else given).dims or ()]  # fmt: skip
    shape = leaf.shape if dims is None else TensorShape(dims)
    if leaf.shape.rank is not None and shape.rank != leaf.shape.rank:
        raise ValueError(f"padded_batch: the padded shape {shape} has another rank than the elements, {leaf.shape}")
    sizes = zip(leaf.shape.dims or (), shape.dims or (), strict=False)
    if any(size is not None and room is not None and size > room for size, room in sizes):
        raise ValueError(f"padded_batch: elements of the shape {leaf.shape} do not fit into the padded shape {shape}")
    return shape


def _padding(value: Any, leaf: Any) -> Array:
    if value is None:
        value = b"" if leaf.dtype.family == "string" else 0
        return np.array(value, leaf.dtype.numpy)
    array: Array = np.asarray(convert_to_tensor(value, leaf.dtype))
    if array.ndim:
        raise ValueError(f"padded_batch: a padding value is a scalar; got one of the shape {TensorShape(array.shape)}")
    return array


def unbatch(source: Dataset[Any]) -> Dataset[Any]:
    source.structure.require_rows("unbatch")
    for component in source.structure.components:
        if isinstance(component, DatasetSpec) or component.shape.rank == 0:
            raise ValueError(f"unbatch: {component!r} has no rows")
    structure = source.structure.without_leading()
    return dataset("Unbatch", lambda node: unbatched(node, structure), [source], structure)


def rebatch(source: Dataset[Any], size: Any, drop: Any) -> Dataset[Any]:
    drop = flag_of("rebatch", "drop_remainder", drop)
    rows = {leaf.shape[0] if leaf.shape.rank else None for leaf in source.structure.leaves}
    number = _batch_dim(size, True)
    whole = number and all(n is not None and n % number == 0 for n in rows)  # then there is no smaller batch at the end
    return batch(unbatch(source), size, drop or bool(whole))


def window(source: Dataset[Any], size: Any, shift: Any, stride: Any, drop: Any) -> Dataset[Any]:
    drop = flag_of("window", "drop_remainder", drop)
    source.structure.refuse_types("window")
    parts = tuple(Structure(component) for component in source.structure.components)
    structure = source.structure.map_components(DatasetSpec)

    def build(node: Node, size: Array, shift: Array, stride: Array) -> Node:
        length, by = integer(size, "window: size", 1), integer(shift, "window: shift", 1)
        return windows(node, length, by, integer(stride, "window: stride", 1), drop, structure, parts)

    return dataset("Window", build, [source, size, size if shift is None else shift, stride], structure)
