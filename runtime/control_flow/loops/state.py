"""The variables of a staged loop: how each is carried, and whether it has a value.

    x = 0; while i < n: y = x; x = step(x)        x: a slot;  y: absent before the loop, then a slot and a flag

A variable that has no value before the loop gets a type when the body has been traced, and is carried beside the flag
"is defined", starting from zeros. If the body read it before that, it is traced again, with a value that may be
undefined: reading it then is an error in the first iteration, and none in later ones. A variable that has a value
before the loop and may lose it (`del x`) is carried beside such a flag as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.operators.variables import Undefined
from runtime.control_flow.branches.values import cond_values
from runtime.control_flow.loops.leaf import Leaf, flag
from runtime.control_flow.loops.options import Invariants, invariants_of
from runtime.control_flow.loops.slots import Slot, probed, slot_of, widen
from runtime.control_flow.optional.values import Unread, View, is_absent, restore, view
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.graph import Graph
from runtime.ops.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Variable", "variable_of"]


@dataclass(frozen=True, eq=False)
class Variable:
    """One variable of the loop. `slot` is None while it has no value before the loop, and no type yet."""

    name: str
    slot: Slot | None
    defined: Leaf | None
    """The flag that says whether it is defined; None: surely."""
    placeholder: Any

    def parameter(self, graph: Graph) -> Any:
        """The value that the traced code sees."""
        if self.slot is None:
            return self.placeholder
        value = self.slot.parameter(graph, self.name)
        if self.defined is None:
            return value
        return restore(View(self.defined.parameter(graph, "defined"), value, self.placeholder))

    @property
    def carried(self) -> list[Leaf]:
        """What is an input of the loop's graphs, in order; the flag is last."""
        leaves = [] if self.slot is None else self.slot.leaves
        return leaves if self.defined is None else [*leaves, self.defined]

    def widened(self, result: Any) -> Variable:
        """The variable for values as before the loop and as after an iteration; itself where nothing changed."""
        seen = view(result)
        if self.slot is None:
            placeholder = self.placeholder  # of a place nobody notices whether it is read
            was_read = placeholder.was_read if isinstance(placeholder, Unread) else is_absent(placeholder)
            return self if seen.defined is False or not was_read else self.late(result)
        slot = self.slot if seen.defined is False else widen(self.slot, self.name, seen.value)
        if self.defined is None and seen.defined is not True:
            return Variable(self.name, slot, flag(True), seen.placeholder)
        return self if slot is self.slot else dataclasses.replace(self, slot=slot)

    def late(self, result: Any) -> Variable:
        """A variable that has no value before the loop, with the type that the body gave it."""
        slot = slot_of(self.name, view(result).value, late=True)
        return Variable(self.name, slot, flag(False), getattr(self.placeholder, "placeholder", self.placeholder))

    def fits(self, other: Variable) -> bool:
        """Whether a body that was traced with this variable holds for `other`, too: the types are the same."""
        return [leaf.type for leaf in self.carried] == [leaf.type for leaf in other.carried]

    def probed(self) -> Variable:
        """The variable with a value that can be replaced in the place of each None; itself where there is none."""
        slot = None if self.slot is None else probed(self.slot)
        return self if slot is self.slot else dataclasses.replace(self, slot=slot)

    def following(self, result: Any, parameters: Sequence[SymbolicTensor], late: bool) -> list[SymbolicTensor]:
        """The tensors after an iteration, for `carried`. `late`: where the body gave no value, the old one stays."""
        seen = view(result)
        if self.slot is None:
            return []
        if seen.defined is False:
            return self._kept(parameters, late)
        graph = current_graph()
        values = self.slot.following(self.name, seen.value, iter(parameters))
        if self.defined is None:
            return values
        defined = graph.recording.localize(convert_to_tensor(seen.defined), self.name)
        if not late or seen.defined is True:
            return [*values, defined]
        kept = _chosen(self.name, defined, values, parameters[:-1])
        return [*kept, REGISTRY["logical_or"](defined, parameters[-1])]

    def _kept(self, parameters: Sequence[SymbolicTensor], late: bool) -> list[SymbolicTensor]:
        """What is carried on where the iteration leaves the variable undefined."""
        if late or self.defined is None:
            return list(parameters)
        return [*parameters[:-1], current_graph().recording.localize(convert_to_tensor(False), self.name)]

    def final(self, outputs: Sequence[SymbolicTensor]) -> Any:
        """The value after the loop, from the outputs that belong to `carried`."""
        if self.slot is None:
            return getattr(self.placeholder, "placeholder", self.placeholder)
        remaining = iter(outputs)
        value = self.slot.final(remaining)
        if self.defined is None:
            return value
        return restore(View(self.defined.final(remaining), value, self.placeholder))


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


def variable_of(name: str, value: Any, invariants: Invariants = ()) -> Variable:
    """The variable for a value before the loop."""
    seen = view(value)
    if seen.defined is False:
        plain = type(seen.placeholder) is Undefined
        return Variable(name, None, None, Unread(seen.placeholder) if plain else seen.placeholder)
    return Variable(
        name,
        slot_of(name, seen.value, invariants_of(name, seen.value, invariants)),
        None if seen.defined is True else flag(seen.defined),
        seen.placeholder,
    )
