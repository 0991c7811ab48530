"""Datasets from tensors, ranges and Python's generators."""

from __future__ import annotations

import itertools
from collections import namedtuple
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset, DatasetSpec
from tests.runtime.library.data.comparing import counted, elements


def test_slices_are_the_rows() -> None:
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    dataset = Dataset.from_tensor_slices(rows)
    assert dataset.element_spec == tf.TensorSpec([2], tf.float32)
    assert elements(dataset) == rows.tolist()
    assert len(dataset) == 3 and int(dataset.cardinality()) == 3


def test_a_list_is_one_tensor_and_a_tuple_is_structure() -> None:
    assert elements(Dataset.from_tensor_slices([[1, 2], [3, 4]])) == [[1, 2], [3, 4]]
    assert elements(Dataset.from_tensor_slices(([1, 2], {"a": ["x", "y"]}))) == [(1, {"a": b"x"}), (2, {"a": b"y"})]


def test_named_tuples_and_none_are_kept() -> None:
    Point = namedtuple("Point", "x y")
    (point,) = Dataset.from_tensors(Point(1, None))
    assert isinstance(point, Point) and int(point.x) == 1 and point.y is None


def test_later_changes_of_an_array_do_not_reach_the_dataset() -> None:
    array = np.zeros(3)
    dataset = Dataset.from_tensor_slices(array)
    array[:] = 7
    assert elements(dataset) == [0, 0, 0]


def test_slices_of_different_lengths_are_refused() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"need one first dimension; got \(3,\), \(2,\)"):
        Dataset.from_tensor_slices(([1, 2, 3], [1, 2]))
    with pytest.raises(ValueError, match="a scalar has no rows"):
        Dataset.from_tensor_slices(1)


def test_from_tensors_is_one_element() -> None:
    assert elements(Dataset.from_tensors(([1, 2], 3.5))) == [([1, 2], 3.5)]


@pytest.mark.parametrize("args", [(5,), (2, 9), (2, 9, 3), (9, 2, -2), (5, 5), (3, 0)])
def test_range_is_that_of_python(args: tuple[int, ...]) -> None:
    dataset = Dataset.range(*args)
    assert elements(dataset) == list(range(*args))
    assert len(dataset) == len(range(*args))
    assert dataset.element_spec == tf.TensorSpec([], tf.int64)


def test_range_of_another_dtype() -> None:
    assert [x.dtype for x in Dataset.range(2, output_type=tf.float32)] == [tf.float32] * 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="step"):
        Dataset.range(1, 5, 0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="integer"):
        Dataset.range(2.5)


def test_counter_and_enumerate() -> None:
    assert elements(Dataset.counter(3, 2).take(3)) == [3, 5, 7]
    assert elements(Dataset.range(3).map(lambda x: -x).enumerate(10)) == [(10, 0), (11, -1), (12, -2)]
    assert int(Dataset.counter().cardinality()) == tf.data.INFINITE_CARDINALITY


def test_random_numbers_depend_on_the_seed() -> None:
    first = elements(Dataset.random(seed=5).take(4))
    assert first == elements(Dataset.random(seed=5).take(4)) != elements(Dataset.random(seed=6).take(4))
    assert all(0 <= number < 2**32 for number in first)


# -- generators --------------------------------------------------------------------------------------------------------


def test_both_spellings_of_the_signature_of_a_generator() -> None:
    def pairs() -> Any:
        yield 1, [1.0]
        yield 2, [1.0, 2.0]

    signature = (tf.TensorSpec([], tf.int32), tf.TensorSpec([None], tf.float32))
    new = Dataset.from_generator(pairs, output_signature=signature)
    old = Dataset.from_generator(pairs, (tf.int32, tf.float32), (tf.TensorShape([]), tf.TensorShape([None])))
    assert new.element_spec == old.element_spec == signature
    assert elements(new) == elements(old) == [(1, [1.0]), (2, [1.0, 2.0])]
    assert Dataset.from_generator(pairs, (tf.int32, tf.float32)).element_spec[1] == tf.TensorSpec(None, tf.float32)


def test_a_generator_is_called_for_each_pass_and_gets_its_arguments() -> None:
    dataset = Dataset.from_generator(lambda n: range(n), args=[3], output_signature=tf.TensorSpec([], tf.int64))
    assert elements(dataset) == elements(dataset) == [0, 1, 2]


def test_no_more_is_taken_of_a_generator_than_is_asked_for() -> None:
    calls: list[int] = []
    dataset = Dataset.from_generator(counted(calls, 100), output_signature=tf.TensorSpec([], tf.int64))
    assert [int(x) for x in itertools.islice(dataset, 4)] == [0, 1, 2, 3]
    assert calls == [0, 1, 2, 3]
    calls.clear()
    assert elements(dataset.map(lambda x: x * 2).batch(2).take(2)) == [[0, 2], [4, 6]]
    assert calls == [0, 1, 2, 3]
    calls.clear()
    assert elements(dataset.take_while(lambda x: x < 3).batch(50)) == [[0, 1, 2]]
    assert calls == [0, 1, 2, 3]
    calls.clear()
    assert elements(Dataset.zip(dataset, Dataset.range(2)).batch(9))[0] == ([0, 1], [0, 1])
    assert calls == [0, 1, 2]  # as Python's zip: the third is taken, then the other one is at its end


def test_arrays_of_a_generator_may_be_changed_by_it_afterwards() -> None:
    def same() -> Any:
        array = np.zeros(2, np.int32)
        for i in range(3):
            array[:] = i
            yield array

    dataset = Dataset.from_generator(same, output_signature=tf.TensorSpec([2], tf.int32))
    assert [x.numpy().tolist() for x in list(dataset)] == [[0, 0], [1, 1], [2, 2]]


@pytest.mark.parametrize(
    ("given", "signature", "error", "words"),
    [
        ([1, "x"], tf.TensorSpec([], tf.int32), TypeError, "element 1 of the generator was expected to be int32"),
        ([1, 2.5], tf.TensorSpec([], tf.int32), TypeError, "element 1"),
        ([1, 300], tf.TensorSpec([], tf.int8), TypeError, "element 1"),
        ([[1], [1, 2]], tf.TensorSpec([1], tf.int32), tf.errors.InvalidArgumentError, r"\(2,\), where \(1,\)"),
        (
            [(1, 2), 3],
            (tf.TensorSpec([], tf.int32),) * 2,
            TypeError,
            "element 1 of the generator has not the structure",
        ),
    ],
)
def test_an_element_that_does_not_fit_is_named(given: Any, signature: Any, error: type, words: str) -> None:
    iterator = iter(Dataset.from_generator(lambda: given, output_signature=signature))
    next(iterator)
    with pytest.raises(error, match=words):
        next(iterator)


def test_what_a_generator_raises_comes_after_the_elements_before() -> None:
    def breaks() -> Any:
        yield 1
        yield 2
        raise KeyError("lost")

    dataset = Dataset.from_generator(breaks, output_signature=tf.TensorSpec([], tf.int32))
    iterator = iter(dataset.map(lambda x: x + 1))
    assert [int(next(iterator)), int(next(iterator))] == [2, 3]
    with pytest.raises(KeyError, match="lost"):
        next(iterator)
    with pytest.raises(StopIteration):
        next(iterator)


def test_a_generator_is_closed_when_its_iterator_is_dropped() -> None:
    closed = []

    def forever() -> Any:
        try:
            yield from itertools.count()
        finally:
            closed.append(True)

    iterator = iter(Dataset.from_generator(forever, output_signature=tf.TensorSpec([], tf.int64)))
    next(iterator)
    del iterator
    assert closed == [True]


def test_a_signature_is_needed() -> None:
    with pytest.raises(TypeError, match="output_signature"):
        Dataset.from_generator(lambda: [])
    with pytest.raises(TypeError, match="function"):
        Dataset.from_generator([1, 2], output_signature=tf.TensorSpec([], tf.int32))


def test_datasets_of_a_generator() -> None:
    spec = DatasetSpec(tf.TensorSpec([], tf.int64))
    dataset = Dataset.from_generator(lambda: [Dataset.range(2), Dataset.range(3)], output_signature=spec)
    assert [elements(inner) for inner in dataset] == [[0, 1], [0, 1, 2]]
    assert elements(dataset.flat_map(lambda inner: inner)) == [0, 1, 0, 1, 2]
