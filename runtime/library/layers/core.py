"""Layers without windows: `Dense`, `Flatten`, `Dropout`, `Activation`, `Reshape`, `Embedding`.

    layers.Dense(10, activation="relu")(x)           # relu(x @ kernel + bias)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.control_flow.functions import cond
from runtime.dtypes import as_dtype, float32
from runtime.errors import ShapeMismatchError
from runtime.library import nn
from runtime.library.layers import activations, initializers, regularizers
from runtime.library.layers.beside import MASKS
from runtime.library.layers.layer import Layer, known_size, whole
from runtime.library.layers.symbols import new_input
from runtime.ops.arrays import shape as shapes
from runtime.ops.elementwise.compare import not_equal
from runtime.ops.flow.core import identity
from runtime.ops.linear.products import matmul, tensordot
from runtime.ops.reductions.reduce import reduce_prod
from runtime.shapes import as_shape
from runtime.state.calling import call_users
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "Activation", "Dense", "Dropout", "Embedding", "Flatten", "Input", "InputLayer", "Lambda", "LeakyReLU", "ReLU",
    "Reshape",
    "Softmax",
]  # fmt: skip


class Dense(Layer):
    """activation(inputs @ kernel + bias), over the last axis of the inputs.

    units: the size of that axis in the result. activation: a name or a function, see `activations`.
    """

    __guarded__ = ("kernel", "bias", "activation")
    supports_masking = True

    def __init__(
        self, units: int, activation: Any = None, use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None, bias_regularizer: Any = None,
        activity_regularizer: Any = None, name: str | None = None, trainable: bool = True, dtype: Any = None,
        input_shape: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, input_shape, activity_regularizer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.units, self.use_bias = whole(units, "Dense: units"), use_bias
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel: Any = None
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Makes `kernel`, [inputs, units], and `bias`, [units]."""
        inputs = known_size(as_shape(input_shape), -1, self.name)
        make, shape, size = self.add_weight, (inputs, self.units), (self.units,)
        self.kernel = make("kernel", shape, None, self.kernel_initializer, True, self.kernel_regularizer)
        if self.use_bias:
            self.bias = make("bias", size, None, self.bias_initializer, True, self.bias_regularizer)
        self.built = True

    def call(self, inputs: Any) -> Tensor:
        """inputs: float tensor of rank >= 2, of the dtype of the layer; arrays of other floats are cast."""
        inputs = in_dtype(inputs, self.dtype)
        if inputs.shape.rank in (0, 1):
            found = f"the input has the shape {inputs.shape}: one row alone is x[None]"
            raise ShapeMismatchError(f"{self.name!r} takes a tensor of rank >= 2; {found}")
        flat = inputs.shape.rank in (None, 2)
        result = matmul(inputs, self.kernel) if flat else tensordot(inputs, self.kernel, 1)
        return call_users(self.activation, result if self.bias is None else nn.bias_add(result, self.bias))


def in_dtype(inputs: Any, dtype: Any) -> Any:
    """The inputs in the dtype of a layer: floats of other widths and integers are cast."""
    return inputs if inputs.dtype is dtype else shapes.cast(inputs, dtype)


def check_format(layer: str, data_format: str | None) -> None:
    """Raises ValueError unless the channels are the last axis."""
    if data_format not in (None, "channels_last"):
        raise ValueError(f"{layer}: images are 'channels_last'; got data_format={data_format!r}")


class Flatten(Layer):
    """All axes but the first as one."""

    def __init__(self, data_format: str | None = None, name: str | None = None, input_shape: Any = None) -> None:
        super().__init__(name, input_shape=input_shape)
        check_format("Flatten", data_format)

    def call(self, inputs: Any) -> Tensor:
        """inputs: a tensor of rank >= 1."""
        dims = inputs.shape.dims
        if dims is None or None in dims[1:]:
            sizes = shapes.shape(inputs)
            return shapes.reshape(inputs, [sizes[0], reduce_prod(sizes[1:])])
        if not dims:
            raise ShapeMismatchError(f"{self.name!r} takes a tensor with axes; its input is a scalar")
        size = as_shape(dims[1:]).num_elements()
        return shapes.reshape(inputs, [-1 if dims[0] is None else dims[0], size])


class Reshape(Layer):
    """Each element of the batch in another shape. target_shape: integers, -1 at most once."""

    __guarded__ = ("target_shape",)

    def __init__(self, target_shape: Sequence[int], name: str | None = None) -> None:
        super().__init__(name)
        self.target_shape = tuple(target_shape)

    def call(self, inputs: Any) -> Tensor:
        """inputs: a tensor of rank >= 1."""
        known = inputs.shape[0] if inputs.shape.rank else None
        batch = shapes.shape(inputs)[0] if known is None else known
        return shapes.reshape(inputs, [batch, *self.target_shape])


class InputLayer(Layer):
    """The input of a model; `Input` gives the symbol of one. shape: without the batch, whose size may be batch_size;
    batch_shape: with it. In a `Sequential` the weights are made at once."""

    supports_masking = True

    def __init__(
        self, shape: Any = None, batch_size: int | None = None, dtype: Any = None, batch_shape: Any = None,
        name: str | None = None, input_shape: Any = None,
    ) -> None:  # fmt: skip
        if batch_shape is not None:
            batch_size, *shape = batch_shape
        given = input_shape if shape is None else shape
        super().__init__(name, input_shape=given)
        if given is None:
            raise ValueError("Input: give the shape, without the batch: Input(shape=(4,))")
        self.dtype = float32 if dtype is None else as_dtype(dtype)
        self.batch_size = batch_size
        self.built = True

    @property
    def symbol(self) -> Any:
        """The symbol of the input, a new one."""
        return new_input(self, self.given_input_shape, self.batch_size, self.dtype, self.name)

    def call(self, inputs: Any) -> Any:
        """inputs: any tensor."""
        return inputs


def Input(
    shape: Any = None, batch_size: int | None = None, dtype: Any = None, batch_shape: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Stands for the input of a model that is put together. shape: without the batch, whose size may be batch_size;
    batch_shape: with it. Layers take it, `Model(inputs, outputs)` makes a model, and it may be the first of a
    `Sequential`."""
    return InputLayer(shape, batch_size, dtype, batch_shape, name).symbol


class Dropout(Layer):
    """In training a share of the elements is set to 0, at random, and the others grow by as much; else nothing.

    rate: the share, in [0, 1). noise_shape, seed: see `runtime.nn.dropout`.
    """

    __guarded__ = ("rate", "noise_shape", "seed")
    supports_masking = True

    def __init__(self, rate: float, noise_shape: Any = None, seed: int | None = None, name: str | None = None) -> None:
        super().__init__(name)
        if not 0 <= rate < 1:
            raise ValueError(f"Dropout: rate is in [0, 1); got {rate}")
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed

    def call(self, inputs: Any, training: Any = False) -> Tensor:
        """inputs: float tensor; training: a bool, which may be a tensor."""
        if is_tensor(training):
            return cond(training, lambda: self._dropped(inputs), lambda: identity(inputs))
        return self._dropped(inputs) if training else inputs

    def _dropped(self, inputs: Any) -> Any:
        return nn.dropout(inputs, self.rate, self.noise_shape, self.seed)


class Activation(Layer):
    """An activation as a layer. activation: a name or a function, see `activations`."""

    __guarded__ = ("activation",)
    supports_masking = True

    def __init__(self, activation: Any, name: str | None = None) -> None:
        super().__init__(name)
        self.activation = activations.get(activation)

    def call(self, inputs: Any) -> Tensor:
        """inputs: float tensor."""
        return call_users(self.activation, inputs)


class ReLU(Layer):
    """max(x, 0). max_value, negative_slope, threshold: see `activations.relu`; none is negative."""

    __guarded__ = ("max_value", "negative_slope", "threshold")
    supports_masking = True

    def __init__(
        self, max_value: float | None = None, negative_slope: float = 0.0, threshold: float = 0.0,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        for option, value in (
            ("max_value", 0 if max_value is None else max_value), ("negative_slope", negative_slope),
            ("threshold", threshold),
        ):  # fmt: skip
            if not value >= 0:
                raise ValueError(f"ReLU: {option} is not negative; got {value}")
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs: Any) -> Tensor:
        """inputs: real tensor."""
        return activations.relu(inputs, self.negative_slope, self.max_value, self.threshold)


class LeakyReLU(Layer):
    """x where it is positive, else x * negative_slope (also called alpha)."""

    __guarded__ = ("negative_slope",)
    supports_masking = True

    def __init__(self, negative_slope: float = 0.3, name: str | None = None, *, alpha: float | None = None) -> None:
        super().__init__(name)
        self.negative_slope = negative_slope if alpha is None else alpha
        if not self.negative_slope >= 0:
            raise ValueError(f"LeakyReLU: negative_slope is not negative; got {self.negative_slope}")

    def call(self, inputs: Any) -> Tensor:
        """inputs: float tensor."""
        return nn.leaky_relu(inputs, self.negative_slope)


class Lambda(Layer):
    """A function as a layer. function: of a tensor; arguments: more for it, by name."""

    __guarded__ = ("function", "arguments")

    def __init__(self, function: Any, arguments: Any = None, name: str | None = None) -> None:
        super().__init__(name)
        if not callable(function):
            raise TypeError(f"Lambda: a function of a tensor was expected; got {function!r}")
        self.function, self.arguments = function, dict(arguments or {})

    def call(self, inputs: Any) -> Any:
        """inputs: what the function takes."""
        return call_users(self.function, inputs, **self.arguments)


class Softmax(Layer):
    """softmax along an axis."""

    __guarded__ = ("axis",)
    supports_masking = True

    def __init__(self, axis: int = -1, name: str | None = None) -> None:
        super().__init__(name)
        self.axis = axis

    def call(self, inputs: Any) -> Tensor:
        """inputs: float tensor."""
        return nn.softmax(inputs, self.axis)


class Embedding(Layer):
    """A vector for each integer in [0, input_dim): the rows of a table that is trained.

    mask_zero: zeros stand for nothing: layers after it, such as LSTM, and the loss leave them out.
    """

    __guarded__ = ("embeddings", "mask_zero")

    def __init__(
        self, input_dim: int, output_dim: int, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, mask_zero: bool = False, name: str | None = None, trainable: bool = True,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype)
        self.embeddings_regularizer, self.mask_zero = regularizers.get(embeddings_regularizer), mask_zero
        self.input_dim, self.output_dim = input_dim, output_dim
        self.embeddings_initializer = initializers.get(embeddings_initializer)
        self.embeddings: Any = None

    def build(self, input_shape: Any = None) -> None:
        """Makes `embeddings`, [input_dim, output_dim]."""
        shape = (self.input_dim, self.output_dim)
        make, regularizer = self.add_weight, self.embeddings_regularizer
        self.embeddings = make("embeddings", shape, None, self.embeddings_initializer, True, regularizer)
        self.built = True

    def call(self, inputs: Any) -> Tensor:
        """inputs: integers of any shape."""
        found = nn.embedding_lookup(self.embeddings, inputs)
        if self.mask_zero:
            MASKS[found] = self.compute_mask(inputs)
        return found

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """True for the integers that are not 0; None without mask_zero."""
        return not_equal(convert_to_tensor(inputs), 0) if self.mask_zero else None
