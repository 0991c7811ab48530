"""Branches, loops and calls: `lax.cond`, `lax.switch`, `lax.fori_loop` where the number of turns is known, else
`lax.while_loop`; calls are carried out where they stand.

Between the ways of a program go arrays alone, in a flat list: the results, the lists among them as buffers and lengths,
then what the Variables are that a way writes to, then whether something has failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime.exits.rules import Refused
from runtime.exits.variables import written
from runtime.exits.xla.library import jax, jnp, lax
from runtime.exits.xla.rules import CONTROL, is_known
from runtime.exits.xla.turns import turns_of
from runtime.exits.xla.values import Form, Handle, Length, Row, form_of, formed, joined_forms
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.records.record import Op

if TYPE_CHECKING:
    from runtime.exits.xla.lowering import Lowering

__all__: list[str] = []

ASSUMED: Final = 1 << 10
"""For so many turns lists have room in a loop that may turn more often, where that is found out."""


def carries_out(op: Op) -> Callable[[Any], Any]:
    """Decorator: the function carries out operations of this kind."""

    def register(function: Any) -> Any:
        CONTROL[op] = function
        return function

    return register


def handles_written(lowering: Lowering, graphs: Sequence[Graph], values: Sequence[Any]) -> list[Handle]:
    """The Variables that graphs of these inputs write to."""
    places = {i for graph in graphs for i in written(graph, lowering.functions, lowering.written)}
    return list({values[i]: None for i in sorted(places) if isinstance(values[i], Handle)})


class Way:
    """A graph that may run or not, as a function without arguments that gives a flat list of arrays."""

    def __init__(self, lowering: Lowering, graph: Graph, values: Sequence[Any], handles: Sequence[Handle]) -> None:
        self.lowering, self.graph, self.values, self.handles = lowering, graph, values, handles
        self.forms: list[Form | None] = [None] * len(graph.outputs)
        self.results: list[Any] = []
        self.beside: Way | None = None

    def __call__(self, *_: Any) -> list[Any]:
        inner = self.lowering.inner()
        self.results = inner.run(self.graph, self.values)
        for one, other in zip(self.results, self.beside.results if self.beside else (), strict=False):
            if not isinstance(one, Row | Handle) and np.shape(one) != np.shape(other):
                raise Refused(
                    f"its branches give the shapes {np.shape(other)} and {np.shape(one)}; in XLA both give one shape"
                )
        rows = [v if f is None else formed(v, f) for v, f in zip(self.results, self.forms, strict=True)]
        return [*flat(rows), *(jnp.asarray(inner.memory[h]) for h in self.handles), jnp.asarray(inner.failed)]


def flat(values: Sequence[Any]) -> list[Any]:
    """Values as arrays: of a list the buffer, where there is one, and the length."""
    arrays: list[Any] = []
    for value in values:
        if isinstance(value, Row):
            arrays += [] if value.buffer is None else [value.buffer]
            arrays.append(jnp.asarray(value.length.value(), np.int32))
        elif not isinstance(value, Handle):
            arrays.append(jnp.asarray(value))
    return arrays


def whole(arrays: Sequence[Any], like: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The values again, of the kinds of those; and what of the arrays is left."""
    rest = list(arrays)
    values: list[Any] = []
    for value in like:
        if isinstance(value, Row):
            buffer = None if value.buffer is None else rest.pop(0)
            values.append(Row(buffer, Length(rest.pop(0), 0), value.bound))
        else:
            values.append(value if isinstance(value, Handle) else rest.pop(0))
    return values, rest


def chosen(lowering: Lowering, ways: Sequence[Way], choose: Callable[[], Any]) -> list[Any]:
    """The results of the way that is chosen, whose effects are the program's from now on."""
    first = ways[0]
    for way in ways[1:]:
        way.beside = first
    if any(t.dtype.name == "variant" for t in first.graph.outputs):
        for way in ways:
            jax.eval_shape(way)
        for place, value in enumerate(first.results):
            if isinstance(value, Row):
                form = form_of(value)
                for way in ways[1:]:
                    form = joined_forms(form, form_of(way.results[place]))
                for way in ways:
                    way.forms[place] = form
    arrays = choose()
    like = [v if f is None else formed(v, f) for v, f in zip(first.results, first.forms, strict=True)]
    values, rest = whole(arrays, like)
    for handle in first.handles:
        lowering.memory[handle] = rest.pop(0)
    lowering.failed = jnp.logical_or(lowering.failed, rest.pop(0)) if lowering.guarded else lowering.failed
    return [_known_again(value, [way.results[i] for way in ways]) for i, value in enumerate(values)]


def _known_again(value: Any, results: Sequence[Any]) -> Any:
    """A value that is the same whichever way was taken, as it was known there."""
    first = results[0]
    if isinstance(value, Row) and all(r.length.is_same(first.length) for r in results):
        return Row(value.buffer, first.length, value.bound)
    if all(map(is_known, results)) and len({np.asarray(r).tobytes() for r in results}) == 1:
        return first  # to the last bit: 0 is not -0
    return value


@carries_out(cond_node)
def _(lowering: Lowering, operation: Operation, given: list[Any]) -> list[Any]:
    predicate, *values = given
    graphs = operation.attributes["then_graph"], operation.attributes["else_graph"]
    if is_known(predicate):
        return lowering.run(graphs[0] if predicate else graphs[1], values)
    handles = handles_written(lowering, graphs, values)
    ways = [Way(lowering, graph, values, handles) for graph in graphs]
    return chosen(lowering, ways, lambda: lax.cond(jnp.asarray(predicate, bool), *ways))


@carries_out(switch_node)
def _(lowering: Lowering, operation: Operation, given: list[Any]) -> list[Any]:
    index, *values = given
    branches, last = operation.attributes["branches"], len(operation.attributes["branches"]) - 1
    if is_known(index):
        return lowering.run(branches[int(index) if 0 <= int(index) < last else -1], values)
    handles = handles_written(lowering, branches, values)
    ways = [Way(lowering, graph, values, handles) for graph in branches]
    index = jnp.where((index >= 0) & (index <= last), index, last).astype(np.int32)
    return chosen(lowering, ways, lambda: lax.switch(index, ways))


@carries_out(call_node)
def _(lowering: Lowering, operation: Operation, given: list[Any]) -> list[Any]:
    name = operation.attributes["function"]
    if name in lowering.calling:
        raise Refused(f"{name!r} calls itself, which programs of XLA cannot; write a loop")
    before, lowering.calling = lowering.calling, (*lowering.calling, name)
    try:
        return lowering.run(lowering.functions[name], given)
    finally:
        lowering.calling = before


@carries_out(while_node)
def _(lowering: Lowering, operation: Operation, given: list[Any]) -> list[Any]:
    return Loop(lowering, operation, given).run()


class Loop:
    """A loop. Its state is a flat list of arrays, as what branches give, and behind it the number of turns."""

    def __init__(self, lowering: Lowering, operation: Operation, given: list[Any]) -> None:
        self.lowering, self.operation = lowering, operation
        self.test, self.body = operation.attributes["cond_graph"], operation.attributes["body_graph"]
        count = len(self.body.outputs)
        self.state, self.fixed = given[:count], given[count:]
        self.handles = handles_written(lowering, (self.test, self.body), given)
        self.limit = operation.attributes["maximum_iterations"]
        self.turns = turns_of(operation, given)
        self.steps: list[int | None] = [None] * count
        """By how many elements each list grows in each turn, where that is known."""
        self.growth = [0] * count
        """By how many at most."""
        self.leaving: Sequence[Any] = ()
        self.assumed: int | None = None
        """How many turns there is room for, where that is not known: more of them are a failure."""

    def run(self) -> list[Any]:
        """The state after the last turn."""
        if self.turns.exact == 0:
            return self.state
        if any(isinstance(value, Row) for value in self.state):
            self._find_room()
        start = [*self._flat(self.state, self.lowering), jnp.zeros([], np.int64)]
        if self.turns.exact is not None:
            end = lax.fori_loop(0, self.turns.exact, lambda _, arrays: self._turn(arrays), start)
        else:
            end = lax.while_loop(self._goes_on, self._turn, start)
        values, rest = whole(end, self.state)
        for handle in self.handles:
            self.lowering.memory[handle] = rest.pop(0)
        self.lowering.failed = rest.pop(0) if self.lowering.guarded else self.lowering.failed
        if self.assumed is not None:
            self.lowering.fail(end[-1] >= self.assumed)
        return [self._with_length(i, value) for i, value in enumerate(values)]

    def _with_length(self, place: int, value: Any) -> Any:
        """A list after the loop, with its length where that is known."""
        step, before = self.steps[place], self.state[place]
        if step is None or (step and self.turns.exact is None):
            return value
        more = step * (self.turns.exact or 0)
        return Row(value.buffer, Length(before.length.base, before.length.plus + more), value.bound)

    def _flat(self, values: Sequence[Any], of: Lowering) -> list[Any]:
        return [*flat(values), *(jnp.asarray(of.memory[h]) for h in self.handles), jnp.asarray(of.failed)]

    def _inside(self, arrays: Sequence[Any]) -> tuple[Lowering, list[Any]]:
        """The lowering of a turn, and the state as it enters it."""
        inner = self.lowering.inner()
        values, rest = whole(arrays[:-1], self.entering)
        for handle in self.handles:
            inner.memory[handle] = rest.pop(0)
        inner.failed = rest.pop(0)
        return inner, values

    def _turn(self, arrays: Sequence[Any]) -> list[Any]:
        inner, values = self._inside(arrays)
        made = inner.run(self.body, [*values, *self.fixed])
        self._check_shapes(made)
        self._learn(values, made)
        made = [_leaving(m, s) for m, s in zip(made, self.state, strict=True)]
        return [*self._flat(made, inner), arrays[-1] + 1]

    def _goes_on(self, arrays: Sequence[Any]) -> Any:
        inner, values = self._inside(arrays)
        (again,) = inner.run(self.test, [*values, *self.fixed])
        again = jnp.logical_and(jnp.asarray(again, bool), jnp.logical_not(inner.failed))
        limits = [int(limit) for limit in (self.limit, self.assumed) if limit is not None]
        return jnp.logical_and(again, arrays[-1] < min(limits)) if limits else again

    def _learn(self, before: Sequence[Any], after: Sequence[Any]) -> None:
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            if isinstance(old, Row):
                grown = new.length.base is old.length.base and old.length.base is not None
                self.steps[place] = new.length.plus - old.length.plus if grown else None

    @property
    def entering(self) -> list[Any]:
        """The state as a turn finds it: lists have room for what a turn adds."""
        return [s if not isinstance(s, Row) else Row(s.buffer, s.length, s.bound - g)
                for s, g in zip(self.state, self.growth, strict=True)]  # fmt: skip

    def _check_shapes(self, made: Sequence[Any]) -> None:
        """Raises Refused where a turn gives other shapes than it was given."""
        for value, after, tensor in zip(self.state, made, self.body.inputs, strict=False):
            if not isinstance(value, Row | Handle) and np.shape(value) != np.shape(after):
                raise Refused(
                    f"{tensor.op.name!r} has the shape {np.shape(value)} before a turn and {np.shape(after)} after it;"
                    " in XLA the shape of a variable of a loop stays the same"
                )

    def _find_room(self) -> None:
        """Gives the lists of the state buffers for all that the turns may add."""
        first = list(self.state)
        for _ in range(4):
            jax.eval_shape(self._turn_of_lists, [*self._flat(self.state, self.lowering), jnp.zeros([], np.int64)])
            state, growth = list(self.state), list(self.growth)
            for place, value in enumerate(first):
                if isinstance(value, Row):
                    after = self.leaving[place]
                    growth[place] = max(after.bound - self.entering[place].bound, 0)
                    bound = max(value.bound, after.bound)
                    if growth[place]:
                        bound = value.bound + growth[place] * self._at_most()
                    element = form_of(after).element or form_of(value).element
                    state[place] = formed(value, Form(element, bound, bound))
            same = growth == self.growth and all(
                form_of(a) == form_of(b) for a, b in zip(state, self.state, strict=True) if isinstance(a, Row)
            )
            self.state, self.growth = state, growth
            if same:
                return
        raise Refused("a list grows by more in each turn than in the one before; in XLA its size has to be bounded")

    def _turn_of_lists(self, arrays: Sequence[Any]) -> Any:
        inner, values = self._inside(arrays)
        self.leaving = inner.run(self.body, [*values, *self.fixed])
        return 0

    def _at_most(self) -> int:
        """How many turns lists have room for."""
        if self.turns.bound is None and self.lowering.guarded:
            self.assumed = ASSUMED
            return ASSUMED
        if self.turns.bound is None:
            raise Refused(
                "a list grows in a loop whose number of turns is not known before it runs; in XLA the size of a list is"
                " bounded: loop over a range of a known size, or give maximum_iterations"
            )
        return self.turns.bound


def _leaving(made: Any, state: Any) -> Any:
    """A list as the state of the loop has it."""
    if not isinstance(state, Row):
        return made
    form = form_of(state)
    if made.bound > form.bound or made.capacity > form.capacity:
        raise Refused("a list grows by more than was found at first; in XLA its size has to be bounded")
    return formed(made, form)
