"""Checkpoints: what was saved is there again, in the same objects and in new ones, eager and in Functions."""

from __future__ import annotations

import copy
import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import NotFoundError
from tests.runtime.saving.objects_to_save import Net, dense_model, saved_vector, trained


@pytest.mark.parametrize(
    "value", [1.5, [1, 2, 3], True, ["a", "grün"], 1 + 2j, np.float64([[1e300]]), np.zeros([0, 3], np.int8)], ids=repr
)
def test_a_value_of_each_kind_is_restored(tmp_path: Path, value: Any) -> None:
    v = tf.Variable(value)
    before = v.numpy()
    checkpoint = tf.train.Checkpoint(v=v)
    path = checkpoint.save(tmp_path / "ckpt")
    assert path == str(tmp_path / "ckpt-1")
    v.assign(tf.zeros(v.shape, v.dtype) if v.dtype is not tf.string else ["", ""])
    checkpoint.restore(path).assert_consumed()
    assert v.numpy().tolist() == before.tolist() and v.numpy().dtype == before.dtype
    other = tf.Variable(tf.zeros(v.shape, v.dtype) if v.dtype is not tf.string else ["", ""])
    tf.train.Checkpoint(v=other).restore(path).assert_consumed()
    assert other.numpy().tolist() == before.tolist()


def test_each_save_has_a_number_and_restores_its_own_state(tmp_path: Path) -> None:
    v = tf.Variable(0)
    checkpoint = tf.train.Checkpoint(v=v)
    paths = []
    for i in range(3):
        v.assign(i)
        paths.append(checkpoint.save(tmp_path / "c"))
    assert [os.path.basename(path) for path in paths] == ["c-1", "c-2", "c-3"]
    assert tf.train.latest_checkpoint(tmp_path) == paths[-1]
    for i in (2, 0, 1):
        checkpoint.restore(paths[i]).assert_consumed()
        assert (int(v), int(checkpoint.save_counter)) == (i, i + 1)
    assert checkpoint.save(tmp_path / "c") == str(tmp_path / "c-3")


def test_everything_that_modules_hold_is_saved(tmp_path: Path) -> None:
    def make(start: float) -> tuple[Any, list[Any]]:
        v = [tf.Variable(start + i) for i in range(6)]
        inner = Net(w=v[0], deep={"list": [v[1], (v[2], {"x/y": v[3]})]})
        return Net(first=inner, again=inner, shared=v[0], by_number={0: v[4]}, many=[1, v[5], "text"]), v

    net, old = make(0.0)
    path = tf.train.Checkpoint(net).write(tmp_path / "c")
    other, new = make(100.0)
    tf.train.Checkpoint(other).read(path).assert_consumed()
    assert [float(v) for v in new] == [float(v) for v in old] == list(range(6))


def test_a_training_goes_on_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    """Weights, slots, the number of steps and the learning rate: the same losses bit by bit."""
    model, optimizer, step = trained(3)
    path = tf.train.Checkpoint(model=model, optimizer=optimizer).save(tmp_path / "c")
    expected = [step().numpy() for _ in range(4)]
    model, optimizer, step = trained(0)
    optimizer.learning_rate = 7.0
    status = tf.train.Checkpoint(model=model, optimizer=optimizer).restore(path)
    with pytest.raises(AssertionError, match="no object has asked for these values: 'model/layers/0/bias'"):
        status.assert_consumed()
    assert [step().numpy() for _ in range(4)] == expected
    status.assert_consumed()
    assert step.experimental_get_tracing_count() == 1


def test_a_training_in_the_same_objects_goes_back(tmp_path: Path) -> None:
    model, optimizer, step = trained(3)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.save(tmp_path / "c")
    expected = [step().numpy() for _ in range(4)]
    for _ in range(2):
        checkpoint.restore(path).assert_consumed()
        assert [step().numpy() for _ in range(4)] == expected
    assert step.experimental_get_tracing_count() == 1


def test_traces_from_before_see_restored_values(tmp_path: Path) -> None:
    v, table = tf.Variable(2.0), tf.Variable(["a", "b"])

    @tf.function
    def read(i: Any) -> Any:
        if i > 0:
            return v * 10.0, tf.gather(table, i)
        return v, tf.gather(table, 0)

    checkpoint = tf.train.Checkpoint(v=v, table=table)
    path = checkpoint.write(tmp_path / "c")
    held = v.numpy(), v.value()
    v.assign(3.0)
    table.assign(["x", "y"])
    assert [r.numpy() for r in read(tf.constant(1))] == [30.0, b"y"]
    checkpoint.read(path).assert_consumed()
    assert [r.numpy() for r in read(tf.constant(1))] == [20.0, b"b"]
    assert [r.numpy() for r in read(tf.constant(0))] == [2.0, b"a"]
    assert read.experimental_get_tracing_count() == 1
    v.assign(9.0)
    checkpoint.read(path).assert_consumed()
    assert held[0] == 2.0 and held[1].numpy() == 2.0


def test_what_was_read_before_a_restore_stays(tmp_path: Path) -> None:
    v = tf.Variable(np.zeros(3_000_000, np.float32))
    checkpoint = tf.train.Checkpoint(v=v)
    path = checkpoint.write(tmp_path / "c")
    v.assign(tf.ones_like(v))
    held = v.numpy()
    checkpoint.read(path).assert_consumed()
    assert held.min() == 1 and v.numpy().max() == 0


def test_metrics_and_generators(tmp_path: Path) -> None:
    def make() -> Any:
        return Net(mean=tf.metrics.Mean(), generator=tf.random.Generator.from_seed(3))

    old = make()
    old.mean.update_state([1.0, 5.0])
    old.generator.normal([4])
    path = tf.train.Checkpoint(parts=old).save(tmp_path / "c")
    expected = old.generator.normal([4]).numpy()
    new = make()
    tf.train.Checkpoint(parts=new).restore(path).assert_consumed()
    assert float(new.mean.result()) == 3.0
    assert (new.generator.normal([4]).numpy() == expected).all()


def test_the_optimizer_of_a_compiled_model_is_saved_with_it(tmp_path: Path) -> None:
    x, y = np.float32([[1, 2], [3, 4]]), np.float32([[1], [2]])

    def fitted(epochs: int) -> Any:
        model = dense_model()
        model.compile(tf.optimizers.Momentum(0.05), "mse")
        model.fit(x, y, epochs=epochs, verbose=0, shuffle=False)
        return model

    old = fitted(2)
    path = tf.train.Checkpoint(old).save(tmp_path / "c")
    expected = old.fit(x, y, epochs=2, verbose=0, shuffle=False).history["loss"]
    new = fitted(1)
    tf.train.Checkpoint(new).restore(path).assert_consumed()
    assert new.fit(x, y, epochs=2, verbose=0, shuffle=False).history["loss"] == expected


def test_checkpoints_are_parts_of_checkpoints_and_give_their_objects(tmp_path: Path) -> None:
    v = tf.Variable(1)
    outer = tf.train.Checkpoint(inner=tf.train.Checkpoint(step=v))
    path = outer.save(tmp_path / "c")
    outer.inner.step.assign_add(1)
    assert int(v) == 2
    outer.restore(path).assert_consumed()
    assert int(v) == 1


def test_copies_and_pickles_of_a_checkpoint_that_waits(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v", "late")
    checkpoint = tf.train.Checkpoint(v=[tf.Variable(0.0) for _ in range(3)])
    checkpoint.restore(path).expect_partial()
    for other in (copy.deepcopy(checkpoint), pickle.loads(pickle.dumps(checkpoint))):
        other.v[0].assign(8.0)
        assert [float(v) for v in other.v] == [8.0, 2.0, 3.0]
        other.restore(path).expect_partial()
        assert [float(v) for v in (*other.v, checkpoint.v[0])] == [1.0, 2.0, 3.0, 1.0]


def test_the_slots_of_a_copied_optimizer_are_saved_once(tmp_path: Path) -> None:
    w, optimizer = tf.Variable([1.0]), tf.optimizers.Adam(0.1)
    optimizer.apply_gradients([(tf.constant([1.0]), w)])
    w2, optimizer2 = copy.deepcopy((w, optimizer))
    optimizer2.apply_gradients([(tf.constant([3.0]), w2)])
    expected = [v.numpy().tolist() for v in optimizer2.variables]
    path = tf.train.Checkpoint(w=w2, optimizer=optimizer2).write(tmp_path / "c")
    optimizer.build([w])
    tf.train.Checkpoint(w=w, optimizer=optimizer).read(path).assert_consumed()
    assert [v.numpy().tolist() for v in optimizer.variables] == expected
    optimizer2.apply_gradients([(tf.constant([3.0]), w2)])
    tf.train.Checkpoint(w=w2, optimizer=optimizer2).read(path).assert_consumed()
    assert [v.numpy().tolist() for v in optimizer2.variables] == expected


def test_threads_get_numbers_of_their_own(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    with ThreadPoolExecutor(4) as pool:
        paths = list(pool.map(lambda i: checkpoint.save(tmp_path / "c"), range(8)))
    assert sorted(os.path.basename(path) for path in paths) == [f"c-{i}" for i in range(1, 9)]
    state = tf.train.get_checkpoint_state(tmp_path)
    assert state is not None and len(state.all_model_checkpoint_paths) == 8


def test_paths_of_every_kind(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(0.0))
    for path in (tmp_path / "a", str(tmp_path / "b c é"), os.fsencode(tmp_path / "d")):
        written = checkpoint.write(path)
        assert written == os.fsdecode(path)
        checkpoint.read(path).assert_consumed()


def test_a_root_and_names_beside_it(tmp_path: Path) -> None:
    net = Net(w=tf.Variable(1.0))
    path = tf.train.Checkpoint(net, step=tf.Variable(7)).save(tmp_path / "c")
    names = [name for name, _ in tf.train.list_variables(path)]
    suffix = "/.ATTRIBUTES/VARIABLE_VALUE"
    assert names == ["_CHECKPOINTABLE_OBJECT_GRAPH", f"save_counter{suffix}", f"step{suffix}", f"w{suffix}"]
    with pytest.raises(ValueError, match=r"Checkpoint\(w=...\): the root has another part of that name"):
        tf.train.Checkpoint(net, w=tf.Variable(2.0))
    tf.train.Checkpoint(net, w=net.w)


def test_an_assignment_to_the_checkpoint_adds_a_part(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint()
    checkpoint.v = tf.Variable(4)
    path = checkpoint.save(tmp_path / "c")
    other = tf.train.Checkpoint()
    status = other.restore(path)
    other.v = tf.Variable(0)
    status.assert_consumed()
    assert int(other.v) == 4



def test_the_values_of_a_file_can_be_read_without_objects(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(v=tf.Variable([1.5, 2.5]), s=tf.Variable("text")).save(tmp_path / "c")
    name = "v/.ATTRIBUTES/VARIABLE_VALUE"
    assert (name, [2]) in tf.train.list_variables(path)
    assert tf.train.load_variable(tmp_path, name).tolist() == [1.5, 2.5]
    reader = tf.train.load_checkpoint(tmp_path)
    assert reader.get_tensor("s/.ATTRIBUTES/VARIABLE_VALUE") == b"text"
    assert reader.get_tensor("save_counter/.ATTRIBUTES/VARIABLE_VALUE") == 1
    assert reader.get_variable_to_dtype_map()[name] is tf.float32
    assert reader.has_tensor(name) and not reader.has_tensor("v")
    with pytest.raises(NotFoundError, match="has no value 'v'; it has .*'v/.ATTRIBUTES/VARIABLE_VALUE'"):
        reader.get_tensor("v")
    with pytest.raises(NotFoundError, match="there is no checkpoint in this directory"):
        tf.train.load_checkpoint(os.path.dirname(path) + "/..")


def test_the_same_state_gives_the_same_bytes(tmp_path: Path) -> None:
    def write(name: str) -> bytes:
        net = Net(w=tf.Variable([1.0, 2.0]), parts={"b": tf.Variable(1), "a": tf.Variable("x")})
        path = tf.train.Checkpoint(net=net, step=tf.Variable(3)).write(tmp_path / name)
        return Path(path + ".data-00000-of-00001").read_bytes()

    assert write("one") == write("two")


def test_a_tree_deeper_than_the_recursion_limit(tmp_path: Path) -> None:
    def chain(value: float) -> Any:
        inner = v = tf.Variable(value)
        for _ in range(3000):
            inner = Net(inner=inner)
        return inner, v

    path = tf.train.Checkpoint(chain(5.0)[0]).write(tmp_path / "c")
    root, v = chain(0.0)
    tf.train.Checkpoint(root).read(path).assert_consumed()
    assert float(v) == 5.0
    while isinstance(root, Net):  # Python itself takes a long chain apart recursively
        root = vars(root).pop("inner")
