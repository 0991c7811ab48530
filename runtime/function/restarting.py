"""Traces that begin again, because an array of numpy turns out to be written to by what only the graph knows, or an
attribute, variable or element of the program to be left as a tensor.

    trace, owners = traced_with_arrays(world, places, arrays, make)      # `make` may run several times

The first time all arrays but those of the arguments are numpy's own. What the trace has changed in Python until it is
given up is put back. What Python prints while it is traced appears once more.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NoReturn

import numpy as np

from autograph.errors import StagingError, StagingTypeError
from runtime.control_flow.loops.known import AsWritten, unrolled, warn_of_size
from runtime.control_flow.loops.signals import Unrolls
from runtime.control_flow.objects.turns import KeepsTurns, keeping_turns
from runtime.control_flow.tries.raised import is_refusal
from runtime.errors import OperatorNotAllowedInGraphError, TruthOfTensorError
from runtime.function.array_arguments import Arrays
from runtime.function.captured_arrays import EXCHANGED, CapturedArrays, captured, reached_arrays
from runtime.function.places import Places
from runtime.function.tracing import Trace
from runtime.graph.graph import Graph
from runtime.graph.location import definition, where_raised
from runtime.heap.store import World
from runtime.ndarrays.buffer import READ_ONLY, Buffer, made_elsewhere
from runtime.ndarrays.captured import view_of
from runtime.ndarrays.layout import memory_of, owner_of
from runtime.ndarrays.restart import IsMemory, KeepsIdentities, can_be_memory, tracing_arrays
from runtime.ndarrays.steps import ReadOnly, unchanged
from runtime.restarts import Restart, settled
from runtime.tensor.array_classes import check_plain, holds_numbers, is_plain_array

__all__ = ["Memory", "traced_with_arrays"]

_MANY: Final = 8
"""After so many arrays that are found to be written to, one by one, all become memory, and those that are not written
to are left out again."""


class Memory:
    """Which arrays are memory of the graph, in one round. See `traced_with_arrays`."""

    def __init__(self, world: World, places: Places, given: Sequence[Any] = ()) -> None:
        """given: the arrays among the arguments, for which something else stands already."""
        self._world = world
        self._places = places
        self._given = {id(owner_of(array)) for array in given if isinstance(array, np.ndarray)}
        self._reached = {id(owner): owner for owner in (owner_of(h.owner) for h in reached_arrays(world.holders))}
        self.owners: list[Any] = []
        self.containers: list[Any] = []
        """The dicts, sets, lists and deques of which a tensor decides what they have."""
        self._buffers: dict[int, tuple[Any, Buffer]] = {}
        self.are_traced = False
        self.has_all = False
        """Whether all arrays that can be reached are memory, because nobody knows which one asks for a value."""
        self.keeps_all = False
        """Whether all of them stay so, though none but a few are written to."""
        self.keeps_turns = False
        """Whether dicts note in which order their keys come."""
        self.keeps_identities = False
        """Whether loops carry which objects their variables have."""
        self._has_narrowed = False
        self._last: CapturedArrays | None = None
        self._graph: Graph | None = None

    def arrays(self, graph: Graph) -> Arrays:
        """What stands for the arrays that runs are given, as arguments and in places: for which it adds inputs."""
        return self._places.given.inputs(graph)

    def unread(self) -> set[int]:
        """When the trace is over: the numbers of the inputs for places of which it has computed nothing."""
        return self._places.given.unread()

    @contextlib.contextmanager
    def captured(self, graph: Graph) -> Iterator[CapturedArrays]:
        """To be entered while the graph is recorded."""
        self._last, self._graph = None, graph
        with (
            self._places.standing(graph),
            captured([*self.owners, *self.containers], self._world, self._places) as arrays,
        ):
            self._last = arrays
            yield arrays

    def _is_new(self, owner: Any) -> bool:
        """Whether it was there before the trace, and is not memory of the graph yet."""
        return id(owner) in self._reached and not any(owner is known for known in self.owners)

    def seen(self, array: Any, function: Any, arguments: Iterable[Any]) -> Any:
        """What converted code gets for an array that other code has made: a traced one, but for what was there before,
        which stays numpy's own until it is written to."""
        owner = owner_of(array)
        if id(owner) in self._reached or not holds_numbers(array) or not is_plain_array(array):
            return array
        memory = memory_of(owner)
        if id(owner) not in self._buffers:
            refusal = "" if owner.flags.writeable else READ_ONLY
            given = (getattr(function, "__self__", None), *arguments)
            plain = next((v for v in given if isinstance(v, np.ndarray) and owner_of(v) is owner), None)
            self._buffers[id(owner)] = owner, Buffer(memory, refusal=refusal, plain=plain)
        made = view_of(array, memory, self._buffers[id(owner)][1])
        return made if array.flags.writeable or not owner.flags.writeable else made.through(ReadOnly(unchanged, "view"))

    def can_add(self, array: Any) -> bool:
        """Whether another round would help."""
        return not self.keeps_all or self._is_new(owner_of(array))

    def standing_for(self, array: Any) -> Any:
        """What stands for an array that another trace captures; None where there is nothing yet."""
        found = array if self._last is None else self._last.standing_for(array)
        return None if found is array else found

    def take(self, array: Any) -> NoReturn:
        """Begins again, with something that stands for such an array, which only that trace may lead to."""
        self._reached.setdefault(id(owner_of(array)), owner_of(array))
        raise Restart(IsMemory(array))

    def can_take(self, container: Any, by_keys: bool) -> bool:
        """Whether another round would help, in which something of ours stands for this container, or another thing
        because tensors are its keys."""
        if self._places.containers.knows(container):
            return self._places.containers.can_take(container)
        container = self._places.exchanged.original(container)
        is_new = by_keys or not any(container is known for known in self.containers)
        return is_new and self._places.exchanged.can_be(container, by_keys)

    def add(self, array: Any, elements: Any = None, by_keys: bool = False) -> None:
        """For the next round; None: none but those that converted code makes. elements: what is known of those of a
        list; by_keys: see `can_take`. Raises StagingError where that would be as this one."""
        if self._places.containers.knows(array):
            self._places.containers.take(array)
            return
        container = self._places.exchanged.original(array)
        if isinstance(container, EXCHANGED):
            if not any(container is known for known in self.containers):
                self.containers.append(container)
            self._places.exchanged.add(container, elements, self._graph, by_keys)
            return
        if array is None:
            if self.are_traced:
                self._take_all()
                self.keeps_all = self._has_narrowed
            self.are_traced = True
            return
        owner = owner_of(array)
        is_new = self._is_new(owner)
        self._check_memory(array, owner, is_new)
        if self.are_traced and not is_new:
            if not self.keeps_all:
                self._take_all()  # Python's own operators have made it of an array that was there before
                self.keeps_all = True
                return
            raise made_elsewhere(self._called(array))
        if is_new:
            self.owners.append(owner)
            if len(self.owners) == _MANY:  # a round for each would take as long as their number squared
                self._take_all()
        self.are_traced = True

    def learn(self, found: Restart) -> None:
        """`add` for what was learnt. What it raises says the line that writes to the array."""
        if isinstance(found.learnt, KeepsTurns | KeepsIdentities):
            self.keeps_turns = self.keeps_turns or isinstance(found.learnt, KeepsTurns)
            self.keeps_identities = self.keeps_identities or isinstance(found.learnt, KeepsIdentities)
            return
        try:
            self.add(found.learnt.array, found.learnt.elements, found.learnt.by_keys)
        except StagingError as error:
            raise error.with_traceback(found.__traceback__) from None

    def _called(self, array: Any) -> str:
        holder = self._world.by_owner.get(id(array)) or self._world.by_owner.get(id(owner_of(array)))
        return "an array" if holder is None else f"the array {holder.label!r}"

    def _check_memory(self, array: Any, owner: Any, is_new: bool) -> None:
        """Raises StagingError for an array that is written to, and can be no memory of a graph."""
        check_plain(array, "an array that is written to", StagingTypeError)
        if owner.dtype.kind == "V" or (is_new and not can_be_memory(owner)):
            what = "not in C order: pass it as an argument"
            if not holds_numbers(owner):
                what = "no memory of a graph: keep what is in it in a list"
            raise StagingError(f"{self._called(array)} (of dtype {owner.dtype}) is written to, and is {what}")

    def _take_all(self) -> None:
        self.has_all = True
        kept = {id(owner) for owner in self.owners}.union(self._places.elsewhere(self._given))
        owners = [owner for owner in self._reached.values() if can_be_memory(owner)]
        self.owners = [owner for owner in owners if id(owner) in kept or id(owner) not in self._given]

    def forget(self) -> None:
        """At the end of a round: the arrays that were made in it."""
        self._buffers.clear()

    def narrow(self) -> bool:
        """After a trace in which all arrays were memory of the graph: none but those that it writes to need to be.
        Whether there are fewer of them, so that it takes another round."""
        if not self.has_all or self.keeps_all:
            return False
        self.has_all, self._has_narrowed, count = False, True, len(self.owners)
        self.owners = [] if self._last is None else self._last.written()
        return len(self.owners) < count

    def changed(self) -> Any:
        """An array that the trace itself has written to, and that is none of the graph's memory yet."""
        changed = reached_arrays(self._world.changes())
        return next((holder for holder in changed if can_be_memory(holder.owner)), None)


def traced_with_arrays(
    world: World, places: Places, given: Sequence[Any], make: Callable[[Memory], Trace], other_form: Callable[[], bool]
) -> tuple[Trace, list[Any]]:
    """A trace, and the arrays that are memory of its graph. world: what the function can reach; places: those of it
    that the trace leaves tensors in; given: the arrays among its arguments; other_form: has more of the function
    staged, where Python has asked a tensor for its truth, and says whether there is more."""
    memory, loops = Memory(world, places, given), AsWritten()
    first: Exception | None = None

    def attempt() -> Trace:
        nonlocal first
        try:
            with tracing_arrays(memory), unrolled(loops), keeping_turns(memory.keeps_turns):
                trace = _traced(lambda: make(memory), loops)
        except Exception as error:
            more = places.drop_guesses() or (isinstance(error, TruthOfTensorError) and other_form())
            gives_up = not more and (memory.has_all or not _asks_for_a_value(error))
            if gives_up and (first is None or isinstance(error, StagingError) or not _may_ask(error)):
                raise  # what arrays that are memory are refused for says more than that numpy's own take no tensor
            first = first or error
        else:
            if not (places.grown or memory.narrow() or places.narrow(trace.graph)):
                _check_written(memory)
                return trace
            more, gives_up = True, False
        if gives_up and first is not None:
            raise first  # not in the handler, which would become its context
        raise Restart(_MORE if more else IsMemory(None))  # it may be an array of numpy's that asks: `a.fill(x)`

    def learn(found: Restart) -> None:
        if isinstance(found.learnt, Unrolls):  # a loop of Python leaves something that Python's own would not
            world.restore()
        elif found.learnt is _MORE or isinstance(found.learnt, IsMemory | KeepsTurns | KeepsIdentities):
            places.restore()
        else:
            raise found
        if isinstance(found.learnt, IsMemory | KeepsTurns | KeepsIdentities):
            memory.learn(found)
        _check_put_back(world)
        memory.forget()

    try:
        trace = settled(attempt, learn)
    except Exception as error:
        if is_refusal(error):
            places.restore()  # the program has not run: all is as it was before the call
            _say_where(error, places.roots[0])
        raise
    warn_of_size(loops)
    return trace, memory.owners


def _check_put_back(world: World) -> None:
    """Before the trace begins again. Raises StagingError where it has taken items of an iterator, which it would go on
    from."""
    for holder in world.changes():
        if holder.kind.is_momentary and holder.kind.write is None and holder.kind.undo is None:
            raise StagingError(
                f"items of {holder.described()} are taken while the function is traced, and the trace begins again,"
                " with the items after those: take them outside of the function, and pass them as arguments"
            )


def _say_where(error: Exception, function: Any) -> None:
    """For what is found when the code of a function has run to its end."""
    if where_raised(error)[0] is None and (place := definition(function)):
        error.add_note(f"This is in the function at {place}.")


_MORE: Final = object()
"""Learnt where something of this room is to be done in another way."""


def _check_written(memory: Memory) -> None:
    """After a trace. Raises Restart for an array that it has written to in Python; StagingError where it is large."""
    holder = memory.changed()
    if holder is None:
        return
    if holder.kind.write is None:
        raise StagingError(
            f"the array {holder.label!r}, which has {holder.owner.size} elements, is written to while the"
            " function is traced: pass it as an argument"
        )
    raise Restart(IsMemory(holder.owner))


def _traced(make: Callable[[], Trace], loops: AsWritten) -> Trace:
    """A trace. Raises Restart(Unrolls) where it fails, or gives something else than Python would, and loops were staged
    in it that need not be."""
    try:
        return make()
    except Restart as found:
        if not isinstance(found.learnt, Unrolls) or not loops.staged or loops.unrolls:
            raise
        why = found.learnt.why
    except Exception as error:
        if not loops.staged or loops.unrolls:
            raise
        why = str(error)
    loops.unrolls = True
    raise Restart(Unrolls(why))


def _asks_for_a_value(error: BaseException) -> bool:
    """Whether something wanted to know what only the graph knows; numpy says something else, and names the cause."""
    return _may_ask(error) and any(isinstance(e, OperatorNotAllowedInGraphError) for e in (error, error.__cause__))


def _may_ask(error: BaseException) -> bool:
    return isinstance(error, TypeError | ValueError)
