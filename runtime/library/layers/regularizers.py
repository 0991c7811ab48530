"""Terms of the loss that keep weights small: what layers take as `kernel_regularizer` and its like.

    layers.Dense(3, kernel_regularizer=regularizers.L2(0.01))
    layers.Dense(3, kernel_regularizer="l2")

A regularizer is a function of a tensor, whose result is a scalar; the terms of a model are its `losses`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from runtime.ops.arrays.create import zeros
from runtime.ops.elementwise.arithmetic import abs_, square
from runtime.ops.reductions.reduce import reduce_sum
from runtime.tensor.convert import convert_to_tensor

__all__ = ["L1", "L1L2", "L2", "Regularizer", "get", "l1", "l1_l2", "l2"]


class Regularizer:
    """A base for regularizers of programs: write `__call__(self, x)`."""

    def __call__(self, x: Any) -> Any:
        """The term for a tensor, a scalar."""
        raise NotImplementedError(f"{type(self).__name__} has no method __call__(self, x)")


def _checked(regularizer: Any, **factors: Any) -> None:
    for name, value in factors.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0 or value == float("inf"):
            raise ValueError(f"{type(regularizer).__name__}: {name} is a number, not negative; got {value!r}")


@dataclass(frozen=True)
class L1L2(Regularizer):
    """l1 * sum(|x|) + l2 * sum(x²)."""

    l1: float = 0.0
    l2: float = 0.0

    def __post_init__(self) -> None:
        _checked(self, l1=self.l1 or 0.0, l2=self.l2 or 0.0)

    def __call__(self, x: Any) -> Any:
        x = convert_to_tensor(x)
        found = zeros([], x.dtype)
        if self.l1:
            found = found + reduce_sum(abs_(x)) * self.l1
        return found + reduce_sum(square(x)) * self.l2 if self.l2 else found


@dataclass(frozen=True)
class L1(Regularizer):
    """l1 * sum(|x|)."""

    l1: float = 0.01

    def __post_init__(self) -> None:
        _checked(self, l1=self.l1)

    def __call__(self, x: Any) -> Any:
        return reduce_sum(abs_(convert_to_tensor(x))) * self.l1


@dataclass(frozen=True)
class L2(Regularizer):
    """l2 * sum(x²)."""

    l2: float = 0.01

    def __post_init__(self) -> None:
        _checked(self, l2=self.l2)

    def __call__(self, x: Any) -> Any:
        return reduce_sum(square(convert_to_tensor(x))) * self.l2


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """`L1L2`, of both kinds."""
    return L1L2(l1, l2)


l1, l2 = L1, L2

BY_NAME: Final[dict[str, Callable[[], Regularizer]]] = {"l1": L1, "l1_l2": l1_l2, "l1l2": L1L2, "l2": L2}


def get(identifier: Any) -> Callable[[Any], Any] | None:
    """The regularizer of a name; a function as it is; None for None. Raises ValueError for an unknown name."""
    if isinstance(identifier, str):
        if identifier.lower() not in BY_NAME:
            raise ValueError(f"there is no regularizer {identifier!r}; there are {', '.join(BY_NAME)}")
        return BY_NAME[identifier.lower()]()
    found = identifier() if isinstance(identifier, type) else identifier
    if found is not None and not callable(found):
        raise TypeError(f"a regularizer is a name or a function of a tensor; got {identifier!r}")
    made: Callable[[Any], Any] | None = found
    return made
