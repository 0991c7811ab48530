"""CheckpointManager and the state file: what is kept, what goes, and that a crash at any point loses no checkpoint."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import runtime as tf


def names(paths: list[str]) -> list[str]:
    return [os.path.basename(path) for path in paths]


def files(directory: Path) -> set[str]:
    return {name.partition(".")[0] for name in os.listdir(directory)}


def test_the_last_ones_are_kept_and_the_others_deleted(tmp_path: Path) -> None:
    v = tf.Variable(0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), tmp_path / "new" / "training", max_to_keep=2)
    assert manager.latest_checkpoint is None and manager.checkpoints == []
    for i in range(1, 5):
        v.assign(i)
        path = manager.save()
        assert path is not None and os.path.basename(path) == f"ckpt-{i}" and manager.latest_checkpoint == path
        assert names(manager.checkpoints) == [f"ckpt-{j}" for j in range(max(1, i - 1), i + 1)]
        assert files(tmp_path / "new" / "training") == {"checkpoint", *names(manager.checkpoints)}
        assert tf.train.latest_checkpoint(manager.directory) == path
    for path in manager.checkpoints:
        manager.checkpoint.restore(path).assert_consumed()
        assert int(v) == int(path[-1])


def test_all_are_kept_without_a_limit(tmp_path: Path) -> None:
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(0)), tmp_path, max_to_keep=None)
    for _ in range(7):
        manager.save()
    assert names(manager.checkpoints) == [f"ckpt-{i}" for i in range(1, 8)]


def test_a_new_program_goes_on_where_the_last_one_stopped(tmp_path: Path) -> None:
    def program() -> tuple[Any, Any]:
        step = tf.Variable(0)
        return step, tf.train.CheckpointManager(tf.train.Checkpoint(step=step), tmp_path, max_to_keep=3)

    for run in range(3):
        step, manager = program()
        found = manager.restore_or_initialize()
        assert (found is None) == (run == 0) and int(step) == 2 * run
        for _ in range(2):
            step.assign_add(1)
            manager.save()
    assert names(manager.checkpoints) == ["ckpt-4", "ckpt-5", "ckpt-6"]
    assert files(tmp_path) == {"checkpoint", "ckpt-4", "ckpt-5", "ckpt-6"}


def test_where_there_is_nothing_the_start_is_ours(tmp_path: Path) -> None:
    v = tf.Variable(0)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=v), tmp_path, max_to_keep=1, init_fn=lambda: v.assign(7)
    )
    assert manager.restore_or_initialize() is None and int(v) == 7
    path = manager.save()
    v.assign(9)
    assert manager.restore_or_initialize() == path and int(v) == 7


def test_numbers_and_names_may_be_given(tmp_path: Path) -> None:
    v = tf.Variable(5, dtype=tf.int64)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=v), str(tmp_path), max_to_keep=2, checkpoint_name="model"
    )
    for number in (v, 3, tf.constant(8), 3):
        manager.save(checkpoint_number=number)
    assert names(manager.checkpoints) == ["model-8", "model-3"]
    assert files(tmp_path) == {"checkpoint", "model-8", "model-3"}


def test_two_managers_share_a_directory(tmp_path: Path) -> None:
    made = {
        name: tf.train.CheckpointManager(
            tf.train.Checkpoint(v=tf.Variable(0)), tmp_path, max_to_keep=2, checkpoint_name=name
        )
        for name in ("a", "b")
    }
    for _ in range(3):
        for manager in made.values():
            manager.save()
    mine = tf.train.Checkpoint(v=tf.Variable(0)).save(tmp_path / "mine")
    made["a"].save()
    assert names(made["a"].checkpoints) == ["a-3", "a-4"] and names(made["b"].checkpoints) == ["b-2", "b-3"]
    again = tf.train.CheckpointManager(made["a"].checkpoint, tmp_path, max_to_keep=2, checkpoint_name="a")
    assert again.checkpoints == made["a"].checkpoints
    state = tf.train.get_checkpoint_state(tmp_path)
    assert state is not None
    assert sorted(names(list(state.all_model_checkpoint_paths))) == ["a-3", "a-4", "b-2", "b-3", "mine-1"]
    assert os.path.exists(mine + ".index")


def test_one_is_kept_for_good_as_often_as_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])

    def manager() -> Any:
        return tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=1, keep_checkpoint_every_n_hours=1)

    checkpoint = tf.train.Checkpoint(v=tf.Variable(0))
    one = manager()
    for i in range(9):
        now[0] += 1500
        one.save()
        if i == 4:
            one = manager()  # the time of the last one that was kept for good is in the file
    # Made 1500 s apart, from 1500 s after the start on: the third is the first one an hour later, then every third.
    assert files(tmp_path) == {"checkpoint", "ckpt-3", "ckpt-6", "ckpt-9"}
    assert names(one.checkpoints) == ["ckpt-9"]


def test_saves_may_be_at_intervals_of_steps(tmp_path: Path) -> None:
    step = tf.Variable(0)
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(step=step), tmp_path, max_to_keep=None, step_counter=step, checkpoint_interval=3
    )
    saved = []
    for i in range(8):
        step.assign(i)
        if manager.save() is not None:
            saved.append(i)
    assert saved == [0, 3, 6] and manager.checkpoint_interval == 3
    assert manager.save() is None and manager.save(check_interval=False) is not None


def test_what_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="CheckpointManager: checkpoint is a runtime.train.Checkpoint; got 5"):
        tf.train.CheckpointManager(5, tmp_path, max_to_keep=3)


@pytest.mark.parametrize(
    "arguments",
    [
        {"max_to_keep": 0}, {"max_to_keep": 2.5}, {"max_to_keep": 2, "checkpoint_interval": 3},
        {"max_to_keep": 2, "checkpoint_name": "a/b"},
        {"max_to_keep": 2, "checkpoint_name": ""},
        {"max_to_keep": 2, "checkpoint_interval": 0, "step_counter": tf.Variable(1)},
    ],
    ids=repr,
)  # fmt: skip
def test_arguments_that_make_no_sense_are_refused(tmp_path: Path, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="CheckpointManager: "):
        tf.train.CheckpointManager(tf.train.Checkpoint(), tmp_path, **arguments)


CRASHES = """
import os, sys, tempfile
import runtime as tf
from runtime.checkpoint import atomic, container

directory = sys.argv[1]
v = tf.Variable(0)
checkpoint = tf.train.Checkpoint(v=v)
manager = tf.train.CheckpointManager(checkpoint, directory, max_to_keep=2)
for i in range(1, 4):
    v.assign(10 * i)
    manager.save()


def crash_at(step):
    count = 0
    def counted(function):
        def call(*args, **kwargs):
            nonlocal count
            count += 1
            if count == step:
                os._exit(9)
            return function(*args, **kwargs)
        return call
    for owner, names in ((os, ("replace", "unlink", "fsync", "chmod", "makedirs")), (tempfile, ("mkstemp",)),
                         (container, ("_write",))):
        for name in names:
            setattr(owner, name, counted(getattr(owner, name)))
    v.assign(40)
    manager.save()
    os._exit(0)


step = crashed = 0
while True:
    step += 1
    child = os.fork()
    if not child:
        crash_at(step)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    found = tf.Variable(-1)
    later = tf.train.CheckpointManager(tf.train.Checkpoint(v=found), directory, max_to_keep=2)
    path = later.restore_or_initialize()
    assert path == tf.train.latest_checkpoint(directory) == later.latest_checkpoint
    assert path is not None and int(found) in (30, 40) and int(found) == 10 * int(path[-1]), (step, path, found)
    assert len(later.checkpoints) >= 2, step
    for one in later.checkpoints:
        tf.train.Checkpoint(v=found).restore(one).assert_consumed()
        assert int(found) == 10 * int(one[-1])
    if ended == 0:
        break
    crashed += 1
assert sorted(os.listdir(directory)) == sorted(
    ["checkpoint", *(f"ckpt-{n}.{s}" for n in (3, 4) for s in ("index", "data-00000-of-00001"))]
), os.listdir(directory)
print(crashed)
"""


def test_a_crash_between_any_two_steps_of_a_save_loses_no_checkpoint(tmp_path: Path) -> None:
    """The program is stopped at each of its steps in turn; the next one finds the last checkpoint, and sweeps."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CRASHES), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


def test_checkpoints_of_another_program_come_as_they_are_written(tmp_path: Path) -> None:
    checkpoint = tf.train.Checkpoint(v=tf.Variable(0))
    seen: list[str] = []
    first, second = checkpoint.save(tmp_path / "c"), tmp_path / "c-2"
    writer = threading.Timer(0.05, lambda: checkpoint.save(tmp_path / "c"))
    for path in tf.train.checkpoints_iterator(tmp_path, timeout=0.3):
        if not seen:
            writer.start()
        seen.append(path)
    writer.join()
    assert seen == [first, str(second)]
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 3

    assert list(tf.train.checkpoints_iterator(tmp_path / "none", timeout=0.01, timeout_fn=stop)) == []
    assert len(asked) == 3
