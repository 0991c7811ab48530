"""`runtime.profiler`: the time of a graph, by the lines of the program that it comes from."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.library.profiler import Profile, experimental, profile
from tests.runtime.library.xspaces import read_space


def inverse(x: Any) -> Any:
    return runtime.linalg.inv(x)


@runtime.function
def step(x, times):
    total = 0.0
    for i in range(times):
        if i % 2 == 0:
            x = inverse(x)
        total += runtime.reduce_sum(x)
    return total


@pytest.fixture
def found() -> Profile:
    return profile(step, runtime.constant(np.eye(120) * 2), runtime.constant(6))


def test_the_line_that_takes_most_comes_first(found: Profile) -> None:
    times = [line.seconds for line in found.lines()]
    assert times == sorted(times, reverse=True)
    rows = [(line.function, line.text, line.filename) for line in found.lines()]
    assert ("inverse", "return runtime.linalg.inv(x)", __file__) in rows
    assert found.seconds == pytest.approx(sum(line.seconds for line in found.lines()))
    assert {line.function for line in found.lines()} >= {"inverse", "step"}


def test_it_prints_a_table(found: Profile) -> None:
    head, *rows = str(found).splitlines()
    assert re.fullmatch(r" +\d+\.\d{3} ms 100\.0% +\d+\.\d KiB  step", head)
    line = r"test_profiler\.py:\d+ in inverse  return runtime\.linalg\.inv\(x\)"
    assert any(re.fullmatch(rf" +\d+\.\d{{3}} ms +\d+\.\d% +\d+\.\d KiB  {line}", row) for row in rows)
    times = [float(row.split()[0]) for row in rows]
    assert len(times) >= 3 and times == sorted(times, reverse=True)


def test_the_source_has_the_shares_of_its_lines(found: Profile) -> None:
    lines = found.source().splitlines()
    assert lines[0] == __file__
    (marked,) = [line for line in lines if "runtime.linalg.inv(x)" in line]
    assert re.match(r" *\d+\.\d% +\d+  ", marked)
    (plain,) = [line for line in lines if line.endswith("    total = 0.0")]
    assert "%" not in plain


def test_a_flame_graph_has_the_calls(found: Profile, tmp_path: Path) -> None:
    found.write_flame(tmp_path / "step.folded")
    stacks = [line.rpartition(" ") for line in (tmp_path / "step.folded").read_text(encoding="utf-8").splitlines()]
    assert all(count.isdigit() and " " not in stack for stack, _, count in stacks)
    names = [[re.sub(r"_\(.*", "", part) for part in stack.split(";")] for stack, _, _ in stacks]
    assert ["step", "inverse", "matrix_inverse"] in names


def test_in_a_notebook_it_is_the_graph_with_its_hot_path(found: Profile) -> None:
    shown = found._repr_html_()
    assert "runtime.linalg.inv(x)" in shown and "%" in shown


def test_variables_are_written_as_in_a_call() -> None:
    v = runtime.Variable(1.0)

    @runtime.function
    def count():
        return v.assign_add(2.0)

    profile(count)
    assert float(v) == 3.0


def test_a_run_that_raises_raises() -> None:
    @runtime.function
    def fails(x):
        if x > 0:
            raise ValueError("no")
        return x

    with pytest.raises(ValueError, match="no"):
        profile(fails, runtime.constant(1))


def test_it_tells_the_bytes_that_each_line_makes() -> None:
    @runtime.function
    def large(x):
        y = x + 1.0
        z = runtime.reshape(y, [10, 100])
        for _ in runtime.range(3):
            z = z * 2.0
        return z

    found = profile(large, runtime.zeros([1000], runtime.float64))
    made = {line.text: line.bytes for line in found.lines()}
    assert (made["y = x + 1.0"], made["z = z * 2.0"]) == (8000, 24000)
    assert made["z = runtime.reshape(y, [10, 100])"] == 0  # a view


def test_a_trace_has_each_run_of_an_operation_in_order(found: Profile, tmp_path: Path) -> None:
    found.write_trace(tmp_path / "step.json")
    events = json.loads((tmp_path / "step.json").read_text(encoding="utf-8"))["traceEvents"]
    assert [event["name"] for event in events].count("matrix_inverse") == 3
    assert all(first["ts"] <= second["ts"] for first, second in pairwise(events))
    assert sum(event["dur"] for event in events) == pytest.approx(found.seconds * 1e6)
    assert {event["args"]["line"] for event in events if event["name"] == "matrix_inverse"} == {
        str(op.location) for op in found.times if op.op.name == "matrix_inverse"
    }


def _only_run(logdir: Path) -> Path:
    (run,) = (logdir / "plugins" / "profile").glob("*/*.xplane.pb")
    return run


def test_a_file_for_tensorboard_has_each_run_of_an_operation(found: Profile, tmp_path: Path) -> None:
    found.write_tensorboard(tmp_path)
    (events,) = read_space(_only_run(tmp_path)).values()
    assert [event["name"] for event in events].count("matrix_inverse") == 3
    assert sum(event["seconds"] for event in events) == pytest.approx(found.seconds, rel=1e-6)
    told = {str(event["line"]) for event in events if event["name"] == "matrix_inverse"}
    assert told == {str(op.location) for op in found.times if op.op.name == "matrix_inverse"}
    found.write_tensorboard(tmp_path)
    assert len([*(tmp_path / "plugins" / "profile").iterdir()]) == 2


@runtime.function
def doubled(x):
    return x * 2.0


def test_calls_and_named_parts_are_noted_while_the_program_runs(tmp_path: Path) -> None:
    doubled(runtime.constant(1.0))
    experimental.start(tmp_path)
    with pytest.raises(RuntimeError, match=r"call stop\(\) first"):
        experimental.start(tmp_path)
    for step in range(2):
        with experimental.Trace("train", step_num=step, _r=1, rate=0.5) as trace:
            assert float(doubled(runtime.constant(1.0))) == 2.0
            trace.set_metadata(kind="last" if step else "first")
    experimental.stop()
    doubled(runtime.constant(1.0))
    with pytest.raises(RuntimeError, match=r"call start\(logdir\) first"):
        experimental.stop()
    (events,) = read_space(_only_run(tmp_path)).values()
    assert [event["name"] for event in events] == ["train", "doubled"] * 2
    outer, inner = events[0], events[1]
    assert outer["start"] <= inner["start"] and inner["seconds"] <= outer["seconds"]
    assert {name: events[2][name] for name in ("step_num", "_r", "rate", "kind")} == {
        "step_num": 1, "_r": 1, "rate": 0.5, "kind": "last",
    }  # fmt: skip


def test_a_block_is_noted_or_nothing_is_written(tmp_path: Path) -> None:
    with experimental.Profile(tmp_path, experimental.ProfilerOptions(host_tracer_level=0)):
        doubled(runtime.constant(1.0))
        with experimental.Trace("alone"):
            pass
    assert [event["name"] for event in read_space(_only_run(tmp_path))["MainThread"]] == ["alone"]
    experimental.start(tmp_path / "none")
    experimental.stop(save=False)
    assert not (tmp_path / "none").exists()
