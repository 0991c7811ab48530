"""`z ** e` of complex arrays: numpy's operator calls another function for some exponents than np.power."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

Z = np.random.default_rng(0).normal(size=(300, 2)).view(np.complex128)[:, 0]


@pytest.mark.parametrize("exponent", [2, 2.0, 0.5, -1, -1.0, 0, 1, 3, -2, True, np.int64(2), np.float64(0.5), 2 + 0j])
@pytest.mark.parametrize("dtype", [np.complex128, np.complex64])
def test_powers_are_those_of_the_operator_to_the_last_bit(exponent: Any, dtype: Any) -> None:
    def program(z: Any) -> Any:
        out = z.copy()
        out **= exponent
        return z**exponent, out, np.power(z, exponent)

    z = Z.astype(dtype)
    for one, other in zip(tf.function(program, backend="numpy")(z), program(z), strict=True):
        np.testing.assert_array_equal(one, other)
        assert np.asarray(one).dtype == other.dtype
