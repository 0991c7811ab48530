"""Images as files of PNG, JPEG, GIF and BMP: by Pillow, which the extra `images` installs.

    image = decode_image(runtime.io.read_file("photo.jpg"), channels=3)
    runtime.io.write_file("photo.png", encode_png(image))

In a graph they are Python code: it runs, and is neither saved nor exported.
"""

from __future__ import annotations

import io
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, as_dtype, int32, string, uint8, uint16
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from runtime.extras import extra
from runtime.library.image.colors import convert_image_dtype
from runtime.library.image.moving import crop_to_bounding_box
from runtime.library.image.pixels import image_of, one_size
from runtime.library.python_functions import numpy_function
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "adjust_jpeg_quality", "decode_and_crop_jpeg", "decode_bmp", "decode_gif", "decode_image", "decode_jpeg",
    "decode_png", "encode_jpeg", "encode_png", "extract_jpeg_shape", "is_jpeg",
]  # fmt: skip

_MODES: Final = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
"""What Pillow calls images of so many channels."""


def _library() -> Any:
    return extra("PIL.Image", "images", "files of images need")


def _opened(contents: bytes, function: str, formats: tuple[str, ...] | None) -> Any:
    """The image of a file. Raises InvalidArgumentError for what is none of these formats."""
    library = _library()
    try:
        return library.open(io.BytesIO(contents), formats=formats)
    except (OSError, SyntaxError, ValueError) as error:
        wanted = "an image" if formats is None else " or ".join(formats)
        raise InvalidArgumentError(f"image.{function}: the bytes are no file of {wanted}: {error}") from None


def _channels(picture: Any, wanted: int) -> str:
    """The mode in which an image has so many channels; 0: as many as the file has."""
    if wanted:
        return _MODES[wanted]
    if picture.mode == "P":
        return "RGBA" if "transparency" in picture.info else "RGB"
    known = {"1": "L", "I;16": "L", "I": "L", "CMYK": "RGB", "YCbCr": "RGB"}
    return str(known.get(picture.mode, picture.mode))


def _pixels(picture: Any, channels: int, dtype: DType) -> Any:
    if picture.mode.startswith("I") and dtype is uint16 and channels in (0, 1):
        return np.asarray(picture).astype(np.uint16)[..., None]
    if picture.mode.startswith("I"):
        picture = _library().fromarray((np.asarray(picture) >> 8).astype(np.uint8))
    found = np.asarray(picture.convert(_channels(picture, channels)))
    found = found[..., None] if found.ndim == 2 else found
    return found.astype(np.uint16) * 257 if dtype is uint16 else found


def _decoded(
    function: str, contents: Any, channels: Any, formats: tuple[str, ...] | None, dtype: DType = uint8,
    frames: bool | None = False,
) -> Any:  # fmt: skip
    """frames: whether the result has an axis of frames; None: where the file is a GIF."""
    count = one_size(function, "channels", 0 if channels is None else channels)
    if count not in (0, *_MODES):
        raise InvalidArgumentError(f"image.{function}: channels is 0 (those of the file) to 4; got {channels!r}")
    if dtype not in (uint8, uint16):
        raise DtypeMismatchError(f"image.{function}: dtype is uint8 or uint16; got {dtype.name}")

    def read(text: Any) -> Any:
        picture = _opened(bytes(text), function, formats)
        if frames is False or (frames is None and picture.format != "GIF"):
            return _pixels(picture, count, dtype)
        shots = []
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            shots.append(_pixels(picture.convert("RGB"), 3, dtype))
        return np.stack(shots)

    found = numpy_function(read, [convert_to_tensor(contents, string)], dtype, stateful=False)
    if frames is not None:
        found.set_shape([None] * frames + [None, None, 3 if frames else count or None])
    return found


def decode_png(contents: Any, channels: Any = 0, dtype: Any = uint8, name: str | None = None) -> Tensor:
    """The image of a PNG file, [height, width, channels]. contents: its bytes, a string scalar; channels: 0 for those
    of the file; dtype: uint8 or uint16."""
    return _decoded("decode_png", contents, channels, ("PNG", "JPEG", "GIF", "BMP"), as_dtype(dtype))


@switches
def decode_jpeg(
    contents: Any, channels: Any = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1, dct_method: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The image of a JPEG file, uint8, [height, width, channels]. contents: its bytes; channels: 0 for those of the
    file. The other arguments are those of another library: their defaults are all that there is."""
    _only_defaults("decode_jpeg", ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction)
    return _decoded("decode_jpeg", contents, channels, ("JPEG", "PNG", "GIF", "BMP"))


def _only_defaults(function: str, *given: Any) -> None:
    if given != (1, True, False, 1):
        raise InvalidArgumentError(
            f"image.{function}: ratio, fancy_upscaling, try_recover_truncated and acceptable_fraction are 1, True,"
            f" False and 1 here; got {given}"
        )


@switches
def decode_and_crop_jpeg(
    contents: Any, crop_window: Any, channels: Any = 0, ratio: int = 1, fancy_upscaling: bool = True,
    try_recover_truncated: bool = False, acceptable_fraction: float = 1, dct_method: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """A part of the image of a JPEG file. crop_window: (y, x, height, width)."""
    whole = decode_jpeg(contents, channels, ratio, fancy_upscaling, try_recover_truncated, acceptable_fraction)
    window = convert_to_tensor(crop_window, int32)
    return crop_to_bounding_box(whole, *(window[i] for i in range(4)))


def decode_bmp(contents: Any, channels: Any = 0, name: str | None = None) -> Tensor:
    """The image of a BMP file, uint8, [height, width, channels]. contents: its bytes; channels: 0 for those of it."""
    return _decoded("decode_bmp", contents, channels, ("BMP",))


def decode_gif(contents: Any, name: str | None = None) -> Tensor:
    """The images of a GIF file, uint8, [frames, height, width, 3]. contents: its bytes."""
    return _decoded("decode_gif", contents, 3, ("GIF",), frames=True)


@switches
def decode_image(
    contents: Any, channels: Any = None, dtype: Any = uint8, name: str | None = None, expand_animations: bool = True
) -> Tensor:
    """The image of a PNG, JPEG, GIF or BMP file, [height, width, channels], of the dtype by `convert_image_dtype`.

    contents: its bytes; expand_animations: a GIF is [frames, height, width, 3], else its first frame alone.
    """
    wanted = as_dtype(dtype)
    own = uint16 if wanted is uint16 else uint8
    formats = ("PNG", "JPEG", "GIF", "BMP")
    found = _decoded("decode_image", contents, channels, formats, own, None if expand_animations else False)
    return convert_image_dtype(found, wanted)


def is_jpeg(contents: Any, name: str | None = None) -> Tensor:
    """Whether bytes begin as those of a JPEG file do. contents: string scalar."""
    begins = lambda text: np.bool_(bytes(text)[:3] == b"\xff\xd8\xff")
    return numpy_function(begins, [convert_to_tensor(contents, string)], "bool", stateful=False)


def extract_jpeg_shape(contents: Any, output_type: Any = int32, name: str | None = None) -> Tensor:
    """Height, width and channels of a JPEG file, of which nothing else is read. output_type: int32 or int64."""
    kind = as_dtype(output_type)

    def read(text: Any) -> Any:
        picture = _opened(bytes(text), "extract_jpeg_shape", ("JPEG",))
        return np.array([picture.height, picture.width, len(picture.getbands())], kind.numpy)

    found = numpy_function(read, [convert_to_tensor(contents, string)], kind, stateful=False)
    found.set_shape([3])
    return found


# -- writing


def _encoded(function: str, image: Any, dtypes: tuple[DType, ...], options: dict[str, Any], *quality: Any) -> Any:
    """The bytes of a file. quality: that of a JPEG, which only the run may know."""
    images = image_of(image, function, (3,))
    if images.dtype not in dtypes:
        raise DtypeMismatchError(
            f"image.{function}: the image is of {' or '.join(d.name for d in dtypes)}; got {images.dtype.name}. Take"
            " image.convert_image_dtype(image, uint8)"
        )

    def write(pixels: Any, *known: Any) -> Any:
        channels = pixels.shape[-1]
        wide = pixels.dtype == np.uint16
        if channels not in ((1,) if wide else (1, 3) if options["format"] == "JPEG" else _MODES):
            raise InvalidArgumentError(f"image.{function}: this format has no images of {channels} channels")
        picture = _library().fromarray(np.ascontiguousarray(pixels[..., 0] if channels == 1 else pixels))
        file = io.BytesIO()
        for level in known:
            if not 0 <= level <= 100:
                raise InvalidArgumentError(f"image.{function}: quality is from 0 to 100; got {level}")
            options["quality"] = int(level)
        picture.save(file, **options)
        return np.array(file.getvalue(), object)

    found = numpy_function(write, [images, *quality], string, stateful=False)
    found.set_shape([])
    return found


def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Tensor:
    """The bytes of a PNG file. image: uint8, [height, width, channels], with 1 to 4 channels; or uint16, with one.
    compression: 0 to 9, how much time is taken for a smaller file; -1 for the usual."""
    level = one_size("encode_png", "compression", compression)
    if not -1 <= level <= 9:
        raise InvalidArgumentError(f"image.encode_png: compression is from -1 to 9; got {compression!r}")
    options = {"format": "PNG", **({} if level < 0 else {"compress_level": level})}
    return _encoded("encode_png", image, (uint8, uint16), options)


@switches
def encode_jpeg(
    image: Any, format: str = "", quality: Any = 95, progressive: bool = False, optimize_size: bool = False,
    chroma_downsampling: bool = True, density_unit: str = "in", x_density: int = 300, y_density: int = 300,
    xmp_metadata: str = "", name: str | None = None,
) -> Tensor:  # fmt: skip
    """The bytes of a JPEG file. image: uint8, [height, width, channels], with 1 or 3 channels; format: "", which says
    nothing, "grayscale" or "rgb"; quality: 0 to 100. The other arguments say how the file is written."""
    level = one_size("encode_jpeg", "quality", quality)
    pixels = image_of(image, "encode_jpeg", (3,))
    wanted = {"": None, "grayscale": 1, "rgb": 3}.get(format, 0)
    if wanted is not None and wanted != pixels.shape[-1]:
        raise InvalidArgumentError(f"image.encode_jpeg: the image has the shape {pixels.shape}; got format={format!r}")
    options: dict[str, Any] = {"format": "JPEG", "progressive": progressive}
    options |= {"optimize": optimize_size, "subsampling": 2 if chroma_downsampling else 0}
    options |= {"dpi": (x_density, y_density)} if density_unit == "in" else {}
    return _encoded("encode_jpeg", pixels, (uint8,), options, level)


def adjust_jpeg_quality(image: Any, jpeg_quality: Any, dct_method: str = "", name: str | None = None) -> Tensor:
    """The image as it is after it was a JPEG file. image: uint8 or float, with 3 channels; jpeg_quality: 0 to 100."""
    images = image_of(image, "adjust_jpeg_quality", (3,))
    channels = images.shape[-1]
    small = convert_image_dtype(images, uint8, saturate=True)
    found = decode_jpeg(encode_jpeg(small, quality=jpeg_quality), channels=channels or 0)
    return convert_image_dtype(found, images.dtype, saturate=True)
