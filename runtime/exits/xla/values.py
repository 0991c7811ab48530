"""Lists in XLA: a buffer with room, of elements of one shape, and how many of them there are.

    two = Row.empty().push(x, ...).push(y, ...)
    two.length                      # Length(None, 2): known; Length(n, 2) is two more than a value of the run

Nothing in XLA grows. A list knows how many elements it has at most (`bound`), so a loop that is known to run at most so
many turns, in each of which a list grows by at most so many elements, has a buffer that is large enough from the start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from runtime.exits.rules import Refused
from runtime.exits.xla.library import jnp
from runtime.ops.kernels.list_value import ListValue, unboxed

__all__ = ["EMPTY", "Form", "Handle", "Length", "Row", "form_of", "formed", "joined_forms", "register",
           "row_of"]  # fmt: skip


@dataclass(frozen=True)
class Handle:
    """What an operand is that stands for a Variable: which input of the outermost graph it is."""

    place: int


@dataclass(frozen=True)
class Length:
    """A number of elements: one of the run (None: 0) and one that is known."""

    base: Any
    plus: int

    def value(self) -> Any:
        """The number: a numpy array where it is known."""
        plus = np.asarray(self.plus, np.int32)
        return plus if self.base is None else self.base + plus

    def is_same(self, other: Length) -> bool:
        """Whether both are known to be equal."""
        return self.base is other.base and self.plus == other.plus


@dataclass(frozen=True)
class Row:
    """See the module's docstring. buffer: None as long as nothing is known of the elements."""

    buffer: Any
    length: Length
    bound: int

    @property
    def capacity(self) -> int:
        """For how many elements there is room."""
        return 0 if self.buffer is None else int(self.buffer.shape[0])

    def of_elements(self, dtype: Any, shape: tuple[int, ...]) -> Row:
        """The same list, which is known to be of such elements. Raises Refused if it is of others."""
        if self.buffer is None:
            return replace(self, buffer=jnp.zeros((self.bound, *shape), dtype))
        if tuple(self.buffer.shape[1:]) != tuple(shape):
            raise Refused(
                f"a list has elements of different shapes, {tuple(self.buffer.shape[1:])} and {tuple(shape)}; in XLA"
                " all of them have one shape"
            )
        return self

    def with_room(self, capacity: int) -> Row:
        """With a buffer for at least so many elements."""
        if self.buffer is None or self.capacity >= capacity:
            return self
        more = [(0, capacity - self.capacity)] + [(0, 0)] * (self.buffer.ndim - 1)
        return replace(self, buffer=jnp.pad(self.buffer, more))


EMPTY: Final = Row(None, Length(None, 0), 0)


@dataclass(frozen=True)
class Form:
    """What has to be the same of a list wherever ways of a program meet."""

    element: tuple[Any, tuple[int, ...]] | None
    capacity: int
    bound: int


def form_of(row: Row) -> Form:
    """The form of a list."""
    element = None if row.buffer is None else (np.dtype(row.buffer.dtype), tuple(row.buffer.shape[1:]))
    return Form(element, row.capacity, row.bound)


def joined_forms(first: Form, second: Form) -> Form:
    """The form that lists of both forms can take on. Raises Refused."""
    if first.element is not None and second.element is not None and first.element != second.element:
        raise Refused(f"a list has elements of different kinds: {first.element} and {second.element}")
    bound = max(first.bound, second.bound)
    return Form(first.element or second.element, max(first.capacity, second.capacity, bound), bound)


def formed(row: Row, form: Form) -> Row:
    """A list in a form that it can take on."""
    if form.element is None:
        return replace(row, bound=form.bound)
    return replace(row.of_elements(*form.element).with_room(form.capacity), bound=form.bound)


def row_of(value: Any) -> Row:
    """The list that a handle of the numpy engine holds. Raises Refused for lists that have no buffer."""
    held = value if isinstance(value, ListValue) else unboxed(value)
    if not isinstance(held, ListValue):
        raise Refused("it is no list of tensors")
    items = [np.asarray(item) for item in held if item is not None]
    kinds = {(item.dtype, item.shape) for item in items}
    if len(kinds) > 1 or any(dtype.kind == "O" for dtype, _ in kinds):
        raise Refused("a list has elements of different shapes, or lists in it; in XLA all have one shape")
    if len(items) < len(held):
        if items:
            raise Refused("it is a TensorArray of which some elements are written")
        return Row(None, Length(None, len(held)), len(held))
    return Row(np.stack(items) if items else None, Length(None, len(items)), len(items))


def register(jax: Any) -> None:
    """Tells JAX how lists are made of arrays: those go in and out of programs."""
    jax.tree_util.register_pytree_node(Row, _parts_of, _of_parts)


def _parts_of(row: Row) -> tuple[tuple[Any, ...], Any]:
    return (row.buffer, row.length.base), (row.length.plus, row.bound)


def _of_parts(known: Any, parts: Any) -> Row:
    return Row(parts[0], Length(parts[1], known[0]), known[1])
