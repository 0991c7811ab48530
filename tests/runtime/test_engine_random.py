"""The engine against the interpreter on random graphs, and proof that these tests find real defects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from unittest import mock

import pytest

import runtime  # noqa: F401  (fills the registry of operations)
from runtime.engine import blocks, control, emitter, naming, ownership, scalars, updates, values
from tests.runtime.oracle import assert_agrees, eager_plan
from tests.runtime.random_graphs import elementwise, others, random_case

BATCH = 50
QUICK, ALL = 50, 600
ALIASING = 3
"""Every third random graph is about shared memory."""


@pytest.mark.parametrize(
    "start", [*range(0, QUICK, BATCH), *(pytest.param(s, marks=pytest.mark.slow) for s in range(QUICK, ALL, BATCH))]
)
def test_plan_passes_and_text_agree_with_the_interpreter(start: int) -> None:
    ran = Counter(assert_agrees(c.graph, c.arguments) for c in map(random_case, range(start, start + BATCH)))
    assert ran[True] > BATCH * 0.7, "most random graphs run without an error of their own"


def test_the_random_graphs_cover_what_they_are_for() -> None:
    types: Counter[str] = Counter()
    reused = loops = 0
    for case in map(random_case, range(200)):
        types.update(o.type for o in case.graph.operations)
        source = eager_plan(case.graph).source
        reused += source.count("out=")
        loops += source.count("while ") + source.count("for _ in")
    known = {op.name for op in elementwise()} | {op.name for op, _ in others()}
    assert len(known - set(types)) < len(known) * 0.2, "operations that 200 graphs never used"
    assert reused > 50 and loops > 50 and types["cond"] > 20 and types["switch"] > 20


def planted(target: Any, name: str, wrong: Any, within: int, step: int = 1, first: int = 0) -> Any:
    """`first`: a graph among them that is known to notice the defect, and is tried before the others to save time."""
    assert first in range(0, within, step)
    label = f"{getattr(target, '__name__', target)}.{name}".rpartition("runtime.")[2]
    return pytest.param(target, name, wrong, [first, *range(0, within, step)], id=label)


@pytest.mark.parametrize(
    ("target", "name", "wrong", "seeds"),
    [
        planted(values.Value, "exclusive", property(lambda v: v.root and v.storage.owned), 200, ALIASING),
        planted(values.Value, "exclusive", property(lambda v: v.root), 200, ALIASING),
        planted(values.Storage, "escape", lambda storage: None, 400, ALIASING, 183),
        planted(blocks, "escape", lambda ends: None, 400, ALIASING, 183),
        planted(updates, "_may_write", lambda emitter, operation, source: source in emitter.dying, 200, ALIASING),
        planted(updates, "_may_write", lambda emitter, operation, source: source.storage.owned, 200, ALIASING),
        planted(control, "repeated", lambda operands: [], 100),
        planted(blocks, "all_exclusive", lambda ends, position: True, 200, ALIASING),
        planted(scalars, "_modulus", lambda dtype: 1 << (8 * dtype.size + 1), 500, first=302),
        planted(scalars, "_never_zero", lambda text: True, 400, first=52),
        planted(naming.Registers, "reset", lambda registers, state: None, 100),
        planted(emitter, "last_uses", lambda graph: {id(t): 0 for o in graph.operations for t in o.inputs}, 100),
    ],
)
def test_a_planted_defect_is_found(target: Any, name: str, wrong: Any, seeds: Sequence[int]) -> None:
    with mock.patch.object(target, name, wrong):
        assert some_disagree(seeds), f"{len(seeds)} random graphs do not notice the defect"


def some_disagree(seeds: Sequence[int]) -> bool:
    for case in map(random_case, seeds):
        try:
            assert_agrees(case.graph, case.arguments)
        except Exception:
            return True
    return False


def nothing_copied(emitter: Any, operation: Any, ends: Any, owned: Any) -> Any:
    """In the place of the copies at the end of a loop's body."""
    return ends


def everything(self: Any, among: Any = None) -> frozenset[int]:
    """In the place of the state of a loop that may be its own."""
    return frozenset(range(len(self.needs)) if among is None else among)


def test_what_a_loop_is_promised_too_much_is_copied() -> None:
    with mock.patch.multiple(ownership.Ownership, kept=everything, to_copy=everything):
        assert not some_disagree(range(0, 200, ALIASING))
        with mock.patch.object(control, "_own", nothing_copied):
            assert some_disagree(range(0, 400, ALIASING))


def test_a_loop_is_never_promised_too_much() -> None:
    """The promise is only a matter of speed: a copy in each turn is what it costs to break it."""
    promised: list[bool] = []

    def watched(emitter: Any, operation: Any, ends: Any, owned: Any) -> Any:
        made = control_own(emitter, operation, ends, owned)
        promised.extend(a is b for a, b, own in zip(made, ends, owned, strict=True) if own)
        return made

    control_own = control._own
    with mock.patch.object(control, "_own", watched):
        for seed in range(0, 900, ALIASING):
            eager_plan(random_case(seed).graph)
    assert len(promised) > 30 and all(promised)
