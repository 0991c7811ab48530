"""`a.view(dtype)`: the same memory, its bytes read and written as numbers of another dtype.

    bits = x.view(np.int32)
    bits[0] ^= 1 << 31          # x[0] has the other sign
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.dtypes import DType
from runtime.tensor.numpy_calls.operands import call

__all__ = ["Bits"]


@dataclass(frozen=True)
class Bits:
    """A step to a view: see runtime.ndarrays.steps. before: the dtype of what it is a view of."""

    dtype: DType
    before: DType

    def read(self, x: Any) -> Any:
        return _as_bits(x, self.dtype)

    def put(self, x: Any, part: Any) -> Any:
        return _as_bits(part, self.before)

    def known(self, array: Any) -> Any:
        return array.view(self.dtype.numpy)


def _as_bits(x: Any, dtype: DType) -> Any:
    """Rows become longer where their numbers become narrower, and the other way round."""
    size, wanted = x.dtype.size, dtype.size
    if size == wanted:
        return call("bitcast", x, dtype=dtype)
    *leading, last = x.shape.as_tuple()
    if size > wanted:
        return call("reshape", call("bitcast", x, dtype=dtype), [*leading, last * size // wanted])
    many = wanted // size
    return call("bitcast", call("reshape", x, [*leading, last // many, many]), dtype=dtype)
