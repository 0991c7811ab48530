"""`Sequential`: layers one after the other.

    model = layers.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
    model(images)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.layers.layer import Model, takes_training

__all__ = ["Sequential"]


class Sequential(Model):
    """A model that hands the result of each layer to the next. layers: layers, or functions of one tensor."""

    def __init__(
        self, layers: Sequence[Callable[..., Any]] = (), name: str | None = None, trainable: bool = True
    ) -> None:
        super().__init__(name, trainable)
        self.layers: list[Callable[..., Any]] = []
        for layer in layers:
            self.add(layer)

    def add(self, layer: Callable[..., Any]) -> None:
        """Puts a layer behind the others. Raises TypeError for what cannot be called."""
        if not callable(layer):
            raise TypeError(f"a layer of a Sequential is a function of a tensor; got {layer!r}")
        self.layers.append(layer)

    def pop(self) -> None:
        """Takes the last layer away. Raises TypeError if there is none."""
        if not self.layers:
            raise TypeError("there are no layers in the model")
        self.layers.pop()

    def call(self, inputs: Any, training: Any = False) -> Any:
        """inputs: what the first layer takes. training: handed to all layers that have such a parameter."""
        for layer in self.layers:
            call = getattr(type(layer), "call", None)
            inputs = layer(inputs, training=training) if call is not None and takes_training(call) else layer(inputs)
        return inputs
