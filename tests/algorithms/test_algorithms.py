"""Each program as Python runs it, and as a Function that gets tensors: the same results, from one trace."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.algorithms import conversions, digits, number_theory, texts
from tests.algorithms.program import Program, programs_of
from tests.algorithms.refused import REFUSED, REFUSED_MIXED

PROGRAMS = programs_of(conversions, digits, number_theory, texts)


def plain(value: Any) -> Any:
    """Python's values in the place of tensors."""
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    value = value.numpy() if isinstance(value, tf.Tensor) else value
    value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    return [plain(part) for part in value] if isinstance(value, list) else _decoded(value)


def _decoded(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value


def alike(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(alike, found, wanted))
    if type(found) is not type(wanted):
        return False
    return math.isclose(found, wanted, rel_tol=1e-12) if isinstance(wanted, float) else bool(found == wanted)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_tensors_in_the_place_of_numbers(program: Program) -> None:
    staged = tf.function(program.function)
    calls = [[tf.constant(np.asarray(value)) for value in call] for call in program.calls]
    if program.name in REFUSED:
        with pytest.raises(Exception, match=REFUSED[program.name][0]):
            staged(*calls[0])
        return
    for call, tensors in zip(program.calls, calls, strict=True):
        found, wanted = plain(staged(*tensors)), plain(program.function(*call))
        assert alike(found, wanted), f"{program.name}{call}: {wanted!r} in Python, {found!r} staged"
    assert staged.experimental_get_tracing_count() == 1


MIXED = [
    (program, place) for program in PROGRAMS if len(program.calls[0]) > 1 for place in range(len(program.calls[0]))
]


@pytest.mark.parametrize(("program", "place"), MIXED, ids=lambda part: getattr(part, "name", str(part)))
def test_a_tensor_beside_python_values(program: Program, place: int) -> None:
    """One argument is a tensor, the others are Python's own numbers and texts."""
    staged = tf.function(program.function)
    for call in program.calls:
        given = [tf.constant(np.asarray(value)) if i == place else value for i, value in enumerate(call)]
        if (program.name, place) in REFUSED_MIXED:
            with pytest.raises(Exception, match=REFUSED_MIXED[program.name, place][0]):
                staged(*given)
            return
        found, wanted = plain(staged(*given)), plain(program.function(*call))
        assert near(found, wanted), f"{program.name}{call}, {place}: {wanted!r} in Python, {found!r} staged"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.name)
def test_python_values(program: Program) -> None:
    """Decorated, and called with Python's own numbers and texts."""
    for call in program.calls[:2]:
        found, wanted = plain(tf.function(program.function)(*call)), plain(program.function(*call))
        assert near(found, wanted), f"{program.name}{call}: {wanted!r} in Python, {found!r} decorated"


def near(found: Any, wanted: Any) -> bool:
    """Python's floats become float32 where a Function returns them."""
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(near, found, wanted))
    return math.isclose(found, wanted, rel_tol=1e-6) if isinstance(wanted, float) else bool(found == wanted)


def test_what_is_refused_exists() -> None:
    assert {p.name for p in PROGRAMS} >= set(REFUSED)
    assert len(REFUSED) <= 0.15 * len(PROGRAMS)
    assert {(program.name, place) for program, place in MIXED} >= set(REFUSED_MIXED)
    assert len(REFUSED_MIXED) <= 0.15 * len(MIXED)
