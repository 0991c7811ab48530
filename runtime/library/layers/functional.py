"""Models that are given by their inputs and outputs: `Model(inputs, outputs)`.

    x = Input(shape=(4,))
    hidden = Dense(8, activation="relu")(x)
    model = Model(inputs=x, outputs=[Dense(1)(hidden), Dense(3)(hidden)])

The layers between both are called in the order in which they need each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runtime.errors import ShapeMismatchError
from runtime.library import nest
from runtime.library.layers.beside import MADE, Answer
from runtime.library.layers.calls import takes_training
from runtime.library.layers.core import InputLayer
from runtime.library.layers.layer import Layer
from runtime.library.layers.model import Model, as_functional
from runtime.library.layers.sequential import Sequential
from runtime.library.layers.symbols import Step, Symbol, filled, symbols_in
from runtime.ops.arrays.shape import cast, expand_dims, squeeze
from runtime.state.calling import call_users
from runtime.tensor.convert import convert_to_tensor

__all__ = ["Functional", "clone_model"]


class Functional(Model):
    """A model of the layers between inputs and outputs. inputs, outputs: one symbol, or a structure of them.

    Raises ValueError where an output depends on an `Input` that is not among the inputs.
    """

    __guarded__ = ("layers",)

    def __init__(self, inputs: Any, outputs: Any, name: str | None = None, trainable: bool = True) -> None:
        super().__init__(name=name, trainable=trainable)
        for what, given in (("inputs", inputs), ("outputs", outputs)):
            if not symbols_in(given) or len(symbols_in(given)) != len(nest.flatten(given)):
                raise ValueError(f"Model: {what} are what Input and layers called with it give; got {given!r}")
        steps = _ordered(symbols_in(inputs), symbols_in(outputs))
        self._plan = Plan(inputs, outputs, steps)
        self.layers: list[Any] = list({id(step.layer): step.layer for step in steps}.values())
        self._input_specs = nest.map_structure(lambda symbol: symbol.spec, inputs)
        self.built = True

    @Answer
    def inputs(self) -> list[Symbol]:
        """The symbols of the inputs."""
        return symbols_in(self._plan.inputs)

    @Answer
    def outputs(self) -> list[Symbol]:
        """The symbols of the outputs."""
        return symbols_in(self._plan.outputs)

    @Answer
    def input(self) -> Any:
        """The inputs as they were given."""
        return self._plan.inputs

    @Answer
    def output(self) -> Any:
        """The outputs as they were given."""
        return self._plan.outputs

    @Answer
    def input_shape(self) -> Any:
        """The shapes of the inputs."""
        return nest.map_structure(lambda symbol: tuple(symbol.shape), self._plan.inputs)

    @Answer
    def output_shape(self) -> Any:
        """The shapes of the outputs."""
        return nest.map_structure(lambda symbol: tuple(symbol.shape), self._plan.outputs)

    @Answer
    def output_names(self) -> list[str]:
        """The keys of the outputs, or the names of the layers that give them."""
        if isinstance(self._plan.outputs, Mapping):
            return sorted(self._plan.outputs)
        return [symbol.step.layer.name for symbol in self.outputs]

    def _saved_parts(self) -> dict[str, Any]:
        return {name: value for name, value in super()._saved_parts().items() if name != "_plan"}

    def call(self, inputs: Any, training: Any = False, mask: Any = None) -> Any:
        """inputs: tensors in the structure of the model's inputs, or by their names; training: for the layers."""
        values = self._plan.values_of(inputs, self.name)
        for step in self._plan.steps:
            if step.arguments == ((), {}):
                continue
            args, kwargs = filled(step.arguments, values)
            if takes_training(type(step.layer).call):
                kwargs.setdefault("training", training)
            found = nest.flatten(call_users(step.layer, *args, **kwargs))
            values |= {id(symbol): value for symbol, value in zip(symbols_in(step.outputs), found, strict=True)}
        return filled(self._plan.outputs, values)


class Plan:
    """The steps of a model in the order in which they run; it never changes."""

    def __init__(self, inputs: Any, outputs: Any, steps: list[Step]) -> None:
        self.inputs, self.outputs, self.steps = inputs, outputs, steps

    def values_of(self, given: Any, name: str) -> dict[int, Any]:
        """For each symbol of the inputs its tensor. Raises ValueError where they do not fit."""
        symbols = symbols_in(self.inputs)
        if isinstance(given, Mapping) and not isinstance(self.inputs, Mapping):
            missing = [symbol.name for symbol in symbols if symbol.name not in given]
            if missing:
                raise ValueError(f"{name!r} has the inputs {[s.name for s in symbols]}; {missing} is not given")
            given = [given[symbol.name] for symbol in symbols]
        elif isinstance(given, Mapping):
            given = {key: given[key] for key in self.inputs}
        tensors = nest.flatten(given)
        if len(tensors) != len(symbols):
            raise ValueError(f"{name!r} has {len(symbols)} inputs; {len(tensors)} were given")
        return {id(symbol): _fitting(symbol, tensor, name) for symbol, tensor in zip(symbols, tensors, strict=True)}


def _fitting(symbol: Symbol, value: Any, name: str) -> Any:
    """A tensor in the dtype and the rank of an input: an axis of size 1 at the end is added or taken away."""
    tensor = convert_to_tensor(value)
    if tensor.dtype is not symbol.dtype:
        tensor = cast(tensor, symbol.dtype)
    rank, wanted = tensor.shape.rank, symbol.shape.rank
    if rank is not None and wanted is not None:
        if rank == wanted + 1 and tensor.shape[-1] == 1:
            tensor = squeeze(tensor, axis=-1)
        elif rank == wanted - 1 and symbol.shape[-1] == 1:
            tensor = expand_dims(tensor, -1)
    if not tensor.shape.is_compatible_with(symbol.shape):
        raise ShapeMismatchError(f"{name!r}: the input {symbol.name!r} is {symbol.shape}; got {tensor.shape}")
    return tensor


def _ordered(inputs: Iterable[Symbol], outputs: Iterable[Symbol]) -> list[Step]:
    """The steps that lead to the outputs: those that are furthest from them first, as Keras lists layers."""
    given = {id(symbol) for symbol in inputs}
    places: dict[int, int] = {}
    after: list[Step] = []
    for output in outputs:
        _visit(output, given, places, after)
    known = {id(step) for step in after}
    after += [symbol.step for symbol in inputs if id(symbol.step) not in known]
    depths: dict[int, int] = {}
    of_layers: dict[int, int] = {}
    for step in reversed(after):
        depth = max(depths.get(id(step), 0), of_layers.get(id(step.layer), 0))
        depths[id(step)] = of_layers[id(step.layer)] = depth
        for source in [] if step.outputs is None or _is_given(step, given) else step.sources:
            depths[id(source.step)] = max(depths.get(id(source.step), 0), depth + 1)
    order = {id(step): number for number, step in enumerate(after)}
    return sorted(
        after, key=lambda step: (-depths[id(step)], places.get(id(step.layer), len(places)), order[id(step)])
    )


def _is_given(step: Step, given: set[int]) -> bool:
    return any(id(symbol) in given for symbol in symbols_in(step.outputs))


def _visit(output: Symbol, given: set[int], places: dict[int, int], after: list[Step]) -> None:
    """Notes the steps before an output, each after those that it needs; without recursion, as a model may be deep."""
    done = {id(step) for step in after}
    waiting: list[tuple[Symbol, bool]] = [(output, False)]
    while waiting:
        symbol, seen = waiting.pop()
        step = symbol.step
        if id(step) in done:
            continue
        if seen:
            done.add(id(step))
            after.append(step)
            continue
        places.setdefault(id(step.layer), len(places))
        waiting.append((symbol, True))
        if id(symbol) in given:
            continue
        if isinstance(step.layer, InputLayer):
            raise ValueError(f"Model: an output depends on the input {symbol.name!r}, which is not among the inputs")
        waiting += ((source, False) for source in reversed(step.sources))


as_functional.append(Functional)


def clone_model(model: Any, input_tensors: Any = None, clone_function: Any = None) -> Any:
    """A model of new layers, made as those of another one, with weights of their own. model: a Sequential, or a model
    of inputs and outputs; clone_function: gives the new layer for one. Raises ValueError for another model."""
    make = clone_function or _made_again
    if isinstance(model, Sequential):
        return Sequential([make(layer) for layer in model.parts], name=model.name)
    if not isinstance(model, Functional):
        raise ValueError(
            f"clone_model takes a Sequential or a Model(inputs, outputs); {model.name!r} is a {type(model).__name__}:"
            " make another one of its class"
        )
    values: dict[int, Any] = {}
    copies: dict[int, Any] = {}
    wanted = None if input_tensors is None else iter(nest.flatten(input_tensors))
    for step in model._plan.steps:
        if isinstance(step.layer, InputLayer):
            made = next(wanted) if wanted is not None else _made_again(step.layer).symbol
        else:
            if id(step.layer) not in copies:
                copies[id(step.layer)] = make(step.layer)
            args, kwargs = filled(step.arguments, values)
            made = copies[id(step.layer)](*args, **kwargs)
        values |= {
            id(old): new for old, new in zip(symbols_in(step.outputs), symbols_in(made), strict=True)
        }
    plan = model._plan
    return Functional(filled(plan.inputs, values), filled(plan.outputs, values), name=model.name)


def _made_again(layer: Any) -> Any:
    """A new layer, made with the arguments of another one; layers among them are made anew, too."""
    if isinstance(layer, Functional | Sequential):
        return clone_model(layer)
    if not isinstance(layer, Layer):
        return layer
    if MADE.get(layer) is None:
        raise ValueError(f"clone_model: it is not known how {layer.name!r} was made; give a clone_function")
    args, kwargs = nest.map_structure(lambda x: _made_again(x) if isinstance(x, Layer) else x, MADE.get(layer))
    made = type(layer)(*args, **kwargs)
    made._module_name = layer._module_name
    return made
