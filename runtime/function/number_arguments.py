"""Python's numbers as arguments: the third value of one gets a trace that serves all its values.

    f(5); f(6)       # a trace each: the number is a constant there, as in the guides
    f(7)             # traced once more, with a weak number in the place of 7 ...
    f(8); f(1000)    # ... which is the trace of these, too

It is an attempt. A function that needs the value (for a shape, to look into an object, to print while it is traced),
or that gives another structure or dtype then, keeps a trace for each value, and `reasons` says why. So does one whose
trace changes something in Python: that would have happened for each value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from autograph.contexts import binding
from autograph.operators.observation import tell_guard
from runtime import structures as nest
from runtime.control_flow.optional.values import MaybeNone
from runtime.control_flow.outside.needs_value import NeedsValue, trying
from runtime.dtypes import DType
from runtime.function.code_names import Lines
from runtime.function.numbers import Number, is_number
from runtime.function.trace_types import Inputs, Key
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.ops.arrays.shape import cast
from runtime.ops.flow.check import check
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.raising import raise_, reraise
from runtime.ops.flow.state import READS
from runtime.restarts import Restart
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction
    from runtime.function.state import State
    from runtime.function.tracer import Tracer
    from runtime.heap.store import World

__all__ = ["NumberArguments", "as_expected", "check_effects", "expected_results", "has_effects", "undone"]

CONSTANTS: Final = 2
"""So many values of a number have a trace of their own."""

UNTIL: Final = f"while no more than {CONSTANTS} values of it have been traced"

MOST: Final = 256
"""So many combinations of the other arguments are remembered."""


@dataclass(slots=True)
class _Calls:
    """The calls of a Function whose arguments differ in their numbers alone. By the name of a parameter:"""

    seen: dict[str, set[Any]] = field(default_factory=dict)
    """the values that have traces of their own, while they are few,"""
    open: set[str] = field(default_factory=set)
    """the parameters whose numbers are inputs,"""
    fixed: set[str] = field(default_factory=set)
    """and those that have been tried in vain."""
    keys: list[Key] = field(default_factory=list)
    """The keys of the first traces."""

    def note(self, numbers: Mapping[str, Any], key: Key) -> None:
        """A trace is made for these numbers."""
        if len(self.keys) < CONSTANTS:
            self.keys.append(key)
        for name, value in numbers.items():
            values = self.seen.setdefault(name, set())
            if len(values) < CONSTANTS:
                values.add(repr(value))

    def candidates(self, numbers: Mapping[str, Any]) -> list[str]:
        """The parameters whose numbers are another value than those that have traces."""
        return [
            name
            for name, value in numbers.items()
            if name not in self.fixed and (name in self.open or self._is_third(name, value))
        ]

    def _is_third(self, name: str, value: Any) -> bool:
        values = self.seen.get(name, ())
        return len(values) == CONSTANTS and repr(value) not in values


class NumberArguments:
    """Which numbers among the arguments of one Function are inputs of its traces."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """By parameter, why its numbers are constants."""
        self.opened: set[str] = set()
        """The parameters whose numbers are inputs of some trace."""
        self._calls: dict[Any, _Calls] = {}

    def fit(
        self, tracer: Tracer, key: Key, arguments: Mapping[str, Any]
    ) -> tuple[ConcreteFunction, Inputs] | None:
        """The trace for a call whose key has none, with its tensors, if numbers are inputs of it; else None, and the
        call is remembered as one that gets a trace of its own."""
        numbers = {name: value for name, value in arguments.items() if is_number(value)}
        if not numbers or tracer.traces.served(key) is not None:
            return None
        calls = self._calls_like(key, arguments, numbers)
        names = calls.candidates(numbers)
        tried = [names] if len(names) < 2 or calls.open else [names, *([name] for name in names)]
        for chosen in tried if names else ():
            found = self._attempt(tracer, calls, arguments, chosen)
            if found is not None:
                return found
        calls.note(numbers, key)
        return None

    def tell(self, arguments: Mapping[str, Any], function: Any) -> None:
        """Tells `autograph.explain` of the numbers that are constants of the trace for these arguments."""
        function = getattr(function, "__func__", function)
        lines = Lines([function] if isinstance(function, FunctionType) else [])
        for name, value in arguments.items():
            if is_number(value) and name not in self.opened:
                why = f"because {self.reasons[name]}" if name in self.reasons else UNTIL
                tell_guard(f"the value of the argument {name!r}, {why}", lines.using(name))

    def _calls_like(self, key: Key, arguments: Mapping[str, Any], numbers: Mapping[str, Any]) -> _Calls:
        structure = list(key[0])
        for place, name in enumerate(arguments):
            if name in numbers:
                structure[place] = type(numbers[name])
        if len(self._calls) >= MOST:
            self._calls.clear()
        return self._calls.setdefault((tuple(structure), key[1]), _Calls())

    def _attempt(
        self, tracer: Tracer, calls: _Calls, arguments: Mapping[str, Any], names: Sequence[str]
    ) -> tuple[ConcreteFunction, Inputs] | None:
        given = {name: Number(value) if name in names else value for name, value in arguments.items()}
        key, tensors, seen = tracer.encode(given)
        traces = [trace for known in calls.keys if (trace := tracer.traces.exactly(known)) is not None]
        if not traces:
            return None
        try:
            with _expecting(traces):
                concrete = tracer.concrete(key, seen)
        except (Exception, Restart) as error:
            if isinstance(error, Restart) and not isinstance(error.learnt, NeedsValue):
                raise
            new = [name for name in names if name not in calls.open] or list(names)
            if len(new) == 1 or calls.open:
                calls.fixed.update(new)
                why = error.learnt.why if isinstance(error, Restart) else f"it is traced in vain: {_first_line(error)}"
                self.reasons.update(dict.fromkeys(new, why))
            return None
        calls.open.update(names)
        self.opened.update(names)
        return concrete, tensors


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


# -- results ------------------------------------------------------------------------------------------------------

_EXPECTED: Final[ContextVar[Sequence[ConcreteFunction]]] = ContextVar("runtime_traces_of_single_values", default=())


@contextmanager
def _expecting(traces: Sequence[ConcreteFunction]) -> Iterator[None]:
    with binding(_EXPECTED, traces), trying():
        yield


def expected_results() -> tuple[Any, ...]:
    """What the traces of single values give, for a trace of all values that is tried; nothing elsewhere."""
    return tuple([trace.structured_outputs for trace in _EXPECTED.get()])


def as_expected(result: Any, expected: Sequence[Any], graph: Graph) -> Any:
    """The result of a trace of all values, with the dtypes of those of single values. Raises NeedsValue.

    A number that Python computes is returned as int32 or float32, if it fits: so is one that the graph computes.
    """
    if not expected:
        return result
    for other in expected:
        if not _is_alike(result, other):
            raise Restart(NeedsValue("what it returns has another structure for each value"))
    columns = [[leaf for leaf in nest.flatten(other) if leaf is not None] for other in expected]
    dtypes = [{leaf.dtype for leaf in row} for row in zip(*columns, strict=True)]
    if any(len(found) > 1 for found in dtypes):
        raise Restart(NeedsValue("what it returns has another dtype for some values"))
    wanted = iter([(found.pop(), row) for found, row in zip(dtypes, zip(*columns, strict=True), strict=True)])
    return nest.map_structure(lambda leaf: None if leaf is None else _with_dtype(leaf, *next(wanted), graph), result)


def _is_alike(result: Any, other: Any) -> bool:
    leaves = [*nest.flatten(result), *nest.flatten(other)]
    if any(isinstance(leaf, MaybeNone) for leaf in leaves):
        return False
    try:
        nest.assert_same_structure(result, other)
    except (TypeError, ValueError):
        return False
    half = len(leaves) // 2
    return all((a is None) == (b is None) for a, b in zip(leaves[:half], leaves[half:], strict=True))


def _with_dtype(leaf: Any, dtype: DType, others: Sequence[SymbolicTensor], graph: Graph) -> Any:
    if all(other.shape.is_fully_defined() for other in others) and not leaf.shape.is_fully_defined():
        raise Restart(NeedsValue("the shape of what it returns depends on it"))
    if leaf.dtype is dtype:
        return leaf
    weak = isinstance(leaf, SymbolicTensor) and leaf.weak
    if not weak or leaf.dtype.family != dtype.family or (leaf.dtype.is_integer and has_effects(graph)):
        raise Restart(NeedsValue(f"what it returns is {leaf.dtype.name} and not {dtype.name}"))
    return cast(leaf, dtype, exact=True)


# -- what is left behind ------------------------------------------------------------------------------------------

_HARMLESS: Final = frozenset({check, placeholder, raise_, reraise, *READS})


def has_effects(graph: Graph) -> bool:
    """Whether it would be noticed that a run is made twice, the first of which raises."""
    graphs = [inner for whole in (graph, *graph.functions.values()) for inner in nested_graphs(whole)]
    return any(o.op.stateful and o.op not in _HARMLESS for inner in graphs for o in inner.operations)


@contextmanager
def undone(world: World) -> Iterator[None]:
    """Around a trace that is tried: what it has changed in Python is put back where it fails."""
    try:
        yield
    except BaseException:
        world.restore()
        raise


def check_effects(world: World, state: State) -> None:
    """After such a trace. Raises NeedsValue where it has changed something in Python, or runs leave there what has
    another type than Python's."""
    if state.has_numbers:
        raise Restart(NeedsValue(f"it leaves a number that it computes in {state.first!r}"))
    dtypes = state.left_dtypes()
    for other in (trace.state.left_dtypes() for trace in _EXPECTED.get()):
        if any(other.get(place, found) != found for place, found in dtypes.items()):
            raise Restart(NeedsValue(f"what it leaves in {state.first!r} has another dtype for some values"))
    changed = next(iter(world.changes()), None)
    if changed is not None:
        raise Restart(NeedsValue(f"{changed.label!r} is changed while it is traced"))
