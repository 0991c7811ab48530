"""One trace: the Python function is called with symbolic tensors, and the operations that it calls become a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from autograph.operators.stager import tracing_stager
from runtime import nest
from runtime.context import recording
from runtime.control_flow.stager import STAGER
from runtime.function.signature import Signature
from runtime.graph.graph import Graph
from runtime.ops.core import identity
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Trace", "as_outputs", "trace_function"]

INPUTS: Final = (Tensor, TensorSpec, np.ndarray, np.generic)
CONVERTIBLE: Final = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


@dataclass(frozen=True, slots=True)
class Trace:
    """A finished trace. `outputs` has the structure of the result, with symbolic tensors of the graph (and None)."""

    graph: Graph
    outputs: Any
    arguments: dict[str, Any]
    """The canonical arguments, with the graph's inputs in the place of tensors."""


def trace_function(
    function: Callable[..., Any], signature: Signature, name: str, arguments: dict[str, Any], paths: Sequence[str]
) -> Trace:
    """Calls `function` with an input of a new graph for each tensor (and TensorSpec) in `arguments`.

    `paths`: names for the inputs, in the order of the tensors. Nothing is left behind when the function raises.
    """
    graph = Graph(name)
    remaining = iter(paths)

    def to_input(value: Any) -> Any:
        if isinstance(value, INPUTS):
            spec = value if isinstance(value, TensorSpec | Tensor) else convert_to_tensor(value)
            return graph.placeholder(spec.dtype, spec.shape, next(remaining))
        return value

    # what holds no tensors is passed as it is, the very object, so that the function may change it
    symbolic = {
        parameter: nest.map_structure(to_input, value) if _has_inputs(value) else value
        for parameter, value in arguments.items()
    }
    args, kwargs = signature.split(symbolic)
    token = tracing_stager.set(STAGER)
    try:
        with recording(graph):
            result = as_outputs(function(*args, **kwargs), name)
            if graph.failure is not None:
                raise StagingError(
                    f"{name!r} caught an exception that left a staged part of it: {graph.failure}. A graph cannot take"
                    " that path back: let the exception pass, or test the condition before."
                )
            outputs = nest.map_structure(lambda leaf: _output(graph, leaf), result)
    finally:
        tracing_stager.reset(token)
    graph.outputs = [leaf for leaf in nest.flatten(outputs) if leaf is not None]
    return Trace(graph, outputs, symbolic)


def _has_inputs(value: Any) -> bool:
    return any(isinstance(leaf, INPUTS) for leaf in nest.flatten(value))


def as_outputs(result: Any, name: str) -> Any:
    """The result of a Function: numbers, strings and ndarrays become tensors, None stays.

    Raises TypeError for what a graph cannot return.
    """

    def to_output(leaf: Any) -> Any:
        if leaf is None or isinstance(leaf, Tensor):
            return leaf
        if isinstance(leaf, CONVERTIBLE):
            return convert_to_tensor(leaf)
        raise TypeError(
            f"{name}() returned a {type(leaf).__name__}, but a Function returns tensors, numbers, strings, None and"
            f" structures (list, tuple, dict, dataclass) of them; got {leaf!r}"
        )

    return nest.map_structure(to_output, result)


def _output(graph: Graph, leaf: Any) -> Any:
    if leaf is None:
        return None
    assert isinstance(leaf, EagerTensor | SymbolicTensor)
    tensor = identity(leaf, name="Identity")
    tensor.weak = False
    return tensor
