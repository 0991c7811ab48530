"""Data parallel training with `to_jax` on eight devices, and by two processes: the losses of one device, bit for bit.

Sums over devices are taken in a fixed order: the gradients of all shards are gathered, and added one after the other.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]

TRAINING = """
import sys
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import runtime as tf

if len(sys.argv) > 2:
    jax.distributed.initialize(f"localhost:{sys.argv[3]}", num_processes=2, process_id=int(sys.argv[2]))

weights = tf.Variable(np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3), name="weights")
bias = tf.Variable(np.zeros(3, np.float32), name="bias")


def loss(x, y):
    for _ in tf.range(2):
        x = tf.tanh(x * 1.5)
    return tf.reduce_mean((tf.matmul(x, weights) + bias - y) ** 2)


pure = tf.to_jax(loss)
of_shard = jax.value_and_grad(lambda tree, x, y: pure(x, y, variables=tree))
rng = np.random.default_rng(1)
x, y = rng.normal(size=(8, 4, 4)).astype(np.float32), rng.normal(size=(8, 4, 3)).astype(np.float32)


def in_order(parts):
    total = parts[0]
    for part in range(1, 8):
        total = total + parts[part]
    return total / 8.0


def stepped(tree, loss_and_gradient):
    loss, gradient = jax.tree.map(in_order, loss_and_gradient)
    return loss, jax.tree.map(lambda value, change: value - 0.1 * change, tree, gradient)


def on_one(tree, x, y):
    parts = jax.lax.map(lambda shard: of_shard(tree, *shard), (x, y))
    return stepped(tree, parts)


mesh = Mesh(np.array(jax.devices()), ("data",)) if int(sys.argv[1]) > 1 else None


def on_many(tree, x, y):
    def shard(tree, x, y):
        parts = jax.lax.map(lambda own: of_shard(tree, *own), (x, y))
        return stepped(tree, jax.lax.all_gather(parts, "data", tiled=True))

    split, whole = PartitionSpec("data"), PartitionSpec()
    mapped = jax.shard_map(shard, mesh=mesh, in_specs=(whole, split, split), out_specs=whole, check_vma=False)
    return mapped(tree, x, y)


if mesh is not None:
    assert len(jax.devices()) == int(sys.argv[1]), jax.devices()
    place = lambda a: jax.make_array_from_callback(a.shape, NamedSharding(mesh, PartitionSpec("data")), lambda i: a[i])
    x, y = place(x), place(y)
step = jax.jit(on_one if mesh is None else on_many)
pure(np.zeros((4, 4), np.float32), np.zeros((4, 3), np.float32))
tree = pure.variables
for _ in range(5):
    loss_now, tree = step(tree, x, y)
    print("loss", np.asarray(loss_now.addressable_data(0)).tobytes().hex())
"""


def start(path: Path, devices: int, *more: str, count: int | None = None) -> subprocess.Popen[str]:
    flags = f"--xla_force_host_platform_device_count={devices if count is None else count}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}
    command = [sys.executable, str(path), str(devices), *more]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def losses(process: subprocess.Popen[str]) -> list[str]:
    try:
        out, errors = process.communicate(timeout=240)
    finally:
        process.kill()
    assert process.returncode == 0, errors
    return [line for line in out.splitlines() if line.startswith("loss ")]


def test_eight_devices_give_the_losses_of_one(tmp_path: Path) -> None:
    path = tmp_path / "training.py"
    path.write_text(TRAINING, encoding="utf-8")
    one, many = start(path, 1), start(path, 8)
    found = losses(one)
    assert losses(many) == found and len(set(found)) == 5


def test_two_processes_give_the_losses_of_one(tmp_path: Path) -> None:
    path = tmp_path / "training.py"
    path.write_text(TRAINING, encoding="utf-8")
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    both = [start(path, 8, number, port, count=4) for number in ("0", "1")]
    found = losses(start(path, 1))
    assert [losses(process) for process in both] == [found, found]
