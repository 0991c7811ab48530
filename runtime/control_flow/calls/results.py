"""What a function of the library returns, as a type that widens from trace to trace.

    (total, None)                          a pair of a float32 scalar and nothing
    (total, None) and then (total, 5)      a pair whose second part may be None
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime import structures as nest
from runtime.control_flow.calls.changed_arguments import Same
from runtime.control_flow.lattice.leaf import FLAG, MISSING, LeafType
from runtime.control_flow.lattice.types import Exact, Parts, Type
from runtime.dtypes import DType
from runtime.state.variable import present_value
from runtime.tensor.cast_advice import cast_advice
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["RESULTS", "Given", "declared_result", "outputs_of"]


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
