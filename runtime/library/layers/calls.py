"""How a layer is called: whether its `call` wants to know that the model is being trained, or a mask; and, for type
checkers, that it gives what its `call` gives.

    takes_training(Dropout.call)        # True
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

__all__ = ["Calls", "Result", "takes_mask", "takes_training"]

Result = TypeVar("Result")
_Given = TypeVar("_Given", covariant=True)


class Calls(Protocol[_Given]):
    """A layer whose `call` gives values of a type."""

    @property
    def call(self) -> Callable[..., _Given]:
        """What the layer computes."""
        ...


@functools.cache
def takes_training(call: Callable[..., Any]) -> bool:
    """Whether a method `call` has a parameter `training`."""
    return "training" in inspect.signature(call).parameters


@functools.cache
def takes_mask(call: Callable[..., Any]) -> bool:
    """Whether a method `call` has a parameter `mask`."""
    return "mask" in inspect.signature(call).parameters
