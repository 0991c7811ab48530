"""What a `try` remembers for its handlers: the values that variables have where an operation is about to raise.

    memo = memo_new()                                   # before the `try`
    memo_set(memo, [total], names=("total",))           # in the body, before each operation that can raise
    memo_get(memo, 0, name="total", shape=[])           # in the handler: the value set last, or the default

A memo is a value of dtype variant that changes, the only one of its kind: it is made anew each time the statement runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import EVERY, VARIANTS, DType, bool_, variant
from runtime.ops.records.raises import NOTHING
from runtime.ops.records.record import Array, Operand, op
from runtime.shapes import TensorShape

__all__ = ["memo_get", "memo_has", "memo_new", "memo_set"]


@op(shape=lambda: TensorShape([]), result=variant, stateful=True, raises=NOTHING)
def memo_new() -> Array:
    """A memo that remembers nothing."""
    return np.array(({},), variant.numpy)


def _nothing(memo: Operand, *values: Operand, names: tuple[str, ...]) -> tuple[TensorShape, ...]:
    if len(names) != len(values):
        raise ValueError(f"{len(names)} names for {len(values)} values")
    return ()


def _no_dtypes(memo: Operand, *values: Operand, names: tuple[str, ...]) -> tuple[DType, ...]:
    return ()


@op(
    raises=NOTHING,
    shape=_nothing, result=_no_dtypes, dtypes={"memo": VARIANTS, "values": EVERY}, mixed=True, outputs=0, stateful=True,
    holds=True,
)  # fmt: skip
def memo_set(memo: Array, *values: Array, names: tuple[str, ...] = ()) -> tuple[()]:
    """Lets a memo remember these values under these names, and nothing else. It has no result."""
    kept: dict[str, Any] = memo.item()[0]
    kept.clear()
    kept.update(zip(names, values, strict=True))
    return ()


@op(
    raises=NOTHING,
    shape=lambda memo, default, name, shape: shape,
    result=lambda memo, default, name, shape: default.dtype,
    dtypes={"memo": VARIANTS, "default": EVERY},
)
def memo_get(memo: Array, default: Array, *, name: str, shape: TensorShape) -> Array:
    """What a memo remembers under a name, in the dtype of default; default where it remembers nothing."""
    kept = memo.item()[0].get(name)
    return default if kept is None else np.asarray(kept, default.dtype)


@op(shape=lambda memo, name: TensorShape([]), result=bool_, dtypes={"memo": VARIANTS}, raises=NOTHING)
def memo_has(memo: Array, *, name: str) -> Array:
    """Whether a memo remembers something under a name."""
    return np.asarray(name in memo.item()[0])
