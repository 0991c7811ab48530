"""Files as one text each, and tensors as texts.

>>> parse_tensor(serialize_tensor([1, 2]), runtime.int32)
<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
"""

from __future__ import annotations

import os
from typing import Any

from runtime.ops.files import file_bytes, tensor_bytes
from runtime.tensor.tensor import Tensor

__all__ = ["parse_tensor", "read_file", "serialize_tensor", "write_file"]


def read_file(filename: Any, name: str | None = None) -> Tensor:
    """The bytes of a file, a string scalar; in a graph they are read each time that it runs.

    filename: a text or a path. Raises NotFoundError if there is no such file.
    """
    return file_bytes.read_file(_path(filename), name=name)


def write_file(filename: Any, contents: Any, name: str | None = None) -> None:
    """Writes a file, in the place of one with that name; directories that are missing are made.

    filename: a text or a path; contents: a text. Raises InvalidArgumentError where that is not allowed.
    """
    file_bytes.write_file(_path(filename), contents, name=name)


def _path(filename: Any) -> Any:
    return os.fspath(filename) if isinstance(filename, os.PathLike) else filename


def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    """The dtype, shape and elements of a tensor as one text, a string scalar; TensorFlow reads it, too."""
    return tensor_bytes.serialize_tensor(tensor, name=name)


def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor that `serialize_tensor` wrote, here or in TensorFlow. out_type: the dtype of that tensor.

    Its shape is not known while a graph is built (see `runtime.ensure_shape`). Raises DtypeMismatchError for another
    dtype, DataLossError for a text that is no tensor.
    """
    return tensor_bytes.parse_tensor(serialized, out_type=out_type, name=name)
