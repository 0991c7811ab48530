"""`string_filled_in`: text with the values of tensors in it, written as `runtime.print` writes them.

>>> string_filled_in([[1, 2], "a"], parts=("x = ", ", y = ", ""))
<tf.Tensor: shape=(), dtype=string, numpy=b'x = [1 2], y = "a"'>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY, DType, string
from runtime.errors import InvalidArgumentError
from runtime.ops.kernels.values import elements
from runtime.ops.records.record import op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.text.output import text_of
from runtime.shapes import TensorShape

__all__ = ["string_filled_in"]


def _scalar(*values: Any, parts: tuple[str, ...], summarize: int) -> TensorShape:
    if len(parts) != len(values) + 1:
        raise InvalidArgumentError(
            f"string_filled_in: {len(values)} values stand between {len(values) + 1} parts; got {len(parts)}"
        )
    return TensorShape([])


def _samples(dtype: DType) -> Any:
    yield Sample((), {"parts": ("none",)})
    if dtype.family == "string":
        words = np.empty(2, object)
        words[:] = [b"a", "é".encode()]
        yield Sample((words, np.array(b"b", object)), {"parts": ("", " and ", "")})
        yield Sample((words.reshape(2, 1),), {"parts": ("<", ">")})
        yield Sample((np.array(b"\"", object),), {"parts": ("", "")})
        return
    numbers = np.arange(8).astype(dtype.numpy)
    yield Sample((numbers[:3], numbers[1]), {"parts": ("a ", " b ", " c")})
    yield Sample((numbers,), {"parts": ("", ""), "summarize": 2})
    yield Sample((numbers.reshape(2, 4),), {"parts": ("", ""), "summarize": -1})


def _reference(*values: Any, parts: tuple[str, ...], summarize: int = 3) -> bytes:
    def item(value: Any) -> str:
        if isinstance(value, bytes):
            return f'"{value.decode()}"'
        return str(value) if isinstance(value, bool) or not isinstance(value, float | complex) else _number(value)

    def rows(value: Any, depth: int, ndim: int) -> str:
        if not isinstance(value, list):
            return item(value)
        made = [rows(part, depth + 1, ndim) for part in value]
        if summarize >= 0 and len(made) > 2 * summarize:
            made = [*made[:summarize], "...", *made[len(made) - summarize :]]
        rest = ndim - depth
        return "[" + (" " if rest == 1 else "\n" * (rest - 1) + " " * (depth + 1)).join(made) + "]"

    texts = [rows(v.tolist(), 0, v.ndim) for v in values]
    return "".join(a + b for a, b in zip(parts, [*texts, ""], strict=True)).encode()


def _number(value: Any) -> str:
    """Small whole numbers, as %g writes them."""
    return f"({value.real:g},{value.imag:g})" if isinstance(value, complex) else f"{value:g}"


@op(
    shape=_scalar, dtypes=ANY, mixed=True, result=string, samples=_samples, reference=_reference,
    errors=[Failure(([1],), InvalidArgumentError, ("1 values", "2 parts", "got 1"), {"parts": ("",)})],
)  # fmt: skip
def string_filled_in(*values: Any, parts: tuple[str, ...], summarize: int = 3) -> bytes:
    """The parts with the texts of the values between them, as one text. values: tensors of any dtype, one fewer.

    summarize: elements shown at each end of each axis; -1: all.
    """
    _scalar(*values, parts=parts, summarize=summarize)
    texts = [_text(value, summarize) for value in values]
    return "".join(a + b for a, b in zip(parts, [*texts, ""], strict=True)).encode()


def _text(value: Any, summarize: int) -> str:
    array = elements(value)
    if array.dtype == object and not array.ndim:
        return f'"{bytes(array[()]).decode("utf-8", "backslashreplace")}"'
    return text_of(array, summarize)
