"""`a.view(dtype)`: the same memory as numbers of another dtype, in both directions and through other views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.ndarrays.comparing import assert_same

X = np.array([1.5, -2.0, 0.1], np.float32)
TABLE = np.arange(8.0).reshape(2, 4)


def sign_of_the_first(x: Any) -> Any:
    bits = x.view(np.int32)
    bits[0] ^= -(2**31)
    return bits, bits.dtype == np.int32


def narrower(x: Any) -> Any:
    each = x.view(np.uint8)
    each[3] = 0
    return each


def wider(x: Any) -> Any:
    pairs = x.view(np.complex128)
    pairs[0, 0] = 9 + 1j
    pairs *= 2
    return pairs, x.view(complex)[1], pairs[:, 1:].view(float)


def in_a_loop(x: Any) -> Any:
    bits, total = x.view(np.uint32), 0
    for i in range(len(bits)):
        total += int(bits[i] >> np.uint32(23))
        bits[i] += 1
    return total * 1.0, bits


def back_again(x: Any) -> Any:
    return x.view("i4").view(np.float32), x.view("i2"), x[::-2].view(np.int32), x.view(), x.view(np.ndarray)


def of_flags(x: Any) -> Any:
    flags = (x > 0).view(np.uint8)
    flags[0] = 5
    return flags, x[0].view(np.int32), (x[1] * 2).view(np.uint32) & np.uint32(255)


def inverse_root(x: Any) -> Any:
    x *= x
    guess = (0x5F3759DF - (x.view(np.int32) >> 1)).view(np.float32)
    return guess * (1.5 - 0.5 * x * guess * guess)


@pytest.mark.parametrize("program", [sign_of_the_first, narrower, in_a_loop, back_again, of_flags, inverse_root])
def test_bits_of_floats(program: Callable[..., Any]) -> None:
    assert_same(program, X)


def test_pairs_of_floats_are_complex_numbers() -> None:
    assert_same(wider, TABLE)


def test_numpy_says_what_is_no_view() -> None:
    with pytest.raises(ValueError, match="the last axis must be contiguous"):
        tf.function(lambda x: x[:, ::2].view(np.complex128))(TABLE)
    with pytest.raises(ValueError, match="must be a divisor"):
        tf.function(lambda x: x[:, :3].view(np.complex128))(TABLE)
    with pytest.raises(ValueError, match="0d array"):
        tf.function(lambda x: x[0, 0].view(np.int32))(TABLE)


class Named(np.ndarray):
    """Arrays of a class of the program's own."""


def test_other_classes_of_arrays_are_refused() -> None:
    for kind in (np.recarray, Named):
        with pytest.raises(TypeError, match="as another class of array"):
            tf.function(lambda x, kind=kind: x.view(kind))(TABLE)
