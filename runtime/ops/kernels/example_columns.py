"""`Example` and `SequenceExample` messages as columns: for each key the values of all messages, one after the other.

    messages = Messages("parse_example", [b"...", b"..."])
    messages.columns(Source(1), {"age": int64})      # [Column(values=[31, 7], counts=[1, 1], missing=[F, F], ...)]

`runtime.ops.kernels.example_messages` has the format, and reads a few messages one by one; many are read side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from runtime.dtypes import DType
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.example_messages import (
    BYTES_LIST,
    FLOAT_LIST,
    INT64_LIST,
    NUMBERS,
    PLAIN,
    features_in,
    list_in,
    messages_in,
    values_in,
)
from runtime.ops.kernels.values import elements
from runtime.ops.kernels.wire import BYTES, Damaged
from runtime.ops.kernels.wire_batches import Batch, Fields, Positions
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape

__all__ = ["Column", "Keys", "Messages", "Source", "check_features", "known_dtypes", "read_columns"]

Keys = tuple[str, ...]

FEW: Final = 8
"""Messages that are read one by one."""

_DTYPES: Final = {number: dtype for dtype, number in NUMBERS.items()}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a map of features is in a message: the number of its field, and what the map's values are."""

    field: int
    listed: bool = False
    """Whether a value is a list of features."""


@dataclass(frozen=True, slots=True)
class Column:
    """The values of one key. counts: how many each feature has; missing: which messages have no such feature; steps:
    how many features each message has, where they are listed."""

    values: Array
    counts: Positions
    missing: npt.NDArray[np.bool_]
    steps: Positions


class Messages:
    """The bytes of messages, to be asked for columns. operation: its name, for errors; single: of one message alone."""

    def __init__(self, operation: str, texts: Sequence[bytes], single: bool = False) -> None:
        self.operation, self.single, self.count = operation, single, len(texts)
        self._batch = Batch(texts)
        self._parts: Fields | None = None
        self._known: dict[Source, list[dict[bytes, list[tuple[int, int]]]]] = {}

    def where(self, message: int) -> str:
        """Which message, for errors."""
        return "the message" if self.single else f"the message at index {message}"

    def columns(self, source: Source, features: Mapping[str, DType]) -> list[Column]:
        """A column for each feature. Raises InvalidArgumentError for bytes that are no such message, and
        DtypeMismatchError for a feature of another dtype."""
        try:
            if self.count <= FEW:
                return [self._column(source, key, NUMBERS[dtype]) for key, dtype in features.items()]
            return self._columns(source, list(features), [NUMBERS[dtype] for dtype in features.values()])
        except Damaged as error:
            message, byte = self._batch.place(error.position)
            raise InvalidArgumentError(
                f"{self.operation}: {self.where(message)} is damaged at byte {byte}: {error.why}"
            ) from None

    def _mismatch(self, key: str, message: int, found: int, wanted: int) -> DtypeMismatchError:
        names = f"is {_DTYPES[found].name}; {_DTYPES[wanted].name} is wanted"
        return DtypeMismatchError(f"{self.operation}: the feature {key!r} of {self.where(message)} {names}")

    # -- one by one -----------------------------------------------------------------------------------------------

    def _column(self, source: Source, key: str, wanted: int) -> Column:
        text, values, missing, steps = self._batch.data, list[Array](), list[bool](), list[int]()
        for message, found in enumerate(self._maps(source)):
            value = found.get(key.encode())
            units = [] if value is None else [value]
            if source.listed:
                units = [[(a, b)] for a, b in messages_in(text, value or (), 1)]
            kinds = [list_in(text, unit) for unit in units] or ([] if source.listed else [(0, [])])
            for kind, lists in kinds:
                if kind not in (0, wanted):
                    raise self._mismatch(key, message, kind, wanted)
                values.append(values_in(text, wanted, lists))
            steps.append(len(units))
            missing.append(not value if source.listed else not kinds[0][0])
        counts = np.array([len(part) for part in values], np.int64)
        joined = np.concatenate(values) if len(values) > 1 else values[0] if values else values_in(b"", wanted, ())
        return Column(joined, counts, np.array(missing, np.bool_), np.array(steps, np.int64))

    def _maps(self, source: Source) -> list[dict[bytes, list[tuple[int, int]]]]:
        """The map of each message."""
        if source not in self._known:
            bounds = zip(self._batch.starts.tolist(), self._batch.stops.tolist(), strict=True)
            self._known[source] = [features_in(self._batch.data, source.field, *ends) for ends in bounds]
        return self._known[source]

    # -- side by side ---------------------------------------------------------------------------------------------

    def _columns(self, source: Source, keys: list[str], wanted: list[int]) -> list[Column]:
        batch, count, slots = self._batch, self.count, len(keys) * self.count
        if self._parts is None:
            self._parts = batch.fields(batch.whole())
        entries = batch.fields(self._parts.messages(source.field)).messages(1)
        found, unit_slots = self._wanted(entries, keys), np.arange(slots)
        there = np.zeros(slots, np.bool_)
        there[found.owner] = True
        if source.listed:  # each feature of a list is a unit; else each slot is one
            found = batch.fields(found).messages(1).by_owner()
            unit_slots = found.owner
            found = found.of(np.arange(len(found)))
        kinds, lists = self._lists(found, len(unit_slots))
        self._check(kinds, np.array(wanted, np.int64), unit_slots, keys)
        read = {kind: self._contents(lists, kind, len(unit_slots)) for kind in set(wanted)}
        steps = np.bincount(unit_slots, minlength=slots)
        missing = ~there if source.listed else kinds == 0
        bounds = np.searchsorted(unit_slots, np.arange(len(keys) + 1) * count)
        made = []
        for i, kind in enumerate(wanted):
            values, counts, ends = read[kind]
            first, last = bounds[i : i + 2]
            here = slice(i * count, (i + 1) * count)
            made.append(Column(values[ends[first] : ends[last]], counts[first:last], missing[here], steps[here]))
        return made

    def _wanted(self, entries: Fields, keys: list[str]) -> Fields:
        """The values of the entries of a map that count. owner: the slot, which is key * messages + message."""
        batch, all_entries = self._batch, np.arange(len(entries))
        parts = batch.fields(entries.of(all_entries))
        names = parts.messages(1)
        start, stop = np.zeros((2, len(entries)), np.int64)  # an entry without a name has the empty one
        start[names.owner], stop[names.owner] = names.start, names.stop
        numbers = {key.encode(): i for i, key in enumerate(keys)}
        number = batch.looked_up(Fields(start, start, start, start, stop), numbers)
        slot = number * self.count + entries.owner
        last = np.zeros(max(len(keys), 1) * self.count, np.int64)
        last[slot[number >= 0]] = all_entries[number >= 0]
        counts = (number >= 0) & (last[np.maximum(slot, 0)] == all_entries)
        values = parts.messages(2)
        values = values.where(counts[values.owner])
        return values.of(slot[values.owner])

    def _lists(self, features: Fields, units: int) -> tuple[Positions, Fields]:
        """Of which kind each feature is (0: of none), and the lists of that kind."""
        lists = self._batch.fields(features)
        lists = lists.where((lists.kind == BYTES) & (lists.number <= len(NUMBERS)))
        kinds = np.zeros(units, np.int64)
        kinds[lists.owner] = lists.number
        others = np.flatnonzero(lists.number != kinds[lists.owner])
        if len(others):
            last = np.full(units, -1)
            last[lists.owner[others]] = others
            lists = lists.where(np.arange(len(lists)) > last[lists.owner])
        return kinds, lists

    def _check(self, kinds: Positions, wanted: Positions, slots: Positions, keys: list[str]) -> None:
        """Raises DtypeMismatchError for the first feature of another kind."""
        wrong = np.flatnonzero((kinds != 0) & (kinds != wanted[slots // self.count]))
        if len(wrong):
            unit = wrong[np.argmin(slots[wrong] % self.count)]
            key, message = divmod(int(slots[unit]), self.count)
            raise self._mismatch(keys[key], message, int(kinds[unit]), int(wanted[key]))

    def _contents(self, lists: Fields, number: int, units: int) -> tuple[Array, Positions, Positions]:
        """The values of one kind, how many each unit has, and where the values of each unit begin."""
        fields = self._batch.fields(lists.where(lists.number == number))
        known = (fields.number == 1) & ((fields.kind == BYTES) | (fields.kind == PLAIN[number]))
        fields = fields.where(known).by_owner()
        values, sizes = _READERS[number](self._batch, fields)
        counts = np.bincount(fields.owner, sizes, units).astype(np.int64)
        return values, counts, np.concatenate([[0], np.cumsum(counts)])


def _texts(batch: Batch, fields: Fields) -> tuple[Array, Positions]:
    made = np.empty(len(fields), object)
    made[:] = batch.texts(fields)
    return made, np.ones(len(fields), np.int64)


_READERS: Final[dict[int, Callable[[Batch, Fields], tuple[Any, Positions]]]] = {
    BYTES_LIST: _texts, FLOAT_LIST: Batch.floats, INT64_LIST: Batch.integers,
}  # fmt: skip


# -- for operations ------------------------------------------------------------------------------------------------


def check_features(operation: str, known: Collection[str], keys: Any, forms: Any, dtypes: Any, shapes: Any) -> None:
    """Raises InvalidArgumentError unless each feature has a key, a form that is known, a dtype and a shape."""
    kinds = {"keys": str, "forms": str, "dtypes": DType, "shapes": TensorShape}
    for (name, kind), given in zip(kinds.items(), (keys, forms, dtypes, shapes), strict=True):
        if not isinstance(given, tuple) or len(given) != len(keys) or not all(isinstance(g, kind) for g in given):
            raise InvalidArgumentError(f"{operation}: {name} has a {kind.__name__} for each feature; got {given!r}")
    if unknown := [form for form in forms if form not in known]:
        raise InvalidArgumentError(f"{operation}: a form is one of {', '.join(sorted(known))}; got {unknown[0]!r}")


def known_dtypes(operation: str, keys: Keys, dtypes: Sequence[DType]) -> dict[str, DType]:
    """The dtype of each feature. Raises DtypeMismatchError for one that there is not, or for two of one feature."""
    found: dict[str, DType] = {}
    for key, dtype in zip(keys, dtypes, strict=True):
        if dtype not in NUMBERS:
            raise DtypeMismatchError(f"{operation}: {key!r}: a feature is float32, int64 or string; got {dtype.name}")
        if (other := found.setdefault(key, dtype)) is not dtype:
            raise DtypeMismatchError(f"{operation}: the feature {key!r} is wanted as {other.name} and {dtype.name}")
    return found


def read_columns(
    operation: str, source: Source, serialized: Any, keys: Keys, dtypes: Sequence[DType]
) -> tuple[Messages, dict[str, Column]]:
    """The messages in a scalar or vector of texts, and the column of each key. Raises what `Messages` raises."""
    array = elements(serialized)
    if array.ndim > 1:
        raise ShapeMismatchError(f"{operation}: the messages are a scalar or a vector; the shape is {array.shape}")
    messages = Messages(operation, array.reshape(-1).tolist(), single=not array.ndim)
    features = known_dtypes(operation, keys, dtypes)
    return messages, dict(zip(features, messages.columns(source, features), strict=True))
