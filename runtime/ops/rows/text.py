"""Ragged rows as an ndarray and as text, also while a graph runs: as they are shown, and as `strings.format` does it.

>>> ragged_text([1, 2, 3], [[0, 2, 2, 3]])
<tf.Tensor: shape=(), dtype=string, numpy=b'<tf.RaggedTensor [[1, 2], [], [3]]>'>
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.dtypes import ANY, DType, int32, int64, string
from runtime.errors import InvalidArgumentError
from runtime.ops.kernels.values import elements
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, Sample, values
from runtime.shapes import TensorShape

__all__ = ["in_rows", "ragged_text", "rows_in_brackets", "text_of_rows"]


def in_rows(flat: Array, nested_splits: Sequence[Array]) -> Array:
    """One array where all rows have one length, else an object array with one array for each row.

    nested_splits: the row_splits of each ragged axis, the outermost first.
    """
    made = flat
    for splits in reversed(nested_splits):
        lengths = np.diff(splits)
        if not lengths.size or (made.dtype != object and (lengths == lengths[0]).all()):
            width = int(lengths[0]) if lengths.size else 0
            made = made.reshape(lengths.size, width, *made.shape[1:])
            continue
        rows = np.empty(lengths.size, object)
        for i in range(lengths.size):
            rows[i] = made[splits[i] : splits[i + 1]]
        made = rows
    return made


def text_of_rows(flat: Array, nested_splits: Sequence[Array]) -> str:
    """The rows as nested brackets, over several lines where they are long or all of one length."""
    with np.printoptions(formatter={"all": _item}):
        return f"<tf.RaggedTensor {_item(in_rows(flat, nested_splits))}>"


def _item(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    return np.array2string(value, separator=", ") if value.size else repr(value.tolist())


def _scalar(name: str, nested_splits: Sequence[Any]) -> TensorShape:
    if not nested_splits:
        raise InvalidArgumentError(f"{name}: the row_splits of at least one ragged axis are needed")
    return TensorShape([])


def _samples(dtype: DType) -> Any:
    small = values(dtype, (3,)) if dtype.family == "string" else np.arange(3).astype(dtype.numpy)  # one line each
    for splits in ([0, 2, 2, 3], [0, 1, 3], [0, 0, 3]):
        yield Sample((small, np.array(splits, np.int64)))
    yield Sample((small, np.array([0, 1, 1], np.int64), np.array([0, 3], np.int64)))


def _reference(flat: Array, *nested_splits: Array) -> bytes:
    """Nested lists as Python writes them: one line, where rows differ in length."""
    made: Any = [str(v) for v in flat]
    for splits in reversed(nested_splits):
        made = [made[splits[i] : splits[i + 1]] for i in range(len(splits) - 1)]

    def text(rows: Any) -> str:
        return rows if isinstance(rows, str) else "[" + ", ".join(map(text, rows)) + "]"

    return f"<tf.RaggedTensor {text(made)}>".encode()


@op(
    shape=lambda flat, *nested_splits: _scalar("ragged_text", nested_splits),
    dtypes={"flat": ANY, "nested_splits": frozenset({int32, int64})}, result=string,
    samples=_samples, reference=_reference,
    errors=[Failure(([1], []), InvalidArgumentError, ("row_splits",))],
)  # fmt: skip
def ragged_text(flat: Any, *nested_splits: Any) -> bytes:
    """The text of a ragged tensor. flat: its innermost values; nested_splits: the row_splits of its ragged axes."""
    _scalar("ragged_text", nested_splits)
    return text_of_rows(elements(flat), [np.asarray(splits) for splits in nested_splits]).encode()


# -- in brackets ---------------------------------------------------------------------------------------------------


def _bracket_samples(dtype: DType) -> Any:
    words = np.empty(6, object)
    words[:] = [b"a", b"b", "\u00e9".encode(), b"", b"5", b"6"]
    for splits in ([0, 2, 2, 6], [0, 0, 6], [0]):
        flat = words if len(splits) > 1 else words[:0]
        for summarize in (3, 1, -1):
            yield Sample((flat, np.array(splits, np.int64)), {"summarize": summarize})
    yield Sample((words, np.array([0, 1, 1], np.int64), np.array([0, 6], np.int64)))
    yield Sample((words.reshape(3, 2), np.array([0, 1, 3], np.int32)), {"summarize": 1})


def _bracket_reference(flat: Array, *nested_splits: Array, summarize: int = 3) -> bytes:
    made: Any = flat.tolist()
    for splits in reversed(nested_splits):
        made = [made[splits[i] : splits[i + 1]] for i in range(len(splits) - 1)]

    def text(value: Any) -> str:
        if isinstance(value, bytes):
            return value.decode()
        parts = [text(part) for part in value]
        if summarize >= 0 and len(parts) > 2 * summarize:
            parts[summarize : len(parts) - summarize] = ["..."]
        return "[" + ", ".join(parts) + "]"

    return text(made).encode()


@op(
    shape=lambda flat, *nested_splits, summarize: _scalar("rows_in_brackets", nested_splits),
    dtypes={"flat": frozenset({string}), "nested_splits": frozenset({int32, int64})}, result=string,
    samples=_bracket_samples, reference=_bracket_reference,
    errors=[Failure((["a"], []), InvalidArgumentError, ("row_splits",))],
)  # fmt: skip
def rows_in_brackets(flat: Any, *nested_splits: Any, summarize: int = 3) -> bytes:
    """Texts in rows as one text: `[[a, b], [], [c]]`. flat: the texts; nested_splits: row_splits of its ragged axes.

    summarize: items shown at each end of each axis; -1: all.
    """
    _scalar("rows_in_brackets", nested_splits)
    pieces = _joined(elements(flat), summarize)
    for splits in reversed(nested_splits):
        bounds = np.asarray(splits).tolist()
        pieces = [_bracketed(pieces[a:b], summarize) for a, b in itertools.pairwise(bounds)]
    return _bracketed(pieces, summarize).encode()


def _joined(texts: Array, summarize: int) -> list[str]:
    """The items along the first axis."""
    if texts.ndim == 1:
        return [bytes(text).decode("utf-8", "backslashreplace") for text in texts.tolist()]
    return [_bracketed(_joined(part, summarize), summarize) for part in texts]


def _bracketed(pieces: Sequence[str], summarize: int) -> str:
    if summarize >= 0 and len(pieces) > 2 * summarize:
        pieces = [*pieces[:summarize], "...", *pieces[len(pieces) - summarize :]]
    return f"[{', '.join(pieces)}]"
