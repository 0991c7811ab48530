"""How a list that grows is carried through a staged loop: its handles, and the type of its elements.

values = TensorList([0])                 # Growing: one handle; int32, from a literal
for i in range(n): values.append(x)      # x is float32: traced again with a list of float32, cast before the loop
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from autograph.errors import StagingTypeError
from runtime.control_flow.branches.merge import MISSING, called
from runtime.control_flow.lists.element_types import ElementType, joined
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.leaf import ZEROS, Leaf, Tensors
from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Growing", "growing"]


@dataclass(frozen=True, eq=False)
class Handle(Leaf):
    """One handle. before: the list before the loop; elements: what its elements are in it; number: of the leaf."""

    before: TensorList | None = None
    elements: ElementType | None = None
    number: int = 0

    @property
    def type(self) -> tuple[Any, ...]:
        leaf = None if self.elements is None else self.elements.leaves[self.number]
        return Handle, leaf, self.elements is not None and self.elements.of_row

    def start(self) -> SymbolicTensor:
        if self.before is None:
            return super().start()
        return replace(self, initial=self.before.handles_as(self.elements)[self.number], before=None).start()


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
            elements = joined([self.elements, result.detached().elements])
        except (TypeError, ValueError) as error:
            raise StagingTypeError(f"{called(name)} does not keep the type of its elements: {error}") from None
        if elements is None or (self.elements is not None and elements.is_as(self.elements)):
            return self
        model = self.handles[0]
        return Growing(
            elements, tuple(replace(model, elements=elements, number=i) for i in range(len(elements.leaves)))
        )

    def following(self, name: str, result: Any, parameters: Tensors) -> list[SymbolicTensor]:
        parts = [MISSING] * len(self.handles) if result is MISSING else result.handles_as(self.elements)
        pairs = zip(self.handles, parts, strict=True)
        return [tensor for handle, part in pairs for tensor in handle.following(name, part, parameters)]

    def final(self, outputs: Tensors) -> Any:
        return TensorList.like(self.elements, [handle.final(outputs) for handle in self.handles])


def growing(value: TensorList, late: bool) -> Growing:
    """The slot for a list before the loop, or (`late`) for one that only an iteration gives."""
    value = value.detached()
    before = None if late else value
    return Growing(
        value.elements,
        tuple(
            Handle(ZEROS if late else handle, variant, before=before, elements=value.elements, number=i)
            for i, handle in enumerate(value.handles)
        ),
    )
