"""What NumPy says and gives of ndarrays that is easily another thing of tensors: texts, dtypes, digits, memory.

Results are compared with their dtypes, and floats bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

X = np.array([3.0, -2.0, 1.0], np.float32)
WHOLE = np.array([3, 1, 2])
BYTES = np.array([200, 7], np.uint8)


def plain(value: Any) -> Any:
    value = value.numpy() if isinstance(value, tf.Tensor) else value
    return value.decode() if isinstance(value, bytes) else value


def assert_alike(function: Callable[..., Any], *arguments: Any) -> None:
    with np.errstate(all="ignore"):
        wanted = tf.nest.flatten(function(*(np.copy(a) for a in arguments)))
    given = [np.copy(a) for a in arguments]
    found = [plain(leaf) for leaf in tf.nest.flatten(tf.function(function)(*given))]
    for place, (one, other) in enumerate(zip(found, wanted, strict=True)):
        if isinstance(other, str):
            assert one == other, place
            continue
        one = np.asarray(one)
        if isinstance(other, np.ndarray | np.generic):
            assert one.dtype == other.dtype, place
        np.testing.assert_array_equal(one, other, str(place))


TEXTS: list[Callable[[Any], Any]] = [
    lambda x: (str(x[0]), "%s" % x[0], f"{x[0]}", f"{x[0]!s}", f"{x[0]:>9}", str(x[0] * 2), str(x.sum())),
    lambda x: (repr(x[0]), f"{x[0]!r}", "%r" % x[0], "{!r:>25}".format(x[0]), f"{[x[0], 1]}", str((x[0],))),
    lambda x: (str(x), f"{x}", "%s" % x, repr(x), f"{x!r:>40}", str([x]), f"{x[:2]} and {x[::2]}", f"{x == x}"),
    lambda x: ",".join(str(v) for v in x),
    lambda x: "".join([f"{i}: {v}; " for i, v in enumerate(x)]),
    lambda x: f"{np.arange(3.0)} {np.zeros(2, np.float32)[0]!r}",
]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int64", "uint8", "bool", "complex64"])
@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_those_of_numpy(text: Callable[[Any], Any], dtype: str) -> None:
    if dtype == "complex64" and text is TEXTS[0]:
        return assert_alike(lambda x: (str(x[0]), f"{x[0]}", str(x.sum())), np.array([0.1, 2, 1e20], dtype))
    values = np.array([0.1, 2, 3 if dtype in ("float16", "int64", "uint8") else 1e20])
    assert_alike(text, values.astype(dtype))


def test_tensors_keep_their_own_texts() -> None:
    shown = tf.function(lambda x: f"{x!s} {x[0]!r}")(tf.constant([0.5, 2.0]))
    assert shown.numpy() == b"tf.Tensor([0.5 2. ], shape=(2,), dtype=float32) 0.5"


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8", "bool", "complex64"])
def test_dtypes_answer_as_those_of_numpy(dtype: str) -> None:
    def asked(x: Any) -> Any:
        kinds = [x.dtype.kind == kind for kind in "fiubc"], x.dtype.char == "f", x.dtype.str == "<f4"
        return kinds, x.dtype.kind in "iu", x[0].dtype.kind == "f", 2 * x if x.dtype.kind == "f" else x

    assert_alike(asked, np.ones(2, dtype))


@pytest.mark.parametrize("dtype", ["uint8", "uint32", "int8"])
def test_numbers_of_arrays_wrap_around_as_numpys(dtype: str) -> None:
    assert_alike(lambda x: (-x[0], abs(x[0]), ~x[0], -x.sum(), -(x[0] + x[0]), abs(x)), BYTES.astype(dtype))


def test_absolute_values_of_bools_are_bools() -> None:
    assert_alike(lambda x: (abs(x == 1), abs(x[0] == 1)), WHOLE)


def written(make: Callable[..., Any]) -> Callable[..., Any]:
    """A function that writes to what is made, and looks at it under its other name."""

    def function(x: Any, k: Any) -> Any:
        made = make(x, k)
        other = made
        made[0] = 50
        return other, other * np.float32(2), other + k[0], x

    return function


MADE: dict[str, Callable[..., Any]] = {
    "abs": lambda x, k: abs(x),
    "conj": lambda x, k: x.conj(),
    "conjugate of complex numbers": lambda x, k: (x + 1j).conjugate(),
    "np.conj": lambda x, k: np.conj(x),
    "real_if_close": lambda x, k: np.real_if_close(x),
    "trim_zeros": lambda x, k: np.trim_zeros(x),
    "a type": lambda x, k: np.float32(x),
    "another type": lambda x, k: np.float64(x),
    "a sorted array": lambda x, k: np.array(sorted(x)),
    "a sorted list": lambda x, k: np.array(sorted([v * 2 for v in x if v > -5], reverse=True)),
    "a list of those that fit": lambda x, k: np.array(list(x[x > 0])),
    "pairs": lambda x, k: np.array([[v, v] for v in x]),
    "pairs of two kinds": lambda x, k: np.array([(v, 2) for v in x]),
    "pairs that fit": lambda x, k: np.asarray([(v, i) for i, v in enumerate(x) if v > 0]),
    "lists of one": lambda x, k: np.concatenate([[v] for v in x]),
    "stacked": lambda x, k: np.stack([(v, v) for v in x if v > 0]),
    "numbers of Python": lambda x, k: np.array([[float(v)] for v in x]),
}


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_of_arrays_is_memory(name: str) -> None:
    assert_alike(written(MADE[name]), X, WHOLE)


GIVEN_BACK: dict[str, Callable[..., Any]] = {
    "einsum of all axes": lambda m: np.einsum("ij->ij", m),
    "einsum in another order": lambda m: np.einsum("ij->ji", m),
    "einsum of the diagonal": lambda m: np.einsum("ii->i", m[:, 1:]),
    "einsum that adds up": lambda m: np.einsum("ij->i", m),
    "einsum of a transposed array": lambda m: np.einsum("ii->i", m.T[:2]),
    "a power": lambda m: np.linalg.matrix_power(m[:, :2], 1),
    "no differences": lambda m: np.diff(m, n=0),
    "differences": lambda m: np.diff(m),
    "a cast that need not copy": lambda m: m.astype(m.dtype, copy=False),
    "its type": lambda m: np.float64(m),
    "another type": lambda m: np.float32(m),
}


@pytest.mark.parametrize("name", GIVEN_BACK)
def test_what_is_the_array_itself(name: str) -> None:
    def written_to(m: Any) -> Any:
        made = GIVEN_BACK[name](m)
        made[0] = 50
        m[1] += 1
        return made, m

    assert_alike(written_to, np.arange(6.0).reshape(2, 3))


def test_views_that_cannot_be_given_are_refused() -> None:
    with pytest.raises(TypeError, match="gives views that a graph has not"):
        tf.function(lambda x: np.meshgrid(x, x, copy=False))(X)
    with pytest.raises(ValueError, match="read-only"):
        tf.function(written(lambda x, k: x.imag))(X, WHOLE)


def test_einsum_of_bools() -> None:
    flags = np.array([[True, False], [True, True]])
    assert_alike(lambda m: (np.einsum("ij,jk->ik", m, m), np.einsum("ij->i", m)), flags)


def grown(x: Any, k: Any) -> Any:
    rows: list[Any] = []
    for i in range(k[0]):
        for j in range(i):
            rows.append([x[i], j * 2.5])
    table = np.array(rows)
    other = table
    table[0] = 9
    return other, other + k[0], table.sum(axis=0), np.array(rows, dtype=np.float32), np.sum(rows), np.mean(rows, axis=0)


def test_a_table_that_has_grown_is_memory() -> None:
    assert_alike(grown, X, WHOLE)


def test_items_of_sorted_arrays_are_numbers_of_arrays() -> None:
    def items(x: Any, k: Any) -> Any:
        return sorted(x)[0] + k[0], sorted(x[x > 0])[0] + k[0], sorted(zip(k, x))[0][1] + k[0]

    assert_alike(items, X, WHOLE)


def test_quantiles_have_numpys_digits() -> None:
    random = np.random.default_rng(0)
    for small in random.normal(size=(3, 17)).astype(np.float32):
        assert_alike(lambda x: (np.percentile(x, [10, 55, 90]), np.quantile(x, [0.2, 0.7])), small)
        assert_alike(lambda x: (np.quantile(x, [0.2, 0.7]), np.median(x)), small.astype(np.float64))


def test_histograms_have_numpys_digits() -> None:
    random = np.random.default_rng(1)
    for small in random.normal(size=(3, 17)).astype(np.float32):
        assert_alike(lambda x: (np.histogram(x, 5, density=True), np.histogram(x, 7, (-1, 1))), small)


def test_numbers_that_do_not_fit_overflow_as_in_numpy() -> None:
    for compute in (lambda x: x + 300, lambda x: x[0] * -1, lambda x: x % 2**40):
        for call in (compute, tf.function(compute)):
            with pytest.raises(OverflowError):
                call(BYTES.copy())
