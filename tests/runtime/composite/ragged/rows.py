"""Random ragged data as nested lists, and calls in a graph that does not know sizes."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import runtime


def random_rows(rng: random.Random, ragged_rank: int = 1, inner: tuple[int, ...] = ()) -> list[Any]:
    """Nested lists of small numbers: rows of different lengths `ragged_rank` times, then values of shape `inner`."""

    def value(shape: tuple[int, ...]) -> Any:
        return [value(shape[1:]) for _ in range(shape[0])] if shape else rng.randint(-5, 5)

    def rows(depth: int) -> list[Any]:
        return [rows(depth - 1) if depth else value(inner) for _ in range(rng.randint(0, 3))]

    return [rows(ragged_rank - 1) for _ in range(rng.randint(1, 4))]


def ragged(rows: list[Any], ragged_rank: int = 1, dtype: Any = runtime.int32, inner: tuple[int, ...] = ()) -> Any:
    return runtime.ragged.constant(rows, dtype, ragged_rank=ragged_rank, inner_shape=inner)


def plain(value: Any) -> Any:
    return value.to_list() if isinstance(value, runtime.RaggedTensor) else value.numpy().tolist()


def in_graph(function: Callable[..., Any], *values: Any) -> Any:
    """The function in a graph that knows ranks only."""
    specs = [
        runtime.RaggedTensorSpec(None, v.dtype, v.ragged_rank, v.row_splits.dtype,
                                 runtime.TensorSpec([None, *v.flat_values.shape[1:]], v.dtype))
        if isinstance(v, runtime.RaggedTensor) else runtime.TensorSpec([None] * v.ndim, v.dtype)
        for v in values
    ]  # fmt: skip
    return runtime.function(function, input_signature=specs)(*values)
