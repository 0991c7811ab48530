"""An operation on a `Ref`: a staged `if` over which object it is, with the operation in each branch.

    each(row, lambda value: value.append(x), x)     # if <row is first>: first.append(x)  else: second.append(x)

So all works that works in the branches of an `if`, is merged as these are, and is refused where these are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, is_dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, TypeVar

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.context import current_recorder
from runtime.control_flow.branches.if_statement import one_of
from runtime.control_flow.branches.known import assumed
from runtime.control_flow.branches.possible import can_be
from runtime.control_flow.lists.promotion import moved_to
from runtime.control_flow.lists.tensor_list import CHANGES
from runtime.control_flow.objects.maybe_contents import MaybeContainer, with_all_keys
from runtime.control_flow.objects.ref_members import as_value, is_valued
from runtime.control_flow.objects.refs import Ref, among, known_object
from runtime.control_flow.optional.values import MaybeNone, inside_of, with_inside
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.graph import Graph
from runtime.graph.location import here
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.convert import convert_to_tensor

__all__ = ["as_now", "choice_of", "each", "each_key", "has_refs", "with_copies"]

T = TypeVar("T")

WHERE: Final = "an operation on one of several lists, dicts or objects"


@dataclass(frozen=True, slots=True)
class _Part:
    """The operation on one of the objects. operands: what else it may change."""

    ref: Ref
    number: int
    operation: Callable[[Any], Any]
    operands: tuple[Any, ...]

    def __call__(self) -> Any:
        return self.operation(self.ref._ag_objects[self.number])  # which may be a list that grows by now

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self.ref, *map(as_now, self.operands))


def each(ref: Ref, operation: Callable[[Any], Any], *operands: Any) -> Any:
    """The result of an operation on the object that a Ref is. operands: what else the operation may change."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        raise StagingError("one of several objects, of which a graph decides which one it is, is used outside of it")
    ref = _possible(ref, graph)
    if type(ref) is not Ref:
        return operation(ref)
    if any(hasattr(type(operand), "__ag_begin_again__") for operand in operands):
        raise StagingError(
            f"a generator is given to {WHERE}, of which a tensor decides which one it is{here()}, and can be gone"
            " through only once. Give a list of its items (`list(...)`)"
        )
    parts = [_Part(ref, number, operation, operands) for number in range(len(ref._ag_objects))]
    return one_of(*choice_of(ref, parts), "the result", WHERE)


def _possible(ref: Ref, graph: Graph) -> Any:
    """What it may be where code is traced now, inside of `if isinstance(row, Point)`: fewer objects, or one."""
    if len(ref._ag_objects) == 2:
        return known_object(ref)
    around = list(islice(assumed(graph), _MOST_AROUND))
    flags = [not around or can_be([*around, (ref._ag_selector, i)]) for i in range(len(ref._ag_objects))]
    return among(ref, flags) if any(flags) else ref


_MOST_AROUND: Final = 8
"""So many of the conditions around are looked at."""


def has_refs(key: Any) -> bool:
    """Whether a key, or a part of a tuple that is one, is one of several objects."""
    return type(key) is Ref or (type(key) is tuple and any(map(has_refs, key)))


def each_key(key: Any, operation: Callable[[Any], Any], *operands: Any) -> Any:
    """The result of an operation on the key that such a key is."""
    if type(key) is not tuple:
        return each(key, operation, *operands)
    place = next(i for i, part in enumerate(key) if has_refs(part))

    def with_part(part: Any) -> Any:
        whole = (*key[:place], part, *key[place + 1 :])
        return each_key(whole, operation, *operands) if has_refs(whole) else operation(whole)

    return each_key(key[place], with_part, *operands)


def choice_of(ref: Ref, parts: Sequence[T]) -> tuple[Any, Sequence[T]]:
    """A selector and branches for a staged `if`. parts: the branch for each of the objects."""
    selector = current_graph().recording.localize(ref._ag_selector, "the object")
    return selector, parts[::-1] if len(parts) == 2 else parts


def as_now(value: Any) -> Any:
    """An operand of an operation, which may be a list in whose place there is one that grows since."""
    grown = moved_to(value)
    return value if grown is None else grown


def with_copies(whole: Any, values: bool = False) -> Any:
    """A structure with a copy of what each Ref in it is: a list, dict or object with merged contents. values: whether
    members of enumerations become the numbers and texts that they are."""
    leaves = nest.flatten(whole, nest.is_structure)  # which refuses a structure that contains itself
    return _with_copies(whole, values) if any(isinstance(leaf, Ref | MaybeNone) for leaf in leaves) else whole


def _values_of(element: Any) -> Any:
    """An element that is put into a list which grows, with copies of what a tensor chooses in it; members of
    enumerations are kept as numbers there."""
    leaves = nest.flatten(element, nest.is_structure) if type(element) is Ref or nest.is_structure(element) else ()
    return with_copies(element) if any(type(leaf) is Ref and not is_valued(leaf) for leaf in leaves) else element


CHANGES.update(values_of=_values_of)


def _with_copies(whole: Any, values: bool = False) -> Any:
    value = inside_of(whole)
    if type(value) is Ref:
        if values and (found := as_value(value)) is not value:
            return with_inside(whole, found)
        objects = value._ag_objects
        if all(type(inner) is np.ndarray for inner in objects):  # of texts: those of numbers are tensors
            return with_inside(whole, each(value, convert_to_tensor))
        alike = {id(old): new for old, new in zip(objects, with_all_keys(objects), strict=True)}
        return with_inside(whole, each(value, lambda inner: _copy(alike.get(id(inner), inner))))
    if not (isinstance(value, list | tuple | dict | MaybeContainer) or is_dataclass(value)):
        return whole
    return with_inside(whole, nest.changed(value, partial(_with_copies, values=values)))


def _copy(value: Any) -> Any:
    if not nest.is_nested(value) or isinstance(value, TracedArray):
        return _with_copies(value)
    return nest.rebuild(value, [with_inside(part, _copy(inside_of(part))) for _, part in nest.children(value)])
