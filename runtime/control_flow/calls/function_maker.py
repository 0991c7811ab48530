"""Making a function of the library: it is traced by itself until the types of its arguments and results settle.

    Maker(function, original, calls, graph).call(parameters, arguments)      # the function, and a call of it

In the first trace a call of itself has no type: what follows it counts as never reached, and the ways that return
without one say what the result is. The next trace knows that, and may find more.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from operator import is_
from types import FunctionType
from typing import Any, Final, NoReturn

from autograph.errors import StagingError, StagingTypeError
from runtime import structures as nest
from runtime.control_flow.calls.active_calls import (
    Active,
    Made,
    Recursive,
    as_values,
    calls_of_trace,
    may_end,
    record_call,
)
from runtime.control_flow.calls.call_types import RESULTS, Parameters, declared_result, outputs_of
from runtime.control_flow.calls.changed_arguments import (
    Changed,
    can_be_written,
    check_alone,
    of_arguments,
    places_in,
    same_in,
    values_of,
)
from runtime.control_flow.calls.reached_places import (
    Changes,
    check_apart,
    found_places,
    read_places,
    replaced,
    write_places,
)
from runtime.control_flow.lattice.join import join
from runtime.control_flow.lattice.leaf import MISSING
from runtime.control_flow.lattice.types import Exact, Parts, Type
from runtime.control_flow.lists.keyed import Keyed
from runtime.control_flow.lists.keyed_calls import grown_dict
from runtime.control_flow.lists.replacements import moved_to
from runtime.control_flow.objects.ref_each import with_copies
from runtime.control_flow.objects.watched import Held, check_watched, watched_since
from runtime.control_flow.statement.subgraph import trace
from runtime.control_flow.tries.raised import UNREACHABLE
from runtime.graph.equality import graph_equal
from runtime.graph.graph import Graph
from runtime.graph.library import free_name, renamed, settle_effects
from runtime.heap.store import Holder, World
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.traced import TracedArray
from runtime.restarts import Restart
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Maker"]

ATTEMPTS: Final = 16
"""The types of parameters and results widen a few times; more attempts than this mean a defect."""


class Maker:
    """Traces a function into the library of a graph, and calls it."""

    def __init__(
        self, function: Callable[..., Any], original: FunctionType, calls: list[Active], graph: Graph, can_reach: bool
    ) -> None:
        """can_reach: whether what the function changed of what it reaches before it called itself has been put back."""
        self.can_reach = can_reach
        self.function = function
        self.original = original
        self.calls = calls
        self.graph = graph
        self.root = graph.recording.root

    def call(self, parameters: Parameters, arguments: dict[str, Any]) -> Any:
        """The function for these parameters is made and called with the arguments."""
        name = free_name(self.root, self.original.__name__)
        made = Made(name, self.original.__name__, parameters)
        self.root.functions[name] = self.root  # the name is taken
        try:
            for _ in range(ATTEMPTS):
                if self._attempt(made, World(partial(self.function, *arguments.values())), arguments):
                    break
            else:
                raise StagingTypeError(
                    f"{self._shown()} calls itself depending on a tensor, and the types of its arguments and results"
                    f" still change after {ATTEMPTS} traces; cast them to one dtype, or keep their rank"
                )
        except BaseException:
            del self.root.functions[name]
            raise
        if any(call.made for calls in calls_of_trace(self.root).values() for call in calls):
            return record_call(made, arguments)
        settle_effects(self.root)
        made.name = self._known(made)
        result = record_call(made, arguments)
        operation = next(o for o in reversed(self.graph.operations) if o.attributes.get("function") == made.name)
        operation.attributes = {**operation.attributes, "stateful": self.root.functions[made.name].stateful}
        return result

    def _known(self, made: Made) -> str:
        """The name of the function, or of an equal one that an earlier call has made, which then takes its place."""
        library = self.root.functions
        mine = library[made.name]
        for name, function in library.items():
            alike = function is not mine and function.name == mine.name and not made.captured
            if alike and graph_equal(renamed(mine, {made.name: name}), function):
                del library[made.name]
                return name
        return made.name

    def _attempt(self, made: Made, world: World, arguments: dict[str, Any]) -> bool:
        """Traces the function with what is known of its types; whether no more than that was found."""
        made.was_unknown = False
        graph = Graph.within(self.graph, made.title)
        inputs = made.parameters.placeholders(graph)
        reached = [inputs.pop(name) for name in made.reached]
        before = dict(places_in(inputs))
        for tensor in made.captured:
            graph.recording.capture(tensor)
        changed: list[tuple[Holder, Any]] = []
        made.note_changes = lambda: changed.extend(world.changes().items())
        mark, held = watched_since(), Held()
        call = Active(graph, 0, lambda: inputs, made=made)
        self.calls.append(call)
        try:
            write_places(made.reached, reached)
            run = partial(self._run, made, inputs, before, world)
            result = trace(graph, run, f"the recursive function {made.name!r}")
            held = Held.since(mark).in_any_run()
        except Restart as found:
            if found.target is not call:
                raise
            made.parameters = found.learnt.parameters
            if made.changed:
                made.changed, made.results = (), None  # places in arguments of other types
            result = None
        finally:
            self.calls.pop()
            made.note_changes()
            made.note_changes = None
            watched_since(mark)
            world.restore()
        if result is None:
            self._take_keyed(made, arguments)
            return False
        if self._reaches(made, changed, arguments) or self._writes(made, inputs, before, arguments):
            return False
        settled = self._take(made, graph, result)
        if settled:
            held.watch((), ())
        return settled

    def _run(self, made: Made, inputs: Mapping[str, Any], before: Mapping[Changed, Any], world: World) -> Any:
        """The function's code: what it returns, and what the places that it changes hold at its end."""
        kept = [*world.by_owner, *(id(buffer) for array in _arrays_in(inputs) for buffer in array.buffers)]
        args, kwargs = _split(self.original, inputs)
        result = self.function(*args, **kwargs)
        check_watched()
        same = of_arguments(inputs, (holder.owner for holder in world.holders), result)
        given = same_in(same)
        made.was_unknown = made.was_unknown or not given.keys() <= made.may_give.keys()
        made.may_give |= given
        result = same if made.gives_arguments else result
        result = self._returned(with_copies(result), kept)
        made.keyed = [name for name, value in inputs.items() if isinstance(moved_to(value), Keyed)]
        if made.keyed:
            raise Restart(Recursive(made.parameters), self.calls[-1])
        for lost in {place for place, _ in places_in(inputs)} ^ set(before):
            now = as_values(inputs)
            wider = made.parameters.join(now)
            if wider is None or made.parameters.covers(now):
                self._refuse(lost.parameter)
            raise Restart(Recursive(wider, is_wider=True), self.calls[-1])  # a list has another length now
        return result, values_of(inputs, made.changed), tuple(read_places(made.reached).values())

    def _writes(
        self, made: Made, inputs: Mapping[str, Any], before: Mapping[Changed, Any], arguments: Mapping[str, Any]
    ) -> bool:
        """Takes in what the function changes of its arguments; whether anything is new."""
        new = [place for place in self._changed(inputs, before) if place not in made.changed]
        for place in new:
            if not can_be_written(inputs, place):
                self._refuse(place.parameter)
        if new:
            made.changed = (*made.changed, *new)
            made.results = None  # which has these places, too, from now on
            check_alone(made.title, arguments, made.changed, False, self.function)
        return bool(new)

    @staticmethod
    def _changed(inputs: Mapping[str, Any], before: Mapping[Changed, Sequence[Any]]) -> list[Changed]:
        def is_same(now: Sequence[Any], was: Sequence[Any]) -> bool:
            return len(now) == len(was) and all(map(is_, now, was))

        return [place for place, now in places_in(inputs) if not is_same(now, before[place])]

    def _returned(self, result: Any, kept: Container[int]) -> Any:
        """What the function returns; arrays are those that it has made, and have only what they hold."""

        def plain(leaf: Any) -> Any:
            if not isinstance(leaf, TracedArray):
                return leaf
            if any(id(buffer) in kept for buffer in leaf.buffers):
                raise StagingError(
                    f"{self._shown()} calls itself depending on a tensor, and returns an array that it was given, or a"
                    " view of one: a graph would return another array. Return a copy (a.copy())"
                )
            return TracedArray(Buffer(leaf.value(), leaf.buffer.label))

        return nest.map_structure(plain, result, nested=nest.is_structure) if _arrays_in(result) else result

    def _take(self, made: Made, graph: Graph, result: Any) -> bool:
        if result is UNREACHABLE:
            if made.results is None:
                declared = declared_result(self.original)
                if declared is None and not may_end(graph, 0):
                    raise self._no_result()
                made.results = self._unreached(made, declared)
                return False
            return self._finish(made, graph, result)
        try:
            known = [] if made.results is None else [made.results]
            found = join("the result", [*known, result], RESULTS)
        except (TypeError, ValueError) as error:
            if made.gives_arguments:
                made.gives_arguments, made.results = False, None
                return False
            raise StagingTypeError(
                f"{self._shown()} calls itself depending on a tensor, and what it returns has no one type: {error}"
            ) from None
        captured = [outer for outer, _ in graph.recording.captures]
        same = made.results is not None and found.leaves == made.results.leaves
        settled = same and not made.was_unknown and len(captured) == len(made.captured)
        made.results, made.captured = found, captured
        return settled and self._finish(made, graph, result)

    def _finish(self, made: Made, graph: Graph, result: Any) -> bool:
        assert made.results is not None
        own = len(graph.inputs) - len(graph.recording.captures)
        results = made.results

        def outputs() -> list[SymbolicTensor]:
            tensors = outputs_of(results, MISSING if result is UNREACHABLE else result)
            return [graph.recording.localize(tensor, "return") for tensor in tensors]

        graph.outputs = trace(graph, outputs, "the result")
        if len(graph.inputs) - own != len(made.captured):
            made.captured = [outer for outer, _ in graph.recording.captures]
            return False  # the result itself is a tensor from around the function
        self.root.functions[made.name] = graph
        return True

    def _reaches(self, made: Made, changed: Changes, arguments: dict[str, Any]) -> bool:
        """Takes in what the function changes that it is not given; whether anything is new."""
        try:
            if self.can_reach and replaced(changed):
                self._take_moved(made, arguments)
                return True
            new = found_places(changed, made.reached, made.parameters.types)
        except StagingError as error:
            where = f"This is in {self._shown()}, which calls itself depending on a tensor."
            raise StagingError(f"{error} {where}") from None
        except LookupError as found:
            self._refuse_change(found.args[0])
        if new and not self.can_reach:
            self._refuse_change(next(iter(new.values())).holder)
        made.reached = {**made.reached, **new}
        made.parameters = made.parameters.and_of(read_places(new))
        made.results = None if new else made.results
        check_apart(made.title, made.reached, list(arguments.values()))
        return bool(new)

    def _take_keyed(self, made: Made, arguments: dict[str, Any]) -> None:
        """Puts dicts and sets of the graph in the place of arguments that tensors became keys or members of."""
        for name in made.keyed:
            grown_dict(arguments[name])
        if made.keyed:
            self._take_moved(made, arguments)
        made.keyed = ()

    @staticmethod
    def _take_moved(made: Made, arguments: dict[str, Any]) -> None:
        """Goes on with what has taken the place of arguments."""
        moved = {name: new for name, value in arguments.items() if (new := moved_to(value)) is not None}
        arguments.update(moved)
        made.parameters = made.parameters.and_of(moved)
        made.changed, made.results = (), None

    def _refuse_change(self, holder: Holder) -> NoReturn:
        raise StagingError(
            f"{holder.described()} is changed inside {self._shown()}, which calls itself depending on a tensor: a"
            " graph would do it once, while it is traced. Pass the value on as an argument, and return it."
        )

    @staticmethod
    def _unreached(made: Made, declared: Type | None) -> Type:
        """The type of the results of a function none of whose ways has returned yet."""
        reached = tuple(read_places(made.reached).values())
        ends = join("the result", [reached], RESULTS)
        return Parts((None, (), reached), (declared or Exact(None), Parts((), ()), ends))

    def _refuse(self, name: str) -> NoReturn:
        raise StagingError(
            f"the argument {name!r} of {self._shown()}, which calls itself depending on a tensor, is changed inside of"
            " it; return the new value instead."
        )

    def _no_result(self) -> StagingError:
        return StagingError(
            f"{self._shown()} calls itself depending on a tensor, and no way through it returns without doing so: what"
            " it returns cannot be known. Give it a case that returns a value, or say what it returns by an annotation:"
            " a dtype (`-> runtime.float32`) or a runtime.TensorSpec."
        )

    def _shown(self) -> str:
        code = self.original.__code__
        return f"the function {self.original.__name__!r} ({code.co_filename}:{code.co_firstlineno})"


def _arrays_in(value: Any) -> list[TracedArray]:
    return [leaf for leaf in nest.flatten(value, nest.is_structure) if isinstance(leaf, TracedArray)]


def _split(original: FunctionType, arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    bound = inspect.BoundArguments(inspect.signature(original), dict(arguments))
    return bound.args, bound.kwargs
