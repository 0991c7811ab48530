"""The table of the language: every construct with a program. `CONSTRUCTS` is what the tests run and the page shows."""

from __future__ import annotations

from tests.language import (
    builtins,
    conditions,
    containers,
    definitions,
    enumerations,
    exceptions,
    expressions,
    keyed,
    loops,
    refusals,
    refused_exceptions,
    state,
    variables,
)
from tests.language.construct import Construct

__all__ = ["CONSTRUCTS"]

SECTIONS = (
    conditions, loops, expressions, builtins, containers, enumerations, keyed, variables, exceptions, definitions,
    state, refusals, refused_exceptions,
)  # fmt: skip
ROWS = [row for section in SECTIONS for row in vars(section).values() if isinstance(row, Construct)]
TITLES = list(dict.fromkeys(row.section for row in ROWS))
# What is refused stands at the end of its section.
CONSTRUCTS = tuple(sorted(ROWS, key=lambda row: TITLES.index(row.section)))
