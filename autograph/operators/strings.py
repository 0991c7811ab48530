"""Text: f-strings, `'..' % x`, `'..'.format(..)`, `format`, `str` and `'..'.join`, of values that may be staged.

Each field is formatted when its turn comes, as Python does; a stager may give text that is only known when its program
runs. All but one field and the joining of texts is the same for all stagers and is done here.

Example:
    format_string('a ', format_value(a), ', b ', format_value(b, 'r', '>10'))    # f'a {a}, b {b!r:>10}'
    mod('%d of %s', (n, name))                                                  # '%d of %s' % (n, name)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from string import Formatter
from types import FunctionType, NoneType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.stager import PYTHON, Stager, stager_of, stager_of_all, tracing_stager

__all__ = [
    "TEXT_METHODS", "WRITERS", "format_string", "format_value", "is_text_call", "method_of_text", "mod",
    "refuse_staged_text", "text_call", "writes_text", "written",
]  # fmt: skip

_PLAIN: Final = frozenset({NoneType, bool, bytes, complex, float, int, str})
_FORMATTER: Final = Formatter()
_PERCENT: Final = re.compile(
    r"%(?:\((?P<key>[^()]*)\))?(?P<flags>[-#0 +]*)(?P<width>\*|\d*)(?:\.(?P<precision>\*|\d*))?[hlL]?(?P<type>.)",
    re.DOTALL,
)


def format_value(value: Any, conversion: str = "", spec: Any = "") -> Any:
    """The text of `{value!conversion:spec}`."""
    if type(value) in _PLAIN and type(spec) is str:
        return PYTHON.format_value(value, conversion, spec) if conversion else format(value, spec)
    return _owner(value, spec).format_value(value, conversion, spec)


def format_string(*pieces: Any) -> Any:
    """The texts one after another."""
    for piece in pieces:
        if type(piece) is not str:
            return stager_of_all(*pieces).join_strings("", pieces)
    return "".join(pieces)


def _owner(*values: Any) -> Stager:
    """Who owns the values, or else who is tracing: plain objects may have staged values in them."""
    owner = stager_of_all(*values)
    return (tracing_stager.get() or PYTHON) if owner is PYTHON else owner


# -- % ------------------------------------------------------------------------------------------------------------


def mod(a: Any, b: Any) -> Any:
    """`a % b`, where `a` may be text."""
    if isinstance(a, str) and type(a).__mod__ is str.__mod__:
        values = b if type(b) is tuple else tuple(b.values()) if type(b) is dict else (b,)
        if any(type(value) not in _PLAIN for value in values) and _owner(*values) is not PYTHON:
            return format_string(*_percent_pieces(str(a), b))
    return a % b


def _percent_pieces(template: str, operand: Any) -> Iterator[Any]:
    """The text and the formatted values of `template % operand`, in order; errors are Python's."""
    arguments = _Arguments(operand)
    end = 0
    while (start := template.find("%", end)) >= 0:
        yield template[end:start]
        found = _PERCENT.match(template, start)
        if found is None:
            raise ValueError("incomplete format")
        end = found.end()
        if found["type"] == "%":
            yield "%"
            continue
        if found["key"] is not None:
            yield format_value(arguments.named(found["key"]), "%", _spec(found, arguments))
        else:
            spec = _spec(found, arguments)
            yield format_value(arguments.next(), "%", spec)
    yield template[end:]
    arguments.finish()


def _spec(found: re.Match[str], arguments: _Arguments) -> Any:
    """The conversion without its key, `*` replaced by the argument that it stands for."""
    pieces: list[Any] = ["%", found["flags"]]
    pieces.append(format_value(arguments.next(), "%", "%d") if found["width"] == "*" else found["width"])
    if found["precision"] is not None:
        pieces.append(".")
        pieces.append(format_value(arguments.next(), "%", "%d") if found["precision"] == "*" else found["precision"])
    return format_string(*pieces, found["type"])


class _Arguments:
    """What stands at the right of `%`, taken one by one or by name."""

    def __init__(self, operand: Any) -> None:
        self.operand = operand
        self.values: Sequence[Any] = operand if type(operand) is tuple else (operand,)
        self.taken = 0
        self.by_name = False
        self.has_names = hasattr(type(operand), "keys") and hasattr(type(operand), "__getitem__")

    def next(self) -> Any:
        if self.taken == len(self.values):
            raise TypeError("not enough arguments for format string")
        self.taken += 1
        return self.values[self.taken - 1]

    def named(self, key: str) -> Any:
        if not self.has_names:
            raise TypeError("format requires a mapping")
        self.by_name = True
        return self.operand[key]

    def finish(self) -> None:
        left = self.taken < len(self.values) and not self.has_names
        if left and not self.by_name:
            raise TypeError("not all arguments converted during string formatting")


# -- calls --------------------------------------------------------------------------------------------------------

WRITERS: Final[Mapping[Any, tuple[str, int]]] = {str: ("s", 1), format: ("", 2), repr: ("r", 1), ascii: ("a", 1)}
"""Builtins that make text of a value: the conversion of an f-string that each is, and how many arguments it takes."""


def is_text_call(function: Any) -> bool:
    """Whether a builtin makes text of what it is given: one in `WRITERS`, or a method of a text in `TEXT_METHODS`."""
    if function in WRITERS:
        return True
    return function.__name__ in TEXT_METHODS and isinstance(getattr(function, "__self__", None), str)


def method_of_text(function: Any, args: tuple[Any, ...]) -> Any:
    """`'..'.format` for the function of `str.format('..', x)`; the same for all methods of str, and staged texts."""
    text = args[0]
    if isinstance(text, str):
        return function.__get__(text)
    return partial(function, text) if stager_of(text) is PYTHON else getattr(text, function.__name__)


def text_call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of what `is_text_call`; NotImplemented where Python's own will do."""
    if function in WRITERS:
        conversion, most = WRITERS[function]
        if kwargs or not 1 <= len(args) <= most or (type(args[0]) in _PLAIN and len(args) == 1):
            return NotImplemented
        owner = _owner(*args)
        spec = args[1] if len(args) == 2 else ""
        return NotImplemented if owner is PYTHON else owner.format_value(args[0], conversion, spec)
    return TEXT_METHODS[function.__name__](function.__self__, args, kwargs)  # type: ignore[attr-defined]


def _format(template: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    values = (*args, *kwargs.values())
    if all(type(value) in _PLAIN for value in values) or _owner(*values) is PYTHON:
        return NotImplemented
    return format_string(*_fields(template, args, kwargs, iter(range(len(args) + 1)), 2))


def _format_map(template: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    if len(args) != 1 or kwargs or tracing_stager.get() is None:
        return NotImplemented
    return format_string(*_fields(template, (), args[0], iter(()), 2))


def _join(separator: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    tracing = tracing_stager.get()
    if len(args) != 1 or kwargs or tracing is None:
        return NotImplemented
    if hasattr(type(args[0]), "__ag_push__") or stager_of(args[0]) is not PYTHON:
        return tracing.join_strings(separator, args[0])
    if not hasattr(args[0], "__iter__"):
        return NotImplemented
    pieces = args[0] if isinstance(args[0], list | tuple) else list(args[0])
    owner = stager_of_all(*pieces)
    return separator.join(pieces) if owner is PYTHON else owner.join_strings(separator, pieces)


TEXT_METHODS: Final[Mapping[str, Callable[..., Any]]] = {"format": _format, "format_map": _format_map, "join": _join}
"""Methods of a str that take values which may be staged."""


def _fields(
    template: str, args: Sequence[Any], kwargs: Mapping[str, Any], numbers: Iterator[int], depth: int
) -> Iterator[Any]:
    """The texts and formatted fields of `template.format(*args, **kwargs)`; nested fields stand in specs only."""
    if depth == 0:
        raise ValueError("Max string recursion exceeded")
    for text, name, spec, conversion in _FORMATTER.parse(template):
        if text:
            yield text
        if name is None:
            continue
        if name[:1] in ("", ".", "["):
            name = f"{next(numbers)}{name}"
        if name.isdigit() and int(name) >= len(args):
            raise IndexError(f"Replacement index {name} out of range for positional args tuple")
        value, _ = _FORMATTER.get_field(name, args, kwargs)
        nested = format_string(*_fields(spec, args, kwargs, numbers, depth - 1)) if spec else ""
        yield format_value(value, conversion or "", nested)


# -- functions of the standard library that make text -----------------------------------------------------------------

_WRITERS: Final = frozenset(
    ("string", name)
    for name in ("Formatter.format", "Formatter.vformat", "Template.safe_substitute", "Template.substitute")
)


def writes_text(function: FunctionType) -> bool:
    """Whether a function of the standard library makes text of what it is given."""
    return (function.__module__, function.__qualname__) in _WRITERS


def written(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """A call of a function that `writes_text`: it writes the values, and what is tracing puts staged ones in there."""
    tracer = tracing_stager.get()
    if tracer is None:
        return function(*args, **kwargs)
    return tracer.format_value(_Written(lambda: function(*args, **kwargs)), "", "")


def refuse_staged_text(values: tuple[Any, ...], file: Any) -> None:
    """Raises StagingError for a `print` of staged values into a file, which would hold the text of the trace."""
    tracer = tracing_stager.get()
    if tracer is None or file is None or file in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        return
    for value in values:
        if type(value) not in _PLAIN and not isinstance(tracer.format_value(value, "s", ""), str):
            raise StagingError(
                f"print() of {value!r} to a file: it would be written once, while the function is traced, without its"
                " value. Return the text and write it outside of the function, or print to sys.stdout or sys.stderr"
                " with runtime.print"
            )


class _Written:
    """An object whose text is what a function returns."""

    __slots__ = ("_write",)

    def __init__(self, write: Callable[[], str]) -> None:
        self._write = write

    def __str__(self) -> str:
        return self._write()
