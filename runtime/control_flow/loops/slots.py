"""How a value is carried through a staged loop: as tensors of known types, with the Python structure around them.

    i = 0                   Leaf: weak int32 scalar
    f = math.sin            Fixed: a Python object, which must not change; Choice: one of several functions
    pair = (x, f)           Parts of a tuple: a Leaf and a Fixed
    best = x or None        Optional: the slot of x, and the flag "present"
    TensorList([1])         Growing (loop_lists.py): the handles of a list that grows

A slot is immutable. `widen(slot, name, result)` is the slot for values that are either as before the loop or as after
an iteration: literals take the dtype of the tensor that replaces them, shapes what holds for both, None becomes
Optional; where nothing changed it is the very same slot.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from autograph.errors import StagingTypeError, StagingValueError
from runtime import structures as nest
from runtime.control_flow.branches.merge import MISSING, TENSOR_LIKE, called, is_of_array, is_weak
from runtime.control_flow.calls.chosen import ChosenFunction, choices_of, number_in
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.leaf import LEGAL, ZEROS, Leaf, Tensors, convert_weakly, flag
from runtime.control_flow.loops.lists import growing
from runtime.control_flow.loops.options import Invariants, invariants_of_parts, shape_of_invariant
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.optional.values import NONE, MaybeNone, Untyped, maybe_none, presence
from runtime.control_flow.tries.uncertain import Uncertain
from runtime.dtypes import int32
from runtime.graph.graph import Graph
from runtime.ndarrays.restart import restart_for
from runtime.ndarrays.traced import TracedArray
from runtime.shapes import TensorShape
from runtime.state.variable import Variable
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Slot", "probed", "slot_of", "widen"]

MOST_FUNCTIONS: Final = 8
"""A variable that holds more functions than this gets a new one in each iteration."""

UNCHANGED: Final = (str, bytes, enum.Enum)
"""Python values that could be tensors, and stay what they are in a loop that does not change them."""


_ANOTHER: Final = (
    "holds one of several lists, dicts or objects after an iteration, of which a tensor decides which one it is, and"
    " some of them are made in the loop. Make them before the loop, or keep a number that says which one it is"
)


class Slot(Protocol):
    """See the module's docstring."""

    @property
    def leaves(self) -> list[Leaf]:
        """What is carried, in order."""

    def parameter(self, graph: Graph, name: str) -> Any:
        """What the traced code sees; its tensors are new inputs of `graph`."""

    def widened(self, name: str, result: Any) -> Slot:
        """See `widen`; `result` is not None and cannot be None."""

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        """The tensors after an iteration. `parameters`: those before it, which stay where `result` is MISSING."""

    def final(self, outputs: Tensors) -> Any:
        """The value after the loop."""


@dataclass(frozen=True, eq=False)
class Fixed:
    """A Python object that the loop only passes through."""

    value: Any

    @property
    def leaves(self) -> list[Leaf]:
        return []

    def parameter(self, graph: Graph, name: str) -> Any:
        return self.value

    def widened(self, name: str, result: Any) -> Slot:
        if type(self.value) is Ref or type(result) is Ref:
            if result is self.value:
                return self
            raise StagingTypeError(f"{called(name)} {_ANOTHER}")
        if result is self.value or (type(result) is type(self.value) and _equal(result, self.value)):
            return self
        if isinstance(self.value, UNCHANGED) and isinstance(result, TENSOR_LIKE):
            leaf = Leaf(self.value, convert_weakly(self.value).dtype, weak=True)
            return leaf.widened(name, result)
        if isinstance(self.value, Variable):
            if "." in name or "[" in name:
                raise StagingTypeError(
                    f"{called(name)} holds the Variable {self.value.name!r} before the loop and something else after an"
                    " iteration: which it would hold for the rest of the program is only known when the graph runs;"
                    f" assign to the Variable instead, {name}.assign(...)"
                )
            leaf = Leaf(self.value, self.value.dtype, self.value.shape)
            return leaf.widened(name, result)
        if (functions := choices_of([self.value, result])) is not None:
            return Choice(functions, Leaf(0, int32, choices=len(functions)))
        raise StagingTypeError(
            f"{called(name)} is a Python object of type {type(self.value).__name__} before the loop, and another one"
            f" (of type {type(result).__name__}) after one iteration; {LEGAL}"
        )

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        return []

    def final(self, outputs: Tensors) -> Any:
        return self.value


@dataclass(frozen=True, eq=False)
class Choice:
    """One of several functions, by number."""

    functions: tuple[Callable[..., Any], ...]
    index: Leaf

    @property
    def leaves(self) -> list[Leaf]:
        return [self.index]

    def parameter(self, graph: Graph, name: str) -> Any:
        return ChosenFunction(self.index.parameter(graph, name), self.functions)

    def widened(self, name: str, result: Any) -> Slot:
        known = choices_of([*self.functions, result])
        if known is None or len(known) > MOST_FUNCTIONS:
            return Lost(
                f"{called(name)} is a new Python object of type {type(result).__name__} after each iteration; {LEGAL},"
                " and functions that are made before it"
            )
        if len(known) == len(self.functions):
            return self
        return Choice(known, dataclasses.replace(self.index, choices=len(known)))

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        return self.index.following(name, MISSING if result is MISSING else self._number(result), parameters)

    def _number(self, result: Any) -> Any:
        return number_in(result, self.functions)

    def final(self, outputs: Tensors) -> Any:
        return ChosenFunction(self.index.final(outputs), self.functions)


@dataclass(frozen=True, eq=False)
class Lost:
    """A function that each iteration makes anew: the next iteration and what follows the loop cannot have it."""

    reason: str

    @property
    def leaves(self) -> list[Leaf]:
        return []

    def parameter(self, graph: Graph, name: str) -> Any:
        return Uncertain(name, self.reason, StagingTypeError)

    def widened(self, name: str, result: Any) -> Slot:
        return self

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        return []

    def final(self, outputs: Tensors) -> Any:
        return Uncertain("a function", self.reason, StagingTypeError)


@dataclass(frozen=True, eq=False)
class Parts:
    """A structure: a list, tuple, dict, named tuple or dataclass like `model`."""

    model: Any
    slots: tuple[Slot, ...]

    @property
    def leaves(self) -> list[Leaf]:
        return [leaf for slot in self.slots for leaf in slot.leaves]

    def parameter(self, graph: Graph, name: str) -> Any:
        return nest.rebuild(self.model, [slot.parameter(graph, name) for slot in self.slots])

    def widened(self, name: str, result: Any) -> Slot:
        slots = tuple(widen(slot, name, part) for slot, part in zip(self.slots, self._parts(name, result), strict=True))
        same = all(a is b for a, b in zip(slots, self.slots, strict=True))
        return self if same else Parts(self.model, slots)

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        parts = [MISSING] * len(self.slots) if result is MISSING else self._parts(name, result)
        pairs = zip(self.slots, parts, strict=True)
        return [tensor for slot, part in pairs for tensor in slot.following(name, part, parameters)]

    def final(self, outputs: Tensors) -> Any:
        return nest.rebuild(self.model, [slot.final(outputs) for slot in self.slots])

    def _parts(self, name: str, result: Any) -> list[Any]:
        if isinstance(self.model, TracedArray):
            restart_for(result)
            if isinstance(result, Tensor):
                return [result]
        try:
            return [part for _, part, _ in nest.corresponding(self.model, result)]
        except (TypeError, ValueError) as error:
            raise StagingTypeError(
                f"{called(name)} does not have the same nested structure after one iteration.\n\n{error}"
            ) from None


@dataclass(frozen=True, eq=False)
class Optional:
    """What may be None: the slot of its value, and a flag."""

    slot: Slot
    present: Leaf

    @property
    def leaves(self) -> list[Leaf]:
        return [*self.slot.leaves, self.present]

    def parameter(self, graph: Graph, name: str) -> Any:
        return MaybeNone(self.slot.parameter(graph, name), self.present.parameter(graph, "present"))

    def widened(self, name: str, result: Any) -> Slot:
        return self._with(widen(self.slot, name, result))

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        seen = presence(result)
        absent = result is MISSING or seen.value is NONE
        values = self.slot.following(name, MISSING if absent else seen.value, parameters)
        return values + self.present.following(name, result if result is MISSING else seen.present, parameters)

    def final(self, outputs: Tensors) -> Any:
        value = self.slot.final(outputs)
        return maybe_none(value, self.present.final(outputs))

    def _with(self, slot: Slot) -> Slot:
        return self if slot is self.slot else Optional(slot, self.present)


class Unknown(Leaf):
    """The flag of a Probe."""


@dataclass(frozen=True, eq=False)
class Probe:
    """Stands for None while it is found out what the loop's body puts into its place."""

    present: Leaf

    @property
    def leaves(self) -> list[Leaf]:
        return [self.present]

    def parameter(self, graph: Graph, name: str) -> Any:
        return Untyped(self.present.parameter(graph, "present"))

    def widened(self, name: str, result: Any) -> Slot:
        return _optional(slot_of(name, result, late=True), False)

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        return [next(parameters)]

    def final(self, outputs: Tensors) -> Any:
        next(outputs)
        return None


def probed(slot: Slot) -> Slot:
    """The slot with a Probe in the place of each None; itself where there is none."""
    if isinstance(slot, Fixed):
        return Probe(Unknown(False)) if slot.value is None else slot
    if not isinstance(slot, Parts):
        return slot
    slots = tuple(map(probed, slot.slots))
    return slot if all(a is b for a, b in zip(slots, slot.slots, strict=True)) else Parts(slot.model, slots)


def widen(slot: Slot, name: str, result: Any) -> Slot:
    """The slot for values as before the loop and as after an iteration. Raises StagingError where there is none."""
    seen = presence(result)
    if isinstance(slot, Optional | Probe):
        return slot if seen.value is NONE else slot.widened(name, seen.value)
    if isinstance(slot, Fixed) and slot.value is None:
        return slot if seen.value is NONE else _optional(slot_of(name, seen.value, late=True), False)
    if seen.value is NONE:
        return _optional(slot, True)
    inner = slot.widened(name, seen.value)
    return inner if seen.present is True else _optional(inner, True)


def _optional(slot: Slot, present: bool) -> Slot:
    return slot if isinstance(slot, Optional) else Optional(slot, flag(present))


def slot_of(name: str, value: Any, invariants: Invariants = (), late: bool = False) -> Slot:
    """The slot for a value before the loop or (`late`) for one that only an iteration gives.

    invariants: pairs (value before the loop, shape).
    """
    if isinstance(value, MaybeNone):
        seen = presence(value)
        return Optional(slot_of(name, seen.value, invariants, late), flag(False if late else seen.present))
    if isinstance(value, TensorList):
        return growing(value, late)
    if isinstance(value, ChosenFunction):
        return Choice(value.functions, Leaf(0 if late else value.index, int32, choices=len(value.functions)))
    if late and type(value) is Ref:
        raise StagingTypeError(f"{called(name)} {_ANOTHER}")
    if nest.is_nested(value):
        inner = [*invariants, *invariants_of_parts(name, value, invariants)]
        return Parts(value, tuple(slot_of(name, part, inner, late) for _, part in nest.children(value)))
    if not isinstance(value, TENSOR_LIKE) or (isinstance(value, UNCHANGED) and not late):
        return Fixed(value)
    tensor = convert_weakly(value)
    shape = tensor.shape
    weak, of_array = is_weak(value) or is_weak(tensor), is_of_array([value])
    if late:
        sizes = shape.relax_with(TensorShape([d or 0 for d in shape.dims or ()]))  # those of the zeros
        return Leaf(ZEROS, tensor.dtype, sizes, weak, of_array)
    leaf = Leaf(value if type(value) is float else tensor, tensor.dtype, shape, weak, of_array, array=value)
    wanted = next((shape_of_invariant(shape) for owner, shape in invariants if owner is value), None)
    return leaf if wanted is None else _bounded(leaf, name, wanted)


def _bounded(leaf: Leaf, name: str, invariant: TensorShape) -> Leaf:
    if not leaf.shape.is_subtype_of(invariant):
        raise StagingValueError(
            f"{called(name)} has shape {leaf.shape} before the loop, which does not conform with the shape invariant"
            f" {invariant}."
        )
    return dataclasses.replace(leaf, shape=invariant, invariant=invariant)


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:
        return False
