"""The oracle of the command line: runs a program as it is, and as the command line prints it.

Example: `check_printed(program(12))`. Lines of the printed text are others, so they are not compared.
"""

from __future__ import annotations

import re
from dataclasses import replace

from autograph.cli.splicing import module_text
from autograph.errors import ConversionError
from autograph.options import ConversionOptions
from autograph.pipeline import convert_module
from autograph.syntax import parse_module

from .grammar import Program
from .oracle import Endless, Outcome, Verdict, loaded, observe, telling_inputs

__all__ = ["check_printed", "printed"]

_OPTIONS = ConversionOptions(recursive=True, user_requested=True, optional_features=())


def printed(text: str) -> str:
    """The text of the converted module."""
    converted = convert_module(parse_module(text, "program.py"), options=_OPTIONS, filename="program.py")
    return module_text(converted.tree, text, "program.py")


def check_printed(program: Program) -> Verdict:
    """Compare the program with its printed form, on the telling inputs of the program."""
    filename = f"<differential program {program.seed}>"
    with loaded(program.text, filename) as namespace:
        inputs = telling_inputs(program, filename, namespace)
        expected = [_without_lines(observe(namespace["program"], each, filename, namespace)) for each in inputs]
    if any(outcome.error.startswith(Endless.__name__) for outcome in expected):
        return Verdict("same", "the original does not end")
    try:
        text = printed(program.text)
    except ConversionError as error:
        return Verdict("differs", f"{type(error).__name__}: {error}")
    with loaded(text, f"<printed program {program.seed}>") as namespace:
        for values, outcome in zip(inputs, expected, strict=True):
            found = _without_lines(observe(namespace["program"], values, filename, namespace))
            difference = outcome.difference(found)
            if difference:
                return Verdict("differs", difference, values)
    return Verdict("same")


def _without_lines(outcome: Outcome) -> Outcome:
    return replace(outcome, error=re.sub(r" at line \d+", "", outcome.error))
