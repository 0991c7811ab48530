"""Loops over many items that Python knows, staged: the body is traced once, not once for each item.

    for i in range(10_000):         # Python knows the range; x is a tensor
        x = x + i * dt              # i is a number that the graph computes, which takes the dtype of what is beside it

It is an attempt. Where the body is not one program for all items (it needs the value of i, it prints or appends while
it is traced, a shape changes), all that it did is taken back, and the loop is unrolled, as short loops are. So it is
for whole numbers that may outgrow 64 bits (bounds.py). Where what follows needs a number that such a loop has computed,
the function is traced once more, with all loops unrolled.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from types import CodeType
from typing import Any, Final

from autograph.contexts import binding
from autograph.directives import UNSPECIFIED
from autograph.errors import StagingError, UnrolledLoopWarning
from autograph.line_tables import statement_line
from autograph.operators.consumer import Consumer
from autograph.operators.unrolling import no_loops_around
from runtime import structures as nest
from runtime.config import get_unroll_limit
from runtime.context import current_recorder
from runtime.control_flow.lists.counted import CountedLists, note_loop
from runtime.control_flow.loops.bounds import Bounds, Exceeds
from runtime.control_flow.loops.iteration import Items, as_literal, for_each, items_of
from runtime.control_flow.loops.signals import AROUND, Unrolls, failure_of, give_up, tried
from runtime.control_flow.loops.state import Variable
from runtime.control_flow.optional.values import view
from runtime.control_flow.outside.needs_value import needs_value
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.dtypes import bool_, variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import operations_within
from runtime.ndarrays.rows import Rows
from runtime.ops.flow.check import check
from runtime.ops.flow.core import constant_node, placeholder
from runtime.restarts import Restart
from runtime.tensor.symbolic import SymbolicTensor

__all__ = [
    "AsWritten", "check_numbers", "for_known", "has_options", "is_long", "loops_of_trace", "note_unrolled", "prints",
    "unrolled", "warn_of_size",
]  # fmt: skip

MOST_OPERATIONS: Final = 10_000
"""A trace in which loops of Python have recorded more is warned of."""

OPERATIONS: Final = 32
"""An iteration that has recorded a multiple of these counts as so many."""

_BOUNDS: Final[PerTrace[Bounds]] = PerTrace(Bounds)


@dataclass(slots=True)
class AsWritten:
    """What one trace of a function does with its loops."""

    unrolls: bool = False
    """Whether all loops of Python are unrolled."""
    staged: bool = False
    """Whether one was staged."""
    long: dict[CodeType, tuple[int, str]] = field(default_factory=dict)
    """For the bodies of those that were unrolled, how many operations they have recorded, and why."""


_TRACE: Final[ContextVar[AsWritten]] = ContextVar("runtime_loops_of_the_trace")


def loops_of_trace() -> AsWritten | None:
    """What the present trace does with its loops; None outside of the trace of a Function."""
    return _TRACE.get(None)


@contextmanager
def unrolled(trace: AsWritten) -> Iterator[None]:
    """Around a trace that may begin again, with all loops of Python unrolled, where one that staged some fails."""
    trace.long.clear()
    with binding(_TRACE, trace), binding(AROUND, ()), no_loops_around():
        yield


def is_long(iter_: Any) -> bool:
    """See `autograph.operators.protocol.Stager.is_long`."""
    trace = _TRACE.get(None)
    if trace is None or trace.unrolls or not isinstance(current_recorder(), Graph):
        return False
    items = _known_items(iter_)
    return items is not None and isinstance(items.length, int) and items.length > get_unroll_limit()


def note_unrolled(mark: Any, body: CodeType, why: str) -> None:
    """See `autograph.operators.protocol.Stager.unrolled`."""
    trace = _TRACE.get(None)
    if trace is not None and mark is not None:
        before, _ = trace.long.get(body, (0, ""))
        trace.long[body] = before + len(mark[0].operations) - mark[1], why


def warn_of_size(trace: AsWritten) -> None:
    """After a trace: warns where its unrolled loops have, together, recorded very many operations."""
    total = sum(count for count, _ in trace.long.values())
    if total <= MOST_OPERATIONS:
        return
    body, (count, why) = max(trace.long.items(), key=lambda item: item[1][0])
    reason = f", because {why}" if why else ""
    warnings.warn_explicit(
        f"the loops that were unrolled while the function was traced have recorded {total:,} operations; {count:,} of"
        f" them come from a loop in {body.co_qualname!r}, which is not one loop of the graph{reason}. Loop over a"
        " tensor (runtime.range(n) for range(n), a condition on a tensor for `while`) to make it one.",
        UnrolledLoopWarning,
        body.co_filename,
        statement_line(body),
    )


def prints() -> None:
    """The program prints while it is traced: gives up the innermost attempt to stage a loop of Python, if any."""
    give_up("what it prints while it is traced would appear once")
    needs_value("it prints while it is traced")


def check_numbers(graph: Graph) -> None:
    """After a trace. Raises Unrolls where numbers that Python would have computed leave 64 bits behind the loops."""
    try:
        _BOUNDS.of(graph).check(graph)
    except Exceeds as found:
        raise Restart(Unrolls(str(found))) from None


def for_known(
    iter_: Any,
    extra_test: Callable[[], Any] | None,
    body: Callable[[Any], Any],
    get_state: Callable[[], Any],
    set_state: Callable[[Any], None],
    symbol_names: Sequence[str],
    opts: Mapping[str, Any],
    before: int,
    times: int,
    since: Any = None,
) -> str | None:
    """See `autograph.operators.protocol.Stager.for_known`."""
    graph, trace = current_recorder(), _TRACE.get(None)
    wanted = opts.get("unroll", UNSPECIFIED)
    if not isinstance(graph, Graph) or trace is None or wanted is True:
        return ""
    required = wanted is False
    items = _known_items(iter_)
    if items is None or not isinstance(items.length, int) or (trace.unrolls and not required):
        return _refused(required, "its items are no numbers of a range or a list")
    recorded = 0
    if since is not None:
        recorded = sum(1 for _ in operations_within(graph.operations[since[1] :]))
        if not recorded:  # it computes with Python's values alone
            return ""
        times = max(times, recorded // OPERATIONS)
    limit = wanted if type(wanted) is int else get_unroll_limit()
    counts = max(items.length * times, items.length + before)
    if not required and (items.length < 2 or counts <= limit or has_options(opts)):
        return ""
    if (failure := failure_of(graph, body)) is not None and not required:
        return failure
    consumer = Consumer(body, extra_test, get_state, set_state, tuple(symbol_names), opts)
    saved = items.length * max(1, recorded)
    pays = required or bool(AROUND.get()) or saved > limit
    lists = CountedLists(saved if pays else -1)
    why = _attempt(graph, items, consumer, required, lists)
    if why is None:
        trace.staged = True
    else:
        _refused(required, why)
    return why


def _refused(required: bool, why: str) -> str:
    if required:
        raise StagingError(
            f"set_loop_options(unroll=False): the loop cannot be one loop of the graph: {why}; leave the option out"
        )
    return why


def has_options(opts: Mapping[str, Any]) -> bool:
    """Whether the program asks for what only loops of the graph have."""
    return any(opts.get(n, UNSPECIFIED) is not UNSPECIFIED
               for n in ("maximum_iterations", "shape_invariants", "checkpoint_every"))  # fmt: skip


def _attempt(graph: Graph, items: Items, consumer: Consumer, required: bool, lists: CountedLists) -> str | None:
    known = Known(graph, items, consumer.extra_test is None, required, lists)
    looking = replace(consumer, options={**consumer.options, "known": known})
    run = consumer.options.get("staging", operator.call)

    def stage() -> None:
        with binding(AROUND, (*AROUND.get(), getattr(consumer.body, "__code__", None))):
            run(lambda: for_each(Items(items.length, known.item, items.objects), [0], looking))

    def why(error: BaseException) -> str | None:
        if isinstance(error, Restart):
            if not isinstance(error.learnt, Unrolls):
                return None
            return "" if lists.is_too_dear else error.learnt.why
        is_taken = isinstance(error, Exception) and not required
        return f"{type(error).__name__}: {str(error).splitlines()[0]}" if is_taken else None

    return tried(graph, consumer, stage, why, lambda: known.operation)


@dataclass(slots=True)
class Known:
    """What is known of one loop while it is staged, and of its variables behind it."""

    graph: Graph
    items: Items
    goes_to_the_end: bool
    required: bool
    lists: CountedLists
    """Those that get longer in it."""
    taken: Any = None
    """The item that the body was traced with."""
    operation: Any = None

    def item(self, position: Any) -> Any:
        self.taken = self.items.item(position)
        return self.taken

    def check(self, before: Sequence[Variable], after: Sequence[Variable], unreachable: bool) -> None:
        """Raises Unrolls where an iteration leaves something else than the next one can begin with."""
        if unreachable:
            raise Restart(Unrolls("each iteration raises"))
        for old, new in zip(before, after, strict=True):
            pairs = zip(old.leaves, new.leaves, strict=False)
            if old.type is not None and any(a.shape != b.shape for a, b in pairs):
                raise Restart(Unrolls(f"{old.name!r} has another shape after an iteration"))

    def ended(self, variables: Sequence[Variable], results: Sequence[Any], final: list[Any]) -> list[Any]:
        """The values behind a loop of one iteration or more."""
        assert isinstance(self.items.length, int)
        leaves: dict[int, int] = {}
        values: list[Any] = []
        if not self.items.objects:  # rows of arrays are views: to look into them is to read them
            leaves = {id(leaf): number for number, leaf in enumerate(nest.flatten(self.taken))}
            values = nest.flatten(self.items.item(self.items.length - 1))
        for i, (result, value) in enumerate(zip(results, final, strict=True)):
            seen = view(result)
            number = leaves.get(id(seen.value)) if seen.defined is True else None
            if number is not None and self.goes_to_the_end and isinstance(seen.value, SymbolicTensor):
                final[i] = values[number]
            elif seen.defined is True:
                final[i] = view(value).value
        return final

    @property
    def is_of_python(self) -> bool:
        """Whether Python can run it as it is: nothing in it comes from a tensor."""
        if self.operation is None or any(tensor.op.op is not constant_node for tensor in self.operation.inputs):
            return False
        graphs = list(self.operation.subgraphs)
        for graph in graphs:
            for operation in graph.operations:
                graphs += operation.subgraphs
                is_constant = operation.op is constant_node and operation.outputs[0].shape.rank == 0
                known = is_constant or all(t.weak or t.dtype in (bool_, variant) for t in operation.outputs)
                own = operation.stateful and not operation.op.nests and operation.op not in (check, placeholder)
                if not known or own:
                    return False
        return True

    def made(self, operation: Any, names: Sequence[str]) -> None:
        """The operation of the loop, before anything is done with its results. names: of the variables, for each of its
        outputs. Raises Unrolls."""
        assert isinstance(self.items.length, int)
        self.operation, bounds = operation, _BOUNDS.of(self.graph)
        counter = names.index("position in the loop")
        bounds.trips[id(operation)] = operation, self.items.length, counter
        if self.goes_to_the_end:
            note_loop(self.graph, operation, self.items.length, counter)
        if len(AROUND.get()) > 1:  # the loop around is checked with all that is in it
            return
        try:
            bounds.check_loop(operation)
        except Exceeds as found:
            raise Restart(Unrolls(str(found))) from None
        if not self.required and self.is_of_python:
            raise Restart(Unrolls("it computes with Python's values alone"))


# -- the items of ranges, lists of numbers and rows, also numbered, zipped and reversed, without going through them


_NUMBERS: Final = frozenset({int, float})
_PLAIN: Final[tuple[Any, ...]] = (iter(range(0)), iter(range(1 << 70)), iter([]), iter(()), reversed([]))
_ITERATORS: Final = frozenset(map(type, _PLAIN))


def _known_items(iterated: Any) -> Items | None:
    """Those of `range(9)`, `enumerate([0.5, 1.5], start=1)`; None for what is not known, or holds something else than
    numbers, all ints or all floats. An iterator is asked for what it has still to go over by `__reduce__`, which leaves
    it where it is."""
    kind = type(iterated)
    if kind is Rows:
        return items_of(iterated.array)
    if kind is range:
        return items_of(iterated)
    if kind is list or kind is tuple:
        kinds = set(map(type, iterated))
        return items_of(iterated) if len(kinds) == 1 and kinds <= _NUMBERS else None
    if kind is enumerate:
        inner, start = iterated.__reduce__()[1]
        found = _known_items(inner)
        return found and Items(found.length, lambda position: (as_literal(position + start), found.item(position)))
    if kind is zip:
        state = iterated.__reduce__()
        if len(state) > 2:  # strict
            return None
        parts = [_known_items(part) for part in state[1]]
        if not parts or any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        shortest = min(int(part.length) for part in known)
        return Items(shortest, lambda position: tuple(part.item(position) for part in known))
    return _of_iterator(iterated) if kind in _ITERATORS else None


def _of_iterator(iterator: Any) -> Items | None:
    make, arguments, *rest = iterator.__reduce__()
    place = (rest or [None])[0]
    if make is reversed:
        (sequence,) = arguments
        return _known_items(sequence[place::-1]) if type(place) is int else None
    return _known_items(arguments[0][place or 0 :]) if make is iter and arguments else None
