"""Arrays of classes with rules of their own, which a graph would ignore: refused where they meet tensors, or are
written to. Arrays in defaults of functions, and arrays of structures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def x(value: Any) -> Any:
    return tf.constant(value, tf.float64)


MASKED: Any = np.ma.masked_array([1.0, 2.0], [False, True])
MATRIX: Any = np.array([[1.0, 2.0], [3.0, 4.0]]).view(np.matrix)


def masked_times(a: Any) -> Any:
    return np.sum(a * MASKED)


def masked_on_the_left(a: Any) -> Any:
    return (MASKED * a).sum()


def masked_written(a: Any) -> Any:
    MASKED[0] = a
    return MASKED.sum()


def masked_made(a: Any) -> Any:
    made: Any = np.ma.masked_array([1.0, 2.0], [False, True])
    made[0] = a
    return made.sum()


def matrix_times(a: Any) -> Any:
    return MATRIX * a


def matrix_written(a: Any) -> Any:
    MATRIX[0, 0] = a
    return MATRIX * MATRIX


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        (masked_times, [3.0, 4.0]), (masked_on_the_left, 3.0), (masked_written, 3.0), (masked_made, 3.0),
        (matrix_times, [[3.0, 4.0], [1.0, 1.0]]), (matrix_written, 3.0),
    ],
)  # fmt: skip
def test_they_are_refused(function: Callable[[Any], Any], argument: Any) -> None:
    with pytest.raises(TypeError, match="of whose own rules a graph knows nothing|converted to a numpy array"):
        tf.function(function)(x(argument))
    assert MASKED.tolist() == [1.0, None] and MATRIX.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_their_values_are_known_and_guarded() -> None:
    mask: Any = np.ma.masked_array([1.0, 2.0], [False, False])
    f = tf.function(lambda a: a + mask.sum())
    assert float(f(x(1.0))) == 4.0
    mask.mask[1] = True
    assert float(f(x(1.0))) == 2.0


def test_arrays_of_structures_are_read() -> None:
    table = np.zeros(2, [("p", "f8"), ("q", "i4")])
    f = tf.function(lambda a: a + table["p"][0])
    assert float(f(x(1.0))) == 1.0
    table["p"][0] = 5.0
    assert float(f(x(1.0))) == 6.0


def test_whether_an_array_can_be_written_to_is_guarded() -> None:
    table = np.zeros(2)
    f = tf.function(lambda a: a + float(table.flags.writeable))
    assert float(f(x(1.0))) == 2.0
    table.setflags(write=False)
    assert float(f(x(1.0))) == 1.0


TABLE = np.zeros(3)


def bump(a: Any, table: Any = TABLE, *, again: Any = TABLE) -> None:
    table[0] += a
    again[1] += a


def test_defaults_are_written_to() -> None:
    @tf.function
    def f(a: Any) -> Any:
        if a > 0:
            TABLE[2] = a
        bump(a)
        return TABLE.sum()

    assert [float(f(x(value))) for value in (-3.0, 4.0)] == [-6.0, 6.0]
    np.testing.assert_array_equal(TABLE, [1.0, 1.0, 4.0])
    assert bump.__defaults__ == (TABLE,) and bump.__kwdefaults__ is not None and bump.__kwdefaults__["again"] is TABLE


def test_a_dict_in_a_default_gets_keys_on_one_way() -> None:
    table: dict[str, Any] = {"a": 1.0}

    def helper(table: dict[str, Any] = table) -> dict[str, Any]:
        return table

    @tf.function
    def f(a: Any) -> Any:
        if a > 0:
            table["b"] = a
        return len(helper())

    assert [int(f(x(value))) for value in (-3.0, 4.0, -3.0)] == [1, 2, 2]
    assert helper() is table and float(table["b"]) == 4.0


@pytest.mark.parametrize("given", [np.array(["2024-01-01"], "datetime64[D]"), np.timedelta64(3, "D")])
def test_dates_are_taken_as_numbers_of_units(given: Any) -> None:
    later = tf.function(lambda x: x + 1)
    with pytest.raises(TypeError, match=r"tensors have no dates .*x.astype\('int64'\)"):
        later(given)
    np.testing.assert_array_equal(later(given.astype("int64")), given.astype("int64") + 1)


def test_arrays_of_structures_are_taken_by_their_fields() -> None:
    rows = np.zeros(2, [("p", "f8"), ("q", "i4")])
    with pytest.raises(TypeError, match=r"its elements are structures; x\['p'\] is one of their fields"):
        tf.function(lambda rows: rows["p"])(rows)
    assert tf.function(lambda p: p + 1)(rows["p"]).numpy().tolist() == [1.0, 1.0]
