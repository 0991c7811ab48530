"""The ndarrays among the arguments of one trace: what stands for them, and which of them the function has written to.

    arrays = Arrays()
    seen = arrays.given("a", a, tensor)      # a TracedArray in the place of the input of the graph
    ...                                      # the function is traced: a[0] = 1.0
    arrays.written()                         # [(input, what it holds now)]
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import runtime.ndarrays.calls  # noqa: F401 - which gives arrays their operators
from autograph.errors import StagingError
from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.optional.values import MaybeNone, map_values
from runtime.errors import InvalidArgumentError, SignatureError
from runtime.function.array_uses import ArrayUses, check_layout, check_placed, positions
from runtime.function.leaves import is_number_of_numpy
from runtime.function.left_leaves import GivenArray
from runtime.function.trace_protocol import is_whole
from runtime.function.trace_types import as_tensor
from runtime.graph.graph import Graph
from runtime.ndarrays.arguments import as_found, is_memory, mark_of
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.captured import ArrayMemory
from runtime.ndarrays.guests import as_guest
from runtime.ndarrays.layout import laid_out
from runtime.ndarrays.overlaps import Pattern, Placed, are_apart, groups_of, meets_itself, pattern_of, repeats_of, share
from runtime.ndarrays.restart import restart
from runtime.ndarrays.steps import Index, ReadOnly, unchanged
from runtime.ndarrays.together import may_meet, traced_together
from runtime.ndarrays.traced import TracedArray
from runtime.state.variable import present_value
from runtime.tensor.eager import EagerTensor

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction

__all__ = [
    "Arrays", "check_apart", "check_given", "check_replaced", "targets_of", "with_tensors", "without_arrays",
    "write_traced", "wrong_memory",
]  # fmt: skip


class Arrays:
    """See the module's docstring."""

    def __init__(self, graph: Any = None, pattern: Pattern = ()) -> None:
        """pattern: how those lie that share memory; graph: with inputs for all of them."""
        self._pattern = pattern
        self._others = 0
        self._known: list[tuple[Any, Any, TracedArray]] = []
        self._texts: list[Any] = []
        self._same: list[tuple[Any, Any]] = []
        """Inputs whose array is that of an earlier one, with that."""
        self._shared: dict[int, TracedArray] = {}
        if pattern:
            inputs = {place: graph.inputs[place] for group in pattern for place, _, _ in group}
            labels = {place: tensor.op.name for place, tensor in inputs.items()}
            with recording(graph):
                made = traced_together(pattern, inputs, labels)
            self._shared = {id(inputs[place]): array for place, array in made.items()}

    def given(self, name: str, argument: Any, symbolic: Any) -> Any:
        """An argument as the function sees it. symbolic: the argument with inputs of the graph for its tensors."""
        leaves = nest.flatten(argument, is_whole)
        if not any(isinstance(leaf, np.ndarray) or is_memory(leaf) for leaf in leaves):
            return symbolic
        pairs = list(zip(leaves, nest.flatten(symbolic, is_whole), strict=True))
        self._texts += [tensor for leaf, tensor in pairs if isinstance(leaf, np.ndarray) and not is_memory(leaf)]
        found = [self._array(name, leaf, tensor) if is_memory(leaf) else tensor for leaf, tensor in pairs]
        return nest.pack_sequence_as(symbolic, found, is_whole)

    def _array(self, name: str, leaf: Any, tensor: Any) -> TracedArray:
        known = next((row for row in self._known[self._others :] if row[0] is leaf), None)
        if known is not None:
            self._same.append((tensor, known[1]))
            return known[2]
        made = self._shared.get(id(tensor))
        if made is None:
            made = _traced(tensor, leaf, name)
        elif refusal := mark_of(leaf).refusal:
            made = made.through(ReadOnly(unchanged, refusal), layout=made.layout)
        made.buffer.is_argument = True
        made = as_guest(kind, made) if (kind := mark_of(leaf).kind) else made
        self._known.append((leaf, tensor, made))
        return made

    def separate(self) -> None:
        """Those that come are others than those so far, even where a call has one twice."""
        self._others = len(self._known)

    def uses(self, graph: Graph, written: Sequence[Any], unread: Set[int]) -> ArrayUses:
        """What the trace does with them, after it. written: the inputs whose arrays it has written to; unread: the
        numbers of those in places of which it has computed nothing."""
        marks = [(tensor, mark_of(leaf)) for leaf, tensor, _ in self._known]
        marks += [(tensor, next(mark for known, mark in marks if known is first)) for tensor, first in self._same]
        writes = graph.recording.tracing.writes
        same = [positions(graph, pair) for pair in self._same]
        unread = set() if writes.asks_identity else unread
        return ArrayUses(
            positions(graph, written),
            positions(graph, self._without(writes.inputs(graph))),
            tuple([pair for pair in same if unread.isdisjoint(pair)]),
            tuple([group for group in self._pattern if unread.isdisjoint(place for place, *_ in group)]),
            tuple(zip(positions(graph, [tensor for tensor, _ in marks]), [mark for _, mark in marks], strict=True)),
            bool(marks) and writes.to_arrays and writes.asks_layout,
            bool(marks) and writes.asks_identity,
            frozenset(unread),
        )

    def _without(self, tensors: Sequence[Any]) -> list[Any]:
        """Those of the inputs of the graph that stand for no array."""
        return [tensor for tensor in tensors if not any(tensor is known for _, known, _ in self._known)]

    def written(self) -> list[tuple[Any, Any]]:
        """The inputs whose arrays were written to, each with what the array holds now."""
        rows = [row[1:] for row in self._known if row[2].buffer.is_written and not mark_of(row[0]).refusal]
        return [(tensor, array.value()) for tensor, array in rows]

    def standing(self, graph: Graph) -> Iterator[tuple[TracedArray, Any]]:
        """What stands for the ndarrays of the caller, with them; with what a run is given where one that is taken for
        another array is among those before."""
        before = {id(leaf) for leaf, *_ in self._known[: self._others]}
        for number, (leaf, tensor, array) in enumerate(self._known):
            if type(leaf) is np.ndarray:
                is_apart = number >= self._others and id(leaf) in before
                yield array, GivenArray(*positions(graph, [tensor])) if is_apart else leaf

    def has_no_tensors(self, graph: Graph) -> bool:
        """Whether the inputs of the graph are these arrays and Python's numbers alone."""
        known = {id(tensor) for _, tensor, _ in self._known}
        return all(tensor.weak or tensor.of_array or id(tensor) in known for tensor in graph.inputs)

    def numbers(self, graph: Graph) -> dict[int, GivenArray]:
        """The numbers of their inputs, by the ids of these arrays."""
        numbers = positions(graph, [tensor for _, tensor, _ in self._known])
        pairs = reversed([*zip(self._known, numbers, strict=True)])
        return {id(row[0]): GivenArray(number) for row, number in pairs}  # the first one

    def check_kept(self, header: str, recorder: Any) -> None:
        """After a call within a trace: an ndarray of numpy's own that was written to is memory from now on; one of text
        cannot be."""
        if recorder.recording.tracing.writes.touch(self._texts):
            raise SignatureError(f"{header}: {_TEXT}")
        for leaf, _, array in self._known:
            if array.buffer.is_written:
                restart(leaf)
                raise StagingError(
                    f"{header} writes to {array.buffer.label!r}, an array of numpy that the function around it takes"
                    " from elsewhere: pass it as an argument of that function, or a copy"
                )


def _traced(tensor: Any, array: Any, label: str) -> TracedArray:
    """What stands for an argument in a trace. tensor: the input of the graph; array: the ndarray, or its spec."""
    mark = mark_of(array)
    if mark.strides is None or not tensor.shape.is_fully_defined():
        path = () if mark.strides is None else (Index((...,)),)  # of no layout that is known
        return TracedArray(Buffer(tensor, label, refusal=mark.refusal), path)
    layout = laid_out(tensor.shape.as_tuple(), [stride // tensor.dtype.size for stride in mark.strides])
    return TracedArray(Buffer(tensor, label, layout, mark.refusal))


def targets_of(
    concrete: ConcreteFunction, tensors: Any, given: Sequence[Any], arrays: Mapping[int, Any], checks: bool
) -> tuple[list[Any], Any, list[Any] | None]:
    """The arrays that a run writes to, what it is given, and what of that is in their places where other threads may
    write to them, too. given: the tensors, and what is in places behind them; arrays: all those among that.

    checks: to raise SignatureError for a tensor in the place of an array, and InvalidArgumentError where arrays share
    memory in another way than in the trace.
    """
    if checks and concrete.knows_arrays:
        check_placed(concrete, arrays)
        if (words := wrong_memory(concrete, arrays)) is not None:
            raise InvalidArgumentError(f"{concrete.header}: {words}")
        check_layout(concrete, tensors)
    targets = [arrays[place] for place in concrete.uses.written]
    if (found := as_found(targets)) is not None:
        now = dict(zip(concrete.uses.written, map(EagerTensor, found), strict=True))
        given = [now.get(place, tensor) for place, tensor in enumerate(given)]
    return targets, given, found


def wrong_memory(concrete: ConcreteFunction, arrays: Mapping[int, Any]) -> str | None:
    """Why arrays cannot be given to a trace, which knows nothing of the memory that they share; None where they can."""
    names, uses = [tensor.op.name for tensor in concrete.graph.inputs], concrete.uses
    placed, written = [row for row in arrays.items() if row[0] not in uses.unread], frozenset(uses.written)
    if uses.same or uses.pattern or not are_apart(array for _, array in placed):
        if (words := _other_pattern(uses, names, placed)) is not None:
            return f"{words}: {_again(concrete)}"
        for group in groups_of(placed):
            numbers = frozenset(place for place, _ in group)
            known = any(numbers.issubset(place for place, *_ in together) for together in uses.pattern)
            if not (known or written.isdisjoint(numbers)):
                one, other, *_ = (names[place] for place, _ in group)
                return (
                    f"the arrays {one!r} and {other!r} share memory, and one of them is written to: pass a copy of one"
                    f" of them ({other}.copy())"
                )
    for place, array in placed:
        if place in written and meets_itself(array):
            return (
                f"several elements of the array {names[place]!r} lie at the same place, and it is written to: pass a"
                f" copy ({names[place]}.copy())"
            )
        if (words := _met(concrete, array, place in written)) is not None:
            return (
                f"the argument {names[place]!r} shares memory with {words}, which the function captures, and"
                " one of them is written to: pass a copy, or make both of them arguments"
            )
    return None


def _other_pattern(uses: ArrayUses, names: Sequence[str], placed: Placed) -> str | None:
    """What is not as it was in the trace: which arrays are one, or how those lie that share memory."""
    arrays, first = dict(placed), {place: known for place, known, *_ in uses.same}
    repeats = repeats_of([row for row in placed if row[0] not in first])
    parted = [pair for pair in first.items() if pair[0] not in arrays or arrays[pair[0]] is not arrays.get(pair[1])]
    differ = [(*pair, "one array", "two") for pair in parted]
    joined = [pair for pair in repeats if uses.asks_identity or not frozenset(uses.written).isdisjoint(pair)]
    differ += [(*pair, "two arrays", "one") for pair in joined]
    for place, known, was, now in differ:
        return f"{names[known]!r} and {names[place]!r} were {was} when it was traced, and are {now} now"
    for together in uses.pattern:
        group = [(place, arrays[place]) for place, *_ in together if place in arrays]
        if pattern_of([group]) != (together,):
            one, other, *_ = (names[place] for place, *_ in together)
            return f"{one!r} and {other!r} shared memory in another way when it was traced"
    return None


def _met(concrete: ConcreteFunction, array: Any, is_written: bool) -> str | None:
    """Words for an array that a trace captures, and with which an argument must not share memory."""
    for memory in concrete.captured_inputs:
        if isinstance(memory, ArrayMemory) and share(memory.array, array):
            return f"the array {memory.name!r}"
    read = ((find(), words) for find, words, _ in (concrete.reads if is_written else ()))
    return next((words for other, words in read if other is not None and share(other, array)), None)


def _again(concrete: ConcreteFunction) -> str:
    other = "" if concrete.is_loaded else "call the Function itself, which is traced anew for them, or "
    return f"{other}pass copies"


_TEXT: Final = (
    "an array of text or of objects is written to, and is no memory of a graph, so that the caller would not see that:"
    " keep the texts in a list, or pass a tensor (runtime.constant(array)) and return the new one"
)


def check_given(concrete: ConcreteFunction, tensors: Any) -> None:
    """Raises SignatureError for arrays and tensors in the place of others than the trace was made for."""
    check_placed(concrete, dict(getattr(tensors, "arrays", ())))
    check_layout(concrete, tensors)
    check_replaced(concrete.graph, concrete.header, concrete.uses.replaced, tensors)


def check_replaced(graph: Graph, header: str, replaced: Collection[int], tensors: Any) -> None:
    """Raises SignatureError for arrays where a trace was made for tensors, and the function writes to them.

    replaced: the numbers of those inputs.
    """
    if not replaced:
        return
    if any(place in replaced for place in getattr(tensors, "texts", ())):
        raise SignatureError(f"{header}: {_TEXT}")
    for place, _ in getattr(tensors, "arrays", ()):
        if place in replaced:
            name = graph.inputs[place].op.name
            raise SignatureError(
                f"{header}: this trace was made for a tensor {name!r}, and the function writes to it: an array that is"
                " given here would not see that. Call the Function itself, or get_concrete_function with the array, or"
                " pass a tensor (runtime.constant)"
            )


def check_apart(concrete: ConcreteFunction, tensors: Any) -> None:
    """Raises SignatureError where a trace is given arrays of another one that share memory in another way."""
    names = [tensor.op.name for tensor in concrete.graph.inputs]
    placed = getattr(tensors, "arrays", [])
    first: dict[int, int] = {place: known for place, known, *_ in concrete.uses.same}
    for i, (place, array) in enumerate(placed):
        for other, second in placed[:i]:
            if first.get(place, place) == first.get(other, other):
                fits = array is second
            else:
                fits = {place, other}.isdisjoint(concrete.uses.written) or not may_meet(array, second)
            if not fits:
                raise SignatureError(
                    f"{concrete.header}: {names[other]!r} and {names[place]!r} share memory in another way than when it"
                    f" was traced: {_again(concrete)}"
                )
    check_layout(concrete, tensors)


def write_traced(written: Sequence[int], header: str, tensors: Any, values: Sequence[Any]) -> None:
    """Writes what a graph leaves in its arguments to the arrays of the trace that calls it."""
    given = dict(getattr(tensors, "arrays", ()))
    for place, value in zip(written, values, strict=True):
        target = given.get(place)
        if not isinstance(target, TracedArray):
            restart(target)
            raise SignatureError(f"{header}: input {place} is an array that the function writes to: pass an ndarray")
        target.write(value)


def without_arrays(value: Any) -> Any:
    """The value with tensors in the place of arrays: what they hold now."""
    if not any(isinstance(leaf, TracedArray | MaybeNone) for leaf in nest.flatten(value, nest.is_structure)):
        return value
    return map_values(present_value, value, nest.is_structure)


def with_tensors(value: Any) -> Any:
    """An argument with tensors in the place of ndarrays; numbers of numpy stay what they are."""
    arrays = (np.ndarray, np.generic)
    if not any(isinstance(leaf, arrays) for leaf in nest.flatten(value)):
        return value
    made = lambda leaf: as_tensor(leaf) if isinstance(leaf, arrays) and not is_number_of_numpy(leaf) else leaf
    return nest.map_structure(made, value)

