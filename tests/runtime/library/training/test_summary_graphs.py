"""`summary.trace_on` and `trace_export`: the graphs of Functions, written while they are called."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import runtime as tf
from tests.runtime.library.xspaces import read_space


@pytest.fixture(autouse=True)
def off_afterwards() -> Iterator[None]:
    yield
    tf.summary.trace_off()


def written(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]


def test_graphs_of_functions_that_are_called_are_written_once(tmp_path: Path) -> None:
    before = tf.function(lambda x: x * 2)
    before(tf.constant(1.0))
    writer = tf.summary.create_file_writer(tmp_path)
    tf.summary.trace_on(graph=True)
    for _ in range(3):
        before(tf.constant(1.0))
    tf.function(lambda x, y: x @ y)(tf.ones([2, 2]), tf.ones([2, 2]))
    with writer.as_default():
        tf.summary.trace_export("model", step=4)
    found = written(tmp_path)
    assert [(row["name"], row["step"]) for row in found] == [("model", 4)] * 2
    assert "multiply(" in found[0]["graph"] and "matmul(" in found[1]["graph"]
    before(tf.constant(1.0))
    with pytest.raises(ValueError, match=r"call summary.trace_on\(\) first"):
        tf.summary.trace_export("model", step=5)
    assert len(written(tmp_path)) == 2


def test_times_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    twice = tf.function(lambda x: x * 2)
    tf.summary.trace_on(graph=False, profiler=True, profiler_outdir=tmp_path / "times")
    twice(tf.constant(1.0))
    with tf.summary.create_file_writer(tmp_path).as_default():
        tf.summary.trace_export("model", step=1)
    assert not written(tmp_path)
    (path,) = (tmp_path / "times" / "plugins" / "profile").glob("*/*.xplane.pb")
    assert [len(events) for events in read_space(path).values()] == [1]
    tf.summary.trace_on(profiler=True, profiler_outdir=tmp_path / "dropped")
    tf.summary.trace_off()
    assert not (tmp_path / "dropped").exists()
    with tf.profiler.experimental.Profile(tmp_path / "own"):
        tf.summary.trace_on()
        tf.summary.trace_off()
    assert (tmp_path / "own").exists()


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="profiler=True needs profiler_outdir"):
        tf.summary.trace_on(profiler=True)
    tf.summary.trace_on()
    with pytest.raises(ValueError, match="a step is needed"):
        tf.summary.trace_export("model")
    with pytest.raises(ValueError, match="eagerly, not in a Function"):
        tf.function(lambda: tf.summary.trace_export("model", step=1))()
    tf.summary.trace_export("model", step=1)
    assert not list(tmp_path.iterdir())


def test_what_tensorboard_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins for the package: the nodes of the graph, and from which results of which others they take."""
    events: list[Any] = []

    class GraphDef:
        def __init__(self) -> None:
            self.nodes: list[Any] = []
            self.node = SimpleNamespace(add=lambda **parts: self.nodes.append(parts))

        def SerializeToString(self) -> Any:
            return self.nodes

    writer = SimpleNamespace(add_event=events.append, flush=lambda: None, close=lambda: None)
    parts = {
        "tensorboard.compat.proto.event_pb2": {"Event": SimpleNamespace},
        "tensorboard.compat.proto.summary_pb2": {"Summary": SimpleNamespace},
        "tensorboard.compat.proto.graph_pb2": {"GraphDef": GraphDef},
        "tensorboard.summary.writer.event_file_writer": {"EventFileWriter": lambda *args, **options: writer},
    }
    for name, contents in parts.items():
        pieces = name.split(".")
        for i in range(1, len(pieces)):
            monkeypatch.setitem(sys.modules, ".".join(pieces[:i]), ModuleType(pieces[i - 1]))
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
    tf.summary.trace_on()
    tf.function(lambda x: tf.sin(x) * x)(tf.constant(1.0))
    with tf.summary.create_file_writer(tmp_path, format="tensorboard").as_default():
        tf.summary.trace_export("model", step=7)
    (event,) = events
    nodes = {node["op"]: node for node in event.graph_def}
    assert event.step == 7 and nodes["multiply"]["input"] == ["sin:0", "x:0"] and nodes["sin"]["name"] == "sin"
