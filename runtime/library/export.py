"""`runtime.export`: functions that leave this process, for programs that have neither their code nor this package.

    runtime.export.onnx(model, "model.onnx", input_signature=[runtime.TensorSpec([None, 3], runtime.float32)])

See docs/exports.md.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from runtime.checkpoint.atomic import replacing
from runtime.context import current_recorder
from runtime.exits.onnx.exporting import exported
from runtime.exits.onnx.files import write_model
from runtime.exits.onnx.library import onnx_library
from runtime.exits.traces import trace_of
from runtime.exits.xla.stablehlo import serialized
from runtime.saved_model.served import DEFAULT

__all__ = ["onnx", "stablehlo"]


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
    trace = trace_of("export.onnx", function, input_signature, signature)
    onnx_library()
    write_model(exported(trace, opset, input_names, output_names, drop_checks), os.fspath(path))


def stablehlo(
    function: Any,
    path: str | os.PathLike[str],
    input_signature: Sequence[Any] | None = None,
    *,
    signature: str = DEFAULT,
    platforms: Sequence[str] = ("cpu", "cuda", "tpu"),
    drop_checks: bool = False,
) -> None:
    """Writes a function as a program of XLA (StableHLO), which `jax.export.deserialize` loads, without any code.

    function, signature, drop_checks: as for `onnx`. input_signature: what it is called with. Every dimension has a
    size, for shapes in XLA are fixed; of a trace and a saved model the signature only says the sizes of open ones.
    platforms: where the program can run.

    Variables are weights in the file. The program takes the arguments in a row, then a value for each Variable that the
    function writes, and gives the results in a row, then what those Variables are after it. Raises NotExportableError,
    with all operations, lines and reasons, before anything is written; ImportError without the extra `jax`. The file is
    written whole or not at all, and the same function gives the same bytes.
    """
    if current_recorder() is not None:
        raise RuntimeError("export.stablehlo writes a file at once: call it outside of Functions")
    with replacing(os.fspath(path)) as file:
        file.write(serialized(function, input_signature, signature, platforms, drop_checks))
