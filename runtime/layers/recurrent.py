"""`LSTMCell`: one step of a long short-term memory.

    cell = layers.LSTMCell(16)
    state = cell.zero_state(batch, runtime.float32)
    for x in steps:
        output, state = cell(x, state)

Source: Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997), with a forget gate (Gers et al., 2000).
"""

from __future__ import annotations

from typing import Any

from runtime import nn
from runtime.arrays import concat, split
from runtime.layers import activations, initializers
from runtime.layers.core import in_dtype
from runtime.layers.layer import Layer, known_size, whole
from runtime.ops.create import zeros
from runtime.ops.linalg import matmul
from runtime.ops.shape import shape
from runtime.shapes import as_shape
from runtime.state.calling import call_users

__all__ = ["LSTMCell"]


class LSTMCell(Layer):
    """One step: (inputs, [h, c]) to (h', [h', c']).

        i, f, g, o = split(inputs @ kernel + h @ recurrent_kernel + bias, 4)
        c' = sigmoid(f) * c + sigmoid(i) * tanh(g)
        h' = sigmoid(o) * tanh(c')

    units: the size of h and c. unit_forget_bias: the bias of f starts at 1.
    """

    __guarded__ = ("kernel", "recurrent_kernel", "bias", "activation", "recurrent_activation")

    def __init__(
        self, units: int, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", unit_forget_bias: bool = True, name: str | None = None,
        trainable: bool = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype)
        self.units, self.use_bias, self.unit_forget_bias = whole(units, "LSTMCell: units"), use_bias, unit_forget_bias
        self.activation = activations.get(activation)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel: Any = None
        self.recurrent_kernel: Any = None
        self.bias: Any = None

    @property
    def state_size(self) -> list[int]:
        """The sizes of h and c."""
        return [self.units, self.units]

    @property
    def output_size(self) -> int:
        """The size of the output."""
        return self.units

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, [inputs, 4 units], `recurrent_kernel`, [units, 4 units], and `bias`, [4 units]."""
        inputs, wide = known_size(as_shape(input_shape), -1, self.name), 4 * self.units
        self.kernel = self.add_weight("kernel", (inputs, wide), initializer=self.kernel_initializer)
        self.recurrent_kernel = self.add_weight(
            "recurrent_kernel", (self.units, wide), initializer=self.recurrent_initializer
        )
        if self.use_bias:
            self.bias = self.add_weight("bias", (wide,), initializer=self._initial_bias)
        self.built = True

    def _initial_bias(self, given: Any, dtype: Any) -> Any:
        if not self.unit_forget_bias:
            return self.bias_initializer(given, dtype)
        part = (self.units,)
        parts = [self.bias_initializer(part, dtype), initializers.Ones()(part, dtype)]
        return concat([*parts, self.bias_initializer((2 * self.units,), dtype)], 0)

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> list[Any]:
        """Zeros for h and c. batch_size: integer, or that of `inputs`."""
        if batch_size is None:
            known = inputs.shape[0]
            batch_size = shape(inputs)[0] if known is None else known
        wanted = self.dtype if dtype is None else dtype
        return [zeros([batch_size, self.units], wanted) for _ in range(2)]

    def zero_state(self, batch_size: Any, dtype: Any = None) -> list[Any]:
        """Zeros for h and c. batch_size: integer."""
        return self.get_initial_state(batch_size=batch_size, dtype=dtype)

    def call(self, inputs: Any, states: Any) -> Any:
        """inputs: [batch, inputs]; states: [h, c], each [batch, units]. Returns (h', [h', c'])."""
        if not isinstance(states, list | tuple) or len(states) != 2:
            raise ValueError(f"{self.name!r} takes its state as [h, c], as zero_state(batch) gives it; got {states!r}")
        h, c = states
        gates = matmul(in_dtype(inputs, self.dtype), self.kernel) + matmul(h, self.recurrent_kernel)
        if self.bias is not None:
            gates = nn.bias_add(gates, self.bias)
        i, f, g, o = split(gates, 4, axis=1)
        i, f, o = (call_users(self.recurrent_activation, part) for part in (i, f, o))
        c = f * c + i * call_users(self.activation, g)
        h = o * call_users(self.activation, c)
        return h, [h, c]
