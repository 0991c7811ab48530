"""Which names are read again: backwards over the parts of a unit, in two linear walks.

`summarize` adds up every block bottom-up (gen, kill); `find_live` then walks top-down with the names that are live
after each statement. A loop needs no iteration: what is live at its head is what its test reads, plus what is live
after it or may be read in one more round; names of later rounds are among these already.

Exceptions: inside a `try`, everything that a handler reads is live all the time. A `with` may swallow an exception, so
names bound in its body are not certain to be bound after it, unless its manager is known to let exceptions pass
(`name_scope`). That is exact, but no name of a staged loop should become state for a `with` that stays a statement; so
everything is found twice where there is one: `swallowing=True` for what must be kept in Python, `swallowing=False` for
what is state.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from autograph.analysis.regions import ALL, Block, Part, PartKind, add_composite

__all__ = ["find_live", "summarize"]


def summarize(block: Block, swallowing: bool) -> None:
    """Fill in the sums of a block and of everything below it."""
    gen = kill = modified = assigned = reads = lost = unbound = 0
    for part in block.parts:
        for inner in part.blocks:
            summarize(inner, swallowing)
        _sum_names(part)
        _SUMMARIES[part.kind](part)
        if part.kind is PartKind.WITH and swallowing:
            part.kill = part.head.writes
        modified |= part.modified
        assigned |= part.assigned | part.head.writes | part.head.maybes | part.head.deletes
        reads |= part.reads
        lost |= part.lost
        unbound |= part.unbound
        for composite in part.composites.values():
            add_composite(block.composites, composite)
    for part in reversed(block.parts):
        gen = part.gen | (gen & ~part.kill)
        kill |= part.kill
    block.gen, block.kill, block.modified, block.reads = gen, kill, modified, reads
    block.lost, block.unbound, block.assigned = lost, unbound, assigned


def _sum_names(part: Part) -> None:
    uses = [part.head] if part.test is None else [part.head, part.test]
    part.modified = part.inside = part.assigned = part.reads = part.lost = 0
    part.unbound = part.head.deletes if isinstance(part.node, gast.ExceptHandler) else 0
    for use in uses:
        assigned = use.writes | use.maybes | use.deletes
        modified = assigned | use.items
        part.modified |= modified
        if use is part.test:
            part.inside |= modified
            part.assigned |= assigned
        part.reads |= use.reads
        part.lost |= use.deletes
        for composite in use.composites:
            add_composite(part.composites, composite)
    for block in part.blocks:
        part.modified |= block.modified
        part.inside |= block.modified
        part.assigned |= block.assigned
        part.reads |= block.reads
        part.lost |= block.lost
        part.unbound |= block.unbound
        for composite in block.composites.values():
            add_composite(part.composites, composite)


def _after_head(part: Part, gen: int, kill: int) -> None:
    """Put the head of a statement in front of what its blocks do."""
    part.gen = part.head.reads | (gen & ~part.head.writes)
    part.kill = kill | part.head.writes | part.head.deletes


def _sum_step(part: Part) -> None:
    _after_head(part, 0, 0)


def _sum_raise(part: Part) -> None:
    part.gen, part.kill = part.head.reads, ALL


def _sum_branch(part: Part) -> None:
    gen, kill = 0, ALL
    for block in part.blocks:
        gen |= block.gen
        kill &= block.kill
    _after_head(part, gen, kill)


def _sum_loop(part: Part) -> None:
    assert part.test is not None
    _after_head(part, part.test.reads | (part.blocks[0].gen & ~part.test.writes), part.test.writes)


def _sum_with(part: Part) -> None:
    _after_head(part, part.blocks[0].gen, part.blocks[0].kill)


def _sum_managed(part: Part) -> None:
    _after_head(part, part.blocks[0].gen, 0)


def _sum_try(part: Part) -> None:
    body, *handlers, orelse, final = part.blocks
    gen = body.gen | (orelse.gen & ~body.kill) | final.gen
    kill = body.kill | orelse.kill
    for handler in handlers:
        gen |= handler.gen
        kill &= handler.kill
    part.gen, part.kill = gen, kill | final.kill


_SUMMARIES: dict[PartKind, Callable[[Part], None]] = {
    PartKind.STEP: _sum_step,
    PartKind.RAISE: _sum_raise,
    PartKind.BRANCH: _sum_branch,
    PartKind.LOOP: _sum_loop,
    PartKind.TRY: _sum_try,
    PartKind.GUARD: _sum_try,
    PartKind.WITH: _sum_with,
    PartKind.PASSING: _sum_with,
    PartKind.MANAGED: _sum_managed,
}


def find_live(block: Block, after: int, caught: int, swallowing: bool) -> int:
    """Note for each part what is live before and after it; returns what is live before the block.

    after: names live after the block. caught: names that are live where an exception of the block arrives.
    """
    live = after
    for part in reversed(block.parts):
        part.live_out = live
        live = caught | _LIVENESS[part.kind](part, live, caught, swallowing)
    block.live_in = live
    return live


def _before_head(part: Part, live: int) -> int:
    part.live_in = live
    return part.head.reads | (live & ~(part.head.writes | part.head.deletes))


def _live_step(part: Part, after: int, caught: int, swallowing: bool) -> int:
    return _before_head(part, after)


def _live_raise(part: Part, after: int, caught: int, swallowing: bool) -> int:
    return part.head.reads


def _live_branch(part: Part, after: int, caught: int, swallowing: bool) -> int:
    live = 0
    for block in part.blocks:
        live |= find_live(block, after, caught, swallowing)
    return _before_head(part, live)


def _live_loop(part: Part, after: int, caught: int, swallowing: bool) -> int:
    test, (body,) = part.test, part.blocks
    assert test is not None
    head = caught | test.reads | ((after | body.gen) & ~test.writes)
    inside = find_live(body, head, caught, swallowing)
    live = _before_head(part, head)
    part.live_in |= inside  # what the test binds is handed to the body
    return live


def _live_with(part: Part, after: int, caught: int, swallowing: bool) -> int:
    return _before_head(part, find_live(part.blocks[0], after, caught | (after if swallowing else 0), swallowing))


def _live_passing(part: Part, after: int, caught: int, swallowing: bool) -> int:
    return _before_head(part, find_live(part.blocks[0], after, caught, swallowing))


def _live_managed(part: Part, after: int, caught: int, swallowing: bool) -> int:
    return _before_head(part, find_live(part.blocks[0], after, caught | after, swallowing))


def _live_try(part: Part, after: int, caught: int, swallowing: bool) -> int:
    body, *handlers, orelse, final = part.blocks
    cleanup = find_live(final, after | caught, caught, swallowing)
    entries = cleanup
    for handler in handlers:
        entries |= find_live(handler, cleanup, cleanup, swallowing)
    going_on = find_live(orelse, cleanup, cleanup, swallowing)
    part.live_in = find_live(body, going_on, entries, swallowing)
    return part.live_in


_LIVENESS: dict[PartKind, Callable[[Part, int, int, bool], int]] = {
    PartKind.STEP: _live_step,
    PartKind.RAISE: _live_raise,
    PartKind.BRANCH: _live_branch,
    PartKind.LOOP: _live_loop,
    PartKind.TRY: _live_try,
    PartKind.GUARD: _live_try,
    PartKind.WITH: _live_with,
    PartKind.PASSING: _live_passing,
    PartKind.MANAGED: _live_managed,
}
