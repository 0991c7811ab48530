"""On clusters of processes: the same bits with any number of workers, when one is killed, and after the driver died."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask.array
import distributed
import numpy as np
import pytest

import runtime as tf
from runtime import distribute, keras
from tests.runtime.small_network import IMAGES, LABELS, PLAN, convolutional, trained

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]

@contextmanager
def cluster(workers: int, **options: Any) -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Dask closes as the interpreter sees fit
        with (
            dask.config.set(scheduler=None),
            distributed.LocalCluster(workers, threads_per_worker=1, dashboard_address=None, **options) as made,
            distributed.Client(made) as client,
        ):
            yield client


class _Kill(keras.callbacks.Callback):
    """Kills a worker in the middle, while there is work for it."""

    def __init__(self, client: Any) -> None:
        super().__init__()
        self._client, self.killed = client, 0

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        if batch == 1 and not self.killed:
            self.killed = next(iter(self._client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)


@pytest.fixture(scope="module")
def here() -> Any:
    return trained(distribute.ShardedStrategy())


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_training_has_the_bits_of_one_process(workers: int, here: Any) -> None:
    with cluster(workers) as client:
        assert trained(distribute.DaskStrategy(client)) == here


def test_a_worker_that_is_killed_changes_nothing(here: Any) -> None:
    with cluster(2) as client:
        kill = _Kill(client)
        assert trained(distribute.DaskStrategy(client), callbacks=[kill]) == here
        assert kill.killed


def test_dask_arrays_train_as_arrays_do() -> None:
    model, other = convolutional(), convolutional()
    plan = PLAN | {"shuffle": False}
    wanted = distribute.ShardedStrategy().fit(other, IMAGES, LABELS, **plan).history
    with cluster(2) as client:
        x, y = dask.array.from_array(IMAGES, chunks=(7, 8, 8, 1)), dask.array.from_array(LABELS, chunks=11)
        assert distribute.DaskStrategy(client).fit(model, x, y, **plan).history == wanted
    assert [w.tobytes() for w in model.get_weights()] == [w.tobytes() for w in other.get_weights()]


def test_functions_reach_workers() -> None:
    weights = tf.Variable(3.0)

    @tf.function
    def collatz(n: Any) -> Any:
        steps = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps * tf.cast(weights, tf.int64)

    collatz(tf.constant(27))
    trace = collatz.get_concrete_function(tf.TensorSpec([], tf.int32))
    x = np.linspace(-1, 2, 30, dtype=np.float32).reshape(10, 3)
    data = dask.array.from_array(x, chunks=(3, 3))
    with cluster(2) as client:
        assert int(client.submit(collatz, tf.constant(27)).result()) == 333
        assert [int(n) for n in client.gather(client.map(trace, [tf.constant(9), tf.constant(27)]))] == [57, 333]
        found = distribute.map_blocks(lambda t: tf.tanh(t) * weights, data).compute()
        np.testing.assert_allclose(found, np.tanh(x) * 3, rtol=1e-6)
        strategy = distribute.DaskStrategy(client, shards=4)
        total = strategy.map_reduce(lambda t: tf.reduce_sum(t * weights, axis=0), data)
        alone = distribute.ShardedStrategy(4).map_reduce(lambda t: tf.reduce_sum(t * weights, axis=0), data)
        assert total.numpy().tobytes() == alone.numpy().tobytes()
        parts = strategy.run(lambda t: tf.reduce_max(t), args=(strategy.split(x),))
        assert [float(v) for v in parts.values] == [float(x[a:b].max()) for a, b in distribute.shards.cuts(10, 4)]
        with pytest.raises(tf.errors.DivisionByZeroError, match="the divisor is 0"):
            strategy.run(lambda t: t // 0, args=(strategy.split(np.arange(8)),))
        rows = tf.data.Dataset.from_dask(data).as_numpy_iterator()
        assert [row.tolist() for row in rows] == x.tolist()


class _Lose(keras.callbacks.Callback):
    """The scheduler ends."""

    def __init__(self, client: Any) -> None:
        super().__init__()
        self._client = client

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        if batch == 2:
            self._client.cluster.close()


def test_a_lost_scheduler_leaves_the_last_good_checkpoint(tmp_path: Path, here: Any) -> None:
    with cluster(2) as client, pytest.raises(ConnectionError, match=r"the last good checkpoint is .*ckpt-1: the same"):
        trained(distribute.DaskStrategy(client), checkpoint=tmp_path, save_every=2, callbacks=[_Lose(client)])
    weights, _ = trained(distribute.ShardedStrategy(), checkpoint=tmp_path)
    assert weights == here[0]


DRIVER = """
import os, signal, sys
import distributed
from runtime import distribute, keras
from tests.runtime.exits.dask.test_cluster import cluster
from tests.runtime.small_network import trained

class Die(keras.callbacks.Callback):
    def on_train_batch_begin(self, batch, logs=None):
        if batch == 2:
            os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    with cluster(2) as client:
        trained(distribute.DaskStrategy(client), checkpoint=sys.argv[1], save_every=1, callbacks=[Die()])
"""


def test_checkpoints_go_on_after_the_driver_died(tmp_path: Path, here: Any) -> None:
    program = tmp_path / "driver.py"
    program.write_text(DRIVER, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(program), str(tmp_path / "c")], env=environment, cwd=ROOT, timeout=300)
    assert done.returncode == -signal.SIGKILL
    with cluster(1) as client:
        weights, history = trained(distribute.DaskStrategy(client), checkpoint=tmp_path / "c", save_every=1)
    assert (weights, history) == here
