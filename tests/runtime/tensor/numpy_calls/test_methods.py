"""The methods and attributes of arrays on tensors and Variables, with numpy's values and dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import OperatorNotAllowedInGraphError
from tests.runtime.tensor.numpy_calls.test_functions import assert_same
from tests.runtime.test_numpy_front_end import VALUE, traced

METHODS: dict[str, Any] = {
    "sum": lambda x: x.sum(), "sum axis": lambda x: x.sum(1), "sum dtype": lambda x: x.sum(0, np.float64),
    "prod": lambda x: x.prod(axis=0), "mean": lambda x: x.mean(axis=1, keepdims=True), "std": lambda x: x.std(ddof=1),
    "var": lambda x: x.var(0), "min": lambda x: x.min(), "max": lambda x: x.max(-1), "argmin": lambda x: x.argmin(),
    "argmax": lambda x: x.argmax(axis=0), "any": lambda x: x.any(), "all": lambda x: x.all(1),
    "cumsum": lambda x: x.cumsum(), "cumprod": lambda x: x.cumprod(1), "dot": lambda x: x.dot(x[0]),
    "trace": lambda x: x.trace(), "diagonal": lambda x: x.diagonal(1), "ravel": lambda x: x.ravel(),
    "flatten": lambda x: x.flatten(), "squeeze": lambda x: x[:1].squeeze(), "swapaxes": lambda x: x.swapaxes(0, 1),
    "repeat": lambda x: x.repeat(2, axis=1), "take": lambda x: x.take([0, -1], axis=1), "clip": lambda x: x.clip(0, 1),
    "clip high": lambda x: x.clip(max=1), "round": lambda x: x.round(), "argsort": lambda x: x.argsort(kind="stable"),
    "nonzero": lambda x: x.nonzero(), "conj": lambda x: x.conj(), "compress": lambda x: x.compress([False, True], 0),
    "searchsorted": lambda x: x[0].searchsorted(1.5), "reshape": lambda x: x.reshape(3, 2),
    "reshape tuple": lambda x: x.reshape((3, -1)), "reshape one": lambda x: x.reshape(-1),
    "transpose": lambda x: x.transpose(), "transpose axes": lambda x: x.transpose(1, 0),
    "transpose tuple": lambda x: x.transpose((0, 1)), "T": lambda x: x.T, "mT": lambda x: x.mT,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag, "copy": lambda x: x.copy(), "astype": lambda x: x.astype(np.int32),
    "astype name": lambda x: x.astype("float64"), "astype float": lambda x: x.astype(float),
    "astype int": lambda x: x.astype(int), "astype bool": lambda x: x.astype(bool), "size": lambda x: np.add(x.size, x),
    "ndim": lambda x: np.add(x.ndim, x), "itemsize": lambda x: np.add(x.itemsize, x),
    "nbytes": lambda x: np.add(x.nbytes, x),
    "shape reversed": lambda x: x.reshape(x.shape[::-1]), "shape of another": lambda x: x.reshape(x.T.shape),
    "zeros of its dtype": lambda x: np.zeros(x.shape, x.dtype) + x,
    "dtype of floats": lambda x: np.add(x, int(np.issubdtype(x.dtype, np.floating))),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "int32", "float64"])
@pytest.mark.parametrize("name", METHODS)
def test_method(name: str, dtype: str) -> None:
    call, array = METHODS[name], VALUE.astype(dtype)
    wanted = call(array)
    assert_same(call(tf.constant(array)), wanted, "eager")
    assert_same(call(tf.Variable(array)), wanted, "Variable")
    for autograph in (True, False):
        assert_same(tf.function(call, autograph=autograph)(array), wanted, f"autograph={autograph}")
    if not name.startswith(("zeros of", "shape")):
        signature = [tf.TensorSpec([None, None], dtype)]
        assert_same(tf.function(call, input_signature=signature)(array), wanted, "unknown sizes")


def test_sizes_that_are_not_known() -> None:
    def f(x: Any) -> Any:
        return x.size, x.nbytes, x.sum() / x.size, x * np.shape(x)[0], np.zeros_like(x, shape=(np.shape(x)[0], 2))

    size, nbytes, mean, scaled, zeros = tf.function(f, input_signature=[tf.TensorSpec([None, 3], tf.float32)])(VALUE)
    assert int(size) == 6 and int(nbytes) == 24 and mean.dtype is tf.float32 and zeros.shape == (2, 2)
    np.testing.assert_allclose(mean, VALUE.mean(), rtol=1e-6)
    np.testing.assert_allclose(scaled, VALUE * 2)


def test_dtypes_compare_with_those_of_numpy() -> None:
    x = tf.constant(VALUE)
    assert x.dtype == np.float32 and np.float32 == x.dtype and np.dtype("float32") == x.dtype
    assert np.dtype(x.dtype) == np.float32 and x.dtype != np.float64 and x.dtype == "float32"
    assert x.dtype.itemsize == 4 and x.dtype.type is np.float32 and np.result_type(x.dtype, np.int32) == np.float64


def test_astype_by_a_rule() -> None:
    assert tf.constant([1]).astype(np.float64, casting="safe").dtype is tf.float64
    with pytest.raises(TypeError, match="float32 to int32 by the rule 'same_kind'"):
        tf.constant([1.0]).astype(np.int32, casting="same_kind")


def test_values_as_python_numbers() -> None:
    x = tf.constant(VALUE)
    assert x[0, 1].item() == 2.0 and type(x[0, 1].item()) is float and x.item(1, 0) == 3.0
    assert x.tolist() == VALUE.tolist() and x.tobytes() == VALUE.tobytes()
    assert tf.Variable(3).item() == 3


def test_a_number_of_the_run_is_one_of_pythons() -> None:
    x = VALUE.astype(np.float32)
    for call in (lambda x: x.sum().item() * x, lambda x: x.item(0) * x, lambda x: x.astype(int).item(1) + x):
        for given in (x, tf.constant(x)):
            found = np.asarray(tf.function(call)(given))
            assert found.dtype == np.float32
            np.testing.assert_allclose(found, call(x), rtol=1e-6)
    with pytest.raises(ValueError, match="can only convert an array of size 1"):
        traced(lambda x: x.item(), VALUE)


def test_values_that_are_not_there_yet() -> None:
    with pytest.raises(OperatorNotAllowedInGraphError, match=r"asked for its value by `\.tobytes\(\)`"):
        traced(lambda x: x.tobytes(), VALUE)
