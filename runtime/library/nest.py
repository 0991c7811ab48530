"""`runtime.nest`: functions on structures of values: lists, tuples, dicts, named tuples, dataclasses, attrs classes.

    >>> flatten({"b": 1, "a": (2, [3])})
    [2, 3, 1]
    >>> map_structure(lambda x: x * 10, (1, [2]))
    (10, [20])

The leaves are everything else, None included. A value that is made of several tensors (a RaggedTensor, a TensorArray, a
Dataset, ...) is a leaf, too; with `expand_composites=True` its tensors are the leaves. Dicts count by sorted key.
Attributes that are no fields are no leaves: what is made of an object has the same ones.
`runtime.structures` does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, overload

import numpy as np

from runtime import structures
from runtime.state.variable import Variable
from runtime.tensor.tensor import Tensor

__all__ = [
    "assert_same_structure",
    "flatten",
    "flatten_up_to",
    "flatten_with_paths",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
    "register",
]

R = TypeVar("R")
K = TypeVar("K")
Leaf = Tensor | Variable | np.ndarray[Any, Any] | complex | str | bytes
L = TypeVar("L", bound=Leaf)


def _test(expand_composites: bool) -> structures.Test:
    return structures.is_nested_for_users if expand_composites else structures.is_plain_for_users


def is_nested(seq: Any) -> bool:
    """Whether the value is a structure rather than a leaf."""
    return structures.is_plain(seq)


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves, from left to right."""
    return structures.flatten(structure, _test(expand_composites))


def flatten_with_paths(structure: Any, expand_composites: bool = False) -> list[tuple[str, Any]]:
    """The leaves, each with its path: `[("['a'][0]", 2), ...]`."""
    return structures.flatten_with_paths(structure, "", _test(expand_composites))


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any], expand_composites: bool = False) -> Any:
    """A structure like `structure` with these leaves. Raises ValueError if their number differs."""
    if isinstance(flat_sequence, str | bytes | Mapping) or not isinstance(flat_sequence, Iterable):
        raise TypeError(f"nest.pack_sequence_as: flat_sequence is a list of leaves; got {flat_sequence!r}")
    return structures.pack_sequence_as(structure, flat_sequence, _test(expand_composites))


@overload
def map_structure(
    func: Callable[..., R], structure: Leaf, /, *more: Any, check_types: bool = ..., expand_composites: bool = ...
) -> R: ...
@overload
def map_structure(
    func: Callable[..., R], structure: list[L], /, *more: Any, check_types: bool = ..., expand_composites: bool = ...
) -> list[R]: ...
@overload
def map_structure(
    func: Callable[..., R], structure: dict[K, L], /, *more: Any, check_types: bool = ..., expand_composites: bool = ...
) -> dict[K, R]: ...
@overload
def map_structure(
    func: Callable[..., R], structure: tuple[L, ...], /, *more: Any, check_types: bool = ...,
    expand_composites: bool = ...
) -> tuple[R, ...]: ...
@overload
def map_structure(
    func: Callable[..., Any], *structure: Any, check_types: bool = ..., expand_composites: bool = ...
) -> Any: ...
def map_structure(
    func: Callable[..., Any], *structure: Any, check_types: bool = True, expand_composites: bool = False
) -> Any:
    """The structure with `func` applied to each leaf; of several structures, to the leaves that correspond.

    Raises TypeError or ValueError where the structures differ; check_types=False: a list may stand for a tuple. The
    result has the types of the first one.
    """
    if not callable(func):
        raise TypeError(f"nest.map_structure: func is a function; got {func!r}")
    if not structure:
        raise ValueError("nest.map_structure: at least one structure is needed")
    test, (first, *others) = _test(expand_composites), structure
    for other in others:
        assert_same_structure(first, other, check_types, expand_composites)
    columns = [structures.flatten(one, test) for one in structure]
    return structures.pack_sequence_as(first, [func(*leaves) for leaves in zip(*columns, strict=True)], test)


def flatten_up_to(shallow: Any, structure: Any, expand_composites: bool = False) -> list[Any]:
    """What stands in `structure` where `shallow` has its leaves: for `(a, b)` and `(1, [2, 3])`, that is `[1, [2, 3]]`.

    Raises ValueError where their lengths or keys differ above that; a list may stand for a tuple.
    """
    return structures.flatten_up_to(shallow, structure, "", _test(expand_composites))


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raises TypeError where the types of two structures differ, ValueError where their lengths or keys do.

    Mappings of all types are alike, and lists, and named tuples with one name and the same fields. With
    `check_types=False` a list may stand for a tuple.
    """
    types = structures.of_one_kind if check_types else False
    structures.assert_same_structure(nest1, nest2, types, "", _test(expand_composites))


def register(
    kind: type, flatten: Callable[[Any], tuple[Sequence[Any], Any]], unflatten: Callable[[Any, Sequence[Any]], Any]
) -> None:
    """Makes the values of a class structures, here and as arguments and results of Functions.

    flatten: from a value to its parts and what of it is none, which can be hashed (a trace is made for each of those).
    unflatten: from that and as many parts to a value. A class may say the same itself, by `__tf_flatten__(self)`,
    which gives (what is no part, parts), and a class method `__tf_unflatten__(what is no part, parts)`. Raises
    ValueError for a class that is known already, also by one it derives from: list, tuple and mappings are.
    """
    structures.register(kind, flatten, unflatten)
