"""Programs with lists whose lengths depend on tensors: Python's answers for values, for tensors and unknown lengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.one_in import one_in
from tests.runtime.comparing import observe
from tests.runtime.control_flow import (
    programs_with_grown_lists,
    programs_with_iterables,
    programs_with_lists,
    programs_with_lists_of_lists,
    programs_with_rows,
    programs_with_runs,
    programs_with_shared_lists,
)

_MODULES = (
    programs_with_lists, programs_with_grown_lists, programs_with_iterables, programs_with_lists_of_lists,
    programs_with_rows, programs_with_runs, programs_with_shared_lists,
)  # fmt: skip
PROGRAMS = [
    (program, samples) for module in _MODULES for programs, samples in module.PROGRAMS for program in programs
]


@pytest.mark.parametrize(
    ("program", "samples"), one_in(3, PROGRAMS, several=True), ids=[program.__name__ for program, _ in PROGRAMS]
)
def test_same_as_python(program: Callable[..., Any], samples: Any) -> None:
    specs = [tf.TensorSpec([None] if isinstance(value, list) else [], tf.int32) for value in samples[0]]
    of_any_length = tf.function(program, input_signature=specs)
    of_known_length, by_values = tf.function(program), tf.function(program)
    of_any_length.get_concrete_function()  # an error of the trace is not one of the program
    for args in samples:
        expected, _ = observe(program, *args)
        for staged, given in ((of_any_length, args), (of_known_length, map(tf.constant, args)), (by_values, args)):
            result, _ = observe(staged, *given)
            if isinstance(expected, Exception):
                assert isinstance(result, type(expected)), f"{args}: {expected!r} in Python, {result!r} staged"
            else:
                assert result == expected, args
