"""Arrays that are numpy's own until something that only the graph knows is written to them, in whatever way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def augmented(c: Any, x: Any) -> None:
    c += x
    c[:2] *= x


def given_out(c: Any, x: Any) -> None:
    np.add(c, x, out=c)
    np.cumsum(np.array([x, x]), out=c[:2])


def ufunc_at(c: Any, x: Any) -> None:
    np.add.at(c, [0, 0, 1], x)


def filled(c: Any, x: Any) -> None:
    c.fill(x)


def put(c: Any, x: Any) -> None:
    c.put([0], [x])


def flat(c: Any, x: Any) -> None:
    c.flat[0] = x


def all_flat(c: Any, x: Any) -> None:
    c.flat = [x, 2.0]


def sequence(c: Any, x: Any) -> None:
    c[...] = x, 2.0, x


def real(c: Any, x: Any) -> None:
    c.real = x


def imaginary(c: Any, x: Any) -> None:
    z = c + 0j
    z.imag = x
    c[:] = z.imag + z.real


WRITES = [augmented, given_out, ufunc_at, filled, put, flat, all_flat, sequence, real, imaginary]


@pytest.mark.parametrize("write", WRITES)
def test_what_is_written_is_seen(write: Callable[[Any, Any], None]) -> None:
    def made(x: float) -> Any:
        c = np.zeros(3)
        view = c[1:]
        write(c, x)
        return c, view

    assert_same(made, 5.0)


def test_what_no_array_asks_for_is_refused_as_before() -> None:
    import runtime as tf

    def f(x: Any) -> Any:
        return np.zeros(3)[0] + x.__float__()

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="Python `float`"):
        tf.function(f)(tf.constant(1.0))
