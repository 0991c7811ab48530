"""Programs over files of images: a JPEG, PNGs of a palette, of 16 bits and with transparency, a GIF, a BMP."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]

_TEXTS: Final = {
    "jpeg": (
        "/9j/4AAQSkZJRgABAQEAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUV"
        "DA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU"
        "FBT/wAARCAAIAAYDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQID"
        "AAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlq"
        "c3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3"
        "+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI"
        "FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImK"
        "kpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDK"
        "0v8AZm/df8evb+7RRRXyeJ8VOKfay/2j8/8AM+rp8O5dyr3D/9k="
    ),
    "palette": (
        "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAECAMAAABx7QVyAAADAFBMVEUAAAD/AAAA/wAAAP8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACH0FzSAAAAGElEQVR42mNgYGRiZgATjAwggokBRDADAAFiAB+sRcUpAAAAAElFTkSu"
        "QmCC"
    ),
    "wide": (
        "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAEEAAAAAAzyHbfAAAAJklEQVR4nGNkYODewbODZwf3DkarGRAGzw7GUgOIKM8OxvUnYKIAMOsP"
        "LoUmKHIAAAAASUVORK5CYII="
    ),
    "alpha": (
        "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAECAYAAABGM/VAAAAAGklEQVR4nGNkYPjPwMn6lwcZs+hKfrQhXxAArygW1m9rFiEAAAAASUVO"
        "RK5CYII="
    ),
    "gif": (
        "R0lGODdhBAADAIEAAAAAAAAAAAAAAAAAACwAAAAABAADAAAICAABCBxIUGBAACH5BAEAAAEALAAAAAAEAAMAgVBQUAAAAAAAAAAAAAgI"
        "AAEIHEhQYEAAOw=="
    ),
    "bmp": (
        "Qk12AAAAAAAAADYAAAAoAAAABQAAAAQAAAABABgAAAAAAEAAAADEDgAAxA4AAAAAAAAAAAAA0kuHz1CQzFWZyVqixl+rAOEyWt43Y9s8"
        "bNhBddVGfgDwGS3tHjbqIz/nKEjkLVEA/wAA/AUJ+QoS9g8b8xQkAA=="
    ),
}
FILES: Final = {name: base64.b64decode(text) for name, text in _TEXTS.items()}
PIXELS: Final = (np.arange(8 * 9 * 3).reshape(8, 9, 3) % 251).astype(np.uint8)
SMOOTH: Final = (np.add.outer(np.arange(16), np.arange(16))[..., None] * [4, 5, 6]).astype(np.uint8)
_PLACE: Final = np.arange(8 * 6)
SLOPE: Final = np.stack([_PLACE * 5, _PLACE * 3 + 40, 255 - _PLACE * 4], -1).reshape(8, 6, 3)
"""What is in the JPEG, whose decoders round in several ways."""


def _again(m: Any, image: Any, **options: Any) -> Any:
    return m.image.decode_png(m.image.encode_png(m.constant(image), **options), dtype=image.dtype.name)


def _near(m: Any, found: Any, image: Any, most: float) -> Any:
    return [found.dtype.name, list(found.shape), bool(np.abs(found.numpy() / 1.0 - image).mean() < most)]


def _mapped(m: Any) -> Any:
    """In the steps of a dataset, as guides read folders of images."""
    files = m.data.Dataset.from_tensor_slices([FILES["alpha"], FILES["palette"]])
    images = files.map(lambda text: m.image.resize(m.io.decode_png(text, channels=3), [2, 2]))
    return [list(image.shape) for image in images.batch(2)]


PROGRAMS: Final[dict[str, Program]] = {
    "decode_jpeg": lambda m: _near(m, m.image.decode_jpeg(FILES["jpeg"]), SLOPE, 4.0),
    "decode_jpeg in gray": lambda m: _near(
        m, m.image.decode_jpeg(FILES["jpeg"], channels=1), SLOPE @ [[0.299], [0.587], [0.114]], 4.0
    ),
    "decode_png of a palette": lambda m: m.image.decode_png(FILES["palette"]),
    "decode_png of 16 bits": lambda m: m.image.decode_png(FILES["wide"], dtype=m.uint16),
    "decode_png of 16 bits as 8": lambda m: m.image.decode_png(FILES["wide"]),
    "decode_png with transparency": lambda m: m.image.decode_png(FILES["alpha"]),
    "decode_png without transparency": lambda m: m.image.decode_png(FILES["alpha"], channels=3),
    "decode_png of 8 bits as 16": lambda m: m.image.decode_png(FILES["alpha"], dtype=m.uint16),
    "decode_gif": lambda m: m.image.decode_gif(FILES["gif"]),
    "decode_bmp": lambda m: m.image.decode_bmp(FILES["bmp"]),
    "decode_image of a JPEG": lambda m: _near(m, m.image.decode_image(FILES["jpeg"], channels=3), SLOPE, 4.0),
    "decode_image of a PNG as floats": lambda m: m.image.decode_image(FILES["alpha"], dtype=m.float32),
    "decode_image of a GIF": lambda m: m.image.decode_image(FILES["gif"]),
    "decode_image of the first of a GIF": lambda m: m.image.decode_image(FILES["gif"], expand_animations=False),
    "decode_image of no image": lambda m: m.image.decode_image(b"no image"),
    "decode_and_crop_jpeg": lambda m: _near(
        m, m.image.decode_and_crop_jpeg(FILES["jpeg"], [1, 2, 3, 4]), SLOPE[1:4, 2:6], 4.0
    ),
    "extract_jpeg_shape": lambda m: m.image.extract_jpeg_shape(FILES["jpeg"]),
    "is_jpeg": lambda m: [m.image.is_jpeg(FILES["jpeg"]), m.image.is_jpeg(FILES["gif"])],
    "encode_png": lambda m: _again(m, PIXELS),
    "encode_png of gray": lambda m: _again(m, PIXELS[..., :1], compression=9),
    "encode_png of two channels": lambda m: _again(m, PIXELS[..., :2]),
    "encode_png of 16 bits": lambda m: _again(m, (PIXELS[..., :1] * 250).astype(np.uint16)),
    "encode_png of floats": lambda m: m.image.encode_png(m.constant(PIXELS / 255)),
    "encode_png with a compression of 10": lambda m: m.image.encode_png(m.constant(PIXELS), compression=10),
    "encode_jpeg": lambda m: _near(m, m.image.decode_jpeg(m.image.encode_jpeg(SMOOTH)), SMOOTH, 3.0),
    "encode_jpeg of gray": lambda m: _near(
        m, m.io.decode_jpeg(m.io.encode_jpeg(SMOOTH[..., :1], format="grayscale")), SMOOTH[..., :1], 3.0
    ),
    "encode_jpeg with a quality of 101": lambda m: m.image.encode_jpeg(SMOOTH, quality=101),
    "random_jpeg_quality": lambda m: _near(
        m, m.image.random_jpeg_quality(m.constant(SMOOTH), 85, 95), SMOOTH, 5.0
    ),
    "stateless_random_jpeg_quality": lambda m: _near(
        m, m.image.stateless_random_jpeg_quality(m.constant(SMOOTH), 85, 95, (1, 2)), SMOOTH, 5.0
    ),
    "adjust_jpeg_quality": lambda m: _near(m, m.image.adjust_jpeg_quality(m.constant(SMOOTH), 90), SMOOTH, 4.0),
    "adjust_jpeg_quality of floats": lambda m: _near(
        m, m.image.adjust_jpeg_quality(m.constant(SMOOTH / 255, m.float32), 90), SMOOTH / 255, 0.02
    ),
    "images of files in a dataset": _mapped,
}  # fmt: skip
