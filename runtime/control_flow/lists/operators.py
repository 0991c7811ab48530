"""The operators and methods that make one container of two: `a | b`, `b | a`, `a |= b`, `a.union(b, c)`, `a.update(b)`.

    add_operators(KeyedSet, SETS, combined, operand, take)      # combined(first, second, "or") makes `first | second`
    add_set_methods(KeyedSet, combined, as_keyed_set, take)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

__all__ = ["SETS", "add_operators", "add_set_methods"]

SETS: Final = {"or": "union", "and": "intersection", "sub": "difference", "xor": "symmetric_difference"}
"""The operators of sets, and the methods that do the same."""

Combine = Callable[[Any, Any, str], Any]
Take = Callable[[Any, Any], None]


def add_operators(
    kind: type, rules: Iterable[str], combined: Combine, operand: Callable[[Any], Any], take: Take | None = None
) -> None:
    """Gives a class its operators. operand: makes one of ours of the other operand, NotImplemented of what is none.

    take: lets a container become another one, for the operators that change it.
    """

    def operator(rule: str, turned: bool) -> Callable[[Any, Any], Any]:
        def combine(self: Any, other: Any) -> Any:
            given = operand(other)
            if given is NotImplemented:
                return given
            return combined(given, self, rule) if turned else combined(self, given, rule)

        return combine

    def in_place(rule: str, take: Take) -> Callable[[Any, Any], Any]:
        def change(self: Any, other: Any) -> Any:
            given = operand(other)
            if given is NotImplemented:
                return given
            take(self, combined(self, given, rule))
            return self

        return change

    for rule in rules:
        setattr(kind, f"__{rule}__", operator(rule, turned=False))
        setattr(kind, f"__r{rule}__", operator(rule, turned=True))
        if take is not None:
            setattr(kind, f"__i{rule}__", in_place(rule, take))


def add_set_methods(kind: type, combined: Combine, as_own: Callable[[Any], Any], take: Take) -> None:
    """Gives a class `union`, `update` and the like. as_own: makes one of ours of whatever has members."""

    def method(rule: str) -> Callable[..., Any]:
        def combine(self: Any, *others: Any) -> Any:
            if rule == "xor" and len(others) != 1:
                raise TypeError(f"set.symmetric_difference() takes exactly one argument ({len(others)} given)")
            made = self.copy()
            for other in others:
                made = combined(made, as_own(other), rule)
            return made

        return combine

    def update(combine: Callable[..., Any]) -> Callable[..., None]:
        return lambda self, *others: take(self, combine(self, *others))

    for rule, name in SETS.items():
        setattr(kind, name, method(rule))
        setattr(kind, "update" if rule == "or" else f"{name}_update", update(method(rule)))
