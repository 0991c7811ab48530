"""Every operation on operands in memory of every kind, and in graphs before and after the passes: always the same.

A kernel is given views with negative strides, in Fortran's order, with gaps, and read-only; a graph is run as the
passes leave it, with operands of partly known shapes, whose inferred shape must be that of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.engine.plan import compile_plan
from runtime.errors import InvalidArgumentError
from runtime.ops.kernels.values import elements
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from runtime.passes import optimize
from tests.one_in import one_in
from tests.runtime.bfloat16.rounding import in_numpy
from tests.runtime.op_samples import distinct, samples
from tests.runtime.test_ops import SAMPLED, as_list, assert_same, describe, public_call, record

Layout = Callable[[np.ndarray], np.ndarray]

STATELESS = [op for op in SAMPLED if not op.stateful]


def backwards(x: np.ndarray) -> np.ndarray:
    """The same elements behind negative strides."""
    turn = (slice(None, None, -1),) * x.ndim
    return x[turn].copy()[turn]


def in_columns(x: np.ndarray) -> np.ndarray:
    return np.asfortranarray(x)


def spread(x: np.ndarray) -> np.ndarray:
    """The same elements with gaps between them."""
    wide = np.zeros([2 * n for n in x.shape], x.dtype)
    view = wide[(slice(None, None, 2),) * x.ndim]
    view[...] = x
    return view


def locked(x: np.ndarray) -> np.ndarray:
    copy = x.copy()
    copy.flags.writeable = False
    return copy


LAYOUTS = (backwards, in_columns, spread, locked)


@pytest.mark.parametrize("op", one_in(3, STATELESS), ids=lambda op: op.name)
def test_layouts(op: Op) -> None:
    """Every sample of every dtype in one of the layouts, the first of each dtype and ranks in all of them."""
    seen: set[Any] = set()
    for number, (_, sample, attributes) in enumerate(samples(op)):
        arrays = [np.array(o) for o in sample.operands]
        key = tuple((a.dtype, a.ndim, a.size > 1) for a in arrays)
        chosen = (LAYOUTS[number % len(LAYOUTS)],) if key in seen else LAYOUTS
        seen.add(key)
        for layout in chosen:
            check_layout(op, sample, attributes, layout)


def check_layout(op: Op, sample: Sample, attributes: dict[str, Any], layout: Layout) -> None:
    """The kernel on views of the operands and on plain copies of them."""
    arrays = [np.array(o) for o in sample.operands]
    views = [layout(a) if a.ndim and a.dtype.names is None else a for a in arrays]
    kept = [v.copy() for v in views]
    results, wanted = as_list(op.run(views, attributes)), as_list(op.run(arrays, attributes))
    for one, other in zip(results, wanted, strict=True):
        one, other = elements(one), elements(other)
        assert_same(one, other, runtime.as_dtype(other.dtype), f"{layout.__name__} {describe(op, sample)}")
    for view, copy in zip(views, kept, strict=True):
        assert view.tolist() == copy.tolist(), f"{describe(op, sample)} wrote to its input"


def half_known(shape: Any) -> list[int | None]:
    """The first dimension is unknown, the others are known."""
    return [None, *shape[1:]] if shape else []


@pytest.mark.parametrize("op", one_in(3, STATELESS, 1), ids=lambda op: op.name)
def test_optimised_graphs_and_partly_known_shapes(op: Op) -> None:
    for sample in distinct(op):
        wanted = as_list(public_call(op, sample))
        arrays = [np.array(o) for o in sample.operands]
        try:
            graph = record(op, sample, half_known)
        except InvalidArgumentError as error:
            assert "known" in str(error), describe(op, sample)
            continue
        for tensor, value in zip(graph.outputs, wanted, strict=True):
            assert tensor.shape.is_compatible_with(value.shape), describe(op, sample)
        for found, value in zip(compile_plan(optimize(graph, verified=True)).run(arrays), wanted, strict=True):
            found, value = in_numpy(np.asarray(found)), in_numpy(np.asarray(value))
            np.testing.assert_array_equal(found, value, describe(op, sample))
