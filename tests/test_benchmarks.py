"""The benchmark programs run, at sizes at which their numbers mean nothing, and the table finds its place."""

import copy
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime
from benchmarks import native, report
from benchmarks.__main__ import SECTIONS
from benchmarks.beside import (
    arrays,
    networks,
    programs,
    programs_fields,
    programs_matrices,
    programs_numbers,
    scalars,
    worker,
)
from benchmarks.beside.work import OURS, Target, Work, called, written
from benchmarks.beside.works import WORKS
from benchmarks.measure import TINY, Row, best_of_each

ROOT = Path(__file__).resolve().parent.parent
MODULES = (arrays, networks, programs, scalars)
SCIENTIFIC = [one for module in (programs_fields, programs_matrices, programs_numbers) for one in module.PROGRAMS]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize(
    "sections", [["front_page", "conversion", "tracing"], pytest.param(list(SECTIONS), marks=pytest.mark.slow)]
)
def test_every_section_measures_something(sections: list[str]) -> None:
    done = run("--tiny", *sections)
    assert done.returncode == 0, done.stderr
    tables = done.stdout.split("\n\n**")[1:]
    assert [table.partition("**")[0] for table in tables] == [SECTIONS[name] for name in sections]
    for table in tables:
        rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
        assert rows, table
        assert all(line.count("|") == 6 for line in rows), table
    assert "Python" in done.stdout.splitlines()[0]


def test_an_unknown_section_is_a_mistake_of_usage() -> None:
    done = run("speed")
    assert done.returncode == 2
    assert "no such section: speed" in done.stderr
    assert run("--write", "--tiny").returncode == 2


def test_actions_are_measured_in_turns() -> None:
    log: list[str] = []
    times = best_of_each([lambda: log.append("a"), lambda: log.append("b")], repeats=2, loops=2)
    assert log == ["a", "a", "b", "b"] * 2
    assert len(times) == 2
    assert all(0 < seconds < 1 for seconds in times)


def test_sizes_are_made_smaller() -> None:
    assert TINY.of(6400) == 64
    assert TINY.of(50) == 2


@pytest.mark.parametrize(
    "value, unit, text",
    [
        (0.00421, "s", "4.21 ms"),
        (1.27e-6, "s", "1.27 µs"),
        (22.7e-9, "s", "22.7 ns"),
        (1.5, "s", "1.5 s"),
        (2.134, "times", "2.13 times"),
        (0, "", "0"),
        (307, "", "307"),
        (168 * 1024, "bytes", "168 KiB"),
        (-5, "bytes", "-5 bytes"),
    ],
)
def test_quantities_have_three_digits(value: float, unit: str, text: str) -> None:
    assert report.quantity(value, unit) == text


def test_a_missed_target_is_marked() -> None:
    text = report.table("Speed", [Row("slow", 2.0, "s", 1.0), Row("fast", 0.5, "s", 1.0), Row("free", 2.0, "s")])
    assert "| slow | 2 s (missed) | ≤ 1 s |" in text
    assert "| fast | 500 ms | ≤ 1 s |" in text
    assert "| free | 2 s |  |" in text


def test_the_table_replaces_the_one_before(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("# Title\n\ntext\n", encoding="utf-8")
    report.write(readme, "one")
    report.write(readme, "two")
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("# Title\n\ntext\n")
    assert text.count(report.BEGIN) == text.count(report.END) == 1
    assert "two" in text
    assert "one" not in text


def test_a_half_marked_readme_is_left_alone(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"# Title\n{report.BEGIN}\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="needs both"):
        report.write(readme, "one")
    assert readme.read_text(encoding="utf-8") == f"# Title\n{report.BEGIN}\n"


WORK = Work(
    "sums", {"runtime": lambda: called(np.sum, [np.ones(5)]), "numpy": lambda: called(np.sum, [np.ones(5)])},
    (Target(("numpy", "absent"), 2.0),),
)  # fmt: skip


def test_ours_is_measured_beside_the_best_of_the_others() -> None:
    row = native._row("sums", {"runtime": 3.0, "numpy": 4.0, "jax": 5.0, "absent": "not installed"}, WORK.targets[0])
    assert (row.value, row.baseline, row.target, row.met) == (3.0, 4.0, 2.0, False)
    assert row.baseline_name == "numpy; absent: not installed"


def test_a_row_says_which_library_is_missing() -> None:
    row = native._row("sums", {"runtime": 3.0, "numpy": "not installed (numpy)"}, WORK.targets[0])
    assert (row.value, row.target, row.baseline_name) == (3.0, None, "numpy: not installed (numpy)")
    assert "numpy: not installed (numpy)" in report.table("Speed", [row])
    failed = native._row("sums", {"runtime": "NotCompiledError: sum", "numpy": 1.0}, WORK.targets[0])
    assert failed.met is False and failed.baseline_name == "NotCompiledError: sum"


def test_works_are_measured_in_processes_of_their_own() -> None:
    ours, absent = (worker.Worker(sys.executable, library) for library in ("runtime", "no_such_library"))
    try:
        assert 0 < ours.measure("x + 1 on [2, 2]", 0.001)["seconds"] < 1
        assert "not installed" in absent.measure("x + 1 on [2, 2]", 0.001)["absent"]
    finally:
        ours.close(), absent.close()


def test_calls_are_measured_without_what_prepares_them() -> None:
    seconds = worker.measured(written(lambda a: a.__setitem__(0, 1.0), [np.zeros(1)]), "wall", 0.001)
    assert 0 < seconds < 0.01
    assert [work.by[OURS] for work in WORKS.values()] and len(WORKS) == sum(len(m.WORKS) for m in MODULES)


@pytest.mark.slow
@pytest.mark.parametrize("program, arguments", SCIENTIFIC, ids=lambda v: getattr(v, "__name__", ""))
def test_programs_of_scientists_give_what_numpy_gives(program: Any, arguments: tuple[Any, ...]) -> None:
    given = [runtime.constant(a, runtime.int64) if isinstance(a, int) else a for a in copy.deepcopy(arguments)]
    with np.errstate(all="ignore"):
        found = runtime.function(program, backend="native")(*given)
        np.testing.assert_array_equal(found, program(*copy.deepcopy(arguments)))
