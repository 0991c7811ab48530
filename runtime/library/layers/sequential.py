"""`Sequential`: layers one after the other.

    model = layers.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
    model(images)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.library.layers.calls import takes_training
from runtime.library.layers.layer import Model, of_any_length
from runtime.ops.arrays.create import zeros
from runtime.state.calling import call_users
from runtime.state.scopes import init_scope, name_scope

__all__ = ["Sequential"]


class Sequential(Model):
    """A model that hands the result of each layer to the next. layers: layers, or functions of one tensor.

    Where the first layer knows its `input_shape`, the weights are made at once, else by the first call.
    """

    __guarded__ = ("layers",)

    def __init__(
        self, layers: Sequence[Callable[..., Any]] = (), name: str | None = None, trainable: bool = True
    ) -> None:
        super().__init__(name, trainable)
        self.layers: list[Callable[..., Any]] = []
        self._sample: Any = None
        for layer in layers:
            self.add(layer)

    def add(self, layer: Callable[..., Any]) -> None:
        """Puts a layer behind the others. Raises TypeError for what cannot be called."""
        if not callable(layer):
            raise TypeError(f"a layer of a Sequential is a function of a tensor; got {layer!r}")
        self.layers.append(layer)
        shape = getattr(layer, "given_input_shape", None)
        if len(self.layers) == 1 and shape is not None and None not in shape:
            self._sample = zeros([1, *shape], layer.dtype)  # type: ignore[attr-defined]
            self._input_specs = of_any_length(self._sample)
        if self._sample is not None:
            with init_scope(), name_scope(self.name):
                self._sample = layer(self._sample)

    def pop(self) -> None:
        """Takes the last layer away. Raises TypeError if there is none."""
        if not self.layers:
            raise TypeError("there are no layers in the model")
        self.layers.pop()
        self._sample = None

    def call(self, inputs: Any, training: Any = False) -> Any:
        """inputs: what the first layer takes. training: handed to all layers that have such a parameter."""
        for layer in self.layers:
            call = getattr(type(layer), "call", None)
            options = {"training": training} if call is not None and takes_training(call) else {}
            inputs = call_users(layer, inputs, **options)
        return inputs
