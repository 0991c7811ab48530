"""The operators and methods of containers of ours that are made of one rule how two of them become one.

    add_operators(KeyedCounter, RULES, combined, operand, take) # combined(first, second, "or") makes `first | second`
    add_set_methods(KeyedSet, combined, as_keyed_set, take)     # `a | b`, `a |= b`, `a.union(b, c)`, `a <= b`, ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from runtime.control_flow.optional.flags import both, equal, negated

__all__ = ["add_operators", "add_set_methods"]

_SETS: Final = {"or": "union", "and": "intersection", "sub": "difference", "xor": "symmetric_difference"}
"""The operators of sets, and the methods that do the same."""

_ORDER: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "le": lambda a, b: a.issubset(b),
    "ge": lambda a, b: b.issubset(a),
    "lt": lambda a, b: both(a.issubset(b), negated(_as_many(a, b))),
    "gt": lambda a, b: both(b.issubset(a), negated(_as_many(a, b))),
    "eq": lambda a, b: both(a.issubset(b), _as_many(a, b)),
    "ne": lambda a, b: negated(both(a.issubset(b), _as_many(a, b))),
}
"""How sets compare."""

Combine = Callable[[Any, Any, str], Any]
Take = Callable[[Any, Any], None]


def add_operators(
    kind: type, rules: Iterable[str], combined: Combine, operand: Callable[[Any], Any], take: Take
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

    def in_place(rule: str) -> Callable[[Any, Any], Any]:
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
        setattr(kind, f"__i{rule}__", in_place(rule))


def add_set_methods(
    kind: type, combined: Combine, as_own: Callable[[Any], Any], take: Take, others: tuple[type, ...] = ()
) -> None:
    """Gives a class what sets do with others. as_own: makes one of ours of whatever has members. others: what else is
    a set."""

    def operand(other: Any) -> Any:
        return as_own(other) if isinstance(other, (set, frozenset, kind, *others)) else NotImplemented

    def comparison(of_both: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def compare(self: Any, other: Any) -> Any:
            given = operand(other)
            return given if given is NotImplemented else of_both(self, given)

        return compare

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

    add_operators(kind, _SETS, combined, operand, take)
    for rule, name in _SETS.items():
        setattr(kind, name, method(rule))
        setattr(kind, "update" if rule == "or" else f"{name}_update", update(method(rule)))
    methods = {
        "issubset": lambda self, other: _is_empty(combined(self, as_own(other), "sub")),
        "issuperset": lambda self, other: _is_empty(combined(as_own(other), self, "sub")),
        "isdisjoint": lambda self, other: _is_empty(combined(self, as_own(other), "and")),
        **{f"__{name}__": comparison(of_both) for name, of_both in _ORDER.items()},
    }
    for name, function in methods.items():
        setattr(kind, name, function)


def _is_empty(made: Any) -> Any:
    return negated(made.__ag_truth__())


def _as_many(a: Any, b: Any) -> Any:
    """Whether two containers have equally many members."""
    return equal(a.__ag_len__(), b.__ag_len__())
