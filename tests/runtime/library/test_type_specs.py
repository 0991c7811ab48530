"""`type_spec_from_value`, `value_type` of specs, and the types of traces."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset


class Pair(tf.experimental.ExtensionType):
    x: tf.Tensor


VALUES = [
    (tf.constant([1, 2]), tf.TensorSpec([2], tf.int32), tf.Tensor),
    (np.zeros((1, 2)), tf.TensorSpec([1, 2], tf.float64), tf.Tensor),
    (2.5, tf.TensorSpec([], tf.float32), tf.Tensor),
    (tf.ragged.constant([[1], [2, 3]]), tf.RaggedTensorSpec([2, None], tf.int32), tf.RaggedTensor),
    (tf.SparseTensor([[1]], [2.0], [3]), tf.SparseTensorSpec([3], tf.float32), tf.SparseTensor),
    (Dataset.range(3), tf.data.DatasetSpec(tf.TensorSpec([], tf.int64)), Dataset),
    (iter(Dataset.range(3)), tf.data.IteratorSpec(tf.TensorSpec([], tf.int64)), tf.data.Iterator),
    (Pair([1.0]), Pair.Spec(tf.TensorSpec([1])), Pair),
]


@pytest.mark.parametrize(("value", "spec", "kind"), VALUES, ids=lambda v: type(v).__name__)
def test_the_spec_of_a_value(value: Any, spec: Any, kind: type) -> None:
    found = tf.type_spec_from_value(value)
    assert found == spec and type(found) is type(spec) and found.value_type is kind


def test_variables_and_what_has_no_spec() -> None:
    assert tf.type_spec_from_value(tf.Variable([1.0], trainable=False)) == tf.VariableSpec([1], trainable=False)
    with pytest.raises(TypeError, match="nothing describes <object"):
        tf.type_spec_from_value(object())


def test_the_type_of_a_trace() -> None:
    @tf.function
    def f(x: Any, n: Any = 2, *, k: Any) -> Any:
        return x * n, {"k": k}

    found = f.get_concrete_function(tf.TensorSpec([None]), k=tf.constant(1)).function_type
    assert isinstance(found, inspect.Signature) and list(found.parameters) == ["x", "n", "k"]
    types = [parameter.annotation for parameter in found.parameters.values()]
    assert types == [tf.TensorSpec([None], name="x"), int, tf.TensorSpec([], tf.int32, "k")]
    assert found.parameters["k"].kind is inspect.Parameter.KEYWORD_ONLY
    assert found.return_annotation == (tf.TensorSpec([None]), {"k": tf.TensorSpec([], tf.int32)})
