"""The benchmark programs run, at sizes at which their numbers mean nothing, and the table finds its place."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import peers, report
from benchmarks.__main__ import SECTIONS
from benchmarks.measure import TINY, Row, best_of_each

ROOT = Path(__file__).resolve().parent.parent


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)


def test_every_section_measures_something() -> None:
    done = run("--tiny")
    assert done.returncode == 0, done.stderr
    tables = done.stdout.split("\n\n**")[1:]
    assert [table.partition("**")[0] for table in tables] == list(SECTIONS.values())
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


def test_without_tensorflow_nothing_is_measured_beside_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(peers, "ROOT", tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert list(peers.rows(TINY)) == []


def test_each_library_is_measured_by_the_python_that_has_tensorflow(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def measured(python: str, library: str, size: int, repeats: int, environment: dict[str, str]) -> list[float]:
        asked.append((python, library, sorted(environment)))
        return [3.0, 5.0] if library == "runtime" else [2.0, 4.0]

    monkeypatch.setattr(peers, "python_with_tensorflow", lambda: "there")
    monkeypatch.setattr(peers, "_measured", measured)
    one, every = peers.rows(TINY)
    assert (one.value, one.baseline, one.met) == (5.0, 4.0, False) and (every.value, every.baseline) == (3.0, 2.0)
    assert asked == [("there", library, names) for names in (sorted(peers.ONE_THREAD), [])
                     for library in ("runtime", "tensorflow")]  # fmt: skip


def test_our_side_of_the_comparison_runs() -> None:
    wall, processor = peers._measured(sys.executable, "runtime", 5, 1, peers.ONE_THREAD)
    assert 0 < wall < 10 and 0 < processor < 10
