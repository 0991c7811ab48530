"""`python -m runtime`: functions and saved models for other programs.

    python -m runtime export models/1 model.onnx
    python -m runtime export saved_model.safetensors model.onnx --signature serving_default --opset 21
    python -m runtime export models/1 model.stablehlo --shape 8,3
    python -m runtime lower model.py:step --to stablehlo --arg float32[8,3]
    python -m runtime --info

`export` runs nothing of the model. `lower` runs the file that it is given, as importing it would, and shows what a
function of it becomes: the graph as text, machine code (native), nodes of ONNX, or a program of XLA.
"""

from __future__ import annotations

import argparse
import re
import runpy
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import autograph
from runtime.errors import OpError
from runtime.exits.onnx.exporting import OPSETS, exported
from runtime.exits.onnx.library import onnx_library
from runtime.exits.traces import as_function, trace_of
from runtime.exits.xla.stablehlo import lowered_text
from runtime.function.lowering import Lowered
from runtime.library import export
from runtime.library.about import about
from runtime.saved_model.served import DEFAULT
from runtime.tensor.spec import TensorSpec

XLA: Final = ".stablehlo"
"""The end of the name of a file that is a program of XLA."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code: 0, or 1 with one message on stderr."""
    given = _parser().parse_args(arguments)
    try:
        given.run(given)
    except (OpError, ValueError, TypeError, OSError, ImportError) as error:
        print(f"python -m runtime: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m runtime", description="Functions and models for other programs.")
    parser.add_argument("--version", action="version", version=autograph.__version__)
    parser.add_argument("--info", action=_Info, help="the versions, the machine and the extras, for reports, and exit")
    commands = parser.add_subparsers(dest="command", required=True)
    leave = commands.add_parser("export", help=f"write a saved model as a file of ONNX, or of XLA ({XLA})")
    leave.set_defaults(run=_export)
    leave.add_argument("model", help="the directory of a saved model, or its file")
    leave.add_argument("file", help=f"the file to write, for example model.onnx or model{XLA}")
    leave.add_argument("--signature", default=DEFAULT, help="which signature of the model (default: %(default)s)")
    leave.add_argument("--opset", type=int, default=21, choices=OPSETS, help="set of operators (default: %(default)s)")
    leave.add_argument("--drop-checks", action="store_true", help="leave out asserts and prints, which no file has")
    leave.add_argument("--shape", action="append", type=_shape, metavar="8,3",
                       help="of each argument in turn, where dimensions are open: XLA has fixed sizes")  # fmt: skip
    lower = commands.add_parser("lower", help="show what a function of a file of Python becomes")
    lower.set_defaults(run=_lower)
    lower.add_argument("function", metavar="FILE.py:NAME", help="the function; the file is run")
    lower.add_argument("--to", default="text", choices=_SHOWN, help="what it becomes (default: %(default)s)")
    lower.add_argument("--arg", action="append", type=_spec, metavar="float32[None,3]",
                       help="of each argument in turn, for a function without an input_signature")  # fmt: skip
    return parser


class _Info(argparse.Action):
    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        print(about())
        parser.exit()


def _export(given: argparse.Namespace) -> None:
    if given.file.endswith(XLA):
        specs = None if given.shape is None else [TensorSpec(shape) for shape in given.shape]
        export.stablehlo(given.model, given.file, specs, signature=given.signature, drop_checks=given.drop_checks)
    else:
        export.onnx(given.model, given.file, given.opset, signature=given.signature, drop_checks=given.drop_checks)


def _lower(given: argparse.Namespace) -> None:
    path, _, name = given.function.rpartition(":")
    names = runpy.run_path(path or name)
    if not path or name not in names:
        known = ", ".join(sorted(n for n, value in names.items() if callable(value) and not n.startswith("_")))
        raise ValueError(f"say which function of the file is meant, as FILE.py:NAME; it has {known or 'none'}")
    print(_SHOWN[given.to](as_function("lower", names[name]), given.arg), end="")


def _stage(name: str) -> Callable[[Any, Any], str]:
    return lambda function, specs: Lowered(trace_of("lower", function, specs)).as_text(name)


def _onnx(function: Any, specs: Any) -> str:
    model = exported(trace_of("lower", function, specs), 21, None, None)
    return str(onnx_library().printer.to_text(model)) + "\n"


_SHOWN: Final[dict[str, Callable[[Any, Any], str]]] = {
    "text": _stage("optimized"), "native": _stage("native"), "onnx": _onnx, "stablehlo": lowered_text,
}  # fmt: skip


def _shape(text: str) -> list[int | None]:
    """The sizes in `8,None,3`."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [None if part in ("None", "?") else int(part) for part in parts]


def _spec(text: str) -> TensorSpec:
    """The spec that `float32[None,3]` means; of a scalar `float32[]` or `float32`."""
    found = re.fullmatch(r"(\w+)(?:\[(.*)\])?", text)
    if found is None:
        raise ValueError(f"an argument is a dtype and a shape, as float32[None,3]; got {text!r}")
    return TensorSpec(_shape(found[2] or ""), found[1])


if __name__ == "__main__":
    sys.exit(main())
