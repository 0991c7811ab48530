"""`runtime.summary`: what is written where, eager and in Functions; the formats; what is refused."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import runtime as tf
from runtime import summary


def lines(folder: Path) -> list[tuple[str, int, float]]:
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text().splitlines():
            record = json.loads(line)
            assert abs(record["wall_time"] - time.time()) < 60
            found.append((record["name"], record["step"], record["value"]))
    return found


def test_the_program_of_the_guide(tmp_path: Path) -> None:
    """A training that writes every second step, to two writers, from a Function and outside of it."""
    w, optimizer = tf.Variable(4.0), tf.optimizers.SGD(0.25)

    @tf.function
    def train_step() -> Any:
        with tf.GradientTape() as tape:
            loss = w * w
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        tf.summary.scalar("step_loss", loss, step=optimizer.iterations)
        return loss

    def train(log_freq: int) -> None:
        mean = tf.metrics.Mean(name="loss", dtype=tf.float32)
        for _ in range(4):
            mean.update_state(train_step())
            if tf.equal(optimizer.iterations % log_freq, 0):
                tf.summary.scalar("loss", mean.result(), step=optimizer.iterations)
                mean.reset_states()

    with tf.summary.create_file_writer(str(tmp_path / "train")).as_default():
        train(2)
    with tf.summary.create_file_writer(tmp_path / "test").as_default():
        tf.summary.scalar("loss", 0.1, step=42)
    assert lines(tmp_path / "train") == [
        ("step_loss", 1, 16), ("step_loss", 2, 4), ("loss", 2, 10), ("step_loss", 3, 1), ("step_loss", 4, 0.25),
        ("loss", 4, 0.625),
    ]  # fmt: skip
    assert lines(tmp_path / "test") == [("loss", 42, 0.1)]


def test_without_a_writer_nothing_is_written() -> None:
    assert not summary.scalar("x", 1.0, step=1)
    assert not tf.function(lambda: summary.scalar("x", 1.0, step=1))()


def test_steps_and_names(tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path).as_default(step=5):
        assert summary.scalar("a", 1)
        with tf.name_scope("part"):
            summary.scalar("b", tf.constant(2.5))
        summary.experimental.set_step(tf.Variable(9))
        assert int(summary.experimental.get_step()) == 9
        summary.scalar("c", 3)
        summary.scalar("d", 4, step=7)
    summary.experimental.set_step(None)
    assert lines(tmp_path) == [("a", 5, 1), ("part/b", 5, 2.5), ("c", 9, 3), ("d", 7, 4)]


def test_each_run_of_a_function_looks_around_itself(tmp_path: Path) -> None:
    """The writer, the step and the condition are those around the call, as they would be without the Function."""

    def note(x: Any) -> Any:
        return summary.scalar("x", x)

    writers = [summary.create_file_writer(tmp_path / name) for name in ("a", "b")]
    for number, call in enumerate((note, tf.function(note))):
        assert not call(tf.constant(1.0))
        with writers[0].as_default(step=3):
            assert call(tf.constant(2.0))
            with summary.record_if(False):
                assert not call(tf.constant(3.0))
            with writers[1].as_default(step=4):
                assert call(tf.constant(4.0))
        assert lines(tmp_path / "a") == [("x", 3, 2)] * (number + 1)
        assert lines(tmp_path / "b") == [("x", 4, 4)] * (number + 1)
        with writers[0].as_default(), pytest.raises(ValueError, match="step is needed"):
            call(tf.constant(5.0))


def test_what_a_function_sets_itself_stays(tmp_path: Path) -> None:
    inner, outer = summary.create_file_writer(tmp_path / "in"), summary.create_file_writer(tmp_path / "out")

    @tf.function
    def note(x: Any) -> None:
        with inner.as_default(step=tf.cast(x, tf.int64)), summary.record_if(x > 1.0):
            summary.scalar("x", x)
            with summary.record_if(False):
                summary.scalar("never", x)

    for x in (1.0, 2.0, 3.0):
        with outer.as_default(step=9), summary.record_if(x < 3.0):
            note(tf.constant(x))
    inner.flush()
    assert lines(tmp_path / "in") == [("x", 2, 2), ("x", 3, 3)] and lines(tmp_path / "out") == []


def test_without_a_writer_around_it_the_one_of_the_trace_is_used(tmp_path: Path) -> None:
    note = tf.function(lambda x: summary.scalar("x", x, step=1))
    with summary.create_file_writer(tmp_path).as_default() as writer:
        note(tf.constant(1.0))
    assert note(tf.constant(2.0))
    writer.flush()
    assert lines(tmp_path) == [("x", 1, 1), ("x", 1, 2)]


def test_record_if(tmp_path: Path) -> None:
    step = tf.Variable(0)
    writer = summary.create_file_writer(tmp_path)

    @tf.function
    def run() -> None:
        step.assign_add(1)
        with summary.record_if(lambda: step % 2 == 0):
            summary.scalar("even", step, step=step)

    with writer.as_default():
        for _ in range(4):
            run()
        with summary.record_if(False):
            assert not summary.scalar("never", 1, step=1)
        with summary.record_if(tf.constant(True)):
            summary.scalar("always", 1, step=1)
    assert lines(tmp_path) == [("even", 2, 2), ("even", 4, 4), ("always", 1, 1)]


def test_writers(tmp_path: Path) -> None:
    """Two writers of one folder have files of their own; what was written is there after a flush, and a closed writer
    takes nothing."""
    first, second = summary.create_file_writer(tmp_path, filename_suffix=".x"), summary.create_file_writer(tmp_path)
    first.write("a", 1.0, 0)
    assert lines(tmp_path) == []
    summary.flush(first)
    assert lines(tmp_path) == [("a", 0, 1)]
    with second.as_default():
        summary.scalar("b", 2, step=0)
        summary.flush()
        assert sorted(lines(tmp_path)) == [("a", 0, 1), ("b", 0, 2)]
        second.close()
        with pytest.raises(RuntimeError, match="closed"):
            summary.scalar("b", 3, step=1)
    second.close()
    assert len(list(tmp_path.glob("*.x.jsonl"))) == 1
    for i in range(1000):
        first.write("many", i, i)
    assert len(lines(tmp_path)) == 1002
    first.write("last", 1, 1)
    del first
    assert ("last", 1, 1) in lines(tmp_path)


def test_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'jsonl' or 'tensorboard'"):
        summary.create_file_writer(tmp_path, format="csv")
    with summary.create_file_writer(tmp_path).as_default():
        with pytest.raises(ValueError, match="step is needed"):
            summary.scalar("a", 1.0)
        with pytest.raises(ValueError, match=r"float32 of shape \(2,\)"):
            summary.scalar("a", [1.0, 2.0], step=1)
        with pytest.raises(ValueError, match="string"):
            summary.scalar("a", "text", step=1)
        for step in (1.5, "1", [1, 2]):
            with pytest.raises(ValueError, match="a step is an integer"):
                summary.scalar("a", 1.0, step=step)


def test_tensorboard_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard", None)
    with pytest.raises(ImportError, match=r"autograph-runtime\[tensorboard\]"):
        summary.create_file_writer(tmp_path, format="tensorboard")


def test_what_tensorboard_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins for the package: each number is one event, and the file is flushed and closed."""
    calls: list[Any] = []

    class EventFileWriter:
        def __init__(self, folder: str, filename_suffix: str) -> None:
            calls.append((folder, filename_suffix))

        add_event = calls.append

        def flush(self) -> None:
            calls.append("flush")

        def close(self) -> None:
            calls.append("close")

    class Summary(SimpleNamespace):
        Value = SimpleNamespace

    parts = {
        "tensorboard.compat.proto.event_pb2": {"Event": SimpleNamespace},
        "tensorboard.compat.proto.summary_pb2": {"Summary": Summary},
        "tensorboard.summary.writer.event_file_writer": {"EventFileWriter": EventFileWriter},
    }
    for name, contents in parts.items():
        pieces = name.split(".")
        for i in range(1, len(pieces)):
            monkeypatch.setitem(sys.modules, ".".join(pieces[:i]), ModuleType(pieces[i - 1]))
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
    writer = summary.create_file_writer(tmp_path, filename_suffix=".v", format="tensorboard")
    with writer.as_default():
        summary.scalar("loss", 0.5, step=3)
    writer.close()
    event = calls[1]
    assert calls[0] == (str(tmp_path), ".v") and calls[2:] == ["flush", "close"]
    assert event.step == 3 and event.summary.value == [SimpleNamespace(tag="loss", simple_value=0.5)]
