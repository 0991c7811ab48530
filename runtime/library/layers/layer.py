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
from typing import Any, Self, overload

from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, float32
from runtime.errors import ShapeMismatchError
from runtime.function.function import Function
from runtime.function.options import Options
from runtime.graph.graph import Graph
from runtime.library import nest
from runtime.library.layers import initializers
from runtime.library.layers.beside import MADE, MASKS, TERMS, Answer, outermost
from runtime.library.layers.calls import Calls, Result, takes_mask, takes_training
from runtime.library.layers.naming import numbered
from runtime.library.layers.regularizers import get as regularizer_of
from runtime.library.layers.symbols import has_symbols, only_step, recorded
from runtime.ops.arrays.shape import cast
from runtime.ops.arrays.shape import shape as shape_of
from runtime.shapes import TensorShape, as_shape
from runtime.state.calling import call_users
from runtime.state.module import Module
from runtime.state.scopes import init_scope, name_scope
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.switches import Switched

__all__ = ["Layer", "known_size", "of_any_length", "whole"]

_building = threading.RLock()


class Regularized:
    """Holds weights with their regularizers, where a Module does not look for weights."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Variable, Any]] = []


class Layer(Switched, Module):
    """A module whose weights are made by its first call. See the module's docstring.

    name: any text; trainable: whether tapes watch its weights; dtype: that of the weights, a float dtype; input_shape:
    without the batch, where the layer is the first one of a `Sequential`, which then makes its weights at once;
    activity_regularizer: a term of the loss of what it gives. Variables are listed in the order in which their
    attributes were first set.
    """

    _listed_by_name = False
    _freezes = True
    __guarded__: tuple[str, ...] = ("trainable", "dtype")

    # What holds for programs that leave out `super().__init__()`:
    trainable: bool = True
    dtype: DType = float32
    given_input_shape: tuple[int | None, ...] | None = None
    activity_regularizer: Any = None
    supports_masking = False
    """Whether the mask of the inputs is that of what the layer gives, too."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        made = super().__new__(cls)
        MADE[made] = args, kwargs
        return made

    def __init__(
        self, name: str | None = None, trainable: bool = True, dtype: Any = None, input_shape: Any = None,
        activity_regularizer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._module_name = name if isinstance(name, str) else numbered(type(self))
        self.activity_regularizer = regularizer_of(activity_regularizer)
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
        initializer: Any = "glorot_uniform", trainable: bool = True, regularizer: Any = None,
    ) -> Variable:  # fmt: skip
        """A new Variable of the layer, to be kept in an attribute. shape: integers; initializer: see `initializers`;
        regularizer: see `regularizers`."""
        dtype = self.dtype if dtype is None else as_dtype(dtype)
        make = functools.partial(initializers.get(initializer), tuple(shape), dtype=dtype)
        with init_scope():
            made = Variable(make(), trainable=trainable, name=name or "weight", dtype=dtype)
        term = regularizer_of(regularizer)
        if term is not None:
            self.__dict__.setdefault("_regularized", Regularized()).pairs.append((made, term))
        return made

    @overload
    def __call__(self: Calls[Result], inputs: Any, *args: Any, **kwargs: Any) -> Result: ...
    @overload
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any: ...
    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Builds the layer if that has not been done, and calls `call`. `training` reaches it where it takes that, and
        so does the mask of the inputs. Symbols (see `Input`) give symbols."""
        if has_symbols(inputs):
            return recorded(self, (inputs, *args), kwargs)
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
        with outermost() as first, name_scope(self.name):
            if first and TERMS:
                self.forget_terms()
            if not MASKS:
                found = call_users(self.call, inputs, *args, **kwargs)
            else:
                given = [MASKS.get(leaf) for leaf in nest.flatten(inputs)]
                one = len(given) == 1
                if one and given[0] is not None and takes_mask(type(self).call):
                    kwargs.setdefault("mask", given[0])
                found = call_users(self.call, inputs, *args, **kwargs)
                if any(mask is not None for mask in given):
                    self._hand_on(found, self.compute_mask(inputs, given[0] if one else given))
            if self.activity_regularizer is not None:
                for output in nest.flatten(found):
                    self.add_loss(self.activity_regularizer(output) / cast(shape_of(output)[0], output.dtype))
            return found

    @staticmethod
    def _hand_on(found: Any, mask: Any) -> None:
        if mask is not None:
            for output in nest.flatten(found)[:1]:
                MASKS[output] = mask

    def compute_mask(self, inputs: Any, previous_mask: Any = None) -> Any:
        """The mask of what the layer gives. previous_mask: that of the input, or a list of those of several inputs."""
        return previous_mask if self.supports_masking and not isinstance(previous_mask, list) else None

    @Answer
    def input(self) -> Any:
        """The symbols that the layer was called with, where that was once: see `Input`."""
        args, _ = only_step(self, "input").arguments
        return args[0]

    @Answer
    def output(self) -> Any:
        """The symbols that the layer has given, where it was called with symbols once."""
        return only_step(self, "output").outputs

    # -- terms of the loss ----------------------------------------------------------------------------------------

    def add_loss(self, loss: Any) -> None:
        """Adds a scalar to the `losses` of the layer, until the next call of the whole model."""
        recorder = current_recorder()
        graph = recorder if isinstance(recorder, Graph) else None
        TERMS[self] = [*TERMS.get(self, ()), *((graph, term) for term in nest.flatten(loss))]

    @property
    def losses(self) -> list[Any]:
        """The terms of the loss: those that the last call has added, and those of regularizers of trained weights."""
        layers = [m for m in (self, *self.submodules) if isinstance(m, Layer)]
        recorder = current_recorder()
        graph = recorder if isinstance(recorder, Graph) else None
        found = []
        for layer in layers:
            for own, term in TERMS.get(layer, ()):
                if own is not None and own is not graph:
                    raise ValueError(
                        f"the losses of {layer.name!r} were added while another graph was traced: read them where the"
                        " model is called, in the same Function and on the same level of branches and loops"
                    )
                found.append(term)
        return found + self.terms_of_weights()

    def terms_of_weights(self) -> list[Any]:
        """The terms of the loss by regularizers of weights that are trained."""
        held = [m.__dict__["_regularized"] for m in (self, *self.submodules) if "_regularized" in m.__dict__]
        terms = {id(weight): term for regularized in held for weight, term in regularized.pairs}
        return [call_users(terms[id(v)], v) for v in self.trainable_variables if id(v) in terms]

    def forget_terms(self) -> None:
        """Drops what calls have added to the loss."""
        for module in (self, *self.submodules):
            del TERMS[module]

    def _saved_parts(self) -> dict[str, Any]:
        kept = super()._saved_parts()
        return {name: value for name, value in kept.items() if name not in ("_regularized", "activity_regularizer")}

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
