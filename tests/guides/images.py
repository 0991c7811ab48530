"""Programs over images, as the guides on data augmentation, segmentation and style transfer write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]

_GRID = np.arange(4 * 5 * 3, dtype=np.float64).reshape(4, 5, 3)
IMAGE: Final = ((np.sin(_GRID * 1.7) + 1) / 2).astype(np.float32)
BATCH: Final = np.stack([IMAGE, IMAGE[::-1] ** 2])
BYTES: Final = (IMAGE * 255).astype(np.uint8)
GRAY: Final = IMAGE[..., :1]
LARGE: Final = ((np.sin(np.arange(2 * 24 * 25 * 2) * 0.37) + 1) / 2).reshape(2, 24, 25, 2).astype(np.float32)
OTHER: Final = np.clip(LARGE + 0.1 * np.cos(np.arange(LARGE.size)).reshape(LARGE.shape), 0, 1).astype(np.float32)
BOXES: Final = np.array([[0, 0, 1, 1], [0.2, 0.1, 0.7, 0.8], [-0.3, 0.5, 0.4, 1.2], [0.9, 0.8, 0.1, 0.2]], np.float32)
SPOTS: Final = np.array(
    [[0, 0, 10, 10], [1, 1, 11, 11], [0, 8, 10, 18], [30, 30, 20, 20], [20, 21, 30, 31]], np.float32
)
SCORES: Final = np.array([0.5, 0.9, 0.6, 0.7, 0.7], np.float32)
SHARED: Final = np.abs(np.cos(np.add.outer(np.arange(5.0), np.arange(5.0)))).astype(np.float32)
SPOTS_OF_IMAGES: Final = np.stack([SPOTS, SPOTS[::-1] * 0.8])[:, :, None].astype(np.float32)
KINDS: Final = np.abs(np.sin(np.arange(30.0) * 1.3)).reshape(2, 5, 3).astype(np.float32)

METHODS: Final = ("nearest", "bilinear", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic")


def _slope(function: Callable[[Any, Any], Any], image: Any = IMAGE) -> Program:
    """The gradient of a sum of squares of what a function gives, by the image."""

    def program(m: Any) -> Any:
        x = m.constant(image)
        with m.GradientTape() as tape:
            tape.watch(x)
            y = m.reduce_sum(function(m, x) ** 2)
        return tape.gradient(y, x)

    return program


def _staged(function: Callable[[Any, Any], Any], shape: Any) -> Program:
    """In a function that does not know the size of the images."""

    def program(m: Any) -> Any:
        staged = m.function(lambda x: function(m, x), input_signature=[m.TensorSpec(shape, m.float32)])
        return staged(m.constant(IMAGE if len(shape) == 3 else BATCH))

    return program


def _resized(method: str, size: Any, **options: Any) -> Callable[[Any, Any], Any]:
    return lambda m, x: m.image.resize(x, size, method=method, **options)


def _turned(quarters: int) -> Callable[[Any, Any], Any]:
    return lambda m, x: m.image.rot90(x, quarters)


def _of(image: Any, function: Callable[[Any, Any], Any]) -> Program:
    return lambda m: function(m, image)


def _among(found: Any, wanted: Any) -> bool:
    return any(np.array_equal(found.numpy(), one) for one in wanted)


RESIZING: Final[dict[str, Program]] = {
    **{f"resize {m}: larger": _of(IMAGE, _resized(m, [8, 9])) for m in METHODS},
    **{f"resize {m}: smaller": _of(BATCH, _resized(m, (2, 3))) for m in METHODS},
    **{f"resize {m}: of bytes": _of(BYTES, _resized(m, [3, 10])) for m in METHODS},
    **{f"resize {m}: antialias": _of(BATCH, _resized(m, [2, 10], antialias=True)) for m in METHODS},
    **{f"resize {m}: slope": _slope(_resized(m, [3, 9])) for m in METHODS if m not in ("area", "lanczos5")},
    **{f"resize {m}: staged": _staged(_resized(m, [2, 11]), [None, None, 3]) for m in METHODS},
    "resize to a tensor": lambda m: m.image.resize(IMAGE, m.constant([3, 4])),
    "resize, the ratio kept": lambda m: m.image.resize(IMAGE, [12, 9], preserve_aspect_ratio=True),
    "resize, the ratio kept, staged": _staged(
        _resized("bilinear", [9, 9], preserve_aspect_ratio=True), [None, None, 3]
    ),
    "resize to the same": lambda m: m.image.resize(BYTES, [4, 5]),
    "resize by name of the method": lambda m: m.image.resize(IMAGE, [2, 2], m.image.ResizeMethod.NEAREST_NEIGHBOR),
    "resize by no method": lambda m: m.image.resize(IMAGE, [2, 2], method="best"),
    "resize of a vector": lambda m: m.image.resize([1.0, 2.0], [2, 2]),
    "resize to three": lambda m: m.image.resize(IMAGE, [2, 2, 2]),
    "resize_with_pad": lambda m: m.image.resize_with_pad(IMAGE, 10, 8),
    "resize_with_pad, smaller": lambda m: m.image.resize_with_pad(BATCH, 3, 6, method="nearest"),
    "resize_with_crop_or_pad: crop": lambda m: m.image.resize_with_crop_or_pad(IMAGE, 2, 3),
    "resize_with_crop_or_pad: pad": lambda m: m.image.resize_with_crop_or_pad(BATCH, 8, 8),
    "resize_with_crop_or_pad: both": lambda m: m.image.resize_with_crop_or_pad(BYTES, 8, 4),
    "resize_with_crop_or_pad: staged": _staged(lambda m, x: m.image.resize_with_crop_or_pad(x, 8, 4), [None, None, 3]),
    "resize_with_crop_or_pad: nothing": lambda m: m.image.resize_with_crop_or_pad(IMAGE, 0, 4),
    "crop_and_resize": lambda m: m.image.crop_and_resize(BATCH, BOXES, [0, 1, 1, 0], [3, 4], extrapolation_value=0.5),
    "crop_and_resize nearest": lambda m: m.image.crop_and_resize(BATCH, BOXES, [0, 1, 1, 0], [4, 3], method="nearest"),
    "crop_and_resize to one": lambda m: m.image.crop_and_resize(BATCH, BOXES, [1, 1, 0, 0], [1, 1]),
    "crop_and_resize: slope": _slope(lambda m, x: m.image.crop_and_resize(x[None], BOXES[:2], [0, 0], [3, 4])),
    "crop_and_resize: slope of boxes": _slope(
        lambda m, b: m.image.crop_and_resize(BATCH, b, [0, 1], [3, 4]), BOXES[1:3] * 0.9 + 0.04
    ),
}  # fmt: skip

MOVING: Final[dict[str, Program]] = {
    "crop_to_bounding_box": lambda m: m.image.crop_to_bounding_box(IMAGE, 1, 2, 2, 3),
    "crop_to_bounding_box: slope": _slope(lambda m, x: m.image.crop_to_bounding_box(x, 1, 2, 2, 3)),
    "crop_to_bounding_box outside": lambda m: m.image.crop_to_bounding_box(IMAGE, 3, 2, 3, 4),
    "crop_to_bounding_box before": lambda m: m.image.crop_to_bounding_box(IMAGE, -1, 2, 3, 4),
    "crop_to_bounding_box: staged": _staged(
        lambda m, x: m.image.crop_to_bounding_box(x, 1, 1, m.shape(x)[0] - 2, 2), [None, None, 3]
    ),
    "central_crop": lambda m: m.image.central_crop(IMAGE, 0.5),
    "central_crop of all": lambda m: m.image.central_crop(BATCH, 1.0),
    "central_crop: staged": _staged(lambda m, x: m.image.central_crop(x, 0.4), [None, None, 3]),
    "central_crop of nothing": lambda m: m.image.central_crop(IMAGE, 0.0),
    "pad_to_bounding_box": lambda m: m.image.pad_to_bounding_box(BYTES, 1, 2, 6, 8),
    "pad_to_bounding_box too small": lambda m: m.image.pad_to_bounding_box(BYTES, 1, 2, 4, 8),
    "pad_to_bounding_box: slope": _slope(lambda m, x: m.image.pad_to_bounding_box(x, 1, 2, 6, 8)),
    "flip_left_right": lambda m: m.image.flip_left_right(IMAGE),
    "flip_left_right of a batch": lambda m: m.image.flip_left_right(BATCH),
    "flip_up_down": lambda m: m.image.flip_up_down(IMAGE),
    "flip_up_down: slope": _slope(lambda m, x: m.image.flip_up_down(x) * np.arange(3, dtype=np.float32)),
    "transpose": lambda m: m.image.transpose(IMAGE),
    "transpose of a batch": lambda m: m.image.transpose(BATCH),
    **{f"rot90 {k}": _of(IMAGE, _turned(k)) for k in (0, 1, 2, 3, 5, -1)},
    "rot90 of a batch": lambda m: m.image.rot90(BATCH, k=3),
    "extract_patches": lambda m: m.image.extract_patches(BATCH, [1, 2, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
    "extract_patches same": lambda m: m.image.extract_patches(BATCH, [1, 3, 2, 1], [1, 2, 3, 1], [1, 1, 2, 1], "SAME"),
    "extract_patches: slope": _slope(
        lambda m, x: m.image.extract_patches(x[None], [1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], "SAME")
    ),
    "extract_patches: staged": _staged(
        lambda m, x: m.image.extract_patches(x, [1, 3, 2, 1], [1, 2, 3, 1], [1, 1, 2, 1], "SAME"), [None, None, None, 3]
    ),
    "extract_glimpse": lambda m: [
        m.image.extract_glimpse(BATCH, [2, 3], places, centered, normalized, noise="zero")
        for centered, normalized, places in (
            (True, True, [[0.0, 0.0], [-0.3, 0.8]]), (False, True, [[0.1, 0.2], [0.5, 0.9]]),
            (False, False, [[0.0, 1.0], [-1.5, 3.2]]), (True, False, [[0.0, 0.0], [-2.0, 2.0]]),
        )
    ],
    "extract_glimpse: staged": _staged(
        lambda m, x: m.image.extract_glimpse(x, [3, 2], [[0.0, 0.1], [0.4, 0.9]], noise="zero"), [None, None, None, 3]
    ),
}  # fmt: skip

COLORS: Final[dict[str, Program]] = {
    "adjust_brightness": lambda m: m.image.adjust_brightness(IMAGE, 0.3),
    "adjust_brightness of bytes": lambda m: m.image.adjust_brightness(BYTES, 0.3),
    "adjust_brightness: slope": _slope(lambda m, x: m.image.adjust_brightness(x, 0.3)),
    "adjust_contrast": lambda m: m.image.adjust_contrast(BATCH, 2.5),
    "adjust_contrast of bytes": lambda m: m.image.adjust_contrast(BYTES, 0.5),
    "adjust_gamma": lambda m: m.image.adjust_gamma(IMAGE, 2.2, 0.9),
    "adjust_gamma of bytes": lambda m: m.image.adjust_gamma(BYTES, gamma=0.5),
    "adjust_gamma below 0": lambda m: m.image.adjust_gamma(IMAGE, -1),
    "adjust_hue": lambda m: m.image.adjust_hue(IMAGE, 0.2),
    "adjust_hue backwards": lambda m: m.image.adjust_hue(BATCH, -0.7),
    "adjust_hue of bytes": lambda m: m.image.adjust_hue(BYTES, 0.4),
    "adjust_hue below 0": lambda m: m.image.adjust_hue(IMAGE - 0.5, 0.4),
    "adjust_hue too much": lambda m: m.image.adjust_hue(IMAGE, 1.5),
    "adjust_saturation": lambda m: m.image.adjust_saturation(IMAGE, 0.4),
    "adjust_saturation up": lambda m: m.image.adjust_saturation(IMAGE, 3.0),
    "adjust_saturation of bytes": lambda m: m.image.adjust_saturation(BYTES, 0.4),
    "rgb_to_hsv": lambda m: m.image.rgb_to_hsv(IMAGE),
    "rgb_to_hsv of grays": lambda m: m.image.rgb_to_hsv([[0.0, 0.0, 0.0], [0.5, 0.5, 0.5], [1.0, 1.0, 0.0]]),
    "rgb_to_hsv: slope": _slope(lambda m, x: m.image.rgb_to_hsv(x)),
    "rgb_to_hsv of bytes": lambda m: m.image.rgb_to_hsv(m.constant(BYTES)),
    "hsv_to_rgb": lambda m: m.image.hsv_to_rgb(IMAGE),
    "rgb_to_grayscale": lambda m: m.image.rgb_to_grayscale(IMAGE),
    "rgb_to_grayscale of bytes": lambda m: m.image.rgb_to_grayscale(BYTES),
    "rgb_to_grayscale: slope": _slope(lambda m, x: m.image.rgb_to_grayscale(x)),
    "grayscale_to_rgb": lambda m: m.image.grayscale_to_rgb(m.constant(GRAY)),
    "grayscale_to_rgb of colours": lambda m: m.image.grayscale_to_rgb(m.constant(IMAGE)),
    "rgb_to_yiq": lambda m: m.image.rgb_to_yiq(IMAGE),
    "yiq_to_rgb": lambda m: m.image.yiq_to_rgb(IMAGE),
    "rgb_to_yuv": lambda m: m.image.rgb_to_yuv(IMAGE),
    "yuv_to_rgb": lambda m: m.image.yuv_to_rgb(IMAGE),
    "per_image_standardization": lambda m: m.image.per_image_standardization(BATCH),
    "per_image_standardization of a colour": lambda m: m.image.per_image_standardization(np.ones((2, 2, 1), np.uint8)),
    "convert_image_dtype to float": lambda m: m.image.convert_image_dtype(BYTES, m.float32),
    "convert_image_dtype to bytes": lambda m: m.image.convert_image_dtype(IMAGE, m.uint8),
    "convert_image_dtype to the nearest": lambda m: m.image.convert_image_dtype(IMAGE * 3 - 1, m.int32, saturate=True),
    "convert_image_dtype up": lambda m: m.image.convert_image_dtype(BYTES, m.int16),
    "convert_image_dtype down": lambda m: m.image.convert_image_dtype((IMAGE * 30000).astype(np.int16), m.uint8),
    "convert_image_dtype to half": lambda m: m.image.convert_image_dtype(IMAGE, m.float16),
}  # fmt: skip

COMPARING: Final[dict[str, Program]] = {
    "psnr": lambda m: m.image.psnr(m.constant(LARGE), m.constant(OTHER), 1.0),
    "psnr of bytes": lambda m: m.image.psnr(m.constant(BYTES), m.constant(BYTES // 2), max_val=255),
    "psnr of the same": lambda m: m.image.psnr(m.constant(BATCH), m.constant(BATCH), 1.0),
    "ssim": lambda m: m.image.ssim(LARGE, OTHER, 1.0),
    "ssim of a window": lambda m: m.image.ssim(LARGE, OTHER, 1.0, filter_size=5, filter_sigma=1.0, k1=0.02, k2=0.05),
    "ssim map": lambda m: m.image.ssim(LARGE, OTHER, 1.0, filter_size=20, return_index_map=True),
    "ssim of bytes": lambda m: m.image.ssim((LARGE * 255).astype(np.uint8), (OTHER * 255).astype(np.uint8), 255),
    "ssim too small": lambda m: m.image.ssim(BATCH, BATCH, 1.0),
    "ssim of two sizes": lambda m: m.image.ssim(LARGE, OTHER[:, 1:], 1.0),
    "ssim: slope": _slope(lambda m, x: m.image.ssim(x, OTHER[..., :1], 1.0), LARGE[..., :1]),
    "ssim_multiscale": lambda m: m.image.ssim_multiscale(LARGE, OTHER, 1.0, power_factors=(0.3, 0.7), filter_size=5),
    "total_variation": lambda m: m.image.total_variation(m.constant(IMAGE)),
    "total_variation of a batch": lambda m: m.image.total_variation(m.constant(BATCH)),
    "total_variation: slope": _slope(lambda m, x: m.image.total_variation(x)),
    "image_gradients": lambda m: m.image.image_gradients(m.constant(BATCH)),
    "image_gradients of one": lambda m: m.image.image_gradients(m.constant(IMAGE)),
    "sobel_edges": lambda m: m.image.sobel_edges(m.constant(BATCH)),
    "sobel_edges: slope": _slope(lambda m, x: m.image.sobel_edges(x[None])),
}  # fmt: skip

BOXES_OF_THINGS: Final[dict[str, Program]] = {
    "non_max_suppression": lambda m: m.image.non_max_suppression(SPOTS, SCORES, 3),
    "non_max_suppression of two": lambda m: m.image.non_max_suppression(SPOTS, SCORES, 2, iou_threshold=0.05),
    "non_max_suppression of good ones": lambda m: m.image.non_max_suppression(SPOTS, SCORES, 5, 0.9, 0.55),
    "non_max_suppression of none": lambda m: m.image.non_max_suppression(SPOTS, SCORES, 5, 0.5, 2.0),
    "non_max_suppression, staged": lambda m: m.function(m.image.non_max_suppression)(SPOTS, SCORES, 4),
    "non_max_suppression_with_scores": lambda m: list(
        m.image.non_max_suppression_with_scores(SPOTS, SCORES, 4, 0.5, soft_nms_sigma=0.5)
    ),
    "non_max_suppression_overlaps": lambda m: m.image.non_max_suppression_overlaps(SHARED, SCORES, 3, 0.4),
    "non_max_suppression_overlaps of good ones": lambda m: m.image.non_max_suppression_overlaps(
        SHARED, SCORES, 5, overlap_threshold=0.9, score_threshold=0.6
    ),
    "non_max_suppression_padded": lambda m: list(
        m.image.non_max_suppression_padded(m.constant(SPOTS[:3]), m.constant(SCORES[:3]), 5, 0.05, -1.0, True)
    ),
    "non_max_suppression_padded, not padded": lambda m: list(
        m.image.non_max_suppression_padded(m.constant(SPOTS[:3]), m.constant(SCORES[:3]), 5, 0.05)
    ),
    "non_max_suppression_padded of images": lambda m: list(
        m.image.non_max_suppression_padded(
            m.constant(np.stack([SPOTS[:3], SPOTS[2::-1] * 0.8])), m.constant(KINDS[:, :3, 0]), 3, 0.3, 0.0, True
        )
    ),
    "combined_non_max_suppression": lambda m: list(
        m.image.combined_non_max_suppression(SPOTS_OF_IMAGES, KINDS, 3, 5, 0.3, 0.2)
    ),
    "combined_non_max_suppression, cut off by class": lambda m: list(
        m.image.combined_non_max_suppression(SPOTS_OF_IMAGES * 1.5 - 0.2, KINDS, 2, 50, 0.3, 0.2, pad_per_class=True)
    ),
    "combined_non_max_suppression of boxes by class": lambda m: list(
        m.image.combined_non_max_suppression(
            np.concatenate([SPOTS_OF_IMAGES, SPOTS_OF_IMAGES * 0.9, SPOTS_OF_IMAGES * 1.2 - 0.1], 2), KINDS, 3, 4,
            clip_boxes=False,
        )
    ),
    "combined_non_max_suppression, staged": lambda m: m.function(
        lambda boxes, scores: m.image.combined_non_max_suppression(boxes, scores, 2, 4).valid_detections
    )(m.constant(SPOTS_OF_IMAGES), m.constant(KINDS)),
    "draw_bounding_boxes": lambda m: m.image.draw_bounding_boxes(
        BATCH, np.stack([BOXES[:3], BOXES[1:]]), np.array([[1.0, 0.0, 0.5], [0.2, 0.3, 0.4]], np.float32)
    ),
    "draw_bounding_boxes in colours": lambda m: m.image.draw_bounding_boxes(BATCH, np.stack([BOXES[1:3]] * 2), None),
}  # fmt: skip

RANDOM: Final[dict[str, Program]] = {
    "random_flip_left_right": lambda m: _among(m.image.random_flip_left_right(IMAGE), [IMAGE, IMAGE[:, ::-1]]),
    "random_flip_up_down": lambda m: _among(m.image.random_flip_up_down(IMAGE, seed=3), [IMAGE, IMAGE[::-1]]),
    "stateless_random_flip_left_right": lambda m: _among(
        m.image.stateless_random_flip_left_right(IMAGE, seed=(1, 2)), [IMAGE, IMAGE[:, ::-1]]
    ),
    "stateless_random_flip_up_down": lambda m: _among(
        m.image.stateless_random_flip_up_down(IMAGE, seed=(1, 2)), [IMAGE, IMAGE[::-1]]
    ),
    "random_brightness": lambda m: bool(np.ptp(m.image.random_brightness(IMAGE, 0.3).numpy() - IMAGE) < 1e-6),
    "random_brightness below 0": lambda m: m.image.random_brightness(IMAGE, -0.3),
    "stateless_random_brightness": lambda m: float(
        abs(m.image.stateless_random_brightness(IMAGE, 0.3, seed=(1, 2)) - IMAGE)[0, 0, 0]
    ) <= 0.3,
    "random_contrast": lambda m: list(m.image.random_contrast(IMAGE, 0.2, 0.5).shape),
    "random_contrast of no range": lambda m: m.image.random_contrast(IMAGE, 0.5, 0.2),
    "stateless_random_contrast": lambda m: np.array_equal(
        *(m.image.stateless_random_contrast(IMAGE, 0.2, 0.5, seed=(1, 2)).numpy() for _ in range(2))
    ),
    "random_hue": lambda m: bool(np.ptp(m.image.random_hue(IMAGE, 0.5).numpy().max(-1) - IMAGE.max(-1)) < 1e-6),
    "random_hue of too much": lambda m: m.image.random_hue(IMAGE, 0.7),
    "stateless_random_hue": lambda m: list(m.image.stateless_random_hue(BYTES, 0.1, seed=(1, 2)).shape),
    "random_saturation": lambda m: m.image.random_saturation(IMAGE, 1.0, 1.0001).dtype.name,
    "stateless_random_saturation": lambda m: np.allclose(
        m.image.stateless_random_saturation(IMAGE, 1.0, 1.000001, seed=(1, 2)).numpy(), IMAGE, atol=1e-4
    ),
    "random_crop": lambda m: m.image.random_crop(IMAGE, [2, 3, 3]).shape.as_list(),
    "random_crop of all": lambda m: m.image.random_crop(IMAGE, [4, 5, 3]),
    "random_crop of more": lambda m: m.image.random_crop(IMAGE, [6, 5, 3]),
    "stateless_random_crop": lambda m: m.image.stateless_random_crop(IMAGE, [2, 3, 3], seed=(1, 2)).shape.as_list(),
}  # fmt: skip

PROGRAMS: Final[dict[str, Program]] = {**RESIZING, **MOVING, **COLORS, **COMPARING, **BOXES_OF_THINGS, **RANDOM}
