"""Branches as coverage counts them, in converted code: the steps from line to line that the original would take.

A tool that measures branches sees one function go from the line of an `if` to a line of its body or past it. In
converted code the body is another function, so those steps would be missing and others would be made up. While
coverage.py measures branches, code is therefore converted with trails. Before the conversion, `mark` puts marks where
the original takes a step out of a header; afterwards `write_out` turns each mark into a function that goes just these
steps, and its call, and lets every operator be followed by a stop on the `def` line, from which no branch goes.

Example: in the body of the `if` on line 3 of a function that starts on line 1, line 4 being the first of the body
    def trail():    # on line 1, as the call is
        pass        # on line 3
        return      # on line 4
    trail()

Text for people never has them. What a trail leaves out is named in docs/tools.md.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any

import gast

from autograph.syntax import At, children, deep_recursion

__all__ = ["are_wanted", "mark", "write_out"]

_NAME = "<trail>"
_CHAIN = 32
"""So many tests of one chain are followed by one trail; longer chains of `elif` take several."""

_DECLARATIONS = (gast.Global, gast.Nonlocal)
_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)

Steps = list[int]  # lines one after the other; a negative one is the end of the function that starts there


def are_wanted() -> bool:
    """Whether coverage.py measures branches at this moment."""
    tool: Any = getattr(sys.modules.get("coverage"), "Coverage", None)  # a program may have a module of that name, too
    current = tool.current() if hasattr(tool, "current") else None
    return current is not None and bool(current.get_option("run:branch"))


def mark(function: Any, code: CodeType) -> None:
    """Put marks into the tree of a function, in place; functions inside that stay as they are get none."""
    with deep_recursion():
        if isinstance(function, gast.Lambda):
            return
        _mark_function(function, code.co_firstlineno)


def write_out(tree: Any, code: CodeType) -> None:
    """Turn the marks in a converted tree into trails, and let a stop follow each operator."""
    with deep_recursion():
        pending = [tree]
        while pending:
            node = pending.pop()
            for name in node._fields:
                block = getattr(node, name, None)
                if block.__class__ is list and block and isinstance(block[0], gast.stmt):
                    setattr(node, name, [made for item in block for made in _written(item, code.co_firstlineno)])
            pending += children(node)


class _Mark(gast.Pass):
    """Stands for the steps that are taken where it stands; start: the line of the function."""

    steps: Steps
    start: int


def _written(node: Any, start: int) -> list[Any]:
    if isinstance(node, _Mark):
        return _trail(node.steps, node.start)
    if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
        operator = node.value.func
        if isinstance(operator, gast.Attribute) and operator.attr.endswith("_stmt"):
            return [node, _on(start).pass_()]
    return [node]


def _trail(steps: Steps, start: int) -> list[Any]:
    """A function with the steps, and its call. No name of the user's is like its name."""
    at = _on(start)
    body = [_on(line).pass_() for line in steps if line > 0]
    last = steps[-2] if steps[-1] < 0 else start  # the return is a step, too: one out of the user's function
    body.append(_on(last).returns(None))
    return [at.function(_NAME, [], body), at.expression(at.call(at.name(_NAME), []))]


def _on(line: int) -> At:
    at = At.__new__(At)
    at.lineno = at.end_lineno = line
    at.col_offset, at.end_col_offset = 0, 1
    return at


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block stands. start: the line of its function. after: the line that follows the block.

    finals: of the `finally` blocks around, the innermost first: the first line, and the last if only one way leads out.
    loop: the lines to which `continue` and `break` go, and how many of `finals` are outside of the loop.
    """

    start: int
    after: int
    finals: tuple[tuple[int, int | None], ...] = ()
    loop: tuple[int, int, int] | None = None

    def mark(self, steps: Steps) -> Any:
        made = _Mark()
        made.steps, made.start = steps, self.start
        return _on(self.start).put(made)


def _mark_function(node: Any, start: int) -> None:
    _mark_block(node.body, _Place(start, -start))


def _first_line(node: Any) -> int:
    lines = [node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))]
    return int(min(lines))


def _entry(statements: list[Any], after: int) -> int:
    """The line at which a block begins."""
    return next((_first_line(node) for node in statements if not isinstance(node, _DECLARATIONS)), after)


def _mark_block(statements: list[Any], place: _Place) -> None:
    result: list[Any] = []
    for position, node in enumerate(statements):
        own = replace(place, after=_entry(statements[position + 1 :][:2], place.after))
        before, after = _steps_around(node, own)
        result += [*before, node, *after]
    statements[:] = result


def _steps_around(node: Any, place: _Place) -> tuple[list[Any], list[Any]]:
    """Mark what is inside a statement; gives the marks that belong before it and after it."""
    if isinstance(node, gast.If):
        _mark_if(node, place)
    elif isinstance(node, gast.For | gast.While):
        return [], _mark_loop(node, place)
    elif isinstance(node, gast.Match):
        _mark_match(node, place)
        return [place.mark([node.lineno, node.cases[0].pattern.lineno])], []
    elif isinstance(node, gast.Try | gast.TryStar):
        return [], _mark_try(node, place)
    elif isinstance(node, gast.With):
        _mark_block(node.body, place)
    elif isinstance(node, gast.Return | gast.Break | gast.Continue):
        return _leaving(node, place), []
    else:
        _mark_functions_in(node)
    return [], []


def _mark_functions_in(node: Any) -> None:
    """Functions that a definition holds: it itself, or those in the body of a class."""
    if isinstance(node, gast.FunctionDef) and not _is_generator(node):
        _mark_function(node, _first_line(node))
    elif isinstance(node, gast.ClassDef):
        for child in children(node):
            _mark_functions_in(child)


def _is_generator(node: Any) -> bool:
    pending = list(node.body)
    while pending:
        child = pending.pop()
        if isinstance(child, gast.Yield | gast.YieldFrom):
            return True
        if not isinstance(child, (*_FUNCTIONS, gast.Lambda, gast.ClassDef)):
            pending += children(child)
    return False


def _mark_if(node: Any, place: _Place) -> None:
    passed: Steps = []  # the headers of the chain so far
    while True:
        passed = [*passed, node.lineno]
        entry = _entry(node.body, place.after)
        _mark_block(node.body, place)
        node.body.insert(0, place.mark([*passed, entry]))
        chained = len(node.orelse) == 1 and isinstance(node.orelse[0], gast.If)
        if not chained or len(passed) == _CHAIN:
            break
        node = node.orelse[0]
    entry = _entry(node.orelse, place.after)
    _mark_block(node.orelse, place)
    node.orelse.insert(0, place.mark([*passed, entry]))


def _mark_loop(node: Any, place: _Place) -> list[Any]:
    header = node.lineno
    done = _entry(node.orelse, place.after)
    leaves = _breaks(node.body)
    inside = replace(place, after=header, loop=(header, place.after, len(place.finals)))
    entry = _entry(node.body, header)
    options = 1 if node.body and _is_options(node.body[0]) else 0  # they stay first
    body = node.body[options:]
    _mark_block(body, inside)
    node.body[options:] = [place.mark([header, entry]), *body]
    _mark_block(node.orelse, place)
    if isinstance(node, gast.While) and isinstance(node.test, gast.Constant) and node.test.value:
        return []
    ended = place.mark([header, done])
    if not node.orelse and not leaves:
        return [ended]
    node.orelse.insert(0, ended)
    return []


def _is_options(node: Any) -> bool:
    """Whether a statement is a call of set_loop_options."""
    function = node.value.func if isinstance(node, gast.Expr) and isinstance(node.value, gast.Call) else None
    return getattr(function, "attr", getattr(function, "id", None)) == "set_loop_options"


def _breaks(statements: list[Any]) -> bool:
    """Whether a `break` among the statements leaves the loop around them."""
    pending = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Break):
            return True
        if isinstance(node, gast.For | gast.While):
            pending += node.orelse
        elif not isinstance(node, (*_FUNCTIONS, gast.ClassDef, gast.expr)):
            pending += children(node)
    return False


def _mark_match(node: Any, place: _Place) -> None:
    passed: Steps = []
    for case in node.cases:
        passed = [*passed[-_CHAIN:], case.pattern.lineno]
        entry = _entry(case.body, place.after)
        _mark_block(case.body, place)
        case.body.insert(0, place.mark([*passed, entry]))
    last = node.cases[-1]
    if last.guard is not None or not isinstance(last.pattern, gast.MatchAs) or last.pattern.pattern is not None:
        at = At.start_of(last.pattern)
        wildcard = at.put(gast.MatchAs(None, None))
        node.cases.append(gast.match_case(wildcard, None, [place.mark([*passed, place.after])]))


def _mark_try(node: Any, place: _Place) -> list[Any]:
    after = _entry(node.finalbody, place.after)
    guarded = replace(place, after=after)
    if node.finalbody:
        last = node.finalbody[-1]
        way_out = None if isinstance(last, _blocks) else _first_line(last)
        guarded = replace(guarded, finals=((after, way_out), *place.finals))
    _mark_block(node.body, replace(guarded, after=_entry(node.orelse, after)))
    passed: Steps = []
    for handler in node.handlers:
        passed = [*passed[-_CHAIN:], handler.lineno]
        entry = _entry(handler.body, after)
        _mark_block(handler.body, guarded)
        handler.body.insert(0, place.mark([*passed, entry]))
    _mark_block(node.orelse, guarded)
    _mark_block(node.finalbody, place)
    if node.finalbody and guarded.finals[0][1] is not None:
        return [place.mark([guarded.finals[0][1], place.after])]
    return []


_blocks = (gast.If, gast.For, gast.While, gast.Match, gast.Try, gast.TryStar, gast.With)


def _leaving(node: Any, place: _Place) -> list[Any]:
    """The steps of a jump out of the `finally` blocks that it passes."""
    passed, target = place.finals, -place.start
    if not isinstance(node, gast.Return):
        if place.loop is None:
            return []
        header, after, outside = place.loop
        passed = passed[: len(passed) - outside]
        target = after if isinstance(node, gast.Break) else header
    entries = [*(first for first, _ in passed[1:]), target]
    found = zip(passed, entries, strict=False)
    return [place.mark([last, entry]) for (_, last), entry in found if last is not None and last != entry]
