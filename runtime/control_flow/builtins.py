"""Python's builtins on tensors: what `len(x)`, `range(n)`, `abs(x)`, `int(x)`, `float(x)` mean in a graph.

A builtin that is not in the table runs as Python's own, which a symbolic tensor refuses with its own message.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any, Final

from runtime.dtypes import float32, int32
from runtime.ops.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["OVERLOADS"]


def _len(x: Any) -> Any:
    """The first dimension: a Python int where it is known, else a tensor."""
    shape = x._shape if isinstance(x, SymbolicTensor) else x.shape
    if shape.rank == 0:
        raise ValueError(f"len requires a non-scalar tensor, got one of shape {shape}")
    first = None if shape.dims is None else shape.dims[0]
    return REGISTRY["shape"](x)[0] if first is None else first


def _int(x: Any, base: int = 10) -> Any:
    if base != 10:
        raise NotImplementedError(f"base {base} not supported for int of a tensor")
    return REGISTRY["cast"](convert_to_tensor(x), int32)


def _float(x: Any) -> Any:
    return REGISTRY["cast"](convert_to_tensor(x), float32)


def _range(start: Any, stop: Any = None, step: Any = 1) -> Any:
    if stop is None:
        start, stop = 0, start
    return REGISTRY["range"](start, stop, step)


def _print(*values: Any, **options: Any) -> Any:
    import runtime  # the public print wrapper is above this layer; only Feature.BUILTIN_FUNCTIONS comes here

    unknown = sorted(set(options) - {"sep", "end", "file", "flush"})
    if unknown:
        raise ValueError(f"invalid keyword arguments: {', '.join(unknown)}")
    options.pop("flush", None)
    if (file := options.pop("file", None)) is not None:
        options["output_stream"] = file
    return runtime.print(*values, **options)


OVERLOADS: Final[Mapping[Any, Callable[..., Any]]] = {
    builtins.len: _len,
    builtins.int: _int,
    builtins.float: _float,
    builtins.abs: lambda x: REGISTRY["abs"](x),
    builtins.range: _range,
    builtins.print: _print,
}
