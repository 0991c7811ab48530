"""What a function of the library takes: `Parameters`, the static side of the arguments of a call.

    Parameters.of({"n": x, "k": 2})        n is an int32 scalar tensor, k is fixed: the number 2

Two calls with the same parameters can be one function. Where only numbers or sizes differ, `join` gives parameters that
serve both: a number becomes a tensor that still adapts to others, a size is left open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from runtime import structures as nest
from runtime.control_flow.branches.merge import is_weak
from runtime.control_flow.lists.element_types import LeafType
from runtime.dtypes import DType
from runtime.graph.graph import Graph
from runtime.shapes import TensorShape
from runtime.tensor.convert import adopt, convert_to_tensor
from runtime.tensor.literals import KIND_ORDER, literal_dtype, weak_dtype
from runtime.tensor.tensor import Tensor

__all__ = ["Parameters"]

Arguments = Mapping[str, Any]


class Slot:
    """Stands for a tensor of this type: a leaf, which a dataclass is not."""

    __slots__ = ("kind",)

    def __init__(self, kind: LeafType) -> None:
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Parameters:
    """The arguments of a call by parameter, with a Slot in the place of each tensor; all else is fixed."""

    slots: dict[str, Any]

    @staticmethod
    def of(arguments: Arguments) -> Parameters:
        return Parameters({name: nest.map_structure(_slot_of, value) for name, value in arguments.items()})

    def covers(self, arguments: Arguments) -> bool:
        """Whether these arguments can be given to a function that is made for these parameters."""
        pairs = self._pairs(arguments)
        return pairs is not None and all(_covers(slot, value) for slot, value in pairs)

    def join(self, arguments: Arguments) -> Parameters | None:
        """Parameters for these arguments too; None where more than numbers and sizes differ."""
        pairs = self._pairs(arguments)
        if pairs is None:
            return None
        try:
            joined = iter([_join(slot, value) for slot, value in pairs])
        except (TypeError, ValueError):
            return None
        return Parameters({n: nest.map_structure(lambda _: next(joined), slot) for n, slot in self.slots.items()})

    def placeholders(self, graph: Graph) -> dict[str, Any]:
        """The arguments that the function's code sees: inputs of its graph in the place of tensors."""

        def parameter(slot: Any, name: str) -> Any:
            if not isinstance(slot, Slot):
                return slot
            return graph.placeholder(slot.kind.dtype, slot.kind.shape, name, slot.kind.weak)

        return {n: nest.map_structure(partial(parameter, name=n), slots) for n, slots in self.slots.items()}

    def operands(self, arguments: Arguments) -> list[Any]:
        """The tensors among arguments that these parameters cover, in the order of the inputs."""
        pairs = self._pairs(arguments)
        assert pairs is not None
        return [_as_tensor(value, slot.kind.dtype) for slot, value in pairs if isinstance(slot, Slot)]

    def _pairs(self, arguments: Arguments) -> list[tuple[Any, Any]] | None:
        if list(self.slots) != list(arguments):
            return None
        pairs: list[tuple[Any, Any]] = []
        for name, slots in self.slots.items():
            try:
                nest.assert_same_structure(slots, arguments[name])
            except (TypeError, ValueError):
                return None
            pairs += zip(nest.flatten(slots), nest.flatten(arguments[name]), strict=True)
        return pairs


def _slot_of(value: Any) -> Any:
    return Slot(LeafType(value.dtype, value.shape, is_weak(value))) if isinstance(value, Tensor) else value


def _covers(slot: Any, value: Any) -> bool:
    if not isinstance(slot, Slot):
        return not isinstance(value, Tensor) and _same(slot, value)
    kind = slot.kind
    if isinstance(value, Tensor):
        return value.dtype is kind.dtype and value.shape.is_subtype_of(kind.shape)
    return type(value) in (bool, int, float) and kind.shape.rank == 0 and _adapts(value, kind.dtype)


def _adapts(number: Any, dtype: DType) -> bool:
    """Whether a Python number takes this dtype without a change of its kind from bool to a number."""
    found = literal_dtype(number)
    return found is dtype or (found.is_numeric and KIND_ORDER[found.kind] <= KIND_ORDER.get(dtype.kind, -1))


def _join(slot: Any, value: Any) -> Any:
    if _covers(slot, value):
        return slot
    if isinstance(slot, Slot):
        return Slot(slot.kind.with_leaf(value))
    if type(slot) not in (bool, int, float):
        raise TypeError("only numbers become tensors")
    return Slot(LeafType(weak_dtype(slot), TensorShape([]), weak=True).with_leaf(value))


def _same(a: Any, b: Any) -> bool:
    """Whether two fixed values are the same: the same object, or an equal plain value of the same type."""
    if a is b:
        return True
    plain = type(a) is type(b) and isinstance(a, bool | int | float | complex | str | bytes)
    return plain and repr(a) == repr(b)


def _as_tensor(value: Any, dtype: DType) -> Any:
    tensor = value if isinstance(value, Tensor) else convert_to_tensor(value)
    return adopt(tensor, dtype, "call")
