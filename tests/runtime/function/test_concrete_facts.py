"""What a ConcreteFunction tells of itself: what it is given, what it captured, what it returns."""

from __future__ import annotations

from typing import Any

import runtime as tf

t = tf.constant


def test_what_it_captured_are_its_last_inputs() -> None:
    v, w = tf.Variable(1.0), tf.Variable([1, 2], trainable=False)

    @tf.function
    def f(x: Any, y: Any) -> Any:
        w.assign_add([1, 1])
        return x * v + y

    concrete = f.get_concrete_function(t(1.0), t(2.0))
    assert len(concrete.inputs) == 4
    assert concrete.captured_inputs == [kept.handle for kept in concrete.variables]
    assert {id(handle) for handle in concrete.captured_inputs} == {id(v.handle), id(w.handle)}
    assert [i.dtype.name for i in concrete.inputs] == ["float32", "float32", "resource", "resource"]
    assert tf.function(lambda x: x).get_concrete_function(t(1)).captured_inputs == []
    assert [x is v for x in concrete.trainable_variables] == [True]


def test_dtypes_and_shapes_of_the_result() -> None:
    @tf.function
    def f(x: Any, n: Any) -> Any:
        found = x if n > 0 else None
        return {"sum": tf.reduce_sum(x), "all": (x, None, [tf.shape(x)])}, found

    concrete = f.get_concrete_function(tf.TensorSpec([None, 3]), t(1))
    first, found = concrete.output_dtypes
    assert first == {"sum": tf.float32, "all": (tf.float32, None, [tf.int32])}
    assert found is tf.float32
    shapes, of_found = concrete.output_shapes
    assert shapes["sum"].as_list() == []
    assert (shapes["all"][0].as_list(), shapes["all"][1], shapes["all"][2][0].as_list()) == ([None, 3], None, [2])
    assert of_found.as_list() == [None, 3]


def test_a_single_tensor_and_nothing() -> None:
    one = tf.function(lambda x: x + 1.0).get_concrete_function(tf.TensorSpec([2]))
    assert (one.output_dtypes, one.output_shapes) == (tf.float32, tf.TensorShape([2]))

    @tf.function
    def nothing(x: Any) -> None:
        tf.debugging.assert_positive(x)

    concrete = nothing.get_concrete_function(t(1))
    assert (concrete.output_dtypes, concrete.output_shapes) == (None, None)
