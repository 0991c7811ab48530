"""`template % x` and `template.format(x)`, where the template is a string tensor of rank 0.

    s = "%s" if x > 0 else "<%s>"
    s % x                               # text that the graph makes: string_template(s, x, style="%", ...)

Tensors, numbers, text and None are put into it: how other objects would write themselves depends on the template.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import NoneType
from typing import Any, Final

from runtime.errors import of_the_trace
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["applied", "formatted"]

_LITERALS: Final = frozenset({NoneType, bool, float, int, str})


def applied(template: Any, operand: Any) -> Any:
    """`template % operand`."""
    if type(operand) is dict:
        return _made(template, "%", (), operand)
    return _made(template, "%", operand if type(operand) is tuple else (operand,), {})


def formatted(template: Any, *args: Any, **kwargs: Any) -> Any:
    """`template.format(*args, **kwargs)`."""
    return _made(template, "format", args, kwargs)


def _made(template: Any, style: str, args: Sequence[Any], named: Mapping[Any, Any]) -> Any:
    values = [*args, *named.values()]
    arguments = tuple(() if isinstance(value, Tensor) else (_literal(value),) for value in values)
    tensors = [value for value in values if isinstance(value, Tensor)]
    names = tuple(_name(name) for name in named)
    return REGISTRY["string_template"]([template, *tensors], style=style, arguments=arguments, names=names)


def _literal(value: Any) -> Any:
    if type(value) not in _LITERALS:
        raise of_the_trace(TypeError(
            "text whose template is only known when the graph runs is made of tensors, numbers and text; got an object"
            f" of type {type(value).__name__!r}: put its text in its place, f'{{x}}'"
        ))
    return value


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise of_the_trace(
            TypeError(f"the names in a template that is only known when the graph runs are strings; got {name!r}")
        )
    return name
