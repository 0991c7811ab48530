"""Every program in every mode: what NumPy gives, with NumPy's dtypes, and the caller's arrays as NumPy leaves them."""

from __future__ import annotations

import pytest

import runtime as tf
from benchmarks.numpy_sizes import SIZES
from tests.algorithms.program import Program, programs_of
from tests.numpy_programs import (
    codes,
    curves,
    dynamic_programming,
    graphs,
    iterations,
    learning,
    linear_algebra,
    odes,
    probability,
    roots,
    signals,
)
from tests.numpy_programs.comparing import MODES, assert_same, given
from tests.numpy_programs.refused import REFUSED
from tests.one_in import one_in

PROGRAMS = programs_of(
    codes, curves, dynamic_programming, graphs, iterations, learning, linear_algebra, odes, probability, roots, signals
)


def has_mode(program: Program, mode: str) -> bool:
    """Whether the mode gives other arguments than Python's."""
    return mode == "arrays" or any(given(value, mode) is not value for value in program.calls[0])


CASES = [(program, mode) for program in PROGRAMS for mode in MODES if has_mode(program, mode)]


@pytest.mark.parametrize(
    ("program", "mode"), one_in(5, CASES, several=True), ids=lambda v: v if isinstance(v, str) else v.name
)
def test_program(program: Program, mode: str) -> None:
    staged = tf.function(program.function)
    calls = program.calls[:1] if mode == "numbers" else program.calls
    if (program.name, mode) in REFUSED:
        with pytest.raises(Exception, match=REFUSED[program.name, mode][0]):
            for call in calls:
                assert_same(program.function, call, mode, staged)
        return
    for call in calls:
        assert_same(program.function, call, mode, staged)


def test_names_are_of_one_program() -> None:
    names = [program.name for program in PROGRAMS]
    assert len(names) == len(set(names))


def test_what_is_refused_exists() -> None:
    assert {(program.name, mode) for program, mode in CASES} >= set(REFUSED)


def test_what_the_benchmark_has_sizes_for_exists() -> None:
    assert {program.name for program in PROGRAMS} >= set(SIZES)
