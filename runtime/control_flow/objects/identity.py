"""`a is b` for lists, dicts and objects of which the graph has a copy: what each copy stands for, or that nobody knows.

    row = first if x > 0 else second     # a new list, whose elements are merged; note_merged(...)
    row is first                         # in Python True or False, as x says: refused
    row is third                         # False

A copy stands for one of several objects after a branch or where a tensor chooses an element; for any object in a loop
that binds its variable to others; and a list that grows keeps the values of its elements, not themselves.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import product
from typing import Any, Final, TypeVar

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.context import current_recorder, in_a_loop
from runtime.control_flow.objects.refs import Ref, objects_of, same_object
from runtime.control_flow.objects.watched import can_change
from runtime.control_flow.optional.bools import truth_of
from runtime.control_flow.optional.flags import both
from runtime.control_flow.optional.values import inside_of
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.graph.graph import Graph
from runtime.ndarrays.restart import restart_for_identities
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["is_same_object", "note_copied", "note_merged", "note_sources", "note_unknown"]

T = TypeVar("T")

_COPIED: Final[PerTrace[dict[int, Any]]] = PerTrace(dict)
"""By id, the objects of which loops and lists have made copies that may stand for any of them."""

_SOURCES: Final[PerTrace[dict[int, tuple[Any, list[Any] | None]]]] = PerTrace(dict)
"""By id, the copies with the objects that each may stand for; None for any object."""


def note_sources(copy: Any, sources: Sequence[Any]) -> None:
    """This object stands for one of these, or for itself alone."""
    if _is_object(copy):
        known = _SOURCES.here().setdefault(id(copy), (copy, []))[1]
        if known is not None:
            known.extend(source for source in sources if source is not copy and _is_object(source))


def note_unknown(whole: T, besides: Container[int] = ()) -> T:
    """The objects in this value may stand for any others, but for those with these ids. Returns the value."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        return whole
    pending: list[Any] = [inside_of(whole)]
    while pending:
        value = pending.pop()
        if type(value) is Ref:  # which has the objects themselves
            continue
        if (_is_object(value) or isinstance(value, tuple)) and id(value) not in besides:
            _SOURCES.of(graph)[id(value)] = (value, None)
            if nest.is_nested(value) and not isinstance(value, TracedArray):
                pending += [inside_of(part) for _, part in nest.children(value)]
    return whole


def note_copied(whole: Any, besides: Container[int] = ()) -> None:
    """The objects in this value, but for those with these ids, are among those that `note_unknown` speaks of."""
    graph = current_recorder()
    if isinstance(graph, Graph):
        copied = _COPIED.of(graph)
        for part in nest.walked([whole], _parts_and_alternatives):
            if _is_object(part) and id(part) not in besides:
                copied[id(part)] = part


def note_merged(column: Sequence[Any], after: Any) -> None:
    """What was merged from the values of a column stands for one of them, and so do its parts for theirs."""
    pending: list[tuple[Sequence[Any], Any]] = [(column, after)]
    while pending:
        row, whole = pending.pop()
        values, merged = tuple(map(inside_of, row)), inside_of(whole)
        if isinstance(merged, Tensor) or not nest.is_nested(merged) or all(value is merged for value in values):
            continue
        note_sources(merged, values)
        if isinstance(merged, TracedArray):  # it has no parts; what it shows would be read in a branch that is over
            continue
        parts = [nest.parts(value) for value in (*values, merged) if nest.is_nested(value)]
        if len(parts) == len(values) + 1 and len({len(part) for part in parts}) == 1:
            pending += [(row[:-1], row[-1]) for row in zip(*parts, strict=True)]


def is_same_object(a: Any, b: Any) -> Any:
    """`a is b`: a tensor for one of several objects. Raises StagingError where the graph has copies."""
    if isinstance(a, _ARRAYS) and isinstance(b, _ARRAYS) and (recorder := current_recorder()) is not None:
        recorder.recording.tracing.writes.asks_identity = True
    if a is not b and (type(a) is Ref or type(b) is Ref):
        if any(_is_copy_of_same(one, other) is not False for one, other in product(objects_of(a), objects_of(b))):
            restart_for_identities()
            raise StagingError(_COPIES)
        return same_object(a, b)
    if a is not b and _is_truth(a) and _is_truth(b):
        return REGISTRY["equal"](a, b)
    for number, other in ((a, b), (b, a)):
        if isinstance(number, SymbolicTensor) and number.or_bool is not None and _is_truth(other):
            return both(number.or_bool, REGISTRY["equal"](truth_of(number), other))
    if a is b or not (_is_object(a) and _is_object(b)):
        return a is b
    if (same := _is_copy_of_same(a, b)) is None:
        restart_for_identities()
        raise StagingError(_COPIES)
    return same


_ARRAYS: Final = (TracedArray, np.ndarray)

_COPIES: Final = (
    "`is` compares lists, dicts or objects of which the graph has a copy: in Python it depends on a tensor which object"
    " that is. Compare what they hold, or keep a number that says which one it is"
)


def _is_copy_of_same(a: Any, b: Any) -> bool | None:
    """Whether two objects of the trace stand for one object of the program; None if a tensor decides that."""
    known = _SOURCES.here()
    if a is b or not (id(a) in known or id(b) in known):
        return False
    mine, theirs = _meant(a, known), _meant(b, known)
    if mine is not None and mine == theirs and len(mine) == 1:
        return True
    if (mine is None) is not (theirs is None):
        return None if _may_be_copied(*((b, theirs) if mine is None else (a, mine))) else False
    return None if mine is None or theirs is None or not mine.isdisjoint(theirs) else False


def _may_be_copied(value: Any, meant: Any) -> bool:
    """Whether a copy of one of many objects may stand for this one. meant: the ids of what it may be."""
    recorder: Any = current_recorder()
    root = recorder.recording.root
    if in_a_loop(recorder) or any(made is root for made in root.functions.values()) or not can_change(value):
        return True  # what comes after this in the iteration, or the recursion, is before it in the next one
    known, copied = _SOURCES.here(), [*_COPIED.here().values(), *recorder.recording.tracing.writes.objects_in_lists]

    def behind(part: Any) -> Sequence[Any]:
        return [*_parts_and_alternatives(part), *(known.get(id(part), (part, []))[1] or ())]

    return not meant.isdisjoint(map(id, nest.walked(copied, behind)))


def _parts_and_alternatives(value: Any) -> Sequence[Any]:
    """The parts of a value, or the objects that it may be."""
    inner = inside_of(value)
    if inner is not value:
        return [inner]
    if type(inner) is Ref:
        return objects_of(inner)
    is_whole = nest.is_nested(inner) and not isinstance(inner, Tensor)
    return [part for _, part in nest.children(inner)] if is_whole else ()


def _is_truth(value: Any) -> bool:
    """Whether it is True or False, of which there is one each."""
    if isinstance(value, SymbolicTensor):
        return value.dtype.is_bool and value.shape.rank == 0
    return type(value) is bool


def _meant(value: Any, known: dict[int, tuple[Any, list[Any] | None]]) -> set[int] | None:
    """The ids of the objects of which a value may be a copy, or its own; None for any object."""

    def sources(part: Any) -> list[Any] | None:
        return known.get(id(part), (part, []))[1]

    found = [(part, sources(part)) for part in nest.walked([value], lambda part: sources(part) or ())]
    return None if any(behind is None for _, behind in found) else {id(part) for part, behind in found if not behind}


def _is_object(value: Any) -> bool:
    """Whether it has an identity that programs look at: tensors, texts, numbers and tuples have values."""
    if isinstance(value, Tensor | tuple):
        return False
    return nest.is_nested(value) or "__ag_class__" in vars(type(value))  # or stands for a list or dict of Python's
