"""The arguments of the command line, parsed and checked into one immutable Request.

A mistake in them ends the program with exit code 2 and the usage on stderr, before any file is opened.

Example:
    parse_arguments(["-f", "K.step", "model.py"])  # Request(files=("model.py",), functions=("K.step",), ...)
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from autograph import __version__

__all__ = ["STDIN", "Request", "parse_arguments"]

STDIN = "-"
SHELLS: Final = ("bash", "fish", "zsh")
_MAX_BYTES = 10_000_000

_DESCRIPTION = "Print Python files with their functions converted: control flow becomes calls of operators."
_EPILOG = """\
The files are only parsed: neither they nor anything near them is imported or run.
The converted text goes to stdout, everything else to stderr.

With --check nothing is written: the exit code tells whether all functions can be converted, and with --output too
whether the files there are what the conversion would write now.

exit codes: 0 done; 1 a file could not be read, parsed or converted, or --check found something;
            2 wrong usage; 123 a fault of autograph itself.
"""


@dataclass(frozen=True, slots=True)
class Request:
    """What the user asked for. `form` is what is written for each file: "module", "diff", "html" or "tree"."""

    files: tuple[str, ...]
    functions: tuple[str, ...]
    form: str
    check: bool
    output: Path | None
    stdin_filename: str | None
    color: str
    quiet: bool
    max_bytes: int


def _positive(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return value


class _Completion(argparse.Action):
    """Prints the script for a shell, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        from autograph.cli.completion import script  # which is asked for once

        print(script(str(values), parser), end="")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="autograph",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="a Python file; - reads standard input")
    add(
        "-f",
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        dest="functions",
        help="convert only this function, by its qualified name (K.step); may be given several times",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--diff", action="store_true", help="print a unified diff instead of the module")
    form.add_argument("--html", action="store_true", help="print a page with the file and its module side by side")
    form.add_argument(
        "--dump-ast", action="store_true", help="print the syntax tree of the converted module instead of its text"
    )
    add(
        "--check",
        action="store_true",
        help="write nothing; exit code 1 if a function cannot be converted, or a file of --output is not up to date",
    )
    add(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help="write to this file instead of stdout (which - stands for); with several files, to this folder",
    )
    add("--completion", choices=SHELLS, action=_Completion, help="print what a shell completes these options by")
    add("--stdin-filename", metavar="NAME", help="the name that messages give to standard input")
    add("--color", choices=("auto", "always", "never"), default="auto", help="default: auto, which respects NO_COLOR")
    add("-q", "--quiet", action="store_true", help="no notes and no progress on stderr, only errors")
    add(
        "--max-bytes",
        type=_positive,
        default=_MAX_BYTES,
        metavar="N",
        help="refuse larger files (default: %(default)s)",
    )
    add("--version", action="version", version=f"autograph {__version__}")
    return parser


def _mistake(found: argparse.Namespace) -> str | None:
    """What is wrong with arguments that are each right by themselves, or None."""
    if found.files.count(STDIN) > 1:
        return "standard input can be read only once: give - once"
    if found.stdin_filename is not None and STDIN not in found.files:
        return "--stdin-filename names standard input: give - among the files"
    if found.check and found.output == Path(STDIN):
        return "--check compares files: name one with --output, or leave it out"
    if found.html and len(found.files) > 1 and found.output in (None, Path(STDIN)):
        return "--html makes a page of each file: name a folder with --output"
    if found.check and found.dump_ast:
        return "--check writes nothing: leave out --dump-ast"
    if found.output is not None and len(found.files) > 1 and found.output.exists() and not found.output.is_dir():
        return f"--output must name a folder when several files are given, and {str(found.output)!r} is a file"
    return None


def parse_arguments(argv: Sequence[str] | None) -> Request:
    """The request in `argv` (None: the arguments of the process). Raises SystemExit with code 2 for a mistake."""
    parser = _parser()
    found = parser.parse_args(argv)
    mistake = _mistake(found)
    if mistake is not None:
        parser.error(mistake)
    forms = {"diff": found.diff, "html": found.html, "tree": found.dump_ast}
    return Request(
        files=tuple(found.files),
        functions=tuple(found.functions),
        form=next((form for form, chosen in forms.items() if chosen), "module"),
        check=found.check,
        output=None if found.output == Path(STDIN) else found.output,
        stdin_filename=found.stdin_filename,
        color=found.color,
        quiet=found.quiet,
        max_bytes=found.max_bytes,
    )
