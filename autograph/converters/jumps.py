"""break, continue and return: turned into flags, so that control flow is the nesting of statements and nothing else.

    while a:                     break_ = False
        if b:                    while not break_ and a:
            break       --->         if b:
        c()                              break_ = True
                                     else:
                                         c()

This runs first, on the raw tree; everything after it can forget about jumps. How the pieces are chosen:
- What follows a branch that leaves on one side moves into the other side, which makes the better graph. That nests, so
  below `_NESTING` moves in each other it stops, and what follows is guarded: `if not do_return: ...`. A guard holds all
  statements up to the next one that may leave; guards stand side by side, so a thousand early returns nest no deeper.
- Each `elif` nests in the one before it, and Python's tokenizer ends at a hundred levels of indentation: after `_ELIFS`
  of them the chain goes on behind its statement, under a flag.
- Statements that can never be reached are dropped. A flag of `continue` that nothing asks for is not kept.
- The else of a loop follows the loop, under `if not break_` where the loop can be left.
- A `return` statement stays in the tree as a mark; return_statement.py writes out its flags. Flags of a `return` that
  an exception overtakes (raised by the end of a `with` or a `finally`, and caught in the same function) are taken back.
- A jump that leaves a `finally` drops what was on its way out: the flags that the `try` has set are taken back, and an
  exception is dropped by `ag__.FinallyScope`. Class bodies and generators keep their jumps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import gast

from autograph.analysis.lowered import Jumps
from autograph.analysis.scopes import Kind, Scopes
from autograph.converters.jump_frames import (
    Frame,
    Loop,
    Lowered,
    LoweredIf,
    goes_on,
    is_endless,
    leaves,
    methods_of,
    sides_of,
)
from autograph.converters.jumps_in_try import lower_try, lower_with
from autograph.converters.loop_options import is_loop_options
from autograph.converters.match_lowering import lower_match
from autograph.naming import Namer
from autograph.syntax import At, negated

__all__ = ["lower_jumps"]

_NESTING = 8
_ELIFS = 24


def lower_jumps(function: Any, scopes: Scopes, namer: Namer, ag: str) -> Jumps:
    """Lower the jumps of a function and of the functions in it, in place. A lambda has none."""
    lowering = Lowering(scopes, namer, ag)
    if not isinstance(function, gast.Lambda):
        lowering.definition(function)
    while lowering.waiting:
        lowering.function(lowering.waiting.popleft())
    return lowering.jumps


class Lowering:
    """The walk over the statements; jumps_in_try.py has the part about `try` and `with`."""

    def __init__(self, scopes: Scopes, namer: Namer, ag: str) -> None:
        self.scopes = scopes
        self.namer = namer
        self.ag = ag
        self.jumps = Jumps()
        self.waiting: deque[Any] = deque()  # functions to lower, outer ones first: those get the plain names
        self.frame = Frame(None)
        self.moves = 0
        self.asked: set[str] = set()  # flags that some test reads, or that are taken back
        self.rebound = frozenset[str]().union(*(scope.nonlocals for scope in scopes.table.values()))

    # -- names of flags

    def flag(self, root: str) -> str:
        name = self.namer.fresh(root)
        self.scopes.table[self.frame.function].own.add(name)
        return name

    def return_names(self) -> tuple[str, str]:
        returns = self.frame.returns
        if returns.names is None:
            returns.names = (self.flag("do_return"), self.flag("retval_"))
        return returns.names

    def unless(self, flags: Iterable[str], at: At) -> Any:
        """The test that none of the flags is set."""
        self.asked.update(flags)
        return negated(sorted(flags), at)

    # -- blocks

    def function(self, node: Any) -> None:
        self.frame, self.moves = Frame(node), 0
        lowered = self.block(node.body)
        node.body = lowered.body
        if not lowered.falls and isinstance(lowered.body[-1], gast.While):  # only `return` leaves it
            self.jumps.always_return.add(node)
        if self.frame.returns.names is not None:
            self.jumps.returns[node] = self.frame.returns.names

    def inside(self, statements: list[Any], **changes: Any) -> Lowered:
        """A block that stands elsewhere than the statement around it: in a loop, in a try."""
        before = self.frame
        self.frame = replace(before, **changes)
        lowered = self.block(statements)
        self.frame = before
        return lowered

    def block(self, statements: list[Any]) -> Lowered:
        """Lower statements in a row: move or guard what follows one that may leave."""
        result: list[Any] = []
        flags: frozenset[str] = frozenset()
        place = result  # where the next statement goes: the block itself or the open guard
        guarded = True  # whether `place` is under a guard for all of `flags`
        leaver = None  # the first statement that may leave: it ran, whatever guards skipped later
        statements = self._without_match(statements)
        for position, statement in enumerate(statements):
            lowered = self.statement(statement)
            if not guarded:
                place = []
                at = At.start_of(leaver)
                result.append(at.if_(self.unless(flags, at), place))
                guarded = True
            rest = statements[position + 1 :] if self._may_move(lowered) else []
            if rest:
                lowered = self._move(lowered, rest)
            place += lowered.body
            flags |= lowered.flags
            if rest or not lowered.falls:
                return Lowered(result, flags, lowered.falls)
            guarded = not lowered.flags
            leaver = leaver or (statement if lowered.flags else None)
        return Lowered(result, flags)

    def _without_match(self, statements: list[Any]) -> list[Any]:
        found: list[Any] = []
        for node in statements:
            found += lower_match(self, node) if isinstance(node, gast.Match) else [node]
        return found

    def _may_move(self, lowered: Lowered) -> bool:
        return lowered.falls and self.moves < _NESTING and any(leaves(side) for side in sides_of(lowered))

    def _move(self, lowered: Lowered, rest: list[Any]) -> Lowered:
        """Put the rest of the block into the side of an `if` that goes on."""
        (node,) = lowered.body
        body, orelse = sides_of(lowered)
        self.moves += 1
        moved = self.block(rest)
        self.moves -= 1
        side = node.orelse if leaves(body) else node.body
        left = orelse if leaves(body) else body
        if left.flags and moved.body:
            at = At.start_of(node)
            side.append(at.if_(self.unless(left.flags, at), moved.body))
        else:
            side += moved.body
        return Lowered([node], lowered.flags | moved.flags, moved.falls)

    def statement(self, node: Any) -> Lowered:
        lower = _STATEMENTS.get(type(node))
        return Lowered([node]) if lower is None else lower(self, node)

    # -- jumps

    def return_(self, node: Any) -> Lowered:
        names = self.return_names()
        self.jumps.leaves[node] = names
        return Lowered([node], frozenset(names[:1]), False)

    def break_(self, node: Any) -> Lowered:
        flag, at = self.loop_flag("break_"), At(node)
        return Lowered([at.assign(flag, at.constant(True))], frozenset({flag}), False)

    def continue_(self, node: Any) -> Lowered:
        flag, at = self.loop_flag("continue_"), At(node)
        mark = at.assign(flag, at.constant(True))
        assert self.frame.loop is not None
        self.frame.loop.continues.append(mark)
        return Lowered([mark], frozenset({flag}), False)

    def raise_(self, node: Any) -> Lowered:
        return Lowered([node], falls=False)

    # -- statements with blocks

    def if_(self, node: Any) -> Lowered:
        last, length = node, 0
        while length < _ELIFS and goes_on(last):
            last, length = last.orelse[0], length + 1
        if goes_on(last):
            return self._split(node, last)
        body, orelse = self.block(node.body), self.block(node.orelse)
        node.body, node.orelse = body.body, orelse.body
        return LoweredIf([node], body.flags | orelse.flags, body.falls or orelse.falls, (body, orelse))

    def _split(self, node: Any, last: Any) -> Lowered:
        """Put what follows the last branch of a long chain of elifs behind the chain, under a flag."""
        flag, at = self.flag("more_"), At.start_of(node)
        rest, last.orelse = last.orelse, [at.assign(flag, at.constant(True))]
        return self.block([at.assign(flag, at.constant(False)), node, at.if_(at.name(flag), rest)])

    def loop(self, node: Any) -> Lowered:
        loop = Loop()
        self._take_options(node)
        body = self.inside(node.body, loop=loop)
        at = At.start_of(node)
        node.body = body.body
        if loop.continue_ in self.asked:
            node.body = [at.assign(loop.continue_, at.constant(False)), *body.body]
        else:
            self.jumps.passes.update(loop.continues)
        outward = body.flags - {loop.break_, loop.continue_}
        stops = body.flags - {loop.continue_}
        endless = is_endless(node)
        if stops:
            self._extend_test(node, self.unless(stops, at), endless)
        result = [at.assign(loop.break_, at.constant(False))] if loop.break_ else []
        result.append(node)
        orelse = self.block(node.orelse)
        node.orelse = []
        if orelse.body and stops:
            at = At.start_of(node)
            result.append(at.if_(self.unless(stops, at), orelse.body))
        else:
            result += orelse.body
        falls = bool(loop.break_) or (orelse.falls and not endless)
        return Lowered(result, outward | orelse.flags, falls)

    def _take_options(self, node: Any) -> None:
        first = node.body[0]
        if isinstance(first, gast.Expr) and is_loop_options(first.value):
            self.jumps.loop_options[node] = first.value
            node.body = node.body[1:]

    def _extend_test(self, node: Any, going_on: Any, endless: bool) -> None:
        if isinstance(node, gast.For):
            self.jumps.extra_tests[node] = going_on
        elif endless:
            node.test = going_on
        else:
            tests = going_on.values if isinstance(going_on, gast.BoolOp) else [going_on]
            node.test = At(node.test).put(gast.BoolOp(gast.And(), [*tests, node.test]))

    def loop_flag(self, kind: str) -> str:
        """The flag of the innermost loop for break_ or continue_."""
        loop = self.frame.loop
        assert loop is not None, "the parser refuses a break or continue outside of a loop"
        if getattr(loop, kind) is None:
            setattr(loop, kind, self.flag(kind))
        return str(getattr(loop, kind))

    # -- what holds functions

    def definition(self, node: Any) -> Lowered:
        if self.scopes.table[node].kind is Kind.FUNCTION:
            self.waiting.append(node)
        return Lowered([node])

    def class_(self, node: Any) -> Lowered:
        for method in methods_of(node):
            self.definition(method)
        return Lowered([node])


_STATEMENTS: dict[type, Callable[[Lowering, Any], Lowered]] = {
    gast.Return: Lowering.return_,
    gast.Break: Lowering.break_,
    gast.Continue: Lowering.continue_,
    gast.Raise: Lowering.raise_,
    gast.If: Lowering.if_,
    gast.While: Lowering.loop,
    gast.For: Lowering.loop,
    gast.With: lower_with,
    gast.Try: lower_try,
    gast.TryStar: lower_try,
    gast.FunctionDef: Lowering.definition,
    gast.ClassDef: Lowering.class_,
}
