"""`np.nditer` over arrays of the graph, as numpy's own pages use it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.ndarrays.comparing import assert_same


def doubled(a: Any, x: Any) -> Any:
    with np.nditer(a, op_flags=["readwrite"]) as it:
        for v in it:
            v[...] = 2 * v + x
    return a


def clipped(a: Any, x: Any) -> Any:
    for v in np.nditer(a, op_flags=[["readwrite"]], order="F"):
        if v > x:
            v[...] = x
    return a


def until_one_is_larger(a: Any, x: Any) -> Any:
    for v in np.nditer(a[:, ::-1], op_flags=["readwrite"]):
        if v > x:
            break
        v[...] = 0
    return a


def weighted(a: Any, x: Any) -> Any:
    b, s = a * x, 0.0
    it = np.nditer(b, flags=["multi_index"])
    for v in it:
        i, j = it.multi_index
        s = s + v * (i + 2 * j)
    return s


def by_its_index(a: Any, x: Any) -> Any:
    with np.nditer(a, flags=["multi_index"], op_flags=["writeonly"]) as it:
        while not it.finished:
            it[0] = it.multi_index[1] - it.multi_index[0] + x
            it.iternext()
    return a


def by_a_number(a: Any, x: Any) -> Any:
    out = []
    it = np.nditer(a, flags=["f_index"])
    while not it.finished:
        out.append(it[0] * it.index + x)
        it.iternext()
    return np.array(out)


def side_by_side(a: Any, x: Any) -> Any:
    s = 0.0
    for u, v in np.nditer([np.arange(3.0), a]):
        s += u * v * x
    return s


def allocated(a: Any, x: Any) -> Any:
    with np.nditer([a.T, None]) as it:
        for u, v in it:
            v[...] = u * u + x
        return it.operands[1]


def into_another(a: Any, x: Any) -> Any:
    b = np.empty((2, 3))
    with np.nditer([a, b], [], [["readonly"], ["writeonly"]]) as it:
        for u, v in it:
            if u > x:
                v[...] = u * u
            else:
                v[...] = -u
    return b


def outer(a: Any, x: Any) -> Any:
    b = np.array([1.0, 2.0]) * x
    it = np.nditer([a[0], b, None], flags=["external_loop"], op_axes=[[0, -1], [-1, 0], None])
    with it:
        for u, v, w in it:
            w[...] = u * v
        return it.operands[2]


def reduced(a: Any, x: Any) -> Any:
    total = np.array(0.0)
    with np.nditer([a, total], ["reduce_ok"], [["readonly"], ["readwrite"]]) as it:
        for u, v in it:
            v[...] += u * x
    return total


def in_chunks(a: Any, x: Any) -> Any:
    for v in np.nditer(a, flags=["external_loop"], op_flags=["readwrite"]):
        v *= x
    s = 0.0
    for v in np.nditer(a, flags=["external_loop"], order="F"):
        s = s + v.sum() * v[0]
    for v in np.nditer(a[::2, ::2], flags=["external_loop"]):
        s = s + v.sum()
    return s


def of_another_dtype(a: Any, x: Any) -> Any:
    s = 0
    for v in np.nditer(a, flags=["buffered"], op_dtypes=["int64"], casting="unsafe"):
        s = s + v
    return s


def again_and_a_copy(a: Any, x: Any) -> Any:
    it = np.nditer(a)
    first = next(it)
    other = it.copy()
    s = first * next(it) + other.value * x
    it.reset()
    return s + it.value + len(it) + it.itersize


PROGRAMS = [
    doubled, clipped, until_one_is_larger, weighted, by_its_index, by_a_number, side_by_side, allocated, into_another,
    outer, reduced, in_chunks, of_another_dtype, again_and_a_copy,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_it_is_numpy_s(program: Callable[..., Any]) -> None:
    for x in (1.5, -2.0):
        assert_same(program, np.arange(6.0).reshape(2, 3), np.float64(x), numbers="staged")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_of_arrays_that_the_function_has_made(program: Callable[..., Any]) -> None:
    @tf.function
    def of_its_own(a: Any, x: Any) -> Any:
        return program(a + 1.0, x)

    a = np.arange(6.0).reshape(2, 3)
    found = of_its_own(a, tf.constant(0.5, tf.float64))
    np.testing.assert_allclose(found, program(a + 1.0, 0.5), rtol=1e-12)


def test_what_is_only_read_cannot_be_written_to() -> None:
    @tf.function
    def program(a: Any, x: Any) -> None:
        for v in np.nditer(a):
            v[...] = x

    with pytest.raises(ValueError, match="read-only"):
        program(np.arange(6.0), tf.constant(1.0, tf.float64))


def test_a_tensor_cannot_move_it() -> None:
    @tf.function
    def program(a: Any, x: Any) -> Any:
        it = np.nditer(a, op_flags=["readwrite"])
        if x > 0:
            it.iternext()
        it[0] = 5.0
        return a

    with pytest.raises(StagingError, match="iterator of the variable 'it' is changed inside a branch"):
        program(np.arange(6.0), tf.constant(1.0, tf.float64))
