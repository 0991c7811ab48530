"""The ends of the dtypes: infinities, NaN, zeros, tiny and large numbers, and the limits of integers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from runtime.dtypes import DType, int32, int64
from runtime.exits.onnx.exporting import graph_model
from runtime.exits.onnx.nodes import ELEMENT_TYPES
from runtime.ops.records.families import load_all
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.ops.records.samples import Sample
from tests.every_case import every_case
from tests.runtime.exits.export.running import run, session
from tests.runtime.leaving import sample_graph

load_all()

FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, np.inf, -np.inf, np.nan, 1e-30, -1e-30, 1e30, -1e30, 3.7, -3.7,
    100.0, -100.0, 0.1, 1e-4, 17.0, -8.0,
)  # fmt: skip

UNARY = """
abs acos acosh angle asin asinh atan atanh cbrt ceil cos cosh cumsum digamma elu erf erfc erfinv exp exp2
expm1 floor gamma gelu is_finite is_inf is_nan lgamma log log10 log1p log2 log_sigmoid log_softmax negative
reciprocal reduce_logsumexp reduce_max reduce_mean reduce_min reduce_prod reduce_sum relu relu6 round rsqrt
selu sigmoid sign sin sinh softmax softplus softsign sort sqrt square swish tan tanh top_k trunc unique_sorted
argmax argmin argsort count_nonzero invert logical_not signbit unique_in_order reduce_all reduce_any
"""

BINARY = """
add atan2 bitwise_and bitwise_or bitwise_xor copysign divide divide_no_nan equal floordiv floormod fmod gcd
greater greater_equal hypot lcm left_shift less less_equal logaddexp logical_and logical_or logical_xor
maximum minimum multiply not_equal pow right_shift squared_difference subtract
"""

QUICK = "acosh copysign erfc floordiv gamma gcd lcm maximum reduce_max reduce_prod reduce_sum sigmoid unique_sorted"


def numbers(dtype: DType) -> Any:
    if dtype.is_bool:
        return np.array([True, False])
    if dtype.is_floating:
        return np.array([v for v in FLOATS if dtype.size > 2 or not 1e5 < abs(v) < np.inf]).astype(dtype.numpy)
    limits = np.iinfo(dtype.numpy)
    found = [0, 1, 2, 3, 7, limits.max, limits.max - 1, limits.min, limits.min + 1]
    return np.array(found if dtype.is_unsigned else [*found, -1, -2, -7], dtype.numpy)


def operands(op: Op, dtype: DType) -> tuple[Any, ...]:
    """All numbers, or all pairs of them for which the operation is defined."""
    found = numbers(dtype)
    if len(op.tensors) == 1:
        return (found,)
    x, y = (part.reshape(-1) for part in np.meshgrid(found, found))
    if dtype.is_integer:
        fits = np.ones(x.shape, np.bool_)
        if op in (ops.floordiv, ops.floormod, ops.fmod):
            lowest = x == (np.iinfo(dtype.numpy).min if not dtype.is_unsigned else 1)
            fits = (y != 0) & ~(lowest & (y == y.dtype.type(-1 if not dtype.is_unsigned else 0)))
        if op is ops.pow:
            fits = y >= 0
        if op in (ops.left_shift, ops.right_shift):
            fits = (y >= 0) & (y < 8 * dtype.size)
        x, y = x[fits], y[fits]
    return x, y


def cases(names: str) -> Iterator[tuple[str, Op, DType]]:
    for name in names.split():
        op = getattr(ops, name)
        for dtype in sorted(op.groups[0].allowed & set(ELEMENT_TYPES), key=lambda d: d.name):
            yield f"{name} {dtype.name}", op, dtype


def check(op: Op, dtype: DType) -> None:
    given = operands(op, dtype)
    graph = sample_graph(op, Sample(given), (), dynamic=True)
    model, problems = graph_model(graph, (), 21, [t.op.name for t in graph.inputs], [f"y{i}" for i in range(4)][
        : len(graph.outputs)])  # fmt: skip
    assert not problems
    found = run(session(model().SerializeToString()), given)
    wanted = op.run(list(given), op.attributes)
    for one, other in zip(found, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        other = np.asarray(other)
        assert one.shape == other.shape
        if other.dtype.kind != "f":
            assert one.tolist() == other.tolist()
            continue
        relative, least = {2: (4e-3, 1e-6), 4: (1e-5, 1e-14), 8: (1e-5, 1e-14)}[other.itemsize]
        np.testing.assert_allclose(one, other, rtol=relative, atol=least)


@every_case([pytest.param(op, dtype, id=name) for name, op, dtype in cases(QUICK)])
def test_some_operations(op: Op, dtype: DType) -> None:
    check(op, dtype)


@pytest.mark.slow
@every_case([pytest.param(op, dtype, id=name) for name, op, dtype in cases(f"{UNARY} {BINARY}")])
def test_all_operations(op: Op, dtype: DType) -> None:
    check(op, dtype)


def test_sums_of_large_integers_have_all_digits() -> None:
    """onnxruntime's own sums and products of int64 go by floats."""
    large = np.array([[2**62, 1, -(2**62)], [5, 2**60 + 1, 3]], np.int64)
    for dtype, op in ((int64, ops.reduce_sum), (int32, ops.reduce_sum), (int64, ops.reduce_prod)):
        x = large.astype(dtype.numpy) if dtype is int64 else np.array([[2**31 - 1, 1, 7], [2**31 - 1, 9, 2]], np.int32)
        for axis in (None, 0, 1, (0, 1)):
            for keepdims in (False, True):
                attributes = {"axis": axis, "keepdims": keepdims}
                graph = sample_graph(op, Sample((x,), attributes), (), dynamic=True)
                model, problems = graph_model(graph, (), 21, ["x"], ["y"])
                assert not problems
                assert run(session(model().SerializeToString()), [x])[0].tolist() == op.kernel(x, **attributes).tolist()


def test_sums_of_products_of_large_integers_have_all_digits() -> None:
    x = np.array([[2**60 + 1, 3], [5, 7]], np.int64)
    for given, equation in (([x, x], "ij,jk->ik"), ([x], "ij->i"), ([x, x], "ij,ij->"), ([x, x[0]], "ji,i->j")):
        graph = sample_graph(ops.einsum, Sample(tuple(given), {"equation": equation}), (), dynamic=True)
        model, problems = graph_model(graph, (), 21, [t.op.name for t in graph.inputs], ["y"])
        assert not problems
        wanted = ops.einsum.kernel(*given, equation=equation)
        assert run(session(model().SerializeToString()), given)[0].tolist() == wanted.tolist()
