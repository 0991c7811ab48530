"""`MeshStrategy`: Variables and data over a mesh of devices, with the numbers of the plan over NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import distribute
from runtime.errors import NotExportableError
from tests.runtime.exits.xla.mesh_training import Network, shifted
from tests.runtime.exits.xla.processes import found, start


def strategy(layout: Any = None, **more: Any) -> distribute.MeshStrategy:
    return distribute.MeshStrategy(distribute.Mesh({"data": 1, "model": 1}), layout, **more)


def test_variables_stay_on_the_mesh_until_they_are_read() -> None:
    total, scale = tf.Variable(1.5, name="total"), tf.Variable([1.0, 2.0], name="scale")

    @tf.function
    def step(x: Any) -> Any:
        for row in x:
            if tf.reduce_sum(row) > 0.0:
                total.assign_add(tf.reduce_sum(row * scale))
        return {"total": total.read_value(), "strategy": tf.distribute.get_strategy() is mesh}

    mesh = strategy({"scale": ("model",)})
    x = np.array([[1, 2], [-3, 1], [0.5, 0.5]], np.float32)
    found = mesh.run(step, (x,))
    assert float(found["total"]) == 1.5 + 5 + 1.5 and bool(found["strategy"])
    on_mesh = scale.handle.elsewhere
    mesh.run(step, kwargs={"x": tf.constant(x)})
    assert scale.handle.elsewhere is on_mesh and mesh.array(scale).sharding.spec[0] == "model"
    assert float(total) == 14.5 and total.handle.elsewhere is None
    total.assign(0.0)
    scale.assign_add([1.0, 0.0])
    assert float(mesh.run(step, (x,))["total"]) == 6 + 2
    assert float(step(x)["total"]) == 16 and not step(x)["strategy"]
    assert (float(total), scale.numpy().tolist()) == (24, [2, 2])


def test_arguments_are_copied_and_results_are_values() -> None:
    kept = tf.Variable(np.zeros(64), name="kept")
    x = np.ones(64)
    same = strategy().run(tf.function(lambda x: (kept.assign(x), tf.identity(x))[1]), (x,))
    x[:] = 7.0
    assert kept.numpy().tolist() == same.numpy().tolist() == [1.0] * 64


def test_arguments_and_results_have_any_structure() -> None:
    def program(rows: Any, number: int, names: Any) -> Any:
        return {"rows": rows * tf.constant(2.0), "pair": (names["a"] / number, None)}

    rows = tf.ragged.constant([[1.0], [2.0, 3.0]])
    found = strategy().run(program, (rows, 4), {"names": {"a": np.arange(2)}})
    assert found["rows"].to_list() == [[2], [4, 6]] and found["pair"][0].numpy().tolist() == [0, 0.25]
    assert found["pair"][1] is None


def test_arrays_of_the_program_stay_its_own() -> None:
    kept = np.zeros(3, np.float32)

    def program(x: Any) -> Any:
        kept[0] = tf.reduce_sum(x)
        return x + kept

    mesh = strategy()
    for number in (1, 2):
        kept[1] = number
        assert mesh.run(program, (np.ones(3, np.float32),)).numpy().tolist() == [4, number + 1, 1]
        assert kept.tolist() == [3, number, 0]


def test_an_error_is_that_of_the_program_and_nothing_of_it_counts() -> None:
    count = tf.Variable(0, name="count")

    @tf.function
    def checked(x: Any) -> Any:
        assert tf.reduce_all(x < 10), "too large"
        count.assign_add(1)
        return 7 // x

    mesh = strategy()
    assert mesh.run(checked, (np.arange(1, 5),)).numpy().tolist() == [7, 3, 2, 1]
    with pytest.raises(AssertionError, match="too large"):
        mesh.run(checked, (np.arange(10, 12),))
    assert int(count) == 1
    with pytest.raises(ZeroDivisionError):
        mesh.run(checked, (np.arange(4),))
    with pytest.raises(NotExportableError, match=r"MeshStrategy.run: .*\n.*unique"):
        mesh.run(lambda x: tf.unique(x)[0], (np.arange(4),))
    with pytest.raises(NotExportableError, match="it draws"):
        mesh.run(lambda x: x + tf.random.normal([4]), (np.arange(4, dtype=np.float32),))
    with pytest.raises(NotExportableError, match="an argument that is a Variable"):
        mesh.run(lambda v: v + 1, (count,))
    with tf.GradientTape(), pytest.raises(RuntimeError, match="open the tape in the function"):
        mesh.run(checked, (np.arange(1, 5),))
    with pytest.raises(RuntimeError, match="call it outside of Functions"):
        tf.function(lambda: mesh.run(checked, (np.arange(4),)))()


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"has 4000 devices, and there are \d+: .*device_count=4000 is set before"):
        distribute.Mesh({"data": 1000, "model": 4})
    for shape in ({}, {"data": 0}, {"data": 1.0}, {1: 1}):
        with pytest.raises(ValueError, match="axes have names and positive sizes"):
            distribute.Mesh(shape)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"has no axis 'rows' for rows; name it by batch="):
        strategy(batch="rows")
    for axes in ("model", 3):
        with pytest.raises(ValueError, match="'kernel' needs an axis or None for each dimension"):
            strategy({"kernel": axes})
    for laid in (("models",), ("data", "data"), ((None,),)):
        with pytest.raises(ValueError, match="is laid over .*has each axis once"):
            strategy({"kernel": laid})


def test_a_layout_that_does_not_fit_the_program() -> None:
    kernel = tf.Variable(np.ones((6, 3)), name="dense/kernel")
    read = tf.function(lambda: kernel * 2.0)
    with pytest.raises(ValueError, match=r"no Variable is \['dense/kernels'\] of the layout; there are: dense/kernel$"):
        strategy({"dense/kernels": ("model",), "dense/*": ("data",)}).run(read)
    with pytest.raises(ValueError, match=r"has 'dense/kernel:0' more than once, differently: \['\*', 'dense/\*'\]"):
        strategy({"*": ("model",), "dense/*": ("data",)}).run(read)
    with pytest.raises(ValueError, match=r"'dense/kernel:0' has the shape \(6, 3\), fewer dimensions than"):
        strategy({"*kernel": ("model", None, "data")}).run(read)
    later = strategy({"*kernel": ("model",)})
    later.run(read)
    assert int(later.run(lambda x: x + 1, (np.int64(2),))) == 3  # a program without it, later


PROGRAM = """
import sys
from tests.runtime.exits.xla.mesh_training import of_integers, on_mesh
shape = {"data": int(sys.argv[1]), "model": int(sys.argv[2])}
print("found", (on_mesh(shape, sys.argv[3]), of_integers(shape)))
"""


@pytest.mark.slow
def test_eight_devices_have_the_numbers_of_one_and_of_numpy(tmp_path: Path) -> None:
    started = start(PROGRAM, 8, 4, 2, tmp_path / "many"), start(PROGRAM, 1, 1, 1, tmp_path / "one")
    (many, integers), (one, integers_of_one) = map(found, started)
    kernels = {"sequential/conv2d/kernel": (3, 3, 1, 2), "sequential/dense/kernel": (72, 4)}
    for name, shape in kernels.items():
        assert [many["shards"][f"{n}:0"] for n in (name, f"adam/{name}/m", f"adam/{name}/v")] == [shape] * 3
    assert many["shards"]["sequential/dense/bias:0"] == (4,) and len(many["shards"]) == 19
    assert integers.pop("shard") == (2, 6) and integers_of_one.pop("shard") == (8, 12)
    assert integers == integers_of_one == plain_integers()

    plain, resumed = Network(), Network()
    losses = plain.train(3)
    for mesh in (many, one):
        near(mesh["losses"], losses)
        for weight, wanted in zip(mesh["weights"], plain.weights(), strict=True):
            near(weight, wanted)
    resumed.train(1)  # makes what the optimizer remembers
    resumed.checkpoint.read(str(tmp_path / "many")).assert_consumed()
    near(resumed.train(1), losses[6:])
    for weight, wanted in zip(resumed.weights(), many["weights"], strict=True):
        near(weight, wanted)


def near(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def plain_integers() -> Any:
    table = tf.Variable(np.arange(96).reshape(8, 12))
    step = shifted(table)
    results = [step(np.arange(64).reshape(8, 8) % 7).numpy().tolist() for _ in range(3)]
    return {"results": results, "table": table.numpy().tolist()}
