"""The order in which numpy walks over an array that it sums along axes.

    walk = Walk(build, array, (1,))         # [2, 3, 5]: for each of 2, for each of 3, a row of 5 is added to 5 sums
    walk.over_sums(begin)
    walk.over_rows(add)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.native.build import Build
from runtime.native.lowerings.operands import moved, total_of
from runtime.native.values import Memory

__all__ = ["Walk"]

Place = Callable[[str, str, str], None]
"""Gets the number of an element, that of its sum, and whether the sum has begun before."""


class Walk:
    """Of an array in C order: axes side by side of which all are summed, or none, are one axis; those of length 1 are
    of either kind. The last one is numpy's inner loop.

    `row`: the length of the last axis, the step of the sums along it, and how many of its elements the first ones are.
    """

    def __init__(self, build: Build, array: Memory, axes: Sequence[int]) -> None:
        self.build, self.size = build, str(array.dtype.size)
        self.groups: list[tuple[bool, str]] = []
        for axis, dim in enumerate(array.dims):
            reduced = axis in axes
            if dim == "1":
                continue
            if self.groups and self.groups[-1][0] is reduced:
                self.groups[-1] = reduced, total_of(build, self.groups[-1][1], dim)
            else:
                self.groups.append((reduced, dim))
        self.groups = self.groups or [(True, "1")]
        self.outer = list(self.groups)
        for place in range(1, len(self.groups) - 1):
            self._join(place)
        reduced, length = self.outer.pop()
        self.row = (length, "0", "1") if reduced else self._row_of_sums(length)

    def lengths(self, reduced: bool) -> list[str]:
        return [length for kind, length in self.groups if kind is reduced]

    def _join(self, place: int) -> None:
        """What is summed on both sides of an axis that the run finds to be of length 1 becomes one axis."""
        (reduced, length), (_, before), (_, behind) = self.groups[place], *self.outer[place - 1 : place + 2 : 2]
        if reduced or length.isdecimal():
            return
        w = self.build.w
        alone = w.let(f"icmp eq i64 {length}, 1")
        both = w.let(f"mul i64 {before}, {behind}")
        self.outer[place - 1] = True, w.let(f"select i1 {alone}, i64 1, i64 {before}")
        self.outer[place + 1] = True, w.let(f"select i1 {alone}, i64 {both}, i64 {behind}")

    def _row_of_sums(self, length: str) -> tuple[str, str, str]:
        """A row that is added to sums; where that is a single one, what is before it is the row."""
        if length.isdecimal() or not self.outer:
            return length, self.size, length
        w, before = self.build.w, self.outer[-1][1]
        alone = w.let(f"icmp eq i64 {length}, 1")
        self.outer[-1] = True, w.let(f"select i1 {alone}, i64 1, i64 {before}")
        count = w.let(f"select i1 {alone}, i64 {before}, i64 {length}")
        return count, w.let(f"select i1 {alone}, i64 0, i64 {self.size}"), length

    def over_sums(self, one: Place) -> None:
        """Calls `one` with the number of the first element of each sum, and that of the sum."""
        self._loops([(kind, "1" if kind else length, length) for kind, length in self.groups], "0", "0", "false", one)

    def over_rows(self, one: Place) -> None:
        """Calls `one` with the number of the first element of each row, that of its first sum, and whether the sum has
        begun."""

        def row(source: str, target: str, later: str) -> None:
            reduced, length = self.groups[-1]
            target = target if reduced else total_of(self.build, target, length)
            one(total_of(self.build, source, self.row[0]), target, later)

        self._loops([(kind, length, length) for kind, length in self.outer], "0", "0", "false", row)

    def _loops(
        self, axes: Sequence[tuple[bool, str, str]], source: str, target: str, later: str,
        one: Place,
    ) -> None:  # fmt: skip
        """axes: of each whether it is summed, how many turns its loop takes, and its length."""
        if not axes:
            one(source, target, later)
            return
        w, (reduced, turns, length) = self.build.w, axes[0]
        with self.build.each(turns) as turn:
            source = moved(self.build, total_of(self.build, source, length), turn)
            if reduced:
                later = w.let(f"or i1 {later}, {w.let(f'icmp ne i64 {turn}, 0')}")
            else:
                target = moved(self.build, total_of(self.build, target, length), turn)
            self._loops(axes[1:], source, target, later, one)
