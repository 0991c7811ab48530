"""`SequenceExample` messages as tensors: `parse_feature_lists` reads their lists of features, a feature for each step.

    parse_feature_lists(texts, keys=("words",), forms=("rows",), dtypes=(string,), shapes=(shape[],))

The forms say what becomes of a list:

    steps, optional_steps   [messages, most steps, *shape] filled up with a default, and how many steps each message has
    rows                    all values, where those of each step begin, and where the steps of each message begin
    cells                   all values, their cells in [messages, most steps, most values], and that shape

The features of the context stand where those of an Example stand, so `parse_example` reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, float32, int64, string
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.files.example_bytes import written_feature
from runtime.ops.kernels.example_columns import (
    Column,
    Keys,
    Messages,
    Source,
    check_features,
    known_dtypes,
    read_columns,
)
from runtime.ops.kernels.example_messages import NUMBERS
from runtime.ops.kernels.wire import field
from runtime.ops.records.raises import SHAPES, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.shapes import TensorShape

__all__ = ["STEPS", "parse_feature_lists"]

LISTS: Final = Source(2, listed=True)

STEPS: Final = frozenset({"optional_steps", "steps"})
"""Forms that take a default: a scalar."""

_VECTOR: Final = TensorShape([None])


def _shapes(serialized: Operand, *defaults: Operand, keys: Keys, forms: Keys, dtypes: Any, shapes: Any) -> Any:
    batch = serialized.shape
    if batch.rank is not None and batch.rank > 1:
        raise ValueError("the messages are a scalar or a vector")
    if any(default.shape.rank not in (0, None) for default in defaults):
        raise ValueError("the default of a list is a scalar")
    made: list[TensorShape] = []
    for form, shape in zip(forms, shapes, strict=True):
        if form in STEPS:
            made += [batch.concatenate([None]).concatenate(shape), batch]
        elif form == "rows":
            made += [_VECTOR, _VECTOR, _VECTOR]
        else:
            width = None if batch.rank is None else batch.rank + 2
            made += [_VECTOR, TensorShape([None, width]), TensorShape([width])]
    return tuple(made)


def _dtypes(serialized: Operand, *defaults: Operand, keys: Keys, forms: Keys, dtypes: Any, shapes: Any) -> Any:
    check_features("parse_feature_lists", _LAYOUTS, keys, forms, dtypes, shapes)
    known_dtypes("parse_feature_lists", keys, dtypes)
    given, made = iter(defaults), list[DType]()
    for key, form, dtype in zip(keys, forms, dtypes, strict=True):
        if form in STEPS and (other := next(given).dtype) is not dtype:
            raise DtypeMismatchError(f"the default of the list {key!r} is {other.name}; {dtype.name} is wanted")
        made += [dtype, int64] if form in STEPS else [dtype, int64, int64]
    return tuple(made)


# -- what becomes of a column --------------------------------------------------------------------------------------


def _bounds(counts: Array) -> Array:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64, copy=False)


def _dense(messages: Messages, key: str, column: Column, form: str, shape: TensorShape, default: Any) -> list[Array]:
    size, dims, steps = shape.num_elements() or 0, shape.as_tuple(), column.steps
    lacking = np.flatnonzero(column.missing) if form == "steps" else column.steps[:0]
    if len(lacking):
        raise InvalidArgumentError(
            f"{messages.operation}: {messages.where(int(lacking[0]))} has no list {key!r}, which may not be missing"
        )
    wrong = np.flatnonzero(column.counts != size)
    if len(wrong):
        bounds, unit = _bounds(steps), int(wrong[0])
        message = int(np.searchsorted(bounds, unit, "right")) - 1
        raise InvalidArgumentError(
            f"{messages.operation}: the step {unit - int(bounds[message])} of the list {key!r} of"
            f" {messages.where(message)} has {int(column.counts[unit])} values; the shape {shape} takes {size}"
        )
    if messages.single:
        return [column.values.reshape((int(steps[0]), *dims)), np.asarray(steps[0])]
    made = np.full((messages.count, int(steps.max(initial=0)), *dims), default, column.values.dtype)
    made[np.arange(made.shape[1]) < steps[:, None]] = column.values.reshape((len(column.counts), *dims))
    return [made, steps.astype(np.int64, copy=False)]


def _rows(messages: Messages, key: str, column: Column, form: str, shape: TensorShape, default: Any) -> list[Array]:
    return [column.values, _bounds(column.counts), _bounds(column.steps)]


def _cells(messages: Messages, key: str, column: Column, form: str, shape: TensorShape, default: Any) -> list[Array]:
    counts, steps, total = column.counts, column.steps, len(column.values)
    message = np.repeat(np.arange(len(steps)), steps)
    step = np.arange(len(counts)) - np.repeat(np.cumsum(steps) - steps, steps)
    within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    cells = np.stack([np.repeat(message, counts), np.repeat(step, counts), within], 1)
    size = np.array([len(steps), int(steps.max(initial=0)), int(counts.max(initial=0))])
    first = 1 if messages.single else 0
    return [column.values, cells[:, first:], size[first:]]


_LAYOUTS: Final[dict[str, Callable[..., list[Array]]]] = {
    "cells": _cells, "optional_steps": _dense, "rows": _rows, "steps": _dense,
}  # fmt: skip

# -- samples -------------------------------------------------------------------------------------------------------

_ROWS: Final[tuple[dict[str, list[list[Any]]], ...]] = (
    {"p": [[1.0, 2.0], [3.0, 4.0]], "w": [[b"to", b"be"], [], [b"or"]]}, {"p": [[5.0, 6.0]], "n": [[7]]}, {"p": []},
)  # fmt: skip


def _written(row: dict[str, list[list[Any]]]) -> bytes:
    """A SequenceExample without a context, written by a few lines of its own."""
    entries = b""
    for key, steps in row.items():
        features = b"".join(field(1, written_feature(values)) for values in steps)
        entries += field(1, field(1, key.encode()) + field(2, features))
    return field(2, entries)


_ALL: Final = {
    "keys": ("p", "w", "n"), "forms": ("steps", "rows", "optional_steps"), "dtypes": (float32, string, int64),
    "shapes": (TensorShape([2]), TensorShape([]), TensorShape([1])),
}  # fmt: skip
_SPARSE: Final = {"keys": ("w",), "forms": ("cells",), "dtypes": (string,), "shapes": (TensorShape([]),)}


def _samples(dtype: DType) -> Any:
    texts = np.empty(len(_ROWS), object)
    texts[:] = [_written(row) for row in _ROWS]
    defaults = np.float32(-1), np.int64(-2)
    for serialized in (texts, texts[:1], texts[:0], np.concatenate([texts] * 7), texts[0]):
        given = np.asarray(serialized, object)
        yield Sample((given, *defaults), _ALL)
        yield Sample((given,), _SPARSE)


def _reference(serialized: Array, *defaults: Array, keys: Keys, forms: Keys, dtypes: Any, shapes: Any) -> Any:
    """The same from the rows of which the samples were written."""
    known = {_written(row): row for row in _ROWS}
    rows = [known[text] for text in np.ravel(np.asarray(serialized, object))]
    given, made, single = iter(defaults), list[Any](), np.ndim(serialized) == 0
    for key, form, dtype, shape in zip(keys, forms, dtypes, shapes, strict=True):
        lists = [row.get(key, []) for row in rows]
        values = np.array([v for steps in lists for step in steps for v in step], object)
        if form == "rows":
            flat = [step for steps in lists for step in steps]
            inner = [sum(map(len, flat[:i])) for i in range(len(flat) + 1)]
            made += [values, np.array(inner), np.array([sum(map(len, lists[:i])) for i in range(len(lists) + 1)])]
        elif form == "cells":
            counts = [[len(step) for step in steps] for steps in lists]
            places = [(i, j, k) for i, row in enumerate(counts) for j, n in enumerate(row) for k in range(n)]
            size = [len(lists), max(map(len, lists), default=0), max((n for row in counts for n in row), default=0)]
            made += [values, np.array(places).reshape(-1, 3)[:, single:], np.array(size[single:])]
        else:
            most, filler = max(map(len, lists), default=0), np.full(shape.as_tuple(), next(given)).tolist()
            filled = np.array([[*steps, *[filler] * (most - len(steps))] for steps in lists], dtype.numpy)
            filled = filled.reshape(len(rows), most, *shape)
            lengths = np.array([len(steps) for steps in lists])
            made += [filled[0], lengths[0]] if single else [filled, lengths]
    return tuple(made)


_P: Final = {"keys": ("p",), "forms": ("steps",), "dtypes": (float32,), "shapes": (TensorShape([2]),)}
_GOOD: Final = _written(_ROWS[0])
_ZERO: Final = (np.float32(0),)


@op(
    raises=Raises((*SHAPES, DtypeMismatchError)),
    shape=_shapes, dtypes={"serialized": STRINGS, "defaults": frozenset(NUMBERS)}, mixed=True, result=_dtypes,
    outputs=0, no_gradient="it reads texts", samples=_samples, reference=_reference,
    errors=[Failure(([_GOOD, _written({})], _ZERO), InvalidArgumentError, ("'p'", "index 1", "missing"), _P),
            Failure(([_GOOD, _written({"p": [[1.0, 2.0], [3.0]]})], _ZERO), InvalidArgumentError,
                    ("step 1", "'p'", "index 1", "1 values"), _P),
            Failure((_written({"p": [[1]]}), _ZERO), DtypeMismatchError, ("'p'", "int64", "float32"), _P),
            Failure(([_GOOD, _GOOD[:-1]], _ZERO), InvalidArgumentError, ("index 1", "byte 0"), _P),
            Failure(([[b""]], _ZERO), ShapeMismatchError, ("scalar or a vector",), _P)],
)  # fmt: skip
def parse_feature_lists(
    serialized: Any, *defaults: Any, keys: tuple[Any, ...], forms: tuple[Any, ...], dtypes: tuple[Any, ...],
    shapes: tuple[Any, ...],
) -> tuple[Array, ...]:  # fmt: skip
    """The lists of features of SequenceExample messages. serialized: string scalar or vector; defaults: a scalar for
    each list of the forms steps and optional_steps.

    keys, forms, dtypes, shapes: of each list; the forms are steps, optional_steps, rows and cells, the dtypes float32,
    int64 and string. Raises InvalidArgumentError for a message that is damaged (with the byte), has no such list or
    another number of values in a step, DtypeMismatchError for a feature of another dtype.
    """
    check_features("parse_feature_lists", _LAYOUTS, keys, forms, dtypes, shapes)
    messages, columns = read_columns("parse_feature_lists", LISTS, serialized, keys, dtypes)
    given, made = iter(defaults), list[Array]()
    for key, form, shape in zip(keys, forms, shapes, strict=True):
        default = next(given) if form in STEPS else None
        made += _LAYOUTS[form](messages, key, columns[key], form, shape, default)
    return tuple(made)
