"""Files as they are: `read_file` gives the bytes of one, `write_file` makes one.

    write_file("note.txt", "hello")
    read_file("note.txt")                       # b"hello"

Both run each time that a graph does, in the order of the program.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.dtypes import STRINGS, DType, string
from runtime.errors import FailedPreconditionError, InvalidArgumentError, NotFoundError, OpError, ShapeMismatchError
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.shapes import TensorShape

__all__ = ["read_file", "write_file"]


def _of_scalars(name: Operand, *others: Operand) -> TensorShape:
    for operand in (name, *others):
        if operand.shape.rank not in (0, None):
            raise ValueError("a file has one name and one content, both scalars")
    return TensorShape([])


def _one(what: str, text: Any) -> bytes:
    if np.ndim(text):
        raise ShapeMismatchError(f"{what} is one text; the shape is {np.shape(text)}")
    found: bytes = np.asarray(text, object).item()
    return found


def _failed(operation: str, name: bytes, error: OSError) -> OpError:
    shown = os.fsdecode(name)
    if isinstance(error, FileNotFoundError):
        return NotFoundError(f"{operation}: {shown}: no such file or directory")
    if isinstance(error, IsADirectoryError):
        return FailedPreconditionError(f"{operation}: {shown}: is a directory")
    return InvalidArgumentError(f"{operation}: {shown}: {error.strerror or error}")


@op(
    raises=Raises((NotFoundError, FailedPreconditionError, InvalidArgumentError)),
    shape=_of_scalars, dtypes=STRINGS, result=string, stateful=True,
)
def read_file(filename: Any) -> Array:
    """The bytes of a file, a string scalar. filename: string scalar.

    Raises NotFoundError if there is none, FailedPreconditionError for a directory.
    """
    name = _one("read_file: filename", filename)
    result = np.empty((), object)
    try:
        with open(name, "rb") as file:
            result[()] = file.read()
    except OSError as error:
        raise _failed("read_file", name, error) from None
    return result


def _written_shape(filename: Operand, contents: Operand) -> tuple[TensorShape, ...]:
    _of_scalars(filename, contents)
    return ()


def _no_dtypes(filename: Operand, contents: Operand) -> tuple[DType, ...]:
    return ()


@op(
    raises=Raises((FailedPreconditionError, InvalidArgumentError)),
    shape=_written_shape, dtypes=STRINGS, result=_no_dtypes, outputs=0, stateful=True,
)
def write_file(filename: Any, contents: Any) -> tuple[()]:
    """Makes a file of bytes, in the place of one with that name; directories that are missing are made.

    filename: string scalar; contents: string scalar. Raises FailedPreconditionError for a directory,
    InvalidArgumentError where it is not allowed.
    """
    name = _one("write_file: filename", filename)
    try:
        if directory := os.path.dirname(name):
            os.makedirs(directory, exist_ok=True)
        with open(name, "wb") as file:
            file.write(_one("write_file: contents", contents))
    except OSError as error:
        raise _failed("write_file", name, error) from None
    return ()
