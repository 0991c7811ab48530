"""Arrays as bytes, for the files of `cache`: a header in JSON, then the numbers, or the lengths and bytes of strings.

array_of(bytes_of_array(x), "x")      # x again, bit by bit; no pickles
"""

from __future__ import annotations

import json
import math

import numpy as np

from runtime.dtypes import as_dtype, from_numpy, string
from runtime.errors import InvalidArgumentError
from runtime.ops.records.record import Array

__all__ = ["array_of", "bytes_of_array"]


def bytes_of_array(array: Array) -> bytes:
    """The array as bytes."""
    dtype = from_numpy(array.dtype)
    assert dtype is not None
    header = json.dumps({"dtype": dtype.name, "shape": array.shape}).encode()
    if dtype is string:
        items = array.reshape(-1).tolist()
        lengths = np.array([len(item) for item in items], "<u8").tobytes()
        return b"%b\n%b%b" % (header, lengths, b"".join(items))
    return b"%b\n%b" % (header, np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes())


def array_of(data: bytes, what: str) -> Array:
    """The array of such bytes. Raises InvalidArgumentError for others."""
    try:
        header, _, body = data.partition(b"\n")
        found = json.loads(header)
        dtype, shape = as_dtype(found["dtype"]), tuple(map(int, found["shape"]))
        if dtype is not string:
            numbers: Array = np.frombuffer(body, dtype.numpy.newbyteorder("<")).reshape(shape)
            return numbers.astype(dtype.numpy)
        return _strings(body, shape)
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidArgumentError(f"{what} does not hold a tensor where one was expected: {error}") from None


def _strings(body: bytes, shape: tuple[int, ...]) -> Array:
    count = math.prod(shape)
    ends = np.cumsum(np.frombuffer(body[: 8 * count], "<u8").astype(np.int64)) + 8 * count
    if (len(ends) != count) or (count and ends[-1] != len(body)):
        raise ValueError("the lengths of the strings do not fit")
    made = np.empty(count, object)
    start = 8 * count
    for i, end in enumerate(ends.tolist()):
        made[i], start = body[start:end], end
    return made.reshape(shape)
