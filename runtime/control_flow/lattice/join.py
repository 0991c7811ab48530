"""The type of what a variable is where several ways meet: the ends of branches, what is before and after an iteration.

    join("y", [1, x], ways)             LeafType: float32, if x is a float32 tensor
    join("y", [None, x], ways)          Optional
    join("y", [type_, after], ways)     the type for what is of `type_` and for what an iteration leaves

MISSING stands for a way that gives no value. What meets may be values and types; `Ways` says what the statement lets
pass through as it is, and what is to be said where values do not meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from autograph.errors import StagingTypeError
from runtime import structures as nest
from runtime.control_flow.calls.chosen import choices_of
from runtime.control_flow.lattice.leaf import MISSING, LeafType, is_pythons_bool, is_tensor_like, met
from runtime.control_flow.lattice.types import (
    KINDS,
    Exact,
    Functions,
    Growing,
    Optional,
    OrBool,
    Parts,
    Probe,
    Type,
    Undefinable,
    called,
    corresponding,
    no_growing,
)
from runtime.control_flow.lists.element_types import ElementType, joined
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.ref_members import value_type
from runtime.control_flow.optional.values import NONE, Presence, Untyped, presence, view
from runtime.control_flow.tries.uncertain import Uncertain
from runtime.dtypes import DType
from runtime.state.variable import Variable
from runtime.tensor.tensor import Tensor

__all__ = ["Ways", "are_same", "join", "join_leaf", "join_variable", "lengths_differ"]

Row = Sequence[Any]


class Ways(Protocol):
    """The ways of one statement on which a variable gets its values."""

    most_functions: int
    """A variable that may be more functions than this has no type."""
    lists_grow: bool
    """Whether lists of several lengths become one that grows."""

    def exact(self, name: str, values: Row, /) -> Type | None:
        """The type of what is no structure, if it is to pass through as it is."""

    def flag(self, name: str, values: Row) -> Type:
        """The type of a flag "present" or "defined"."""
        ...

    def alike(self, name: str, values: Row) -> Row:
        """Structures, of which some may be made ones of another kind."""
        ...

    def dtypes(self, name: str, values: Row, a: DType, b: DType) -> str:
        """What is said of dtypes that do not meet."""
        ...

    def shape(self, name: str, declared: LeafType, found: LeafType) -> Exception | None:
        """For a shape that does not fit the one which was declared."""

    def structure(self, name: str, number: int, first: int, error: Exception) -> Exception:
        """For a structure that is another one than the first; they are given by number."""
        ...

    def objects(self, name: str, values: Row) -> Type:
        """The type of what is no tensor, and differs. Raises StagingTypeError."""
        ...


def join_variable(name: str, values: Row, ways: Ways) -> Type:
    """The type of a variable, which may have no value on some of the ways."""
    views = [view(v) for v in values]
    if all(v.defined is False for v in views):
        return Exact(views[0].placeholder)
    inner = join(name, [MISSING if v.defined is False else v.value for v in views], ways)
    if all(v.defined is True for v in views):
        return inner
    placeholder = next(v.placeholder for v in views if v.placeholder is not None)
    return Undefinable(inner, ways.flag(name, [v.defined for v in views]), placeholder)


def join(name: str, values: Row, ways: Ways, path: str = "") -> Type:
    """The type of the values, or of their parts at `path`. Raises StagingTypeError, StagingValueError."""
    seen = [None if v is MISSING else _presence(v) for v in values]
    if all(s is None or s.present is True for s in seen):
        return _structure(name, values, ways, path)
    inner = [MISSING if s is None or s.value is NONE else s.value for s in seen]
    if all(v is MISSING for v in inner):
        held = next((v for v in values if isinstance(v, Untyped | Probe)), None)
        return held if isinstance(held, Probe) else Exact(held)
    flag = ways.flag(name, [MISSING if s is None else s.present for s in seen])
    return Optional(_structure(name, inner, ways, path), flag)


def _presence(value: Any) -> Presence:
    if isinstance(value, Optional):
        return Presence(value.flag, value.type)
    if isinstance(value, Probe):
        return Presence(False, NONE)
    if isinstance(value, Exact) and (seen := presence(value.held)).present is not True:
        return seen
    return Presence(True, value) if isinstance(value, KINDS) else presence(value)


def _structure(name: str, values: Row, ways: Ways, path: str) -> Type:
    values = ways.alike(name, values)
    models = [v.model if isinstance(v, Parts) else v for v in values]
    nested = [i for i, m in enumerate(models) if isinstance(values[i], Parts | Growing) or _is_nested(m)]
    if not nested:
        return join_leaf(name, values, ways)
    there = [m for m in models if m is not MISSING]
    if any(isinstance(m, TensorList | Growing) for m in there) or (ways.lists_grow and lengths_differ(*there)):
        return _growing(name, models, ways)
    first = next((i for i in nested if isinstance(models[i], Grown)), nested[0])
    model = models[first]
    if hasattr(type(model), "_nest_joined") and all(type(m) is type(model) for m in there):
        model = model._nest_as(type(model)._nest_joined(there))
    steps = [step for step, _ in nest.children(model)]
    columns: list[list[Any]] = [[] for _ in steps]
    for i, value in enumerate(values):
        parts: Sequence[Any] = [MISSING] * len(steps)
        if isinstance(value, Parts) and i == first:
            parts = value.types
        elif value is not MISSING:
            try:
                parts = corresponding(model, value, path)
            except (TypeError, ValueError) as error:
                raise ways.structure(name, i, first, error) from None
        for column, part in zip(columns, parts, strict=True):
            column.append(part)
    types = [join(name, column, ways, path + step) for step, column in zip(steps, columns, strict=True)]
    return Parts(model, tuple(types))


def _is_nested(value: Any) -> bool:
    return value is not MISSING and not isinstance(value, KINDS) and nest.is_nested(value)


def lengths_differ(*values: Any) -> bool:
    """Whether the values are lists that a graph can only carry as one that grows."""
    if not all(type(value) in (list, TensorList) for value in values):
        return False
    kinds = {type(value) for value in values}
    return len(kinds) > 1 or (kinds == {list} and len({len(value) for value in values}) > 1)


def _growing(name: str, values: Row, ways: Ways) -> Type:
    first = next(i for i, v in enumerate(values) if v is not MISSING)
    known: list[ElementType | None] = []
    for i, value in enumerate(values):
        if isinstance(value, TensorList):
            known.append(value.detached().elements)
        elif isinstance(value, Growing):
            known.append(value.elements)
        elif value is not MISSING:
            if type(value) is not list or not ways.lists_grow:
                error = TypeError(f"one is a list that grows in the graph, the other of type {type(value).__name__}")
                raise ways.structure(name, i, first, error)
            known.append(_elements_of(name, value))
    try:
        return Growing(name, joined(known))
    except (TypeError, ValueError) as error:
        if not ways.lists_grow:
            raise StagingTypeError(f"{called(name)} does not keep the type of its elements: {error}") from None
        raise ways.structure(name, len(values) - 1, first, error) from None


def _elements_of(name: str, items: Iterable[Any]) -> ElementType | None:
    try:
        return ElementType.of_all(items)
    except (TypeError, ValueError) as error:
        raise no_growing(name, error) from None


def join_leaf(name: str, values: Row, ways: Ways) -> Type:
    flags = [_flag_of_bool(v) for v in values]
    values = [v.type if isinstance(v, OrBool) else v for v in values]
    there = [v for v in values if v is not MISSING]
    for value in there:
        if isinstance(value, Exact) and type(value.held) is Uncertain:  # what an iteration leaves is lost
            return value
    if (exact := ways.exact(name, values)) is not None:
        return exact
    held = [v.held if isinstance(v, Exact) else v for v in there]
    held = [value_type(v) for v in held]  # members of an enumeration beside numbers are numbers
    if not all(isinstance(v, LeafType | Variable) or is_tensor_like(v) for v in held):
        functions = choices_of([f for v in held for f in (v.functions if isinstance(v, Functions) else (v,))])
        if functions is None or len(functions) > ways.most_functions:
            return ways.objects(name, there)
        return Functions(functions)
    leaves = [LeafType.of(v) for v in held]
    said = leaves[0]
    if said.declared:
        for wrong in filter(None, (ways.shape(name, said, leaf) for leaf in leaves)):
            raise wrong
        leaves = [replace(leaf, declared=True, shape=said.shape) for leaf in leaves]
    found = met(leaves, lambda a, b: ways.dtypes(name, values, a, b), called(name))
    if found.weak and not found.dtype.is_bool and any(flag is not False and flag is not MISSING for flag in flags):
        return OrBool(found, ways.flag(name, flags))
    return found


def _flag_of_bool(value: Any) -> Any:
    """`is_pythons_bool` for what meets."""
    if isinstance(value, OrBool):
        return value.flag
    return value if value is MISSING else is_pythons_bool(value.held if isinstance(value, Exact) else value)


def are_same(a: Any, b: Any) -> bool:
    """Whether two values are the same for sure: one object, or plain values that are equal."""
    if a is b:
        return True
    if isinstance(a, Tensor | np.ndarray) or isinstance(b, Tensor | np.ndarray) or type(a) is not type(b):
        return False
    if isinstance(a, float | complex):
        return repr(a) == repr(b)  # 0.0 and -0.0 differ, nan is itself
    try:
        return bool(a == b)
    except Exception:
        return False
