"""What a traced function changes of the copies that it gets of its arguments' structures.

    @runtime.function
    def add(items, x):
        items.append(x)         # the list is a copy, made for the graph: its tensors are inputs

    add([a, b], c)              # the caller's list stays as it was, unlike in plain Python: a TraceEffectWarning

A structure that the function returns is excused: the caller gets what became of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runtime import structures as nest

__all__ = ["Copies"]


class Copies:
    """The containers in the arguments of a trace that stand for those of the caller, with their parts at the start."""

    def __init__(self, given: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        """given: the arguments of the call; seen: what the function gets."""
        copies = [(name, value) for name, value in seen.items() if value is not given[name]]
        found = [one for name, value in copies for one in _containers(name, value)]
        self._before = [(path, part, nest.children(part)) for path, part in found]

    def changed(self, result: Any) -> list[str]:
        """How the caller writes what was changed, without what `result`, the function's value, holds."""
        if not self._before:
            return []
        returned = {id(part) for _, part in _containers("", result)}
        return [
            path + step
            for path, part, before in self._before
            if id(part) not in returned and (step := _first_change(before, part)) is not None
        ]


def _containers(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    stack = [(name, value)]
    while stack:
        path, part = stack.pop()
        if nest.is_structure(part):
            yield path, part
            stack += [(path + step, inner) for step, inner in nest.children(part)]


def _first_change(before: list[tuple[str, Any]], container: Any) -> str | None:
    """The field that is another one now, or nothing for what has no fields; None if nothing has changed."""
    try:
        now = nest.children(container)
    except AttributeError:  # a field is gone
        return ""
    if len(now) == len(before):
        different = [step for (step, a), (other, b) in zip(before, now, strict=True) if step != other or a is not b]
        if not different:
            return None
        if nest.has_fields(container):
            return different[0]
    return ""
