"""What a variable of a loop may be, before the first iteration and after each: `lattice.join.Ways` of a loop.

    s = 0                       LeafType: a weak int64, and a float32 if `s + x` is one after an iteration
    best = None                 Exact, and Optional if it is a tensor after an iteration
    f = relu                    Exact, and Functions if it is another function then

Numbers and tensors are carried from the start, for an iteration may change them; texts and objects pass through as long
as none does.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError, StagingTypeError, StagingValueError
from runtime import structures as nest
from runtime.control_flow.calls.chosen import ChosenFunction
from runtime.control_flow.lattice.join import are_same
from runtime.control_flow.lattice.leaf import FLAG, MISSING, LeafType, is_tensor_like
from runtime.control_flow.lattice.types import KINDS, Exact, Functions, Growing, Optional, Parts, Type, called
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.options import Invariants, invariants_of_parts, shape_of_invariant
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.objects.world_values import Same
from runtime.control_flow.optional.values import presence
from runtime.control_flow.tries.uncertain import Uncertain
from runtime.dtypes import DType
from runtime.ndarrays.restart import restart, restart_for
from runtime.ndarrays.traced import TracedArray
from runtime.state.variable import Variable, present_value
from runtime.tensor.array_classes import holds_numbers

__all__ = ["Iterations", "declared"]

_LEGAL: Final = "only tensors, numbers, strings, None and structures of them can change in a loop over tensors"

_ANOTHER: Final = (
    "holds one of several lists, dicts or objects after an iteration, of which a tensor decides which one it is, and"
    " some of them are made in the loop. Make them before the loop, or keep a number that says which one it is"
)


@dataclass(frozen=True)
class Iterations:
    """initial: the value of the variable before the loop."""

    initial: Any

    most_functions = 8
    """A variable that holds more functions than this gets a new one in each iteration."""
    lists_grow = False

    def exact(self, name: str, values: Sequence[Any]) -> Type | None:
        first, *others = (v.held if isinstance(v, Exact) else v for v in values if v is not MISSING)
        is_late = len(others) + 1 < len(values)
        if isinstance(first, LeafType | Functions):
            return None
        if isinstance(first, ChosenFunction):
            return Functions(first.functions)
        same = all(are_same(other, first) for other in others)
        carried = is_tensor_like(first) and (is_late or not _stays(first))
        if any(type(v) is Ref for v in (first, *others)) and (not same or is_late):
            raise StagingTypeError(f"{called(name)} {_ANOTHER}")
        if same and not carried:
            return Exact(first)
        if isinstance(first, Variable) and ("." in name or "[" in name):
            raise StagingTypeError(
                f"{called(name)} holds the Variable {first.name!r} before the loop and something else after an"
                " iteration: which it would hold for the rest of the program is only known when the graph runs;"
                f" assign to the Variable instead, {name}.assign(...)"
            )
        return None

    def flag(self, name: str, values: Sequence[Any]) -> Type:
        return FLAG

    def alike(self, name: str, values: Sequence[Any]) -> Sequence[Any]:
        """The trace begins again where arrays meet tensors, and that makes arrays of both."""
        before, after = values[0], values[-1]
        if isinstance(before, Parts) and isinstance(before.model, TracedArray):
            restart_for(after)
        if isinstance(before, Growing) and after is not MISSING and not isinstance(after, TensorList):
            raise StagingTypeError(
                f"{called(name)} is a list that grows before the loop, and a value of type {type(after).__name__} after"
                " one iteration: give that another name, or put it into a list"
            )
        if not isinstance(before, LeafType | Exact) or isinstance(after, KINDS) or not nest.is_nested(after):
            return values
        if not isinstance(before, LeafType) or not isinstance(after, TracedArray):
            return [self.objects(name, values)]
        for array in nest.flatten(self.initial):
            restart(array)
        return [before, present_value(after)]

    # -- what is said of values that do not meet

    def dtypes(self, name: str, values: Sequence[Any], a: DType, b: DType) -> str:
        before, after = (LeafType.of(v.held if isinstance(v, Exact) else v).dtype for v in (values[0], values[-1]))
        return (
            f"{called(name)} has dtype {before.name} before the loop, but dtype {after.name} after one iteration; use"
            " runtime.cast"
        )

    def shape(self, name: str, declared: LeafType, found: LeafType) -> Exception | None:
        if found.shape.is_subtype_of(declared.shape):
            return None
        return StagingValueError(
            f"{called(name)} has shape {found.shape} after one iteration, which does not conform with the shape"
            f" invariant {declared.shape}. Declare the shape that the body makes, with None where it changes."
        )

    def structure(self, name: str, number: int, first: int, error: Exception) -> StagingError:
        return StagingTypeError(
            f"{called(name)} does not have the same nested structure after one iteration. Give it the same one in each"
            f" iteration, or keep what grows in a list.\n\n{error}"
        )

    def objects(self, name: str, values: Sequence[Any]) -> Type:
        before, after = (v.held if isinstance(v, Exact) else v for v in (values[0], values[-1]))
        before, after = (v.value if type(v) is Same else v for v in (before, after))
        kind = _kind_of(after)
        if isinstance(before, Functions):
            reason = f"{called(name)} is a new Python object of type {kind} after each iteration; {_LEGAL}, and"
            lost = f"{reason} functions that are made before it"  # the next iteration, and what follows, cannot have it
            return Exact(Uncertain(name, lost, StagingTypeError))
        if isinstance(before, LeafType):
            raise StagingTypeError(
                f"{called(name)} is a Python object of type {kind} at the end of the iteration, but a tensor before the"
                f" loop; {_LEGAL}"
            )
        restart_for(before, after)
        raise StagingTypeError(
            f"{called(name)} is a Python object of type {_kind_of(before)} before the loop, and another one"
            f" (of type {kind}) after one iteration; {_LEGAL}"
        )


def _stays(value: Any) -> bool:
    """Whether it could be a tensor, and stays what it is in a loop that does not change it: text, and arrays of it."""
    return isinstance(value, str | bytes | enum.Enum) or (type(value) is np.ndarray and not holds_numbers(value))


def _kind_of(value: Any) -> str:
    return "ndarray" if isinstance(value, TracedArray) else type(value).__name__


def declared(name: str, value: Any, type_: Type, invariants: Invariants) -> Type:
    """The type of a value before the loop, with the shapes that the user has said. Raises StagingValueError.

    invariants: pairs (value before the loop, shape).
    """
    if not invariants:
        return type_
    if isinstance(type_, Optional):
        return replace(type_, type=declared(name, presence(value).value, type_.type, invariants))
    if isinstance(type_, Parts):
        inner = [*invariants, *invariants_of_parts(name, value, invariants)]
        pairs = zip(nest.children(value), type_.types, strict=True)
        return Parts(type_.model, tuple(declared(name, part, own, inner) for (_, part), own in pairs))
    said = next((shape_of_invariant(shape) for owner, shape in invariants if owner is value), None)
    if said is None or not isinstance(type_, LeafType):
        return type_
    if not type_.shape.is_subtype_of(said):
        raise StagingValueError(
            f"{called(name)} has shape {type_.shape} before the loop, which does not conform with the shape invariant"
            f" {said}. Declare a shape that both have, with None where it changes."
        )
    return replace(type_, shape=said, declared=True)
