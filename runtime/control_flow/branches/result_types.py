"""What a function of the library returns, as a static type that widens from trace to trace.

    (total, None)                          a pair of a float32 scalar and nothing
    (total, None) and then (total, 5)      a pair whose second part may be None

`ResultType.of` reads the type of a value, `join` takes in another value, `outputs` flattens a value of the type into
tensors, `pack` makes the value of tensors again: what may be None is its tensors and a flag, as in branches.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from runtime import structures as nest
from runtime.control_flow.branches.merge import zeros_of
from runtime.control_flow.lists.element_types import LeafType
from runtime.control_flow.optional.values import NONE, MaybeNone, maybe_none, presence
from runtime.dtypes import DType, bool_, variant
from runtime.shapes import TensorShape
from runtime.tensor.convert import adopt, convert_to_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["ResultType", "declared_result"]


@dataclass(frozen=True, slots=True)
class Parts:
    """A structure; `model` is one like it."""

    model: Any
    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Perhaps:
    """Something that may be None; `value` is NOTHING where nothing else is known of it."""

    value: Any


class _Nothing:
    def __repr__(self) -> str:
        return "None"


NOTHING: Final = _Nothing()

FLAG: Final = LeafType(bool_, TensorShape([]))


@dataclass(frozen=True, slots=True)
class ResultType:
    """A type: `kind` is a LeafType, Parts, Perhaps or NOTHING."""

    kind: Any

    @staticmethod
    def of(value: Any) -> ResultType:
        """The type of a value. Raises TypeError for what no graph can return."""
        return ResultType(_kind_of(value))

    def join(self, value: Any) -> ResultType:
        """The type that holds for this value too. Raises TypeError, ValueError."""
        return ResultType(_join(self.kind, value))

    @property
    def leaves(self) -> list[LeafType]:
        """The types of the tensors that a value of this type is made of."""
        return list(_leaves(self.kind))

    def outputs(self, value: Any) -> list[Any]:
        """The tensors of a value of this type."""
        return list(_tensors(self.kind, value))

    def zeros(self) -> list[Any]:
        """Tensors of this type, for a place that is never reached."""
        return [zeros_of(leaf.dtype, leaf.shape) for leaf in self.leaves]

    def pack(self, tensors: Any) -> Any:
        """The value with these tensors."""
        return _pack(self.kind, iter(tensors))


def _kind_of(value: Any) -> Any:
    if value is None:
        return NOTHING
    if isinstance(value, MaybeNone):
        inner = presence(value).value
        return Perhaps(NOTHING if inner is NONE else _kind_of(inner))
    if nest.is_nested(value):
        return Parts(value, tuple(_kind_of(part) for _, part in nest.children(value)))
    return LeafType(variant, TensorShape([])) if _is_handle(value) else LeafType.of(value)


def _join(kind: Any, value: Any) -> Any:
    if value is None:
        return kind if kind is NOTHING or isinstance(kind, Perhaps) else Perhaps(kind)
    if isinstance(value, MaybeNone):
        inner, known = presence(value).value, kind.value if isinstance(kind, Perhaps) else kind
        return Perhaps(known if inner is NONE else _join_value(known, inner))
    if isinstance(kind, Perhaps) or kind is NOTHING:
        return Perhaps(_join_value(kind.value if isinstance(kind, Perhaps) else NOTHING, value))
    return _join_value(kind, value)


def _join_value(kind: Any, value: Any) -> Any:
    """`_join` where the value is not None."""
    if kind is NOTHING:
        return _kind_of(value)
    if isinstance(kind, Parts):
        pairs = zip(kind.parts, nest.corresponding(kind.model, value), strict=True)
        return Parts(kind.model, tuple(_join(known, part) for known, (_, part, _) in pairs))
    if nest.is_nested(value):
        raise TypeError(f"it is a tensor in one result, and a {type(value).__name__} in another")
    if _is_handle(value):
        return kind
    return kind.with_leaf(value)


def _is_handle(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dtype is variant


def _leaves(kind: Any) -> Iterator[LeafType]:
    if isinstance(kind, Parts):
        for part in kind.parts:
            yield from _leaves(part)
    elif isinstance(kind, Perhaps):
        yield from _leaves(kind.value)
        yield FLAG
    elif kind is not NOTHING:
        yield kind


def _tensors(kind: Any, value: Any) -> Iterator[Any]:
    if isinstance(kind, Parts):
        for part, (_, inner) in zip(kind.parts, nest.children(value), strict=True):
            yield from _tensors(part, inner)
    elif isinstance(kind, Perhaps):
        seen = presence(value)
        if seen.value is NONE:
            yield from (zeros_of(leaf.dtype, leaf.shape) for leaf in _leaves(kind.value))
        else:
            yield from _tensors(kind.value, seen.value)
        yield convert_to_tensor(seen.present)
    elif kind is not NOTHING:
        yield adopt(value if isinstance(value, Tensor) else convert_to_tensor(value), kind.dtype, "return")


def _pack(kind: Any, tensors: Iterator[Any]) -> Any:
    if isinstance(kind, Parts):
        return nest.rebuild(kind.model, [_pack(part, tensors) for part in kind.parts])
    if isinstance(kind, Perhaps):
        value = None if kind.value is NOTHING else _pack(kind.value, tensors)
        return maybe_none(value, next(tensors))
    return None if kind is NOTHING else next(tensors)


def declared_result(function: Callable[..., Any]) -> ResultType | None:
    """The type that a function's annotation says: a dtype, a TensorSpec, or a structure of them; None if none."""
    try:
        said = inspect.get_annotations(function, eval_str=True).get("return")
        return ResultType(_declared(said))
    except Exception:  # an annotation is any expression: one that cannot be evaluated, or is no such type, says nothing
        return None


def _declared(said: Any) -> Any:
    if nest.is_nested(said):
        return Parts(said, tuple(_declared(part) for _, part in nest.children(said)))
    if not isinstance(said, TensorSpec | DType):
        raise TypeError(f"{said!r} is no type of a tensor")
    spec = TensorSpec(None, said) if isinstance(said, DType) else said
    return LeafType(spec.dtype, spec.shape, declared=True)
