"""Operations on texts, one element at a time: `each_text`, and what needs nothing but it.

    each_text("string_lower", bytes.lower, x)         # a new array of objects; the inputs broadcast
    string_substr("abc", -2, 1)                        # b"b"

Texts are bytes in arrays of objects. A function that cannot use an element raises ValueError; the error that users see
says at which index that was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import methodcaller
from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, int32, int64, string
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, each, unary
from runtime.ops.records.shape_rules import broadcast, same_shape
from runtime.shapes import TensorShape

__all__ = [
    "UNITS", "each_text", "string_concat", "string_length", "string_lower", "string_strip", "string_substr",
    "string_upper", "texts_of",
]  # fmt: skip

UNITS: Final = ("BYTE", "UTF8_CHAR")
"""What is counted: bytes, or characters of UTF-8 (each byte that does not go on with a character begins one)."""

POSITIONS: Final = frozenset({int32, int64})


def each_text(name: str, function: Callable[..., Any], *operands: Any) -> Any:
    """The function's results for each element, with broadcasting: an array of objects, or one object for rank 0.

    Raises InvalidArgumentError with the index of the element for which the function raises ValueError.
    """
    arrays = [elements(x) for x in operands]
    try:
        return np.frompyfunc(function, len(arrays), 1)(*arrays)
    except ValueError as error:
        found = np.broadcast_arrays(*arrays)
        for place in np.ndindex(found[0].shape):
            try:
                function(*(a[place] for a in found))
            except ValueError as located:
                where = f", at index {place}" if place else ""
                raise InvalidArgumentError(f"{name}: {located}{where}") from None
        raise error


def texts_of(*texts: Any) -> Array:
    """Samples: an array of these texts, given as str or bytes; one alone is a scalar, or a nested list of texts."""
    found = np.array(texts[0] if len(texts) == 1 else list(texts), object)
    return np.asarray(np.frompyfunc(lambda t: t.encode() if isinstance(t, str) else t, 1, 1)(found), object)


# -- letters -------------------------------------------------------------------------------------------------------


def _in_encoding(change: Callable[[Any], Any], encoding: str, name: str) -> Callable[[bytes], bytes]:
    """The change of a text as one of bytes; bytes that are no UTF-8 stay as they are."""
    if not encoding:
        return change
    if encoding.lower() not in ("utf-8", "utf8"):
        raise InvalidArgumentError(f"{name}: the encoding is 'utf-8', or '' for the letters of ASCII; got {encoding!r}")
    return lambda text: change(text.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _cased_shape(x: Operand, *, encoding: str) -> TensorShape:
    _in_encoding(methodcaller("lower"), encoding, "string_lower and string_upper")
    return x.shape


def _case_reference(method: str) -> Callable[..., Any]:
    def reference(x: Any, encoding: str = "") -> Any:
        result = np.empty(x.shape, object)
        for place in np.ndindex(x.shape):
            text = x[place].decode()
            changed = [getattr(c, method)() if encoding or c.isascii() else c for c in text]
            result[place] = "".join(changed).encode()
        return result

    return reference


_LETTERS: Final = each(unary(), encoding=("", "utf-8"))

_NO_ENCODING: Final = [Failure((["A"],), InvalidArgumentError, ("'utf-16'",), {"encoding": "utf-16"})]


@op(shape=_cased_shape, dtypes=STRINGS, samples=_LETTERS, reference=_case_reference("lower"), errors=_NO_ENCODING)
def string_lower(x: Any, *, encoding: str = "") -> Any:
    """Each text in small letters. x: string tensor. encoding: 'utf-8'; '' changes the letters of ASCII only."""
    return each_text("string_lower", _in_encoding(methodcaller("lower"), encoding, "string_lower"), x)


@op(shape=_cased_shape, dtypes=STRINGS, samples=_LETTERS, reference=_case_reference("upper"), errors=_NO_ENCODING)
def string_upper(x: Any, *, encoding: str = "") -> Any:
    """Each text in capital letters. x: string tensor. encoding: 'utf-8'; '' changes the letters of ASCII only."""
    return each_text("string_upper", _in_encoding(methodcaller("upper"), encoding, "string_upper"), x)


def _strip_samples(dtype: DType) -> Any:
    yield Sample((texts_of([["  a b\n", "\tb\x00 "], [" \x0b\x0c", ""]]),))
    for x in (texts_of(" one "), np.zeros((0, 2), object), texts_of("a", " ", "\r\n b\t\t")):
        yield Sample((x,))


_BLANK: Final = b" \t\n\r\x0b\x0c"


@op(
    shape=same_shape, dtypes=STRINGS, samples=_strip_samples,
    reference=lambda x: np.frompyfunc(lambda t: re.sub(rb"\A[%s]+|[%s]+\Z" % (_BLANK, _BLANK), b"", t), 1, 1)(x),
)  # fmt: skip
def string_strip(x: Any) -> Any:
    """Each text without the blanks, tabs and ends of lines at its beginning and its end. x: string tensor."""
    return each_text("string_strip", bytes.strip, x)


# -- lengths and parts ---------------------------------------------------------------------------------------------


def _starts(text: bytes) -> list[int]:
    """Where the characters of UTF-8 begin."""
    return [i for i, byte in enumerate(text) if byte & 0xC0 != 0x80]


def _check_unit(name: str, unit: str) -> bool:
    """Whether characters are counted."""
    if unit not in UNITS:
        raise InvalidArgumentError(f"{name}: unit is {' or '.join(map(repr, UNITS))}; got {unit!r}")
    return unit == "UTF8_CHAR"


def _unit_shape(x: Operand, *, unit: str) -> TensorShape:
    _check_unit("string_length", unit)
    return x.shape


@op(
    shape=_unit_shape, dtypes=STRINGS, result=int32, samples=each(unary(), unit=UNITS),
    reference=lambda x, unit: np.frompyfunc(lambda t: len(t) if unit == "BYTE" else len(t.decode()), 1, 1)(x),
    errors=[Failure((["a"],), InvalidArgumentError, ("'CHAR'",), {"unit": "CHAR"})],
)  # fmt: skip
def string_length(x: Any, *, unit: str = "BYTE") -> Any:
    """How many bytes (unit 'BYTE') or characters of UTF-8 ('UTF8_CHAR') each text has, int32. x: string tensor."""
    count = (lambda text: len(_starts(text))) if _check_unit("string_length", unit) else len
    return np.asarray(each_text("string_length", count, x), np.int32)


def _substr_shape(x: Operand, pos: Operand, length: Operand, *, unit: str) -> TensorShape:
    _check_unit("string_substr", unit)
    return broadcast(x, pos, length)


def _substr_samples(dtype: DType) -> Any:
    for unit in UNITS:
        attributes = {"unit": unit}
        abc = texts_of("abc", "héllo", "")
        yield Sample((abc, np.array([1, -3, 0], np.int32), np.array([1, 2, 5], np.int32)), attributes)
        yield Sample((texts_of("wörter"), np.array([[0], [3]], np.int64), np.array([1, 100, 0], np.int64)), attributes)
        yield Sample((texts_of("all"), np.int32(-2), np.int32(-1)), attributes)
        yield Sample((np.zeros((0, 1), object), np.array([4, 4], np.int32), np.int32(1)), attributes)


def _substr_reference(x: Array, pos: Array, length: Array, unit: str) -> Any:
    def one(text: bytes, start: int, count: int) -> bytes:
        units: list[bytes] = [c.encode() for c in text.decode()] if unit != "BYTE" else [bytes([b]) for b in text]
        start = start + len(units) if start < 0 else start
        return b"".join(units[start:] if count < 0 else units[start : start + count])

    return np.frompyfunc(one, 3, 1)(x, pos, length)


@op(
    raises=VALUES,
    shape=_substr_shape, dtypes={"x": STRINGS, ("pos", "length"): POSITIONS}, samples=_substr_samples,
    reference=_substr_reference,
    errors=[Failure((["abc", "de"], [1, 3], 1), InvalidArgumentError, ("position 3", "b'de'", "(1,)")),
            Failure(("abc", -4, 1), InvalidArgumentError, ("position -4", "b'abc'")),
            Failure((["a", "b"], [0, 1, 2], 1), ShapeMismatchError, ("(2,)", "(3,)")),
            Failure((["a"], 0, 1), InvalidArgumentError, ("'CHAR'",), {"unit": "CHAR"})],
)  # fmt: skip
def string_substr(x: Any, pos: Any, length: Any, *, unit: str = "BYTE") -> Any:
    """Parts of texts: `length` bytes or characters of x from `pos` on, fewer where the text ends before.

    x: string tensor; pos, length: integers that broadcast with it. A negative pos counts from the end, a negative
    length takes the rest. pos outside of the text is an InvalidArgumentError.
    """
    in_characters = _check_unit("string_substr", unit)

    def part(text: bytes, start: int, count: int) -> bytes:
        places: Sequence[int] = [*_starts(text), len(text)] if in_characters else range(len(text) + 1)
        size = len(places) - 1
        first = start + size if start < 0 else start
        if not 0 <= first <= size:
            raise ValueError(f"the position {start} is out of range for {text!r}, which has {size}")
        return text[places[first] : places[size if count < 0 else min(first + count, size)]]

    return each_text("string_substr", part, x, pos, length)


# -- putting together ----------------------------------------------------------------------------------------------


def _concat_samples(dtype: DType) -> Any:
    for shapes in ([(2,), (2,)], [(), (3,), (2, 1)], [()], [(0,), (0,)], [(2, 2)]):
        texts = [np.empty(shape, object) for shape in shapes]
        for number, array in enumerate(texts):
            for place in np.ndindex(array.shape):
                array[place] = b"%d%r" % (number, place)
        for separator in ("", ", "):
            yield Sample((*texts,), {"separator": separator})
    yield Sample((), {"separator": "-"})


def _concat_shape(*texts: Operand, separator: str) -> TensorShape:
    return broadcast(*texts) if texts else TensorShape([])


@op(
    shape=_concat_shape, dtypes=STRINGS, mixed=True, result=string, samples=_concat_samples,
    reference=lambda *texts, separator: np.frompyfunc(lambda *t: separator.encode().join(t), len(texts), 1)(*texts)
    if texts else np.array(b"", object),
    errors=[Failure(([["a", "b"], ["a", "b", "c"]],), ShapeMismatchError, ("(2,)", "(3,)"))],
)  # fmt: skip
def string_concat(*texts: Any, separator: str = "") -> Any:
    """The texts of several tensors, element by element, as one text each. texts: string tensors that broadcast.

    separator: what stands between them. Without texts: the empty text.
    """
    if not texts:
        return b""
    between = separator.encode()
    return each_text("string_concat", lambda *parts: between.join(parts), *texts)
