"""Original, converted and staged functions agree on thousands of random programs, in everything that they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime

from .pairs import rare, table
from .suites import SUITES

PROGRAMS = {
    "integers": (30, 1600),
    "floats": (12, 400),
    "printed": (12, 200),
    "staging": (12, 200),
    "shadow": (14, 400),
    "staged": (14, 400),
    "containers": (28, 1200),
    "arrays": (14, 1200),
    "stateful": (8, 600),
    "left": (24, 1200),
}
"""How many each time, and how many with the slow tests."""


def shards() -> Iterator[Any]:
    """What is judged in one test: a name and seeds."""
    for name, (quick, most) in PROGRAMS.items():
        yield from (pytest.param(name, range(start, min(start + 100, quick))) for start in range(0, quick, 100))
        later = range(quick, most, 200)
        yield from (pytest.param(name, range(s, min(s + 200, most)), marks=pytest.mark.slow) for s in later)


@pytest.mark.parametrize(("name", "seeds"), list(shards()), ids=str)
def test_programs_behave_as_the_original(
    name: str, seeds: range, record_property: Callable[[str, object], None]
) -> None:
    suite = SUITES[name]
    report = suite.run(seeds)
    refused = {f"{name}: refused: {reason}": count for reason, count in report.refusals.items()}
    record_property("differential", {f"{name}: programs": report.programs, **refused})
    assert not report.failures, "\n\n".join(map(str, report.failures))
    assert report.programs == len(seeds)
    assert sum(report.refusals.values()) <= suite.may_refuse(len(seeds)), report.summary()


@pytest.mark.parametrize("name", ["numbers", "text", "tables", "keyed", "arguments"])
def test_some_programs_on_python_values(name: str) -> None:
    report = SUITES[name].run(range(15))
    assert not report.failures, "\n\n".join(map(str, report.failures))
    assert sum(report.refusals.values()) <= 15 * SUITES[name].refused_share, report.summary()


def test_some_programs_with_recursive_functions() -> None:
    report = SUITES["recursions"].run(range(8, 20))
    assert not report.failures, "\n\n".join(map(str, report.failures))
    assert sum(report.refusals.values()) <= 12 * SUITES["recursions"].refused_share, report.summary()


@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize("name", ["arrays", "arguments", "containers", "numbers", "staged", "tables"])
def test_some_programs_by_other_engines(name: str, backend: str) -> None:
    with runtime.config.backend(backend):
        report = SUITES[name].run(range(1_000, 1_006))
    assert not report.failures, "\n\n".join(map(str, report.failures))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arrays", "arguments", "containers", "numbers", "staged", "tables"])
def test_many_programs_as_machine_code(name: str) -> None:
    with runtime.config.backend("native"):
        report = SUITES[name].run(range(2_000, 2_200))
    assert not report.failures, "\n\n".join(map(str, report.failures))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["integers", "staged", "containers"])
def test_twenty_thousand_programs(name: str) -> None:
    """Prints (with -s) what was refused and the table of pairs; every pair that can be is there a hundred times."""
    suite = SUITES[name]
    report = suite.run(range(20_000), count_pairs=True)
    print(f"\n{name}: {report.summary()}\n{table(report.pairs, suite.layout)}")
    assert not report.failures, "\n\n".join(map(str, report.failures))
    assert sum(report.refusals.values()) <= suite.may_refuse(report.programs)
    assert not rare(report.pairs, report.programs, suite.layout)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["numbers", "text", "tables", "keyed", "arguments", "recursions"])
def test_many_programs_on_python_values(name: str) -> None:
    suite = SUITES[name]
    report = suite.run(range(2_000))
    print(f"\n{name}: {report.summary()}")
    assert not report.failures, "\n\n".join(map(str, report.failures))
    assert sum(report.refusals.values()) <= suite.may_refuse(report.programs)
