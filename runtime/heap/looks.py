"""How values of each type are looked into: the kinds of what they hold, and what else they lead to.

    for look in looks_of(type(model)):
        look.kinds(model)                 # [ATTRIBUTES]: see runtime.heap.kinds
        look.leads(model, "model")        # (Model, "Model"): its class, where that is the user's

Two walks go by this table: effects look at all that can be reached (runtime.heap.store), guards at what a trace has
named of it (runtime.function.guarded_places).
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from autograph.cache import kept_by_identity
from runtime.heap.code import is_own_class, is_user_class
from runtime.heap.immutable import is_immutable
from runtime.heap.kind import PLAIN, Kind
from runtime.heap.kinds import (
    CLASS,
    CLASS_OF_LIBRARY,
    container_kind,
    is_container_class,
    iterator_kind,
    object_kinds,
    slots_of,
)  # fmt: skip
from runtime.heap.leads import kept_results, parts_reader
from runtime.heap.opaque import OPAQUE, opaque_base
from runtime.heap.positions import has_position
from runtime.ndarrays.traced import TracedArray
from runtime.state.module import Module
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Look", "is_plain", "leads_nowhere", "looks_of"]

Parts = Iterable[tuple[Any, str]]
"""Values, and how the user calls them."""


@dataclass(frozen=True, slots=True)
class Look:
    """See the module's docstring. A value of a type may be looked into in several ways."""

    kinds: Callable[[Any], Sequence[Kind]] = lambda value: ()
    leads: Callable[[Any, str], Parts] = lambda value, label: ()


def _bases(kind: type) -> Parts:
    """The user's classes that a class derives from, and those of which it is an object itself."""
    of_the_class: type = type(kind)
    return [(base, base.__name__) for base in (*kind.__mro__, *of_the_class.__mro__) if is_user_class(base)]


_IS_IMMUTABLE: Final = 1 << 8  # a flag of types: their attributes cannot be set


def _class_kinds(value: type) -> Sequence[Kind]:
    if is_user_class(value):
        return (CLASS,)
    return () if value.__flags__ & _IS_IMMUTABLE or is_own_class(value) else (CLASS_OF_LIBRARY,)


def _container_kinds(value: Any) -> Sequence[Kind]:
    kind = container_kind(value)
    return () if kind is None else (kind,)


def _array_kinds(value: np.ndarray[Any, Any]) -> Sequence[Kind]:
    """Of a class that derives from ndarrays the attributes, too, such as the mask of a masked array."""
    return (*_container_kinds(value), *(object_kinds(value) if type(value) is not np.ndarray else ()))


def _iterator_kinds(value: Any) -> Sequence[Kind]:
    kind = iterator_kind(value)
    return () if kind is None else (kind,)


def _of_lead(value: Any, label: str) -> Parts:
    read = parts_reader(type(value))
    return () if read is None else [(part, label) for part in read(value)]


def _of_watched(value: Any, label: str) -> Parts:
    return [(part, label) for part in value.__ag_watched__()]


def _of_module(value: Module, label: str) -> Parts:
    """A layer or model of ours: what it was given may be the user's."""
    return [(part, f"{label}.{name}") for name, part in vars(value).items() if not name.startswith("_")]


def _of_wrapper(value: Any, label: str) -> Parts:
    if hasattr(type(value), "__ag_memory__") and (memory := value.__ag_memory__()):
        return [(part, label) for part in memory]
    if "__wrapped__" not in getattr(value, "__dict__", ()):
        return ()
    return [(vars(value)["__wrapped__"], label), *((part, f"the cache of {label}") for part in kept_results(value))]


CONTAINER: Final = Look(_container_kinds)
OBJECT: Final = Look(object_kinds, lambda value, label: _bases(type(value)))

_BY_BASE: Final[tuple[tuple[type, Look], ...]] = (
    (FunctionType, Look(object_kinds)),
    (tuple, Look(leads=lambda value, label: ((part, f"{label}[{i}]") for i, part in enumerate(value)))),
    (np.ndarray, Look(_array_kinds)),
    (TracedArray, Look(_container_kinds, lambda value, label: [(buffer, label) for buffer in value.buffers])),
    (type, Look(_class_kinds, lambda value, label: _bases(value) if is_user_class(value) else ())),
)


def is_plain(kind: type) -> bool:
    """Whether nothing of the user's can change through a value of this type."""
    return kind in PLAIN or not looks_of(kind)


def leads_nowhere(value: Any) -> bool:
    """Whether it is a list or dict that holds plain values only; said at once, of the common types."""
    if type(value) is list:
        return _COMMON.issuperset(map(type, value))
    return type(value) is dict and _COMMON.issuperset(map(type, chain(value, value.values())))


_COMMON: Final = PLAIN | {EagerTensor, SymbolicTensor}


@kept_by_identity
def looks_of(kind: type) -> tuple[Look, ...]:
    """How a value of this type is looked into; nothing where nothing of the user's can change through it."""
    return tuple(_new_looks(kind))


def _new_looks(kind: Any) -> Iterator[Look]:
    if issubclass(kind, Tensor | ModuleType):
        return
    for base, look in _BY_BASE:
        if issubclass(kind, base):
            yield look
            if base is tuple and kind.__dictoffset__:
                yield OBJECT
            return
    if hasattr(kind, "__ag_watched__"):
        yield Look(_iterator_kinds, _of_watched) if has_position(kind) else Look(leads=_of_watched)
        return
    if opaque_base(kind) is not None:
        yield Look(lambda value: (OPAQUE,))
    if parts_reader(kind) is not None:
        yield Look(leads=_of_lead)
    if is_container_class(kind):
        yield CONTAINER
    if is_user_class(kind):
        yield OBJECT
    elif issubclass(kind, Module):
        yield Look(leads=_of_module)
    elif has_position(kind):
        yield Look(_iterator_kinds)
    elif issubclass(kind, functools._lru_cache_wrapper):
        yield Look(object_kinds, _of_wrapper)
    elif "__wrapped__" in dir(kind) or is_own_class(kind) or is_immutable(kind):
        if hasattr(kind, "__dict__"):
            yield Look(leads=_of_wrapper)
    elif kind.__dictoffset__ or slots_of(kind) or issubclass(kind, threading.local):
        yield OBJECT
