"""`Sequential`: layers one after the other.

    model = layers.Sequential([layers.Flatten(), layers.Dense(10, activation="softmax")])
    model(images)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.library.layers.beside import Answer
from runtime.library.layers.calls import takes_training
from runtime.library.layers.core import InputLayer, Lambda
from runtime.library.layers.layer import Layer, of_any_length
from runtime.library.layers.model import Model
from runtime.library.layers.symbols import Symbol, new_input
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
        super().__init__(name=name, trainable=trainable)
        self.layers: list[Callable[..., Any]] = []
        self._first: Any = None
        self._sample: Any = None
        self._symbols: list[Any] = []
        for layer in layers:
            self.add(layer)

    def add(self, layer: Any) -> None:
        """Puts a layer behind the others; an `Input` says the shape of the first one's input. Raises TypeError for what
        cannot be called."""
        if isinstance(layer, Symbol):
            layer = layer.step.layer
        if not callable(layer):
            raise TypeError(f"a layer of a Sequential is a function of a tensor; got {layer!r}")
        self._symbols.clear()
        if not self.layers and self._first is None and getattr(layer, "given_input_shape", None) is not None:
            self._begin(layer)
        if isinstance(layer, InputLayer) and layer is self._first:
            return
        self.layers.append(layer)
        if self._sample is not None:
            with init_scope(), name_scope(self.name):
                self._sample = _followed(layer, self._sample)

    def _begin(self, layer: Any) -> None:
        """Notes the shape of the input, which the first layer knows: all weights are made at once."""
        self._first = layer
        batch, shape = getattr(layer, "batch_size", None), layer.given_input_shape
        if None in shape:
            self._sample = new_input(layer, shape, batch, layer.dtype, layer.name)
            self._input_specs = self._sample.spec
        else:
            self._sample = zeros([batch or 1, *shape], layer.dtype)
            self._input_specs = of_any_length(self._sample)

    @property
    def parts(self) -> list[Any]:
        """The layers, and before them that which says the shape of the input, if there is one of its own."""
        first = [self._first] if isinstance(self._first, InputLayer) else []
        return [*first, *self.layers]

    def _chain(self) -> list[Any]:
        """The symbols of the input and of what each layer gives."""
        if self._first is None:
            raise ValueError(f"the input of {self.name!r} is not known: let it begin with Input(shape=...)")
        if not self._symbols:
            first, batch = self._first, getattr(self._first, "batch_size", None)
            one = first if isinstance(first, InputLayer) else InputLayer(first.given_input_shape, dtype=first.dtype)
            self._symbols.append(new_input(one, first.given_input_shape, batch, first.dtype, one.name))
            for layer in self.layers:
                self._symbols.append(_followed(layer, self._symbols[-1]))
        return self._symbols

    @Answer
    def inputs(self) -> list[Any]:
        """The symbol of the input, for `Model(inputs, outputs)`."""
        return [self._chain()[0]]

    @Answer
    def outputs(self) -> list[Any]:
        """The symbol of what the last layer gives."""
        return [self._chain()[-1]]

    @Answer
    def input(self) -> Any:
        """The symbol of the input."""
        return self._chain()[0]

    @Answer
    def output(self) -> Any:
        """The symbol of what the last layer gives."""
        return self._chain()[-1]

    def _saved_parts(self) -> dict[str, Any]:
        kept = super()._saved_parts()
        return {name: value for name, value in kept.items() if name not in ("_first", "_sample", "_symbols")}

    def pop(self) -> None:
        """Takes the last layer away. Raises TypeError if there is none."""
        if not self.layers:
            raise TypeError("there are no layers in the model")
        self.layers.pop()
        self._sample = None
        self._symbols.clear()

    def call(self, inputs: Any, training: Any = False) -> Any:
        """inputs: what the first layer takes. training: handed to all layers that have such a parameter."""
        for layer in self.layers:
            call = getattr(type(layer), "call", None)
            options = {"training": training} if call is not None and takes_training(call) else {}
            inputs = call_users(layer, inputs, **options)
        return inputs


def _followed(layer: Callable[..., Any], value: Any) -> Any:
    """What a layer gives; a function that is none takes a symbol as a layer does."""
    return Lambda(layer)(value) if isinstance(value, Symbol) and not isinstance(layer, Layer) else layer(value)
