"""Which of the boxes to keep that stand for things in an image: those that lie on a better one are left out.

    non_max_suppression(boxes, scores, 10)               # the indices of at most 10 boxes

A box is (y1, x1, y2, x2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from runtime.control_flow.functions import while_loop
from runtime.control_flow.loops.folds import map_fn
from runtime.dtypes import float32, int32
from runtime.errors import ShapeMismatchError
from runtime.library import arrays
from runtime.library.image.pixels import one_size
from runtime.ops.arrays import create, shape
from runtime.ops.elementwise import arithmetic, limits, logic
from runtime.ops.elementwise import functions as elementwise
from runtime.ops.reductions import positions, reduce
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "CombinedNonMaxSuppression", "combined_non_max_suppression", "non_max_suppression",
    "non_max_suppression_overlaps", "non_max_suppression_padded", "non_max_suppression_with_scores",
]  # fmt: skip


def _overlaps(box: Any, boxes: Any) -> Any:
    """The share of the area of two boxes that both have, for one box and each of the others."""
    corners = [limits.minimum(boxes[:, i], boxes[:, i + 2]) for i in (0, 1)]
    ends = [limits.maximum(boxes[:, i], boxes[:, i + 2]) for i in (0, 1)]
    corner = [limits.minimum(box[i], box[i + 2]) for i in (0, 1)]
    end = [limits.maximum(box[i], box[i + 2]) for i in (0, 1)]
    common, own, others = 1.0, 1.0, 1.0
    for i in (0, 1):
        common = common * limits.maximum(limits.minimum(ends[i], end[i]) - limits.maximum(corners[i], corner[i]), 0.0)
        own, others = own * (end[i] - corner[i]), others * (ends[i] - corners[i])
    both_have_area = (own > 0) & (others > 0)
    return logic.where(both_have_area, arithmetic.divide_no_nan(common, own + others - common), 0.0)


def non_max_suppression(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The indices of the best boxes, int32, the best one first, without those that lie on a better one.

    boxes: float, [boxes, 4]; scores: float, [boxes]; max_output_size: how many at most; iou_threshold: two boxes lie on
    each other when the common share of their area is more; score_threshold: no boxes whose score is not more.
    """
    return non_max_suppression_with_scores(boxes, scores, max_output_size, iou_threshold, score_threshold, 0.0, name)[0]


def non_max_suppression_with_scores(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
    soft_nms_sigma: float = 0.0, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`non_max_suppression`, and the scores of the boxes. soft_nms_sigma: if it is not 0, boxes on a better one stay
    with a lower score, score * exp(-share² / (2 sigma))."""
    boxes, scores = convert_to_tensor(boxes), convert_to_tensor(scores)
    if boxes.shape.rank != 2 or boxes.shape[1] not in (4, None) or scores.shape.rank != 1:
        raise ShapeMismatchError(
            f"image.non_max_suppression: boxes are [boxes, 4], scores [boxes]; got {boxes.shape} and {scores.shape}"
        )
    allowed = shape.cast(convert_to_tensor(iou_threshold), boxes.dtype)
    return _best(
        lambda best: _overlaps(boxes[best], boxes), scores, max_output_size, allowed, score_threshold, soft_nms_sigma,
        name,
    )  # fmt: skip


def non_max_suppression_overlaps(
    overlaps: Any, scores: Any, max_output_size: Any, overlap_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"), name: str | None = None,
) -> Tensor:  # fmt: skip
    """`non_max_suppression` where it is known how much boxes lie on each other. overlaps: float, [boxes, boxes];
    overlap_threshold: that much is not too much."""
    overlaps, scores = convert_to_tensor(overlaps), convert_to_tensor(scores)
    if overlaps.shape.rank != 2 or scores.shape.rank != 1:
        raise ShapeMismatchError(
            "image.non_max_suppression_overlaps: overlaps are [boxes, boxes], scores [boxes];"
            f" got {overlaps.shape} and {scores.shape}"
        )
    allowed = shape.cast(convert_to_tensor(overlap_threshold), overlaps.dtype)
    return _best(lambda best: overlaps[best], scores, max_output_size, allowed, score_threshold, 0.0, name)[0]


def _best(
    overlaps_of: Callable[[Any], Any], scores: Any, max_output_size: Any, allowed: Any, score_threshold: Any,
    sigma: float, name: str | None = None,
) -> tuple[Any, Any]:  # fmt: skip
    """The indices of the boxes to keep, and their scores. overlaps_of: how much all boxes lie on one of them."""
    most = shape.cast(convert_to_tensor(max_output_size), int32)
    least = shape.cast(convert_to_tensor(score_threshold), scores.dtype)
    places = arrays.range_(shape.size(scores))

    def has_more(count: Any, chosen: Any, found: Any, left: Any, alive: Any) -> Any:
        return (count < most) & reduce.reduce_any(alive)

    def take(count: Any, chosen: Any, found: Any, left: Any, alive: Any) -> Any:
        best = positions.argmax(logic.where(alive, left, -np.inf), output_type=int32)
        share = overlaps_of(best)
        if sigma:
            lower = left * shape.cast(elementwise.exp(share * share * (-0.5 / sigma)), scores.dtype)
            still = alive
        else:
            lower, still = left, alive & (share <= allowed)
        still = still & (places != best) & (lower > least)
        chosen = arrays.concat([chosen, best[None]], 0)
        return count + 1, chosen, arrays.concat([found, left[best][None]], 0), lower, still

    start = (
        create.zeros([], int32), create.zeros([0], int32), create.zeros([0], scores.dtype), scores, scores > least,
    )  # fmt: skip
    shapes = [[], [None], [None], scores.shape, scores.shape]
    _, chosen, found, _, _ = while_loop(has_more, take, start, shape_invariants=shapes, name=name)
    return chosen, found


@switches
def non_max_suppression_padded(
    boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any = 0.5, score_threshold: Any = float("-inf"),
    pad_to_max_output_size: bool = False, name: str | None = None, sorted_input: bool = False,
    canonicalized_coordinates: bool = False, tile_size: int = 512,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`non_max_suppression` for boxes [boxes, 4], or many images, [batch, boxes, 4]: the indices, and how many there
    are. pad_to_max_output_size: zeros follow, so that there are max_output_size of them, as there are for many images.
    sorted_input, canonicalized_coordinates, tile_size: what the caller knows already; without effect."""
    boxes, scores = convert_to_tensor(boxes), convert_to_tensor(scores)
    if boxes.shape.rank == 3:
        found: tuple[Tensor, Tensor] = map_fn(
            lambda one: _padded(one[0], one[1], max_output_size, iou_threshold, score_threshold), (boxes, scores),
            fn_output_signature=(TensorSpec([None], int32), TensorSpec([], int32)), name=name,
        )  # fmt: skip
        return found
    if pad_to_max_output_size:
        return _padded(boxes, scores, max_output_size, iou_threshold, score_threshold, name)
    chosen = non_max_suppression(boxes, scores, max_output_size, iou_threshold, score_threshold, name)
    return chosen, shape.size(chosen)


def _padded(boxes: Any, scores: Any, most: Any, allowed: Any, least: Any, name: str | None = None) -> Any:
    chosen = non_max_suppression(boxes, scores, most, allowed, least, name)
    count = shape.size(chosen)
    return arrays.pad(chosen, [[0, shape.cast(convert_to_tensor(most), int32) - count]]), count


class CombinedNonMaxSuppression(NamedTuple):
    """What `combined_non_max_suppression` gives: [batch, kept, 4], [batch, kept], [batch, kept] and [batch]."""

    nmsed_boxes: Any
    nmsed_scores: Any
    nmsed_classes: Any
    valid_detections: Any


@switches
def combined_non_max_suppression(
    boxes: Any, scores: Any, max_output_size_per_class: Any, max_total_size: Any, iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"), pad_per_class: bool = False, clip_boxes: bool = True,
    name: str | None = None,
) -> CombinedNonMaxSuppression:  # fmt: skip
    """`non_max_suppression` for each image and class, and the best boxes of each image, the best one first.

    boxes: float, [batch, boxes, 1, 4], or with boxes of their own for the classes, [batch, boxes, classes, 4]; scores:
    float, [batch, boxes, classes]. Of an image max_total_size boxes are kept, zeros where there are fewer; at most as
    many as there can be with pad_per_class. clip_boxes: the boxes are cut off at 0 and 1.
    """
    boxes, scores = convert_to_tensor(boxes), convert_to_tensor(scores)
    per_class = _fixed("max_output_size_per_class", max_output_size_per_class)
    total = _fixed("max_total_size", max_total_size)
    classes = scores.shape[-1] if scores.shape.rank == 3 else None
    if classes is None or boxes.shape.rank != 4 or boxes.shape[2] not in (1, classes):
        raise ShapeMismatchError(
            "image.combined_non_max_suppression: boxes are [batch, boxes, 1 or classes, 4], scores [batch, boxes,"
            f" classes], with a known number of classes; got {boxes.shape} and {scores.shape}"
        )
    kept = min(total, per_class * classes) if pad_per_class else total
    signature = (
        TensorSpec([kept, 4], boxes.dtype), TensorSpec([kept], scores.dtype), TensorSpec([kept], float32),
        TensorSpec([], int32),
    )  # fmt: skip

    def of_image(one: Any) -> Any:
        limit = per_class, iou_threshold, score_threshold
        parts = [_of_class(one[0], one[1], number, *limit) for number in range(classes)]
        own, values, kinds = (arrays.concat(list(part), 0) for part in zip(*parts, strict=True))
        order = arrays.argsort(values, direction="DESCENDING", stable=True)[:kept]
        count = shape.size(order)
        rest = kept - count
        own = limits.clip_by_value(own, 0.0, 1.0) if clip_boxes else own
        found = [arrays.gather(part, order) for part in (own, values, kinds)]
        return (
            arrays.pad(found[0], [[0, rest], [0, 0]]), arrays.pad(found[1], [[0, rest]]),
            arrays.pad(found[2], [[0, rest]]), count,
        )  # fmt: skip

    return CombinedNonMaxSuppression._make(map_fn(of_image, (boxes, scores), fn_output_signature=signature, name=name))


def _fixed(name: str, given: Any) -> int:
    """A size that the shape of a result depends on."""
    size = one_size("combined_non_max_suppression", name, given)
    if not isinstance(size, int):
        raise ValueError(f"image.combined_non_max_suppression: {name} is a number that is known; got {given!r}")
    return size


def _of_class(boxes: Any, scores: Any, number: int, most: int, allowed: Any, least: Any) -> tuple[Any, Any, Any]:
    """The boxes of one class that are kept, their scores, and the class for each."""
    own = boxes[:, number if boxes.shape[1] != 1 else 0]
    chosen, found = non_max_suppression_with_scores(own, scores[:, number], most, allowed, least)
    return arrays.gather(own, chosen), found, create.zeros([shape.size(chosen)], float32) + float(number)
