"""Sets of names as numbers: one bit for each name, shared by all sets of a function.

Example:
    universe = Universe([QN("a"), QN("b")])
    live = NameSet(universe, universe.mask({QN("b")}))
    QN("b") in live, set(live)      # True, {b}

A function of n statements has n such sets; as numbers they are made, joined and compared in next to no time, and only
who looks into one pays for its members.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from typing import Any, Generic, TypeVar

__all__ = ["NameSet", "NamesWithin", "Universe"]

Member = TypeVar("Member", bound=Hashable)


class Universe(Generic[Member]):
    """All that may be in the sets, each with its bit; the order is that of the names."""

    __slots__ = ("bits", "members")

    def __init__(self, members: Iterable[Member]) -> None:
        self.members = tuple(dict.fromkeys(members))
        self.bits = {member: 1 << place for place, member in enumerate(self.members)}

    def mask(self, members: Iterable[Member]) -> int:
        """The number of a set; what is unknown is left out."""
        found = 0
        for member in members:
            found |= self.bits.get(member, 0)
        return found


class NamesWithin(Set[Member]):
    """The names of which something is in a mask. bits: from each name to the number of all that belongs to it."""

    __slots__ = ("_bits", "_mask")

    def __init__(self, bits: Mapping[Member, int], mask: int) -> None:
        self._bits = bits
        self._mask = mask

    @classmethod
    def _from_iterable(cls, members: Iterable[Any]) -> Any:
        return frozenset(members)

    def __contains__(self, member: object) -> bool:
        bits: Mapping[Any, int] = self._bits
        return bool(bits.get(member, 0) & self._mask)

    def __iter__(self) -> Iterator[Member]:
        return (member for member, bits in self._bits.items() if bits & self._mask)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __repr__(self) -> str:
        return "{" + ", ".join(sorted(map(str, self))) + "}"


class NameSet(Set[Member]):
    """A set that cannot be changed; equal to every set with the same members."""

    __slots__ = ("_mask", "_universe")

    def __init__(self, universe: Universe[Member], mask: int) -> None:
        self._universe = universe
        self._mask = mask

    @classmethod
    def _from_iterable(cls, members: Iterable[Any]) -> Any:
        return frozenset(members)  # what the operators of sets make

    def __contains__(self, member: object) -> bool:
        bits: dict[Any, int] = self._universe.bits
        return bool(bits.get(member, 0) & self._mask)

    def __iter__(self) -> Iterator[Member]:
        mask = self._mask
        while mask:
            lowest = mask & -mask
            yield self._universe.members[lowest.bit_length() - 1]
            mask ^= lowest

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __repr__(self) -> str:
        return "{" + ", ".join(sorted(map(str, self))) + "}"
