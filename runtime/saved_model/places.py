"""The user's lines at which operations were made, so that errors of loaded functions name them.

    {"lines": [["model.py", 12, "step", null], ["model.py", 30, "train", 0]], "of": [0, 0, null, 1]}

`of` has a number for each operation that is no input, graph after graph; the last part of a line is the number of the
one that called it. Only the names of files are kept, not where they were: `<saved model.py>:12 in step`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from runtime.errors import FormatError
from runtime.graph.graph import Graph
from runtime.graph.location import Location
from runtime.graph.operation import Operation
from runtime.ops.flow.core import placeholder

__all__ = ["CONTROL", "describe_places", "give_places"]

DEEPEST: Final = 100
"""So many calls that led to a line are kept."""

LONGEST: Final = 1000

CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""What no name has that is shown in a terminal."""

SAVED: Final = re.compile(r"<saved (.*)>")


def describe_places(graphs: Sequence[Graph]) -> Any:
    """The lines of all operations of the graphs."""
    numbers: dict[Any, int] = {}
    lines: list[Any] = []

    def number(place: Location | None) -> int | None:
        caller: int | None = None
        for line in [] if place is None else place.lines()[-DEEPEST:]:
            file = SAVED.sub(r"\1", os.path.basename(line.filename))
            described = (_clean(file), line.lineno, _clean(line.function), caller)
            caller = numbers.setdefault(described, len(lines))
            if caller == len(lines):
                lines.append(list(described))
        return caller

    return {"of": [number(operation.location) for operation in _operations(graphs)], "lines": lines}


def _clean(name: str) -> str:
    return CONTROL.sub("?", name)[:LONGEST]


def _operations(graphs: Sequence[Graph]) -> Iterator[Operation]:
    return (operation for graph in graphs for operation in graph.operations if operation.op is not placeholder)


def give_places(graphs: Sequence[Graph], described: Any) -> None:
    """Gives the operations their lines. Raises FormatError, TypeError, ValueError, KeyError."""
    places: list[Location] = []
    depths: list[int] = []
    for file, line, function, caller in described["lines"]:
        _check(file, line, function)
        known = caller is None or (type(caller) is int and 0 <= caller < len(places))
        depth = 1 if caller is None or not known else depths[caller] + 1
        if not known or depth > DEEPEST:
            raise FormatError(f"a line of a saved graph was called by {caller!r:.80}, which cannot be")
        places.append(Location(f"<saved {file}>", line, function, None if caller is None else places[caller]))
        depths.append(depth)
    for operation, number in zip(_operations(graphs), described["of"], strict=True):
        if number is not None:
            if type(number) is not int or not 0 <= number < len(places):
                raise FormatError(f"an operation of a saved graph stands at {number!r:.80}, which is no line")
            operation.location = places[number]


def _check(file: Any, line: Any, function: Any) -> None:
    names = all(type(n) is str and len(n) <= LONGEST and not CONTROL.search(n) for n in (file, function))
    if not names or type(line) is not int or not 0 <= line < 1 << 31:
        raise FormatError(f"{file!r:.80}:{line!r:.80} in {function!r:.80} is no line of a program")
