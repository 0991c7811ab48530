"""The text of a graph runs in a fresh process that has never seen the module which defined the function."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import runtime as tf

ROOT = Path(__file__).resolve().parents[2]

RUNNER = """
import json, sys
import numpy as np
import runtime
from runtime.engine.plan import compile_plan
from runtime.ops.kernels.resource import Resource

text, inputs, memory = json.load(sys.stdin)
graph = runtime.Graph.from_text(text)
values = [np.array(v, dtype) for v, dtype in inputs]
held = [Resource(np.array(v, dtype), runtime.as_dtype(dtype), runtime.TensorShape(None), "v:0") for v, dtype in memory]
found = compile_plan(graph).function(*values, *held)
print(json.dumps([[array.tolist() for array in found], [m.read().tolist() for m in held]]))
assert "model" not in sys.modules and not any("test_graphs" in name for name in sys.modules)
"""

MODEL = """
import runtime as tf

total = tf.Variable(10)


def collatz(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@tf.function
def main(x, n):
    total.assign_add(n)
    kept = []
    for i in tf.range(n):
        if i % 2 == 0:
            kept.append(x * tf.cast(i, tf.float64))
    return tf.stack(kept), collatz(n), total + 0
"""


def test_a_graph_runs_without_the_module_that_defined_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    import model  # type: ignore[import-not-found]

    x, n = tf.constant([1.5, 2.0], tf.float64), tf.constant(5)
    text = model.main.get_concrete_function(x, n).optimized_graph.as_text()
    expected = [t.numpy().tolist() for t in model.main(x, n)]
    (tmp_path / "model.py").unlink()
    given = json.dumps([text, [[[1.5, 2.0], "float64"], [5, "int32"]], [[10, "int32"]]])
    done = subprocess.run(
        [sys.executable, "-c", RUNNER], cwd=ROOT, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [expected, [15]]
    monkeypatch.delitem(sys.modules, "model")
