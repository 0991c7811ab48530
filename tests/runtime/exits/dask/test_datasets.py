"""Datasets of Dask's collections, and back: the elements, in their order, with their dtypes and shapes."""

from __future__ import annotations

from typing import Any

import dask
import dask.array
import dask.bag
import numpy as np
import pytest

import runtime as tf

Dataset = tf.data.Dataset
ROWS = np.arange(24, dtype=np.float32).reshape(8, 3)
LABELS = np.arange(8) % 3


def arrays(dataset: Any) -> list[Any]:
    return [x.tolist() for x in dataset.as_numpy_iterator()]


@pytest.mark.parametrize("chunks", [(8, 3), (3, 2), (1, 1), ((0, 5, 3), 3)])
def test_the_rows_of_an_array(chunks: Any) -> None:
    dataset = Dataset.from_dask(dask.array.from_array(ROWS, chunks=chunks))
    assert dataset.element_spec == tf.TensorSpec([3], tf.float32) and len(dataset) == 8
    assert arrays(dataset) == arrays(dataset) == ROWS.tolist()
    batches = dataset.map(lambda x: x * 2).batch(5)
    assert arrays(batches) == [(2 * ROWS[:5]).tolist(), (2 * ROWS[5:]).tolist()]


@pytest.mark.parametrize("chunks", [(8, 8), (3, 4), (5, 3)])
def test_arrays_side_by_side(chunks: Any) -> None:
    x, y = dask.array.from_array(ROWS, chunks=(chunks[0], 2)), dask.array.from_array(LABELS, chunks=chunks[1])
    pairs = list(Dataset.from_dask((x, y)).as_numpy_iterator())
    assert [(row.tolist(), int(label)) for row, label in pairs] == list(zip(ROWS.tolist(), LABELS.tolist()))
    named = list(Dataset.from_dask({"rows": x, "label": y}).as_numpy_iterator())
    assert [int(element["label"]) for element in named] == LABELS.tolist()


def test_rows_whose_number_dask_does_not_know() -> None:
    x = dask.array.from_array(ROWS, chunks=(3, 3))
    dataset = Dataset.from_dask(x[x[:, 0] > 4])
    assert arrays(dataset) == ROWS[2:].tolist()
    assert int(dataset.cardinality()) == tf.data.UNKNOWN_CARDINALITY


def test_a_bag() -> None:
    bag = dask.bag.from_sequence(range(7), npartitions=3)
    assert arrays(Dataset.from_dask(bag).batch(4)) == [[0, 1, 2, 3], [4, 5, 6]]
    pairs = Dataset.from_dask(bag.map(lambda i: {"number": i, "text": str(i)}))
    assert [(int(e["number"]), e["text"]) for e in pairs.as_numpy_iterator()] == [(i, b"%d" % i) for i in range(7)]
    empty = bag.filter(lambda i: i > 9)
    with pytest.raises(tf.errors.InvalidArgumentError, match="the bag is empty; say with element_spec"):
        Dataset.from_dask(empty)
    assert arrays(Dataset.from_dask(empty, element_spec=tf.TensorSpec([], tf.int64))) == []


def test_delayed_tables_are_made_when_their_turn_comes() -> None:
    made: list[int] = []

    def table(i: int) -> Any:
        made.append(i)
        return ROWS[i : i + 2], LABELS[i : i + 2]

    parts = [dask.delayed(table)(i) for i in range(0, 8, 2)] * 2
    spec = (tf.TensorSpec([3], tf.float32), tf.TensorSpec([], tf.int64))
    dataset = Dataset.from_dask(parts, element_spec=spec)
    assert made == []
    elements = list(dataset.take(3).as_numpy_iterator())
    assert [int(label) for _, label in elements] == [0, 1, 2] and sorted(made) == [0, 2, 4, 6]
    assert Dataset.from_dask(parts[0]).element_spec == spec


def test_what_does_not_fit_is_named() -> None:
    x = dask.array.from_array(ROWS, chunks=(3, 3))
    with pytest.raises(TypeError, match="takes a dask array or a structure of them, a bag, or a list of dask.delayed"):
        Dataset.from_dask(ROWS)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"need one number of rows; .*\(8, 3\), \(7,\)"):
        Dataset.from_dask((x, dask.array.arange(7, chunks=3)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="a scalar has no rows"):
        Dataset.from_dask(x.sum())
    wrong = Dataset.from_dask(dask.delayed(lambda: ROWS)(), element_spec=tf.TensorSpec([2], tf.float32))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"partition 0 of the Dask collection has the shape"):
        arrays(wrong)
    items = dask.bag.from_sequence([1, "two"], npartitions=2)
    with pytest.raises(TypeError, match="item 0 of partition 1 of the Dask collection was expected to be int"):
        arrays(Dataset.from_dask(items))


@pytest.mark.parametrize("parts", [1, 3, 9])
def test_to_a_bag_and_back(parts: int) -> None:
    dataset = Dataset.from_tensor_slices((ROWS, LABELS)).shuffle(8, seed=1)
    bag = dataset.to_dask(npartitions=parts)
    assert bag.npartitions == parts
    assert sorted(int(label) for _, label in bag.compute()) == sorted(LABELS.tolist())
    plain = Dataset.range(10).map(lambda x: x * x)
    assert [int(x) for x in plain.to_dask(parts).compute()] == [x * x for x in range(10)]
    assert arrays(Dataset.from_dask(plain.to_dask(parts))) == arrays(plain)


def test_to_a_bag_refuses() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="the dataset is infinite; take"):
        Dataset.range(3).repeat().to_dask(2)
    with pytest.raises(ValueError, match="npartitions is a positive integer; got 0"):
        Dataset.range(3).to_dask(0)


def test_a_loop_in_a_function() -> None:
    x = dask.array.from_array(ROWS, chunks=(3, 3))

    @tf.function
    def total(dataset: Any) -> Any:
        found = tf.zeros([3])
        for row in dataset:
            found += row
        return found

    assert total(Dataset.from_dask(x)).numpy().tolist() == ROWS.sum(axis=0).tolist()
