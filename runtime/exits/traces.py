"""Which trace leaves, and what of it no graph says.

    trace = trace_of("export.onnx", function_or_trace_or_saved_model, input_signature)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.checkpoint.container import read_container
from runtime.errors import NotExportableError
from runtime.function.concrete import ConcreteFunction
from runtime.function.decorator import function as staged
from runtime.function.function import Function
from runtime.saved_model import load
from runtime.saved_model.functions import current_traces
from runtime.saved_model.loading import read_model
from runtime.saved_model.served import DEFAULT

__all__ = ["as_function", "check_trace", "trace_of"]


def trace_of(what: str, function: Any, input_signature: Sequence[Any] | None, signature: str = DEFAULT) -> Any:
    """The trace that is meant. what: what it is for, in messages. signature: which one of a saved model."""
    if isinstance(function, str | os.PathLike):
        function = _loaded(os.fspath(function))
    served = function if isinstance(function, Mapping) else getattr(function, "signatures", None)
    if isinstance(served, Mapping):
        function = _signature(what, served, signature)
    if isinstance(function, ConcreteFunction):
        if input_signature is not None:
            raise ValueError(f"{what}: a trace has its signature already; leave input_signature out")
        return function
    return _only_trace(what, as_function(what, function), input_signature)


def as_function(what: str, function: Any) -> Function[..., Any]:
    """A Function, also of a Python function."""
    if isinstance(function, Function):
        return function
    if not isinstance(function, Callable):  # type: ignore[arg-type]
        expected = "a Function, a trace of one, a Python function or a saved model"
        raise TypeError(f"{what} takes {expected}; got {function!r}")
    made: Function[..., Any] = staged(function)
    return made


def check_trace(what: str, concrete: ConcreteFunction) -> None:
    """What is no operation of the graph. Raises NotExportableError."""
    if concrete.state.first:
        raise NotExportableError(
            f"{what}: {concrete.header} writes to {concrete.state.first!r} of the program, which a file has not;"
            " keep the tensor in a Variable, or return it"
        )
    if concrete.uses.written:
        raise NotExportableError(
            f"{what}: {concrete.header} writes to an array of its caller; let it write to a copy, and return that"
        )


def _loaded(path: str) -> Any:
    """A saved model in a directory, or a file of one. Files that it would use are none of an export's."""
    if os.path.isdir(path):
        return load(path)
    root, served = read_model(read_container(path), False)
    return served or root


def _signature(what: str, served: Mapping[str, Any], name: str) -> Any:
    if name not in served:
        known = ", ".join(map(repr, served)) or "none"
        raise ValueError(f"{what}: the saved model has no signature {name!r}; it has {known}")
    return served[name]


def _only_trace(what: str, function: Function[..., Any], input_signature: Sequence[Any] | None) -> ConcreteFunction:
    if input_signature is not None:
        return function.get_concrete_function(*input_signature)
    if function.input_signature is not None:
        return function.get_concrete_function()
    traces = current_traces(function)
    if len(traces) != 1:
        raise ValueError(
            f"{what}: {function._name!r} has {len(traces)} traces; say with input_signature which one is meant,"
            " for example [runtime.TensorSpec([None, 3], runtime.float32)]"
        )
    return traces[0]
