"""What Functions know of datasets: text, types, signatures, sizes, gradients, errors, lifetimes."""

from __future__ import annotations

import gc
import re
import weakref
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.data import Dataset
from tests.runtime.data.comparing import elements

LONG = tf.TensorSpec([], tf.int64)


def test_code_that_is_not_converted_is_told_what_to_do() -> None:
    @tf.function(autograph=False)
    def loop(dataset: Any) -> Any:
        for x in dataset:
            pass
        return x

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="converted function"):
        loop(Dataset.range(3))


def test_the_text_of_a_graph_with_a_dataset_parses_back() -> None:
    outside = Dataset.range(3)

    @tf.function
    def total() -> Any:
        s = tf.constant(0, tf.int64)
        for x in outside:
            s += x
        return s

    text = re.sub(r"  # .*", "", total.get_concrete_function().graph.as_text())
    assert 'dataset() {make=dataset("Range")}' in text
    assert tf.Graph.from_text(text).as_text() == text


def test_what_no_function_needs_any_more_is_freed() -> None:
    @tf.function
    def consume(iterator: Any) -> Any:
        return next(iterator)

    iterator = iter(Dataset.range(3))
    consume(iterator)
    gone = weakref.ref(iterator)
    del iterator
    gc.collect()
    assert gone() is None


def test_the_cardinality_in_a_graph() -> None:
    @tf.function(input_signature=[LONG])
    def count(n: Any) -> Any:
        return Dataset.range(n).batch(2).cardinality()

    assert [int(count(n)) for n in (0, 5)] == [0, 3]


def test_errors_of_elements_leave_the_function_usable() -> None:
    @tf.function
    def total(dataset: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x in dataset:
            s += 12 // x
        return s

    with pytest.raises(ZeroDivisionError):
        total(Dataset.range(3))
    assert int(total(Dataset.range(1, 4))) == 22


def test_a_signature_with_the_spec_of_a_dataset_or_iterator() -> None:
    spec = tf.TensorSpec([None], tf.int64)

    @tf.function(input_signature=[tf.data.DatasetSpec(spec)])
    def total(dataset: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x in dataset:
            s += tf.reduce_sum(x)
        return s

    @tf.function(input_signature=[tf.data.IteratorSpec(spec)])
    def consume(iterator: Any) -> Any:
        return next(iterator)

    assert [int(total(Dataset.range(5).batch(k))) for k in (2, 3)] == [10, 10]
    assert consume(iter(Dataset.range(5).batch(3))).numpy().tolist() == [0, 1, 2]
    assert total.experimental_get_tracing_count() == 1
    with pytest.raises((TypeError, ValueError)):
        total(Dataset.range(3))


def test_len_and_truth_of_datasets_in_a_graph() -> None:
    @tf.function
    def size(dataset: Any) -> Any:
        n = len(dataset)
        return n + 1 if dataset else n

    class Holder:
        def __init__(self) -> None:
            self.dataset = Dataset.range(4)

        @tf.function
        def total(self) -> Any:
            s = tf.constant(0, tf.int64)
            for x in self.dataset:
                s += x
            return s + len(self.dataset)

    holder = Holder()
    assert int(holder.total()) == 6 + 4
    holder.dataset = Dataset.range(3)
    assert int(holder.total()) == 3 + 3, "a trace notes which dataset it has read from the object"
    with pytest.raises(TypeError, match="of unknown length"):
        size(Dataset.range(4))


def test_checks_of_numerics_look_into_functions_of_datasets() -> None:
    dataset = Dataset.from_tensor_slices(np.array([1.0, 0.0], np.float32)).map(lambda x: 1.0 / x)
    assert elements(dataset) == [1.0, float("inf")]
    tf.debugging.enable_check_numerics()
    try:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="operation 'divide' of the function 'lambda'.*1 infinite"
        ):
            elements(dataset)
    finally:
        tf.debugging.disable_check_numerics()
    assert elements(dataset) == [1.0, float("inf")]


def test_gradients_go_through_loops_over_datasets() -> None:
    w = tf.Variable(2.0)
    dataset = Dataset.from_tensor_slices(np.array([1.0, 2.0, 3.0], np.float32))

    @tf.function
    def loss(dataset: Any) -> Any:
        s = tf.constant(0.0)
        for x in dataset:
            s += w * w * x
        return s

    @tf.function
    def slope(dataset: Any) -> Any:
        with tf.GradientTape() as tape:
            value = loss(dataset)
        return tape.gradient(value, w)

    with tf.GradientTape() as tape:
        value = loss(dataset)
    assert float(tape.gradient(value, w)) == float(slope(dataset)) == 24.0
