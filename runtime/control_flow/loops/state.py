"""The variables of a staged loop: how each is carried, and whether it has a value.

    x = 0; while i < n: y = x; x = step(x)        x: a slot;  y: absent before the loop, then a slot and a flag

A variable that has no value before the loop gets a type when the body has been traced, and is carried beside the flag
"is defined", starting from zeros. If the body read it before that, it is traced again, with a value that may be
undefined: reading it then is an error in the first iteration, and none in later ones. A variable that has a value
before the loop and may lose it (`del x`) is carried beside such a flag as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from autograph.errors import StagingTypeError
from autograph.operators.variables import Undefined
from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.branches.values import cond_values
from runtime.control_flow.lattice.join import join, join_variable
from runtime.control_flow.lattice.leaf import FLAG, MISSING, LeafType, convert_weakly
from runtime.control_flow.lattice.types import Exact, Parts, Probe, Type, Undefinable, called
from runtime.control_flow.loops.iterations import Iterations, declared
from runtime.control_flow.loops.options import Invariants, invariants_of
from runtime.control_flow.optional.values import NONE, Unread, Untyped, is_absent, presence, view
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from runtime.state.variable import Variable as StateVariable
from runtime.state.variable import present_value, stands_for
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Variable", "in_order", "parameters_of", "variable_of"]


@dataclass(frozen=True, eq=False)
class Variable:
    """One variable of the loop. initial: its value before the loop, in the graph `outer`. `type` is None while it has
    no value, and no type yet.
    """

    name: str
    initial: Any
    type: Type | None
    outer: Graph

    @property
    def leaves(self) -> list[LeafType]:
        """What is an input of the loop's graphs, in order; the flag that says whether it is defined is last."""
        return [] if self.type is None else self.type.leaves

    @cached_property
    def starts(self) -> list[Any]:
        """The leaves before the first iteration."""
        with recording(self.outer):
            return [] if self.type is None else self.type.parts(self.initial)

    @property
    def starts_empty(self) -> bool:
        """Whether it has no value before the loop, or is None there."""
        seen = view(self.initial)
        return seen.defined is False or presence(seen.value).value is NONE

    def parameter(self, inputs: Sequence[SymbolicTensor]) -> Any:
        """The value that the traced code sees, of the inputs of its graph."""
        return self.initial if self.type is None else self.type.value(iter(inputs))

    def inputs(self, graph: Graph) -> list[SymbolicTensor]:
        """New inputs of a graph, for the leaves."""
        name = "".join(c if c.isalnum() or c == "_" else "_" for c in self.name) or "state"
        names = ["present" if leaf is FLAG else name for leaf in self.leaves]
        if isinstance(self.type, Undefinable):
            names[-1] = "defined"
        pairs = zip(names, self.leaves, strict=True)
        return self._noted([leaf.marked(graph.placeholder(leaf.dtype, leaf.shape, n, leaf.weak)) for n, leaf in pairs])

    def _noted(self, tensors: list[SymbolicTensor]) -> list[SymbolicTensor]:
        """Tensors of which one iteration has the value before the loop: the Variable, or the array of numpy, there."""
        for tensor, start in zip(tensors, self.starts, strict=True):
            stands_for(tensor, self.name, [start])
            parts = tensor.graph.recording.tracing.writes.parts
            arrays = parts.get(id(start), (None, [start]))[1]
            if isinstance(arrays[0], np.ndarray):  # a write to the tensor would be one to the array
                parts[id(tensor)] = tensor, arrays
        return tensors

    def widened(self, result: Any) -> Variable:
        """The variable for values as before the loop and as after an iteration."""
        seen = view(result)
        if self.type is None:
            placeholder = self.initial  # of a place nobody notices whether it is read
            was_read = placeholder.was_read if isinstance(placeholder, Unread) else is_absent(placeholder)
            return self if seen.defined is False or not was_read else self.late(result)
        inner = self.type.type if isinstance(self.type, Undefinable) else self.type
        if seen.defined is not False:
            inner = join(self.name, [inner, seen.value], Iterations(self.initial))
        if isinstance(self.type, Undefinable):
            return dataclasses.replace(self, type=dataclasses.replace(self.type, type=inner))
        if seen.defined is not True:
            inner = Undefinable(inner, FLAG, seen.placeholder)
        return dataclasses.replace(self, type=inner)

    def late(self, result: Any) -> Variable:
        """A variable that has no value before the loop, with the type that the body gave it."""
        inner = join(self.name, [MISSING, view(result).value], Iterations(self.initial))
        placeholder = getattr(self.initial, "placeholder", self.initial)
        return dataclasses.replace(self, type=Undefinable(inner, FLAG, placeholder))

    def fits(self, other: Variable) -> bool:
        """Whether a body that was traced with this variable holds for `other`, too."""
        return [leaf.traced for leaf in self.leaves] == [leaf.traced for leaf in other.leaves]

    def probed(self) -> Variable:
        """The variable with a value that can be replaced in the place of each None; itself where there is none."""
        type_ = _probed(self.type)
        return self if type_ is self.type else dataclasses.replace(self, type=type_)

    def start(self) -> Iterator[SymbolicTensor]:
        """The tensors before the first iteration, of the graph around the loop."""
        graph = current_graph()
        for leaf, value in zip(self.leaves, self.starts, strict=True):
            value = leaf.zeros() if value is MISSING else present_value(value)
            if type(value) is not float:  # which goes straight to its dtype: as a float32 it would have lost digits
                value = convert_weakly(value)
            yield graph.recording.localize(leaf.adopted(value, "loop"), "loop")

    def following(self, result: Any, parameters: Sequence[SymbolicTensor], late: bool) -> list[SymbolicTensor]:
        """The tensors after an iteration. `late`: where the body gave no value, the old one stays."""
        if self.type is None:
            return []
        seen = view(result)
        if late and seen.defined is False:
            return list(parameters)
        own = zip(self.leaves, self.type.parts(result), parameters, strict=True)
        values = [self._after(leaf, part, before) for leaf, part, before in own]
        if not late or seen.defined is True:
            return values
        kept = _chosen(self.name, values[-1], values[:-1], parameters[:-1])
        return [*kept, REGISTRY["logical_or"](values[-1], parameters[-1])]

    def _after(self, leaf: LeafType, part: Any, before: SymbolicTensor) -> SymbolicTensor:
        if part is MISSING or part is before:
            return before
        if isinstance(part, StateVariable):
            raise StagingTypeError(
                f"{called(self.name)} is the variable {part.name!r} at the end of the iteration, but a tensor before"
                " the loop; say that its present value is meant: `v.value()`"
            )
        graph = current_graph()
        if id(part) in graph.recording.tracing.aliases.found:
            raise StagingTypeError(
                f"{called(self.name)} may be one of several Variables after an iteration, depending on how many there"
                " were; say that the present value is meant: `v.value()`"
            )
        found = graph.recording.localize(leaf.adopted(present_value(part), self.name), self.name)
        graph.recording.tracing.writes.note_array(found, part)
        return found

    def final(self, outputs: list[SymbolicTensor]) -> Any:
        """The value after the loop, from the outputs that belong to `leaves`."""
        if self.type is None:
            return getattr(self.initial, "placeholder", self.initial)
        value = self.type.value(iter(self._noted(outputs)))
        as_none = lambda leaf: None if isinstance(leaf, Untyped) else leaf
        return nest.map_structure(as_none, value) if _probes(self.type) else value


def parameters_of(graph: Graph, variables: Sequence[Variable]) -> list[Any]:
    """The values that the traced code of a graph sees."""
    inputs = [[] if variable.type is None else variable.inputs(graph) for variable in variables]
    return in_order(variables, Variable.parameter, inputs)


def in_order(
    variables: Sequence[Variable], value: Callable[[Variable, Any], Any], tensors: Sequence[Any]
) -> list[Any]:
    """The values of variables. Those are made first that had one before the loop: arrays whose memory others share."""
    places = sorted(range(len(variables)), key=lambda place: variables[place].starts_empty)
    made = {place: value(variables[place], tensors[place]) for place in places}
    return [made[place] for place in range(len(variables))]


def _probed(type_: Any) -> Any:
    if isinstance(type_, Exact) and type_.held is None:
        return Probe()
    if not isinstance(type_, Parts):
        return type_
    types = tuple(map(_probed, type_.types))
    return type_ if all(a is b for a, b in zip(types, type_.types, strict=True)) else Parts(type_.model, types)


def _probes(type_: Any) -> bool:
    """Whether something in it was None before the loop, and is still after it."""
    return isinstance(type_, Probe) or (isinstance(type_, Parts) and any(map(_probes, type_.types)))


def _chosen(name: str, defined: Any, new: Sequence[Any], old: Sequence[Any]) -> list[Any]:
    """The new values where the flag is true, else the old ones, which may have other shapes."""
    chosen = [
        REGISTRY["where"](defined, a, b) if a._shape.is_fully_defined() and a._shape.dims == b._shape.dims else None
        for a, b in zip(new, old, strict=True)
    ]
    open_ = [i for i, value in enumerate(chosen) if value is None]
    if open_:
        values = [[side[i] for i in open_] for side in (new, old)]
        made = cond_values(defined, lambda: values[0], lambda: values[1], [name] * len(open_))
        for i, value in zip(open_, made, strict=True):
            chosen[i] = current_graph().recording.localize(value, name)
    for value, of_iteration in zip(chosen, new, strict=True):
        current_graph().recording.tracing.writes.note_same(value, of_iteration)
    return chosen


def variable_of(name: str, value: Any, invariants: Invariants) -> Variable:
    """The variable for a value before the loop."""
    seen, outer = view(value), current_graph()
    if seen.defined is False:
        plain = type(seen.placeholder) is Undefined
        return Variable(name, Unread(seen.placeholder) if plain else seen.placeholder, None, outer)
    type_ = join_variable(name, [value], Iterations(value))
    inner = type_.type if isinstance(type_, Undefinable) else type_
    inner = declared(name, seen.value, inner, invariants_of(name, seen.value, invariants))
    if isinstance(type_, Undefinable):
        inner = dataclasses.replace(type_, type=inner)
    return Variable(name, value, inner, outer)
