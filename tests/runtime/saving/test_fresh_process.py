"""A saved model runs in a process that has neither the module that defined it nor its classes."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

WRITER = """
import collections
import runtime as tf

class ModelError(ValueError):
    pass

class LargeError(ModelError):
    pass

Pair = collections.namedtuple("Pair", "first second")

class Layer(tf.Module):
    def __init__(self, size):
        self.w = tf.Variable(tf.ones([size, 2]), name="w")
        self.activation = tf.nn.relu

    def __call__(self, x):
        return self.activation(x @ self.w)

class Network(tf.Module):
    def __init__(self):
        self.layers = [Layer(3), Layer(2)]
        self.calls = tf.Variable(0, name="calls")

    @tf.function
    def __call__(self, x, scale=None):
        self.calls.assign_add(1)
        for layer in self.layers:
            x = layer(x)
        try:
            if tf.reduce_sum(x) > 1000.0:
                raise LargeError("too large", self.calls.value())
        except ModelError as error:
            if scale is None:
                raise
            x = x * 0.0
        return Pair(x if scale is None else x * scale, {"calls": self.calls.value()})

network = Network()
network(tf.zeros([1, 3]))
network(tf.zeros([1, 3]), tf.constant(1.0))
print(network(tf.ones([1, 3])).first.numpy().tolist())
tf.saved_model.save(network, "model")
"""

READER = """
import runtime as tf

loaded = tf.saved_model.load("model")
found = loaded(tf.ones([1, 3]))
print(found.first.numpy().tolist(), found.second["calls"].numpy(), type(found).__name__)
loaded.layers[0].w.assign(tf.zeros([3, 2]))
print(loaded(tf.ones([1, 3]), 5.0).first.numpy().tolist(), loaded.calls.numpy())
loaded.layers[0].w.assign(tf.fill([3, 2], 1e6))
print(loaded(tf.ones([1, 3]), 5.0).first.numpy().tolist())
try:
    loaded(tf.ones([1, 3]))
except ValueError as error:
    print(type(error).__mro__[:3], error.args[0], error.args[1].numpy())
"""


def run(program: str, name: str, directory: Path, seed: str) -> str:
    file = directory / name
    file.write_text(program)
    done = subprocess.run(
        [sys.executable, "-W", "error", name], cwd=directory, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    file.unlink()
    return done.stdout


def test_it_runs_without_the_code_and_the_file_is_the_same_for_every_hash_seed(tmp_path: Path) -> None:
    assert run(WRITER, "writer.py", tmp_path, "1") == "[[6.0, 6.0]]\n"
    first = (tmp_path / "model" / "saved_model.safetensors").read_bytes()
    run(WRITER, "writer.py", tmp_path, "2")
    assert (tmp_path / "model" / "saved_model.safetensors").read_bytes() == first
    values, changed, caught, error = run(READER, "reader.py", tmp_path, "3").splitlines()
    assert values == "[[6.0, 6.0]] 4 Pair"
    assert changed == "[[0.0, 0.0]] 5"
    assert caught == "[[0.0, 0.0]]"
    classes = "(<class '__main__.LargeError'>, <class '__main__.ModelError'>, <class 'ValueError'>)"
    assert error == f"{classes} too large 7"
