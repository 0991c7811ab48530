"""What Functions know of datasets: text, types, signatures, sizes, gradients, errors, lifetimes."""

from __future__ import annotations

import gc
import re
import weakref
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset
from tests.runtime.library.data.comparing import elements

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
    assert int(size(Dataset.range(4))) == 5


def made_inside() -> list[Any]:
    return [
        lambda k: Dataset.range(5).shuffle(3),
        lambda k: Dataset.range(5).cache(),
        lambda k: Dataset.range(5).shuffle(3, seed=1).map(lambda x: x + 1).cache().batch(2),
        lambda k: Dataset.zip((Dataset.range(5).shuffle(2), Dataset.range(3).cache())),
        lambda k: Dataset.range(5).cache().take(2).concatenate(Dataset.range(4).shuffle(2)),
        lambda k: Dataset.range(k),
        lambda k: Dataset.range(k).shuffle(3).batch(2),
        lambda k: Dataset.from_tensor_slices(tf.range(k)).cache(),
        lambda k: Dataset.range(5).shuffle(5).take(k),
    ]


@pytest.mark.parametrize("make", made_inside(), ids=range(9))
def test_len_of_datasets_that_are_made_inside(make: Any) -> None:
    """Also of those that each run makes anew, which the trace knows the length of, or else the run."""
    k = tf.constant(4, tf.int64)
    assert int(tf.function(lambda k: tf.identity(len(make(k))))(k)) == len(make(k)) == int(make(k).cardinality())


def test_a_length_that_the_trace_knows_is_a_number() -> None:
    seen = []

    @tf.function
    def note() -> Any:
        seen.append(len(Dataset.range(5).shuffle(3).batch(2)))
        return tf.zeros([seen[-1]])

    assert note().shape == [3] and seen == [3] and type(seen[0]) is int


def test_len_of_datasets_that_have_none_in_a_graph() -> None:
    size = tf.function(lambda dataset: tf.identity(len(dataset)))
    some = Dataset.range(2).filter(lambda x: x > 0)
    for dataset, words in ((Dataset.range(2).repeat(), "infinite"), (some, "unknown length")):
        with pytest.raises(TypeError, match=words):
            size(dataset)
        with pytest.raises(TypeError, match=words):
            tf.function(lambda: tf.identity(len(dataset.shuffle(2))))()
    with pytest.raises(TypeError, match="call cardinality"):
        tf.function(lambda n: len(Dataset.range(n)), autograph=False)(tf.constant(3, tf.int64))


def test_a_look_at_the_length_draws_no_seed() -> None:
    """The order is the same as in a program that does not ask."""

    def orders(ask: bool) -> Any:
        tf.random.set_seed(5)

        @tf.function
        def order() -> Any:
            dataset = Dataset.range(8).shuffle(8)
            if ask:
                len(dataset)
            return next(iter(dataset.batch(8)))

        return order().numpy().tolist()

    assert orders(True) == orders(False)


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
