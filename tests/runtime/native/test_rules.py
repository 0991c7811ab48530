"""Each rule of machine code on single numbers, of each dtype, at the edges: the kernel's result, bit for bit."""

import itertools

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import as_dtype
from runtime.graph.graph import Graph
from runtime.native.backend import with_regions  # noqa: F401 - which fills the table
from runtime.native.region import Region
from runtime.native.rules import OF_COMPLEX, RULES, is_elementwise
from runtime.native.types import is_supported
from runtime.ops.records.families import load_all
from runtime.ops.records.record import REGISTRY

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-300, 1e300, 2.0**31, -(2.0**31), 2.0**53, 2.0**63, np.inf, np.nan]
FEW = [0.0, -0.0, 1.0, -2.5, 1e300, np.inf, np.nan]
"""For the parts of complex numbers."""
SMALL = [0, 1, 2, 3, 7]
TARGETS = [
    tf.bool, tf.int8, tf.uint8, tf.int32, tf.int64, tf.uint64, tf.float16, tf.float32, tf.float64, tf.complex64,
    tf.complex128,
]  # fmt: skip


def values_of(dtype):
    if dtype is tf.bool:
        return [False, True]
    if dtype.is_floating:
        with np.errstate(over="ignore"):
            return [dtype.numpy.type(value) for value in FLOATS]
    if dtype.is_complex:
        with np.errstate(over="ignore"):
            return [dtype.numpy.type(complex(a, b)) for a in FEW for b in FEW]
    limits = np.iinfo(dtype.numpy)
    return sorted({*SMALL, limits.max, limits.max - 1, limits.min, limits.min + 1, limits.min // 2, limits.max // 3})


def dtypes_of(op):
    """The supported dtypes of each group of operands, and how many operands there are."""
    allowed = [sorted((d for d in group.allowed if is_supported(d)), key=str) for group in op.groups]
    return [d for d in itertools.product(*allowed)]


def is_of_complex(op, dtypes):
    """Whether there is a rule for complex numbers, or numpy's loop is called."""
    if op.name == "complex":
        return set(dtypes) in ({tf.float32}, {tf.float64})
    return op in OF_COMPLEX or (op not in RULES and op.float_ufunc is not None and op.raises is None)


def cases():
    for op in sorted(load_all().values(), key=lambda op: op.name):
        if not is_elementwise(op) or op.variadic or op.name == "bias_add":  # which takes matrices only
            continue
        of_floats = op.float_ufunc is not None and op.raises is None and op.result is None
        for dtypes in dtypes_of(op):
            of_complex = any(d.is_complex for d in dtypes) or op.name == "complex"
            if not (is_of_complex(op, dtypes) if of_complex else
                    op in RULES or (of_floats and all(d.is_floating for d in dtypes))):  # fmt: skip
                continue
            by_name = {name: d for group, d in zip(op.groups, dtypes, strict=True) for name in group.names}
            if op.name == "cast":
                for target in TARGETS:
                    allowed = (tf.float32, tf.float64, tf.complex64, tf.complex128) if of_complex else TARGETS[:-2]
                    for exact in (False, True)[: 2 - of_complex] if target in allowed else ():
                        yield pytest.param(op, by_name, {"dtype": target, "exact": exact},
                                           id=f"cast-{dtypes[0].name}-{target.name}-{exact}")  # fmt: skip
            else:
                yield pytest.param(op, by_name, dict(op.attributes), id=f"{op.name}-{'-'.join(d.name for d in dtypes)}")


def region_of(op, by_name, attributes, weak=False):
    graph = Graph("one")
    inputs = [graph.placeholder(by_name[name], [], name, weak) for name in op.tensors]
    graph.outputs = [graph.add(op, inputs, attributes).outputs[0]]
    return Region(graph)


def check(region, op, attributes, given):
    """The region and the kernel on these operands; returns whether the machine code came to an end."""
    region.given_up = 0
    try:
        wanted = op.run(given, attributes)
    except Exception as error:
        with pytest.raises(type(error)):
            region(*given)
        return False
    (found,) = region(*given)
    wanted = np.asarray(wanted)
    found = np.asarray(found, wanted.dtype)
    if wanted.dtype.kind in "fc" and np.isnan(wanted):
        np.testing.assert_array_equal(found, wanted, err_msg=repr(given))
    else:
        assert np.asarray(found).tobytes() == wanted.tobytes(), (given, found, wanted)
    return region.given_up == 0


@pytest.mark.parametrize(("op", "by_name", "attributes"), list(cases()))
def test_rule(op, by_name, attributes):
    region = region_of(op, by_name, attributes)
    kinds = [by_name[name] for name in op.tensors]
    ended = [
        check(region, op, attributes, [np.asarray(v, d.numpy) for v, d in zip(given, kinds, strict=True)])
        for given in itertools.product(*map(values_of, kinds))
    ]
    assert any(ended)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "left_shift", "pow", "negative", "abs", "square"])
@pytest.mark.parametrize("dtype", [tf.int64, tf.int32, tf.uint8])
def test_whole_numbers_that_must_not_wrap_around(name, dtype):
    """They end in the plan, which raises IntegerRangeError; what fits is the exact result."""
    op = REGISTRY[name]
    if not any(dtype in group.allowed for group in op.groups):
        return
    with tf.config.check_overflow(True):
        region = region_of(op, dict.fromkeys(op.tensors, dtype), {}, weak=True)
    exact = {
        "add": lambda x, y: x + y, "subtract": lambda x, y: x - y, "multiply": lambda x, y: x * y,
        "left_shift": lambda x, y: x << y, "pow": lambda x, y: x**y, "negative": lambda x: -x, "abs": abs,
        "square": lambda x: x * x,
    }[name]  # fmt: skip
    limits, ended = np.iinfo(dtype.numpy), 0
    seconds = [0, 1, 2, 5] if name in ("left_shift", "pow") else values_of(dtype)
    for given in itertools.product(values_of(dtype), *[seconds] * (len(op.tensors) - 1)):
        region.given_up = 0
        wanted = exact(*map(int, given))
        arrays = [np.asarray(v, dtype.numpy) for v in given]
        if limits.min <= wanted <= limits.max:
            (found,) = region(*arrays)
            assert int(found) == wanted, given
            ended += region.given_up == 0
        else:
            with pytest.raises(tf.errors.IntegerRangeError):
                region(*arrays)
    assert ended


def test_rules_are_of_known_operations():
    assert all(REGISTRY[op.name] is op for op in RULES)
    assert as_dtype("bfloat16") is not None and not is_supported(tf.bfloat16)
