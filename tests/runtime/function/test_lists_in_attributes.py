"""Lists in attributes that a run makes longer or shorter on one way: the same objects as in plain Python, as long."""

from __future__ import annotations

import collections
import itertools
import warnings
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError

from . import programs_with_lists_in_attributes as programs

CALLS = (1.0, -2.0, 3.0, 4.0, -1.0, 2.5, 3.0)


def shown(value: Any) -> Any:
    """The value with Python's values in the place of tensors, and its types."""
    if isinstance(value, tf.Tensor | np.ndarray):
        return type(value) is np.ndarray, str(value.dtype), np.asarray(value).tolist()
    if isinstance(value, dict):
        return type(value), [(key, shown(held)) for key, held in value.items()]
    if isinstance(value, list | tuple | collections.deque):
        return type(value), [shown(held) for held in value]
    return type(value).__name__, shown(vars(value)) if hasattr(value, "__dict__") else value


def objects_in(value: Any) -> list[Any]:
    """The containers and arrays in a value, in order."""
    if isinstance(value, dict):
        return [value, *itertools.chain.from_iterable(map(objects_in, value.values()))]
    if isinstance(value, list | tuple | collections.deque):
        return [value, *itertools.chain.from_iterable(map(objects_in, value))]
    if isinstance(value, np.ndarray) or not hasattr(value, "__dict__") or isinstance(value, tf.Tensor):
        return [value] if isinstance(value, np.ndarray) else []
    return objects_in(vars(value))


def names(found: list[Any]) -> list[int]:
    """Which of some objects are one."""
    first: dict[int, int] = {}
    return [first.setdefault(id(value), place) for place, value in enumerate(found)]


def history(call: Any, model: Any) -> list[Any]:
    found, known = [], objects_in(model)
    for value in CALLS:
        result = float(call(tf.constant(value)))
        found.append((result, shown(vars(model)), names([*known, *objects_in(model)])))
        known += objects_in(model)
    return found


@pytest.mark.parametrize("kind", programs.PROGRAMS, ids=lambda kind: kind.__name__)
def test_as_in_plain_python(kind: Any) -> None:
    model = kind()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", tf.errors.RetracingWarning)
        function = tf.function(model.step)
        assert history(function, model) == history(kind.step.__get__(plain := kind()), plain)
    assert function.experimental_get_tracing_count() == 1 or kind not in programs.ONE_TRACE


def test_a_run_that_raises_leaves_the_list_as_it_was() -> None:
    class Log:
        def __init__(self) -> None:
            self.log: Any = []

        def step(self, x):
            if x > 0:
                self.log.append(x)
            assert x < 3, "large"
            return x

    model = Log()
    function = tf.function(model.step)
    function(tf.constant(1.0))
    with pytest.raises(AssertionError, match="large"):
        function(tf.constant(4.0))
    assert [float(v) for v in model.log] == [1.0]
    function(tf.constant(2.0))
    assert [float(v) for v in model.log] == [1.0, 2.0]


class Rows:
    def __init__(self) -> None:
        self.rows: Any = []
        self.current: Any = None
        self.weights = np.zeros(2)

    def left_as_well(self, x):
        row = [x]
        if x > 0:
            self.rows.append(row)
        self.current = row
        return x

    def left_in_the_branch(self, x):
        if x > 0:
            row = [x]
            self.rows.append(row)
            self.current = row
        return x

    def put_twice(self, x):
        row = [x]
        if x > 0:
            self.rows.append(row)
            self.rows.append(row)
        return x

    def put_in_each_iteration(self, x):
        row, i = [x], 0
        while i < x:
            self.rows.append(row)
            i += 1
        return x

    def read_and_left(self, x):
        if x > 0:
            self.rows.append([x])
            self.current = self.rows[-1]
        return x

    def array_of_the_program(self, x):
        if x > 0:
            self.rows.append(self.weights)
        return x

    def array_left_as_well(self, x):
        self.weights = self.weights + 1
        if x > 0:
            self.rows.append(self.weights)
        return x


@pytest.mark.parametrize("name", [name for name in vars(Rows) if not name.startswith("_")])
def test_elements_with_other_names_are_refused(name: str) -> None:
    model = Rows()
    with pytest.raises(StagingError):
        tf.function(getattr(model, name))(tf.constant(2.0))
    assert model.rows == [] and model.current is None and model.weights.tolist() == [0, 0]
