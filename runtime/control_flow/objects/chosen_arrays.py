"""Arrays that a variable may be after a branch or an iteration: which one it is is carried, not what they hold.

    row = a[0] if x > 0 else b          # in the one branch a view of `a`, in the other `b`
    u, v = v, u                         # in a loop: `u` is the array of `u` or that of `v`

An array is a base (memory that is there before the statement, or that a branch has made) and the way from there to what
it shows. What differs between the branches is carried as tensors: which base it is, the integers of the indices on the
way, the content of memory that was made. `OneOf` holds these as its parts, for the merger and for loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from runtime.control_flow.branches.values import cond_values
from runtime.control_flow.lattice.leaf import MISSING
from runtime.control_flow.objects.refs import OneOf
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.tries.raised import Diverged, record_raise
from runtime.errors import InaccessibleTensorError, OutOfRangeError, ShapeMismatchError
from runtime.heap.store import World
from runtime.marker import Marker
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.chosen import BRANCH, ChosenArray, alternatives, any_of
from runtime.ndarrays.guests import check_choice
from runtime.ndarrays.keys import with_ends
from runtime.ndarrays.steps import Index, Step
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.tensor import Tensor

__all__ = ["Base", "Bases", "Choice", "are_alike", "chosen_arrays", "flag_of", "source_of"]


@dataclass(eq=False)
class Base:
    """Memory. buffer: what it is now; of memory that a branch has made it is another one after the statement.

    made_in: the number of the branch that has made it; None where it was there before.
    """

    buffer: Buffer
    made_in: int | None = None
    carrier: Any = None
    """The choice that has its content among its parts."""


@dataclass(eq=False)
class Bases:
    """The memory that branches of a statement have made, by the number of the branch and the id of the buffer, and what
    was there before by the id alone. branches: the numbers of those that values are given of."""

    branches: Sequence[int]
    known: dict[Any, Base] = field(default_factory=dict)

    def some(self, places: Sequence[int]) -> Bases:
        """The same for values of some of the branches."""
        return Bases([self.branches[place] for place in places], self.known)


@dataclass(eq=False)
class Source:
    """An array that it may be: a base and the way from there, with holes for the integers of indices."""

    base: Base
    way: tuple[Any, ...]
    model: TracedArray
    holes: int

    def array(self, holes: Sequence[Any]) -> TracedArray:
        """The array, with these integers."""
        check_choice([self.model])
        rest = iter(holes)
        steps = tuple(_filled(step, part, rest) for step, part in zip(self.model.steps, self.way, strict=True))
        return TracedArray(self.base.buffer, steps, self.model.layout)


@dataclass(eq=False)
class Choice:
    """The arrays that one variable may be."""

    sources: list[Source] = field(default_factory=list)

    @property
    def carried(self) -> list[Base]:
        """The bases whose contents are among its parts."""
        found = dict.fromkeys(source.base for source in self.sources if source.base.carrier is self)
        return list(found)

    def restored(self, parts: Sequence[Any]) -> TracedArray:
        """The array of the parts of a `OneOf`: for each source but the first whether it is that one; the integers of
        all of them; the contents of the memory that was made."""
        rest = iter(parts)
        flags = [next(rest) for _ in self.sources[1:]]
        holes = [[next(rest) for _ in range(source.holes)] for source in self.sources]
        for base in self.carried:
            base.buffer = Buffer(next(rest), base.buffer.label)
        arrays = [source.array(own) for source, own in zip(self.sources, holes, strict=True)]
        if any(flag is True for flag in flags):
            return arrays[1 + next(i for i, flag in enumerate(flags) if flag is True)]
        left = [i for i, flag in enumerate(flags) if flag is not False]
        return ChosenArray([arrays[0], *(arrays[1 + i] for i in left)], [flags[i] for i in left]) if left else arrays[0]


def chosen_arrays(
    values: Sequence[TracedArray], world: World, bases: Bases, is_shared: Callable[[Any], bool]
) -> list[OneOf] | None:
    """For the merger, what an array is at the end of each branch; None where its contents are to be merged.

    is_shared: whether the memory of an array is there under another name, too.
    """
    rows = [list(alternatives(value)) for value in values]
    if not any(map(is_shared, values)):
        return None
    choice = Choice()
    found: list[list[tuple[Any, Source, list[Any]]]] = []
    for branch, row in zip(bases.branches, rows, strict=True):
        base = partial(base_of, world=world, bases=bases.known, branch=branch)
        found.append([(flag, *source_of(choice, array, base(array))) for flag, array in row])
    if not are_alike(choice.sources):
        return None
    for source in choice.sources:
        if source.base.made_in is not None and source.base.carrier is None:
            source.base.carrier = choice
    ends = zip(bases.branches, found, strict=True)
    return [OneOf(choice, list(_parts(choice, row, branch))) for branch, row in ends]


def _parts(choice: Choice, row: Sequence[tuple[Any, Source, list[Any]]], branch: int) -> Iterator[Any]:
    for source in choice.sources[1:]:
        yield flag_of(row, source)
    for source in choice.sources:
        own = [holes for _, known, holes in row if known is source]
        yield from own[-1] if own else [MISSING] * source.holes
    for base in choice.carried:
        yield base.buffer.content if base.made_in == branch else MISSING


def flag_of(row: Sequence[tuple[Any, Source, list[Any]]], source: Source) -> Any:
    """Whether the array is this one of the sources."""
    flags = [flag for flag, known, _ in row if known is source]
    return any_of(flags) if flags else False


def base_of(array: TracedArray, world: World, bases: dict[Any, Base], branch: int) -> Base:
    """The base of an array that is one array, at the end of a branch."""
    key: Any = id(array.buffer) if world.knows(array.buffer) else (branch, id(array.buffer))
    if key not in bases:
        bases[key] = Base(array.buffer, branch if isinstance(key, tuple) else None)
    return bases[key]


def are_alike(sources: Sequence[Source]) -> bool:
    """Whether the arrays have one dtype, and one rank; their shapes may be such that only the run knows."""
    models = [source.model for source in sources]
    try:
        shapes = [model.shape for model in models]
    except InaccessibleTensorError:  # of a part that is over: nobody can ask it any more
        return False
    kinds = {(model.dtype, shape.rank) for model, shape in zip(models, shapes, strict=True)}
    return len(kinds) == 1 and shapes[0].rank is not None


def source_of(choice: Choice, array: TracedArray, base: Base) -> tuple[Source, list[Any]]:
    """The source that an array is, which may be a new one, and its integers."""
    way, holes = _way_of(array.steps)
    source = find_source(choice, base, way)
    if source is None:
        source = Source(base, way, array, len(holes))
        choice.sources.append(source)
    return source, holes


def _either(flag: Any, then: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
    selector = current_graph().recording.localize(flag, "one of several arrays")
    return cond_values(selector, lambda: [_of_a_run(then)], lambda: [_of_a_run(orelse)], ["the array"])[0]


def _of_a_run(code: Callable[[], Any]) -> Any:
    """What the code gives; where it asks one of the arrays for what that has not, runs raise that have this one."""
    try:
        return code()
    except (OutOfRangeError, ShapeMismatchError) as error:
        kind = IndexError if isinstance(error, IndexError) else ValueError
        record_raise(current_graph(), kind(str(error)))
        raise Diverged from None


BRANCH.append(_either)


def find_source(choice: Choice, base: Base, way: tuple[Any, ...]) -> Source | None:
    return next((s for s in choice.sources if s.base is base and s.way == way), None)


# -- the way from the memory to what an array shows


_HOLE = Marker("_")


def _way_of(steps: Sequence[Step]) -> tuple[tuple[Any, ...], list[Any]]:
    """What does not change of the steps, and the integers of their indices."""
    holes: list[Any] = []

    def end_of(end: Any) -> Any:
        if not isinstance(end, Tensor):
            return end
        holes.append(end)
        return _HOLE

    def part_of(part: Any) -> Any:
        if not isinstance(part, int | np.integer) or isinstance(part, bool):
            return end_of(part)
        holes.append(int(part))
        return _HOLE

    way = [with_ends(step.key, end_of, part_of) if isinstance(step, Index) else step for step in steps]
    return tuple(way), holes


def _filled(step: Step, way: Any, holes: Iterator[Any]) -> Step:
    """The step with these integers."""
    filled = lambda end: next(holes) if end is _HOLE else end
    return Index(with_ends(way, filled)) if isinstance(step, Index) else step
