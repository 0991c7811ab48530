"""Records of CSV as columns: `decode_csv` splits texts at a delimiter and reads the fields as numbers and texts.

    decode_csv(["1,2.5", "3,"], [int32(0), float32(9.0)], columns=(0, 1))       # [1, 3] and [2.5, 9.0]

A field in quotes may hold delimiters, ends of lines and doubled quotes. Source: RFC 4180.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, float32, float64, from_numpy, int32, int64, string
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.text.elements import texts_of

__all__ = ["decode_csv"]

TYPES: Final = frozenset({float32, float64, int32, int64, string})

_INTEGER: Final = re.compile(rb"\s*[+-]?[0-9]+\s*")
_REAL: Final = re.compile(rb"\s*[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)\s*", re.I)


class _Wrong(ValueError):
    """What is wrong with a record."""


def _splitter(delimiter: str, quoted: bool) -> Callable[[bytes], list[bytes]]:
    """What splits one record. Raises _Wrong."""
    mark = delimiter.encode()
    if len(mark) != 1 or mark in b'"\r\n':
        raise InvalidArgumentError(f"decode_csv: the delimiter is one character of ASCII; got {delimiter!r}")
    if not quoted:
        return lambda text: text.split(mark)
    of_field = re.compile(rb'(?:"((?:[^"]|"")*)"|([^"\r\n%s]*))(%s|\Z)' % (re.escape(mark), re.escape(mark)))

    def split(text: bytes) -> list[bytes]:
        if b'"' not in text and b"\n" not in text and b"\r" not in text:
            return text.split(mark)
        found, at = list[bytes](), 0
        while True:
            field = of_field.match(text, at)
            if field is None:
                remedy = "a field with quotes or ends of lines in it stands in quotes, which are doubled inside"
                raise _Wrong(f"the field {len(found)}, at byte {at}, is neither plain nor in quotes: {remedy}")
            inside, plain, end = field.groups()
            found.append(plain if inside is None else inside.replace(b'""', b'"'))
            at = field.end()
            if not end:
                return found

    return split


def _reader(dtype: DType) -> Callable[[bytes], Any]:
    """What reads a field. Raises _Wrong."""
    if dtype is string:
        return lambda text: text
    syntax, read = (_INTEGER, int) if dtype.is_integer else (_REAL, float)
    low, high = (np.iinfo(dtype.numpy).min, np.iinfo(dtype.numpy).max) if dtype.is_integer else (-np.inf, np.inf)

    def number(text: bytes) -> Any:
        value = read(text) if syntax.fullmatch(text) is not None else None
        if value is None or (value == value and not low <= value <= high):
            raise _Wrong(f"{text!r} is no {dtype.name}")
        return value

    return number


def _shapes(records: Operand, *defaults: Operand, **attributes: Any) -> Any:
    if any(default.shape.rank not in (0, None) for default in defaults):
        raise ValueError("the default of a field is a scalar")
    return tuple(records.shape for _ in defaults)


def _dtypes(records: Operand, *defaults: Operand, **attributes: Any) -> Any:
    return tuple(default.dtype for default in defaults)


_SAMPLED: Final = (b'1,2.5,a,"x,""y"""', b"-7,,b, z", b'"3",1e3,,""')

_NUMBERS: Final = (np.array([1, -7, 3]), np.array([2.5, 9, 1000.0]))
_COLUMNS: Final = (*_NUMBERS, texts_of("a", "b", "-"), texts_of('x,"y"', " z", ""))


def _samples(dtype: DType) -> Any:
    defaults = np.int32(0), np.float64(9), np.array(b"-", object), np.array(b"", object)
    for records in (np.array(_SAMPLED, object), np.array([_SAMPLED] * 2, object), np.zeros(0, object)):
        yield Sample((records, *defaults), {"columns": (0, 1, 2, 3)})
    yield Sample((np.array(_SAMPLED, object), defaults[1], defaults[3]), {"columns": (1, 3), "exactly": False})
    yield Sample((np.array(_SAMPLED[1], object), defaults[0]), {"columns": (0,), "exactly": False})


def _reference(records: Array, *defaults: Array, columns: tuple[int, ...], **attributes: Any) -> Any:
    """What the samples were made of."""
    rows = [_SAMPLED.index(text) for text in np.ravel(np.asarray(records, object))]
    return tuple(np.asarray(_COLUMNS[i], object)[rows].reshape(np.shape(records)) for i in columns)


_TWO: Final = {"columns": (0, 1)}
_ZEROS: Final = (np.int32(0), np.int32(0))


@op(
    raises=VALUES,
    shape=_shapes, dtypes={"records": STRINGS, "defaults": TYPES}, mixed=True, result=_dtypes, outputs=0,
    no_gradient="it reads texts", samples=_samples, reference=_reference,
    errors=[Failure((["1,2", "2"], _ZEROS), InvalidArgumentError, ("index (1,)", "1 fields", "2 "), _TWO),
            Failure((["1,2", "2,x"], _ZEROS), InvalidArgumentError, ("(1,)", "field 1: b'x' is no int32"), _TWO),
            Failure(("1,3000000000", _ZEROS), InvalidArgumentError, ("b'3000000000' is no int32",), _TWO),
            Failure(('1,a"b', _ZEROS), InvalidArgumentError, ("field 1, at byte 2",), _TWO),
            Failure(("1,", _ZEROS), InvalidArgumentError, ("field 1", "empty"), {**_TWO, "required": (False, True)}),
            Failure(("1,2", _ZEROS), InvalidArgumentError, ("';;'",), {**_TWO, "delimiter": ";;"}),
            Failure(("1", [np.array(True)]), DtypeMismatchError, ("bool",), {"columns": (0,)})],
)  # fmt: skip
def decode_csv(
    records: Any, *defaults: Any, columns: tuple[Any, ...], required: tuple[Any, ...] = (), delimiter: str = ",",
    quoted: bool = True, na_value: str = "", exactly: bool = True,
) -> tuple[Array, ...]:  # fmt: skip
    """The fields of each record as numbers and texts. records: string tensor; defaults: a scalar for each column that
    is read, whose dtype the column has (float32, float64, int32, int64 or string) and which stands for empty fields.

    columns: the numbers of the fields; required: for each whether an empty field is an error; exactly: a record has
    just these fields, and not more. na_value: what an empty field may be written as. quoted: quotes have a meaning.
    Raises InvalidArgumentError with the index of the record and the number of the field.
    """
    array = elements(records)
    split, texts = _splitter(delimiter, quoted), array.reshape(-1).tolist()
    empty, least = {b"", na_value.encode()}, max(columns, default=-1) + 1
    must = required or (False,) * len(columns)
    rows = []
    for i, text in enumerate(texts):
        try:
            row = split(text) if text else []
            if len(row) < least or (exactly and len(row) != least):
                raise _Wrong(f"it has {len(row)} fields, where {least} {'' if exactly else 'at least '}are expected")
            rows.append(row)
        except _Wrong as error:
            raise _located(array, i, str(error)) from None
    made = []
    for column, needed, default in zip(columns, must, map(elements, defaults), strict=True):
        made.append(_column(array, rows, column, needed, default, empty))
    return tuple(made)


def _located(records: Array, number: int, why: str) -> InvalidArgumentError:
    at = tuple(map(int, np.unravel_index(number, records.shape)))
    return InvalidArgumentError(f"decode_csv: the record{f' at index {at}' if at else ''}: {why}")


def _column(
    records: Array, rows: list[list[bytes]], column: int, needed: bool, default: Array, empty: set[bytes]
) -> Array:
    """One field of each record."""
    dtype = from_numpy(default.dtype) or string
    read, value = _reader(dtype), default.item()
    values = []
    for i, row in enumerate(rows):
        text = row[column]
        try:
            if text in empty and needed:
                raise _Wrong("it is empty, and there is no default for it")
            values.append(value if text in empty else read(text))
        except _Wrong as error:
            raise _located(records, i, f"the field {column}: {error}") from None
    made = np.empty(len(values), default.dtype)
    token = silence()
    try:
        made[:] = values
    finally:
        restore(token)
    return made.reshape(records.shape)
