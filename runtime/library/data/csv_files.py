"""CSV files as sources: `experimental.CsvDataset` and `experimental.make_csv_dataset`.

    runtime.data.experimental.CsvDataset("points.csv", [runtime.float32, runtime.float32, ""], header=True)

A record is a tuple of scalars, one for each selected column. A record with too few or too many fields, or with a field
that is no number where one is wanted, is an error with file, line and column.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, as_dtype, string
from runtime.errors import DataLossError, InvalidArgumentError
from runtime.library.data.blocks import Block
from runtime.library.data.files import pieces
from runtime.library.data.lines import texts
from runtime.ops.records.record import Array
from runtime.tensor.convert import convert_to_tensor

__all__ = ["Column", "CsvReader", "Dialect", "columns_of", "first_rows", "inferred"]

TOGETHER: Final = 256
"""Records in a block."""

TYPES: Final = frozenset({"int32", "int64", "float32", "float64", "string"})


@dataclass(frozen=True)
class Column:
    """A column that is read: its number in the file, its dtype, what an empty field means (None: an error)."""

    number: int
    dtype: DType
    default: Any = None


@dataclass(frozen=True)
class Dialect:
    """How the file is written."""

    delimiter: str = ","
    quotes: bool = True
    na_value: str = ""
    header: bool = False
    compression: str = ""

    def reader(self, lines: Iterator[str]) -> Any:
        """Python's reader of such a file."""
        if self.quotes:
            return csv.reader(lines, delimiter=self.delimiter, strict=True)
        return csv.reader(lines, delimiter=self.delimiter, quoting=csv.QUOTE_NONE, strict=True)


def columns_of(record_defaults: Sequence[Any], selected: Sequence[int] | None) -> list[Column]:
    """The columns for `record_defaults`: dtypes (a field is required), or values that stand for empty fields."""
    numbers = range(len(record_defaults)) if selected is None else selected
    if len(numbers) != len(record_defaults):
        raise InvalidArgumentError(
            f"CsvDataset: record_defaults has {len(record_defaults)} entries, select_cols {len(numbers)}"
        )
    if any(b <= a for a, b in itertools.pairwise(numbers)) or any(n < 0 for n in numbers):
        raise InvalidArgumentError(f"CsvDataset: select_cols are column numbers in rising order; got {list(numbers)}")
    return [_column(number, entry) for number, entry in zip(numbers, record_defaults, strict=True)]


def _column(number: int, entry: Any) -> Column:
    if isinstance(entry, DType | type):
        found = Column(number, as_dtype(entry))
    else:
        tensor = convert_to_tensor(entry)
        value = np.asarray(tensor).reshape(-1)
        found = Column(number, tensor.dtype, value[0] if len(value) else None)
    if found.dtype.name not in TYPES:
        raise InvalidArgumentError(f"CsvDataset reads {', '.join(sorted(TYPES))}; got {found.dtype.name}")
    return found


@dataclass(frozen=True)
class CsvReader:
    """Reads the records of a file. width: how many fields a record has, None: not checked."""

    columns: tuple[Column, ...]
    dialect: Dialect
    width: int | None = None

    def __call__(self, path: str) -> Iterator[Block]:
        rows: list[list[str]] = []
        places: list[int] = []
        try:
            for place, row in self._records(path):
                rows.append(row)
                places.append(place)
                if len(rows) == TOGETHER:
                    yield from self._blocks(path, rows, places)
                    rows, places = [], []
        except DataLossError:
            yield from self._blocks(path, rows, places)
            raise
        yield from self._blocks(path, rows, places)

    def _records(self, path: str) -> Iterator[tuple[int, list[str]]]:
        reader = self.dialect.reader(_lines(path, self.dialect.compression))
        skipped = not self.dialect.header
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                raise _refused(path, reader, error) from None
            if row is None:
                return
            if row and skipped:
                yield reader.line_num, row
            skipped = skipped or bool(row)

    def _blocks(self, path: str, rows: list[list[str]], places: list[int]) -> Iterator[Block]:
        """The records; where one is wrong, those before it first."""
        if not rows:
            return
        try:
            block = self._block(path, rows, places)
        except (DataLossError, InvalidArgumentError):
            if len(rows) == 1:
                raise
            half = len(rows) // 2
            yield from self._blocks(path, rows[:half], places[:half])
            yield from self._blocks(path, rows[half:], places[half:])
        else:
            yield block

    def _block(self, path: str, rows: list[list[str]], places: list[int]) -> Block:
        least = self.columns[-1].number + 1 if self.columns else 0
        for row, place in zip(rows, places, strict=True):
            if len(row) < least or (self.width is not None and len(row) != self.width):
                wanted = f"{least} at least" if self.width is None else str(self.width)
                raise DataLossError(
                    f"{path}, line {place}: a record of {len(row)} fields, where {wanted} were expected"
                )
        return Block([self._values(path, c, [row[c.number] for row in rows], places) for c in self.columns], len(rows))

    def _values(self, path: str, column: Column, fields: list[str], places: list[int]) -> Array:
        empty = [not field or field == self.dialect.na_value for field in fields]
        if column.default is None and any(empty):
            if column.dtype is not string or self.dialect.na_value:
                raise InvalidArgumentError(
                    f"{path}, line {places[empty.index(True)]}, column {column.number + 1}: the field is empty, and"
                    " record_defaults has no value for it"
                )
            empty = [False] * len(fields)
        if column.dtype is string:
            default = b"" if column.default is None else column.default
            return texts(
                [default if e else f.encode("utf-8", "surrogateescape") for f, e in zip(fields, empty, strict=True)]
            )
        made = np.empty(len(fields), column.dtype.numpy)
        number = int if column.dtype.is_integer else float
        with np.errstate(over="ignore"):  # a float that is too large is infinite
            for i, (field, missing) in enumerate(zip(fields, empty, strict=True)):
                try:
                    made[i] = column.default if missing else number("?" if "_" in field else field)
                except (ValueError, OverflowError):
                    raise InvalidArgumentError(
                        f"{path}, line {places[i]}, column {column.number + 1}: {field!r} is no {column.dtype.name}"
                    ) from None
        return made


def _lines(path: str, compression: str) -> Iterator[str]:
    """Lines of text with their ends, which belong to the data inside of quotes."""
    begun = b""
    for data in pieces(path, compression):
        whole = begun + data
        end = whole.rfind(b"\n") + 1
        begun = whole[end:]
        yield from io.StringIO(whole[:end].decode("utf-8", "surrogateescape"), newline="\n")
    if begun:
        yield begun.decode("utf-8", "surrogateescape")


def first_rows(path: str, dialect: Dialect, count: int) -> list[list[str]]:
    """The first rows of a file, the header among them."""
    reader = dialect.reader(_lines(path, dialect.compression))
    try:
        return [row for row, _ in zip(filter(None, reader), range(count), strict=False)]
    except csv.Error as error:
        raise _refused(path, reader, error) from None


def _refused(path: str, reader: Any, error: csv.Error) -> DataLossError:
    """What Python's reader says, with the place; its limit for the length of a field is no damage to the file."""
    remedy = "; csv.field_size_limit(n), of Python's module csv, allows longer ones" if "limit" in str(error) else ""
    return DataLossError(f"{path}, line {reader.line_num}: {error}{remedy}")


def inferred(fields: Sequence[str], na_value: str) -> Any:
    """The default for a column with these fields: 0 of the narrowest type that fits them all, or empty text."""
    given = [field for field in fields if field and field != na_value]
    for dtype, low, high in ((np.int32, -(2**31), 2**31), (np.int64, -(2**63), 2**63)):
        try:
            if given and all(low <= int("?" if "_" in field else field) < high for field in given):
                return dtype(0)
        except ValueError:
            break
    try:
        largest = max((abs(float("?" if "_" in field else field)) for field in given), default=0.0)
    except ValueError:
        return ""
    return (np.float32 if largest <= np.finfo(np.float32).max or largest == np.inf else np.float64)(0)
