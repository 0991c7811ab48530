"""`Input`: stands for a tensor while a model of layers is put together.

    x = Input(shape=(4,))
    y = Dense(3)(x)                    # a Symbol: the layer is built, and nothing is computed
    model = Model(x, y)

Calls of layers with symbols are kept as steps. What a step gives is known of a trace of the layer: shape and dtype.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from dataclasses import dataclass
from typing import Any, Final

from runtime.dtypes import DType, as_dtype, float32
from runtime.function.function import Function
from runtime.function.options import Options
from runtime.library import nest
from runtime.library.layers.beside import STEPS
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.convert import is_tensor
from runtime.tensor.spec import TensorSpec

__all__ = ["Step", "Symbol", "filled", "has_symbols", "new_input", "only_step", "recorded", "symbols_in"]

_numbers: Final = itertools.count()


@dataclass(eq=False)
class Step:
    """One call of a layer. arguments: (args, kwargs), with symbols in them; the step of an `Input` has none."""

    layer: Any
    arguments: Any
    outputs: Any = None

    @property
    def sources(self) -> list[Symbol]:
        """The symbols that it takes."""
        return symbols_in(self.arguments)


class Symbol:
    """Stands for a tensor of a shape and dtype; `step` is the call that gives it. Python's operators make steps
    (`runtime.layers.operators`)."""

    def __init__(self, shape: TensorShape, dtype: DType, name: str, step: Step) -> None:
        self.shape, self.dtype, self.name, self.step = shape, dtype, name, step

    @property
    def ndim(self) -> int | None:
        """The number of axes."""
        return self.shape.rank

    @property
    def spec(self) -> TensorSpec:
        """Shape and dtype."""
        return TensorSpec(self.shape, self.dtype, "inputs")

    def __repr__(self) -> str:
        return f"<Symbol {self.name}: shape={self.shape}, dtype={self.dtype.name}>"

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            f"{self!r} stands for a tensor while a model is put together; only layers take it. Put the function into a"
            " layer: layers.Lambda(function)(x)"
        )

    def __bool__(self) -> bool:
        raise TypeError(f"{self!r} has no truth value while a model is put together; decide in the call of a layer")

    def __iter__(self) -> Any:
        raise TypeError(f"{self!r} is not iterated over while a model is put together; take parts of it: x[:, 0]")


def symbols_in(structure: Any) -> list[Symbol]:
    """The symbols in lists, tuples and dicts."""
    return [leaf for leaf in nest.flatten(structure) if isinstance(leaf, Symbol)]


def has_symbols(inputs: Any) -> bool:
    """Whether the inputs of a layer are symbols: one, or a structure whose first part is one."""
    while isinstance(inputs, list | tuple | dict) and inputs:
        inputs = next(iter(inputs.values() if isinstance(inputs, dict) else inputs))
    return isinstance(inputs, Symbol)


def filled(arguments: Any, values: dict[int, Any]) -> Any:
    """Arguments with values in the place of symbols."""
    return nest.map_structure(lambda leaf: values[id(leaf)] if isinstance(leaf, Symbol) else leaf, arguments)


def recorded(layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call of a layer with symbols gives: symbols, of the shapes and dtypes that its trace has."""
    step = Step(layer, (args, kwargs))
    sources = step.sources

    def traced(*tensors: Any) -> Any:
        values = {id(symbol): tensor for symbol, tensor in zip(sources, tensors, strict=True)}
        filled_args, filled_kwargs = filled(step.arguments, values)
        return layer(*filled_args, **filled_kwargs)

    specs = [symbol.spec for symbol in sources]
    outputs = Function(traced, Options(name=layer.name, input_signature=specs)).get_concrete_function()
    step.outputs = nest.map_structure(functools.partial(_symbol_of, step), outputs.structured_outputs)
    STEPS[layer] = [*STEPS.get(layer, ()), weakref.ref(step)]
    return step.outputs


def _symbol_of(step: Step, value: Any) -> Any:
    if not is_tensor(value) and not isinstance(value, TensorSpec):
        raise TypeError(f"the layer {step.layer.name!r} of a model gives tensors; got {value!r}")
    return Symbol(value.shape, value.dtype, f"{step.layer.name}_{next(_numbers)}", step)


def only_step(layer: Any, what: str) -> Step:
    """The one call of a layer with symbols. Raises AttributeError where there is none, or more than one."""
    found = [step for step in (reference() for reference in STEPS.get(layer, ())) if step is not None]
    if len(found) != 1:
        raise AttributeError(
            f"{layer.name!r} has been called with symbols {len(found)} times in models that are there; {what} is"
            " that of one call. Take what the call has given, or model.inputs of a Sequential first"
        )
    return found[0]


def new_input(layer: Any, shape: Any, batch_size: int | None, dtype: Any, name: str) -> Symbol:
    """The symbol of an `InputLayer`. shape: without the batch."""
    step = Step(layer, ((), {}))
    whole = TensorShape([batch_size]).concatenate(as_shape(shape))
    step.outputs = Symbol(whole, float32 if dtype is None else as_dtype(dtype), name, step)
    made: Symbol = step.outputs
    return made
