"""`python -m runtime export MODEL FILE`: a saved model as a file of ONNX, without the Python code that made it.

    python -m runtime export models/1 model.onnx
    python -m runtime export saved_model.safetensors model.onnx --signature serving_default --opset 21

Nothing of the model is run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from runtime import export
from runtime.errors import OpError
from runtime.exits.onnx.exporting import OPSETS
from runtime.io.served import DEFAULT


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code: 0, or 1 with one message on stderr."""
    parser = argparse.ArgumentParser(prog="python -m runtime", description="Saved models for other programs.")
    commands = parser.add_subparsers(dest="command", required=True)
    leave = commands.add_parser("export", help="write a saved model as a file of ONNX")
    leave.add_argument("model", help="the directory of a saved model, or its file")
    leave.add_argument("file", help="the file to write, for example model.onnx")
    leave.add_argument("--signature", default=DEFAULT, help="which signature of the model (default: %(default)s)")
    leave.add_argument("--opset", type=int, default=21, choices=OPSETS, help="set of operators (default: %(default)s)")
    leave.add_argument("--drop-checks", action="store_true", help="leave out asserts and prints, which no file has")
    given = parser.parse_args(arguments)
    try:
        export.onnx(given.model, given.file, given.opset, signature=given.signature, drop_checks=given.drop_checks)
    except (OpError, ValueError, OSError, ImportError) as error:
        print(f"python -m runtime: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
