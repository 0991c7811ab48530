"""Parts of composite values whose first dimension a trace leaves open: how many values a RaggedTensor has.

    f(rows of 3 values); f(rows of 5 values)     ->  one trace, in which the values have shape (None,)

Which parts these are the class says (`_nest_open`, see `runtime.composite.protocol`).
"""

from __future__ import annotations

from typing import Any

from runtime import structures as nest
from runtime.function.leaves import is_input
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = ["is_open", "open_dims", "with_open_parts"]


def is_open(owner: Any, step: str, part: Any) -> bool:
    """Whether the part that is reached by `step` is an input whose first dimension is open."""
    return step in getattr(type(owner), "_nest_open", ()) and is_input(part)


def open_dims(dims: tuple[int | None, ...] | None) -> tuple[int | None, ...] | None:
    """The dimensions of a tensor whose first one is not part of its type."""
    return (None, *dims[1:]) if dims else dims


def with_open_parts(value: Any) -> Any:
    """The value with specs in the place of such parts; the very same object where there are none."""
    if isinstance(value, Tensor) or not nest.is_nested(value):
        return value
    parts = nest.children(value)
    changed = [_opened(part) if is_open(value, step, part) else with_open_parts(part) for step, part in parts]
    same = all(a is b for (_, a), b in zip(parts, changed, strict=True))
    return value if same else nest.rebuild(value, changed)


def _opened(part: Any) -> TensorSpec:
    name = part.name if type(part) is TensorSpec else None
    return TensorSpec(open_dims(part.shape.dims), part.dtype, name)
