"""ndarrays that a function makes, and writes to: views share their memory, in branches and loops and helpers too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.ndarrays.comparing import assert_same


def view(x: float) -> Any:
    a = np.zeros((2, 2))
    r = a.ravel()
    r[0] = x
    return a


def two_names(x: float, n: int) -> Any:
    out = np.zeros(5)
    other = out
    for i in range(n):
        out[i] = x
    other[0] = 7
    return out


def turned(x: float) -> Any:
    a = np.arange(6.0).reshape(2, 3)
    t = a.T
    if x > 0:
        t[0] = x
    else:
        a += 1
    rows = [r for r in a]
    rows[1][:] = 0
    return a, t


def known_values_in_a_branch(x: float) -> Any:
    a = np.ones(3)
    part = a[1:]
    if x > 0:
        part[0] = 5
    return a * 2


def first(x: float) -> Any:
    a = np.zeros((3, 2))
    top = a[0]
    for i in range(3):
        a[i] = i + x
    return top, a


def known_elements_change(x: float) -> Any:
    a = np.zeros(3)
    part = a[1:]
    before = part * x
    a[1] = 5.0
    a[0] = x
    between = part * x
    part[1] = 2.0
    return before, between, part * x


def put(a: Any, x: Any) -> None:
    a[0] = x


def helper(x: float) -> Any:
    a = np.zeros(2)
    put(a, x)
    put(a[1:], x * 2)
    return a


def rebound(x: float, n: int) -> Any:
    a = np.ones(2)
    for _ in range(n):
        a = a * x
    return a, a[1:]


def known_decisions(x: float) -> Any:
    mask = np.array([True, False, True])
    sizes = np.arange(3)
    out = np.zeros(3)
    for i in range(3):
        if mask[i]:
            out[i] = x
    return [out, np.zeros(int(sizes[2]))]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (view, (3.0,)), (two_names, (2.0, 4)), (turned, (2.0,)), (turned, (-2.0,)),
        (known_values_in_a_branch, (1.0,)), (known_values_in_a_branch, (-1.0,)), (first, (1.0,)), (helper, (3.0,)),
        (rebound, (2.0, 3)), (known_decisions, (4.0,)), (known_elements_change, (3.0,)),
    ],
)  # fmt: skip
def test_programs(function: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(function, *arguments)


def test_shuffles_are_those_of_the_graph() -> None:
    with pytest.raises(TypeError, match=r"a\[:\] = runtime.random.shuffle\(a\)"):
        tf.function(lambda a: np.random.shuffle(a))(np.arange(6.0).reshape(3, 2))

    @tf.function
    def f(a: Any) -> None:
        a[:] = tf.random.shuffle(a)

    seen = set()
    for _ in range(20):
        a = np.arange(8.0).reshape(4, 2)
        f(a)
        assert sorted(a[:, 0]) == [0.0, 2.0, 4.0, 6.0]
        seen.add(tuple(a[:, 0]))
    assert len(seen) > 1


def drawn(x: float) -> Any:
    a = np.random.RandomState(3).rand(2)
    a += x
    b = np.random.default_rng(3).normal(size=(2, 2))
    np.multiply(b, x, out=b)
    b[1] -= a
    return a, b


def test_made_by_generators_of_random_numbers() -> None:
    assert_same(drawn, 2.5)
