"""Each rule of machine code on the samples of its record, with known and with open shapes: the kernel's bits."""

import numpy as np
import pytest

import runtime as tf
from runtime.graph.graph import Graph
from runtime.native.backend import with_regions  # noqa: F401 - which fills the table
from runtime.native.region import Region
from runtime.native.rules import RULES, Refused
from runtime.native.types import is_supported
from runtime.ops.records.record import REQUIRED
from tests.one_in import one_in
from tests.runtime.op_samples import samples

SAMPLED = [op for op in sorted(RULES, key=lambda op: op.name) if op.samples is not None and not op.nests]


def operands_of(op, sample):
    """The operands one by one; a variadic one is a list in the sample, or its last operands."""
    flat = []
    for value in sample.operands:
        flat += value if isinstance(value, list) else [value]
    return [np.asarray(value) for value in flat]


def region_of(op, arrays, attributes, open_dims):
    graph = Graph("one")
    inputs = [
        graph.placeholder(tf.as_dtype(a.dtype), [None if open_dims else n for n in a.shape], "x") for a in arrays
    ]
    graph.outputs = list(graph.add(op, inputs, attributes).outputs)
    return Region(graph)


FEW = {tf.bool, tf.int32, tf.float64}
"""The dtypes of the quick test; the slow one has all."""


@pytest.mark.parametrize("op", one_in(4, SAMPLED), ids=lambda op: op.name)
def test_some_samples(op):
    found = [sample for sample in samples(op) if sample[0] in FEW]
    check_samples(op, False, found[:: -(-len(found) // 4) or 1], False)


@pytest.mark.slow
@pytest.mark.parametrize("open_dims", [False, True], ids=["known", "open"])
@pytest.mark.parametrize("op", SAMPLED, ids=lambda op: op.name)
def test_samples(op, open_dims):
    check_samples(op, open_dims, samples(op), (op.name, open_dims) not in WHOLE_ARRAYS)


def check_samples(op, open_dims, given, must_compile):
    """Regions give the kernel's results on the samples; must_compile: by machine code for one of them at least. Several
    samples are one region, since it is its compilation that takes time."""
    plain, others = [], []
    for dtype, sample, attributes in given:
        arrays = operands_of(op, sample)
        if not is_supported(dtype) or any(REQUIRED is value for value in attributes.values()):
            continue
        try:
            region_of(op, arrays, attributes, open_dims)
        except Refused as refused:
            assert refused.reason
            continue
        except tf.errors.InvalidArgumentError:
            assert open_dims  # how many results there are is the length of an axis
            continue
        (plain if all(a.flags.c_contiguous for a in arrays) else others).append((arrays, attributes))
    compiled = check_together(op, others[:TOGETHER], open_dims)
    for start in range(0, len(plain), TOGETHER):
        some = plain[start : start + TOGETHER]
        if (ended := check_together(op, some, open_dims)) == 0 and len(some) > 1:
            ended = sum(check_together(op, [one], open_dims) for one in some)
        compiled += ended
    assert compiled or not must_compile


TOGETHER = 12
"""So many samples are one region."""


def check_together(op, given, open_dims):
    """The region of these samples gives what the kernel gives; how many of them machine code brought to an end."""
    graph, arrays, wanted = Graph("some"), [], []
    for operands, attributes in given:
        inputs = [
            graph.placeholder(tf.as_dtype(a.dtype), [None if open_dims else n for n in a.shape], "x") for a in operands
        ]
        graph.outputs += graph.add(op, inputs, attributes).outputs
        arrays += operands
        with np.errstate(all="ignore"):
            result = op.run(operands, attributes)
        wanted += result if isinstance(result, tuple) else (result,)
    if not given:
        return 0
    region, before = Region(graph), [array.copy() for array in arrays]
    with np.errstate(all="ignore"):
        found = region(*arrays)
    for one, other in zip(found, wanted, strict=True):
        other = np.asarray(other)
        one = one if other.ndim else np.asarray(one, other.dtype)
        assert one.dtype == other.dtype, (one, other)
        assert one.shape == other.shape, (one, other)
        same = one.tobytes() == other.tobytes() or np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
        assert same, (given, one, other)
    for array, old in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, old)
    return len(given) if region.given_up == 0 else 0


WHOLE_ARRAYS = {
    ("broadcast_to", True), ("fill", True), ("gather_nd", True), ("ones", True), ("pad", True), ("reshape", True),
    ("scatter_nd", True), ("stack", False), ("stack", True), ("tensor_scatter_nd_add", True),
    ("tensor_scatter_nd_max", True), ("tensor_scatter_nd_min", True), ("tensor_scatter_nd_sub", True),
    ("tensor_scatter_nd_update", True), ("tile", True), ("unstack", True), ("zeros", True),
}  # fmt: skip
"""What samples ask for that is left to numpy: shapes that only the run knows, and arrays side by side."""


@pytest.mark.parametrize("shape", [((7, 9), (9, 5)), ((1, 40), (40, 1)), ((30, 30), (30, 30)), ((64,), (64, 33))])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_have_the_bits_of_numpy(shape, dtype):
    from runtime.ops.records.record import REGISTRY

    random = np.random.default_rng(0)
    a, b = (random.normal(size=one).astype(dtype) for one in shape)
    region = region_of(REGISTRY["tensordot"], [a, b], {"axes": 1}, False)
    (found,) = region(a, b)
    assert region.given_up == 0
    wanted = np.dot(a, b)
    assert np.asarray(found, wanted.dtype).tobytes() == wanted.tobytes()


@pytest.mark.parametrize("shape", [(1000,), (3, 1000), (1000, 3), (17, 23), (5, 6, 7)])
@pytest.mark.parametrize("axis", [None, -1, 0])
@pytest.mark.parametrize("name", ["reduce_sum", "reduce_prod", "reduce_max"])
def test_reductions_have_the_order_of_numpy(shape, axis, name):
    from runtime.ops.records.record import REGISTRY

    op = REGISTRY[name]
    array = np.random.default_rng(1).normal(size=shape)
    attributes = {"axis": axis, "keepdims": False}
    region = region_of(op, [array], attributes, False)
    (found,) = region(array)
    assert region.given_up == 0
    assert np.asarray(found).tobytes() == np.asarray(op.run([array], attributes)).tobytes()
