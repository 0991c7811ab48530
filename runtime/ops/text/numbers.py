"""Between texts and numbers: `parse_number` and `as_string`.

    parse_number(" 1.5 ")                       # 1.5, float32
    as_string([1.5, 1e10], shortest=True)       # [b"1.5", b"1e+10"]

`runtime.ops.text.numbers_in_text` reads numbers as Python's `int` and `float` do, with Python's errors; these are the
operations of string tensors, with theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.dtypes import BOOLS, NUMERIC, STRINGS, DType, as_dtype, float32, float64, int32, int64, string, uint8
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, each, unary
from runtime.ops.records.shape_rules import same_shape
from runtime.ops.text.elements import each_text, texts_of

__all__ = ["as_string", "parse_number"]

# -- texts to numbers ----------------------------------------------------------------------------------------------

_INTEGER: Final = re.compile(rb"\s*([+-]?[0-9]+)\s*", re.ASCII)
_REAL: Final = re.compile(rb"\s*([+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan))\s*", re.I)


def _number_samples(dtype: DType) -> Any:
    for x, out_type in (
        (texts_of("12", " -3 ", "+7"), int32),
        (texts_of([["9007199254740993"]]), int64),
        (texts_of("255"), uint8),
        (texts_of("1.5", "-1e3", ".5", "2.", "inf", "0.1"), float32),
        (texts_of([["1e-310"], ["-Infinity"]]), float64),
        (np.zeros((0, 2), object), float32),
    ):
        yield Sample((x,), {"out_type": out_type})


def _number_reference(x: Array, out_type: DType = float32) -> Any:
    read: Callable[[bytes], Any] = int if out_type.is_integer else float
    return np.frompyfunc(read, 1, 1)(x)


def _number_dtype(x: Operand, *, out_type: DType) -> DType:
    if not (out_type.is_floating or out_type.is_integer):
        raise DtypeMismatchError(f"parse_number: texts become integers or floats; got out_type {out_type.name}")
    return out_type


@op(
    raises=VALUES,
    shape=same_shape, dtypes=STRINGS, result=_number_dtype, samples=_number_samples, reference=_number_reference,
    errors=[Failure((["1", "abc"],), InvalidArgumentError, ("b'abc'", "(1,)", "float32")),
            Failure(("1.5",), InvalidArgumentError, ("b'1.5'", "int32"), {"out_type": int32}),
            Failure(("1_000",), InvalidArgumentError, ("b'1_000'",)),
            Failure((["300"],), InvalidArgumentError, ("300", "uint8", "(0,)"), {"out_type": uint8}),
            Failure(("1",), DtypeMismatchError, ("bool",), {"out_type": "bool"})],
)  # fmt: skip
def parse_number(x: Any, *, out_type: DType = float32) -> Any:
    """The number that each text is, blanks around it aside. x: string tensor of any shape.

    out_type: an integer or float dtype. Text that is no number of that kind, or one that does not fit an integer dtype,
    is an InvalidArgumentError that names the text and its index; a float that is too large is inf.
    """
    syntax, read = (_INTEGER, int) if out_type.is_integer else (_REAL, float)
    low, high = (np.iinfo(out_type.numpy).min, np.iinfo(out_type.numpy).max) if out_type.is_integer else (0, 0)

    def number(text: bytes) -> Any:
        found = syntax.fullmatch(text)
        if found is None:
            raise ValueError(f"the text {text!r} is no {out_type.name}")
        value = read(found[1])
        if high and not low <= value <= high:
            raise ValueError(f"the number {value} does not fit {out_type.name} ({low} to {high})")
        return value

    token = silence()
    try:
        return np.asarray(each_text("parse_number", number, x), out_type.numpy)
    finally:
        restore(token)


# -- numbers to texts ----------------------------------------------------------------------------------------------

_FORMS: Final = {(False, False): "f", (True, False): "e", (False, True): "g"}


def _format_of(dtype: DType, precision: int, form: tuple[bool, bool], width: int, fill: str) -> str:
    """The conversion of `%` for a number of this dtype. Raises InvalidArgumentError for options that don't fit it."""
    has_digits = dtype.is_floating or dtype.is_complex
    for given, what in ((precision > -1, "precision"), (any(form), "scientific and shortest")):
        if given and not has_digits:
            raise InvalidArgumentError(f"as_string: {what} is not supported for {dtype.name}, which has no fraction")
    if form not in _FORMS:
        raise InvalidArgumentError("as_string: scientific and shortest exclude each other")
    if fill not in ("", " ", "+", "-", "0", "#"):
        raise InvalidArgumentError(f"as_string: fill is ' ', '+', '-', '0' or '#' ('-': to the left); got {fill!r}")
    if dtype.is_unsigned and fill in ("+", " "):
        fill = ""  # printf's %u has no signs
    code = _FORMS[form] if has_digits else "d" if dtype.is_integer else "s"
    return f"%{fill}{width if width > -1 else ''}{f'.{precision}' if precision > -1 else ''}{code}"


def _writer(dtype: DType, form: str) -> Callable[[Any], bytes]:
    if dtype.family == "string":
        return (lambda text: text) if form == "%s" else lambda text: (form.encode() % text)
    if dtype.is_bool:
        return lambda value: (form % ("true" if value else "false")).encode()
    if dtype.is_complex:
        return lambda value: f"({form % value.real},{form % value.imag})".encode()
    return lambda value: (form % value).encode()


def _as_string_shape(x: Operand, *, precision: int, scientific: bool, shortest: bool, width: int, fill: str) -> Any:
    _format_of(x.dtype, precision, (scientific, shortest), width, fill)
    return x.shape


def _as_string_samples(dtype: DType) -> Any:
    yield from unary(-300, 300)(dtype)
    if dtype.is_bool or dtype.family == "string":
        return
    yield from each(unary(0, 100), width=(6,), fill=("", "0", "-", " ", "+"))(dtype)
    if not dtype.is_integer:
        yield from each(unary(), precision=(0, 3), scientific=(True, False))(dtype)
        yield from each(unary(), shortest=(True,))(dtype)


def _as_string_reference(
    x: Array, precision: int = -1, scientific: bool = False, shortest: bool = False, width: int = -1, fill: str = "",
) -> Any:  # fmt: skip
    """`format` has the same text under other names."""
    align, sign = (">", "") if fill in ("", "-", "0") or x.dtype.kind == "u" else (">", fill)
    spec = f"{'<' if fill == '-' else '=' if fill == '0' else align}{sign}{width if width > 0 else ''}"
    spec = ("0" if fill == "0" else "") + spec
    digits = f".{6 if precision < 0 else precision}" + ("g" if shortest else "e" if scientific else "f")

    def one(value: Any) -> bytes:
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, bytes):
            return value
        if isinstance(value, bool):
            return str(value).lower().encode()
        if isinstance(value, complex):
            return f"({value.real:{spec}{digits}},{value.imag:{spec}{digits}})".encode()
        return f"{value:{spec}{digits if isinstance(value, float) else 'd'}}".encode()

    return np.frompyfunc(one, 1, 1)(x)


@op(
    shape=_as_string_shape, dtypes=NUMERIC | BOOLS | STRINGS, result=string,
    samples=_as_string_samples, reference=_as_string_reference,
    errors=[Failure(([1],), InvalidArgumentError, ("precision", "int32"), {"precision": 2}),
            Failure(([1.0],), InvalidArgumentError, ("exclude",), {"scientific": True, "shortest": True}),
            Failure(([1.0],), InvalidArgumentError, ("'xy'",), {"fill": "xy"})],
)  # fmt: skip
def as_string(
    x: Any, *, precision: int = -1, scientific: bool = False, shortest: bool = False, width: int = -1, fill: str = "",
) -> Any:  # fmt: skip
    """Each element as text, as C's printf writes it; bools are true and false, complex numbers (re,im).

    x: tensor of numbers, bools or texts. precision: digits after the point (6). scientific: 1.5e+00. shortest: without
    trailing zeros, as %g. width: the least number of characters; fill: '0' fills with zeros, '-' on the right.
    """
    array = elements(x)
    dtype = as_dtype(array.dtype)
    form = _format_of(dtype, precision, (bool(scientific), bool(shortest)), width, fill)
    return each_text("as_string", _writer(dtype, form), array)
