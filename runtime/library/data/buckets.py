"""`bucket_by_sequence_length`: batches of elements of about one length, so that little is padded.

    texts.bucket_by_sequence_length(lambda t: runtime.size(t), [10, 20], [32, 16, 8])
    # batches of 32 texts shorter than 10, of 16 shorter than 20, of 8 others
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from runtime.errors import InvalidArgumentError
from runtime.library.data.batching import batched, padded_batches
from runtime.library.data.blocks import Block
from runtime.library.data.by_key import Groups, grouped, integer_scalar
from runtime.library.data.grouping import Padding, padding_of
from runtime.library.data.node import Node
from runtime.library.data.sources import given
from runtime.library.data.steps import arguments_of, dataset, traced
from runtime.shapes import TensorShape
from runtime.tensor.dispatch import flag_of

if TYPE_CHECKING:
    from runtime.library.data.dataset import Dataset

__all__ = ["bucket_by_sequence_length"]

NAME: Final = "bucket_by_sequence_length"


def bucket_by_sequence_length(
    source: Dataset[Any], length_func: Any, boundaries: Sequence[int], sizes: Sequence[int], shapes: Any, values: Any,
    to_boundary: Any, no_padding: Any, drop: Any,
) -> Dataset[Any]:  # fmt: skip
    to_boundary = flag_of(NAME, "pad_to_bucket_boundary", to_boundary)
    no_padding, drop = flag_of(NAME, "no_padding", no_padding), flag_of(NAME, "drop_remainder", drop)
    _check(boundaries, sizes, no_padding and to_boundary)
    length = integer_scalar(traced(length_func, arguments_of(source.structure), NAME), f"{NAME}: element_length_func")
    padding = None if no_padding else padding_of(source, shapes, values, NAME)
    structure = source.structure.with_leading(None) if padding is None else padding.batches(source.structure, None)

    def made(bucket: int, block: Block) -> Node:
        node, size = given(block, source.structure), sizes[bucket]
        if padding is None:
            return batched(node, size, drop, structure)
        filled = _up_to(padding, boundaries, bucket) if to_boundary else padding
        return padded_batches(node, size, drop, filled.shapes, filled.values, structure)

    def build(node: Node, *captured: Any) -> Node:
        groups = Groups(
            length.bind(captured), lambda n: bisect_right(boundaries, int(n)), sizes.__getitem__, made, repeats=True
        )
        return grouped(node, groups, structure)

    return dataset("BucketBySequenceLength", build, [source, *length.captures], structure)


def _check(boundaries: Sequence[int], sizes: Sequence[int], both: bool) -> None:
    if len(sizes) != len(boundaries) + 1 or any(size < 1 for size in sizes):
        raise ValueError(
            f"{NAME}: a positive batch size for each bucket is needed, one more than there are boundaries; got"
            f" {list(sizes)} for {list(boundaries)}"
        )
    if list(boundaries) != sorted(set(boundaries)):
        raise ValueError(f"{NAME}: the boundaries ascend; got {list(boundaries)}")
    if both:
        raise ValueError(f"{NAME}: with no_padding=True nothing is padded to a boundary")


def _up_to(padding: Padding, boundaries: Sequence[int], bucket: int) -> Padding:
    """The padding to the largest length of a bucket."""
    if bucket == len(boundaries):
        raise InvalidArgumentError(
            f"{NAME}: with pad_to_bucket_boundary=True elements are shorter than the last boundary, {boundaries[-1]}"
        )
    size = boundaries[bucket] - 1
    return replace(padding, shapes=[_filled(shape, size) for shape in padding.shapes])


def _filled(shape: TensorShape, size: int) -> TensorShape:
    return TensorShape([size if d is None else d for d in shape.dims or ()])
