"""Which operation stands for a numpy function: `np.sum(t, axis=0)` is `reduce_sum(t, 0)`.

Each entry takes numpy's arguments, those that have a counterpart, and calls operations. A call with others (`out=`,
`where=`, `order=`, ...) does not fit the entry's signature and counts as not covered.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.ops.record import REGISTRY

__all__ = ["translate"]

Entry = Callable[..., Any]


def _reduction(name: str) -> Entry:
    return lambda a, axis=None, *, keepdims=False: REGISTRY[name](a, axis, keepdims)


def _flat(a: Any) -> Any:
    return REGISTRY["reshape"](a, [-1])


def _along(name: str) -> Entry:
    """numpy works on the flattened array unless an axis is given; the operations on the first axis."""
    return lambda a, axis=None: REGISTRY[name](_flat(a), 0) if axis is None else REGISTRY[name](a, axis)


def _take(a: Any, indices: Any, axis: int | None = None) -> Any:
    return REGISTRY["gather"](_flat(a), indices) if axis is None else REGISTRY["gather"](a, indices, axis)


def _flip(m: Any, axis: Any = None) -> Any:
    return REGISTRY["reverse"](m, axis=range(m.ndim) if axis is None else axis)


def _dot(a: Any, b: Any) -> Any:
    if getattr(a, "ndim", None) == 2 and getattr(b, "ndim", None) == 2:
        return REGISTRY["matmul"](a, b)
    return REGISTRY["tensordot"](a, b, 1)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    return REGISTRY["norm"](x, "euclidean" if ord is None else ord, axis, keepdims)


FUNCTIONS: Final[Mapping[Any, Entry]] = {
    np.sum: _reduction("reduce_sum"),
    np.prod: _reduction("reduce_prod"),
    np.mean: _reduction("reduce_mean"),
    np.max: _reduction("reduce_max"),
    np.min: _reduction("reduce_min"),
    np.all: _reduction("reduce_all"),
    np.any: _reduction("reduce_any"),
    np.std: _reduction("reduce_std"),
    np.var: _reduction("reduce_variance"),
    np.count_nonzero: _reduction("count_nonzero"),
    np.argmax: _along("argmax"),
    np.argmin: _along("argmin"),
    np.cumsum: _along("cumsum"),
    np.cumprod: _along("cumprod"),
    np.reshape: lambda a, shape: REGISTRY["reshape"](a, shape),
    np.ravel: _flat,
    np.transpose: lambda a, axes=None: REGISTRY["transpose"](a, axes),
    np.expand_dims: lambda a, axis: REGISTRY["expand_dims"](a, axis),
    np.squeeze: lambda a, axis=None: REGISTRY["squeeze"](a, axis),
    np.broadcast_to: lambda array, shape: REGISTRY["broadcast_to"](array, shape),
    np.concatenate: lambda arrays, axis=0: REGISTRY["concat"](arrays, axis),
    np.stack: lambda arrays, axis=0: REGISTRY["stack"](arrays, axis),
    np.where: lambda condition, x, y: REGISTRY["where"](condition, x, y),
    np.clip: lambda a, a_min, a_max: REGISTRY["clip_by_value"](a, a_min, a_max),
    np.zeros_like: lambda a, dtype=None: REGISTRY["zeros_like"](a, dtype),
    np.ones_like: lambda a, dtype=None: REGISTRY["ones_like"](a, dtype),
    np.take: _take,
    np.flip: _flip,
    np.roll: lambda a, shift, axis: REGISTRY["roll"](a, shift=shift, axis=axis),
    np.sort: lambda a, axis=-1: REGISTRY["sort"](a, axis),
    np.round: lambda a: REGISTRY["round"](a),
    np.dot: _dot,
    np.tensordot: lambda a, b, axes=2: REGISTRY["tensordot"](a, b, axes),
    np.einsum: lambda subscripts, *operands: REGISTRY["einsum"](operands, equation=subscripts),
    np.linalg.norm: _norm,
}

SIGNATURES: Final = {function: inspect.signature(entry) for function, entry in FUNCTIONS.items()}


def translate(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Callable[[], Any] | None:
    """The call of operations that stands for a call of a numpy function, or None if there is none."""
    entry = FUNCTIONS.get(function)
    if entry is None:
        return None
    try:
        bound = SIGNATURES[function].bind(*args, **kwargs)
    except TypeError:
        return None
    return lambda: entry(*bound.args, **bound.kwargs)
