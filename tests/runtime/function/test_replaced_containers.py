"""Containers in attributes that a call changes and then replaces: who has the old one sees it."""

from __future__ import annotations

import collections
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


class Model:
    """What the programs work on. Its attributes are those of the program."""

    def __init__(self) -> None:
        self.h: Any = [1.0, 2.0]
        self.d: Any = {"a": 1.0}
        self.q: Any = collections.deque([1.0, 2.0, 3.0])
        self.w: Any = np.ones(3)
        self.rows: Any = [np.arange(3.0), np.ones(3)]


def a_window(m, x):
    m.h.append(x)
    m.h = m.h[-3:]
    return m.h[0]


def a_window_when_it_is_full(m, x):
    m.h.append(x)
    if len(m.h) > 3:
        m.h = m.h[1:]
    return m.h[0]


def written_then_replaced(m, x):
    m.h[0] = x * 2
    m.h = [x, m.h[1]]
    return m.h[0]


def replaced_on_one_way(m, x):
    if x > 0:
        m.h[0] = x * 2
        m.h = [x]
    return m.h[0]


def grown_on_one_way_then_replaced(m, x):
    if x > 0:
        m.h.append(x)
    m.h = [x, x + 1]
    return m.h[0]


def a_dict(m, x):
    m.d["b"] = x
    m.d = {"a": x * 2}
    return m.d["a"]


def a_deque(m, x):
    m.q.append(x)
    m.q = collections.deque([x])
    return m.q[0]


def kept_in_another_attribute(m, x):
    m.h.append(x)
    m.d, m.h = {"old": m.h}, [x]
    return m.d["old"][0]


def an_array_is_appended(m, x):
    if x > 0:
        m.rows.append(m.w.copy())
    return x


def arrays_are_appended_in_a_loop(m, x):
    for _ in m.w:
        m.rows.append(m.w * 2)
    return x


PROGRAMS = [
    a_window, a_window_when_it_is_full, written_then_replaced, replaced_on_one_way, grown_on_one_way_then_replaced,
    a_dict, a_deque, kept_in_another_attribute, an_array_is_appended,
    arrays_are_appended_in_a_loop,
]  # fmt: skip


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items()}
    if isinstance(value, list | collections.deque):
        return [plain(held) for held in value]
    return np.asarray(value, float).tolist()


def history(function: Callable[..., Any], number: Callable[[float], Any]) -> list[Any]:
    """Results, contents and identities after each call, of all containers and arrays that were there."""
    m, known, found = Model(), list[Any](), list[Any]()

    def keep(value: Any) -> None:
        if isinstance(value, list | dict | collections.deque | np.ndarray):
            known.append(value)
        if isinstance(value, list | collections.deque):
            for part in value:
                keep(part)

    for call, x in enumerate((1.0, -2.0, 3.0, 0.5, 2.0)):
        if call == 3:  # the caller replaces them, too: by some that hold what another attribute has
            m.h, m.rows, m.d = [5.0, 7.0], [np.ones(3), m.w], {"a": 3.0}
        for value in vars(m).values():
            keep(value)
        result = plain(function(m, number(x)))
        places = [[other is value for other in known] for value in (*vars(m).values(), *m.rows)]
        found.append((result, plain(vars(m)), [plain(value) for value in known], places))
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_plain_python(program: Callable[..., Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.errors.RetracingWarning)
        assert history(tf.function(program), tf.constant) == history(program, float)


def test_appending_needs_one_trace_for_each_list_of_the_caller() -> None:
    function, m = tf.function(an_array_is_appended), Model()
    for _ in range(2):
        for _ in range(4):
            function(m, tf.constant(1.0))
        m.rows = [np.ones(3), m.w]
    assert function.experimental_get_tracing_count() == 2
