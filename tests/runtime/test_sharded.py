"""`ShardedStrategy` here, without a cluster: parts by rows, results by part, sums in a fixed order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import distribute

ROWS = np.linspace(-1, 2, 40, dtype=np.float32).reshape(10, 4)


def test_parts_and_their_sums() -> None:
    strategy = distribute.ShardedStrategy(shards=4)
    assert strategy.num_replicas_in_sync == 4
    weights = tf.Variable(2.0)

    def of_part(x: Any, scale: float) -> Any:
        assert distribute.get_strategy() is strategy and distribute.get_replica_context().num_replicas_in_sync == 4
        total = tf.reduce_sum(x) * weights
        while total > 5.0:
            total = total / 2.0
        return {"total": total * scale, "rows": tf.shape(x)[0]}

    found = strategy.run(of_part, args=(strategy.split(ROWS),), kwargs={"scale": 3.0})
    assert [int(n) for n in strategy.experimental_local_results(found["rows"])] == [3, 3, 2, 2]
    parts = [ROWS[:3], ROWS[3:6], ROWS[6:8], ROWS[8:]]
    wanted = []
    for part in parts:
        total = part.sum() * np.float32(2)
        while total > 5:
            total /= 2
        wanted.append(total * np.float32(3))
    totals = [t.numpy() for t in found["total"].values]
    np.testing.assert_allclose(totals, wanted, rtol=1e-6)
    summed = strategy.reduce("SUM", found, axis=None)
    assert summed["total"].numpy() == (totals[0] + totals[1]) + (totals[2] + totals[3]) and int(summed["rows"]) == 10
    assert float(strategy.reduce("MEAN", found["rows"], axis=None)) == 2.5


def test_results_of_several_tensors_are_put_together() -> None:
    strategy = distribute.ShardedStrategy(shards=2)
    rows = tf.ragged.constant([[1.0], [2.0, 3.0]])
    parts = strategy.run(lambda x: rows * tf.reduce_sum(x), args=(strategy.split(ROWS[:2]),)).values
    assert [part.to_list() for part in parts] == [[[s], [2 * s, 3 * s]] for s in ROWS[:2].sum(axis=1)]


def test_reducing_along_an_axis_counts_every_row() -> None:
    strategy = distribute.ShardedStrategy(shards=4)
    parts = strategy.run(lambda x: x * 1.0, args=(strategy.split(ROWS),))
    np.testing.assert_allclose(strategy.reduce("MEAN", parts, axis=0).numpy(), ROWS.mean(axis=0), rtol=1e-6)
    np.testing.assert_allclose(strategy.reduce("SUM", parts, axis=0).numpy(), ROWS.sum(axis=0), rtol=1e-6)
    assert strategy.gather(parts, axis=0).numpy().tolist() == ROWS.tolist()


def test_batches_are_cut_and_small_ones_have_fewer_parts() -> None:
    strategy = distribute.ShardedStrategy(shards=4)
    batches = strategy.experimental_distribute_dataset(tf.data.Dataset.range(9).batch(6))
    found = [strategy.run(lambda x: tf.reduce_sum(x), args=(batch,)) for batch in batches]
    assert [[int(v) for v in each.values] for each in found] == [[1, 5, 4, 5], [6, 7, 8]]


def test_map_reduce_over_the_elements_of_a_dataset() -> None:
    strategy = distribute.ShardedStrategy()
    batches = tf.data.Dataset.from_tensor_slices(ROWS).batch(2)
    sums = [ROWS[i : i + 2].sum(axis=0) for i in range(0, 10, 2)]
    total = strategy.map_reduce(lambda x: tf.reduce_sum(x, axis=0), batches)
    wanted = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + sums[4]
    assert total.numpy().tolist() == wanted.tolist()
    largest = strategy.map_reduce(lambda x: (tf.reduce_max(x), tf.reduce_min(x)), batches,
                                  lambda a, b: (tf.maximum(a[0], b[0]), tf.minimum(a[1], b[1])))  # fmt: skip
    assert [float(v) for v in largest] == [float(ROWS.max()), float(ROWS.min())]
    mean = strategy.map_reduce(lambda x: tf.shape(x)[0], batches, "MEAN")
    assert float(mean) == 2.0 and mean.dtype == tf.float64


def test_what_is_refused() -> None:
    strategy = distribute.ShardedStrategy(shards=2)
    parts = strategy.split(ROWS)
    count = tf.Variable(0.0)
    with pytest.raises(tf.errors.NotExportableError, match=r"(?s)run: .*test_sharded.py:\d+.*has its own copy there"):
        strategy.run(lambda x: count.assign_add(tf.reduce_sum(x)), args=(parts,))
    with pytest.raises(tf.errors.UnimplementedError, match="all_reduce would have to wait for other shards"):
        strategy.run(lambda x: distribute.get_replica_context().all_reduce("SUM", x), args=(parts,))
    with pytest.raises(ValueError, match="the arguments have no parts; cut them by strategy.split"):
        strategy.run(lambda x: x, args=(ROWS,))
    with pytest.raises(ValueError, match=r"parts for \[2, 3\] shards"):
        strategy.run(lambda x, y: x, args=(parts, distribute.ShardedStrategy(shards=3).split(ROWS)))
    with pytest.raises(TypeError, match="reduce takes what run gave"):
        strategy.reduce("SUM", tf.constant(1.0), axis=None)
    with pytest.raises(tf.errors.ShapeMismatchError, match=r"one number of rows; the shapes are \(10, 4\), \(3,\)"):
        strategy.split((ROWS, np.ones(3)))
    with pytest.raises(ValueError, match="shards is a positive integer; got 0"):
        distribute.ShardedStrategy(shards=0)
    with pytest.raises(TypeError, match="map_reduce takes dask arrays, or a Dataset"):
        strategy.map_reduce(lambda x: x, "text")
    uneven = tf.data.Dataset.from_tensor_slices(ROWS).batch(4)
    with pytest.raises(tf.errors.ShapeMismatchError, match="gives results of different shapes"):
        strategy.map_reduce(lambda x: x, uneven)
    with pytest.raises(tf.errors.InvalidArgumentError, match="there is no data"):
        strategy.map_reduce(lambda x: tf.reduce_sum(x), uneven.take(0))
    with pytest.raises(ValueError, match="is to return what it is given"):
        strategy.map_reduce(lambda x: tf.reduce_sum(x), uneven, lambda a, b: tf.stack([a, b]))
    with pytest.raises(RuntimeError, match="waits for workers, which a graph cannot"):
        tf.function(lambda: strategy.map_reduce(lambda x: x, uneven))()


def test_an_error_of_a_part_is_that_of_the_program() -> None:
    strategy = distribute.ShardedStrategy()

    def checked(x: Any) -> Any:
        assert tf.reduce_all(x < 1.0), "too large"
        return x

    with pytest.raises(AssertionError, match="too large"):
        strategy.run(checked, args=(strategy.split(ROWS),))
