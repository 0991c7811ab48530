"""One run of the command line: each file is read, converted and written; a bad one does not stop the others.

Example:
    run(parse_arguments(["model.py"]))  # prints the converted module, returns 0
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograph import pipeline, syntax
from autograph.cli.arguments import STDIN, Request
from autograph.cli.color import color_diff, color_python, wants_color
from autograph.cli.diffs import unified
from autograph.cli.reading import BadInput, Source, read_source, read_stdin
from autograph.cli.splicing import module_text
from autograph.cli.terminal import Talk, visible, visible_text
from autograph.cli.writing import destinations, write_file
from autograph.comparison import aligned, as_html
from autograph.errors import AutoGraphError
from autograph.options import ConversionOptions
from autograph.page import page

__all__ = ["INTERNAL_ERROR", "run"]

DONE, FAILED, INTERNAL_ERROR = 0, 1, 123
# What a user asks for by naming a file is converted, and so is what it calls.
_OPTIONS = ConversionOptions(recursive=True, user_requested=True, optional_features=())
_FAULT = "this is a fault of autograph, not of your file. Please report it with the lines above"


@dataclass(frozen=True, slots=True)
class Result:
    """What came out of one file: the text to write, the functions that changed, and what is worth knowing."""

    text: str
    changed: tuple[str, ...]
    notes: tuple[str, ...]
    mistakes: tuple[str, ...]
    """What is wrong with functions that cannot be converted."""


def run(request: Request) -> int:
    """Does what was asked and returns the exit code: 123 if anything was our fault, else 1 if anything failed."""
    talk = Talk(quiet=request.quiet, color=wants_color(request.color, sys.stderr))
    try:
        names = [(request.stdin_filename or "stdin.py") if file == STDIN else file for file in request.files]
        suffix = ".html" if request.form == "html" else None
        targets = destinations(names, request.output, suffix) if request.output is not None else None
    except BadInput as error:
        talk.error(str(error))
        return FAILED
    codes = [DONE]
    for number, file in enumerate(request.files):
        talk.progress(number + 1, len(request.files), visible(file))
        codes.append(_run_one(file, request, talk, targets[number] if targets else None))
    talk.clear()
    return max(codes)


def _run_one(file: str, request: Request, talk: Talk, target: Path | None) -> int:
    """Converts one file and writes the result; returns its exit code."""
    name = visible((request.stdin_filename or "<stdin>") if file == STDIN else file)
    try:
        limit = request.max_bytes
        source = read_stdin(name, limit) if file == STDIN else read_source(file, name, limit)
        result = convert(source, request)
        for note in result.notes:
            talk.note(note)
        if request.check:
            return _check(result, source, request, talk, target)
        for mistake in result.mistakes:
            talk.note(mistake)
        _write(result, source, request, talk, target)
    except AutoGraphError as error:
        message = str(error)
        talk.error(message if message.startswith(name) else f"{name}: {message}")
        return FAILED
    except OSError:
        raise  # stdout is gone or full: nothing is left to be said there
    except Exception as error:
        talk.fault(error, f"{name}: internal error: {_FAULT}")
        return INTERNAL_ERROR
    return DONE


def convert(source: Source, request: Request) -> Result:
    """Parses and converts one file, without running any of it. Raises AutoGraphError."""
    conversion = pipeline.convert_module(
        syntax.parse_module(source.text, source.name),
        options=_OPTIONS,
        filename=source.name,
        selected=request.functions or None,
    )
    told = [
        (f"{source.name}:{note.lineno}: {note.qualname}: {note.text}", note.is_mistake) for note in conversion.notes
    ]
    notes = [text for text, is_mistake in told if not is_mistake]
    if not conversion.changed and not request.check:
        notes.append(f"{source.name}: has no function to convert")
    if request.form == "tree":
        text = syntax.dump(conversion.tree).rstrip("\n") + "\n"
    else:
        text = module_text(conversion.tree, source.text, source.name) if conversion.changed else source.text
        if request.form == "html":
            text = _page(source, text, conversion.tree)
        elif request.form == "diff" and not (request.check and request.output is not None):
            text = unified(source.text, text, source.name)
        elif text and not text.endswith("\n"):
            text += "\n"
    return Result(text, conversion.changed, tuple(notes), tuple(text for text, is_mistake in told if is_mistake))


def _page(source: Source, converted: str, tree: Any) -> str:
    """The page with both side by side."""
    rows = aligned(source.text.rstrip("\n").split("\n"), 1, converted, tree)
    return page(source.name, as_html(rows, source.name))


def _check(result: Result, source: Source, request: Request, talk: Talk, target: Path | None) -> int:
    """Tells what keeps functions from being converted, and whether the converted file is what it would be now."""
    for mistake in result.mistakes:
        talk.error(mistake)
    if target is None:
        if request.form == "diff":
            _print(result.text, request, talk)
        return FAILED if result.mistakes else DONE
    name = visible(str(target))
    old = read_source(str(target), name, request.max_bytes).text if target.exists() else None
    if old == result.text:
        return FAILED if result.mistakes else DONE
    state = "is missing" if old is None else "is not up to date"
    talk.error(f"{name}: it {state}; to write what {source.name} converts to, leave --check out")
    if request.form == "diff":
        _print(unified(old or "", result.text, name), request, talk)
    return FAILED


def _write(result: Result, source: Source, request: Request, talk: Talk, target: Path | None) -> None:
    if target is not None:
        write_file(target, result.text)
        talk.note(f"{visible(str(target))}: written, {_counted(len(result.changed), 'function')} converted")
        return
    text = result.text
    if len(request.files) > 1 and request.form in ("module", "tree"):
        text = f"# {source.name}\n{text}"
    _print(text, request, talk)


def _print(text: str, request: Request, talk: Talk) -> None:
    if sys.stdout.isatty():
        text = visible_text(text)
    if wants_color(request.color, sys.stdout):
        text = {"module": color_python, "diff": color_diff}.get(request.form, str)(text)
    talk.clear()
    sys.stdout.write(text)
    sys.stdout.flush()


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
