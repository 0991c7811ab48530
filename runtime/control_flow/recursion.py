"""Recursion that depends on tensors: a function that calls itself from a branch becomes a function of the library.

    def fact(n): return 1 if n < 2 else n * fact(n - 1)        # n is a tensor: fact(n) is a `call` operation

While a function is traced, every call of the program's own functions passes here (`call_function`). A call is traced
in place, as Python would run it. But where a function is called again by itself, with arguments of the same types and
staged control flow in between, that would never end: the outer call is given up and its function traced once into a
graph of its own, with a `call` in the place of each call of itself. What it returns is learnt from the ways that do not
recurse; while it is unknown, what follows such a call counts as never reached. Then it is traced again with the
result's type, until that does not change. Where all ways recurse (or raise), an annotation may say what is returned: a
dtype, a TensorSpec.
Recursion over Python values ends by itself, and is traced in place; if it does not end after `UNROLLED` calls, the
numbers and sizes that differ from call to call become tensors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType
from typing import Any, Final

from autograph.errors import StagingError, StagingTypeError
from runtime import nest
from runtime.context import current_recorder
from runtime.control_flow.call_types import Parameters
from runtime.control_flow.raised import UNREACHABLE, Diverged
from runtime.control_flow.result_types import ResultType, declared_result
from runtime.control_flow.subgraph import trace
from runtime.control_flow.world import World
from runtime.graph.graph import Graph
from runtime.graph.library import free_name, settle_effects
from runtime.ops.control import call_node
from runtime.ops.core import placeholder
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["call_function"]

UNROLLED: Final = 8
"""How many calls of a function within each other, each in a branch of the one around it, are traced in place."""

MOST_UNROLLED: Final = 64
"""How many there may be in all: a function that calls itself in two branches has 2 ** n calls n deep."""

DEEPEST: Final = 64
"""How many may be traced in place where no function can serve them all."""

ATTEMPTS: Final = 16
"""The types of parameters and results widen a few times; more attempts than this mean a defect."""


@dataclass(eq=False)
class Active:
    """A call that is being traced: in which graph, of what; `made` is the function that it is the trace of, if any."""

    graph: Graph
    start: int
    """How many operations the graph had before."""
    arguments: Callable[[], Mapping[str, Any]]
    made: Made | None = None
    in_place: bool = False
    """Whether all calls inside of it are traced in place, because no function serves them all."""
    inner: int = 0
    """Of the outermost call of a function: how many have been traced in place in branches inside of it."""


@dataclass(eq=False)
class Made:
    """A function of the library in the making."""

    name: str
    parameters: Parameters
    results: ResultType | None = None
    captured: list[SymbolicTensor] = field(default_factory=list)
    """Tensors from around the function that it reads: each call passes them on."""
    was_unknown: bool = False
    """Whether it was called while the type of its results was not known."""


class _Recurs(BaseException):
    """A call has been found to be recursive; unwinds to it. `parameters`: those that it is to be traced with."""

    def __init__(self, call: Active, parameters: Parameters, is_wider: bool = False) -> None:
        super().__init__()
        self.call = call
        self.parameters = parameters
        self.is_wider = is_wider


def call_function(
    function: Callable[..., Any], original: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """`function(*args, **kwargs)` in the graph that is recording; `original` is the function as it was written."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        return function(*args, **kwargs)
    key = (original.__code__, tuple(map(id, original.__closure__ or ())))
    calls: list[Active] = graph.root.active_calls.setdefault(key, [])
    if calls and (calls[-1].graph is not graph or _may_end(graph, calls[-1].start)):
        arguments = _bound(original, args, kwargs)
        known = _recursive_call(original, calls, arguments, calls[-1].graph is not graph)
        if known is not None:
            return _record(known, arguments)
    call = Active(graph, len(graph.operations), partial(_bound, original, args, kwargs))
    again = _run(call, calls, function, args, kwargs)
    if not isinstance(again, _Recurs):
        return again
    graph.forget(call.start)
    failure = graph.root.failure
    try:
        return _Maker(function, original, calls, graph).call(again.parameters, _bound(original, args, kwargs))
    except Exception:
        if not again.is_wider:
            raise
    # The function needs Python's numbers where it was given tensors: traced in place, it may still come to an end.
    graph.forget(call.start)
    graph.root.failure = failure
    call.in_place = True
    return _run(call, calls, function, args, kwargs)


def _run(call: Active, calls: list[Active], function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """The result of a call that is traced in place, or _Recurs if it cannot be."""
    calls.append(call)
    try:
        return function(*args, **kwargs)
    except _Recurs as found:
        if found.call is not call:
            raise
        return found
    finally:
        calls.pop()


def _bound(original: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by parameter, with defaults."""
    bound = inspect.signature(original).bind(*args, **kwargs)
    bound.apply_defaults()
    return dict(bound.arguments)


def _may_end(graph: Graph, start: int) -> bool:
    """Whether an operation since then may end the run: `if n < 0: raise ...` leaves what follows where it is."""
    return any(o.stateful and o.op is not placeholder for o in graph.operations[start:])


def _recursive_call(
    original: FunctionType, calls: list[Active], arguments: Mapping[str, Any], in_branch: bool
) -> Made | None:
    """The function that these arguments are to be given to; None for a call that is traced in place.

    in_branch: whether there is staged control flow between the call and the one before. Raises _Recurs where a call
    that is active has to become a function first, or one with wider parameters.
    """
    for call in reversed(calls):
        if call.made is not None and call.made.parameters.covers(arguments):
            return call.made
        if call.made is None:
            parameters = Parameters.of(call.arguments())
            if parameters.covers(arguments):
                raise _Recurs(call, parameters)
    if not in_branch:
        return None
    calls[0].inner += 1
    made = [call for call in calls if call.made is not None]
    many = len(calls) >= UNROLLED or calls[0].inner > MOST_UNROLLED
    if made or (many and not any(call.in_place for call in calls)):
        for call in made[-1:] or calls:
            parameters = call.made.parameters if call.made is not None else Parameters.of(call.arguments())
            wider = parameters.join(arguments)
            if wider is not None:
                raise _Recurs(call, wider, is_wider=True)
    if len(calls) >= DEEPEST:
        raise _does_not_end(original, len(calls))
    return None


def _does_not_end(original: FunctionType, depth: int) -> StagingError:
    return StagingError(
        f"the function {original.__name__!r} calls itself depending on a tensor, {depth} times within each other with"
        " arguments of another structure or other Python objects each time: its trace would not end. Pass tensors, or a"
        " runtime.autograph.tensor_list in the place of a structure that grows."
    )


def _record(made: Made, arguments: Mapping[str, Any]) -> Any:
    """Adds a call of a function of the library to the graph that is recording; its result."""
    if made.results is None:
        made.was_unknown = True
        raise Diverged
    graph = current_recorder()
    assert isinstance(graph, Graph)
    operands = [graph.localize(t, made.name) for t in (*made.parameters.operands(arguments), *made.captured)]
    leaves = made.results.leaves
    attributes = {
        "function": made.name,
        "dtypes": tuple(leaf.dtype for leaf in leaves),
        "shapes": tuple(leaf.shape for leaf in leaves),
        "stateful": True,  # as long as the function is not finished; settle_effects knows better
    }
    operation = graph.add(call_node, operands, attributes, made.name)
    for tensor, leaf in zip(operation.outputs, leaves, strict=True):
        tensor.weak = leaf.weak
    return made.results.pack(operation.outputs)


class _Maker:
    """Traces a function into the library of a graph, and calls it."""

    def __init__(
        self, function: Callable[..., Any], original: FunctionType, calls: list[Active], graph: Graph
    ) -> None:
        self.function = function
        self.original = original
        self.calls = calls
        self.graph = graph
        self.root = graph.root

    def call(self, parameters: Parameters, arguments: Mapping[str, Any]) -> Any:
        """The function for these parameters is made and called with the arguments."""
        name = free_name(self.root, self.original.__name__)
        made = Made(name, parameters)
        world = World(partial(self.function, *arguments.values()))
        self.root.functions[name] = self.root  # the name is taken
        try:
            for _ in range(ATTEMPTS):
                if self._attempt(made, world):
                    break
            else:
                raise RuntimeError(f"the types of the recursive function {name!r} do not settle")
        except BaseException:
            del self.root.functions[name]
            raise
        result = _record(made, arguments)
        if not any(call.made for calls in self.root.active_calls.values() for call in calls):
            settle_effects(self.root)
            operation = self.graph.operations[-1]
            operation.attributes = {**operation.attributes, "stateful": self.root.functions[name].stateful}
        return result

    def _attempt(self, made: Made, world: World) -> bool:
        """Traces the function with what is known of its types; whether no more than that was found."""
        made.was_unknown = False
        graph = Graph(made.name, self.graph)
        inputs = made.parameters.placeholders(graph)
        before = {name: nest.flatten(value) for name, value in inputs.items()}
        for tensor in made.captured:
            graph.capture(tensor)
        call = Active(graph, 0, lambda: inputs, made)
        self.calls.append(call)
        try:
            args, kwargs = _split(self.original, inputs)
            result = trace(graph, lambda: self.function(*args, **kwargs), f"the recursive function {made.name!r}")
        except _Recurs as found:
            if found.call is not call:
                raise
            made.parameters = found.parameters
            return False
        finally:
            self.calls.pop()
            changed = world.changes()
            world.restore()
        self._check_effects(changed, inputs, before)
        return self._take(made, graph, result)

    def _take(self, made: Made, graph: Graph, result: Any) -> bool:
        if result is UNREACHABLE:
            if made.results is None:
                made.results = declared_result(self.original)
                if made.results is None:
                    raise self._no_result()
                return False
            return self._finish(made, graph, result)
        try:
            found = ResultType.of(result) if made.results is None else made.results.join(result)
        except (TypeError, ValueError) as error:
            raise StagingTypeError(
                f"{self._shown()} calls itself depending on a tensor, and what it returns has no one type: {error}"
            ) from None
        captured = [outer for outer, _ in graph.captures]
        same = made.results is not None and found.leaves == made.results.leaves
        settled = same and not made.was_unknown and len(captured) == len(made.captured)
        made.results, made.captured = found, captured
        return settled and self._finish(made, graph, result)

    def _finish(self, made: Made, graph: Graph, result: Any) -> bool:
        assert made.results is not None
        own = len(graph.inputs) - len(graph.captures)
        results = made.results

        def outputs() -> list[SymbolicTensor]:
            tensors = results.zeros() if result is UNREACHABLE else results.outputs(result)
            return [graph.localize(tensor, "return") for tensor in tensors]

        graph.outputs = trace(graph, outputs, "the result")
        if len(graph.inputs) - own != len(made.captured):
            made.captured = [outer for outer, _ in graph.captures]
            return False  # the result itself is a tensor from around the function
        self.root.functions[made.name] = graph
        return True

    def _check_effects(self, changed: Mapping[Any, Any], inputs: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        for holder in changed:
            raise StagingError(
                f"{holder.described()} is changed inside {self._shown()}, which calls itself depending on a tensor: a"
                " graph would do it once, while it is traced. Pass the value on as an argument, and return it."
            )
        for name, value in inputs.items():
            now = nest.flatten(value)
            if len(now) != len(before[name]) or any(a is not b for a, b in zip(now, before[name], strict=True)):
                raise StagingError(
                    f"the argument {name!r} of {self._shown()}, which calls itself depending on a tensor, is changed"
                    " inside of it; return the new value instead."
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


def _split(original: FunctionType, arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    bound = inspect.BoundArguments(inspect.signature(original), dict(arguments))
    return bound.args, bound.kwargs
