"""What a value that is made of tensors says of itself, so that it goes wherever a tensor goes.

    class Interval:
        def _nest_parts(self): return [(".low", self.low), (".high", self.high)]
        def _nest_rebuild(self, parts): return Interval(*parts)
        def _nest_check(self, other): ...                      # TypeError if other is of another kind

`runtime.nest` reads the first three, and with it everything that walks through structures: arguments and results of
Functions, branches, the state of loops, the signatures of traces. So no room has a case for ragged or sparse tensors;
they, TensorArrays, growing lists and IndexedSlices all are `Composite`s. The rest of the protocol is optional:

- `_nest_static()`: what of the value is no tensor; values that differ in it need a trace each.
- `_nest_separable`: that the parts are values of their own: each is a component of the elements of a dataset.
- `_nest_with_shapes(change)`: that a row of the value is that row of each part, for functions of rows and for batches;
  it gives the value with `change(shape)` in the place of the shapes that it keeps beside its parts.
- `_nest_open`: parts (as `_nest_parts` calls them) whose first dimension is not of the type: a trace leaves it open.
- `_nest_stands_for`: on the class of a spec, the class that it describes: both have one key among the traces. A spec's
  parts are specs, and `_nest_rebuild` makes a value of tensors, and a spec of specs.
- `_nest_joined(values)`, `_nest_as(what)`: what values of several branches have in common, and one of them as that.
- `_nest_invariant(shape)`: the spec for which a shape stands that a loop is given as the invariant of the value.
- `__ag_items__()`: (number of items, item at a position), for `for item in value` in a graph.
- `__ag_print__()`: the texts and tensors that `runtime.print` writes for the value, one after the other.
- `runtime.tensor.composites.HANDLERS`: what carries out operations on the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["Composite", "WithOperators", "is_value", "with_operators"]


@runtime_checkable
class Composite(Protocol):
    """See the module's docstring."""

    def _nest_parts(self) -> list[tuple[str, Any]]:
        """The parts in order, each with how it is reached; they are tensors or composites."""
        ...

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        """A value like this one with other parts. Nothing is checked: they may be anything that stands for tensors."""
        ...

    def _nest_check(self, other: Any) -> None:
        """Raises TypeError where `other` is of another kind."""
        ...


def is_value(part: Any) -> bool:
    """Whether a part is a tensor at all, rather than something that stands for one in a signature or a text."""
    return isinstance(part, Tensor | np.ndarray)


# -- operators -----------------------------------------------------------------------------------------------------

_BINARY: Final = {
    "add": ("__add__", "__radd__"), "subtract": ("__sub__", "__rsub__"), "multiply": ("__mul__", "__rmul__"),
    "divide": ("__truediv__", "__rtruediv__"), "floordiv": ("__floordiv__", "__rfloordiv__"),
    "floormod": ("__mod__", "__rmod__"), "pow": ("__pow__", "__rpow__"), "bitwise_and": ("__and__", "__rand__"),
    "bitwise_or": ("__or__", "__ror__"), "bitwise_xor": ("__xor__", "__rxor__"), "less": ("__lt__",),
    "less_equal": ("__le__",), "greater": ("__gt__",), "greater_equal": ("__ge__",), "equal": ("__eq__",),
    "not_equal": ("__ne__",),
}  # fmt: skip

_UNARY: Final = {"negative": "__neg__", "abs": "__abs__", "invert": "__invert__"}


Kind = TypeVar("Kind", bound=type)

if TYPE_CHECKING:  # what the decorator adds

    class WithOperators:
        """A class with operators."""

        def __add__(self, other: Any) -> Self: ...
        def __radd__(self, other: Any) -> Self: ...
        def __sub__(self, other: Any) -> Self: ...
        def __rsub__(self, other: Any) -> Self: ...
        def __mul__(self, other: Any) -> Self: ...
        def __rmul__(self, other: Any) -> Self: ...
        def __truediv__(self, other: Any) -> Self: ...
        def __rtruediv__(self, other: Any) -> Self: ...
        def __floordiv__(self, other: Any) -> Self: ...
        def __rfloordiv__(self, other: Any) -> Self: ...
        def __mod__(self, other: Any) -> Self: ...
        def __rmod__(self, other: Any) -> Self: ...
        def __pow__(self, other: Any) -> Self: ...
        def __rpow__(self, other: Any) -> Self: ...
        def __and__(self, other: Any) -> Self: ...
        def __or__(self, other: Any) -> Self: ...
        def __xor__(self, other: Any) -> Self: ...
        def __lt__(self, other: Any) -> Self: ...
        def __le__(self, other: Any) -> Self: ...
        def __gt__(self, other: Any) -> Self: ...
        def __ge__(self, other: Any) -> Self: ...
        def __eq__(self, other: object) -> Self: ...  # type: ignore[override]
        def __ne__(self, other: object) -> Self: ...  # type: ignore[override]
        def __neg__(self) -> Self: ...
        def __abs__(self) -> Self: ...
        def __invert__(self) -> Self: ...
else:
    WithOperators = object


def with_operators(decorated: Kind) -> Kind:
    """Decorator: Python's operators on a class as operations, as tensors have them; numpy's functions are refused."""
    kind: Any = decorated
    kind.__array_ufunc__ = None
    kind.__array__ = _refuse_array
    kind.__contains__ = _refuse_in
    for name, methods in _BINARY.items():
        for method, swapped in zip(methods, (False, True), strict=False):
            setattr(kind, method, _operator(name, method, swapped))
    for name, method in _UNARY.items():
        setattr(kind, method, _operator(name, method, None))
    return decorated


def _refuse_array(self: Any, *args: Any, **kwargs: Any) -> Any:
    name = type(self).__name__
    raise TypeError(f"a {name} is no ndarray; use its parts, or runtime's functions in the place of numpy's")


def _refuse_in(self: Any, item: Any) -> bool:
    raise TypeError(f"`in` is not defined for a {type(self).__name__}; use runtime.reduce_any(values == item)")


def _operator(name: str, method: str, swapped: bool | None) -> Any:
    def unary(self: Any) -> Any:
        return REGISTRY[name](self)

    def binary(self: Any, other: Any) -> Any:
        if other is None:
            return {"equal": False, "not_equal": True}.get(name, NotImplemented)
        return REGISTRY[name](other, self) if swapped else REGISTRY[name](self, other)

    made = unary if swapped is None else binary
    made.__name__ = method
    return made
