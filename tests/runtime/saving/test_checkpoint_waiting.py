"""Values of a checkpoint wait for objects that come into being after the restore."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from runtime.checkpoint import waits
from runtime.state.expected import WAITING
from tests.runtime.saving.objects_to_save import Lazy, Net, saved_vector


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function], ids=["eager", "function"])
def test_values_wait_for_the_first_call(tmp_path: Path, wrap: Any) -> None:
    old = Net(layers=[Lazy(3), Lazy(2)])
    x = tf.constant([[1.0, 2.0]])
    for layer, size in zip(old.layers, (2, 3), strict=True):
        layer(tf.zeros([1, size]))
        layer.w.assign(tf.reshape(tf.range(float(size * layer.size)), [size, layer.size]))
        layer.b.assign_add(tf.ones_like(layer.b))
    expected = old.layers[1](old.layers[0](x)).numpy()
    path = tf.train.Checkpoint(net=old).write(tmp_path / "c")
    new = Net(layers=[Lazy(3), Lazy(2)])
    status = tf.train.Checkpoint(net=new).restore(path)

    @wrap
    def call(x: Any) -> Any:
        return new.layers[1](new.layers[0](x))

    assert (call(x).numpy() == expected).all()
    assert (call(x).numpy() == expected).all()
    status.assert_consumed()


def test_values_wait_for_what_is_put_into_lists_and_dicts(tmp_path: Path) -> None:
    """No list of ours notices it: the first read does."""
    path = saved_vector(tmp_path, "v")
    parts: dict[str, Any] = {"v": []}
    checkpoint = tf.train.Checkpoint(parts)
    status = checkpoint.restore(path)
    for i in range(3):
        made = tf.Variable(-1.0)
        assert float(made) == -1.0
        parts["v"].append(made)
        assert float(made) == i + 1.0
    status.assert_consumed()


def test_the_first_use_of_any_kind_comes_after_the_value(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(v=[tf.Variable([1.0, 2.0]) for _ in range(6)]).write(tmp_path / "c")
    made: list[Any] = []
    status = tf.train.Checkpoint(v=made).read(path)
    made += [tf.Variable([0.0, 0.0]) for _ in range(6)]
    made[0].assign_add([1.0, 1.0])
    made[1].assign([7.0, 7.0])
    made[2].scatter_update(tf.IndexedSlices(tf.constant([5.0]), tf.constant([0])))
    made[3][1:].assign([9.0])
    tf.function(lambda: made[4].assign_sub([1.0, 0.0]))()
    status.assert_consumed()
    assert [v.numpy().tolist() for v in made] == [[2, 3], [7, 7], [5, 2], [1, 9], [0, 2], [1, 2]]


def test_a_value_is_given_once(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v", "late")
    net = Net(v=[tf.Variable(0.0) for _ in range(3)])
    status = tf.train.Checkpoint(net).restore(path)
    for v in net.v:
        v.assign(50.0)
    net.late = [tf.Variable(0.0) for _ in range(3)]
    assert [float(v) for v in (*net.v, *net.late)] == [50.0] * 3 + [1.0, 2.0, 3.0]
    net.v[0].assign(60.0)
    net.late = [tf.Variable(70.0) for _ in range(3)]
    assert [float(v) for v in net.late] == [70.0] * 3
    with pytest.raises(AssertionError, match="no values for these objects, which keep theirs: 'late/0', 'late/1'"):
        status.assert_consumed()


def test_what_is_reached_in_a_second_way_later_has_its_value_already(tmp_path: Path) -> None:
    v = tf.Variable(1.0)
    path = tf.train.Checkpoint(a=v, b=v, c=tf.Variable(3.0)).write(tmp_path / "c")
    net = Net(a=tf.Variable(0.0))
    status = tf.train.Checkpoint(net).read(path)
    net.a.assign(50.0)
    net.b = net.a
    net.c = tf.Variable(0.0)
    status.assert_consumed()
    assert [float(net.a), float(net.c)] == [50.0, 3.0]


def test_objects_from_before_the_restore_may_be_attached_after_it(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v")
    before = [tf.Variable(0.0) for _ in range(3)]
    net = Net()
    status = tf.train.Checkpoint(net).restore(path)
    net.v = before
    assert [float(v) for v in before] == [1.0, 2.0, 3.0]
    status.assert_consumed()


def test_the_last_restore_wins_and_the_earlier_one_waits_no_more(tmp_path: Path) -> None:
    v = tf.Variable(1.0)
    first = tf.train.Checkpoint(late=v).write(tmp_path / "1")
    v.assign(2.0)
    second = tf.train.Checkpoint(late=v).write(tmp_path / "2")
    for fresh in (False, True):
        net = Net()
        checkpoint = tf.train.Checkpoint(net)
        checkpoint.restore(first)
        (tf.train.Checkpoint(net) if fresh else checkpoint).restore(second)
        net.late = tf.Variable(0.0)
        assert float(net.late) == 2.0
        checkpoint.late = net.late  # where the earlier one waits for it, too
        tf.Variable(1.0).numpy()
        assert float(net.late) == 2.0 and not WAITING


def test_what_waits_costs_as_much_as_there_is_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the layers, twice the looks for parts: not all of them at each attribute that is set."""
    looks = [0]
    part_of = waits.part_of

    def counted(*args: Any) -> Any:
        looks[0] += 1
        return part_of(*args)

    monkeypatch.setattr(waits, "part_of", counted)
    found = []
    for count in (20, 40):
        layers = [Lazy(1) for _ in range(count)]
        x = tf.ones([1, 1])
        for layer in layers:
            layer(x)
        path = tf.train.Checkpoint(layers=layers).write(tmp_path / "c")
        layers = [Lazy(1) for _ in range(count)]
        checkpoint = tf.train.Checkpoint(layers=layers)
        status = checkpoint.restore(path)
        looks[0] = 0
        for layer in layers:
            layer(x)
        found.append(looks[0])
        status.assert_consumed()
    assert found[1] <= 2.3 * found[0]


def test_what_waits_keeps_nothing_alive_and_opens_one_file(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v", "late")
    net = Net(v=[tf.Variable(0.0) for _ in range(3)])
    files = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(20):
        tf.train.Checkpoint(net).restore(path).expect_partial()
    assert len(WAITING) == 1
    if files:
        assert len(os.listdir("/proc/self/fd")) == files + 1
    del net
    gc.collect()
    assert not WAITING
    if files:
        assert len(os.listdir("/proc/self/fd")) == files


def test_the_file_may_be_deleted_while_values_wait(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v")
    net = Net()
    status = tf.train.Checkpoint(net).restore(path)
    for name in os.listdir(tmp_path):
        os.unlink(tmp_path / name)
    net.v = [tf.Variable(0.0) for _ in range(3)]
    status.assert_consumed()
    assert float(net.v[2]) == 3.0


def test_slots_for_variables_outside_of_the_checkpoint_go_by_name(tmp_path: Path) -> None:
    def make() -> tuple[list[Any], Any]:
        return [tf.Variable([0.0], name=n) for n in ("a", "a", "b")], tf.optimizers.Momentum(0.1)

    variables, optimizer = make()
    optimizer.apply_gradients((tf.constant([float(i + 1)]), v) for i, v in enumerate(variables))
    path = tf.train.Checkpoint(optimizer=optimizer).write(tmp_path / "c")
    old = [optimizer.get_slot(v, "momentum").numpy() for v in variables]
    variables, optimizer = make()
    status = tf.train.Checkpoint(optimizer=optimizer).read(path)
    optimizer.build(variables)
    status.assert_consumed()
    assert [optimizer.get_slot(v, "momentum").numpy() for v in variables] == old
    assert len({float(slot[0]) for slot in old}) == 3
