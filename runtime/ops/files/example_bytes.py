"""`Example` messages as tensors: `parse_example` reads the features of one message, or of a vector of them.

    parse_example(texts, keys=("age",), forms=("required",), dtypes=(int64,), shapes=(shape[],))     # [31, 7]

Each feature has a form, which says what becomes of its values:

    required, optional      [messages, *shape]; an optional one takes a default where a message has no such feature
    padded                  [messages, most steps, *shape], filled up with a default
    rows                    all values, and where those of each message begin (row_splits)
    cells                   all values, their cells in [messages, most values], and that shape

`runtime.io` has the public forms; `runtime.ops.kernels.example_columns` the format.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, float32, int64, string
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
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
from runtime.ops.kernels.wire import field, varint
from runtime.ops.records.raises import SHAPES, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.shapes import TensorShape

__all__ = ["WITH_DEFAULT", "parse_example", "written_feature"]

FEATURES: Final = Source(1)

WITH_DEFAULT: Final = frozenset({"optional", "padded"})
"""Forms that take a default."""


def _result_shapes(batch: TensorShape, form: str, shape: TensorShape) -> list[TensorShape]:
    rank = batch.rank
    if form == "rows":
        return [TensorShape([None]), TensorShape([None if rank is None else 2] if rank == 0 else [_rows(batch)])]
    if form == "cells":
        width = None if rank is None else rank + 1
        return [TensorShape([None]), TensorShape([None, width]), TensorShape([width])]
    steps = TensorShape([None]) if form == "padded" else TensorShape([])
    return [batch.concatenate(steps).concatenate(shape)]


def _rows(batch: TensorShape) -> int | None:
    size = batch[0] if batch.rank else None
    return None if size is None else size + 1


def _shapes(serialized: Operand, *defaults: Operand, keys: Keys, forms: Keys, dtypes: Any, shapes: Any) -> Any:
    rank = serialized.shape.rank
    if rank is not None and rank > 1:
        raise ValueError("the messages are a scalar or a vector")
    given = iter(defaults)
    for key, form, shape in zip(keys, forms, shapes, strict=True):
        wanted = shape if form == "optional" else TensorShape([])
        if form in WITH_DEFAULT and not next(given).shape.is_compatible_with(wanted):
            raise ValueError(f"the default of {key!r} has the shape {wanted}")
    made = [_result_shapes(serialized.shape, form, shape) for form, shape in zip(forms, shapes, strict=True)]
    return tuple(shape for group in made for shape in group)


_COUNTS: Final = {"rows": (int64,), "cells": (int64, int64)}
"""The dtypes of what stands beside the values."""


def _dtypes(serialized: Operand, *defaults: Operand, keys: Keys, forms: Keys, dtypes: Any, shapes: Any) -> Any:
    check_features("parse_example", _LAYOUTS, keys, forms, dtypes, shapes)
    known_dtypes("parse_example", keys, dtypes)
    given = iter(defaults)
    for key, form, dtype in zip(keys, forms, dtypes, strict=True):
        if form in WITH_DEFAULT and (other := next(given).dtype) is not dtype:
            raise DtypeMismatchError(f"parse_example: the default of {key!r} is {other.name}; {dtype.name} is wanted")
    return tuple(d for form, dtype in zip(forms, dtypes, strict=True) for d in (dtype, *_COUNTS.get(form, ())))


# -- what becomes of a column --------------------------------------------------------------------------------------


def _fixed(messages: Messages, key: str, column: Column, shape: TensorShape, default: Any) -> tuple[Array, ...]:
    """One array, of as many values for each message as the shape says."""
    size, dims = shape.num_elements() or 0, shape.as_tuple()
    lengths = () if messages.single else (messages.count,)
    present = ~column.missing
    wrong = np.flatnonzero(present & (column.counts != size))
    lacking = np.flatnonzero(column.missing) if default is None else wrong[:0]
    if len(lacking) and (not len(wrong) or lacking[0] < wrong[0]):
        raise InvalidArgumentError(
            f"{messages.operation}: {messages.where(int(lacking[0]))} has no feature {key!r}, which has no default"
        )
    if len(wrong):
        first = int(wrong[0])
        raise InvalidArgumentError(
            f"{messages.operation}: the feature {key!r} of {messages.where(first)} has {int(column.counts[first])}"
            f" values; the shape {shape} takes {size}"
        )
    if present.all():
        return (column.values.reshape((*lengths, *dims)),)
    made = np.empty((messages.count, *dims), column.values.dtype)
    made[present] = column.values.reshape((-1, *dims))
    made[~present] = default
    return (made.reshape((*lengths, *dims)),)


def _padded(messages: Messages, key: str, column: Column, shape: TensorShape, default: Any) -> tuple[Array, ...]:
    """One array, filled up where a message has fewer steps than others."""
    size, dims = shape.num_elements() or 0, shape.as_tuple()
    steps, rest = np.divmod(column.counts, max(size, 1))
    wrong = np.flatnonzero(rest if size else column.counts)
    if len(wrong):
        first = int(wrong[0])
        raise InvalidArgumentError(
            f"{messages.operation}: the feature {key!r} of {messages.where(first)} has {int(column.counts[first])}"
            f" values, which make no whole steps of the shape {shape}"
        )
    if messages.single:
        return (column.values.reshape((int(steps[0]), *dims)),)
    made = np.full((messages.count, int(steps.max(initial=0)), *dims), default, column.values.dtype)
    made[np.arange(made.shape[1]) < steps[:, None]] = column.values.reshape((-1, *dims))
    return (made,)


def _as_rows(messages: Messages, key: str, column: Column, shape: TensorShape, default: Any) -> tuple[Array, ...]:
    return column.values, np.concatenate([[0], np.cumsum(column.counts)]).astype(np.int64, copy=False)


def _as_cells(messages: Messages, key: str, column: Column, shape: TensorShape, default: Any) -> tuple[Array, ...]:
    counts, total = column.counts, len(column.values)
    if messages.single:
        return column.values, np.arange(total)[:, None], np.array([total])
    row = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    return column.values, np.stack([row, within], 1), np.array([len(counts), int(counts.max(initial=0))])


_LAYOUTS: Final[dict[str, Callable[..., tuple[Array, ...]]]] = {
    "cells": _as_cells, "optional": _fixed, "padded": _padded, "required": _fixed, "rows": _as_rows,
}  # fmt: skip

# -- samples -------------------------------------------------------------------------------------------------------


def _written(**features: Sequence[Any]) -> bytes:
    """An Example, written by a few lines of its own."""
    entries = (field(1, key.encode()) + field(2, written_feature(values)) for key, values in features.items())
    return field(1, b"".join(field(1, entry) for entry in entries))


def written_feature(values: Sequence[Any]) -> bytes:
    """A Feature: of no kind if it has no values; its floats are not packed."""
    if not values:
        return b""
    if isinstance(values[0], bytes):
        return field(1, b"".join(field(1, text) for text in values))
    if isinstance(values[0], float):
        return field(2, b"".join(b"\x0d" + struct.pack("<f", x) for x in values))
    return field(3, field(1, b"".join(varint(x % 2**64) for x in values)))


_ROWS: Final[tuple[dict[str, Any], ...]] = (
    {"a": [1, -2], "f": [0.5], "t": [b"x", b""]},
    {"f": [2.0, 4.0, 8.0], "a": [300, 2**62]},
    {"t": [b"yz"], "a": [0, 7]},
)  # fmt: skip


def _texts_of(rows: Sequence[dict[str, Any]]) -> Array:
    made = np.empty(len(rows), object)
    made[:] = [_written(**row) for row in rows]
    return made


def _features(**features: tuple[str, DType, Sequence[int]]) -> dict[str, Any]:
    forms, dtypes, shapes = zip(*features.values(), strict=True)
    return {"keys": tuple(features), "forms": forms, "dtypes": dtypes, "shapes": tuple(map(TensorShape, shapes))}


_OF_ROWS: Final = _features(
    a=("required", int64, [2]), f=("padded", float32, []), t=("rows", string, []), x=("optional", int64, [])
)
_DEFAULTS: Final = (np.float32(9), np.int64(5))


def _samples(dtype: DType) -> Any:
    yield Sample((_texts_of(_ROWS), *_DEFAULTS), _OF_ROWS)
    yield Sample((_texts_of(_ROWS[:1]), *_DEFAULTS), _OF_ROWS)
    yield Sample((_texts_of([]), *_DEFAULTS), _OF_ROWS)
    yield Sample((_texts_of(_ROWS * 7), *_DEFAULTS), _OF_ROWS)
    yield Sample((_texts_of(_ROWS),), _features(f=("cells", float32, []), a=("required", int64, [1, 2])))
    yield Sample((_texts_of(_ROWS)[:1].reshape(()),), _features(f=("cells", float32, []), t=("rows", string, [])))


def _reference(serialized: Array, *defaults: Array, keys: Keys, forms: Keys, dtypes: Any, shapes: Any) -> Any:
    """The same from the rows of which the samples were written."""
    known = {_written(**row): row for row in _ROWS}
    rows = [known[text] for text in np.ravel(np.asarray(serialized, object))]
    given, made = iter(defaults), list[Any]()
    for key, form, dtype, shape in zip(keys, forms, dtypes, shapes, strict=True):
        found = [row.get(key, []) for row in rows]
        values = np.array([v for row in found for v in row], object if dtype is string else dtype.numpy)
        most = max(map(len, found), default=0)
        default = next(given) if form in WITH_DEFAULT else 0
        if form == "required":
            made.append(values.reshape(len(rows), *shape))
        elif form == "optional":
            made.append(np.array([row[0] if row else default for row in found], dtype.numpy))
        elif form == "padded":
            filled = [[*row, *[default] * (most - len(row))] for row in found]
            made.append(np.array(filled, dtype.numpy).reshape(len(rows), most))
        elif form == "rows":
            made += [values, np.array([sum(map(len, found[:i])) for i in range(len(found) + 1)])]
        elif np.ndim(serialized):
            cells = [(i, j) for i, row in enumerate(found) for j in range(len(row))]
            made += [values, np.array(cells).reshape(-1, 2), np.array([len(rows), most])]
        else:
            made += [values, np.arange(most)[:, None], np.array([most])]
    return tuple(made)


_ONE: Final = _features(a=("required", int64, [2]))
_GOOD: Final = _written(**_ROWS[0])


@op(
    raises=Raises((*SHAPES, DtypeMismatchError)),
    shape=_shapes, dtypes={"serialized": STRINGS, "defaults": frozenset(NUMBERS)}, mixed=True, result=_dtypes,
    outputs=0, no_gradient="it reads texts", samples=_samples, reference=_reference,
    errors=[Failure(([_GOOD, _written(f=[1.0])],), InvalidArgumentError, ("'a'", "index 1", "default"), _ONE),
            Failure(([_GOOD, _written(a=[1])],), InvalidArgumentError, ("'a'", "index 1", "1 values"), _ONE),
            Failure((_written(a=[0.5]),), DtypeMismatchError, ("'a'", "float32", "int64"), _ONE),
            Failure(([_GOOD, _GOOD[:-1]],), InvalidArgumentError, ("index 1", "byte 0"), _ONE),
            Failure((b"\n\x03\n\x7fa",), InvalidArgumentError, ("damaged at byte 2", "126 bytes"), _ONE),
            Failure(([[b""]],), ShapeMismatchError, ("scalar or a vector",), _ONE)],
)  # fmt: skip
def parse_example(
    serialized: Any, *defaults: Any, keys: tuple[Any, ...], forms: tuple[Any, ...], dtypes: tuple[Any, ...],
    shapes: tuple[Any, ...],
) -> tuple[Array, ...]:  # fmt: skip
    """The features of Example messages. serialized: string scalar or vector; defaults: one for each optional and padded
    feature, of its shape and a scalar.

    keys, forms, dtypes, shapes: of each feature; the forms are required, optional, padded, rows and cells, the dtypes
    float32, int64 and string. Raises InvalidArgumentError for a message that is damaged (with the byte) or has no such
    feature or another number of values, DtypeMismatchError for a feature of another dtype.
    """
    check_features("parse_example", _LAYOUTS, keys, forms, dtypes, shapes)
    messages, columns = read_columns("parse_example", FEATURES, serialized, keys, dtypes)
    given, made = iter(defaults), list[Array]()
    for key, form, shape in zip(keys, forms, shapes, strict=True):
        default = next(given) if form in WITH_DEFAULT else None
        made += _LAYOUTS[form](messages, key, columns[key], shape, default)
    return tuple(made)
