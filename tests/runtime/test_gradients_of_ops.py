"""The gradient rule of every operation, from its own samples: first and second order against central differences,
and in graphs whose shapes or ranks are unknown the same as eagerly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime
from runtime.errors import InvalidArgumentError
from runtime.ops.records.families import load_all
from runtime.ops.records.record import Op
from tests.one_in import one_in
from tests.runtime.differences import Problem, wide_samples

WITH_RULES = [
    op for op in sorted(load_all().values(), key=lambda op: op.name)
    if op.rule is not None and op.samples is not None and not op.stateful
]  # fmt: skip

each_op = pytest.mark.parametrize("op", WITH_RULES, ids=lambda op: op.name)

ROOTS = {"norm", "reduce_std"}
"""Operations whose derivative is infinite or undefined where they are 0."""

REFUSED = {"qr": lambda a: a["full_matrices"]}
"""By the attributes: what says that it has no gradient (for more rows than columns)."""


def problems(op: Op) -> list[Problem]:
    """The samples that have something to differentiate; of many with the same shapes and attributes one."""
    found: dict[Any, Problem] = {}
    for sample in wide_samples(op):
        problem = Problem(op, sample)
        refused = REFUSED.get(op.name, lambda attributes: False)(sample.attributes)
        if refused or not problem.moving or not any(o.size for o in problem.start()):
            continue
        results = [np.asarray(r) for r in problem.call(problem.with_moved(problem.start()))]
        wide = all(r.dtype in (np.float64, np.complex128) for r in results)
        if wide and not (op.name in ROOTS and any(0 in r for r in results)):
            found.setdefault(problem.describe(), problem)
    return list(found.values())


@each_op
def test_first_and_second_gradients(op: Op) -> None:
    tried = problems(op)
    assert tried, f"{op.name} has no sample of floats"
    for problem in tried:
        problem.check(order=2)


def unknown(problem: Problem, rank: bool) -> list[runtime.TensorSpec]:
    return [
        runtime.TensorSpec([None] * a.ndim if rank else None, runtime.as_dtype(a.dtype)) for a in problem.start()
    ]


NEEDS_RANK = {"einsum", "norm", "qr", "tensordot", "unstack"}
"""Operations whose gradient refuses operands of unknown rank (or size), with the reason."""


@pytest.mark.parametrize("op", one_in(3, WITH_RULES), ids=lambda op: op.name)
def test_gradients_in_graphs_of_unknown_shapes(op: Op) -> None:
    """One sample for each set of attributes: shapes that only the run knows, then ranks that only the run knows."""
    seen: set[Any] = set()
    for problem in problems(op):
        key = repr((sorted(problem.sample.attributes.items()), [o.ndim for o in problem.operands][:1]))
        if key in seen or len(seen) > 6:
            continue
        seen.add(key)
        problem.loss(problem.start())
        wanted = [np.asarray(g) for g in problem.gradient([runtime.constant(a) for a in problem.start()])]
        for with_rank in (True, False):
            try:
                traced = runtime.function(
                    lambda *tensors, problem=problem: problem.gradient(tensors),
                    input_signature=unknown(problem, with_rank), autograph=False,
                )
                found = traced(*[runtime.constant(a) for a in problem.start()])
            except InvalidArgumentError as error:
                assert op.name in NEEDS_RANK and "know" in str(error), problem.describe()
                continue
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(np.asarray(one), other, rtol=1e-9, atol=1e-9, err_msg=problem.describe())


@pytest.mark.parametrize("way", [lambda f: f, runtime.function], ids=["eager", "staged"])
@pytest.mark.parametrize("name", ["sqrt", "rsqrt", "reciprocal"])
def test_an_infinite_slope_that_nothing_asks_for_is_0(name: str, way: Any) -> None:
    """As behind a `where` that takes the other side there; the derivative by the upstream is the slope all the same."""
    call = getattr(runtime.math, name)

    @way
    def slopes(x: Any, upstream: Any) -> Any:
        with runtime.GradientTape(persistent=True) as outer:
            outer.watch(upstream)
            with runtime.GradientTape() as tape:
                tape.watch(x)
                y = runtime.where(x > 0, call(x), 1.0)
            first = tape.gradient(y, x, upstream)
        return first, outer.gradient(first, upstream)

    first, by_upstream = slopes(runtime.constant([0.0, 4.0]), runtime.constant([1.0, 0.0]))
    slope = {"sqrt": 0.25, "rsqrt": -0.0625, "reciprocal": -0.0625}[name]
    assert first.numpy().tolist() == [0, 0] and by_upstream.numpy().tolist() == [0, slope]


@pytest.mark.parametrize("sizes", [[3.0, 2.0, 5.0], [3.0, 0.0, 5.0], [0.0, 0.0, 5.0], [0.0, 0.0, 0.0]])
def test_products_of_segments_have_all_derivatives_where_rows_are_zero(sizes: list[float]) -> None:
    """Of x y z: the second derivative by two of them is the third one, the third one by all three is 1."""
    for ids in ([0, 0, 0], [2, 2, 2]):
        x = runtime.constant(sizes, runtime.float64)
        with runtime.GradientTape() as outer:
            outer.watch(x)
            with runtime.GradientTape() as middle:
                middle.watch(x)
                with runtime.GradientTape() as tape:
                    tape.watch(x)
                    y = runtime.math.unsorted_segment_prod(x, ids, 3)[ids[0]]
                first = tape.gradient(y, x)[0]
            second = middle.gradient(first, x)
            mixed = second[1]
        np.testing.assert_allclose(np.asarray(second), [0, sizes[2], sizes[1]])
        np.testing.assert_allclose(np.asarray(outer.gradient(mixed, x)), [0, 0, 1])
