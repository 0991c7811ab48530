"""What `runtime.debugging` asserts of ranks, shapes, dtypes and nearness: eagerly, in a trace, when the graph runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError

d = tf.debugging
X = tf.constant([[1, 2, 3], [4, 5, 6]])

HOLDS: list[Callable[[Any], Any]] = [
    lambda x: d.assert_rank(x, 2), lambda x: d.assert_rank_at_least(x, 1), lambda x: d.assert_rank_at_least(x, 2),
    lambda x: d.assert_rank_in(x, [1, 2]), lambda x: d.assert_scalar(x[0, 0]), lambda x: d.assert_type(x, tf.int32),
    lambda x: d.assert_rank(x, tf.constant(2)), lambda x: d.assert_integer(x),
    lambda x: d.assert_shapes([(x, ("N", 3)), (x[:, 0], "N"), (x[0], [3])]),
    lambda x: d.assert_shapes([(x, ("*", "D")), (x[0], (..., "D")), (x, (None, "."))]),
    lambda x: d.assert_shapes([(x, "NC"), (x @ tf.transpose(x), "NN"), (x, "23")]),
    lambda x: d.assert_near(x, x), lambda x: d.assert_near(tf.cast(x, tf.float32), tf.cast(x, tf.float32) * 1.000001),
    lambda x: d.assert_near(x, x + 1, atol=1), lambda x: d.assert_near(tf.cast(x, tf.float64), 3.5, atol=2.5),
]  # fmt: skip

FAILS: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda x: d.assert_rank(x, 1), ShapeMismatchError, r"rank must be 1; the tensor has the shape .* and the rank 2"),
    (lambda x: d.assert_rank(x, tf.constant(1)), ShapeMismatchError, "wrong rank; it has, and must have: 2 1"),
    (lambda x: d.assert_rank_at_least(x, tf.constant(3)), ShapeMismatchError, "and must have at least: 2 3"),
    (lambda x: d.assert_rank_in(x, [1, tf.constant(3)]), ShapeMismatchError, "and must have one of: 2 1 3"),
    (lambda x: d.assert_rank(x, 3, message="pictures"), ShapeMismatchError, "pictures: the rank must be 3"),
    (lambda x: d.assert_rank_at_least(x, 3), ShapeMismatchError, "must be at least 3"),
    (lambda x: d.assert_rank_in(x, [0, 1]), ShapeMismatchError, "must be 0 or 1"),
    (lambda x: d.assert_scalar(x), ShapeMismatchError, "must be 0"),
    (lambda x: d.assert_type(x, tf.float32), DtypeMismatchError, "must be float32; got int32"),
    (lambda x: d.assert_integer(tf.cast(x, tf.float32)), DtypeMismatchError, "must hold integers; got float32"),
    (lambda x: d.assert_shapes([(x, ("N", 4))]), ShapeMismatchError, "dimension -1 .* must be 4; got, wanted: 3 4"),
    (lambda x: d.assert_shapes([(x, "NN")]), ShapeMismatchError, "dimension -1 .* must be N; got, wanted: 3 2"),
    (lambda x: d.assert_shapes([(x, "N")]), ShapeMismatchError, "the rank must be 1"),
    (lambda x: d.assert_shapes([(x, "*ABC")]), ShapeMismatchError, "at least 3"),
    (lambda x: d.assert_shapes([(x, "NC"), (x, "CN")], message="m", data=["seen"]), ShapeMismatchError, "m: .* seen"),
    (lambda x: d.assert_near(x, x + 1), InvalidArgumentError, "not near each other everywhere; x and y are: "),
    (lambda x: d.assert_near(tf.cast(x, tf.float32), 1.0, rtol=1e-3, message="m"), InvalidArgumentError, "m: x and y"),
]  # fmt: skip

SPECS = {
    "known": tf.TensorSpec([2, 3], tf.int32),
    "open": tf.TensorSpec([None, None], tf.int32),
    "any rank": tf.TensorSpec(None, tf.int32),
}


@pytest.mark.parametrize("call", HOLDS)
def test_what_holds_passes_eagerly_and_in_graphs(call: Any) -> None:
    call(X)
    for spec in SPECS.values():
        tf.function(lambda x: [call(x), x][1], input_signature=[spec])(X)


@pytest.mark.parametrize(("call", "error", "words"), FAILS)
def test_what_does_not_hold_raises(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call(X)
    for spec in SPECS.values():
        function = tf.function(lambda x: [call(x), x][1], input_signature=[spec])
        with pytest.raises(error, match=words):
            function(X)


def test_what_is_known_costs_nothing_and_fails_before_anything_runs() -> None:
    checked = tf.function(lambda x: [d.assert_shapes([(x, "NC")]), d.assert_rank(x, 2), x][2])
    operations = checked.get_concrete_function(SPECS["known"]).graph.get_operations()
    assert "check" not in {operation.type for operation in operations}
    count = tf.Variable(0)

    @tf.function
    def wrong(x: Any) -> Any:
        count.assign_add(1)
        d.assert_rank(x, 3)
        return x

    with pytest.raises(ShapeMismatchError):
        wrong(X)
    assert count.numpy() == 0


def test_dtypes_of_floats() -> None:
    half, single = tf.constant(1.0, tf.float16), tf.constant(1.0)
    assert d.assert_same_float_dtype([half, half]) is tf.float16
    assert d.assert_same_float_dtype([single], tf.float32) is tf.float32
    assert d.assert_same_float_dtype() is tf.float32
    for tensors, dtype in (([half, single], None), ([single], tf.float16), ([X], None), ([], tf.int32)):
        with pytest.raises(DtypeMismatchError, match="one float dtype is wanted"):
            d.assert_same_float_dtype(tensors, dtype)


def test_numbers() -> None:
    assert d.is_numeric_tensor(X) and d.is_numeric_tensor(tf.Variable(1.0))
    assert not any(map(d.is_numeric_tensor, (tf.constant(True), tf.constant("a"), 1, [1], None)))
