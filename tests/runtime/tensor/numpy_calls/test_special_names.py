"""SciPy's special functions that have no operation: refused with what to take, and SciPy is never imported for it."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import scipy.special as sc

import runtime as tf
from runtime.tensor.numpy_calls.special import FUNCTIONS, INSTEAD, UFUNC_ROWS

X = tf.constant([0.5, 1.5])

REFUSED = {
    "erfcx": lambda x: sc.erfcx(x), "ndtri": lambda x: sc.ndtri(x), "beta": lambda x: sc.beta(x, 2),
    "comb": lambda x: sc.comb(x, 2), "j0": lambda x: sc.j0(x), "boxcox": lambda x: sc.boxcox(x, 2),
    "legendre": lambda x: sc.eval_legendre(2, x), "factorial": lambda x: sc.factorial(x),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_others_are_refused_with_what_to_take(name: str) -> None:
    for given in (X, np.array([0.5, 1.5])):
        with pytest.raises(TypeError, match=rf"scipy\.special\.\w*{name} cannot be recorded") as caught:
            tf.function(REFUSED[name])(given)
        assert INSTEAD.get(name, "runtime.py_function") in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: sc.logsumexp(x, b=2.0), lambda x: sc.softmax(x, axis=(0, 1)), lambda x: sc.polygamma(x, x),
        lambda x: sc.erf(np.multiply(x, 1j)),
    ],
)  # fmt: skip
def test_arguments_without_an_operation(call: Any) -> None:
    with pytest.raises(TypeError, match=r"scipy\.special\.\w+ with other arguments is recorded"):
        tf.function(call)(tf.constant([[0.5, 1.5]]))


def test_what_is_to_be_taken_is_there() -> None:
    for what in INSTEAD.values():
        for path in re.findall(r"\bruntime(?:\.\w+)+", what):
            place: Any = tf
            for part in path.split(".")[1:]:
                place = getattr(place, part)
    assert {name for name in (*UFUNC_ROWS, *FUNCTIONS, *INSTEAD) if not hasattr(sc, name)} <= {"softplus"}  # of 1.15


def test_calls_without_tensors_are_scipys() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return x + sc.erfcx(0.5) + sc.comb(5, 2)

    np.testing.assert_allclose(f(X).numpy(), X.numpy() + np.float32(sc.erfcx(0.5) + 10), rtol=1e-6)


def test_scipy_is_not_imported_for_it() -> None:
    code = "import sys, runtime as tf; tf.function(lambda x: x + 1)(1.0); print('scipy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
