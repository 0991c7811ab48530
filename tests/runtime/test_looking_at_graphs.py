"""What programs ask of operations, specs, dtypes and static shapes, under the names of the guides."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf


def test_attributes_of_operations() -> None:
    graph = tf.function(lambda x: tf.reduce_sum(x, axis=0)).get_concrete_function(tf.TensorSpec([2, 3])).graph
    (total,) = [operation for operation in graph.get_operations() if operation.type == "reduce_sum"]
    assert total.get_attr("axis") in (0, (0,))
    assert (total.control_inputs, total.device) == ([], "")
    assert (total.node_def.name, total.node_def.op, total.node_def.input) == (total.name, "reduce_sum", ["x"])
    assert total.node_def in graph.as_graph_def().node
    with pytest.raises(ValueError, match=r"has no attribute 'axes'; it has axis"):
        total.get_attr("axes")


@pytest.mark.parametrize("eagerly", [False, True])
def test_set_shape_in_a_trace_and_with_values(eagerly: bool) -> None:
    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32)])
    def rows(x: Any) -> Any:
        x.set_shape([None, 3])
        return tf.reduce_sum(x, axis=1) * x.shape[1]

    with tf.config.run_functions_eagerly(eagerly):
        assert rows(tf.ones([2, 3], tf.int32)).numpy().tolist() == [9, 9]
    with pytest.raises(ValueError, match=r"Shapes \(2, 3\) and \(None, 4\) are incompatible"):
        tf.ones([2, 3]).set_shape([None, 4])


def test_specs_have_one_above_them() -> None:
    spec, other = tf.TensorSpec([2, 3], tf.int32, "x"), tf.TensorSpec([2, 4], tf.int32)
    assert spec.most_specific_compatible_type(other) == tf.TensorSpec([2, None], tf.int32, "x")
    with pytest.raises(ValueError, match="their dtypes differ"):
        spec.most_specific_compatible_type(tf.TensorSpec([2, 3], tf.float32))


def test_dtypes_that_are_compatible() -> None:
    assert tf.int32.base_dtype is tf.int32
    assert tf.int32.is_compatible_with("int32") and not tf.int32.is_compatible_with(tf.int64)
