"""What a symbolic tensor looks like while a function is traced.

    print(x)                       # Tensor("x:0", shape=(), dtype=int32)
    print(f"Tracing with {x}")     # Tracing with Tensor("x:0", shape=(), dtype=int32)

Text that a graph will make (`string_format`, `"a" + text`) shows itself with the tensors in it in that form. Inside
`collecting()`, tensors leave marks in the text that Python makes of an object; a graph puts their values there:

    with collecting() as marks:
        text = f"{[x, 2]}"         # "[<mark 0>, 2]", marks == [(x, "r", "")]
    split(text, marks)             # ["[", (x, "r", ""), ", 2]"]

Where nobody collects, `noting()` says which tensors were shown without their values, and by which code.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import CodeType
from typing import Any, Final

from autograph.contexts import binding

__all__ = ["collecting", "is_collecting", "mark", "note", "noting", "plain", "shown", "split"]

Mark = tuple[Any, str, str]

_marks: ContextVar[list[Mark] | None] = ContextVar("runtime.marks", default=None)

_MARK: Final = re.compile("\x00\x02([0-9]+)\x03\x00")
_STRAY: Final = re.compile("[\x02\x03]\x00|\x00[\x02\x03]")


@contextmanager
def collecting() -> Iterator[list[Mark]]:
    """Symbolic tensors are written as marks for a while; the list has (tensor, conversion, spec) of each."""
    marks: list[Mark] = []
    with binding(_marks, marks):
        yield marks


def is_collecting() -> bool:
    """Whether the text that is being made becomes text of a graph."""
    return _marks.get() is not None


_noted: ContextVar[list[tuple[Any, CodeType]] | None] = ContextVar("runtime.noted", default=None)


def noting(noted: list[tuple[Any, CodeType]]) -> binding[Any]:
    """Tensors that are shown for a while are put into a list, each with the code that asks for its text."""
    return binding(_noted, noted)


def note(tensor: Any) -> None:
    """The tensor is shown to who has called its method."""
    noted = _noted.get()
    if noted is not None:
        noted.append((tensor, sys._getframe(2).f_code))


def mark(tensor: Any, conversion: str, spec: str = "") -> str | None:
    """The mark that stands for the tensor, or None where nobody collects."""
    marks = _marks.get()
    if marks is None:
        return None
    marks.append((tensor, conversion, spec))
    return f"\x00\x02{len(marks) - 1}\x03\x00"


def split(text: str, marks: list[Mark]) -> list[str | Mark] | None:
    """The text in pieces, with what was collected in the place of its mark. None if a mark has been cut up."""
    pieces: list[str | Mark] = []
    for position, piece in enumerate(_MARK.split(text)):
        if position % 2:
            if int(piece) >= len(marks):
                return None
            pieces.append(marks[int(piece)])
        elif _STRAY.search(piece):
            return None
        elif piece:
            pieces.append(piece)
    return pieces


def plain(tensor: Any) -> str:
    """The tensor by its name, shape and dtype."""
    return f'Tensor("{tensor.name}", shape={tensor._shape}, dtype={tensor.dtype.name})'


def shown(tensor: Any) -> str:
    """What `str(tensor)` shows of a symbolic tensor. Needs no recursion: a text may be made of many others."""
    if not _is_text(tensor):
        return plain(tensor)
    pieces: list[str] = []
    pending: list[Any] = [tensor]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            pieces.append(item)
        elif item.op.type == "string_format":
            pending += reversed(_pieces_of(item.op))
        elif item.op.type == "add" and item.dtype.family == "string":
            pending += [_text_of_constant(operand) or operand for operand in reversed(item.op.inputs)]
        else:
            pieces.append(plain(item))
    return "".join(pieces)


def _is_text(tensor: Any) -> bool:
    """Whether a `string_format` made it, or the sum of one and other strings."""
    pending = [tensor]
    while pending:
        operation = pending.pop().op
        if operation.type == "string_format":
            return True
        if operation.type == "add" and tensor.dtype.family == "string":
            pending += operation.inputs
    return False


def _text_of_constant(tensor: Any) -> str | None:
    known = tensor.op.type == "constant" and getattr(tensor.value, "ndim", None) == 0
    return bytes(tensor.value[()]).decode("utf-8", "backslashreplace") if known else None


def _pieces_of(operation: Any) -> list[Any]:
    """The text that a `string_format` makes, its values as tensors."""
    values = iter(operation.inputs)
    pieces: list[Any] = []
    for part in operation.attributes["parts"]:
        if isinstance(part, str):
            pieces.append(part)
            continue
        value = next(values)
        if part[0] != "variable":  # a Variable shows itself without its value
            pieces.append(repr(value) if part[0] in ("r", "a", "nr", "na") else value)
        if part[1] is None:
            next(values)
    return pieces
