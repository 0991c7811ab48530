"""How a layer is called: whether its `call` wants to know that the model is being trained, or a mask.

    takes_training(Dropout.call)        # True
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["takes_mask", "takes_training"]


@functools.cache
def takes_training(call: Callable[..., Any]) -> bool:
    """Whether a method `call` has a parameter `training`."""
    return "training" in inspect.signature(call).parameters


@functools.cache
def takes_mask(call: Callable[..., Any]) -> bool:
    """Whether a method `call` has a parameter `mask`."""
    return "mask" in inspect.signature(call).parameters
