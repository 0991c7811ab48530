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
- Statements that can never be reached are dropped.
- The else of a loop follows the loop, under `if not break_` where the loop can be left.
- A `return` statement stays in the tree as a mark; converters/returns.py writes out its flags. Flags of a `return` that
  an exception overtakes (raised by the end of a `with` or a `finally`, and caught in the same function) are taken back.
- A jump that leaves a `finally` drops what was on its way out: the flags that the `try` has set are taken back, and an
  exception is dropped by `ag__.FinallyScope`. Class bodies and generators keep their jumps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gast

from autograph.analysis.lowered import Jumps, catches_all
from autograph.analysis.scopes import Kind, Scopes
from autograph.converters.jump_frames import Frame, Loop, Lowered, LoweredIf, Returns, goes_on, leaves
from autograph.converters.loop_options import is_loop_options
from autograph.naming import Namer
from autograph.syntax import At, negated

__all__ = ["lower_jumps"]

_NESTING = 8
_ELIFS = 24


def lower_jumps(function: Any, scopes: Scopes, namer: Namer, ag: str) -> Jumps:
    """Lower the jumps of a function and of the functions in it, in place. A lambda has none."""
    lowering = _Lowering(scopes, namer, ag)
    if not isinstance(function, gast.Lambda):
        lowering.function(function)
    return lowering.jumps


class _Lowering:
    def __init__(self, scopes: Scopes, namer: Namer, ag: str) -> None:
        self.scopes = scopes
        self.namer = namer
        self.ag = ag
        self.jumps = Jumps()
        self.frame = Frame(None)
        self.moves = 0

    # -- names of flags

    def _flag(self, root: str) -> str:
        name = self.namer.fresh(root)
        self.scopes.table[self.frame.function].own.add(name)
        return name

    def _return_names(self) -> tuple[str, str]:
        returns = self.frame.returns
        if returns.names is None:
            returns.names = (self._flag("do_return"), self._flag("retval_"))
        return returns.names

    # -- blocks

    def function(self, node: Any) -> None:
        saved = self.frame, self.moves
        self.frame, self.moves = Frame(node), 0
        node.body = self.block(node.body).body
        if self.frame.returns.names is not None:
            self.jumps.returns[node] = self.frame.returns.names
        self.frame, self.moves = saved

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
        for position, statement in enumerate(statements):
            lowered = self.statement(statement)
            if not guarded:
                place = []
                at = At.start_of(leaver)
                result.append(at.if_(negated(sorted(flags), at), place))
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

    def _may_move(self, lowered: Lowered) -> bool:
        return lowered.falls and self.moves < _NESTING and any(leaves(side) for side in self._sides(lowered))

    def _sides(self, lowered: Lowered) -> tuple[Lowered, ...]:
        return lowered.sides if isinstance(lowered, LoweredIf) else ()

    def _move(self, lowered: Lowered, rest: list[Any]) -> Lowered:
        """Put the rest of the block into the side of an `if` that goes on."""
        (node,) = lowered.body
        body, orelse = self._sides(lowered)
        self.moves += 1
        moved = self.block(rest)
        self.moves -= 1
        side = node.orelse if leaves(body) else node.body
        left = orelse if leaves(body) else body
        if left.flags and moved.body:
            at = At.start_of(node)
            side.append(at.if_(negated(sorted(left.flags), at), moved.body))
        else:
            side += moved.body
        return Lowered([node], lowered.flags | moved.flags, moved.falls)

    def statement(self, node: Any) -> Lowered:
        lower = _STATEMENTS.get(type(node))
        return Lowered([node]) if lower is None else lower(self, node)

    # -- jumps

    def return_(self, node: Any) -> Lowered:
        names = self._return_names()
        self.jumps.leaves[node] = names
        return Lowered([node], frozenset(names[:1]), False)

    def break_(self, node: Any) -> Lowered:
        flag, at = self._loop_flag("break_"), At(node)
        return Lowered([at.assign(flag, at.constant(True))], frozenset({flag}), False)

    def continue_(self, node: Any) -> Lowered:
        flag, at = self._loop_flag("continue_"), At(node)
        return Lowered([at.assign(flag, at.constant(True))], frozenset({flag}), False)

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
        flag, at = self._flag("more_"), At.start_of(node)
        rest, last.orelse = last.orelse, [at.assign(flag, at.constant(True))]
        return self.block([at.assign(flag, at.constant(False)), node, at.if_(at.name(flag), rest)])

    def loop(self, node: Any) -> Lowered:
        loop = Loop()
        self._take_options(node)
        body = self.inside(node.body, loop=loop)
        at = At.start_of(node)
        node.body = body.body
        if loop.continue_:
            node.body = [at.assign(loop.continue_, at.constant(False)), *body.body]
        outward = body.flags - {loop.break_, loop.continue_}
        stops = sorted(body.flags - {loop.continue_})
        endless = isinstance(node, gast.While) and isinstance(node.test, gast.Constant) and bool(node.test.value)
        if stops:
            self._extend_test(node, negated(stops, at), endless)
        result = [at.assign(loop.break_, at.constant(False))] if loop.break_ else []
        result.append(node)
        orelse = self.block(node.orelse)
        node.orelse = []
        if orelse.body and stops:
            at = At.start_of(node)
            result.append(at.if_(negated(stops, at), orelse.body))
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

    def with_(self, node: Any) -> Lowered:
        caught = self.frame.caught
        body = self.inside(node.body, caught=True)
        node.body = body.body
        # It falls through even after a return, if it swallows what the return's value raises.
        return Lowered([self._taking_back(node, body.flags) if caught else node], body.flags)

    def try_(self, node: Any) -> Lowered:
        caught = self.frame.caught
        body = self.inside(node.body, caught=caught or bool(node.handlers))
        handlers = [self.block(handler.body) for handler in node.handlers]
        orelse = self.block(node.orelse)
        loop, returns = Loop() if self.frame.loop else None, Returns()
        cleanup = self.inside(node.finalbody, loop=loop, returns=returns)
        node.body, node.finalbody = body.body, cleanup.body
        for handler, lowered in zip(node.handlers, handlers, strict=True):
            handler.body = lowered.body
        node.orelse = orelse.body if body.falls else []
        if node.orelse and body.flags:
            at = At.start_of(node)
            node.orelse = [at.if_(negated(sorted(body.flags), at), node.orelse)]
        ends = [*handlers, orelse if body.falls else body]
        flags = body.flags.union(orelse.flags, *(lowered.flags for lowered in handlers))
        if cleanup.flags:
            return self._jumping_cleanup(node, flags, cleanup, loop, returns)
        falls = cleanup.falls and any(lowered.falls for lowered in ends)
        result = self._taking_back(node, flags) if caught and node.finalbody else node
        return Lowered([result], flags, falls)

    def _jumping_cleanup(
        self, node: Any, flags: frozenset[str], cleanup: Lowered, loop: Loop | None, returns: Returns
    ) -> Lowered:
        """A `finally` with jumps of its own: if it takes one, whatever was on its way out of the `try` is dropped.

        Its jumps have flags of their own, for its statements run whatever flags the body has set.
        """
        at = At.start_of(node)
        jumped = [at.name(flag) for flag in sorted(cleanup.flags)]
        mark = at.put(gast.Attribute(at.name(scope := self.namer.fresh("finally_")), "jumped", gast.Store()))
        self.scopes.table[self.frame.function].own.add(scope)
        node.finalbody.append(
            at.assign(mark, jumped[0] if len(jumped) == 1 else at.put(gast.BoolOp(gast.Or(), jumped)))
        )
        item = gast.withitem(at.operator(self.ag, "FinallyScope"), at.store(scope))
        result = [at.assign(flag, at.constant(False)) for flag in sorted(cleanup.flags)]
        if returns.names is not None:
            result.append(at.assign(returns.names[1], at.operator(self.ag, "UndefinedReturnValue")))
        result.append(at.put(gast.With([item], [node], None)))
        moves: list[tuple[str, str, list[Any]]] = []
        if loop is not None and loop.break_:
            moves.append((loop.break_, self._loop_flag("break_"), []))
        if loop is not None and loop.continue_:
            moves.append((loop.continue_, self._loop_flag("continue_"), []))
        if returns.names is not None:
            names = self._return_names()
            moves.append((returns.names[0], names[0], [at.assign(names[1], at.name(returns.names[1]))]))
        taken = set()
        for own, outer, values in moves:
            dropped = self._cleared(flags - {outer}, at)
            result.append(at.if_(at.name(own), [*dropped, at.assign(outer, at.constant(True)), *values]))
            taken.add(outer)
        return Lowered(result, flags | taken, cleanup.falls)

    def _loop_flag(self, kind: str) -> str:
        """The flag of the innermost loop for break_ or continue_."""
        loop = self.frame.loop
        assert loop is not None, "the parser refuses a break or continue outside of a loop"
        if getattr(loop, kind) is None:
            setattr(loop, kind, self._flag(kind))
        return str(getattr(loop, kind))

    def _taking_back(self, node: Any, flags: frozenset[str]) -> Any:
        """The statement, with its flags cleared where its end raises: the jump does not happen then."""
        if not flags:
            return node
        at = At(node)
        handler = at.put(gast.ExceptHandler(None, None, [*self._cleared(flags, at), at.put(gast.Raise(None, None))]))
        return at.put(gast.Try([node], [handler], [], []))

    def _cleared(self, flags: frozenset[str], at: At) -> list[Any]:
        """Take the jumps of these flags back."""
        cleared = [at.assign(flag, at.constant(False)) for flag in sorted(flags)]
        names = self.frame.returns.names
        if names is not None and names[0] in flags:
            cleared.append(at.assign(names[1], at.operator(self.ag, "UndefinedReturnValue")))
        return cleared

    def match(self, node: Any) -> Lowered:
        cases = [self.block(case.body) for case in node.cases]
        for case, lowered in zip(node.cases, cases, strict=True):
            case.body = lowered.body
        flags: frozenset[str] = frozenset().union(*(lowered.flags for lowered in cases))
        falls = not catches_all(node.cases[-1]) or any(lowered.falls for lowered in cases)
        return Lowered([node], flags, falls)

    # -- what holds functions

    def definition(self, node: Any) -> Lowered:
        if self.scopes.table[node].kind is Kind.FUNCTION:
            self.function(node)
        return Lowered([node])

    def class_(self, node: Any) -> Lowered:
        """Find the methods in a class body, which keeps its own jumps."""
        pending = [node]
        while pending:
            holder = pending.pop()
            for name in ("body", "orelse", "finalbody", "handlers", "cases"):
                for child in getattr(holder, name, ()):
                    if isinstance(child, gast.FunctionDef):
                        self.definition(child)
                    elif not isinstance(child, gast.AsyncFunctionDef):
                        pending.append(child)
        return Lowered([node])


_STATEMENTS: dict[type, Callable[[_Lowering, Any], Lowered]] = {
    gast.Return: _Lowering.return_,
    gast.Break: _Lowering.break_,
    gast.Continue: _Lowering.continue_,
    gast.Raise: _Lowering.raise_,
    gast.If: _Lowering.if_,
    gast.While: _Lowering.loop,
    gast.For: _Lowering.loop,
    gast.With: _Lowering.with_,
    gast.Try: _Lowering.try_,
    gast.TryStar: _Lowering.try_,
    gast.Match: _Lowering.match,
    gast.FunctionDef: _Lowering.definition,
    gast.ClassDef: _Lowering.class_,
}
