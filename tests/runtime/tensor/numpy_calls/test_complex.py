"""numpy's functions of complex numbers on tensors: what numpy gives, eagerly and staged, in numpy's dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime

CALLS: dict[str, Callable[..., Any]] = {
    "conj": np.conj, "real": np.real, "imag": np.imag, "angle": np.angle, "abs": np.abs, "exp": np.exp, "log": np.log,
    "sqrt": np.sqrt, "sin": np.sin, "tanh": np.tanh, "isnan": np.isnan, "isfinite": np.isfinite,
    "angle in degrees": lambda z: np.angle(z, deg=True), "vdot": lambda z: np.vdot(z, z + 1),
    "conj of a method": lambda z: z.conj() * z, "parts": lambda z: np.real(z) ** 2 + np.imag(z) ** 2,
    "sum": lambda z: np.sum(np.conj(z) * z), "weights": lambda z: np.bincount([1, 0, 1], np.real(z), 4),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128, np.float64])
@pytest.mark.parametrize("name", CALLS)
def test_complex_numbers(name: str, dtype: Any) -> None:
    z = np.array([1.0, 3.0, 0.5] if dtype == np.float64 else [1 + 2j, -3 - 1j, 0.5 + 0j]).astype(dtype)
    call = CALLS[name]
    wanted = call(z)
    for found in (call(runtime.constant(z)), runtime.function(lambda x: call(x))(z)):
        assert np.asarray(found).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-5)
