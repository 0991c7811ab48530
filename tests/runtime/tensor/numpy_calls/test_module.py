"""`runtime.numpy`: the calls of the families, with the module in the place of numpy."""

from __future__ import annotations

import warnings
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import numpy as tnp
from runtime.tensor.numpy_calls.table import FUNCTIONS, name_of
from runtime.tensor.numpy_calls.ufuncs import UFUNCS
from tests.runtime.tensor.numpy_calls.families import VALUES, arguments_of
from tests.runtime.tensor.numpy_calls.test_families import compare, each_family, wanted_of


def through_the_module(call: Any) -> Any:
    """The same call, in which `np` is the module."""
    names = {**call.__globals__, "np": tnp}
    return FunctionType(call.__code__, names, call.__name__, call.__defaults__, call.__closure__)


def results(family: ModuleType, given: Any) -> dict[str, Any]:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            name: through_the_module(call)(*(given[argument] for argument in arguments_of(call)))
            for name, call in family.CALLS.items() if name not in getattr(family, "OF_NUMPY", ())
        }


@each_family
def test_it_gives_what_numpy_gives(family: ModuleType) -> None:
    tensors = {name: tf.constant(value) for name, value in VALUES.items()}
    compare(family, results(family, tensors), wanted_of(family))


@each_family
def test_it_takes_arrays_and_gives_tensors(family: ModuleType) -> None:
    found = results(family, VALUES)
    compare(family, found, wanted_of(family))


def test_every_function_that_is_recorded_is_there() -> None:
    for function in (*FUNCTIONS, *UFUNCS):
        room, _, name = name_of(function).rpartition(".")
        if room.startswith("scipy."):
            continue
        place = getattr(tnp, room) if room else tnp
        if hasattr(getattr(np, room) if room else np, name):  # some are in other modules of numpy
            assert callable(getattr(place, name)), name_of(function)
    assert tf.experimental.numpy is tnp
    assert {"sum", "linalg", "experimental_enable_numpy_behavior"} <= set(dir(tnp))
    assert "svd" in dir(tnp.linalg)


def test_numbers_lists_constants_and_dtypes() -> None:
    assert tnp.sin(1).dtype is tf.float64
    assert tnp.add(1, 2).dtype is tf.int64
    assert tnp.array([[1, 2], [3, 4.5]]).dtype is tf.float64
    assert tnp.ones(2, dtype=tnp.float32).dtype is tf.float32
    assert tnp.shape([[1, 2]]) == (1, 2)
    assert tnp.pi == np.pi
    assert tnp.finfo(tnp.float32).bits == 32
    assert isinstance(tnp.zeros(3), tnp.ndarray)
    assert tnp.maximum.accumulate([1, 3, 2]).numpy().tolist() == [1, 3, 3]
    x = tf.constant([1.0])
    assert tnp.array(x) is not x


def test_in_a_function_arrays_stay_arrays() -> None:
    @tf.function
    def f(a: Any) -> Any:
        tnp.reshape(a, (4,))[0] = 9.0
        return tnp.sum(a), tnp.linalg.norm(tnp.zeros(2) + 3.0)

    given = np.ones((2, 2))
    total, length = f(given)
    assert float(total) == 12.0
    assert given[0, 0] == 9.0
    assert float(length) == pytest.approx(np.sqrt(18.0))


def test_gradients() -> None:
    x = tf.constant([1.0, 2.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tnp.sum(tnp.outer(x, x) * tnp.log(x))
    expected = 2 * np.log(2.0) + 3 * (np.log([1.0, 2.0]) + 1)
    assert tape.gradient(y, x).numpy() == pytest.approx(expected)


def test_draws() -> None:
    tnp.random.seed(4)
    assert tnp.random.randn(2, 3).shape.as_list() == [2, 3]
    assert tnp.random.rand().dtype is tf.float64
    drawn = tnp.random.randint(3, 5, size=100).numpy()
    assert set(drawn.tolist()) == {3, 4}
    again = tf.function(lambda: tnp.random.uniform(size=2))
    assert (again() != again()).numpy().all()


@pytest.mark.parametrize(("name", "words"), [
    ("save", "see runtime.io"), ("packbits", "left_shift"), ("vectorize", "vectorized_map"), ("sumx", "no attribute"),
])  # fmt: skip
def test_what_is_not_there_says_what_to_take(name: str, words: str) -> None:
    with pytest.raises(AttributeError, match=words):
        getattr(tnp, name)


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="dtype_conversion_mode is one of 'off', 'legacy'"):
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="lax")
    with pytest.raises(TypeError, match="prefer_float32"):
        tnp.experimental_enable_numpy_behavior("yes")
    with (
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all"),
        pytest.raises(TypeError),
    ):
        tf.constant("a") + tf.constant(1)
