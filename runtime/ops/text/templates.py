"""Text made from a template that is itself only known when the graph runs: `template % x`, `template.format(x, y=1)`.

    string_template(template, x, style="format", arguments=((), (2.5,)), names=("y",))     # template.format(x, y=2.5)

Where the template is known while tracing, `string_format` has its parts instead.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, DType, string
from runtime.errors import InvalidArgumentError
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.text.strings import shown
from runtime.shapes import TensorShape

__all__ = ["STYLES", "string_template"]

STYLES: Final = ("%", "format")
"""The operator and the method of a text."""

Arguments = tuple[tuple[Any, ...], ...]


def _check(count: int, style: Any, arguments: Any, names: Any) -> None:
    if style not in STYLES:
        raise InvalidArgumentError(f"string_template: style is one of {STYLES}; got {style!r}")
    taken = sum(1 for argument in arguments if not argument)
    if count != taken + 1:
        raise InvalidArgumentError(
            f"string_template: the template and its arguments take {taken + 1} values, {count} were given"
        )
    if len(names) > len(arguments):
        raise InvalidArgumentError(f"string_template: {len(names)} names for {len(arguments)} arguments")


def _scalar(*values: Any, style: Any, arguments: Any, names: Any) -> TensorShape:
    _check(len(values), style, arguments, names)
    return TensorShape([])


_SAMPLED: Final = (
    ("{}|{}", "format", ((), (2,)), ()),
    ("{}{k!r:>4}", "format", ((), ("b",)), ("k",)),
    ("{k}", "format", ((),), ("k",)),
    ("{:>12}{}.", "format", ((), (None,)), ()),
)


def _samples(dtype: DType) -> Any:
    value = np.array(b"text", object) if dtype.family == "string" else np.array(1).astype(dtype.numpy)
    for template, style, arguments, names in _SAMPLED:
        attributes = {"style": style, "arguments": arguments, "names": names}
        yield Sample((np.array(template.encode(), object), value), attributes)
    if dtype.family == "string":
        filled = {"style": "%", "arguments": ((), (2,)), "names": ()}
        yield Sample((np.array(b"%s-%s", object), value), filled)
        yield Sample((np.array(b"%(k)s%%", object), value), filled | {"arguments": ((),), "names": ("k",)})


def _expected(template: Any, value: Any, style: str, arguments: Arguments, names: tuple[str, ...]) -> bytes:
    """Python's own, of a template and one tensor."""
    item = value[()].decode() if value.dtype == object else value.item()
    items = [argument[0] if argument else item for argument in arguments]
    first = len(items) - len(names)
    named, positional = dict(zip(names, items[first:], strict=True)), tuple(items[:first])
    text = template[()].decode()
    return str(text.format(*positional, **named) if style == "format" else text % (named or positional)).encode()


@op(
    raises=Raises((IndexError, KeyError, TypeError, ValueError)),
    shape=_scalar, result=string, dtypes=ANY, mixed=True, samples=_samples, reference=_expected, of_text=True,
    errors=[Failure((["%s"],), InvalidArgumentError, ("take 2 values", "1 were given"),
                    {"style": "%", "arguments": ((),), "names": ()}),
            Failure((["%s"],), InvalidArgumentError, ("'?'",), {"style": "?", "arguments": (), "names": ()})],
)  # fmt: skip
def string_template(*values: Array, style: str, arguments: Arguments, names: tuple[str, ...] = ()) -> Any:
    """The text of `template % arguments` or `template.format(*arguments)`; errors are Python's.

    values: the template, a string tensor of rank 0, and the tensors among the arguments. arguments: () for the next of
    those, else a tuple of one Python value. names: those of the last arguments, which are given by keyword.
    """
    _check(len(values), style, arguments, names)
    template, *tensors = [shown(value) for value in values]
    pending = iter(tensors)
    items = [argument[0] if argument else next(pending) for argument in arguments]
    first = len(items) - len(names)
    named = dict(zip(names, items[first:], strict=True))
    text = template.format(*items[:first], **named) if style == "format" else template % (named or tuple(items))
    return text.encode("utf-8", "surrogatepass")
