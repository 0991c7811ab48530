"""The suites: which programs, and which oracle judges them.

Example:

    report = SUITES["shadow"].run(range(300))
    print(report.summary())
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from .arrays import array_program, check_arrays
from .author import FLOATS, INTEGERS
from .campaign import Report, campaign
from .containers import container_program
from .grammar import Program, program
from .left import check_left, left_program
from .number_arguments import argument_program, check_number_arguments
from .oracle import Verdict, check
from .pairs import CONTAINER_PAIRS, PYTHON_PAIRS, STAGED_PAIRS, Layout
from .printed import check_printed
from .recursions import recursive_program
from .shadow import check_shadowed
from .staged import check_staged
from .staged_grammar import LANGUAGE, staged_program
from .stateful import check_stateful, stateful_program
from .values import check_values, value_program

__all__ = ["REFUSED_SHARE", "SUITES", "Suite"]

REFUSED_SHARE = 0.02  # more means that something can no longer be converted or staged
REFUSED_ARRAYS = 0.05  # of views that loops choose, and of arrays of several shapes, a graph has copies
REFUSED_STATEFUL = 0.35  # lists that grow as a tensor decides, and objects that are bound anew
REFUSED_CONTAINERS = 0.08  # lists that grow hold no objects, and places that may not be there are refused

REFUSED_LEFT = 0.75  # any two values: most of them are none that a tensor may choose between
REFUSED_VALUES = {"numbers": 0.05, "text": 0.1, "tables": 0.2, "keyed": 0.4}


@dataclass(frozen=True)
class Suite:
    """A kind of programs with their judge."""

    name: str
    program: Callable[[int], Program]
    judge: Callable[[Program], Verdict]
    layout: Layout = PYTHON_PAIRS
    refused_share: float = REFUSED_SHARE
    """How many of the programs may be refused."""
    more_by_chance: int = 0
    """How many more it may be in one sample."""

    def may_refuse(self, programs: int) -> float:
        """How many of so many programs may be refused."""
        return programs * self.refused_share + self.more_by_chance

    def run(self, seeds: Iterable[int], **options: Any) -> Report:
        """Judge the program of every seed; options as for `campaign`."""
        return campaign(seeds, name=self.name, write=self.program, judge=self.judge, **options)


SUITES = {
    suite.name: suite
    for suite in (
        Suite("integers", program, check),
        Suite("floats", partial(program, family=FLOATS), check),
        Suite("printed", program, check_printed),
        Suite("staging", partial(staged_program, family=INTEGERS), check),
        Suite("staged", partial(staged_program, family=INTEGERS, grammar=LANGUAGE), check_staged, STAGED_PAIRS),
        Suite("containers", container_program, check_staged, CONTAINER_PAIRS, REFUSED_CONTAINERS, 2),
        Suite("arrays", array_program, check_arrays, refused_share=REFUSED_ARRAYS),
        Suite("stateful", stateful_program, check_stateful, refused_share=REFUSED_STATEFUL, more_by_chance=2),
        Suite("left", left_program, check_left, refused_share=REFUSED_LEFT, more_by_chance=3),
        *(
            Suite(family, partial(value_program, family=family), check_values, refused_share=share)
            for family, share in REFUSED_VALUES.items()
        ),
        Suite("recursions", recursive_program, check_values, refused_share=0.05),
        Suite("arguments", argument_program, check_number_arguments, refused_share=REFUSED_VALUES["numbers"]),
        Suite("shadow", partial(staged_program, family=INTEGERS), check_shadowed),
    )
}
