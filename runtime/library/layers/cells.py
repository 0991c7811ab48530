"""`LSTMCell`, `GRUCell`, `SimpleRNNCell`: one step of a recurrent layer.

    cell = layers.LSTMCell(16)
    state = cell.zero_state(batch, runtime.float32)
    for x in steps:
        output, state = cell(x, state)

The order of weights and of the gates in them is that of Keras, so weights carry over. `layers.RNN` goes over sequences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from runtime.control_flow.functions import cond
from runtime.errors import ShapeMismatchError
from runtime.library import nn
from runtime.library.arrays import concat, split
from runtime.library.layers import activations, initializers, regularizers
from runtime.library.layers.core import in_dtype
from runtime.library.layers.layer import Layer, known_size, whole
from runtime.ops.arrays.create import ones, zeros
from runtime.ops.arrays.shape import shape
from runtime.ops.flow.core import identity
from runtime.ops.linear.products import matmul, tensordot
from runtime.shapes import as_shape
from runtime.state.calling import call_users
from runtime.tensor.convert import is_tensor

__all__ = ["GRUCell", "LSTMCell", "SimpleRNNCell", "batch_of", "dropped"]


def batch_of(inputs: Any) -> Any:
    """The number of rows: an integer if it is known, else a tensor."""
    return shape(inputs)[0] if inputs.shape[0] is None else inputs.shape[0]


def dropped(x: Any, rate: float, training: Any, noise_shape: Any, seed: int | None) -> Any:
    """x with dropout in training. training: a bool, which may be a tensor."""
    if not rate or (not is_tensor(training) and not training):
        return x
    if is_tensor(training):
        return cond(training, lambda: nn.dropout(x, rate, noise_shape, seed), lambda: identity(x))
    return nn.dropout(x, rate, noise_shape, seed)


class _Cell(Layer):
    """What the cells share. gates: how many parts the kernels have; states: how many tensors a state is."""

    gates: ClassVar[int] = 1
    states: ClassVar[int] = 1

    __guarded__ = (
        "kernel", "recurrent_kernel", "bias", "activation", "recurrent_activation", "dropout", "recurrent_dropout",
    )  # fmt: skip

    def __init__(
        self, units: int, activation: Any, recurrent_activation: Any, use_bias: bool, kernel_initializer: Any,
        recurrent_initializer: Any, bias_initializer: Any, dropout: float, recurrent_dropout: float, seed: int | None,
        name: str | None, trainable: bool, dtype: Any, kernel_regularizer: Any, recurrent_regularizer: Any,
        bias_regularizer: Any,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype)
        kind = type(self).__name__
        for option, rate in (("dropout", dropout), ("recurrent_dropout", recurrent_dropout)):
            if not 0 <= rate < 1:
                raise ValueError(f"{kind}: {option} is in [0, 1); got {rate}")
        self.units, self.use_bias = whole(units, f"{kind}: units"), use_bias
        self.activation = activations.get(activation)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.dropout, self.recurrent_dropout, self.seed = dropout, recurrent_dropout, seed
        self.kernel: Any = None
        self.recurrent_kernel: Any = None
        self.bias: Any = None

    @property
    def state_size(self) -> Any:
        """The size of the state, or a list of those of its parts."""
        return self.units if self.states == 1 else [self.units] * self.states

    @property
    def output_size(self) -> int:
        """The size of the output."""
        return self.units

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, [inputs, gates * units], `recurrent_kernel`, [units, gates * units], and `bias`."""
        inputs, wide = known_size(as_shape(input_shape), -1, self.name), self.gates * self.units
        make = self.add_weight
        self.kernel = make("kernel", (inputs, wide), None, self.kernel_initializer, True, self.kernel_regularizer)
        shape, regularizer = (self.units, wide), self.recurrent_regularizer
        self.recurrent_kernel = make("recurrent_kernel", shape, None, self.recurrent_initializer, True, regularizer)
        if self.use_bias:
            size = self._bias_shape(wide)
            self.bias = make("bias", size, None, self._initial_bias, True, self.bias_regularizer)
        self.built = True

    def _bias_shape(self, wide: int) -> tuple[int, ...]:
        return (wide,)

    def _initial_bias(self, given: Any, dtype: Any) -> Any:
        return self.bias_initializer(given, dtype=dtype)

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> list[Any]:
        """Zeros for each part of the state. batch_size: integer, or that of `inputs`."""
        rows = batch_of(inputs) if batch_size is None else batch_size
        wanted = self.dtype if dtype is None else dtype
        return [zeros([rows, self.units], wanted) for _ in range(self.states)]

    def zero_state(self, batch_size: Any, dtype: Any = None) -> list[Any]:
        """Zeros for each part of the state. batch_size: integer."""
        return self.get_initial_state(batch_size=batch_size, dtype=dtype)

    def projected(self, inputs: Any) -> Any:
        """The part of the gates that depends on the inputs alone, for one step or for many: [..., gates * units]."""
        inputs = in_dtype(inputs, self.dtype)
        if inputs.shape.rank in (0, 1):
            raise ShapeMismatchError(f"{self.name!r} takes inputs [batch, features]; their shape is {inputs.shape}")
        gates = matmul(inputs, self.kernel) if inputs.shape.rank in (2, None) else tensordot(inputs, self.kernel, 1)
        bias = self._input_bias()
        return gates if bias is None else nn.bias_add(gates, bias)

    def _input_bias(self) -> Any:
        return self.bias

    def step(self, gates: Any, states: Sequence[Any]) -> list[Any]:
        """The next state, of which the first part is the output. gates: what `projected` gives for this step."""
        raise NotImplementedError

    def recurrent_mask(self, batch: Any, training: Any) -> Any:
        """What the first part of the state is multiplied by in each step of one sequence; None for nothing."""
        if not self.recurrent_dropout or (not is_tensor(training) and not training):
            return None
        return dropped(ones([batch, self.units], self.dtype), self.recurrent_dropout, training, None, self.seed)

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        """inputs: [batch, inputs]; states: a list of [batch, units]. Returns the output and the next states."""
        given = list(states) if isinstance(states, list | tuple) else [states]
        if len(given) != self.states:
            shown = "[h, c]" if self.states == 2 else "[h]"
            raise ValueError(f"{self.name!r} takes its state as {shown}, as zero_state(batch) gives it; got {states!r}")
        mask = self.recurrent_mask(batch_of(inputs), training)
        first = given[0] if mask is None else given[0] * mask
        gates = self.projected(dropped(inputs, self.dropout, training, None, self.seed))
        made = self.step(gates, [first, *given[1:]])
        return made[0], made if isinstance(states, list | tuple) else made[0]


class LSTMCell(_Cell):
    """One step of a long short-term memory: (inputs, [h, c]) to (h', [h', c']).

        i, f, g, o = split(inputs @ kernel + h @ recurrent_kernel + bias, 4)
        c' = sigmoid(f) * c + sigmoid(i) * tanh(g)
        h' = sigmoid(o) * tanh(c')

    units: the size of h and c. unit_forget_bias: the bias of f starts at 1. dropout, recurrent_dropout: of the inputs
    and of h, in training. Source: Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997), with a forget gate
    (Gers et al., 2000).
    """

    gates, states = 4, 2

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", unit_forget_bias: bool = True, kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, seed: int | None = None, name: str | None = None, trainable: bool = True,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, dropout, recurrent_dropout, seed, name, trainable, dtype,
            kernel_regularizer, recurrent_regularizer, bias_regularizer,
        )  # fmt: skip
        self.unit_forget_bias = unit_forget_bias

    def _initial_bias(self, given: Any, dtype: Any) -> Any:
        if not self.unit_forget_bias:
            return self.bias_initializer(given, dtype=dtype)
        part = (self.units,)
        parts = [self.bias_initializer(part, dtype=dtype), initializers.Ones()(part, dtype)]
        return concat([*parts, self.bias_initializer((2 * self.units,), dtype=dtype)], 0)

    def step(self, gates: Any, states: Sequence[Any]) -> list[Any]:
        """See the class."""
        h, c = states
        i, f, g, o = split(gates + matmul(h, self.recurrent_kernel), 4, axis=1)
        i, f, o = (call_users(self.recurrent_activation, part) for part in (i, f, o))
        c = f * c + i * call_users(self.activation, g)
        return [o * call_users(self.activation, c), c]


class GRUCell(_Cell):
    """One step of a gated recurrent unit: (inputs, [h]) to (h', [h']).

        z, r = sigmoid(split(inputs @ kernel + h @ recurrent_kernel + bias, 3)[:2])
        g = tanh(the third part, where what comes from h is multiplied by r)
        h' = z * h + (1 - z) * g

    reset_after: r multiplies after the product with the recurrent kernel, which then has a bias of its own; False: h
    before it. Source: Cho et al., "Learning Phrase Representations using RNN Encoder-Decoder" (2014).
    """

    gates = 3

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None, recurrent_regularizer: Any = None,
        bias_regularizer: Any = None, dropout: float = 0.0, recurrent_dropout: float = 0.0,
        reset_after: bool = True, seed: int | None = None, name: str | None = None, trainable: bool = True,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, recurrent_activation, use_bias, kernel_initializer, recurrent_initializer,
            bias_initializer, dropout, recurrent_dropout, seed, name, trainable, dtype,
            kernel_regularizer, recurrent_regularizer, bias_regularizer,
        )  # fmt: skip
        self.reset_after = reset_after

    def _bias_shape(self, wide: int) -> tuple[int, ...]:
        return (2, wide) if self.reset_after else (wide,)

    def _input_bias(self) -> Any:
        return self.bias[0] if self.bias is not None and self.reset_after else self.bias

    def step(self, gates: Any, states: Sequence[Any]) -> list[Any]:
        """See the class."""
        h, units = states[0], self.units
        if self.reset_after:
            own = matmul(h, self.recurrent_kernel)
            own_z, own_r, own_g = split(own if self.bias is None else nn.bias_add(own, self.bias[1]), 3, axis=1)
        else:
            own_z, own_r, own_g = *split(matmul(h, self.recurrent_kernel[:, : 2 * units]), 2, axis=1), None
        z, r, g = split(gates, 3, axis=1)
        z, r = (call_users(self.recurrent_activation, part) for part in (z + own_z, r + own_r))
        own_g = r * own_g if own_g is not None else matmul(r * h, self.recurrent_kernel[:, 2 * units :])
        return [z * h + (1 - z) * call_users(self.activation, g + own_g)]


class SimpleRNNCell(_Cell):
    """One step of a plain recurrent layer: h' = activation(inputs @ kernel + h @ recurrent_kernel + bias)."""

    def __init__(
        self, units: int, activation: Any = "tanh", use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None, bias_regularizer: Any = None, dropout: float = 0.0,
        recurrent_dropout: float = 0.0, seed: int | None = None, name: str | None = None, trainable: bool = True,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, None, use_bias, kernel_initializer, recurrent_initializer, bias_initializer, dropout,
            recurrent_dropout, seed, name, trainable, dtype,
            kernel_regularizer, recurrent_regularizer, bias_regularizer,
        )  # fmt: skip

    def step(self, gates: Any, states: Sequence[Any]) -> list[Any]:
        """See the class."""
        return [call_users(self.activation, gates + matmul(states[0], self.recurrent_kernel))]
