"""Programs with control flow, lists, functions and Variables: what a session gives is what Python gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import runtime as tf
from tests.runtime.exits.export.running import next_state, run, same, written

NUMBER = tf.TensorSpec([], tf.int32)
FLOAT = tf.TensorSpec([], tf.float32)
VECTOR = tf.TensorSpec([None], tf.float32)


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def positives(x):
    kept = []
    for i in tf.range(tf.shape(x)[0]):
        if x[i] > 0:
            kept.append(x[i] * 2)
    return tf.stack(kept)


def popped(x):
    items = []
    for i in tf.range(tf.shape(x)[0]):
        items.append(x[i])
        if i % 3 == 2:
            items[0] = items.pop() + items[0]
    return tf.stack(items), len(items)


def fibonacci(n):
    numbers = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    numbers = numbers.write(0, 0)
    numbers = numbers.write(1, 1)
    for i in tf.range(2, n):
        numbers = numbers.write(i, numbers.read(i - 1) + numbers.read(i - 2))
    return numbers.stack()


def first_below(x, limit):
    found = -1
    for i in tf.range(tf.shape(x)[0]):
        if x[i] < limit:
            found = i
            break
    return found


def early(x):
    if x > 3:
        return x * 2
    for i in tf.range(4):
        if x + tf.cast(i, tf.float32) > 2:
            return x - 1
    return x


@tf.function
def square(x):
    return x * x + 1.0


def twice(x):
    return square(x) + square(square(x))


def switched(i, x):
    return tf.switch_case(i, [lambda: x + 1, lambda: x * 2, lambda: x - 5, lambda: x / 4, lambda: -x])


def nested(n):
    total = 0
    for i in tf.range(n):
        j = i
        while j > 0:
            if j % 3 == 0:
                total += i * j
            elif j % 3 == 1:
                total -= j
            j -= 1
    return total


def mapped(x):
    return tf.map_fn(lambda row: row * row + 1.0, x)


X = np.array([3, -1, 2, 5, -4, 6, 1], np.float32)

PROGRAMS = [
    (collatz, [NUMBER], [np.int32(27)]), (collatz, [NUMBER], [np.int32(1)]), (positives, [VECTOR], [X]),
    (popped, [VECTOR], [X]), (fibonacci, [NUMBER], [np.int32(12)]), (first_below, [VECTOR, FLOAT], [X, np.float32(0)]),
    (first_below, [VECTOR, FLOAT], [X, np.float32(-9)]), (early, [FLOAT], [np.float32(4)]),
    (early, [FLOAT], [np.float32(1)]), (early, [FLOAT], [np.float32(-9)]), (twice, [VECTOR], [X]),
    (switched, [NUMBER, VECTOR], [np.int32(0), X]), (switched, [NUMBER, VECTOR], [np.int32(3), X]),
    (switched, [NUMBER, VECTOR], [np.int32(-1), X]), (switched, [NUMBER, VECTOR], [np.int32(9), X]),
    (nested, [NUMBER], [np.int32(9)]), (mapped, [VECTOR], [X]), (mapped, [VECTOR], [X[:0]]),
]  # fmt: skip


@pytest.mark.parametrize(("program", "signature", "arguments"), PROGRAMS)
def test_a_session_gives_what_the_function_gives(program, signature, arguments, tmp_path: Path) -> None:
    ran = written(program, tmp_path / "program.onnx", signature)
    wanted = tf.function(program)(*map(tf.constant, arguments))
    parts = wanted if isinstance(wanted, tuple) else (wanted,)
    for found, part in zip(run(ran, arguments), parts, strict=True):
        same(found, tf.convert_to_tensor(part).numpy(), program.__name__)


def test_what_python_says(tmp_path: Path) -> None:
    """Not only what this package says."""
    assert run(written(collatz, tmp_path / "a.onnx", [NUMBER]), [np.int32(27)])[0] == 111
    assert run(written(fibonacci, tmp_path / "b.onnx", [NUMBER]), [np.int32(9)])[0].tolist()[-4:] == [5, 8, 13, 21]
    assert run(written(positives, tmp_path / "c.onnx", [VECTOR]), [X])[0].tolist() == [6, 4, 10, 12, 2]


def test_division_of_integers_is_rounded_down_as_in_python(tmp_path: Path) -> None:
    ran = written(lambda x, y: (x // y, x % y), tmp_path / "f.onnx", [NUMBER, NUMBER])
    for x in (-7, -6, 6, 7):
        for y in (-3, 3):
            assert [int(v) for v in run(ran, [np.int32(x), np.int32(y)])] == [x // y, x % y]


# -- Variables ------------------------------------------------------------------------------------------------------


def test_variables_that_are_read_are_weights(tmp_path: Path) -> None:
    weights = tf.Variable([1.0, 2.0, 3.0], name="weights")
    ran = written(lambda x: x * weights, tmp_path / "f.onnx", [tf.TensorSpec([3], tf.float32)])
    assert [given.name for given in ran.get_inputs()] == ["x"]
    weights.assign([0.0, 0.0, 0.0])
    assert run(ran, [np.ones(3, np.float32)])[0].tolist() == [1, 2, 3]


def test_variables_that_are_written_are_inputs_and_outputs(tmp_path: Path) -> None:
    total, count = tf.Variable([0.0, 10.0], name="total"), tf.Variable(3, name="count")

    def step(x):
        for _ in tf.range(3):
            if tf.reduce_sum(total) < 30.0:
                total.assign_add(x)
            else:
                count.assign(count + 1)
        return total * 2.0

    ran = written(step, tmp_path / "f.onnx", [tf.TensorSpec([2], tf.float32)])
    assert [given.name for given in ran.get_inputs()] == ["x"]
    assert sorted(given.name for given in ran.get_overridable_initializers()) == ["count", "total"]
    assert [made.name for made in ran.get_outputs()] == ["output_0", "total_next", "count_next"]
    x = np.array([5, 6], np.float32)
    found = run(ran, [x])
    wanted = tf.function(step)(tf.constant(x))
    assert found[0].tolist() == wanted.numpy().tolist()
    assert found[1].tolist() == total.numpy().tolist()
    assert int(found[2]) == int(count) == 4
    assert run(ran, [x], next_state(ran, found))[1].tolist() == total.numpy().tolist()


def test_parts_of_variables_and_calls_that_write(tmp_path: Path) -> None:
    table = tf.Variable(np.zeros((3, 2), np.float32), name="table")

    @tf.function
    def put(x):
        table[1].assign(x)
        return tf.reduce_sum(table)

    def program(x):
        table.scatter_nd_add([[0]], [x])
        return put(x) + put(x + 1.0)

    ran = written(program, tmp_path / "f.onnx", [tf.TensorSpec([2], tf.float32)])
    x = np.array([1, 2], np.float32)
    found = run(ran, [x])
    assert float(found[0]) == float(tf.function(program)(tf.constant(x)))
    assert found[1].tolist() == table.numpy().tolist() == [[1, 2], [2, 3], [0, 0]]


def test_a_step_of_training(tmp_path: Path) -> None:
    model = tf.layers.Sequential([tf.layers.Dense(4, activation="tanh"), tf.layers.Dense(1)])
    model(tf.zeros([1, 3]))

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - 1.0) ** 2)
        variables = model.trainable_variables
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.1 * gradient)
        return loss

    ran = written(step, tmp_path / "step.onnx", [tf.TensorSpec([None, 3], tf.float32)])
    x = np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32)
    state: dict[str, Any] = {}
    for _ in range(3):
        found = run(ran, [x], state)
        state = next_state(ran, found)
        same(found[0], step(tf.constant(x)).numpy(), "loss")
    assert len(state) == 4
    for value, variable in zip(found[1:], model.trainable_variables, strict=True):
        same(value, variable.numpy(), variable.name)


# -- the file -------------------------------------------------------------------------------------------------------


def test_names_open_dimensions_lines_and_the_same_bytes(tmp_path: Path) -> None:
    def program(x, y):
        return {"sum": x + y, "first": x[0]}

    signature = [tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([None, 3], tf.float32)]
    written(program, tmp_path / "a.onnx", signature)
    tf.export.onnx(program, tmp_path / "b.onnx", input_signature=signature)
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()
    model = onnx.load(str(tmp_path / "a.onnx"))
    assert [given.name for given in model.graph.input] == ["x", "y"]
    assert sorted(made.name for made in model.graph.output) == ["first", "sum"]
    dims = model.graph.input[0].type.tensor_type.shape.dim
    assert (dims[0].dim_param, dims[1].dim_value) == ("x_0", 3)
    lines = {node.doc_string for node in model.graph.node}
    assert f"test_programs.py:{program.__code__.co_firstlineno + 1} in program" in lines
    assert model.producer_name == "autograph-runtime"


def test_names_that_are_given_and_names_that_mean_something(tmp_path: Path) -> None:
    weights = tf.Variable(1.0, name="a/../b\n$(x)")
    ran = written(lambda x: x + weights, tmp_path / "f.onnx", [FLOAT], input_names=["left"], output_names=["right"])
    assert [given.name for given in ran.get_inputs()] == ["left"]
    assert [made.name for made in ran.get_outputs()] == ["right"]
    model = onnx.load(str(tmp_path / "f.onnx"))
    assert all(tensor.name.replace("_", "").replace(".", "").isalnum() for tensor in model.graph.initializer)
    with pytest.raises(ValueError, match="input_names are 1 different texts"):
        tf.export.onnx(lambda x: x, tmp_path / "g.onnx", input_signature=[FLOAT], input_names=["a", "b"])


def test_sets_of_operators(tmp_path: Path) -> None:
    for opset in (18, 20):
        assert float(run(written(square, tmp_path / "f.onnx", [FLOAT], opset=opset), [np.float32(3)])[0]) == 10
        assert onnx.load(str(tmp_path / "f.onnx")).opset_import[0].version == opset
    with pytest.raises(ValueError, match="opset is one of 18"):
        tf.export.onnx(square, tmp_path / "g.onnx", 12, [FLOAT])


def test_weights_that_one_file_cannot_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.exits.onnx.files.LIMIT", 100)
    weights = tf.Variable(np.arange(500, dtype=np.float32), name="weights")
    ran = written(lambda x: x + weights + 1.0, tmp_path / "f.onnx", [FLOAT])
    assert run(ran, [np.float32(1)])[0].tolist() == (np.arange(500) + 2).tolist()
    assert (tmp_path / "f.onnx.data").stat().st_size >= 2000
    assert (tmp_path / "f.onnx").stat().st_size < 2000
