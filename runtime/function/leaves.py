"""The leaves of arguments: which of them become inputs of the graph, and what they are called.

input_names("pair", (tensor, 3))       # ["pair_0"]: the parameter, and the way to the tensor
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from runtime import structures as nest
from runtime.function.numbers import Number
from runtime.ndarrays.arguments import ArraySpec
from runtime.state.parameters import VariableSpec
from runtime.state.variable import Variable
from runtime.tensor.array_classes import holds_numbers
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = [
    "INPUTS", "SPECS", "VARIABLES", "input_names", "is_input", "is_number_of_numpy", "is_open", "name_of", "open_dims",
    "with_open_parts",
]  # fmt: skip

SPECS: Final = (TensorSpec, VariableSpec, ArraySpec)

VARIABLES: Final = (Variable, VariableSpec)

INPUTS: Final = (Tensor, TensorSpec, Number, np.ndarray, np.generic, *VARIABLES)
"""What becomes an input of the graph: tensors, what stands for them, arrays, and Variables."""


def is_input(leaf: Any) -> bool:
    """Whether a leaf of the arguments is an input of the graph rather than a fixed part of the trace."""
    return isinstance(leaf, INPUTS)


def is_number_of_numpy(leaf: Any) -> bool:
    """Whether a leaf is a number that has been taken out of an ndarray, or one of numpy's like those."""
    return isinstance(leaf, np.generic) and holds_numbers(leaf)


def input_names(parameter: str, value: Any) -> list[str]:
    """Names for the tensors of one argument, from the parameter and the way to them: `x`, `pair_0`.

    A TensorSpec's own name comes first.
    """
    leaves = _named_leaves(parameter, value)
    return [(leaf.name if type(leaf) in SPECS else None) or name for name, leaf in leaves if is_input(leaf)]


def name_of(arguments: Mapping[str, Any], part: Any) -> str | None:
    """How a part of the arguments is reached: `x`, `pair_0`; None if it is not among them."""
    stack: list[tuple[Any, str]] = [(value, name) for name, value in reversed(list(arguments.items()))]
    while stack:
        value, name = stack.pop()
        if value is part:
            return name
        if nest.is_nested(value):
            stack += [(inner, _within(name, step)) for step, inner in reversed(nest.children(value))]
    return None


def _named_leaves(name: str, value: Any) -> list[tuple[str, Any]]:
    if not nest.is_nested(value):
        return [(name, value)]
    return [leaf for step, part in nest.children(value) for leaf in _named_leaves(_within(name, step), part)]


def _within(name: str, step: str) -> str:
    return f"{name}_{step.strip('[].').strip(chr(39))}"


# -- parts of composite values whose first dimension a trace leaves open: how many values a RaggedTensor has
# Which parts these are the class says (`_nest_open`, see `runtime.composite.protocol`).


def is_open(owner: Any, step: str, part: Any) -> bool:
    """Whether the part that is reached by `step` is an input whose first dimension is open."""
    return step in getattr(type(owner), "_nest_open", ()) and is_input(part)


def open_dims(dims: tuple[int | None, ...] | None) -> tuple[int | None, ...] | None:
    """The dimensions of a tensor whose first one is not part of its type."""
    return (None, *dims[1:]) if dims else dims


def with_open_parts(value: Any) -> Any:
    """The value with specs in the place of such parts; the very same object where there are none."""
    if isinstance(value, Tensor) or not nest.is_nested(value):
        return value
    parts = nest.children(value)
    changed = [_opened(part) if is_open(value, step, part) else with_open_parts(part) for step, part in parts]
    same = all(a is b for (_, a), b in zip(parts, changed, strict=True))
    return value if same else nest.rebuild(value, changed)


def _opened(part: Any) -> TensorSpec:
    name = part.name if type(part) is TensorSpec else None
    return TensorSpec(open_dims(part.shape.dims), part.dtype, name)
