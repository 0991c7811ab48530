"""What a function of the library takes: `Parameters`, the static side of the arguments of a call.

    Parameters.of({"n": x, "k": 2})        n is an int32 scalar tensor, k is fixed: the number 2

Two calls with the same parameters can be one function. Where only numbers, texts, sizes or lengths of lists differ,
`join` gives parameters that serve both: a number becomes a tensor that still adapts to others, a size is left open, and
a list becomes one that grows: `solve(path + [x], k - 1)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime.control_flow.calls.results import Given, outputs_of
from runtime.control_flow.lattice.join import join
from runtime.control_flow.lattice.leaf import LeafType
from runtime.control_flow.lattice.types import Exact, Type
from runtime.graph.graph import Graph
from runtime.tensor.tensor import Tensor

__all__ = ["Parameters"]

Arguments = Mapping[str, Any]


_GIVEN: Final = (bool, int, float, str)


def _exact(name: str, values: Sequence[Any]) -> Type | None:
    """Numbers and texts that differ become tensors; all else that is none is the same in each call."""
    held = [v.held if isinstance(v, Exact) else v for v in values]
    tensors = [isinstance(v, LeafType | Tensor) for v in held]
    if not any(tensors) and all(_same(v, held[0]) for v in held):
        return Exact(held[0])
    if not all(is_tensor or type(v) in _GIVEN for v, is_tensor in zip(held, tensors, strict=True)):
        raise TypeError("only numbers and texts become tensors")
    return None


_CALLS: Final = Given(_exact, lists_grow=True)


@dataclass(frozen=True, slots=True)
class Parameters:
    """The types of the arguments of a call, by parameter."""

    types: dict[str, Type]

    @staticmethod
    def of(arguments: Arguments) -> Parameters:
        return Parameters({name: join(name, [value], _CALLS) for name, value in arguments.items()})

    def and_of(self, arguments: Arguments) -> Parameters:
        """These, and those of further arguments."""
        return Parameters({**self.types, **Parameters.of(arguments).types})

    def covers(self, arguments: Arguments) -> bool:
        """Whether these arguments can be given to a function that is made for these parameters."""
        wider = self.join(arguments)
        return wider is not None and wider._traced == self._traced

    @property
    def _traced(self) -> list[Any]:
        return [(leaf.traced, leaf.of_array) for type_ in self.types.values() for leaf in type_.leaves]

    def join(self, arguments: Arguments) -> Parameters | None:
        """Parameters for these arguments too; None where more than numbers, sizes and None differ."""
        if list(self.types) != list(arguments):
            return None
        try:
            return Parameters({name: join(name, [own, arguments[name]], _CALLS) for name, own in self.types.items()})
        except (TypeError, ValueError):
            return None

    def placeholders(self, graph: Graph) -> dict[str, Any]:
        """The arguments that the function's code sees: inputs of its graph in the place of tensors."""
        return {
            name: type_.value(
                leaf.marked(graph.placeholder(leaf.dtype, leaf.shape, name, leaf.weak)) for leaf in type_.leaves
            )
            for name, type_ in self.types.items()
        }

    def operands(self, arguments: Arguments) -> list[Any]:
        """The tensors among arguments that these parameters cover, in the order of the inputs."""
        return [tensor for name, type_ in self.types.items() for tensor in outputs_of(type_, arguments[name], "call")]


def _same(a: Any, b: Any) -> bool:
    """Whether two fixed values are the same: the same object, or an equal plain value of the same type."""
    if a is b:
        return True
    plain = type(a) is type(b) and isinstance(a, bool | int | float | complex | str | bytes)
    return plain and repr(a) == repr(b)
