"""Kernels x dtypes x what arrays can be: empty, of one element, of odd sizes, backwards, with gaps, overlapping, read
only, big-endian, not aligned, with axes in another order. Always the bits of the plan over
NumPy, and no argument changes."""

import numpy as np
import pytest

import runtime as tf

FLOATS = ["float32", "float64"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NUMBERS = [*INTEGERS, *FLOATS]
QUICK = ["bool", "uint8", "int32", "float64"]

SIZES = (0, 1, 2, 3, 7, 8, 9, 15, 17, 31, 33, 64, 65)
"""Around the widths of vectors."""

KERNELS = {
    "ring": (NUMBERS, lambda x, y: (x + y) * x - y),
    "choice": (NUMBERS, lambda x, y: tf.where(x < y, x * x, y + x)),
    "limits": (INTEGERS, lambda x, y: tf.maximum(x, y) - tf.minimum(x + x, y)),
    "logic": (["bool"], lambda x, y: (x & y) | ~(x ^ y)),
    "comparisons": ([*NUMBERS, "bool"], lambda x, y: (x == y) | ((x != y) & (y == x))),
    "bits": (INTEGERS, lambda x, y: (x & y) ^ (x | ~y)),
    "quotients": (FLOATS, lambda x, y: x / (y * y + 1) - y / (x * x + 1)),
    "roots": (FLOATS, lambda x, y: tf.sqrt(abs(x)) + tf.floor(y) * tf.math.ceil(x)),
    "functions": (FLOATS, lambda x, y: tf.exp(-x * x) + tf.tanh(y)),
    "casts": ([*NUMBERS, "bool"], lambda x, y: tf.cast(x, tf.float64) * tf.cast(y, tf.float64) + 1.0),
    "sums": (FLOATS, lambda x, y: tf.reduce_sum((x - y) * x) + tf.reduce_max(tf.concat([x, y, y[:0] + 1, [1.0]], 0))),
    "running": (NUMBERS, lambda x, y: tf.cumsum(x * y) + x),
    "moves": (NUMBERS, lambda x, y: tf.reverse(x + y, [0]) * tf.roll(x, 2, 0)),
    "orders": (NUMBERS, lambda x, y: tf.sort(x * y + x)),
    "picks": (NUMBERS, lambda x, y: tf.boolean_mask(x + y, x < y) * 2),
}  # fmt: skip

CASES = [(name, dtype) for name, (dtypes, _) in KERNELS.items() for dtype in dtypes]


def values(dtype, count, seed):
    drawn = np.random.default_rng(seed).integers(-9, 10, count)
    if np.dtype(dtype).kind == "f":
        found = (drawn / 4).astype(dtype)
        found[::7], found[3::11] = -0.0, np.inf
        return found
    return (drawn > 0) if dtype == "bool" else drawn.astype(dtype)


def layouts(dtype):
    """Pairs of arrays of one axis, by what is special of them."""
    for size in SIZES:
        yield f"{size} elements", values(dtype, size, 1), values(dtype, size, 2)
    base, other = values(dtype, 70, 3), values(dtype, 70, 4)
    yield "backwards", base[::-1], other
    yield "with gaps", base[::2], other[1::2]
    yield "with gaps backwards", base[40::-3], other[:14]
    yield "overlapping", base[:-1], base[1:]
    yield "one array twice", base, base
    yield "a column", base.reshape(10, 7)[:, 3], other.reshape(7, 10)[2]
    yield "one element for all places", np.broadcast_to(base[5:6], (33,)), other[:33]
    constant = base.copy()
    constant.flags.writeable = False
    yield "read only", constant, other
    yield "big-endian", base.astype(base.dtype.newbyteorder(">")), other
    moved = np.zeros(base.nbytes + 1, np.uint8)[1:].view(base.dtype)
    moved[...] = base
    yield "not aligned", moved, other


def bits(array):
    """Those of all elements; nan is nan."""
    return (np.where(np.isnan(array), np.nan, array) if array.dtype.kind == "f" else array).tobytes()


def check(name, dtype, shape, pairs):
    kernel = KERNELS[name][1]
    signature = [tf.TensorSpec(shape, dtype)] * 2
    staged, plan = (tf.function(kernel, input_signature=signature, backend=b) for b in ("native", "numpy"))
    for what, x, y in pairs:
        before = x.copy(), y.copy()
        with np.errstate(all="ignore"):
            found, wanted = (np.asarray(engine(x, y)) for engine in (staged, plan))
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (what, found, wanted)
        assert bits(found) == bits(wanted), (what, found, wanted)
        for array, old in zip((x, y), before, strict=True):
            np.testing.assert_array_equal(array, old)
    regions = staged.get_concrete_function().plan.regions
    assert len(regions) == 1, name
    return regions[0]


@pytest.mark.parametrize(("name", "dtype"), [case for case in CASES if case[1] in QUICK])
def test_layouts(name, dtype):
    region = check(name, dtype, [None], layouts(dtype))
    assert region.given_up <= 10  # for what has gaps


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dtype"), [case for case in CASES if case[1] not in QUICK])
def test_layouts_of_all_dtypes(name, dtype):
    check(name, dtype, [None], layouts(dtype))


OF_VECTORS = {"moves", "orders", "picks", "running", "sums"}


@pytest.mark.parametrize(("name", "dtype"), [c for c in CASES if c[1] in QUICK and c[0] not in OF_VECTORS])
def test_axes_in_another_order(name, dtype):
    def pairs():
        base, other = values(dtype, 60, 5).reshape(6, 10), values(dtype, 60, 6).reshape(10, 6)
        yield "transposed", base, other.T
        yield "both", base.T, other
        yield "a block", base[1:5, 2:9], other[2:9, 1:5].T
        yield "broadcast", np.broadcast_to(base[0], (4, 10)), np.broadcast_to(other[:4, :1], (4, 10))
        yield "no rows", base[:0], other.T[:0]
        yield "no columns", base[:, :0], other.T[:, :0]
        yield "Fortran's", np.asfortranarray(base), np.asfortranarray(other.T)

    check(name, dtype, [None, None], pairs())
