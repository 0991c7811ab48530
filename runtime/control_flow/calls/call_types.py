"""What a function of the library takes and returns, as types that widen from trace to trace.

    Parameters.of({"n": x, "k": 2})        n is an int32 scalar tensor, k is fixed: the number 2
    (total, None) and then (total, 5)      of results: a pair whose second part may be None

Two calls with the same parameters can be one function. Where only numbers, texts, sizes or lengths of lists differ,
`join` gives parameters that serve both: a number becomes a tensor that still adapts to others, a size is left open, and
a list becomes one that grows: `solve(path + [x], k - 1)`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime import structures as nest
from runtime.control_flow.calls.changed_arguments import Same
from runtime.control_flow.lattice.join import join
from runtime.control_flow.lattice.leaf import FLAG, MISSING, LeafType
from runtime.control_flow.lattice.types import Exact, Members, Parts, Type
from runtime.dtypes import DType
from runtime.graph.graph import Graph
from runtime.state.variable import present_value
from runtime.tensor.cast_advice import cast_advice
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["RESULTS", "Given", "Parameters", "declared_result", "outputs_of"]

@dataclass(eq=False)
class Given:
    """`Ways` of what calls are given and give: tensors, None and structures of them. Raises TypeError for others.

    exact: see `Ways`.
    """

    exact: Callable[[str, Sequence[Any]], Type | None]
    lists_grow: bool = False
    most_functions = 0

    def flag(self, name: str, values: Sequence[Any]) -> Type:
        return FLAG

    def alike(self, name: str, values: Sequence[Any]) -> Sequence[Any]:
        return values

    def dtypes(self, name: str, values: Sequence[Any], a: DType, b: DType) -> str:
        advice = cast_advice("result", a, "result", b, f"for the {a.name} one", f"for the {b.name} one")
        return f"one result is {a.name}, another is {b.name}; {advice}"

    def shape(self, name: str, declared: LeafType, found: LeafType) -> Exception | None:
        if found.shape.is_compatible_with(declared.shape):
            return None
        return ValueError(f"a result has shape {found.shape}, but the annotation says {declared.shape}")

    def structure(self, name: str, number: int, first: int, error: Exception) -> Exception:
        return TypeError(str(error))

    def objects(self, name: str, values: Sequence[Any]) -> Type:
        kinds = (type(v).__name__ for v in values if not isinstance(v, LeafType | Tensor))
        raise TypeError(f"a graph returns tensors, numbers, strings and structures of them; got a {next(kinds)}")


def _same_argument(name: str, values: Sequence[Any]) -> Type | None:
    there = [value.held if isinstance(value, Exact) else value for value in values if value is not MISSING]
    members = [Members.of(value) for value in there]
    if members and members[0] is not None and all(m is not None and m.kind is members[0].kind for m in members):
        return members[0]
    return Exact(there[0]) if there and all(isinstance(v, Same) and v.key == there[0].key for v in there) else None


RESULTS: Final = Given(_same_argument, lists_grow=True)


def outputs_of(type_: Type, value: Any, where: str = "return") -> list[Any]:
    """The tensors of a value of a type; of MISSING, for a place that is never reached, tensors of this type."""
    pairs = zip(type_.leaves, type_.parts(value), strict=True)
    return [leaf.zeros() if p is MISSING else leaf.adopted(present_value(p), where) for leaf, p in pairs]


def declared_result(function: Callable[..., Any]) -> Type | None:
    """The type that a function's annotation says: a dtype, a TensorSpec, or a structure of them; None if none."""
    try:
        return _declared(inspect.get_annotations(function, eval_str=True).get("return"))
    except Exception:  # an annotation is any expression: one that cannot be evaluated, or is no such type, says nothing
        return None


def _declared(said: Any) -> Type:
    if nest.is_nested(said):
        return Parts(said, tuple(_declared(part) for _, part in nest.children(said)))
    if not isinstance(said, TensorSpec | DType):
        raise TypeError(f"{said!r} is no type of a tensor")
    spec = TensorSpec(None, said) if isinstance(said, DType) else said
    return LeafType(spec.dtype, spec.shape, declared=True)

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
