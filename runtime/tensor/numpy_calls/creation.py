"""Arrays that numpy makes of numbers: `np.zeros(n)`, `np.arange(n)`, `np.array([x, y])`, `np.float32(x)`.

    np.zeros((n, 2))      int32   ->   zeros([n, 2], float64)
    np.array([x, 1])      float32 ->   stack([x, 1.0])

numpy passes none of these on to its arguments. Converted code asks the stager in its place; elsewhere `like=x` does it
(not for np.zeros and np.empty, which look at their sizes first).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import letter_of
from runtime.tensor.numpy_calls.operands import NotCovered, Table, call, kind_of, operand, tensor, to, wanted_shape
from runtime.tensor.tensor import Tensor

__all__ = ["SCALARS", "TABLE"]

TABLE: Final = Table()


def _sizes(shape: Any) -> Any:
    """A shape as a list or vector of sizes, of which some may be tensors."""
    wanted = wanted_shape(operand(shape) if not isinstance(shape, tuple | list) else shape)
    return [*map(_size, wanted)] if isinstance(wanted, list) else _size(wanted)


def _size(value: Any) -> Any:
    size = operand(value)
    return to(size, np.int64) if isinstance(size, Tensor) and size.dtype.is_integer else size


def _dtype(dtype: Any) -> np.dtype[Any]:
    found = np.dtype(float if dtype is None else getattr(dtype, "numpy", dtype))
    if letter_of(found) in "OSUVMm":
        raise NotCovered(f"a tensor cannot have the dtype {found}")
    return found


@TABLE.of(np.zeros, np.empty)
def _zeros(shape: Any, dtype: Any = None, order: str = "C") -> Any:
    return call("fill", _sizes(shape), _dtype(dtype).type(0))


@TABLE.of(np.ones)
def _ones(shape: Any, dtype: Any = None, order: str = "C") -> Any:
    return call("fill", _sizes(shape), _dtype(dtype).type(1))


@TABLE.of(np.full)
def _full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> Any:
    value = tensor(fill_value)
    return call("broadcast_to", value if dtype is None else to(value, _dtype(dtype)), _sizes(shape))


@TABLE.of(np.arange)
def _arange(start: Any = None, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    first, last = (0, start) if stop is None else (0 if start is None else start, stop)
    parts = [operand(part) for part in (first, last, 1 if step is None else step)]
    kinds = [np.int64 if kind is int else np.float64 if kind is float else kind for kind in map(kind_of, parts)]
    working = np.result_type(np.int64, *kinds)  # numpy's own rule: nothing narrower than an int64
    counted = call("range", *(to(part, working) for part in parts))
    return counted if dtype is None else to(counted, _dtype(dtype))


def _places(rows: Any, columns: Any) -> tuple[Any, Any]:
    """The numbers of the rows as a column, those of the columns as a row."""
    down, across = (_arange(_size(n)) for n in (rows, rows if columns is None else columns))
    return call("expand_dims", down, axis=1), call("expand_dims", across, axis=0)


@TABLE.of(np.eye)
def _eye(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, order: str = "C") -> Any:
    for size in (_size(N), _size(N if M is None else M)):
        if not isinstance(size, int):
            holds = call("greater_equal", size, 0)
            call("check", holds, message="negative dimensions are not allowed", exception="ValueError")
    down, across = _places(N, M)
    return to(call("equal", call("subtract", across, down), to(operand(k), np.int64)), _dtype(dtype))


@TABLE.of(np.identity)
def _identity(n: Any, dtype: Any = None) -> Any:
    return _eye(n, dtype=dtype)


@TABLE.of(np.tri)
def _tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float) -> Any:
    down, across = _places(N, M)
    return to(call("greater_equal", call("add", down, to(operand(k), np.int64)), across), _dtype(dtype))


@TABLE.of(np.array)
def _array(
    a: Any, dtype: Any = None, *, copy: Any = True, order: str = "K", subok: bool = False, ndmin: int = 0
) -> Any:
    return _as_array(_copy(a) if copy and isinstance(a, Tensor) else a, dtype, order, ndmin=ndmin)


@TABLE.of(np.asarray, np.asanyarray)
def _as_array(
    a: Any, dtype: Any = None, order: str = "K", *, copy: Any = None, subok: bool = False, ndmin: int = 0
) -> Any:
    made = _copy(a) if copy else tensor(a)
    made = made if dtype is None else to(made, _dtype(dtype))
    if ndmin:
        if made.shape.rank is None:
            raise NotCovered("`ndmin` needs to know how many dimensions there are")
        made = call("reshape", made, [*[1] * (ndmin - made.shape.rank), *call("unstack", call("shape", made))])
    return made


@TABLE.of(np.ascontiguousarray)
def _contiguous(a: Any, dtype: Any = None) -> Any:
    return _as_array(a, dtype, ndmin=1)


@TABLE.of(np.asfortranarray)
def _columns_first(a: Any, dtype: Any = None) -> Any:
    return _as_array(a, dtype)  # a tensor has no order in memory


@TABLE.of(np.require)
def _require(a: Any, dtype: Any = None, requirements: Any = None) -> Any:
    return _as_array(a, dtype)


@TABLE.of(np.copy)
def _copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    return tensor(a)._copied()


def _scalar(kind: type[Any]) -> Any:
    return lambda value=0, /: to(tensor(value), kind)


SCALARS: Final = (
    np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32,
    np.float64, np.complex64, np.complex128,
)  # fmt: skip

TABLE.update({kind: _scalar(kind) for kind in SCALARS})
