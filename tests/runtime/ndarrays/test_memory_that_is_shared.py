"""Arrays with rules of their own, arguments that captured arrays share memory with, and traces that call others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

TABLE = np.zeros(4)


class Mine(np.ndarray):
    pass


@pytest.mark.parametrize(
    ("array", "remedy"),
    [
        (np.ones((2, 2)).view(np.matrix), "np.asarray"),
        (np.ma.masked_array([1.0, 2.0], [0, 1]), "filled"),
        (np.zeros(2).view(Mine), "np.asarray"),
    ],
)
def test_classes_with_rules_of_their_own_are_refused(array: Any, remedy: str) -> None:
    with pytest.raises(TypeError, match=rf"{type(array).__name__}, of whose own rules .* pass .*{remedy}"):
        tf.function(lambda m: m * m)(array)
    concrete = tf.function(lambda m: m * m).get_concrete_function(np.zeros(array.shape))
    with pytest.raises(TypeError, match="of whose own rules"):
        concrete(array)


def test_the_fields_of_a_record_array_are_arrays() -> None:
    records = np.rec.array([(1.0, 2), (3.0, 4)], dtype=[("x", float), ("y", int)])
    with pytest.raises(TypeError, match=r"is a recarray.* pass its fields by themselves, np.asarray\(x\['x'\]\)"):
        tf.function(lambda r: r.x * 2)(records)

    @tf.function
    def doubled(x: Any) -> None:
        x *= 2

    doubled(np.asarray(records["x"]))
    assert records.x.tolist() == [2.0, 6.0]


def test_mapped_files_are_written_to(tmp_path: Any) -> None:
    array = np.memmap(tmp_path / "array", np.float64, "w+", shape=(3,))

    @tf.function
    def f(a: Any, x: Any) -> None:
        a[1] = x

    f(array, tf.constant(2.0, tf.float64))
    array.flush()
    np.testing.assert_array_equal(np.fromfile(tmp_path / "array"), [0.0, 2.0, 0.0])


def test_views_of_what_is_captured_are_arguments() -> None:
    @tf.function
    def f(part: Any, x: Any) -> Any:
        TABLE[1] = x
        return part * 1

    TABLE[:] = 0
    x = tf.constant(2.0, tf.float64)
    for part, wanted in ((TABLE[1:], [2.0, 0.0, 0.0]), (TABLE, [0.0, 2.0, 0.0, 0.0])):
        np.testing.assert_array_equal(f(part, x).numpy(), wanted)
        np.testing.assert_array_equal(TABLE, [0.0, 2.0, 0.0, 0.0])
        TABLE[:] = 0
    np.testing.assert_array_equal(f(TABLE[1:].copy(), x).numpy(), [0.0, 0.0, 0.0])
    assert TABLE[1] == 2.0


def test_a_concrete_function_in_a_trace_writes_to_arrays() -> None:
    def fill(a: Any, x: Any) -> Any:
        a[1:] = x
        return a.sum()

    x = tf.constant(3.0, tf.float64)
    concrete = tf.function(fill).get_concrete_function(np.zeros(3), x)

    @tf.function
    def outer(a: Any, x: Any) -> Any:
        total = concrete(a[:, 1], x)
        return total + a.sum()

    a = np.zeros((3, 2))
    assert float(outer(a, x)) == 12.0
    np.testing.assert_array_equal(a, [[0, 0], [0, 3], [0, 3]])

    @tf.function
    def made(x: Any) -> Any:
        b = np.ones(3)
        concrete(b, x)
        return b

    np.testing.assert_array_equal(made(x).numpy(), [1.0, 3.0, 3.0])
    with pytest.raises(TypeError, match="array that the function writes to"):
        tf.function(lambda t, x: concrete(t, x))(tf.zeros([3], tf.float64), x)
