"""Files for TensorBoard's profiler, read by TensorFlow's own classes."""

from __future__ import annotations

from pathlib import Path

import pytest

import runtime
from tests.runtime.library.xspaces import read_space

xplane = pytest.importorskip("tensorflow.tsl.profiler.protobuf.xplane_pb2")


def test_tensorflow_reads_what_was_noted(tmp_path: Path) -> None:
    twice = runtime.function(lambda x: x + x)
    with runtime.profiler.experimental.Profile(tmp_path):
        for step in range(3):
            with runtime.profiler.experimental.Trace("train", step_num=step, rate=0.25, kind="plain", _r=-1):
                twice(runtime.constant(1.0))
    (path,) = (tmp_path / "plugins" / "profile").glob("*/*.xplane.pb")
    space = xplane.XSpace.FromString(path.read_bytes())
    (plane,) = space.planes
    assert (plane.name, list(space.hostnames)) == ("/host:CPU", [path.name.removesuffix(".xplane.pb")])
    (line,) = plane.lines
    mine = read_space(path)[line.name]
    assert [plane.event_metadata[event.metadata_id].name for event in line.events] == [e["name"] for e in mine]
    assert [event.duration_ps / 1e12 for event in line.events] == [e["seconds"] for e in mine]
    told = {plane.stat_metadata[s.metadata_id].name: getattr(s, s.WhichOneof("value")) for s in line.events[2].stats}
    assert told == {"step_num": 1, "rate": 0.25, "kind": "plain", "_r": -1}
