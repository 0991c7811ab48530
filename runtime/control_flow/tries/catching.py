"""Which handler takes which of the exceptions that can come when a graph runs.

    try:
        ...                         # risks: KeyError at one line, IndexError at another
    except LookupError as error:    # two catches, one for each class: `type(error)` is known in each
        ...

A handler that names the exception is traced for each class by itself, because what it asks of the exception (its class,
`isinstance`) is answered while tracing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from autograph.operators.handlers import matches
from autograph.operators.stager import Handlers
from runtime.control_flow.tries.regions import Risk

__all__ = ["Catch", "Kinds", "catches", "may_match"]

Kinds = tuple[type[BaseException], ...]

MOST_CLASSES: Final = 12
"""A handler that may get exceptions of more classes than this is traced once for all of them."""


@dataclass(frozen=True, slots=True)
class Catch:
    """A handler, and exceptions that it may take. `kinds`: the classes that its `except` clause names."""

    code: Callable[..., Any]
    name: str | None
    kinds: Kinds
    risks: tuple[Risk, ...]


def catches(handlers: Handlers, risks: Sequence[Risk]) -> tuple[list[Catch], list[Risk]]:
    """What the handlers take of some risks, in their order; and the risks that are surely taken."""
    found: list[Catch] = []
    remaining, sure = list(risks), []
    for kind, code, name in handlers:
        if not remaining:
            break
        wanted = BaseException if kind is None else kind()
        taken = [risk for risk in remaining if any(_may_take(risk, k, wanted) for k in risk.kinds)]
        if taken:
            kinds = wanted if isinstance(wanted, tuple) else (wanted,)
            found += _by_class(code, name, kinds, taken)
        surely = [risk for risk in taken if all(matches(k, wanted) for k in risk.kinds)]
        sure += surely
        remaining = [risk for risk in remaining if risk not in surely]
    return found, sure


def _by_class(code: Callable[..., Any], name: str | None, kinds: Kinds, taken: Sequence[Risk]) -> list[Catch]:
    """One catch for each class, derived ones first; one for all where some classes are unknown, or do not matter."""
    taken = [replace(risk, kinds=tuple(k for k in risk.kinds if _may_take(risk, k, kinds))) for risk in taken]
    classes = list(dict.fromkeys(k for risk in taken for k in risk.kinds))
    if name is None or len(classes) == 1 or len(classes) > MOST_CLASSES or not all(risk.is_exact for risk in taken):
        return [Catch(code, name, kinds, tuple(taken))]
    classes.sort(key=lambda kind: -len(kind.__mro__))
    return [
        Catch(code, name, (k,), tuple(replace(risk, kinds=(k,)) for risk in taken if k in risk.kinds)) for k in classes
    ]


def _may_take(risk: Risk, kind: type[BaseException], wanted: Any) -> bool:
    return matches(kind, wanted) if risk.is_exact else may_match(kind, wanted)


def may_match(kind: type[BaseException], wanted: Any) -> bool:
    """Whether `except wanted` may take an exception of this class, or of one below it."""
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    return matches(kind, wanted) or any(issubclass(k, kind) for k in kinds)
