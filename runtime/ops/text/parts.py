"""Texts cut into pieces and joined along axes: `string_split`, `string_bytes`, `string_reduce_join`, ...

    string_split(["a b", "c"], "")          # pieces [a, b, c], row_splits [0, 2, 3]: text i has pieces
                                            # row_splits[i] to row_splits[i + 1]

How many pieces there are is only known at run time; `runtime.strings` makes ragged tensors of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import INTEGERS, STRINGS, DType, int64, string
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.records.shape_rules import normalized_axis
from runtime.ops.text.elements import texts_of
from runtime.shapes import TensorShape

__all__ = [
    "check_vector", "object_vector", "splits_of", "string_bytes", "string_reduce_join", "string_segment_join",
    "string_split",
]  # fmt: skip

PIECES: Final = (string, int64)
"""The dtypes of pieces and row_splits."""


def object_vector(items: Sequence[Any]) -> Array:
    """Texts as a vector."""
    result = np.empty(len(items), object)
    result[:] = items
    return result


def splits_of(rows: Sequence[Sequence[Any]]) -> Array:
    """Where each row begins among all pieces, and where the last one ends."""
    return np.cumsum([0, *map(len, rows)], dtype=np.int64)


def _vector_pieces(x: Operand) -> tuple[TensorShape, TensorShape]:
    if x.shape.rank not in (1, None):
        raise ValueError("a vector of texts is needed")
    count = x.shape[0] if x.shape.rank == 1 else None
    splits = TensorShape([None if count is None else count + 1])
    return TensorShape([None]), splits


def check_vector(name: str, x: Any) -> list[bytes]:
    """The texts of a vector."""
    array = elements(x)
    if array.ndim != 1:
        raise ShapeMismatchError(f"{name}: a vector of texts is needed; the shape is {array.shape}")
    return array.tolist()


# -- splitting -----------------------------------------------------------------------------------------------------


def _split_shape(x: Operand, separator: Operand, *, maxsplit: int) -> tuple[TensorShape, ...]:
    if separator.shape.rank not in (0, None):
        raise ValueError("the separator is one text")
    return _vector_pieces(x)


def _split_samples(dtype: DType) -> Any:
    for x in (texts_of("a b  c", "", " x,y ", "z"), np.zeros(0, object), texts_of("a,,b", "é, ü")):
        for separator in ("", ",", ", "):
            for maxsplit in (-1, 1):
                yield Sample((x, texts_of(separator)), {"maxsplit": maxsplit})


def _split_reference(x: Any, separator: Any, maxsplit: int) -> Any:
    rows = [t.decode().split(separator[()].decode() or None, maxsplit) for t in x]
    pieces = [piece.encode() for row in rows for piece in row]
    return np.array([*pieces, None], object)[:-1], np.array([0, *np.cumsum([len(r) for r in rows])])


@op(
    shape=_split_shape, dtypes=STRINGS, result=lambda *operands, maxsplit: PIECES, outputs=2,
    samples=_split_samples, reference=_split_reference,
    errors=[Failure(([["a"]], " "), ShapeMismatchError, ("vector", "(1, 1)")),
            Failure((["a"], [" ", ","]), ShapeMismatchError, ("separator",))],
)  # fmt: skip
def string_split(x: Any, separator: Any, *, maxsplit: int = -1) -> tuple[Array, Array]:
    """The pieces of the texts of a vector as a vector, and row_splits (int64): where those of each text begin.

    x: string vector. separator: scalar; the empty one splits at runs of blanks, and leaves out what is empty at the
    ends, as Python's `split()`. maxsplit: the most cuts in one text; -1: all.
    """
    if elements(separator).ndim:
        raise ShapeMismatchError(f"string_split: the separator is one text; its shape is {elements(separator).shape}")
    between = bytes(elements(separator)[()]) or None
    rows = [text.split(between, maxsplit) for text in check_vector("string_split", x)]
    return object_vector([piece for row in rows for piece in row]), splits_of(rows)


def _bytes_samples(dtype: DType) -> Any:
    for x in (texts_of("abc", "", "é"), np.zeros(0, object), texts_of(["a\x00"]), texts_of("", "")):
        yield Sample((x,))


def _bytes_reference(x: Array) -> Any:
    rows = [[bytes([byte]) for byte in t] for t in x]
    return np.array([*(b for row in rows for b in row), None], object)[:-1], np.cumsum([0] + [len(r) for r in rows])


@op(
    shape=_vector_pieces, dtypes=STRINGS, result=lambda x: PIECES, outputs=2,
    samples=_bytes_samples, reference=_bytes_reference,
    errors=[Failure(([["a"]],), ShapeMismatchError, ("vector", "(1, 1)"))],
)  # fmt: skip
def string_bytes(x: Any) -> tuple[Array, Array]:
    """The bytes of the texts of a vector as texts of length 1, and row_splits (int64). x: string vector."""
    rows = check_vector("string_bytes", x)
    joined = b"".join(rows)
    return object_vector([joined[i : i + 1] for i in range(len(joined))]), splits_of(rows)


# -- joining along axes --------------------------------------------------------------------------------------------


def _axes(axis: Any, rank: int) -> tuple[int, ...]:
    """The axes as they are joined: the first one is walked through first (row by row if it is None)."""
    if axis is None:
        return tuple(range(rank))[::-1]
    axes = tuple(normalized_axis(a, rank) for a in (axis if isinstance(axis, tuple) else (axis,)))
    if len(set(axes)) != len(axes):
        raise ValueError(f"an axis is given twice: {axis}")
    return axes


def _reduced_shape(x: Operand, *, axis: Any, keepdims: bool, separator: str) -> TensorShape:
    if x.shape.dims is None:
        return TensorShape([]) if axis is None and not keepdims else TensorShape(None)
    axes = _axes(axis, len(x.shape.dims))
    kept = [(1 if i in axes else d) for i, d in enumerate(x.shape.dims) if keepdims or i not in axes]
    return TensorShape(kept)


def _reduce_samples(dtype: DType) -> Any:
    cube = texts_of([["a", "b", "c"], ["d", "e", "f"]])
    for axis in (None, 0, 1, -1, (1, 0), (0, 1), ()):
        for keepdims in (False, True):
            yield Sample((cube,), {"axis": axis, "keepdims": keepdims, "separator": "-"})
    yield Sample((np.zeros((2, 0), object),), {"axis": 1})
    yield Sample((texts_of("one"),))


def _reduce_reference(x: Any, axis: Any = None, keepdims: bool = False, separator: str = "") -> Any:
    axes = [a % x.ndim for a in (range(x.ndim)[::-1] if axis is None else axis if isinstance(axis, tuple) else (axis,))]
    rows: dict[tuple[int, ...], list[bytes]] = {}
    kept = [d for i, d in enumerate(x.shape) if i not in axes]
    for place in sorted(np.ndindex(x.shape), key=lambda place: [place[a] for a in axes[::-1]]):
        rows.setdefault(tuple(p for i, p in enumerate(place) if i not in axes), []).append(x[place])
    result = np.empty(kept, object)
    for place in np.ndindex(result.shape):
        result[place] = separator.encode().join(rows.get(place, []))
    return np.expand_dims(result, axes) if keepdims else result


@op(
    shape=_reduced_shape, dtypes=STRINGS, samples=_reduce_samples, reference=_reduce_reference,
    errors=[Failure((["a"],), ShapeMismatchError, ("axis 3",), {"axis": 3}),
            Failure(([["a"]],), ShapeMismatchError, ("twice",), {"axis": (0, -2)})],
)  # fmt: skip
def string_reduce_join(x: Any, *, axis: Any = None, keepdims: bool = False, separator: str = "") -> Any:
    """The texts along axes as one text each, with `separator` between them. x: string tensor.

    axis: an integer, or several: the first one is walked through first; None: all, row by row. keepdims: leaves an axis
    of size 1 for each.
    """
    array = elements(x)
    axes = _axes(axis, array.ndim)
    kept = [i for i in range(array.ndim) if i not in axes]
    ordered = array.transpose(*kept, *axes[::-1])
    rows = ordered.reshape(int(np.prod([array.shape[i] for i in kept], dtype=int)), -1 if array.size else 0)
    between = separator.encode()
    joined = object_vector([between.join(row) for row in rows.tolist()])
    return joined.reshape([1 if i in axes else d for i, d in enumerate(array.shape) if keepdims or i not in axes])


def _segment_shape(x: Operand, segment_ids: Operand, num_segments: Operand, *, separator: str) -> TensorShape:
    ids, dims = segment_ids.shape, x.shape.dims
    if num_segments.shape.rank not in (0, None):
        raise ValueError("num_segments is a scalar")
    if ids.rank is None or dims is None:
        return TensorShape(None)
    if len(dims) < ids.rank or not TensorShape(dims[: ids.rank]).is_compatible_with(ids):
        raise ValueError("the shape of segment_ids is not the beginning of that of x")
    count = None if num_segments.value is None else int(num_segments.value)
    if count is not None and count < 0:
        raise ValueError(f"num_segments is not negative; got {count}")
    return TensorShape([count, *dims[ids.rank :]])


def _segment_samples(dtype: DType) -> Any:
    x = texts_of("a", "b", "c")
    yield Sample((x, np.array([0, 1, 0], np.int32), np.int32(3)), {"separator": ":"})
    yield Sample((x, np.array([0, -1, 0], np.int64), np.int32(1)))
    yield Sample((texts_of([["a", "b"], ["c", "d"]]), np.array([1, 1], np.int32), np.int32(2)), {"separator": "+"})
    yield Sample((np.zeros((0,), object), np.zeros((0,), np.int32), np.int64(2)))


def _segment_reference(x: Array, segment_ids: Array, num_segments: Array, separator: str = "") -> Any:
    columns = x.reshape(len(segment_ids), int(np.prod(x.shape[1:], dtype=int)))
    count = range(int(num_segments))
    rows = [[separator.encode().join(c[segment_ids == i]) for c in columns.T] for i in count]
    return np.array(rows, object).reshape((int(num_segments), *x.shape[1:]))


@op(
    raises=VALUES,
    shape=_segment_shape, dtypes={"x": STRINGS, "segment_ids": INTEGERS, "num_segments": INTEGERS},
    samples=_segment_samples, reference=_segment_reference,
    errors=[Failure((["a", "b"], [0, 2], 2), InvalidArgumentError, ("id 2", "(1,)", "2 segments")),
            Failure((["a", "b"], [0], 2), InvalidArgumentError, ("segment_ids",)),
            Failure((["a"], [0], -1), InvalidArgumentError, ("num_segments", "-1"))],
)  # fmt: skip
def string_segment_join(x: Any, segment_ids: Any, num_segments: Any, *, separator: str = "") -> Any:
    """The texts of x with one id as one text, in their order, with `separator` between them.

    x: string tensor; segment_ids: integers in [0, num_segments) whose shape is the beginning of that of x; a negative
    id leaves its texts out. num_segments: integer scalar.
    """
    array, ids, count = elements(x), np.asarray(segment_ids), int(num_segments)
    if array.shape[: ids.ndim] != ids.shape:
        raise ShapeMismatchError(
            f"string_segment_join: the shape of segment_ids, {ids.shape}, is not the beginning of that of x,"
            f" {array.shape}"
        )
    if count < 0:
        raise InvalidArgumentError(f"string_segment_join: num_segments is not negative; got {count}")
    if (ids >= count).any():
        place = tuple(np.argwhere(ids >= count)[0].tolist())
        raise InvalidArgumentError(
            f"string_segment_join: the id {ids[place]} at index {place} is none of {count} segments, 0 to {count - 1}"
        )
    inner = array.shape[ids.ndim :]
    rows = array.reshape(ids.size, int(np.prod(inner, dtype=int)))
    collected: list[list[list[bytes]]] = [[[] for _ in range(rows.shape[1])] for _ in range(count)]
    for number, row in zip(ids.reshape(-1).tolist(), rows.tolist(), strict=True):
        if number >= 0:
            for column, text in zip(collected[number], row, strict=True):
                column.append(text)
    join: Callable[[list[bytes]], bytes] = separator.encode().join
    return object_vector([join(column) for segment in collected for column in segment]).reshape(count, *inner)
