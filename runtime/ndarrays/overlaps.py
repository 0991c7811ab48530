"""Arrays of a call that share memory: which do, and how they lie.

    a = np.zeros(4)
    pattern_of(groups_of([(0, a[1:]), (1, a[:-1])]))     # (((0, 1, (1,)), (1, 0, (1,))),): first elements and strides
    repeats_of([(0, a), (1, a)])                         # ((1, 0),): the second is the first

A Function is traced for arrays that share nothing. Where it writes to one that does, it is traced once more, for the
pattern in which they lie (`runtime.ndarrays.together`). Arrays that it finds in places of the program are among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from runtime.ndarrays.layout import owner_of

__all__ = [
    "APART", "Pattern", "Placed", "Shared", "are_apart", "groups_of", "lie_as", "meets_itself", "pattern_of",
    "repeats_of", "share",
]  # fmt: skip

Placed = Sequence[tuple[int, Any]]
"""Arrays, each with the number of its input."""

Pattern = tuple[tuple[tuple[int, int, tuple[int, ...]], ...], ...]
"""Groups of arrays that share memory: of each the number of its input, its first element and its strides, in elements
from the first one of the group."""

Shared = tuple[tuple[tuple[int, int], ...], Pattern | None]
"""Which of several arrays are the same one, and how those lie that share memory; None where nobody can tell."""

APART: Final[Shared] = ((), ())


def are_apart(arrays: Iterable[Any], others: Iterable[Any] = ()) -> bool:
    """Whether arrays share no memory with each other, and with others, as is known at a look."""
    owners = [owner_of(array) for array in arrays]
    known = {*map(id, owners)}
    if len(known) != len(owners) or not all(owner.base is None for owner in owners):
        return False
    return all(owner.base is None and id(owner) not in known for owner in map(owner_of, others))


def lie_as(arrays: Sequence[Any]) -> Shared:
    """How arrays share memory."""
    if are_apart(arrays):
        return APART
    placed = list(enumerate(arrays))
    return repeats_of(placed), pattern_of(groups_of(placed))


def repeats_of(arrays: Placed) -> tuple[tuple[int, int], ...]:
    """The inputs that are the same array as an earlier one, with that."""
    first: dict[int, int] = {}
    found = [(place, first.setdefault(id(array), place)) for place, array in arrays]
    return tuple([(place, known) for place, known in found if place != known])


def groups_of(arrays: Placed) -> list[list[tuple[int, Any]]]:
    """Those of the ndarrays that share memory; of one that is there several times the first."""
    by_memory: dict[int, list[tuple[int, Any]]] = {}
    foreign = False
    for place, array in arrays:
        if isinstance(array, np.ndarray):
            owner = owner_of(array)
            foreign = foreign or owner.base is not None  # a file, a buffer of another library: others may lead to it
            by_memory.setdefault(id(owner), []).append((place, array))
    found: list[list[tuple[int, Any]]] = []
    everything = [one for group in by_memory.values() for one in group]
    for members in [everything] if foreign else by_memory.values():
        if len(members) > 1:
            found += _connected(members)
    return found


def _connected(arrays: Placed) -> list[list[tuple[int, Any]]]:
    groups: list[list[tuple[int, Any]]] = []
    for place, array in arrays:
        if any(array is other for group in groups for _, other in group):
            continue
        near = [group for group in groups if any(share(array, other) for _, other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(one for group in near for one in group), (place, array)])
    return [sorted(group, key=lambda one: one[0]) for group in groups if len(group) > 1]


def share(a: Any, b: Any) -> bool:
    """Whether two arrays have an element in common; yes, where that is too hard to tell."""
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=10_000)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def meets_itself(array: Any) -> bool:
    """Whether some elements of an array may lie at the same place, as in a window that is moved over another array."""
    flags = array.flags
    if flags.c_contiguous or flags.f_contiguous:
        return False
    reach = 0
    for stride, size in sorted((abs(stride), size) for stride, size in zip(array.strides, array.shape, strict=True)):
        if size > 1:
            if stride < reach + array.itemsize:
                return True
            reach += stride * (size - 1)
    return False


def pattern_of(groups: Sequence[Placed]) -> Pattern | None:
    """How groups of arrays lie; None where there is none, because their elements are not of one type and size."""
    found = []
    for group in groups:
        size, dtype = group[0][1].itemsize, group[0][1].dtype
        starts = [np.lib.array_utils.byte_bounds(array)[0] for _, array in group]
        members = []
        for place, array in group:
            first = array.__array_interface__["data"][0] - min(starts)
            if array.dtype != dtype or meets_itself(array) or any(n % size for n in (first, *array.strides)):
                return None
            members.append((place, first // size, tuple(stride // size for stride in array.strides)))
        found.append(tuple(members))
    return tuple(found)
