"""Text of tensors, and the operation that prints it while a graph runs.

>>> text_of(np.arange(10), 3)
'[0 1 2 ... 7 8 9]'

Numbers are written as %g does, with as many digits as tell the value from its neighbours; strings without b''.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, NARROW, DType
from runtime.errors import InvalidArgumentError
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, op
from runtime.ops.records.terms import Term
from runtime.shapes import TensorShape

__all__ = ["PUBLIC", "print_", "text_of"]

PUBLIC: Final[dict[str, Callable[..., Any]]] = {}
"""Functions for users that are made of these operations, for code below them: `print` of `runtime.library.printing`."""

STREAMS: Final = ("stderr", "stdout")
"""Where a graph can print: the stream of this name in `sys`, looked up when the operation runs."""

FILE: Final = "file://"
"""What the name of a file begins with: text is written at its end, in UTF-8."""

DIGITS: Final = {np.dtype(np.float16): (3, 5), np.dtype(np.float32): (6, 9), np.dtype(np.float64): (15, 17)}
"""Significant digits that are tried first, and those that always tell a value from its neighbours."""


def _float(dtype: np.dtype[Any]) -> Callable[[Any], str]:
    few, all_digits = DIGITS[dtype]

    def text(x: Any) -> str:
        short = f"{x:.{few}g}"
        return short if dtype.type(short) == x or x != x else f"{x:.{all_digits}g}"

    return text


def _complex(dtype: np.dtype[Any]) -> Callable[[Any], str]:
    part = _float(np.dtype(np.float32 if dtype.itemsize == 8 else np.float64))
    return lambda x: f"({part(x.real)},{part(x.imag)})"


def _bytes(x: bytes) -> str:
    return x.decode("utf-8", "backslashreplace")


def _element_text(dtype: np.dtype[Any], quoted: bool) -> Callable[[Any], str]:
    if dtype in NARROW:
        text = _float(np.dtype(np.float32))
        return lambda x: text(np.float32(x))
    if dtype.kind == "f":
        return _float(dtype)
    if dtype.kind == "c":
        return _complex(dtype)
    if dtype.kind == "O":
        return (lambda x: f'"{_bytes(x)}"') if quoted else _bytes
    return str


def text_of(array: Any, summarize: int) -> str:
    """The elements of an array as text: nested brackets, `summarize` elements at each end of each axis (-1: all)."""
    array = elements(array)
    write = _element_text(array.dtype, quoted=array.ndim > 0)
    return "".join(_pieces(array, sys.maxsize if summarize < 0 else summarize, write, 0))


def _pieces(array: Array, ends: int, write: Callable[[Any], str], depth: int) -> Iterator[str]:
    if not array.ndim:
        yield write(array[()])
        return
    space = " " if array.ndim == 1 else "\n" * (array.ndim - 1) + " " * (depth + 1)
    count = len(array)
    yield "["
    for i in range(count):
        if count > 2 * ends and ends <= i < count - ends:
            if i == ends:
                yield f"{space if i else ''}..."
            continue
        yield space if i else ""
        yield from _pieces(array[i, ...], ends, write, depth + 1)
    yield "]"


def _nothing(*values: Any, **attributes: Any) -> tuple[TensorShape, ...]:
    return ()


def _no_dtypes(*values: Any, parts: Any, summarize: int, stream: str | Term) -> tuple[DType, ...]:
    is_file = isinstance(stream, str) and stream.startswith(FILE)
    if not (stream in STREAMS or is_file or (isinstance(stream, Term) and stream.head == "python")):
        raise InvalidArgumentError(f"print: the stream must be {', '.join(STREAMS)} or {FILE}...; got {stream!r}")
    return ()


def _write(text: str, stream: str | Term) -> None:
    if isinstance(stream, Term):
        if stream.held is None:
            raise RuntimeError(f"the graph prints to {'.'.join(stream.parts)}, an object that its text does not hold")
        stream.held(text)
    elif stream.startswith(FILE):
        with open(stream.removeprefix(FILE), "a", encoding="utf-8") as file:
            file.write(text)
    else:
        out = getattr(sys, stream)
        out.write(text)
        out.flush()


def _kinds(operands: Sequence[Any], attributes: Mapping[str, Any]) -> tuple[type[BaseException], ...]:
    return () if attributes["stream"] in STREAMS else (BaseException,)  # files of the program


@op(
    name="print", shape=_nothing, result=_no_dtypes, dtypes=ANY, mixed=True, outputs=0, stateful=True,
    raises=Raises((), rule=_kinds),
)  # fmt: skip
def print_(
    *values: Array, parts: tuple[str | None, ...] = (None,), summarize: int = 3, stream: str | Term = "stderr"
) -> tuple[()]:
    """Writes text: each None of `parts` is the text of the next value. It has no result. values: any tensors."""
    texts = iter([text_of(v, summarize) for v in values])
    _write("".join(next(texts) if part is None else part for part in parts), stream)
    return ()
