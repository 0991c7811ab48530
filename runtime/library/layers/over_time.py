"""Layers that make one vector of each sequence: `GlobalAveragePooling1D`, `GlobalMaxPooling1D`.

    layers.GlobalAveragePooling1D()(vectors)               # [batch, time, features] to [batch, features]
"""

from __future__ import annotations

from typing import Any

from runtime.errors import ShapeMismatchError
from runtime.library.layers.layer import Layer
from runtime.library.layers.recurrent import as_mask
from runtime.ops.records.gradients import ops

__all__ = ["GlobalAveragePooling1D", "GlobalMaxPooling1D"]


def _checked(inputs: Any, name: str) -> Any:
    if inputs.shape.rank not in (3, None):
        raise ShapeMismatchError(f"{name!r} takes sequences [batch, time, features]; their shape is {inputs.shape}")
    return inputs


class GlobalAveragePooling1D(Layer):
    """The mean over the steps of each sequence. keepdims: the axis of time stays, of size 1."""

    __guarded__ = ("keepdims",)

    def __init__(self, keepdims: bool = False, name: str | None = None) -> None:
        super().__init__(name)
        self.keepdims = keepdims

    def call(self, inputs: Any, mask: Any = None) -> Any:
        """inputs: [batch, time, features]; mask: bools [batch, time], False for steps that do not count."""
        x = _checked(inputs, self.name)
        if mask is None:
            return ops.reduce_mean(x, axis=1, keepdims=self.keepdims)
        weights = ops.cast(as_mask(mask, x, self.name), x.dtype)
        total = ops.reduce_sum(x * weights, axis=1, keepdims=self.keepdims)
        return total / ops.reduce_sum(weights, axis=1, keepdims=self.keepdims)


class GlobalMaxPooling1D(Layer):
    """The largest element over the steps of each sequence. keepdims: the axis of time stays, of size 1."""

    __guarded__ = ("keepdims",)

    def __init__(self, keepdims: bool = False, name: str | None = None) -> None:
        super().__init__(name)
        self.keepdims = keepdims

    def call(self, inputs: Any) -> Any:
        """inputs: [batch, time, features]."""
        return ops.reduce_max(_checked(inputs, self.name), axis=1, keepdims=self.keepdims)
