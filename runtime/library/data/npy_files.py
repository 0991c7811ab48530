"""`NpyDataset`: the rows of arrays in `.npy` files, read in pieces. Nothing in a file is ever unpickled."""

from __future__ import annotations

import math
import os
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

import numpy as np
from numpy.lib import format as npy

from runtime.dtypes import DType, from_numpy, string
from runtime.errors import DataLossError, InvalidArgumentError
from runtime.library.data.blocks import Block
from runtime.library.data.files import opened
from runtime.shapes import TensorShape
from runtime.tensor.spec import TensorSpec

__all__ = ["NpyReader", "row_spec"]

PIECE: Final = 1 << 18

_HEADERS: Final = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def _header(path: str, file: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[np.generic], DType]:
    """Shape, whether columns come first, dtype in the file, dtype of the tensors. Raises DataLossError."""
    try:
        version = npy.read_magic(file)
        if version not in _HEADERS:
            raise ValueError(f"the version {version} of the format is not known")
        shape, columns_first, dtype = _HEADERS[version](file)
        if any(dim < 0 for dim in shape):
            raise ValueError(f"an array has no shape {shape}")
    except (ValueError, TypeError, SyntaxError, EOFError, RecursionError, MemoryError, tokenize.TokenError) as error:
        raise DataLossError(f"{path}, at byte {file.tell()}: this is no .npy file, or damaged: {error}") from None
    found = None if dtype.hasobject else from_numpy(dtype)
    if found is None or found is string:
        why = "a .npy file with Python objects could run any code; " if dtype.hasobject else ""
        raise InvalidArgumentError(f"{path}: arrays of the dtype {dtype} are not read: {why}save numbers")
    if not shape:
        raise InvalidArgumentError(f"{path}: the array is a scalar, it has no rows")
    if columns_first and len(shape) > 1:
        raise InvalidArgumentError(
            f"{path}: the array is stored column by column, so that rows cannot be read one after the other; save"
            " np.ascontiguousarray(array)"
        )
    return shape, columns_first, dtype, found


def row_spec(path: str) -> TensorSpec:
    """What the rows of a file are."""
    with opened(path) as file:
        shape, _, _, dtype = _header(path, file)
    return TensorSpec(shape[1:], dtype)


@dataclass(frozen=True)
class NpyReader:
    """Reads the rows of a file; they must be of this kind."""

    spec: TensorSpec

    def __call__(self, path: str) -> Iterator[Block]:
        with opened(path) as file:
            shape, _, stored, dtype = _header(path, file)
            if dtype is not self.spec.dtype or not self.spec.shape.is_compatible_with(TensorShape(shape[1:])):
                raise InvalidArgumentError(
                    f"{path}: the rows are {dtype.name}{TensorShape(shape[1:])}, where"
                    f" {self.spec.dtype.name}{self.spec.shape} was expected, as in the first file"
                )
            row = math.prod(shape[1:]) * stored.itemsize
            start, size = file.tell(), os.fstat(file.fileno()).st_size
            if size - start != shape[0] * row:
                raise DataLossError(
                    f"{path}, at byte {size}: the file ends there, but an array of the shape {TensorShape(shape)} ends"
                    f" at byte {start + shape[0] * row}: the file is damaged"
                )
            together = max(1, PIECE // max(row, 1))
            for at in range(0, shape[0], together):
                count = min(together, shape[0] - at)
                data = file.read(count * row)
                if len(data) < count * row:
                    raise DataLossError(f"{path}, at byte {file.tell()}: the file has become shorter while it was read")
                rows = np.frombuffer(data, stored).reshape(count, *shape[1:])
                yield Block([rows.astype(dtype.numpy, copy=False)], count)
