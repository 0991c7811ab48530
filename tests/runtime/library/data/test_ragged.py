"""Ragged and sparse tensors as elements of datasets, beside the lists that they are."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset, DatasetSpec
from runtime.library.data.experimental import dense_to_ragged_batch

ROWS = [[1, 2], [3], [], [4, 5, 6]]
DEEP = [[[1, 2], [3]], [], [[], [4]], [[5]]]


def plain(value: Any) -> Any:
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    if isinstance(value, tf.SparseTensor):
        return tf.sparse.to_dense(value).numpy().tolist()
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.numpy().tolist()


def elements(dataset: Any) -> list[Any]:
    return [plain(element) for element in dataset]


def groups(items: list[Any], size: int) -> list[Any]:
    return [items[i : i + size] for i in range(0, len(items), size)]


@pytest.mark.parametrize("items", [ROWS, DEEP])
@pytest.mark.parametrize("size", [1, 2, 3, 9])
def test_rows_and_batches(items: list[Any], size: int) -> None:
    dataset = Dataset.from_tensor_slices(tf.ragged.constant(items))
    assert elements(dataset) == items and len(dataset) == 4
    batches = dataset.batch(size)
    assert elements(batches) == groups(items, size) and len(batches) == -(-4 // size)
    assert elements(batches.unbatch()) == items
    assert elements(batches.batch(2)) == groups(groups(items, size), 2)
    assert elements(batches.batch(2).unbatch().unbatch()) == items
    assert elements(dataset.batch(size, drop_remainder=True)) == [g for g in groups(items, size) if len(g) == size]


def test_specs_say_what_the_elements_are() -> None:
    spec = tf.RaggedTensorSpec
    dataset = Dataset.from_tensor_slices(tf.ragged.constant(ROWS))
    assert dataset.element_spec == spec([None], tf.int32, 0)
    assert all(isinstance(row, tf.Tensor) for row in dataset)
    assert dataset.batch(2).element_spec == spec([None, None], tf.int32, 1)
    assert dataset.batch(2, drop_remainder=True).element_spec == spec([2, None], tf.int32, 1)
    assert dataset.batch(2).batch(3).element_spec == spec([None, None, None], tf.int32, 2)
    assert dataset.batch(2).unbatch().element_spec == dataset.element_spec
    assert dataset.unbatch().element_spec == tf.TensorSpec([], tf.int32)
    inner = Dataset.from_tensor_slices(tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1))
    assert inner.element_spec == spec([None, 2], tf.int32, 0)
    assert elements(inner.batch(2)) == [[[[1, 2]], [[3, 4], [5, 6]]]]
    assert elements(dataset.unbatch()) == [1, 2, 3, 4, 5, 6]


def test_tensors_of_different_lengths_as_rows() -> None:
    dataset = Dataset.range(1, 5).map(lambda n: (tf.fill([n], n), n))
    for made in (dataset.ragged_batch(3), dataset.apply(dense_to_ragged_batch(3))):
        assert elements(made) == [([[1], [2, 2], [3, 3, 3]], [1, 2, 3]), ([[4, 4, 4, 4]], [4])]
        assert made.element_spec == (tf.RaggedTensorSpec([None, None], tf.int64, 1), tf.TensorSpec([None], tf.int64))
    (narrow, _), _ = dataset.ragged_batch(3, row_splits_dtype=tf.int32)
    assert narrow.row_splits.dtype == tf.int32
    assert elements(Dataset.range(4).ragged_batch(2, drop_remainder=True)) == [[0, 1], [2, 3]]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"different shapes, \(1,\) and \(2,\)"):
        elements(Dataset.range(1, 3).map(lambda n: tf.fill([n, n], n)).ragged_batch(2))


def test_functions_take_and_return_them() -> None:
    batches = Dataset.from_tensor_slices(tf.ragged.constant(ROWS)).batch(2)
    assert elements(batches.map(lambda r: r * 2)) == [[[2, 4], [6]], [[], [8, 10, 12]]]
    assert elements(batches.map(lambda r: (r, tf.reduce_sum(r, axis=1)), num_parallel_calls=2).prefetch(2)) == [
        ([[1, 2], [3]], [3, 3]), ([[], [4, 5, 6]], [0, 15]),
    ]  # fmt: skip
    assert elements(batches.filter(lambda r: tf.reduce_sum(r) > 6)) == [[[], [4, 5, 6]]]
    assert elements(Dataset.range(2).map(lambda n: tf.ragged.range(tf.stack([n, n + 1])))) == [[[], [0]], [[0], [0, 1]]]
    assert elements(batches.flat_map(Dataset.from_tensor_slices)) == ROWS
    assert int(batches.reduce(0, lambda s, r: s + tf.reduce_sum(r))) == 21
    assert elements(batches.scan(0, lambda s, r: (s + tf.reduce_sum(r), r * s))) == [[[0, 0], [0]], [[], [24, 30, 36]]]


def test_steps_that_do_not_look_into_them(tmp_path: Path) -> None:
    rows = Dataset.from_tensor_slices((tf.ragged.constant(ROWS), [1, 2, 3, 4]))
    pairs = list(zip(ROWS, [1, 2, 3, 4], strict=True))
    assert elements(rows.skip(1).take(2)) == pairs[1:3]
    assert sorted(elements(rows.shuffle(3, seed=1).repeat(2))) == sorted(pairs * 2)
    assert elements(rows.concatenate(rows)) == pairs * 2
    assert [(elements(a), elements(b)) for a, b in rows.window(3)] == [
        (ROWS[:3], [1, 2, 3]), (ROWS[3:], [4]),
    ]  # fmt: skip
    batches = rows.batch(3)
    for cached in (batches.cache(), batches.cache(str(tmp_path / "kept"))):
        assert elements(cached) == elements(cached) == [(ROWS[:3], [1, 2, 3]), (ROWS[3:], [4])]
    assert [element[0].to_list() for element in batches.as_numpy_iterator()] == groups(ROWS, 3)


def test_generators_of_them() -> None:
    given = [tf.ragged.constant([[1], [2, 3]]), tf.ragged.constant([[], [4]], dtype=tf.int32)]
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    assert elements(Dataset.from_generator(lambda: given, output_signature=spec)) == [[[1], [2, 3]], [[], [4]]]
    rows = Dataset.from_generator(lambda: ROWS, output_signature=tf.RaggedTensorSpec([None], tf.int32))
    assert elements(rows.batch(4)) == [ROWS]
    with pytest.raises(TypeError, match="element 0 of the generator has not the structure"):
        elements(Dataset.from_generator(lambda: [[1]], output_signature=spec))


def test_loops_and_iterators_in_graphs() -> None:
    @tf.function
    def longest(dataset: Any) -> Any:
        best = tf.zeros([0], tf.int32)
        for batch in dataset:
            for row in batch:
                if tf.size(row) > tf.size(best):
                    best = row
        return best

    rows = Dataset.from_tensor_slices(tf.ragged.constant(ROWS))
    assert longest(rows.batch(2)).numpy().tolist() == longest(rows.batch(3)).numpy().tolist() == [4, 5, 6]
    assert longest.experimental_get_tracing_count() == 1
    doubled, iterator = tf.function(lambda iterator: next(iterator) * 2), iter(rows.batch(2))
    assert [doubled(iterator).to_list() for _ in range(2)] == [[[2, 4], [6]], [[], [8, 10, 12]]]
    made = tf.function(lambda x: next(iter(Dataset.from_tensor_slices(x).batch(3))))
    assert made(tf.ragged.constant(ROWS)).to_list() == ROWS[:3]
    total = tf.function(
        lambda dataset: dataset.reduce(0, lambda s, r: s + tf.reduce_sum(r)),
        input_signature=[DatasetSpec(tf.RaggedTensorSpec([None, None], tf.int32))],
    )
    assert int(total(rows.batch(2))) == 21
    with pytest.raises(TypeError):
        total(rows)


def test_sparse_tensors() -> None:
    dense = np.array([[1, 0, 2], [0, 0, 0], [0, 3, 0]])
    dataset = Dataset.from_tensor_slices(tf.sparse.from_dense(dense))
    assert elements(dataset) == dense.tolist() and dataset.element_spec == tf.SparseTensorSpec([3], tf.int64)
    batches = dataset.batch(2)
    assert elements(batches) == groups(dense.tolist(), 2) and elements(batches.unbatch()) == dense.tolist()
    assert batches.element_spec == tf.SparseTensorSpec([None, 3], tf.int64)
    assert elements(batches.map(lambda x: x * 2)) == groups((2 * dense).tolist(), 2)
    assert elements(Dataset.from_tensors(tf.sparse.from_dense(dense))) == [dense.tolist()]


def test_what_does_not_fit() -> None:
    rows = Dataset.from_tensor_slices(tf.ragged.constant(ROWS))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"one first dimension; got \(4,\), \(3,\)"):
        Dataset.from_tensor_slices((tf.ragged.constant(ROWS), [1, 2, 3]))
    for other in (Dataset.range(3), rows.batch(2), Dataset.from_tensor_slices(tf.ragged.constant([["a"]]))):
        with pytest.raises(TypeError, match="elements of different types"):
            rows.concatenate(other)
    with pytest.raises(TypeError, match="padded_batch: ragged and sparse tensors are batched as they are"):
        rows.padded_batch(2)


def test_large_batches_of_rows() -> None:
    lengths = np.random.default_rng(3).integers(0, 9, 500)
    ends = np.cumsum(lengths)
    items = [list(range(end - n, end)) for n, end in zip(lengths.tolist(), ends.tolist(), strict=True)]
    rows = tf.RaggedTensor.from_row_lengths(tf.range(int(ends[-1])), lengths)
    made = Dataset.from_tensor_slices(rows).batch(64).map(lambda r: r + 1).unbatch()
    assert elements(made) == [[x + 1 for x in item] for item in items]
    assert list(itertools.chain(*items)) == list(range(int(ends[-1])))


def plus(value: Any, k: int) -> Any:
    return [plus(part, k) for part in value] if isinstance(value, list) else value + k


# What is done to a dataset and to lists, by how much deeper rows become, and how deep they must be then: a function is
# given rows as tensors, and batches of what it returns would need one shape.
STEPS: list[Any] = [
    (lambda d, k: d.batch(k), lambda s, k: groups(s, k), 1, 1),
    (lambda d, k: d.unbatch(), lambda s, k: [row for group in s for row in group], -1, 1),
    (lambda d, k: d.map(lambda x: x + k), lambda s, k: plus(s, k), 0, 2),
    (lambda d, k: d.map(lambda x: x * 1 + k, num_parallel_calls=2), lambda s, k: plus(s, k), 0, 2),
    (lambda d, k: d.take(3 * k), lambda s, k: s[: 3 * k], 0, 1),
    (lambda d, k: d.skip(k), lambda s, k: s[k:], 0, 1),
    (lambda d, k: d.repeat(k), lambda s, k: s * k, 0, 1),
    (lambda d, k: d.shard(k + 1, k), lambda s, k: s[k :: k + 1], 0, 1),
    (lambda d, k: d.cache().prefetch(k), lambda s, k: s, 0, 1),
    (lambda d, k: d.concatenate(d.take(k)), lambda s, k: s + s[:k], 0, 1),
    (lambda d, k: d.window(k).flat_map(lambda window: window), lambda s, k: s, 0, 1),
]


@pytest.mark.parametrize("seed", range(20))
def test_random_pipelines_give_what_lists_give(seed: int) -> None:
    rng = random.Random(seed)
    items: Any = [[rng.randrange(9) for _ in range(rng.randrange(4))] for _ in range(rng.randrange(1, 12))]
    rows = tf.ragged.constant(items, dtype=tf.int64, ragged_rank=1)
    spec = tf.RaggedTensorSpec([None], tf.int64)
    dataset = Dataset.from_tensor_slices(rows)
    if seed % 2:
        dataset = Dataset.from_generator(lambda: rows, output_signature=spec)
    depth = 1
    for _ in range(rng.randrange(2, 7)):
        (step, model, deeper, least), k = rng.choice(STEPS), rng.randrange(1, 4)
        if depth + deeper >= least:
            dataset, items, depth = step(dataset, k), model(items, k), depth + deeper
    assert elements(dataset) == items
