"""Every numpy function that operations stand for: plain numpy and Functions give one value, dtype and shape."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.tensor.numpy_calls.ufuncs import UFUNCS
from tests.one_in import one_in
from tests.runtime.tensor.numpy_calls.calls import COUNTS, MATRIX, NOT_OF, SQUARE

pytestmark = pytest.mark.filterwarnings("ignore:numpy.fix is deprecated")

DTYPES = ("float64", "float32", "int64", "int32", "uint8", "bool")
TOLERANCE = {"float16": 2e-3, "float32": 1e-5, "complex64": 1e-5}


def matrix(dtype: str, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.integers(0, 2, (3, 4)).astype(bool)
    if dtype.startswith("float"):
        return rng.uniform(-3, 3, (3, 4)).astype(dtype)
    return rng.integers(0 if dtype == "uint8" else -3, 5, (3, 4)).astype(dtype)


def assert_same(found: Any, wanted: Any, what: str = "", width: float | None = None) -> None:
    """One structure, and equal values, dtypes and shapes in it. width: how close, unless as its dtype is."""
    if isinstance(wanted, list | tuple):
        assert isinstance(found, list | tuple) and len(found) == len(wanted), what
        for one, other in zip(found, wanted, strict=True):
            assert_same(one, other, what, width)
        return
    array, reference = np.asarray(found), np.asarray(wanted)
    if isinstance(wanted, np.ndarray | np.generic):
        assert array.dtype == reference.dtype, f"{what}: {array.dtype}, numpy has {reference.dtype}"
    assert array.shape == reference.shape, f"{what}: {array.shape}, numpy has {reference.shape}"
    width = TOLERANCE.get(array.dtype.name, 1e-10) if width is None else width
    np.testing.assert_allclose(array, reference, rtol=width, atol=width, err_msg=what)


def compare(call: Any, *arrays: np.ndarray) -> None:
    """Plain numpy against eager tensors and Functions of both kinds, with sizes that are known and that are not."""
    with np.errstate(all="ignore"):
        wanted = call(*arrays)
    assert_same(call(*map(tf.constant, arrays)), wanted, "eager")
    for autograph in (True, False):
        assert_same(tf.function(call, autograph=autograph)(*arrays), wanted, f"autograph={autograph}")


@pytest.mark.parametrize(("name", "dtype"), one_in(3, itertools.product(MATRIX, DTYPES), several=True))
def test_function_of_a_matrix(name: str, dtype: str) -> None:
    if name not in NOT_OF.get(dtype, ()):
        compare(MATRIX[name], matrix(dtype))


NEEDS_SIZES = {
    "split",
    "array_split",
    "hsplit",
    "vsplit",
    "dsplit",
    "unstack",
    "cross",
    "correlate",
    "array_equal",
    "shape",
    "size",
}
"""What has to know how many elements there are along an axis."""


@pytest.mark.parametrize("name", [name for name in MATRIX if name not in NEEDS_SIZES])
def test_function_of_a_matrix_of_unknown_size(name: str) -> None:
    x = matrix("float32", 1)
    call = tf.function(MATRIX[name], input_signature=[tf.TensorSpec([None, None], tf.float32)])
    assert_same(call(x), MATRIX[name](x))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
@pytest.mark.parametrize("name", SQUARE)
def test_function_of_a_square_matrix(name: str, dtype: str) -> None:
    compare(SQUARE[name], (matrix(dtype)[:, :3] + 9 * np.eye(3)).astype(dtype))


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8"])
@pytest.mark.parametrize("name", COUNTS)
def test_function_of_counts(name: str, dtype: str) -> None:
    compare(COUNTS[name], np.array([3, 0, 5, 2, 2, 1], dtype))


def test_nan_is_left_out() -> None:
    x = np.array([[1.0, np.nan, 3.0], [np.nan, np.nan, np.nan]])
    for function in (np.nansum, np.nanprod, np.nancumsum, np.nanmax, np.nanmin, np.nanmean, np.nanvar, np.nanstd):
        with np.errstate(all="ignore"), pytest.warns() if function in WARNING else np.errstate():
            wanted = function(x, axis=1)
        assert_same(tf.function(lambda a, function=function: function(a, axis=1))(x), wanted, function.__name__)


WARNING = {np.nanmax, np.nanmin, np.nanmean, np.nanvar, np.nanstd}
"""numpy warns of a slice of nan alone."""


def test_nan_in_others() -> None:
    x = np.array([[1.0, np.nan, 3.0], [4.0, -np.inf, np.inf]])
    for call in (
        lambda a: np.median(a, axis=1),
        lambda a: np.nan_to_num(a),
        lambda a: np.isclose(a, a, equal_nan=True),
        lambda a: np.argmax(a),
        lambda a: np.fmax(a, 2),
        lambda a: np.fmin(2, a),
        lambda a: np.array_equal(a, a, equal_nan=True),
        lambda a: np.sort(a),
        lambda a: np.interp(a, [1.0, 2.0], [5.0, 6.0]),
        lambda a: np.max(a),
        lambda a: np.heaviside(a, 0.5),
        lambda a: np.modf(a)[1],
        lambda a: np.nan_to_num(a, nan=1, posinf=2, neginf=3),
    ):
        compare(call, x)


OF_ALL = ["float64", "float32", "float16", "int64", "int32", "int8", "uint8", "bool"]


@pytest.mark.parametrize(
    ("ufunc", "dtype"), one_in(3, itertools.product(UFUNCS, OF_ALL), several=True),
    ids=lambda part: getattr(part, "__name__", part),
)  # fmt: skip
def test_ufunc(ufunc: np.ufunc, dtype: str) -> None:
    rng = np.random.default_rng(2)
    number = dtype.startswith("float")
    one = rng.uniform(0.1, 0.9, (3, 3)) if number else rng.integers(0, 2 if dtype == "bool" else 5, (3, 3))
    other = rng.uniform(0.1, 0.9, (3, 3)) if number else rng.integers(1, 2 if dtype == "bool" else 4, (3, 3))
    operands = [one.astype(dtype), other.astype(dtype)][: ufunc.nin]
    try:
        with np.errstate(all="ignore"):
            ufunc(*operands)
    except TypeError:
        with pytest.raises(TypeError):
            ufunc(*map(tf.constant, operands))
        return
    if ufunc is np.reciprocal and not number:
        with pytest.raises(TypeError, match="reciprocal"):
            ufunc(*map(tf.constant, operands))
        return
    compare(lambda *arrays: ufunc(*arrays), *operands)


PAIRS = (
    ("int32", "float32"),
    ("int64", "float32"),
    ("uint8", "int8"),
    ("bool", "int32"),
    ("float32", "float64"),
    ("float16", "int16"),
    ("uint8", "float16"),
    ("int32", "int64"),
)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_dtypes_that_are_mixed(pair: tuple[str, str]) -> None:
    x, y = matrix(pair[0]), matrix(pair[1], 1)
    for call in (
        np.add,
        np.multiply,
        np.true_divide,
        np.maximum,
        np.less,
        np.equal,
        np.logical_and,
        np.arctan2,
        np.hypot,
        lambda a, b: np.where(np.greater(a, 0), a, b),
        lambda a, b: np.concatenate([a, b]),
        lambda a, b: np.dot(a, b.T),
        lambda a, b: np.einsum("ij,ij->i", a, b),
        lambda a, b: np.stack((a, b)),
        lambda a, b: np.clip(a, 0, b),
        lambda a, b: np.matmul(a, b.T),
        np.copysign,
        lambda a, b: np.isclose(a, b),
        lambda a, b: np.add(a, b[0, 0]),
    ):
        compare(lambda a, b, call=call: call(a, b), x, y)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "int32", "uint8", "bool"])
@pytest.mark.parametrize("number", [2, 1.5, True, np.float64(1.5), np.int16(2)], ids=repr)
def test_python_numbers_are_weak_and_those_of_numpy_are_not(number: Any, dtype: str) -> None:
    compare(lambda a: (np.add(a, number), np.maximum(number, a), np.where(np.greater(a, 0), a, number)), matrix(dtype))


def test_a_number_that_does_not_fit() -> None:
    with pytest.raises(OverflowError):
        np.add(matrix("uint8"), 300)
    for autograph in (True, False):
        with pytest.raises(OverflowError):
            tf.function(lambda a: np.add(a, 300), autograph=autograph)(matrix("uint8"))


def test_a_first_value_and_a_mask_that_the_run_knows() -> None:
    def call(x: Any, first: Any, mask: Any) -> Any:
        return (
            np.sum(x, axis=0, initial=first, where=mask),
            np.max(x, axis=0, initial=first, where=mask),
            np.min(x, initial=first),
            np.mean(x, where=mask),
        )

    x = matrix("float64")
    open_call = tf.function(call, input_signature=[tf.TensorSpec(dims, kind) for dims, kind in (
        ([None, None], tf.float64), ([], tf.float64), ([None, None], tf.bool))])  # fmt: skip
    for rows in (3, 1, 0):
        given = x[:rows], np.float64(1.5), (x > -9)[:rows]
        with np.errstate(all="ignore"), pytest.warns() if not rows else np.errstate():
            wanted = call(*given)
        assert_same(open_call(*given), wanted)


def test_reductions_refuse_the_first_values_and_masks_that_numpy_refuses() -> None:
    x = np.arange(3)
    for wrong in (
        lambda x: np.max(x, where=[True, False, True]),
        lambda x: np.nanmin(x * 1.0, where=[True, False, True]),
        lambda x: np.sum(x, where=np.ones((2, 3), bool)),
        lambda x: np.sum(x, where=[True, False]),
        lambda x: np.sum(np.add(x, 0.5), initial=[1.0, 2.0]),
        lambda x: np.max(np.add(x, 0.5), initial=np.ones(1)),
        lambda x: np.prod(np.asarray(x, np.uint8) if isinstance(x, np.ndarray) else x.astype(np.uint8), initial=-1),
    ):
        for call in (wrong, lambda x, wrong=wrong: wrong(tf.constant(x)), tf.function(wrong)):
            with pytest.raises((ValueError, TypeError, OverflowError)):
                call(x)
