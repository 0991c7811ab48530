"""How the values of a `RaggedFeature` are put into rows, message by message.

    RowSplits("splits").rows(values, bounds, column)      # a RaggedTensor of rows, and where those of a message begin

A partition gets the values of all messages, where those of each message begin, and its own column: integers, and where
those of each message begin. What does not fit the values of a message is an InvalidArgumentError.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.composite.ragged_tensor import RaggedTensor
from runtime.dtypes import int64
from runtime.ops.records.gradients import ops
from runtime.tensor.convert import convert_to_tensor

__all__ = ["RowLengths", "RowLimits", "RowSplits", "RowStarts", "UniformRowLength", "ValueRowIds", "check_same"]


def check_same(message: str, a: Any, b: Any) -> None:
    """Raises InvalidArgumentError with the message, at once or when the graph runs, if two vectors differ."""
    ops.check(ops.reduce_all(ops.equal(a, b)), [a, b], message=message)


def _counts(bounds: Any) -> Any:
    return bounds[1:] - bounds[:-1]


def _bounds(counts: Any) -> Any:
    return ops.concat([ops.zeros([1], int64), ops.cumsum(counts)], axis=0)


def _by_lengths(values: Any, bounds: Any, lengths: Any) -> tuple[Any, Any]:
    """lengths: a RaggedTensor with the lengths of the rows of each message."""
    message = "parse_example: the rows of a RaggedFeature must hold all values of their message: "
    check_same(message, ops.reduce_sum(lengths, axis=1), _counts(bounds))
    return RaggedTensor.from_row_lengths(values, lengths.flat_values), lengths.row_splits


def _column(column: Any) -> Any:
    return RaggedTensor.from_row_splits(column[0], column[1], validate=False)


@dataclass(frozen=True)
class RowLengths:
    """How many values each row has."""

    key: str

    def rows(self, values: Any, bounds: Any, column: Any) -> tuple[Any, Any]:
        """See the module."""
        return _by_lengths(values, bounds, _column(column))


@dataclass(frozen=True)
class RowSplits:
    """Where each row begins, and then where the last one ends."""

    key: str

    def rows(self, values: Any, bounds: Any, column: Any) -> tuple[Any, Any]:
        """See the module."""
        return _by_splits(values, bounds, _column(column))


def _by_splits(values: Any, bounds: Any, splits: Any) -> tuple[Any, Any]:
    first = splits[:, :1].flat_values
    check_same("parse_example: the first row of a RaggedFeature must begin at 0: ", first, ops.zeros_like(first))
    return _by_lengths(values, bounds, splits[:, 1:] - splits[:, :-1])


@dataclass(frozen=True)
class RowStarts:
    """Where each row begins."""

    key: str

    def rows(self, values: Any, bounds: Any, column: Any) -> tuple[Any, Any]:
        """See the module."""
        starts = _column(column)
        ends = RaggedTensor.from_uniform_row_length(_counts(bounds), 1)
        return _by_splits(values, bounds, ops.concat([starts, ends], axis=1))


@dataclass(frozen=True)
class RowLimits:
    """Where each row ends."""

    key: str

    def rows(self, values: Any, bounds: Any, column: Any) -> tuple[Any, Any]:
        """See the module."""
        zeros = RaggedTensor.from_uniform_row_length(ops.zeros_like(bounds[1:]), 1)
        return _by_splits(values, bounds, ops.concat([zeros, _column(column)], axis=1))


@dataclass(frozen=True)
class ValueRowIds:
    """In which row each value is; the rows are in order."""

    key: str

    def rows(self, values: Any, bounds: Any, column: Any) -> tuple[Any, Any]:
        """See the module."""
        ids, own = column
        check_same("parse_example: each value of a RaggedFeature needs the number of its row: ", own, bounds)
        rows = _column(column)
        counts = ops.maximum(ops.reduce_max(rows, axis=1), convert_to_tensor(-1, int64)) + 1
        own_bounds = _bounds(counts)
        numbers = ids + ops.gather(own_bounds, rows.value_rowids())
        return RaggedTensor.from_value_rowids(values, numbers, nrows=own_bounds[-1]), own_bounds


@dataclass(frozen=True)
class UniformRowLength:
    """All rows have this length."""

    length: Any

    def rows(self, values: Any, bounds: Any, column: Any) -> tuple[Any, Any]:
        """See the module."""
        length = convert_to_tensor(self.length, int64)
        left = ops.floormod(bounds, length)
        message = "parse_example: the values of a RaggedFeature must make whole rows in each message: "
        check_same(message, left, ops.zeros_like(left))
        return RaggedTensor.from_uniform_row_length(values, length), ops.floordiv(bounds, length)
