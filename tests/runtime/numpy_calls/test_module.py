"""`runtime.numpy`: the calls of the families, with the module in the place of numpy; and the modes of promotion."""

from __future__ import annotations

import itertools
import warnings
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import numpy as tnp
from runtime.promotion import common_dtype
from runtime.tensor.numpy_calls.table import FUNCTIONS, name_of
from runtime.tensor.numpy_calls.ufuncs import UFUNCS
from tests.runtime.numpy_calls.families import VALUES, arguments_of
from tests.runtime.numpy_calls.test_families import compare, each_family, wanted_of


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
        if room == "scipy.special":
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


REAL = [np.bool_, np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64, np.float16]
REAL += [np.float32, np.float64, np.complex64, np.complex128]


def test_legacy_is_numpys_promotion() -> None:
    with tnp.experimental_enable_numpy_behavior():
        for a, b in itertools.product(REAL, REAL):
            x, y = tf.constant(np.ones(2, a)), tf.constant(np.ones(2, b))
            assert (x == y).numpy().all()
            if a is not np.bool_ or b is not np.bool_:
                assert (x * y).dtype.as_numpy_dtype is np.result_type(a, b).type
        assert (tf.constant(1) + 1.5).dtype is tf.float64
    with pytest.raises(TypeError, match="nothing is cast silently"):
        tf.constant(1) + tf.constant(1.5)


LATTICE = [
    ("uint8", "int8", "int16", False), ("uint8", "int16", "int16", True), ("uint32", "int32", "int64", False),
    ("uint64", "int64", "float64", False), ("int64", "float16", "float16", False), ("int8", "float16", "float16", True),
    ("int16", "float16", "float16", False), ("int32", "float32", "float32", False),
    ("int16", "float32", "float32", True), ("int32", "float64", "float64", True),
    ("int64", "float64", "float64", False), ("float16", "float32", "float32", True),
    ("bfloat16", "float16", "float32", False), ("uint8", "bfloat16", "bfloat16", True), ("bool", "int8", "int8", True),
    ("float64", "complex64", "complex128", False), ("float32", "complex64", "complex64", True),
    ("int32", "complex64", "complex64", False),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "expected", "is_safe"), LATTICE)
def test_all_and_safe_are_a_lattice(a: str, b: str, expected: str, is_safe: bool) -> None:
    x, y = (tf.cast(tf.constant([1, 0]), name) for name in (a, b))
    with tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all"):
        for first, second in ((x, y), (y, x)):
            assert (first == second).numpy().all()
            assert tf.function(lambda p, q: p * q)(first, second).dtype is tf.as_dtype(expected)
            assert common_dtype(first.dtype, second.dtype) is tf.as_dtype(expected)
    with tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="safe"):
        if is_safe:
            assert common_dtype(x.dtype, y.dtype) is tf.as_dtype(expected)
            assert (x == y).numpy().all()
        else:
            with pytest.raises(TypeError, match="mode 'safe'"):
                x == y


def test_numbers_of_python_in_the_modes() -> None:
    whole = tf.constant(1, tf.int16)
    with tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="safe"):
        assert (whole + 1).dtype is tf.int16
        with pytest.raises(TypeError, match="mode 'safe'"):
            whole + 1.5
    with tnp.experimental_enable_numpy_behavior(True, "all"):
        assert (whole + 1.5).dtype is tf.float32
        assert (tnp.zeros(2).dtype, tnp.arange(3).dtype) == (tf.float32, tf.int32)
        assert tnp.zeros(2, dtype=float).dtype is tf.float64
    assert tnp.zeros(2).dtype is tf.float64


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
