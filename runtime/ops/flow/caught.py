"""The exception that a handler of `try` in a graph handles, as a value: its text, and the parts of it.

    %caught = caught() : variant[]                                      # stands at the start of the handler's graph
    %text = caught_text(%caught) {conversion="", spec=""} : string[]    # f"{error}"
    %part = caught_part(%caught) {path=("args", 0), dtype=int32, shape=[]} : int32[]

An exception is a value of dtype variant, as a list that grows is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.dtypes import VARIANTS, DType, string, variant
from runtime.ops.records.raises import NOTHING
from runtime.ops.records.record import Array, op
from runtime.shapes import TensorShape

__all__ = ["caught", "caught_part", "caught_text"]


@op(shape=lambda: TensorShape([]), result=variant, stateful=True, raises=NOTHING)
def caught() -> Array:
    """The exception that is being handled. It stands only in the handlers of `try`."""
    error = sys.exception()
    if error is None:
        raise RuntimeError("no exception is being handled")
    return np.array((error,), variant.numpy)


def _as_written(error: Array, conversion: str, spec: str) -> Array:
    found: Any = error.item()[0]
    if conversion == "%":
        return _text(spec % (found,))
    return _text(format(_MADE[conversion](found) if conversion else found, spec))


_MADE: Final[dict[str, Callable[[object], str]]] = {"a": ascii, "r": repr, "s": str}
"""What the conversions of an f-string do."""


def _text(text: str) -> Array:
    result = np.empty((), object)
    result[()] = text.encode("utf-8", "surrogateescape")
    return result


@op(
    raises=NOTHING,
    shape=lambda error, conversion, spec: TensorShape([]), result=lambda error, conversion, spec: string,
    dtypes={"error": VARIANTS},
)  # fmt: skip
def caught_text(error: Array, *, conversion: str, spec: str) -> Array:
    """The text of an exception, as `f"{error!r:>20}"` writes it with the conversion "r" and the spec ">20"."""
    return _as_written(error, conversion, spec)


@op(
    raises=NOTHING,
    shape=lambda error, path, dtype, shape: shape, result=lambda error, path, dtype, shape: dtype,
    dtypes={"error": VARIANTS},
)  # fmt: skip
def caught_part(error: Array, *, path: tuple[Any, ...], dtype: DType, shape: TensorShape) -> Array:
    """A part of an exception: path ("args", 0) is `error.args[0]`, path ("code",) is `error.code`."""
    found: Any = error.item()[0]
    for step in path:
        found = getattr(found, step) if isinstance(step, str) else found[step]
    return _text(found) if isinstance(found, str) else np.asarray(found, dtype.numpy)
