"""Holds what the analyses say of a function against what its calls did.

Example:
    judge = Judge(tree)                    # the tree of a function, analysed
    for events in recorder.frames:
        judge.hold(events)                 # AssertionError with the place where an analysis is wrong
    judge.checked                          # how many statements were compared

Three claims are held against each call:
- Control goes along the edges: from each line to the next there is a way through the graph that needs no third line.
- A variable that is not live is not read before it is written.
- The definition that wrote a variable is among those that are said to reach the place where it is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import gast

from autograph.pyct import anno
from autograph.pyct.qual_names import QN
from autograph.pyct.static_analysis.annos import NodeAnno
from autograph.syntax import children

from .truth import Event, analysed

__all__ = ["Judge"]

# What stands for control alone comes without an event of its own, or with that of another line.
_SILENT = (gast.Try, gast.TryStar, gast.With, gast.AsyncWith, gast.Global, gast.Nonlocal)


def line_of(tree: Any) -> int:
    """The line of a node of a graph."""
    place = {gast.match_case: "pattern", gast.withitem: "context_expr"}.get(type(tree))
    if isinstance(tree, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef) and tree.decorator_list:
        return int(tree.decorator_list[0].lineno)
    line: int = getattr(tree if place is None else getattr(tree, place), "lineno", 0)
    return line


def is_silent(tree: Any) -> bool:
    """Whether a node may pass without an event."""
    return isinstance(tree, _SILENT) or (isinstance(tree, gast.AnnAssign) and tree.value is None) or _is_text(tree)


def _is_text(tree: Any) -> bool:
    return isinstance(tree, gast.Expr) and isinstance(tree.value, gast.Constant)


class Judge:
    """The claims on one function. checked: how often each was tried."""

    def __init__(self, function: Any) -> None:
        self.graph = analysed(function)[function]
        self.checked: Counter[str] = Counter()
        self.by_line: dict[int, list[Any]] = {}
        for node in self.graph.nodes:
            self.by_line.setdefault(line_of(node.ast_node), []).append(node)
        self.names: dict[tuple[int, int], Any] = {}
        self.finals: list[tuple[int, int]] = []
        pending = [function]
        while pending:
            tree = pending.pop()
            if isinstance(tree, gast.Name) and anno.hasanno(tree, anno.Static.DEFINITIONS):
                self.names[tree.lineno, tree.col_offset] = tree
            if isinstance(tree, gast.Try | gast.TryStar) and tree.finalbody:
                self.finals.append((tree.finalbody[0].lineno, tree.finalbody[-1].lineno))
            pending += children(tree)
        self.locals = {str(name) for name in anno.getanno(function, NodeAnno.ARGS_AND_BODY_SCOPE).bound}
        self.parameters = [name for name in children(function.args) if isinstance(name, gast.Name)]
        self.ways: dict[tuple[int, int], bool] = {}

    def hold(self, events: list[Event]) -> None:
        """Hold the claims against one call."""
        events = list(self._real(events))
        self._edges([event.place[0] for event in events if event.kind == "line"])
        self._liveness(events)
        self._definitions(events)

    def _real(self, events: list[Event]) -> Iterator[Event]:
        """The events, but for one that CPython makes up: an exception leaves a `finally` by the line of its end."""
        before = 0
        for event in events:
            line = event.place[0]
            if event.kind == "line":
                ends = [end for start, end in self.finals if start <= before <= end and line == end]
                if ends and before in self.by_line and line in self.by_line and not self._way(before, line):
                    continue
                before = line
            yield event

    def _edges(self, lines: list[int]) -> None:
        for before, after in pairwise(lines):
            # Some versions report a line again while it runs.
            if before != after and before in self.by_line and after in self.by_line:
                self.checked["edges"] += 1
                assert self._way(before, after), f"no edge leads from line {before} to line {after}"

    def _way(self, before: int, after: int) -> bool:
        known = self.ways.get((before, after))
        if known is None:
            known = self.ways[before, after] = self._find_way(before, after)
        return known

    def _find_way(self, before: int, after: int) -> bool:
        pending, seen = list(self.by_line[before]), set()
        while pending:
            for node in pending.pop().next:
                line = line_of(node.ast_node)
                if line == after:
                    return True
                if node not in seen and (line == before or is_silent(node.ast_node)):
                    seen.add(node)
                    pending.append(node)
        return False

    def _liveness(self, events: list[Event]) -> None:
        next_access: dict[str, str] = {}
        for event in reversed(events):
            if event.kind != "line":
                next_access[event.name] = event.kind
                continue
            nodes = self.by_line.get(event.place[0], ())
            live = [anno.getanno(node.ast_node, anno.Static.LIVE_VARS_IN) for node in nodes]
            for name, access in next_access.items():
                if live and name in self.locals and access == "read":
                    self.checked["live"] += 1
                    assert any(QN(name) in names for names in live), (
                        f"{name} is said to be dead at line {event.place[0]}, and is read later"
                    )

    def _definitions(self, events: list[Event]) -> None:
        written: dict[str, tuple[Any, ...]] = {
            name.id: anno.getanno(name, anno.Static.DEFINITIONS) for name in self.parameters
        }
        for event in events:
            tree = self.names.get(event.place)
            if event.kind == "line" or tree is None or tree.id != event.name:
                written.pop(event.name, None)  # by something that is no name, or unknown
                continue
            definitions = anno.getanno(tree, anno.Static.DEFINITIONS)
            if event.kind == "write" and definitions:
                written[event.name] = definitions
            elif event.kind in ("write", "delete"):  # or the variable of a comprehension
                written.pop(event.name, None)
            elif event.name in written and isinstance(tree.ctx, gast.Load):
                self.checked["definitions"] += 1
                (made,) = written[event.name]
                assert any(made is each for each in definitions), (
                    f"{event.name} at {event.place} was written by a definition that is said not to reach it"
                )
