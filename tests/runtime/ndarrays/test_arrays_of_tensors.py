"""`np.array` of numbers that only the graph knows is an array: what is written to it is seen under all its names.

    b = np.array([x, 1.0])
    part = b[1:]
    part[0] = 7.0          # seen in `b`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def two_names(x: Any, n: Any) -> Any:
    b = np.array([x, 1.0])
    c = b
    c[1] += 5
    return b, c


def a_view(x: Any, n: Any) -> Any:
    b = np.array([x, 1.0, 2.0])
    part = b[::-1]
    part[0] = 4.0
    b.reshape(3, 1)[1] = x
    return b, part


def in_place(x: Any, n: Any) -> Any:
    b = np.asarray((x, 1.0))
    c = b
    c += 5
    return b


def in_a_list(x: Any, n: Any) -> Any:
    b = np.array([x, 1.0])
    pair = [b, np.zeros(2)]
    pair[0], pair[1] = pair[1], pair[0]
    pair[1][1] += x
    return b


def chosen_from_a_list(x: Any, n: Any) -> Any:
    rows = [np.array([x, 1.0]), np.array([x, 2.0])]
    row = rows[n % 2]
    row[0] += 4
    return rows


def in_an_attribute(x: Any, n: Any) -> Any:
    class Holder:
        v: Any

    b = np.array([x, 1.0])
    holder = Holder()
    holder.v = b
    holder.v[0] = 5.0
    holder.v += 1
    return b


def by_a_helper(x: Any, n: Any) -> Any:
    def put(v: Any) -> None:
        v[0] = 8.0

    b = np.array([x, 1.0])
    put(b)
    return b


def rows_of_it(x: Any, n: Any) -> Any:
    b = np.array([[x, 1.0], [1.0, x]])
    for row in b:
        row[0] *= 4
    return b


def in_a_loop(x: Any, n: Any) -> Any:
    b = np.array([v * x for v in range(3)])
    for _ in range(n):
        c = b
        c[1:] += x
    return b


def by_methods(x: Any, n: Any) -> Any:
    b = np.array([x, 1.0, 0.5])
    c = b
    c.sort()
    c[1:].fill(x)
    c.flat[0] += 1
    return b


def all_by_flat(x: Any, n: Any) -> Any:
    b = np.array([x, 1.0])
    c = b
    c.flat = x + 1
    return b


def by_functions(x: Any, n: Any) -> Any:
    b = np.array([x, 1.0, 2.0])
    c = b
    np.add(c, 1, out=c)
    np.copyto(c[1:], x)
    np.put(c, [0], 7)
    np.add.at(c, [0, 0], x)
    return b


def parts_of_complex_numbers(x: Any, n: Any) -> Any:
    b = np.array([x, 1.0]) + 1j
    c = b
    c.imag = x
    c.real[0] = 7.0
    return b


PROGRAMS: list[Callable[..., Any]] = [
    two_names, a_view, in_place, in_a_list, chosen_from_a_list, in_an_attribute, by_a_helper, rows_of_it, in_a_loop,
    by_methods, all_by_flat, by_functions, parts_of_complex_numbers,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_numpy(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for x, n in ((1.5, 3), (-1.25, 2), (0.375, 0)):
        found = function(tf.constant(x, tf.float64), tf.constant(n, tf.int64))
        for part, wanted in zip(found, program(x, n), strict=True):
            np.testing.assert_array_equal(np.asarray(part), wanted)


@pytest.mark.parametrize("name", ["real", "imag", "flat"])
def test_parts_of_tensors_are_not_set(name: str) -> None:
    x = tf.constant([1.0, 2.0])
    with pytest.raises(TypeError, match=f"x.{name} = ... would change a tensor in place"):
        setattr(x, name, 1.0)
    with pytest.raises(TypeError, match=f"x.{name} = ... would change a tensor in place"):
        tf.function(lambda v: setattr(v, name, 1.0))(x)


def test_tensors_have_no_flat() -> None:
    assert not hasattr(tf.constant([1.0]), "flat")
