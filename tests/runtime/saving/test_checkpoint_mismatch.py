"""What a file and the objects do not have in common: errors that change nothing, assertions, warnings."""

from __future__ import annotations

import gc
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError, NotFoundError, ShapeMismatchError
from runtime.state.expected import WAITING
from tests.runtime.saving.objects_to_save import Net, saved_vector


def test_nothing_is_restored_if_something_does_not_fit(tmp_path: Path) -> None:
    old = Net(a=tf.Variable(1.0), b=tf.Variable([1.0, 2.0]), c=[tf.Variable(1)], d=tf.Variable(4.0))
    path = tf.train.Checkpoint(net=old).write(tmp_path / "c")
    new = Net(a=tf.Variable(0.0), b=tf.Variable([0.0]), c=[tf.Variable(0)], d=tf.Variable(0.0))
    for error, other, found in (
        (ShapeMismatchError, None, r"'net/b' is float32 of the shape \(2,\) in the file; the variable 'Variable:0' is"),
        (DtypeMismatchError, tf.Variable(0, dtype=tf.int64, name="n"), r"'net/c/0' is int32 .*; the variable 'n:0' is"),
    ):
        if other is not None:
            new.c[0] = other
        with pytest.raises(error, match=found):
            tf.train.Checkpoint(net=new).restore(path)
        assert [float(v) for v in (new.a, new.b[0], new.c[0], new.d)] == [0.0] * 4
        assert not WAITING


def test_slots_that_do_not_fit_are_found_before_anything_changes(tmp_path: Path) -> None:
    w = tf.Variable([1.0, 2.0])
    optimizer = tf.optimizers.Momentum(0.1)
    optimizer.build([w])
    path = tf.train.Checkpoint(w=w, optimizer=optimizer).write(tmp_path / "c")
    w2, optimizer2 = tf.Variable([0.0, 0.0]), tf.optimizers.Momentum(0.2)
    optimizer2.build([w2])
    optimizer2._by_variable.of(w2)["momentum"] = tf.Variable([1.0])
    with pytest.raises(ShapeMismatchError, match="'w/.OPTIMIZER_SLOT/optimizer/momentum' is float32"):
        tf.train.Checkpoint(w=w2, optimizer=optimizer2).read(path)
    assert w2.numpy().tolist() == [0.0, 0.0] and float(optimizer2.learning_rate) == np.float32(0.2)


def test_a_late_value_that_does_not_fit_is_told_where_the_object_comes(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v")
    net = Net()
    tf.train.Checkpoint(net).restore(path).expect_partial()
    with pytest.raises(ShapeMismatchError, match=r"'v/1' is float32 of the shape \(\) in the file"):
        net.v = [tf.Variable(0.0), tf.Variable([0.0]), tf.Variable(0.0)]
    assert [v.numpy().tolist() for v in net.v] == [0.0, [0.0], 0.0]


def test_a_variable_with_an_open_shape_takes_any_size(tmp_path: Path) -> None:
    v = tf.Variable([1.0, 2.0], shape=[None])
    checkpoint = tf.train.Checkpoint(v=v)
    path = checkpoint.write(tmp_path / "c")
    v.assign([9.0])
    checkpoint.read(path).assert_consumed()
    assert v.numpy().tolist() == [1.0, 2.0]


def test_one_object_cannot_have_two_values(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).write(tmp_path / "c")
    v = tf.Variable(0.0)
    with pytest.raises(InvalidArgumentError, match="'a' and 'b' are two values in the file, and one"):
        tf.train.Checkpoint(a=v, b=v).read(path)
    assert float(v) == 0.0


def test_one_value_may_go_to_two_objects(tmp_path: Path) -> None:
    v = tf.Variable([1.0])
    path = tf.train.Checkpoint(a=v, b=v).write(tmp_path / "c")
    a, b = tf.Variable([0.0]), tf.Variable([0.0])
    tf.train.Checkpoint(a=a, b=b).read(path).assert_consumed()
    a.assign_add([1.0])
    assert [float(a[0]), float(b[0])] == [2.0, 1.0]


def test_a_missing_file_is_told_with_what_there_is(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    path = checkpoint.save(tmp_path / "c")
    with pytest.raises(NotFoundError, match="there is no such checkpoint: no file .*nowhere.data-00000-of-00001'"):
        checkpoint.restore(tmp_path / "nowhere")
    with pytest.raises(NotFoundError, match=r"it is a directory: latest_checkpoint\('"):
        checkpoint.restore(tmp_path)
    with pytest.raises(NotFoundError, match="the checkpoint of this file is '.*c-1'"):
        checkpoint.restore(path + ".index")


def test_a_save_that_fails_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    with pytest.raises(InvalidArgumentError, match="cannot be written"):
        checkpoint.save(tmp_path / "file" / "c")
    assert checkpoint.save(tmp_path / "c") == str(tmp_path / "c-1")


@pytest.mark.parametrize(
    "part", [5, "text", None, tf.constant(1.0), np.zeros(3), lambda: 1, tf.data.Dataset.range(3), object()],
    ids=lambda part: type(part).__name__,
)
def test_what_holds_no_variables_is_refused(part: Any) -> None:
    with pytest.raises(ValueError, match=r"Checkpoint\(part=...\) is an object with Variables"):
        tf.train.Checkpoint(part=part)


def test_names_of_methods_are_refused() -> None:
    with pytest.raises(ValueError, match=r"Checkpoint\(save=...\): a Checkpoint has a method of that name"):
        tf.train.Checkpoint(save=tf.Variable(1))


@pytest.mark.parametrize("method", ["save", "write", "restore", "read"])
def test_a_function_cannot_save_or_restore_while_it_is_traced(tmp_path: Path, method: str) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    path = checkpoint.write(tmp_path / "c")

    @tf.function
    def call() -> None:
        getattr(checkpoint, method)(path)

    with pytest.raises(NotImplementedError, match=f"Checkpoint.{method} was called while a function is traced"):
        call()


def test_a_function_saves_each_time_by_a_python_function(tmp_path: Path) -> None:
    v = tf.Variable(1)
    checkpoint = tf.train.Checkpoint(v=v)

    def save() -> Any:
        return tf.constant(checkpoint.save(tmp_path / "c"))

    @tf.function
    def call() -> Any:
        v.assign_add(1)
        return tf.py_function(save, [], tf.string)

    assert [call().numpy().decode()[-3:] for _ in range(2)] == ["c-1", "c-2"]
    suffix = "v/.ATTRIBUTES/VARIABLE_VALUE"
    assert [tf.train.load_variable(tmp_path / f"c-{i}", suffix) for i in (1, 2)] == [2, 3]





def told(program: Callable[[], Any]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        program()
        gc.collect()
    return [str(one.message) for one in caught]


def test_nothing_is_told_if_everything_fits(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v")

    def program() -> None:
        tf.train.Checkpoint(v=[tf.Variable(0.0) for _ in range(3)]).restore(path)
        net = Net()
        tf.train.Checkpoint(net).restore(path)
        net.v = [tf.Variable(0.0) for _ in range(3)]

    assert told(program) == []


def test_both_sides_are_told_when_a_status_is_dropped(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v", "w")
    make = {"v": lambda: [tf.Variable(0.0) for _ in range(4)]}
    lines = told(lambda: tf.train.Checkpoint(v=make["v"]()).restore(path))
    assert len(lines) == 2
    assert "the file has no values for these objects, which keep theirs: 'v/3'." in lines[0]
    assert "no object has asked for these values: 'w/0', 'w/1', 'w/2'." in lines[1]
    assert told(lambda: tf.train.Checkpoint(v=make["v"]()).restore(path).expect_partial()) == []


def test_values_that_wait_are_told_when_nobody_can_ask_any_more(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v")
    kept: list[Any] = [Net()]
    assert told(lambda: kept.append(tf.train.Checkpoint(kept[0]).restore(path))) == []
    assert told(kept.pop) == []  # the status: the module may still get a list v
    (line,) = told(kept.clear)
    assert "no object has asked for these values: 'v/0', 'v/1', 'v/2'" in line


ENDING = """
import sys
import runtime as tf
net = tf.Module()
net.v = [tf.Variable(0.0)]
status = tf.train.Checkpoint(net).restore(sys.argv[1])
if len(sys.argv) > 2:
    status.expect_partial()
"""


def test_what_is_left_is_told_when_the_program_ends(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v")
    for more in ([], ["quiet"]):
        program = [sys.executable, "-c", ENDING, path, *more]
        done = subprocess.run(program, capture_output=True, text=True, check=True)
        assert ("no object has asked for these values: 'v/1', 'v/2'" in done.stderr) == (not more), done.stderr


def test_a_save_tells_which_values_still_wait(tmp_path: Path) -> None:
    """They would be lost without a word."""
    w = tf.Variable([1.0])
    optimizer = tf.optimizers.Momentum(0.1)
    optimizer.build([w])
    path = tf.train.Checkpoint(w=w, optimizer=optimizer).save(tmp_path / "c")
    optimizer = tf.optimizers.Momentum(0.1)
    checkpoint = tf.train.Checkpoint(w=w, optimizer=optimizer)
    status = checkpoint.restore(path)
    (line,) = told(lambda: checkpoint.save(tmp_path / "c"))
    assert "c-2' is without the values that wait for objects" in line
    assert line.partition("first): ")[2].startswith("'w/.OPTIMIZER_SLOT/optimizer/momentum'")
    optimizer.build([w])
    assert told(lambda: checkpoint.save(tmp_path / "c")) == []
    status.assert_consumed()


def test_assertions_list_both_sides(tmp_path: Path) -> None:
    path = saved_vector(tmp_path, "v", "w")
    status = tf.train.Checkpoint(v=[tf.Variable(0.0) for _ in range(4)]).restore(path)
    with pytest.raises(AssertionError, match=r"no values for these.*'v/3'; no object has asked.*'w/0', 'w/1', 'w/2'"):
        status.assert_consumed()
    with pytest.raises(AssertionError, match="which keep theirs: 'v/3'$"):
        status.assert_existing_objects_matched()
    assert status.assert_nontrivial_match() is status
    empty = tf.train.Checkpoint(z=tf.Variable(1.0)).restore(path)
    with pytest.raises(AssertionError, match="no object has asked"):
        empty.assert_nontrivial_match()
    empty.expect_partial()


def test_slots_without_values_are_told(tmp_path: Path) -> None:
    w, optimizer = tf.Variable([1.0]), tf.optimizers.SGD(0.1)
    path = tf.train.Checkpoint(w=w, optimizer=optimizer).write(tmp_path / "c")
    other = tf.optimizers.Momentum(0.1)
    other.build([w])
    status = tf.train.Checkpoint(w=w, optimizer=other).read(path)
    with pytest.raises(AssertionError, match="\"optimizer: the slot 'momentum' of 'Variable:0'\""):
        status.assert_consumed()


def test_no_path_is_no_checkpoint(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    status = checkpoint.restore(tf.train.latest_checkpoint(tmp_path))
    for check in (status.assert_consumed, status.assert_existing_objects_matched, status.assert_nontrivial_match):
        with pytest.raises(AssertionError, match="no checkpoint was given"):
            check()
    assert status.expect_partial() is status and int(checkpoint.save_counter) == 0
