"""`Bidirectional`: a recurrent layer over sequences in both directions.

    layers.Bidirectional(layers.LSTM(16))(texts)           # [batch, 32]: what each direction gives, side by side
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.library.layers.layer import Layer
from runtime.library.layers.recurrent import RNN
from runtime.ops.records.gradients import ops
from runtime.state.scopes import name_scope

__all__ = ["Bidirectional"]

_MERGES: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "ave": lambda a, b: (a + b) / 2,
    "concat": lambda a, b: ops.concat([a, b], axis=-1),
    "mul": lambda a, b: a * b,
    "sum": lambda a, b: a + b,
}


class Bidirectional(Layer):
    """A layer, and another one like it from the last step to the first; the outputs of both stand in the same order.

    layer: an LSTM, GRU, SimpleRNN or RNN that has not been called yet, of which both are made. merge_mode: "concat",
    "sum", "mul", "ave", or None for a pair. backward_layer: for the other direction, not one like the first. Where the
    layer returns its states, the result is (output, *states, *states of the other direction).
    Steps that a mask leaves out are zeros in sequences.
    """

    __guarded__ = ("forward_layer", "backward_layer", "merge_mode")

    def __init__(
        self, layer: Any, merge_mode: str | None = "concat", backward_layer: Any = None, name: str | None = None,
        trainable: bool = True, input_shape: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, getattr(layer, "dtype", None), input_shape)
        for given in (layer, *(() if backward_layer is None else (backward_layer,))):
            if not isinstance(given, RNN) or given.built:
                found = "one that has been called" if isinstance(given, RNN) else repr(given)
                raise ValueError(f"Bidirectional takes a new recurrent layer, such as LSTM(8); got {found}")
        if merge_mode is not None and merge_mode not in _MERGES:
            raise ValueError(f"Bidirectional: merge_mode is None or one of {', '.join(_MERGES)}; got {merge_mode!r}")
        self.merge_mode = merge_mode
        self.forward_layer, self.backward_layer = copy.deepcopy(layer), copy.deepcopy(backward_layer or layer)
        if backward_layer is None:
            self.backward_layer.go_backwards = not layer.go_backwards
        if self.forward_layer.go_backwards == self.backward_layer.go_backwards:
            raise ValueError("Bidirectional: the two layers must go in different directions (go_backwards)")
        for way in ("return_sequences", "return_state", "stateful"):
            if getattr(self.forward_layer, way) != getattr(self.backward_layer, way):
                raise ValueError(f"Bidirectional: the two layers must have the same {way}")
        for part, of in (("forward", self.forward_layer), ("backward", self.backward_layer)):
            of._module_name = f"{part}_{of.name}"
            of.zero_output_for_mask = of.zero_output_for_mask or of.return_sequences

    def build(self, input_shape: Any) -> None:
        """Makes the weights of both directions."""
        for layer in (self.forward_layer, self.backward_layer):
            with name_scope(layer.name):
                layer.build(input_shape)
        self.built = True

    def compute_mask(self, inputs: Any = None, previous_mask: Any = None) -> Any:
        """The mask of the inputs, where there is an output for each step."""
        return previous_mask if self.forward_layer.return_sequences else None

    def reset_state(self) -> None:
        """Sets the kept states of stateful layers to zeros."""
        self.forward_layer.reset_state()
        self.backward_layer.reset_state()

    reset_states = reset_state

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False) -> Any:
        """See `RNN.call`. initial_state: the states of the first direction, then those of the other."""
        first, second = _halves(initial_state, self.name)
        one = self.forward_layer(sequences, initial_state=first, mask=mask, training=training)
        other = self.backward_layer(sequences, initial_state=second, mask=mask, training=training)
        states: list[Any] = []
        if self.forward_layer.return_state:
            (one, *states), (other, *others) = one, other
            states += others
        if self.forward_layer.return_sequences:
            other = ops.reverse(other, axis=1)
        result = (one, other) if self.merge_mode is None else _MERGES[self.merge_mode](one, other)
        if not states:
            return result
        return (*result, *states) if self.merge_mode is None else (result, *states)


def _halves(states: Sequence[Any] | None, name: str) -> tuple[Any, Any]:
    if states is None:
        return None, None
    if not isinstance(states, list | tuple) or len(states) % 2:
        raise ValueError(f"{name!r} takes the states of both directions as one list; got {states!r}")
    half = len(states) // 2
    return list(states[:half]), list(states[half:])
