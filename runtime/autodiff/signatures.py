"""What `GradientTape.gradient` and `jacobian` give for which sources, for type checkers: the structure of the sources.

    tape.gradient(loss, w)               # Tensor | Any
    tape.gradient(loss, [w, b])          # list[Tensor | Any]
    tape.gradient(loss, {"w": w})        # dict[str, Tensor | Any]

A source that no target depends on gets None. That is rare and nearly always a mistake of the program, so that a check
for it is not asked for each time: `Tensor | Any` knows the attributes of tensors, and may be compared with None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, TypeVar, overload

from runtime.tensor.tensor import Operators, Tensor

__all__ = ["Gradients", "by_sources"]

K = TypeVar("K")
Gradient: TypeAlias = Tensor | Any


class Gradients(Protocol):
    """A method that takes a target, sources and options."""

    @overload
    def __call__(self, target: Any, sources: Operators, *args: Any, **options: Any) -> Gradient: ...
    @overload
    def __call__(self, target: Any, sources: list[Any], *args: Any, **options: Any) -> list[Gradient]: ...
    @overload
    def __call__(self, target: Any, sources: tuple[Any, ...], *args: Any, **options: Any) -> tuple[Gradient, ...]: ...
    @overload
    def __call__(self, target: Any, sources: Mapping[K, object], *args: Any, **options: Any) -> dict[K, Gradient]: ...
    @overload
    def __call__(self, target: Any, sources: object, *args: Any, **options: Any) -> Any: ...


def by_sources(method: Any) -> Gradients:
    """Decorator: the same method, of which type checkers know what it gives."""
    found: Gradients = method
    return found
