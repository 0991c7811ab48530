"""`runtime.export`: functions that leave this process, for programs that have neither their code nor this package.

    runtime.export.onnx(model, "model.onnx", input_signature=[runtime.TensorSpec([None, 3], runtime.float32)])

See docs/exports.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.context import current_recorder
from runtime.exits.onnx.exporting import exported
from runtime.exits.onnx.files import write_model
from runtime.exits.onnx.library import onnx_library
from runtime.function.concrete import ConcreteFunction
from runtime.function.decorator import function as staged
from runtime.function.function import Function
from runtime.io.container import read_container
from runtime.io.loading import read_model
from runtime.io.served import DEFAULT
from runtime.saved_model import load

__all__ = ["onnx"]


def onnx(
    function: Any,
    path: str | os.PathLike[str],
    opset: int = 21,
    input_signature: Sequence[Any] | None = None,
    *,
    signature: str = DEFAULT,
    input_names: Sequence[str] | None = None,
    output_names: Sequence[str] | None = None,
    drop_checks: bool = False,
) -> None:
    """Writes a function as a file of ONNX, which onnxruntime and other programs run.

    function: a Function, a trace of one, a Python function, a saved model that was loaded, or where one was saved.
    input_signature: what a Function is called with, as for `get_concrete_function`; without it the signature that it
    was made with, or its one trace. Dimensions that are None stay open, and are called after the input and the axis.
    signature: which one of a saved model. input_names, output_names: in the place of the names of the arguments, and of
    the keys of a dict (`output_0`, ... of other results). drop_checks: leaves out `assert`, an `if` that only raises,
    `runtime.debugging` and `runtime.print`, which are refused otherwise: a file neither stops nor prints.

    Variables are weights in the file; one that the function writes to is an input, with the value that it has now,
    and an output. Raises NotExportableError, with all operations that cannot leave, their lines and the reasons, before
    anything is written; ImportError where the extra `onnx` is not installed. The file is written whole or not at all.
    """
    if current_recorder() is not None:
        raise RuntimeError("export.onnx writes a file at once, which a graph cannot: call it outside of Functions")
    trace = _trace_of(function, input_signature, signature)
    onnx_library()
    write_model(exported(trace, opset, input_names, output_names, drop_checks), os.fspath(path))


def _trace_of(function: Any, input_signature: Sequence[Any] | None, signature: str) -> ConcreteFunction:
    if isinstance(function, str | os.PathLike):
        function = _loaded(os.fspath(function))
    served = function if isinstance(function, Mapping) else getattr(function, "signatures", None)
    if isinstance(served, Mapping):
        function = _signature(served, signature)
    if isinstance(function, ConcreteFunction):
        if input_signature is not None:
            raise ValueError("export.onnx: a trace has its signature already; leave input_signature out")
        return function
    if not isinstance(function, Function):
        if not isinstance(function, Callable):  # type: ignore[arg-type]
            raise TypeError(
                f"export.onnx takes a Function, a trace of one, a Python function or a saved model; got {function!r}"
            )
        function = staged(function)
    return _only_trace(function, input_signature)


def _loaded(path: str) -> Any:
    """A saved model in a directory, or a file of one. Files that it would use are none of an export's."""
    if os.path.isdir(path):
        return load(path)
    root, served = read_model(read_container(path), False)
    return served or root


def _signature(served: Mapping[str, Any], name: str) -> Any:
    if name not in served:
        known = ", ".join(map(repr, served)) or "none"
        raise ValueError(f"export.onnx: the saved model has no signature {name!r}; it has {known}")
    return served[name]


def _only_trace(function: Function, input_signature: Sequence[Any] | None) -> ConcreteFunction:
    if input_signature is not None:
        return function.get_concrete_function(*input_signature)
    if function.input_signature is not None:
        return function.get_concrete_function()
    traces = list(function._traces)
    if len(traces) != 1:
        raise ValueError(
            f"export.onnx: {function._name!r} has {len(traces)} traces; say with input_signature which one is meant,"
            " for example [runtime.TensorSpec([None, 3], runtime.float32)]"
        )
    return traces[0]
