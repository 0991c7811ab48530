"""Lists, dicts and dataclasses of the caller that a function keeps in attributes: the caller's own, in each call."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


@dataclasses.dataclass
class Point:
    x: Any
    y: Any


class Model:
    saved: Any = None
    parts: Any = None
    last: Any = None


def keeps(m: Model, given: Any, x: Any) -> Any:
    m.saved = given
    return x * 2


def keeps_in_a_list(m: Model, given: Any, x: Any) -> Any:
    m.parts = [given, x]
    return x * 2


def keeps_a_part(m: Model, given: Any, x: Any) -> Any:
    m.saved = (given, given["b"] if isinstance(given, dict) else given)
    return x * 2


def keeps_twice(m: Model, given: Any, x: Any) -> Any:
    m.saved, m.last = given, m.saved
    return x * 2


def keeps_and_reads(m: Model, given: Any, x: Any) -> Any:
    first = m.saved[0] if isinstance(m.saved, list) else x
    m.saved = given
    return x + first


def keeps_on_one_way(m: Model, given: Any, x: Any) -> Any:
    if x > 1:
        m.saved = given
    else:
        m.saved = None
    return x


def keeps_and_changes(m: Model, given: Any, x: Any) -> Any:
    m.saved = given
    if isinstance(given, list):
        given.append(x)
    return x * 2


MAKES: dict[str, Callable[[float], Any]] = {
    "tensors": lambda k: [tf.constant(k), tf.constant(k + 1)],
    "numbers": lambda k: [k, k + 1],
    "the same numbers": lambda k: [1.0, 2.0],
    "arrays": lambda k: [np.full(2, k), np.ones(2)],
    "a dict": lambda k: {"a": tf.constant(k), "b": [1.0]},
    "a dataclass": lambda k: Point(tf.constant(k), np.ones(2)),
}


PROGRAMS: list[Any] = [keeps, keeps_in_a_list, keeps_a_part, keeps_on_one_way, keeps_and_changes]
CASES = [(program, makes) for program in PROGRAMS for makes in MAKES]
CASES += [(keeps_twice, makes) for makes in MAKES if "numbers" not in makes]
"""Without a tensor, what moves an object of the program is an effect of the trace, which a warning says."""


@pytest.mark.parametrize(("program", "makes"), CASES)
def test_what_is_kept_is_the_callers(program: Any, makes: str) -> None:
    mine, pythons = Model(), Model()
    staged = tf.function(lambda given, x: program(mine, given, x))
    arguments = [MAKES[makes](float(i % 3)) for i in range(5)]
    others = [MAKES[makes](float(i % 3)) for i in range(5)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, (given, other) in enumerate(zip(arguments, others, strict=True)):
            staged(given, tf.constant(float(i)))
            program(pythons, other, float(i))
            assert names(mine, arguments) == names(pythons, others)


def names(m: Model, arguments: list[Any]) -> Any:
    """By which arguments, or parts of them, the attributes are."""
    known: dict[int, Any] = {}
    for i, argument in enumerate(arguments):
        known[id(argument)] = i
        parts = vars(argument) if isinstance(argument, Point) else argument if isinstance(argument, dict) else {}
        known.update((id(part), (i, key)) for key, part in parts.items() if isinstance(part, list | np.ndarray))

    def name(value: Any) -> Any:
        if value is None or id(value) in known:
            return known.get(id(value))
        return [name(part) for part in value] if isinstance(value, list | tuple) else "other"

    return {key: name(value) for key, value in vars(m).items()}


def test_what_is_read_of_a_kept_list_is_what_it_holds() -> None:
    mine, pythons = Model(), Model()
    staged = tf.function(lambda given, x: keeps_and_reads(mine, given, x))
    for i in range(4):
        given, other = [tf.constant(float(i))], [float(i)]
        assert float(staged(given, tf.constant(1.0))) == keeps_and_reads(pythons, other, 1.0)
        given[0], other[0] = tf.constant(10.0 + i), 10.0 + i


def test_a_trace_by_itself_does_not_know_the_callers() -> None:
    mine = Model()
    staged = tf.function(lambda given, x: keeps(mine, given, x))
    kept = staged.get_concrete_function([tf.constant(1.0)], tf.constant(1.0))
    with pytest.raises(tf.errors.InvalidArgumentError, match="changes or keeps 'given', .* call the Function itself"):
        kept([tf.constant(1.0)], tf.constant(1.0))
