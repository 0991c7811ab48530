"""`runtime.distribute`: programs for several devices run on the one that there is, with the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from runtime import distribute

WAYS: list[Callable[[Any], Any]] = [lambda f: f, tf.function]
STRATEGIES: list[Callable[[], Any]] = [
    distribute.MirroredStrategy,
    distribute.OneDeviceStrategy,
    lambda: distribute.MirroredStrategy(["/gpu:0"]),
]


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
@pytest.mark.parametrize("make", STRATEGIES)
def test_a_training_step(make: Callable[[], Any], way: Callable[[Any], Any]) -> None:
    """One step of gradient descent, written for many replicas: w = 1 - 0.5 * d(w * 4)/dw for each batch of two."""
    strategy = make()
    assert strategy.num_replicas_in_sync == 1
    with strategy.scope():
        weight = tf.Variable(1.0)

    def step(batch: Any, rate: Any) -> Any:
        replica = distribute.get_replica_context()
        assert replica.strategy is strategy and not distribute.in_cross_replica_context()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(batch * weight)
        weight.assign_sub(rate * replica.all_reduce("MEAN", tape.gradient(loss, weight)))
        return loss

    @way
    def train(batch: Any) -> Any:
        return strategy.reduce("SUM", strategy.run(step, args=(batch,), kwargs={"rate": 0.5}), axis=None)

    numbers = tf.data.Dataset.from_tensor_slices([1.0, 3.0, 2.0, 0.0])
    dataset = strategy.experimental_distribute_dataset(numbers.batch(2))
    losses = [float(train(batch)) for batch in dataset]
    assert losses == [4.0, -2.0]  # the weight is 1, then 1 - 0.5 * (1 + 3)
    assert float(weight) == -2.0


def test_where_the_program_stands() -> None:
    strategy = distribute.MirroredStrategy()
    seen = []

    def inside() -> None:
        replica = distribute.get_replica_context()
        seen.append((replica.replica_id_in_sync_group, replica.num_replicas_in_sync, len(replica.devices)))
        assert distribute.get_strategy() is strategy and distribute.has_strategy()
        assert replica.merge_call(lambda s, x: (s is strategy, distribute.in_cross_replica_context(), x), (5,)) == (
            True, True, 5,
        )  # fmt: skip
        assert distribute.get_replica_context() is replica
        raise KeyError("out")

    def outside() -> None:
        assert not distribute.has_strategy() and not distribute.in_cross_replica_context()
        assert distribute.get_strategy().num_replicas_in_sync == 1
        assert distribute.get_replica_context().strategy is distribute.get_strategy()

    outside()
    with strategy.scope() as entered:
        assert entered is strategy is distribute.get_strategy()
        assert distribute.get_replica_context() is None and distribute.in_cross_replica_context()
        with pytest.raises(KeyError):
            strategy.run(inside)
        assert distribute.in_cross_replica_context()
    outside()
    assert seen == [(0, 1, 1)]


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
def test_values_are_reduced(way: Callable[[Any], Any]) -> None:
    strategy = distribute.MirroredStrategy()

    @way
    def reduced(x: Any) -> Any:
        return (
            strategy.reduce("SUM", x, axis=None),
            strategy.reduce(distribute.ReduceOp.MEAN, {"a": x}, axis=None),
            strategy.reduce("sum", x, axis=0),
            strategy.reduce("MEAN", x, axis=0),
            strategy.reduce("mean", tf.cast(x, tf.float32), axis=-1),
            strategy.gather(x, axis=0),
        )

    x = tf.constant([[1, 2], [4, 8]])
    same, structure, total, mean, rows, gathered = reduced(x)
    assert same.numpy().tolist() == structure["a"].numpy().tolist() == gathered.numpy().tolist() == [[1, 2], [4, 8]]
    assert total.numpy().tolist() == [5, 10] and total.dtype == tf.int32
    assert mean.numpy().tolist() == [2.5, 5.0] and mean.dtype == tf.float64  # as TensorFlow
    assert rows.numpy().tolist() == [1.5, 6.0] and rows.dtype == tf.float32


def test_local_results_and_inputs() -> None:
    strategy = distribute.MirroredStrategy()
    assert strategy.experimental_local_results({"a": 1}) == ({"a": 1},)
    dataset = tf.data.Dataset.range(3)
    assert strategy.experimental_distribute_dataset(dataset) is dataset
    made = strategy.distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(4).batch(context.get_per_replica_batch_size(2))
    )
    assert [batch.numpy().tolist() for batch in made] == [[0, 1], [2, 3]]


def _halve(x: Any) -> Any:
    if x > 1:
        while x > 1:
            x //= 2
    else:
        x = -x
    return x


class _Model:
    def halve(self, x: Any) -> Any:
        return _halve(x)


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
@pytest.mark.parametrize("fn", [_halve, tf.function(_halve), _Model().halve, lambda x: _halve(x)])
def test_what_runs_may_branch_and_loop(fn: Callable[[Any], Any], way: Callable[[Any], Any]) -> None:
    strategy = distribute.MirroredStrategy()

    @way
    def total(dataset: Any) -> Any:
        found = tf.constant(0, tf.int64)
        for x in dataset:
            found = found * 10 + strategy.run(fn, args=(x,))
        return found

    @way
    def merged(x: Any) -> Any:
        return strategy.run(lambda: distribute.get_replica_context().merge_call(lambda _, y: fn(y), (x,)))

    dataset = strategy.experimental_distribute_dataset(tf.data.Dataset.range(2, 6))
    assert int(total(dataset)) == 1111
    assert [int(merged(tf.constant(x))) for x in (8, -3)] == [1, 3]


MISTAKES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "devices": (
        lambda: distribute.MirroredStrategy(["/gpu:0", "/gpu:1"]), tf.errors.UnimplementedError, "one device.*2 were",
    ),
    "device twice": (lambda: distribute.MirroredStrategy(["/cpu:0"] * 2), tf.errors.InvalidArgumentError, "twice"),
    "text": (lambda: distribute.MirroredStrategy("/cpu:0"), TypeError, r"write \['/cpu:0'\]"),
    "reduction": (lambda: distribute.Strategy().reduce("max", 1, axis=None), ValueError, "SUM, MEAN; got 'max'"),
    "no reduction": (lambda: distribute.ReplicaContext(distribute.Strategy()).all_reduce(3, 1), ValueError, "got 3"),
    "function": (lambda: distribute.Strategy().run(3), TypeError, "runs a function; got 3"),
    "dataset": (lambda: distribute.Strategy().experimental_distribute_dataset([1]), TypeError, r"got \[1\]"),
}  # fmt: skip


@pytest.mark.parametrize(("make", "kind", "words"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes(make: Callable[[], Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        make()


def test_a_function_is_traced_once_for_a_strategy() -> None:
    strategy = distribute.MirroredStrategy()
    traces = []

    @tf.function
    def double(x: Any) -> Any:
        traces.append(1)  # in the trace
        return strategy.run(lambda y: y * 2, args=(x,))

    with pytest.warns(tf.errors.TraceEffectWarning):
        found = [double(tf.constant(n)).numpy() for n in (1, 2, 3)]
    assert found == [2, 4, 6] and len(traces) == 1
