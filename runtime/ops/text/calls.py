"""What Python's `str` does with one text: its methods, indexing, slices, repetition and `ord`, while a graph runs.

    text_call(text, call="zfill", arguments=((8,),))          # text.zfill(8)
    text_call(text, n, call="item", arguments=((),))          # text[n]
    text_pieces(text, call="split", arguments=((",",),))      # text.split(","), a vector

A text is a sequence of characters here, not of bytes. All errors are Python's own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.dtypes import BOOLS, INTEGERS, STRINGS, DType, bool_, int64, string
from runtime.errors import InvalidArgumentError
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.text.elements import texts_of
from runtime.shapes import TensorShape

__all__ = ["CALLS", "PIECES", "text_call", "text_pieces"]

Arguments = tuple[tuple[Any, ...], ...]


def _translated(text: str, *pairs: tuple[Any, Any]) -> str:
    return text.translate(dict(pairs))


def _methods(names: str, dtype: DType) -> dict[str, tuple[Callable[..., Any], DType]]:
    return {name: (getattr(str, name), dtype) for name in names.split()}


CALLS: Final[dict[str, tuple[Callable[..., Any], DType]]] = {
    **_methods(
        "capitalize casefold center expandtabs ljust lower lstrip removeprefix removesuffix replace rjust rstrip strip"
        " swapcase title upper zfill", string,
    ),
    **_methods("count find index rfind rindex", int64),
    **_methods(
        "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle"
        " isupper startswith", bool_,
    ),
    "item": (operator.getitem, string),
    "ord": (ord, int64),
    "repeat": (operator.mul, string),
    "slice": (lambda text, *ends: text[slice(*ends)], string),
    "translate": (_translated, string),
}  # fmt: skip
"""What makes one value of a text and arguments, and its dtype."""

PIECES: Final[dict[str, tuple[Callable[..., Any], int | None]]] = {
    "characters": (list, None),
    "partition": (str.partition, 3),
    "rpartition": (str.rpartition, 3),
    "rsplit": (str.rsplit, None),
    "split": (str.split, None),
    "splitlines": (str.splitlines, None),
}
"""What makes several texts of one, and how many."""


def _check(name: str, count: int, call: str, arguments: Arguments, known: Any) -> None:
    if call not in known:
        raise InvalidArgumentError(f"{name}: {call!r} is no call of a text; known: {', '.join(known)}")
    taken = sum(1 for argument in arguments if not argument) + 1
    if count != taken:
        raise InvalidArgumentError(f"{name}: the text and its arguments are {taken} values, {count} were given")


def _call_shape(*values: Operand, call: str, arguments: Arguments, names: Any) -> TensorShape:
    _check("text_call", len(values), call, arguments, CALLS)
    return TensorShape([])


def _pieces_shape(*values: Operand, call: str, arguments: Arguments, names: Any) -> TensorShape:
    _check("text_pieces", len(values), call, arguments, PIECES)
    return TensorShape([PIECES[call][1]])


def _python(value: Any) -> Any:
    """An operand as Python's text, int or bool; bytes that are no UTF-8 come through unchanged."""
    item = elements(value).item()
    return item.decode("utf-8", "surrogateescape") if isinstance(item, bytes) else item


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _called(function: Callable[..., Any], values: Any, arguments: Arguments, names: tuple[str, ...]) -> Any:
    text, *tensors = map(_python, values)
    if not isinstance(text, str):
        raise TypeError(f"a method of a text, {function.__name__!r}, is called with {text!r} in its place")
    pending = iter(tensors)
    items = [argument[0] if argument else next(pending) for argument in arguments]
    first = len(items) - len(names)
    return function(text, *items[:first], **dict(zip(names, items[first:], strict=True)))


_SAMPLED: Final[tuple[tuple[str, str, Arguments, str], ...]] = (
    ("zfill", "-42", ((6,),), "text.zfill(6)"),
    ("upper", "straße", (), "text.upper()"),
    ("center", "é", ((5,), ("*",)), "text.center(5, '*')"),
    ("count", "banana", (("an",), (2,), (None,)), "text.count('an', 2, None)"),
    ("startswith", "banana", ((("x", "ba"),),), "text.startswith(('x', 'ba'))"),
    ("isdigit", "12a", (), "text.isdigit()"),
    ("item", "héllo", ((-4,),), "text[-4]"),
    ("slice", "héllo", ((None,), (None,), (-2,)), "text[::-2]"),
    ("repeat", "ab", ((3,),), "text * 3"),
    ("ord", "é", (), "ord(text)"),
    ("translate", "abc", (((97, "x"),), ((98, None),)), "text.translate({97: 'x', 98: None})"),
    ("split", "a,b,,c", ((",",),), "text.split(',')"),
    ("rsplit", " a b  c ", ((None,), (1,)), "text.rsplit(None, 1)"),
    ("characters", "héé", (), "list(text)"),
    ("partition", "a=b=c", (("=",),), "text.partition('=')"),
)
_EXPECTED: Final = {(call, text): code for call, text, _, code in _SAMPLED}


def _samples(known: Any, with_number: tuple[str, str]) -> Any:
    def samples(dtype: DType) -> Any:
        if dtype is not string:
            call, text = with_number
            attributes = {"call": call, "arguments": _NUMBER[call]}
            for number in (0, 1, 1, 0):
                yield Sample((texts_of(text), np.array(number, dtype.numpy)), attributes)
            return
        for call, text, arguments, _ in _SAMPLED:
            if call in known:
                yield Sample((texts_of(text),), {"call": call, "arguments": arguments})

    return samples


_NUMBER: Final[dict[str, Arguments]] = {"zfill": ((),), "split": ((",",), ())}


def _expected(*values: Any, call: str, arguments: Arguments = (), names: Any = ()) -> Any:
    """The code of the sample, in Python; where a number is the last operand `text.zfill(n)` or `text.split(",", n)`."""
    text = values[0][()].decode()
    if len(values) == 2:
        number = values[1].item()
        result: Any = text.zfill(number) if call == "zfill" else text.split(",", number)
    else:
        result = eval(_EXPECTED[call, text], {"text": text})
    if call in PIECES:
        return np.array([t.encode() for t in result], object)
    return result.encode() if isinstance(result, str) else result


def _errors(call: str) -> list[Any]:
    return [
        Failure((["a"],), InvalidArgumentError, ("'nothing'",), {"call": "nothing"}),
        Failure((["a", 1],), InvalidArgumentError, ("1 values, 2",), {"call": call}),
    ]


_TAKEN: Final = STRINGS | INTEGERS | BOOLS  # what its arguments are
_RAISES: Final = Raises((IndexError, OverflowError, MemoryError, TypeError, ValueError))


@op(
    raises=_RAISES, dtypes=_TAKEN, mixed=True, shape=_call_shape, of_text=True,
    result=lambda *values, call, arguments, names: CALLS[call][1],
    samples=_samples(CALLS, ("zfill", "7")), reference=_expected,
    errors=[*_errors("upper"),
            Failure((["abc"],), ValueError, ("substring not found",), {"call": "index", "arguments": (("x",),)})],
)  # fmt: skip
def text_call(*values: Array, call: str, arguments: Arguments = (), names: tuple[str, ...] = ()) -> Any:
    """What a method of Python's str, `text[i]`, `text[i:j]`, `text * n` or `ord(text)` gives: text, int64 or bool.

    values: the text and the tensors among the arguments, all of rank 0. call: its name in `CALLS`. arguments: () for
    the next of those tensors, else a tuple of one Python value. names: those of the last arguments, given by keyword.
    """
    _check("text_call", len(values), call, arguments, CALLS)
    function, dtype = CALLS[call]
    result = _called(function, values, arguments, names)
    return _encoded(result) if dtype is string else dtype.numpy.type(result)


@op(
    raises=_RAISES, dtypes=_TAKEN, mixed=True, shape=_pieces_shape, result=string, of_text=True,
    samples=_samples(PIECES, ("split", "a,b,c")), reference=_expected,
    errors=[*_errors("split"),
            Failure((["abc"],), ValueError, ("empty separator",), {"call": "split", "arguments": (("",),)})],
)  # fmt: skip
def text_pieces(*values: Array, call: str, arguments: Arguments = (), names: tuple[str, ...] = ()) -> Any:
    """The pieces that `split`, `partition`, `list` and their like make of a text: a vector of texts.

    values, arguments, names: as for text_call. call: its name in `PIECES`.
    """
    _check("text_pieces", len(values), call, arguments, PIECES)
    pieces = _called(PIECES[call][0], values, arguments, names)
    result = np.empty(len(pieces), object)
    result[:] = [_encoded(piece) for piece in pieces]
    return result
