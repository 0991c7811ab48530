"""`Layer`: a module that makes its weights when it is first called, from the shape of what it is called with.

    class Scale(layers.Layer):
        def build(self, input_shape):
            self.factor = self.add_weight("factor", shape=[input_shape[-1]], initializer="ones")

        def call(self, inputs):
            return inputs * self.factor

    Scale()(x)                         # build(x.shape), then call(x)

The weights are made outside of what is being traced, so a Function may be the first to call a layer.
"""

from __future__ import annotations

import functools
import inspect
import operator
import threading
from collections.abc import Sequence
from typing import Any

from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, float32
from runtime.errors import ShapeMismatchError
from runtime.function.function import Function
from runtime.function.options import Options
from runtime.graph.graph import Graph
from runtime.library import nest
from runtime.library.layers import initializers
from runtime.library.layers.calls import takes_training
from runtime.library.layers.describing import Layers, find_layer, read_weights, summary_lines, write_weights
from runtime.shapes import TensorShape, as_shape
from runtime.state.calling import call_users
from runtime.state.module import Module
from runtime.state.scopes import init_scope, name_scope
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.switches import Switched

__all__ = ["Layer", "Model"]

_building = threading.RLock()


class Layer(Switched, Module):
    """A module whose weights are made by its first call. See the module's docstring.

    trainable: whether tapes watch its weights; dtype: that of the weights, a float dtype; input_shape: without the
    batch, where the layer is the first one of a `Sequential`, which then makes its weights at once. Variables are
    listed in the order in which their attributes were first set.
    """

    _listed_by_name = False
    _freezes = True
    __guarded__: tuple[str, ...] = ("trainable", "dtype")

    # What holds for programs that leave out `super().__init__()`:
    trainable: bool = True
    dtype: DType = float32
    given_input_shape: tuple[int | None, ...] | None = None

    def __init__(
        self, name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None
    ) -> None:
        super().__init__(name if isinstance(name, str) else None)
        self.trainable = trainable
        self.dtype = float32 if dtype is None else as_dtype(dtype)
        self.given_input_shape = None if input_shape is None else tuple(as_shape(input_shape))
        self._built: bool | None = None  # not False: what gets its first value in a trace is set up, not changed
        self._input_specs: Any = None

    @property
    def built(self) -> bool:
        """Whether the weights have been made."""
        return bool(self.__dict__.get("_built"))

    @built.setter
    def built(self, value: bool) -> None:
        self._built = value or None

    def build(self, input_shape: Any) -> None:
        """Makes the weights. To be written by layers that have some. input_shape: that of the (first) input."""

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """What the layer computes. To be written by each layer."""
        raise NotImplementedError(f"{type(self).__name__} has no method call(self, inputs)")

    def add_weight(
        self, name: str | None = None, shape: Sequence[int] = (), dtype: Any = None,
        initializer: Any = "glorot_uniform", trainable: bool = True,
    ) -> Variable:  # fmt: skip
        """A new Variable of the layer, to be kept in an attribute. shape: integers; initializer: see `initializers`."""
        dtype = self.dtype if dtype is None else as_dtype(dtype)
        make = functools.partial(initializers.get(initializer), tuple(shape), dtype=dtype)
        with init_scope():
            return Variable(make(), trainable=trainable, name=name or "weight", dtype=dtype)

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Builds the layer if that has not been done, and calls `call`. `training` reaches it where it takes that."""
        if "training" in kwargs and not takes_training(type(self).call):
            del kwargs["training"]
        inputs = convert_to_tensor(inputs) if _is_table(inputs) else nest.map_structure(_as_tensor, inputs)
        if self.built:
            return self._call(inputs, args, kwargs)
        if not isinstance(current_recorder(), Graph):
            self._build(inputs)
            return self._call(inputs, args, kwargs)
        from runtime.control_flow.statement.set_up import first_use  # which only a trace needs

        with first_use() as use:
            with use.setting_up(self):
                self._build(inputs)
            return self._call(inputs, args, kwargs)

    def _call(self, inputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with name_scope(self.name):
            return call_users(self.call, inputs, *args, **kwargs)

    def _build(self, inputs: Any) -> None:
        with _building:
            if self.built:
                return
            shapes = nest.map_structure(lambda t: t.shape if is_tensor(t) else None, inputs)
            with init_scope(), name_scope(self.name):
                self.build(shapes)
            self.built = True
            self._input_specs = nest.map_structure(of_any_length, inputs)

    def __saved_functions__(self) -> dict[str, Function[..., Any]]:
        """For `saved_model.save`: the layer as a Function of any number of rows like those that it was built with."""
        specs = self.__dict__.get("_input_specs")
        call = inspect.signature(self.call)
        needed = [p for p in call.parameters.values() if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
        if specs is None or len(needed) > 1 or not all(isinstance(spec, TensorSpec) for spec in nest.flatten(specs)):
            return {}
        function: Function[..., Any] = Function(self.__call__, Options(name="__call__", input_signature=[specs]))
        function.get_concrete_function()
        for training in (True, False) if takes_training(type(self).call) else ():
            function.get_concrete_function(specs, training=training)
        return {"__call__": function}

    # -- weights --------------------------------------------------------------------------------------------------

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The weights that are trained: none if `trainable` is False, and none of layers inside whose is."""
        frozen = {id(v) for m in (self, *self.submodules) if not getattr(m, "trainable", True) for v in m.variables}
        return tuple(v for v in self.variables if v.trainable and id(v) not in frozen)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The weights that are not trained."""
        trained = {id(v) for v in self.trainable_variables}
        return tuple(v for v in self.variables if id(v) not in trained)

    @property
    def weights(self) -> list[Variable]:
        """All weights."""
        return list(self.variables)

    @property
    def trainable_weights(self) -> list[Variable]:
        """The weights that are trained."""
        return list(self.trainable_variables)

    @property
    def non_trainable_weights(self) -> list[Variable]:
        """The weights that are not trained."""
        return list(self.non_trainable_variables)

    def get_weights(self) -> list[Any]:
        """The values of all weights, as arrays."""
        return [v.numpy() for v in self.variables]

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Sets all weights. Raises ValueError unless there are as many values as weights."""
        variables = self.variables
        if len(weights) != len(variables):
            raise ValueError(f"{self.name!r} has {len(variables)} weights; {len(weights)} values were given")
        for variable, value in zip(variables, weights, strict=True):
            variable.assign(value)

    def count_params(self) -> int:
        """How many numbers the weights are."""
        return sum(v.shape.num_elements() or 0 for v in self.variables)


class Model(Layer):
    """A layer made of layers: subclass it, make the layers in `__init__`, and use them in `call`.

    `compile`, `fit`, `evaluate` and `predict` are the usual loops over batches (`runtime.layers.fitting`).
    """

    layers: Any = Layers(lambda value: isinstance(value, Layer))
    stop_training = False
    """Set by callbacks: `fit` ends after the epoch."""
    history: Any = None
    """What the last `fit` has returned."""

    @property
    def optimizer(self) -> Any:
        """The optimizer that `compile` was given; None before."""
        return getattr(self.__dict__.get("_training"), "optimizer", None)

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """One of the `layers`, by its name or position. Raises ValueError if there is none."""
        return find_layer(self, name, index)

    def summary(self, print_fn: Any = None) -> None:
        """Prints the layers and the numbers of their weights. print_fn: called with each line instead of print."""
        for line in summary_lines(self):
            (print_fn or print)(line)

    def save_weights(self, filepath: Any) -> None:
        """Writes the weights to a file of numpy's (npz), whatever its name ends with."""
        write_weights(self, filepath)

    def load_weights(self, filepath: Any) -> None:
        """Sets the weights to those that `save_weights` has written; the model must have been built."""
        read_weights(self, filepath)

    def _saved_parts(self) -> dict[str, Any]:
        training = self.__dict__.get("_training")
        return super()._saved_parts() | ({} if training is None else {"optimizer": training.optimizer})

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, metrics: Sequence[Any] = (), run_eagerly: bool = False
    ) -> None:
        """Says how the model is trained. optimizer, loss: a name, an object or a function of (y_true, y_pred); metrics:
        names ("accuracy", those of losses), objects or such functions. run_eagerly: without Functions."""
        from runtime.library.layers.fitting import Training

        self._training = Training(self, optimizer, loss, metrics or (), run_eagerly)

    def fit(
        self, x: Any, y: Any = None, batch_size: int | None = None, epochs: int = 1, verbose: Any = "auto",
        validation_data: Any = None, shuffle: bool = True, sample_weight: Any = None, initial_epoch: int = 0,
        callbacks: Any = None, steps_per_epoch: int | None = None, validation_steps: int | None = None,
    ) -> Any:  # fmt: skip
        """Trains the model; returns a History, whose `history` has the numbers of each epoch.

        x, y, sample_weight: arrays of equally many rows, cut into batches of batch_size (32); or x: a Dataset of
        batches. validation_data: (x, y) or a Dataset, of which each epoch tells the numbers with val_ before them.
        verbose: 0 or False to print nothing. shuffle: the rows of arrays, anew for each epoch. callbacks: see
        `keras.callbacks`. steps_per_epoch: so many batches are an epoch, and the next one goes on where it ended;
        validation_steps: so many batches of validation_data are used, the first ones.
        """
        from runtime.library.layers.fitting import Data, Plan

        parts = validation_data if isinstance(validation_data, tuple) else (validation_data,)
        validation = None if validation_data is None else Data(*parts)
        data = Data(x, y, sample_weight, batch_size)
        plan = Plan(epochs, initial_epoch, steps_per_epoch, validation_steps, bool(shuffle), verbose)
        return self._compiled().fit(data, validation, plan, callbacks)

    def evaluate(
        self, x: Any, y: Any = None, batch_size: int | None = None, verbose: Any = "auto", sample_weight: Any = None,
        return_dict: bool = False, steps: int | None = None,
    ) -> Any:  # fmt: skip
        """The loss, or a list of the loss and the metrics (a dict with return_dict), over data as `fit` takes them.
        steps: use so many batches, the first ones."""
        from runtime.library.layers.fitting import Data

        found = self._compiled().evaluate(Data(x, y, sample_weight, batch_size), steps)
        if verbose:
            print(" - ".join(f"{name}: {value:.4f}" for name, value in found.items()))
        values = list(found.values())
        return found if return_dict else values[0] if len(values) == 1 else values

    def predict(
        self, x: Any, batch_size: int | None = None, verbose: Any = "auto", steps: int | None = None
    ) -> Any:
        """What the model says of all x, as an array. x: an array, or a Dataset of batches; steps: so many of them."""
        from runtime.library.layers.fitting import Data, Training, predictions

        training = self.__dict__.get("_training") or Training(self, "sgd", None, (), False)
        return predictions(training, Data(x, batch_size=batch_size), steps)

    def _compiled(self) -> Any:
        if self.__dict__.get("_training") is None:
            raise RuntimeError(f"{self.name!r} must be compiled first: model.compile(optimizer=..., loss=...)")
        return self._training


def _is_table(inputs: Any) -> bool:
    """Whether these are lists in lists of nothing but numbers: one tensor, no structure of scalars."""
    while isinstance(inputs, list | tuple) and inputs and isinstance(inputs[0], list | tuple):
        if not inputs[0] or isinstance(inputs[0][0], bool | int | float):
            return all(isinstance(leaf, bool | int | float) for leaf in nest.flatten(inputs))
        inputs = inputs[0]
    return False


def _as_tensor(value: Any) -> Any:
    """Arrays and numbers as tensors; what is none stays as it is."""
    if is_tensor(value) or value is None or isinstance(value, str | bytes):
        return value
    return convert_to_tensor(value) if hasattr(value, "__array__") or isinstance(value, int | float) else value


def of_any_length(value: Any) -> Any:
    """The spec of a tensor, whatever its first axis is; None for what is no tensor."""
    if not is_tensor(value):
        return None
    shape = value.shape
    return TensorSpec(TensorShape([None, *shape[1:]]) if shape.rank else shape, value.dtype, "inputs")


def whole(number: Any, what: str) -> int:
    """A positive integer, as a Python integer. Raises ValueError for anything else: 2.5 is not cut off."""
    try:
        found = operator.index(number)
    except TypeError:
        found = 0
    if found < 1:
        raise ValueError(f"{what} is a positive integer; got {number!r}")
    return found


def known_size(shape: TensorShape, axis: int, name: str) -> int:
    """The size of an axis, which weights depend on. Raises ValueError if it is not known."""
    if shape.rank == 0:
        raise ShapeMismatchError(f"{name!r} takes a tensor with axes; its input is a scalar")
    size = None if shape.rank is None else shape[axis]
    if size is None:
        raise ValueError(
            f"the weights of {name!r} depend on axis {axis} of its input, whose size must be known when it is built;"
            f" the input has the shape {shape}. Call the layer with a tensor once, or build it: layer.build(shape)"
        )
    return int(size)
