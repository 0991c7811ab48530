"""What refusals say to do instead is done here: each program of the tables is refused, and runs when it is changed so.

Each refusal that the source can make has a row here: the places are found in its syntax trees, and those that the rows
come to are noted while they run.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import autograph
import runtime
from tests.runtime.remedies import (
    arrays,
    branches,
    calls,
    gradients,
    iterators,
    lists,
    loops,
    objects,
    options,
    outside,
    rows_of_lists,
    tries,
)  # fmt: skip
from tests.runtime.remedies.row import Row, made_at, refused, remedied

TABLES: Final = (
    branches, loops, options, lists, rows_of_lists, arrays, calls, tries, objects, outside, iterators, gradients,
)  # fmt: skip
ROWS: Final[dict[str, Row]] = {name: row for table in TABLES for name, row in table.ROWS.items()}

ELSEWHERE: Final = {
    "stager_of_all": "values of two stagers: tests/autograph has a second one",
    "_Passing.__exit__": "a converted function that no graph is made of: tests/autograph",
    "_standing_for": "a graph that is made by hand, with no function around it",
    "_check_turns": "the second call of a function: tests/runtime/ndarrays",
    "ArgumentContainers.note_copies": "a caller that gives one list twice: tests/runtime/function",
    "TensorList.may_change": "a list that grows and that eager code has made: tests/runtime/control_flow/lists",
    "CountedLists.take_in": "a loop whose list the graph cannot take in is unrolled",
    # What no program is known to reach, neither here nor in the other tests: guards of what is assumed there.
    "TensorWrites.note": "a write through a part of an array begins the trace again, with the array as memory",
    "Carried._shared": "an array that is bound to one of another shape is one of several (`Choices`)",
    "Iterations.exact": "objects that are made in the loop are told apart where the branches meet",
    "Items.__iter__": "builtins that are given such items go through them for each object",
    "each": "outside of a trace there is nothing that is one of several objects",
    "Maker.call": "the types of a recursion settle: they become wider only",
    "Maker._refuse": "an argument that changes in another way is passed on as a new one",
    "Moved._refuse": "what takes the place of a container does so in all places that refer to it",
    "check_certain": "of two names of one object the one that was asked for first is the one that is told of",
    "as_bool_scalar": "what is no tensor has a truth in Python",
    "_checked.checked": "a part of an object that takes no tensor is a place of that object, which is never set",
    "Branches.type_of": "a part of an object is a place of that object, for which the same is said",
    "TestAssigns.refusal": "the test of a loop of ours assigns nothing, and parts of objects are no state of the loop",
}
"""By the function that makes them: refusals without a row, and why."""


@pytest.fixture(scope="module")
def known(folder_of_all_workers: Path) -> Path:
    """Where the places of rows are written that have run, in this process or in another."""
    folder = folder_of_all_workers / "refusals"
    folder.mkdir(exist_ok=True)
    return folder


def places_of(name: str, known: Path) -> set[tuple[str, int]]:
    """The refused half of a row: file and line of the refusals that were made on the way."""
    file = known / f"{[*ROWS].index(name)}.json"
    if not file.exists():
        with made_at() as found:
            refused(ROWS[name])
        part = file.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps([(code.co_filename, line) for code, line in found]))
        part.replace(file)
    return {(place, line) for place, line in json.loads(file.read_text())}


@pytest.mark.parametrize("name", ROWS)
def test_refused(name: str, known: Path) -> None:
    assert places_of(name, known) or ROWS[name].kind is not autograph.StagingError


@pytest.mark.parametrize("name", ROWS)
def test_remedied(name: str) -> None:
    remedied(ROWS[name])


def test_names_are_different() -> None:
    assert len(ROWS) == sum(len(table.ROWS) for table in TABLES)


def refusals() -> Iterator[tuple[str, str, ast.Call]]:
    """File, function and call, of all calls in the source that make a refusal."""
    kinds = {kind.__name__ for kind in (autograph.StagingError, *_kinds_of(autograph.StagingError))}
    for package in (autograph, runtime):
        for file in Path(*package.__path__).rglob("*.py"):
            text = file.read_text()
            if any(f"{kind}(" in text for kind in kinds):
                yield from ((str(file), *found) for found in _calls(ast.parse(text), "", kinds))


def _kinds_of(kind: type) -> Iterator[type]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds_of(below)


def _calls(node: ast.AST, within: str, kinds: set[str]) -> Iterator[tuple[str, ast.Call]]:
    for child in ast.iter_child_nodes(node):
        inner = within
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = f"{within}.{child.name}".lstrip(".")
        elif isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id in kinds:
            yield within, child
        yield from _calls(child, inner, kinds)


def test_each_refusal_has_a_row(known: Path) -> None:
    made = {place for name in ROWS for place in places_of(name, known)}
    without = [
        f"{file}:{call.lineno} ({function})"
        for file, function, call in refusals()
        if function not in ELSEWHERE
        and not any(f == file and call.lineno <= line <= (call.end_lineno or 0) for f, line in made)
    ]
    assert not without, "refusals without a row of tests/runtime/remedies:\n" + "\n".join(without)
