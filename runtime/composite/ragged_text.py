"""RaggedTensors as ndarrays and as text: nested object arrays where the rows have different lengths.

>>> as_array(runtime.ragged.constant([[1, 2], [3, 4]]))
array([[1, 2],
       [3, 4]], dtype=int32)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.record import Array

__all__ = ["as_array", "text_of"]


def as_array(ragged: Any) -> Array:
    """One array where all rows have one length, else an object array with one array for each row."""
    levels = ragged._levels()
    made: Array = ragged.flat_values._array.copy()
    for level in reversed(levels):
        splits = level._row_splits._array
        lengths = np.diff(splits)
        if (lengths.size and (lengths == lengths[0]).all() and made.dtype != object) or not lengths.size:
            width = int(lengths[0]) if lengths.size else 0
            made = made.reshape(lengths.size, width, *made.shape[1:])
            continue
        rows = np.empty(lengths.size, object)
        for i in range(lengths.size):
            rows[i] = made[splits[i] : splits[i + 1]]
        made = rows
    return made


def text_of(ragged: Any) -> str:
    """The rows as nested brackets, over several lines where they are long or all of one length."""
    with np.printoptions(formatter={"all": _item}):
        return _item(as_array(ragged))


def _item(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    return np.array2string(value, separator=", ") if value.size else repr(value.tolist())
