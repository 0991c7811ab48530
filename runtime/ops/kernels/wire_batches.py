"""Many messages of the wire format, read side by side: the first field of all of them, then the second of all, ...

    batch = Batch([b"\\x12\\x02ab", b"\\x12\\x01c\\x08\\x05"])
    batch.fields(batch.whole())              # number [2, 2, 1], owner [0, 1, 1], start and stop of each content

So a field costs numpy a few steps over a thousand messages and not Python a few steps for each. What few messages
have, `runtime.ops.kernels.wire.fields` reads one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from runtime.ops.kernels import wire
from runtime.ops.kernels.wire import BYTES, FIXED32, FIXED64, LAST_NUMBER, LONGEST, VARINT, Damaged

__all__ = ["Batch", "Fields", "Positions"]

FEW: Final = 12
"""Messages that are read one by one."""

FAR: Final = 1 << 62
"""Beyond the end of all bytes."""

SHORT: Final = 32
"""Bytes of a content, on the average, below which contents are put together by the positions of their bytes."""

_FIXED: Final = np.full(8, FAR, np.int64)
_FIXED[[VARINT, FIXED64, BYTES, FIXED32]] = 0, 8, 0, 4
"""How long the content is, by the wire type."""

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields; those of one owner are in order. owner: what they belong to; start, stop: where their contents are."""

    owner: Positions
    number: Positions
    kind: Positions
    start: Positions
    stop: Positions

    def at(self, chosen: Positions) -> Fields:
        """Some of the fields, by their positions."""
        parts = (self.owner, self.number, self.kind, self.start, self.stop)
        return Fields(*(part.take(chosen) for part in parts))

    def where(self, chosen: npt.NDArray[np.bool_]) -> Fields:
        """Some of the fields, by a mask."""
        return self if chosen.all() else self.at(np.flatnonzero(chosen))

    def by_owner(self) -> Fields:
        """The same fields, those of each owner together."""
        in_order = bool((self.owner[1:] >= self.owner[:-1]).all())
        return self if in_order else self.at(np.argsort(self.owner, kind="stable"))

    def messages(self, number: int) -> Fields:
        """The fields of a number that hold bytes."""
        return self.where((self.number == number) & (self.kind == BYTES))

    def of(self, owner: Positions) -> Fields:
        """The same fields of other owners."""
        return Fields(owner, self.number, self.kind, self.start, self.stop)

    def __len__(self) -> int:
        return len(self.owner)


class Batch:
    """The bytes of many messages. starts, stops: where each of them is in `data`."""

    def __init__(self, texts: Sequence[bytes]) -> None:
        self.data = b"".join(texts)
        self.bytes = np.frombuffer(self.data + bytes(2 * LONGEST), np.uint8)  # whatever is read next to the end is 0
        self.stops = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
        self.starts = self.stops - np.diff(self.stops, prepend=0)

    def whole(self) -> Fields:
        """The messages themselves, as if they were fields."""
        count = np.arange(len(self.starts))
        same = np.full(len(count), BYTES)
        return Fields(count, same, same, self.starts, self.stops)

    def place(self, position: int) -> tuple[int, int]:
        """Which message a position is in, and which byte of that."""
        number = int(np.searchsorted(self.stops, position, "right"))
        return number, position - int(self.starts[number])

    def fields(self, messages: Fields) -> Fields:
        """The fields of messages, of the same owners. Raises Damaged."""
        found: list[Fields] = []
        left = np.flatnonzero(messages.start < messages.stop)
        owner, at, stop = messages.owner[left], messages.start[left], messages.stop[left]
        while len(at) >= FEW:
            row = self._next(owner, at, stop)
            found.append(row)
            left = np.flatnonzero(row.stop < stop)
            owner, at, stop = owner.take(left), row.stop.take(left), stop.take(left)
        if len(at):
            found.append(self._one_by_one(owner, at, stop))
        if not found:
            return Fields(*(np.zeros(0, np.int64) for _ in range(5)))
        if len(found) == 1:
            return found[0]
        parts = ((f.owner, f.number, f.kind, f.start, f.stop) for f in found)
        joined = Fields(*map(np.concatenate, zip(*parts, strict=True)))
        if np.bincount(messages.owner).max() < 2:
            return joined
        return joined.at(np.argsort(joined.start, kind="stable"))  # an owner of several messages

    def _next(self, owner: Positions, at: Positions, stop: Positions) -> Fields:
        """One field of each message."""
        tag, start = self._varints(at)
        number, kind = tag >> 3, tag & 7
        size, after = self._varints(np.minimum(start, len(self.data)))
        of_bytes = kind == BYTES
        end = after + size
        if of_bytes.all():
            start = after
        else:
            end = np.where(of_bytes, end, np.where(kind == VARINT, after, start + _FIXED[kind]))
            start = np.where(of_bytes, after, start)
        wrong = np.flatnonzero((end > stop) | (end < start) | (number < 1) | (number > LAST_NUMBER))
        if len(wrong):
            first = int(wrong[0])
            next(wire.fields(self.data, int(at[first]), int(stop[first])))  # says what is wrong
            raise AssertionError("the two readers differ")
        return Fields(owner, number, kind, start, end)

    def _varints(self, at: Positions) -> tuple[Positions, Positions]:
        """The integers at these places, and where they end: FAR where they do not."""
        byte = self.bytes[at]
        value, end = (byte & 0x7F).astype(np.int64), at + 1
        more = np.flatnonzero(byte > 0x7F)
        for shift in range(7, 7 * LONGEST, 7):
            if not len(more):
                break
            byte = self.bytes[end[more]]
            value[more] |= (byte & 0x7F).astype(np.int64) << shift
            end[more] += 1
            more = more[byte > 0x7F]
        end[more] = FAR
        return value, end

    def _one_by_one(self, owner: Positions, at: Positions, stop: Positions) -> Fields:
        rows = [
            (who, *field)
            for who, first, last in zip(owner.tolist(), at.tolist(), stop.tolist(), strict=True)
            for field in wire.fields(self.data, first, last)
        ]
        return Fields(*np.array(rows, np.int64).T)

    # -- contents -------------------------------------------------------------------------------------------------

    def texts(self, chosen: Fields) -> list[bytes]:
        """The contents, one by one."""
        data = self.data
        return [data[a:b] for a, b in zip(chosen.start.tolist(), chosen.stop.tolist(), strict=True)]

    def looked_up(self, chosen: Fields, table: Mapping[bytes, int]) -> Positions:
        """What stands in a table for each content; -1 where there is nothing. Contents of one length that are the same
        and next to each other are looked up once."""
        sizes = chosen.stop - chosen.start
        found = np.empty(len(sizes), np.int64)
        for size in np.flatnonzero(np.bincount(sizes)).tolist():
            here = np.flatnonzero(sizes == size)
            rows = self.bytes[chosen.start[here][:, None] + np.arange(size)]
            heads = np.flatnonzero(np.concatenate([[True], (rows[1:] != rows[:-1]).any(axis=1)]))
            numbers = [table.get(row.tobytes(), -1) for row in rows[heads]]
            found[here] = np.repeat(numbers, np.diff(heads, append=len(here)))
        return found

    def joined(self, chosen: Fields) -> npt.NDArray[np.uint8]:
        """The contents, one after the other."""
        sizes = chosen.stop - chosen.start
        total = int(sizes.sum())
        if total > SHORT * len(sizes):
            return np.frombuffer(b"".join(self.texts(chosen)), np.uint8)
        first = chosen.start - (np.cumsum(sizes) - sizes)
        found: npt.NDArray[np.uint8] = self.bytes[np.repeat(first, sizes) + np.arange(total)]
        return found

    def floats(self, chosen: Fields) -> tuple[npt.NDArray[np.float32], Positions]:
        """The float32 in these fields, and how many each has. Raises Damaged."""
        sizes = chosen.stop - chosen.start
        if (wrong := np.flatnonzero(sizes & 3)).size:
            first = int(wrong[0])
            raise Damaged(int(chosen.start[first]), f"{int(sizes[first])} bytes are no whole floats of 4 bytes")
        return self.joined(chosen).view("<f4").astype(np.float32, copy=False), sizes >> 2

    def integers(self, chosen: Fields) -> tuple[Positions, Positions]:
        """The int64 in these fields, and how many each has. Raises Damaged."""
        sizes = chosen.stop - chosen.start
        unended = (sizes > 0) & (self.bytes[chosen.stop - 1] > 0x7F)
        if unended.any():
            raise Damaged(int(chosen.stop[unended][0]) - 1, "packed numbers end within a number")
        content, ends = self.joined(chosen), np.cumsum(sizes)
        counted = np.concatenate([[0], np.cumsum(content < 0x80)])
        try:
            return wire.integers(content), counted[ends] - counted[ends - sizes]
        except Damaged as error:
            field = int(np.searchsorted(ends, error.position, "right"))
            within = error.position - int(ends[field] - sizes[field])
            raise Damaged(int(chosen.start[field]) + within, error.why) from None
