"""`JaxStrategy`: what the plan over NumPy gives, on one device, on eight, and by two processes; checkpoints go on."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import distribute
from tests.runtime.exits.xla.processes import found, start
from tests.runtime.small_network import trained


def test_parts_and_their_sums() -> None:
    weights = tf.Variable(2.0)
    rows = np.linspace(-1, 2, 40, dtype=np.float32).reshape(10, 4)

    def of_part(x: Any) -> Any:
        total = tf.reduce_sum(x) * weights
        while total > 5.0:
            total = total / 2.0
        return total

    made = {}
    for name, strategy in (("here", distribute.ShardedStrategy(4)), ("XLA", distribute.JaxStrategy(shards=4))):
        parts = strategy.run(of_part, args=(strategy.split(rows),))
        batches = tf.data.Dataset.from_tensor_slices(rows).batch(2)
        made[name] = [*parts.values, strategy.map_reduce(of_part, batches)]
    np.testing.assert_allclose(made["XLA"], made["here"], rtol=1e-6)


def test_an_error_is_that_of_the_program() -> None:
    def checked(x: Any) -> Any:
        assert tf.reduce_all(x < 1.0), "too large"
        return x

    strategy = distribute.JaxStrategy(shards=2)
    with pytest.raises(AssertionError, match="too large"):
        strategy.run(checked, args=(strategy.split(np.arange(4.0)),))
    with pytest.raises(tf.errors.NotCompiledError, match="unique"):
        strategy.run(lambda x: tf.unique(x)[0], args=(strategy.split(np.arange(4.0)),))
    with pytest.raises(ValueError, match="there are no devices"):
        distribute.JaxStrategy(devices=[])


TRAINING = """
import sys
from runtime import distribute
from tests.runtime.small_network import trained
import jax
count, folder, *process = sys.argv[1:]
if process:
    jax.distributed.initialize(f"localhost:{process[1]}", num_processes=2, process_id=int(process[0]))
assert len(jax.local_devices()) == int(count)
print("found", trained(distribute.JaxStrategy(), checkpoint=folder or None))
"""


def training(count: int, folder: Any = "", *process: str) -> subprocess.Popen[str]:
    return start(TRAINING, count, count, folder, *process)


@pytest.mark.slow
def test_training_on_eight_devices_has_the_bits_of_one_and_the_numbers_of_numpy(tmp_path: Path) -> None:
    one, many = training(1), training(8)
    weights, numbers = found(one)
    assert found(many) == (weights, numbers)
    plain_weights, plain = trained(distribute.ShardedStrategy())
    np.testing.assert_allclose(numbers["loss"], plain["loss"], rtol=1e-5)
    for one, other in zip(weights, plain_weights):
        np.testing.assert_allclose(np.frombuffer(one, np.float32), np.frombuffer(other, np.float32), atol=1e-5)
    trained(distribute.ShardedStrategy(), checkpoint=tmp_path, epochs=1)
    _, resumed = found(training(8, tmp_path))
    np.testing.assert_allclose(resumed["loss"], plain["loss"][1:], rtol=1e-5)


@pytest.mark.slow
def test_two_processes_have_the_bits_of_one(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    one, *both = training(1), training(4, tmp_path, "0", port), training(4, tmp_path, "1", port)
    wanted = found(one)
    assert [found(process) for process in both] == [wanted, wanted]
    weights, _ = trained(distribute.ShardedStrategy(), checkpoint=tmp_path)
    assert weights == wanted[0]
