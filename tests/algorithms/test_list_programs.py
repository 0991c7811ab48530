"""Programs of lists and tables, called with tensors in the place of lists, of numbers in them, of others, of all."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import runtime as tf
from tests.algorithms import dynamic, graphs, matrices, physics, searching, sorting
from tests.algorithms.program import Program, programs_of
from tests.algorithms.refused import REFUSED_LISTS
from tests.algorithms.test_algorithms import alike, near, plain
from tests.one_in import one_in

PROGRAMS: Final = programs_of(dynamic, graphs, matrices, physics, searching, sorting)


def tensor(value: Any) -> Any:
    return tf.constant(np.asarray(value))


def items(value: Any) -> Any:
    """Lists as they are, with tensors in them."""
    return [items(part) for part in value] if isinstance(value, list) else tensor(value)


MODES: Final[dict[str, Callable[[Any], Any]]] = {
    "tensors": tensor,
    "items": items,
    "lists": lambda value: tensor(value) if isinstance(value, list) else value,
    "numbers": lambda value: value if isinstance(value, list) else tensor(value),
}


def differs(program: Program, mode: str) -> bool:
    """Whether this mode gives the program something that no other one does."""
    kinds = {isinstance(argument, list) for argument in program.calls[0]}
    return mode == "tensors" or (mode == "items" and True in kinds) or len(kinds) == 2


CASES: Final = [(program, mode) for program in PROGRAMS for mode in MODES if differs(program, mode)]


LONG: Final = frozenset({("islands_by_sinking", "items")})
"""729 iterations under conditions, which are unrolled: a trace of 20 seconds."""


def shared(cases: list[tuple[Program, str]]) -> list[Any]:
    short = [(program, mode) for program, mode in cases if (program.name, mode) not in LONG]
    return one_in(3, short, several=True) + [pytest.param(*c, marks=pytest.mark.slow) for c in cases if c not in short]


@pytest.mark.parametrize(("program", "mode"), shared(CASES), ids=lambda part: getattr(part, "name", part))
def test_tensors_in_the_place_of_lists(program: Program, mode: str) -> None:
    staged = tf.function(program.function)
    if (program.name, mode) in REFUSED_LISTS:
        with pytest.raises(Exception, match=REFUSED_LISTS[program.name, mode][0]):
            staged(*map(MODES[mode], program.calls[0]))
        return
    for call in program.calls:
        wanted = plain(program.function(*copy.deepcopy(call)))
        found = plain(staged(*map(MODES[mode], copy.deepcopy(call))))
        assert alike(found, wanted), f"{program.name}{call}: {wanted!r} in Python, {found!r} staged"


@pytest.mark.parametrize("program", one_in(3, PROGRAMS, 1), ids=lambda p: p.name)
def test_python_values(program: Program) -> None:
    """Decorated, and called with Python's own lists and numbers."""
    for call in program.calls[:2]:
        given = copy.deepcopy(call)
        found, wanted = plain(tf.function(program.function)(*given)), plain(program.function(*copy.deepcopy(call)))
        assert near(found, wanted), f"{program.name}{call}: {wanted!r} in Python, {found!r} decorated"


def test_few_are_refused() -> None:
    cases = {(program.name, mode) for program, mode in CASES}
    assert cases >= set(REFUSED_LISTS)
    assert len(REFUSED_LISTS) <= 0.05 * len(cases)
