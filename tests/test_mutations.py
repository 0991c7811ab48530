"""The tests notice each break of the table; the table does not rot; the runner tells a break from a harmless change."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.every_case import every_case
from tests.mutations.runner import Mutation, Verdict, Workshop, mutated
from tests.mutations.table import MUTATIONS

ROOT = Path(__file__).resolve().parent.parent

ROW = MUTATIONS[0]
SHAPES = ("tests/runtime/test_shapes.py",)


@cache
def dump_of(text: str) -> str:
    """Several breaks are in one file."""
    return ast.dump(ast.parse(text))


@every_case(MUTATIONS, ids=str)
def test_each_break_still_has_its_place_and_its_tests(mutation: Mutation) -> None:
    text = (ROOT / mutation.file).read_text(encoding="utf-8")
    assert ast.dump(ast.parse(mutated(text, mutation))) != dump_of(text)
    assert mutation.tests
    for file, _, name in (test.partition("::") for test in mutation.tests):
        assert (ROOT / file).exists()
        assert not name or f"\ndef {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_there_are_breaks_of_functions_state_and_tensors() -> None:
    rooms = Counter(Path(mutation.file).parts[1] for mutation in MUTATIONS)
    assert len({(m.file, m.old, m.new) for m in MUTATIONS}) == len({str(m) for m in MUTATIONS}) == len(MUTATIONS)
    assert min(rooms["function"], rooms["state"], rooms["tensor"]) >= 15


def test_the_runner_tells_what_the_tests_notice_from_what_they_do_not() -> None:
    file, old = "runtime/shapes.py", "            return wanted if self.dims is None else self\n"
    with Workshop(ROOT) as workshop:
        assert workshop.judge(Mutation("harmless", file, old, f"{old}        # so what\n", SHAPES)) is Verdict.SURVIVED
        assert workshop.judge(Mutation("wrong", file, old, "            return self\n", SHAPES)) is Verdict.KILLED
        assert workshop.judge(Mutation("no module", file, old, f"{old}nothing_like_it\n", SHAPES)) is Verdict.UNFIT
        assert workshop.failures(SHAPES) == ""
    assert old in (ROOT / file).read_text(encoding="utf-8")


def test_a_break_without_a_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="stands 0 times in the file"):
        mutated("x = 1\n", ROW)


@pytest.mark.slow
def test_every_break_is_noticed() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.mutations"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(MUTATIONS)} of {len(MUTATIONS)} killed" in done.stdout
