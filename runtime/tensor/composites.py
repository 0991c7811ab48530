"""Values that are made of several tensors, where an operation meets them: who carries the call out.

    HANDLERS[RaggedTensor] = handle          # runtime.abs(ragged) is handle(abs, (ragged,), {}) from now on

The rooms above put their types here when they are imported; while there are none, nothing of this costs anything. A
handler calls operations on the parts, which are tensors, and puts the results together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from runtime.ops.records.record import Op
from runtime.tensor.tensor import Operators

__all__ = ["DISPATCHED", "HANDLERS", "bound", "handler_of", "is_tensor"]

Handler = Callable[[Op, Sequence[Any], Mapping[str, Any]], Any]

HANDLERS: Final[dict[type, Handler]] = {}
"""By the type of a composite value: what carries out a call with such a value among its arguments, also in a list."""

DISPATCHED: Final[set[type]] = set()
"""Those among these types that are no tensors: classes of programs, for which functions are registered."""


def handler_of(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Handler | None:
    """The handler of the first composite value among the arguments of a call; None if there is none."""
    for value in (*args, *kwargs.values()):
        kind = type(value)
        if kind in HANDLERS:
            return HANDLERS[kind]
        if kind is list or kind is tuple:
            found = next((HANDLERS[type(part)] for part in value if type(part) in HANDLERS), None)
            if found is not None:
                return found
    return None


def bound(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The operands and the attributes of a call, for a handler. Raises TypeError for a composite among the latter."""
    operands, attributes = op.bind(args, {k: v for k, v in kwargs.items() if k != "name" or "name" in op.attributes})
    for name, value in {**attributes, "name": kwargs.get("name")}.items():
        if type(value) in HANDLERS:
            raise TypeError(f"{op.name}: the argument {name!r} cannot be a {type(value).__name__}")
    return operands, attributes


def is_tensor(x: Any) -> bool:
    """Whether the value is a tensor, eager or symbolic, a Variable, or a ragged or sparse tensor."""
    return isinstance(x, Operators) or (type(x) in HANDLERS and type(x) not in DISPATCHED)
