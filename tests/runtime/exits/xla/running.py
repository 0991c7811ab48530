"""What a lowered graph gives, beside what the numpy plan gives.

    check_sample(op, sample)            # None, or why the operation cannot leave; AssertionError if they differ
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from runtime.dtypes import from_numpy, variant
from runtime.exits.rules import Refused
from runtime.exits.xla.program import Program, jax_settings
from runtime.exits.xla.values import Row, row_of
from runtime.ops.kernels.list_value import ListValue, unboxed
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from tests.runtime.leaving import sample_graph

NEAR = {
    "bfloat16": (2e-2, 2e-2), "float16": (4e-3, 4e-3), "float32": (1e-5, 1e-6), "float64": (1e-11, 1e-12),
    "complex64": (2e-5, 2e-5), "complex128": (1e-10, 1e-11),
}  # fmt: skip
"""Relative to each element, and to elements of about 1."""

SHAPES = {"minlength", "multiples", "num_segments", "paddings", "shape", "sizes", "depth", "num", "num_rows",
          "num_columns", "dims", "size", "begin", "start", "limit", "delta", "length", "mask", "condition",
          "num_or_size_splits", "positions", "lengths", "k", "segment_ids", "num_lower", "num_upper",
          "num_cols"}  # fmt: skip
"""Operands that say shapes: programs mostly know them."""


def same(found: Any, wanted: Any, what: str) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (what, found.dtype, wanted.dtype, found.shape)
    if wanted.dtype.name in NEAR:
        relative, absolute = NEAR[wanted.dtype.name]
        if wanted.dtype.name == "bfloat16":
            found, wanted = found.astype(np.float32), wanted.astype(np.float32)
        np.testing.assert_allclose(found, wanted, rtol=relative, atol=absolute, err_msg=what)
    else:
        assert found.tolist() == wanted.tolist(), what


def known_operands(op: Op) -> list[int]:
    return [place for place, name in enumerate(op.tensors) if name in SHAPES]


def check_sample(op: Op, sample: Sample, known: Sequence[int] = (), guarded: bool = True) -> str | None:
    graph = sample_graph(op, sample, known)
    given = [array for place, array in enumerate(arrays_of(sample)) if place not in known]
    program = Program(graph, guarded)
    try:
        with jax_settings():
            found, _, failed = program(given, [])
    except Refused as reason:
        return str(reason)
    attributes = {**op.attributes, **sample.attributes}
    wanted = op.run([np.asarray(o) for o in sample.operands], attributes)
    what = f"{op.name} {[np.shape(o) for o in sample.operands]} {dict(sample.attributes)}"
    assert not failed, f"{what} failed"
    for one, other in zip(found, wanted if isinstance(wanted, tuple) else [wanted], strict=True):
        for part, wanted_part in zip(as_arrays(one), as_arrays(other), strict=True):
            same(part, wanted_part, what)
    return None


def arrays_of(sample: Sample) -> list[Any]:
    """The operands as a program takes them; they are not known while it is traced."""
    operands = map(np.asarray, sample.operands)
    with jax_settings():
        return [row_of(o) if from_numpy(o.dtype) is variant else jnp.asarray(o) for o in operands]


def as_arrays(value: Any) -> list[Any]:
    """A result as arrays: a list as its elements."""
    if isinstance(value, Row):
        count = int(value.length.value())
        return [] if value.buffer is None else list(np.asarray(value.buffer[:count]))
    array = np.asarray(value)
    if from_numpy(array.dtype) is not variant:
        return [array]
    held = unboxed(array)
    if not isinstance(held, ListValue):
        return [np.asarray(x) for _, x in held.items()]
    return [np.asarray(item) for item in held if item is not None]
