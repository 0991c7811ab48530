"""How a list that grows is carried through a staged loop: its handles, and the type of its elements.

values = TensorList([0])                 # Growing: one handle; int32, from a literal
for i in range(n): values.append(x)      # x is float32: traced again with a list of float32, cast before the loop
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from autograph.errors import StagingTypeError
from runtime.control_flow.branches.merge import MISSING, called
from runtime.control_flow.lists.element_types import ElementType, LeafType, joined
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.leaf import ZEROS, Leaf, Tensors
from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.ops.lists import list_cast
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Growing", "growing"]


@dataclass(frozen=True, eq=False)
class Handle(Leaf):
    """One handle. known: what its elements are before the loop; element: what they are in it."""

    known: LeafType | None = None
    element: LeafType | None = None

    @property
    def type(self) -> tuple[Any, ...]:
        return Handle, self.element

    def start(self) -> SymbolicTensor:
        tensor = super().start()
        if self.known is None or self.element is None or self.known.dtype is self.element.dtype:
            return tensor
        return list_cast(tensor, element_dtype=self.element.dtype)  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class Growing:
    """A `TensorList` as a slot of the loop (see `runtime.control_flow.loops.slots`)."""

    elements: ElementType | None
    handles: tuple[Handle, ...]

    @property
    def leaves(self) -> list[Leaf]:
        return list(self.handles)

    def parameter(self, graph: Graph, name: str) -> Any:
        return TensorList.like(self.elements, [handle.parameter(graph, name) for handle in self.handles])

    def widened(self, name: str, result: Any) -> Growing:
        if not isinstance(result, TensorList):
            raise StagingTypeError(
                f"{called(name)} is a list that grows before the loop, and a value of type {type(result).__name__}"
                " after one iteration"
            )
        try:
            elements = joined([self.elements, result.elements])
        except (TypeError, ValueError) as error:
            raise StagingTypeError(f"{called(name)} does not keep the type of its elements: {error}") from None
        if elements is None or (self.elements is not None and elements.leaves == self.elements.leaves):
            return self
        handles = self.handles * len(elements.leaves) if self.elements is None else self.handles
        pairs = zip(handles, elements.leaves, strict=True)
        return Growing(elements, tuple(replace(handle, element=leaf) for handle, leaf in pairs))

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        parts = [MISSING] * len(self.handles) if result is MISSING else result.handles_as(self.elements)
        pairs = zip(self.handles, parts, strict=True)
        return [tensor for handle, part in pairs for tensor in handle.following(name, part, parameters)]

    def final(self, outputs: Tensors) -> Any:
        return TensorList.like(self.elements, [handle.final(outputs) for handle in self.handles])


def growing(value: TensorList, late: bool) -> Growing:
    """The slot for a list before the loop, or (`late`) for one that only an iteration gives."""
    known = [None] if value.elements is None else value.elements.leaves
    return Growing(
        value.elements,
        tuple(
            Handle(ZEROS if late else handle, variant, known=leaf, element=leaf)
            for handle, leaf in zip(value.handles, known, strict=True)
        ),
    )
