"""break, continue and return that pass through `with` and `try`, on their way out of a loop or function.

    for x in xs:                  for x in xs:
        try:                          with ag__.FinallyScope() as finally_:
            a(x)                          try:
        finally:          --->                a(x)
            break                         finally:
                                              break_1 = True
                                              finally_.jumped = break_1
                                      if break_1:
                                          break_ = True

What the end of a `with` or a `finally` does may overtake a jump: an exception that is caught in the same function takes
its flags back, and a jump in a `finally` drops whatever was on its way out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gast

from autograph.analysis.reader import is_plain_with
from autograph.converters.jump_frames import Loop, Lowered, Returns
from autograph.syntax import At

if TYPE_CHECKING:
    from autograph.converters.jumps import Lowering

__all__ = ["lower_try", "lower_with"]


def lower_with(lowering: Lowering, node: Any) -> Lowered:
    if len(node.items) > 1 and not is_plain_with(node):  # `with a as x, b as y` is a `with` in a `with`
        node.items, rest = node.items[:1], node.items[1:]
        node.body = [At.start_of(node).put(gast.With(rest, node.body, None))]
    body = lowering.inside(node.body, caught=True)
    node.body = body.body
    # It falls through even after a return, if it swallows what the return's value raises.
    return Lowered([_taking_back(lowering, node, body.flags)], body.flags)


def lower_try(lowering: Lowering, node: Any) -> Lowered:
    body = lowering.inside(node.body, caught=lowering.frame.caught or bool(node.handlers))
    handlers = [lowering.block(handler.body) for handler in node.handlers]
    orelse = lowering.block(node.orelse)
    loop, returns = Loop() if lowering.frame.loop else None, Returns()
    cleanup = lowering.inside(node.finalbody, loop=loop, returns=returns)
    node.body, node.finalbody = body.body, cleanup.body
    for handler, lowered in zip(node.handlers, handlers, strict=True):
        handler.body = lowered.body
    node.orelse = orelse.body if body.falls else []
    if node.orelse and body.flags:
        at = At.start_of(node)
        node.orelse = [at.if_(lowering.unless(body.flags, at), node.orelse)]
    ends = [*handlers, orelse if body.falls else body]
    flags = body.flags.union(orelse.flags, *(lowered.flags for lowered in handlers))
    if cleanup.flags:
        return _jumping_cleanup(lowering, node, flags, cleanup, loop, returns)
    falls = cleanup.falls and any(lowered.falls for lowered in ends)
    result = _taking_back(lowering, node, flags) if node.finalbody else node
    return Lowered([result], flags, falls)


def _jumping_cleanup(
    lowering: Lowering,
    node: Any,
    flags: frozenset[str],
    cleanup: Lowered,
    loop: Loop | None,
    returns: Returns,
) -> Lowered:
    """A `finally` with jumps of its own: if it takes one, whatever was on its way out of the `try` is dropped.

    Its jumps have flags of their own, for its statements run whatever flags the body has set.
    """
    at = At.start_of(node)
    lowering.asked |= cleanup.flags
    jumped = [at.name(flag) for flag in sorted(cleanup.flags)]
    mark = at.put(gast.Attribute(at.name(scope := lowering.namer.fresh("finally_")), "jumped", gast.Store()))
    lowering.scopes.table[lowering.frame.function].own.add(scope)
    node.finalbody.append(at.assign(mark, jumped[0] if len(jumped) == 1 else at.put(gast.BoolOp(gast.Or(), jumped))))
    item = gast.withitem(at.operator(lowering.ag, "FinallyScope"), at.store(scope))
    result = [at.assign(flag, at.constant(False)) for flag in sorted(cleanup.flags)]
    if returns.names is not None:
        result.append(at.assign(returns.names[1], at.operator(lowering.ag, "UndefinedReturnValue")))
    result.append(at.put(gast.With([item], [_taking_back(lowering, node, flags)], None)))
    lowering.jumps.native.add(result[-1])
    moves: list[tuple[str, str, list[Any]]] = []
    if loop is not None and loop.break_:
        moves.append((loop.break_, lowering.loop_flag("break_"), []))
    if loop is not None and loop.continue_:
        moves.append((loop.continue_, lowering.loop_flag("continue_"), []))
    if returns.names is not None:
        names = lowering.return_names()
        moves.append((returns.names[0], names[0], [at.assign(names[1], at.name(returns.names[1]))]))
    taken = set()
    for own, outer, values in moves:
        dropped = _cleared(lowering, flags - {outer}, at)
        result.append(at.if_(at.name(own), [*dropped, at.assign(outer, at.constant(True)), *values]))
        taken.add(outer)
    return Lowered(result, flags | taken, cleanup.falls)


def _taking_back(lowering: Lowering, node: Any, flags: frozenset[str]) -> Any:
    """The statement, with its flags cleared where its end raises something that is caught: it does not jump then."""
    if not flags or not lowering.frame.caught:
        return node
    at = At(node)
    handler = at.put(gast.ExceptHandler(None, None, [*_cleared(lowering, flags, at), at.put(gast.Raise(None, None))]))
    result = at.put(gast.Try([node], [handler], [], []))
    lowering.jumps.native.add(result)
    return result


def _cleared(lowering: Lowering, flags: frozenset[str], at: At) -> list[Any]:
    """Take the jumps of these flags back."""
    lowering.asked |= flags
    cleared = [at.assign(flag, at.constant(False)) for flag in sorted(flags)]
    names = lowering.frame.returns.names
    if names is not None and names[0] in flags:
        cleared.append(at.assign(names[1], at.operator(lowering.ag, "UndefinedReturnValue")))
    return cleared
