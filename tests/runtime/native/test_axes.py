"""Sums, products and extremes along any axes: the bits of the kernel, in the order in which numpy walks over arrays."""

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.graph.graph import Graph
from runtime.native.backend import with_regions  # noqa: F401 - which fills the table
from runtime.native.region import Region
from runtime.ops.records.record import REGISTRY
from tests.one_in import one_in

NAMES = ["all", "any", "max", "mean", "min", "prod", "std", "sum"]
SHAPES = [(300, 1), (140, 3, 1), (3, 17, 5), (2, 9, 1, 33), (2, 1, 3, 40), (4, 150, 1, 2)]
"""An axis of length 1 is one with those beside it, so that what is summed before and behind it is a row."""


def drawn(shape, name, dtype):
    random = np.random.default_rng(len(shape))
    values = random.normal(size=shape) * np.exp(2 * random.normal(size=shape))
    values.flat[::5] = -0.0
    return np.abs(values) < 3.0 if name in ("all", "any") else values.astype(dtype)


def check(name, array, axes, open_dims, gives_up=False):
    """All of these reductions in one region."""
    op, graph = REGISTRY[f"reduce_{name}"], Graph("reductions")
    dims = [None if open_dims else n for n in array.shape]
    x = graph.placeholder(tf.as_dtype(array.dtype), dims, "x")
    chosen = [{"axis": axis, "keepdims": len(axis) % 2 == 0} for axis in axes]
    graph.outputs = [graph.add(op, [x], attributes).outputs[0] for attributes in chosen]
    region = Region(graph)
    with np.errstate(all="ignore"):
        found = region(array)
        wanted = [op.run([array], attributes) for attributes in chosen]
    assert region.given_up == gives_up
    for axis, one, other in zip(axes, found, wanted, strict=True):
        other = np.asarray(other)
        assert np.shape(one) == other.shape, axis
        assert np.asarray(one, other.dtype).tobytes() == other.tobytes(), axis


def subsets(rank):
    return [axes for count in range(1, rank + 1) for axes in itertools.combinations(range(rank), count)]


CASES = list(itertools.product(NAMES, SHAPES, [False, True]))


@pytest.mark.parametrize("case", one_in(11, CASES), ids=str)
def test_some_axes(case):
    name, shape, open_dims = case
    check(name, drawn(shape, name, np.float64), subsets(len(shape)), open_dims)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int64], ids=lambda d: d.__name__)
@pytest.mark.parametrize(("name", "shape", "open_dims"), CASES, ids=str)
def test_any_axes(name, shape, open_dims, dtype):
    if name in ("mean", "std") and np.issubdtype(dtype, np.integer):
        dtype = np.float64
    check(name, drawn(shape, name, dtype), subsets(len(shape)), open_dims)


def test_no_axes():
    check("sum", drawn((3, 5), "sum", np.float64), [()], False)
    check("max", drawn((3, 5), "max", np.float64), [()], False)


@pytest.mark.parametrize("shape", [(3, 0, 4), (0, 5, 4), (3, 5, 0)])
def test_no_elements(shape):
    """Of which the greatest is left to the plan."""
    check("sum", np.zeros(shape), [(1,), (0, 2)], True)
    check("max", np.zeros(shape), [(1,)], False, gives_up=shape[1] == 0)


def test_sums_over_the_middle_of_what_a_loop_computes():
    def program(x, n):
        total = np.zeros((x.shape[0], x.shape[2]))
        for i in range(n):
            total = total + np.sum(x * i + 1, axis=1) * np.mean(x - i, axis=(0, 2))[0] + np.max(x, axis=1)
        return total

    x = drawn((3, 7, 5), "sum", np.float64)
    native = tf.function(program, backend="native")
    np.testing.assert_array_equal(np.asarray(native(x, tf.constant(3))), program(x, 3))
    plan = native.get_concrete_function(x, tf.constant(3)).plan
    assert not plan.refused and [region.given_up for region in plan.regions] == [0] * len(plan.regions)
