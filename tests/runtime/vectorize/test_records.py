"""Each record on blocks of its samples, whichever operands have rows: what it gives for one element after the other.

Where a rule refuses, nothing is compared; which operations have one is told by the other tests of this folder.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.context import recording
from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.ops.records.families import load_all
from runtime.ops.records.record import REGISTRY, Op
from runtime.vectorize import on_block
from runtime.vectorize.rules import NotVectorizable, Part

load_all()
ROWS, SAMPLES = 2, 6
NAMES = sorted(name for name, op in REGISTRY.items() if op.samples is not None and not op.stateful)
random = np.random.default_rng(5)


def called(op: Op, operands: list[Any], attributes: Any) -> list[Any]:
    fixed = len(op.tensors)
    given = [*operands[:fixed], operands[fixed:]] if op.variadic else operands
    result = op(*given, **attributes)
    return list(result) if isinstance(result, list | tuple) else [result]


def some_with_rows(count: int) -> Iterator[set[int]]:
    """Each operand alone, each pair, and all."""
    for size in {1, 2, count} - {0}:
        yield from map(set, itertools.combinations(range(count), size))


def of_rows(array: Any) -> Any:
    """A block around an array: rows that differ, but for integers, which may be positions or sizes."""
    rows = np.stack([array] * ROWS)
    return rows + random.uniform(0, 0.01, rows.shape) if array.dtype.kind == "f" else rows


def samples(op: Op) -> Iterator[tuple[list[Any], Any]]:
    for dtype in (tf.float64, tf.int32):
        try:
            found = list(itertools.islice(op.samples(dtype), SAMPLES))
        except TypeError:  # none of this dtype
            continue
        for sample in found:
            arrays = [np.asarray(operand) for operand in sample.operands]
            if arrays and all(array.dtype.kind in "fiub" for array in arrays):
                yield arrays, dict(sample.attributes)


def check(op: Op, arrays: list[Any], attributes: Any, with_rows: set[int]) -> None:
    given = [of_rows(a) if i in with_rows else a for i, a in enumerate(arrays)]
    try:
        wanted = [
            called(op, [tf.constant(g[k] if i in with_rows else g) for i, g in enumerate(given)], attributes)
            for k in range(ROWS)
        ]
    except tf.errors.InvalidArgumentError:  # it was one for other numbers
        return
    columns = list(zip(*wanted, strict=True))
    if any(t.dtype is variant for t in wanted[0]) or any(len({t.shape for t in column}) > 1 for column in columns):
        return
    for known in (True, False):
        graph = Graph("row")
        inputs = [graph.placeholder(a.dtype, a.shape if known else [None] * a.ndim, "x") for a in arrays]
        with recording(graph):
            try:
                graph.outputs = called(op, inputs, attributes)
            except tf.errors.InvalidArgumentError:  # there is none of unknown shape
                assert not known
                continue
        parts = [Part(tf.constant(g), i in with_rows, arrays[i].ndim) for i, g in enumerate(given)]
        try:
            found = on_block(graph, parts, tf.constant(ROWS), exact=False)
        except NotVectorizable:
            continue
        for a, b in zip(found, columns, strict=True):
            rows = np.stack([t.numpy() for t in b])
            assert a.dtype is b[0].dtype and a.shape == rows.shape
            if rows.dtype.kind not in "fc":
                np.testing.assert_array_equal(a.numpy(), rows)
            elif op.name not in ("eigh", "svd"):  # of which the signs are free
                np.testing.assert_allclose(a, rows, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_block_is_what_its_rows_are(name: str) -> None:
    op = REGISTRY[name]
    for arrays, attributes in samples(op):
        for with_rows in some_with_rows(len(arrays)):
            check(op, arrays, attributes, with_rows)
