"""memoryview and array.array as arguments, and numbers of numpy, beside plain Python and numpy."""

from __future__ import annotations

import array
import functools
import itertools
import math
import operator
import statistics

import numpy as np
import pytest

import runtime
from autograph.errors import StagingError


def sum_of(a):
    return np.sum(a) * 2.5


def write(a, x):
    a[0] = x
    return a[0]


@pytest.mark.parametrize("kind", [np.bool_, np.int8, np.uint8, np.int16, np.int64, np.float16, np.float32, np.float64])
@pytest.mark.parametrize(
    "f",
    [
        lambda a: a * np.float32(2), lambda a: a / 2, lambda a: a * 3.7, lambda a: a + np.arange(3, dtype=np.int8),
        lambda a: np.sqrt(a), lambda a: a ** 2, lambda a: [a, a + a], lambda a: {"k": (a * np.int64(2))},
    ],
)  # fmt: skip
def test_numbers_of_numpy_promote_as_in_numpy(kind, f):
    wanted, got = f(kind(1)), runtime.function(f)(kind(1))
    for w, g in zip(runtime.nest.flatten(wanted), runtime.nest.flatten(got), strict=True):
        assert g.numpy().dtype == w.dtype
        np.testing.assert_array_equal(g, w)


def test_a_number_of_numpy_and_a_tensor_have_traces_of_their_own():
    @runtime.function
    def f(x):
        return x * np.float64(2)

    assert f(np.float32(3)).dtype == runtime.float64
    assert f(runtime.constant(3.0)).dtype == runtime.float32
    assert f(np.float32(4)).numpy() == 8.0
    assert f.experimental_get_tracing_count() == 2


def test_a_number_of_numpy_keeps_its_rules_where_shapes_are_left_open():
    f = runtime.function(lambda a, b: (a * np.float32(2), b), reduce_retracing=True)
    for n in range(2, 6):
        assert f(np.float64(1), np.ones(n))[0].dtype == runtime.float64
    assert f.experimental_get_tracing_count() == 2


def test_a_number_of_numpy_goes_through_loops_and_calls():
    inner = runtime.function(lambda a: a * np.float32(2))

    @runtime.function
    def f(x, n):
        while n > 0:
            x = x * np.float32(2)
            n -= 1
        return x, inner(np.int64(3))

    x, y = f(np.float64(1.5), np.int64(3))
    assert (x.dtype, x.numpy(), y.dtype) == (runtime.float64, 12.0, runtime.float64)


def test_items_of_a_memoryview_are_numbers_of_python():
    def checksum(data):
        s = 0
        for v in data:
            s = (s * 31 + v) % 65521
        return s + data[0] * 2 + (data[1:][0] << 9)

    data = memoryview(bytes(range(250, 256)) * 40)
    assert runtime.function(checksum)(data).numpy() == checksum(data)


@pytest.mark.parametrize("code", "bBhHiIlqfd")
def test_writes_reach_an_array_of_python(code):
    wanted, got = array.array(code, [1, 2, 3]), array.array(code, [1, 2, 3])
    write(wanted, 100)
    result = runtime.function(write)(got, runtime.constant(100))
    assert got == wanted
    assert result.numpy() == 100
    assert runtime.function(sum_of)(got).numpy() == sum_of(wanted)
    got.append(4)  # which Python refuses while anything looks at its memory


def test_a_tensor_decides_which_item_is_written():
    @runtime.function
    def f(m, x):
        if x > 0:
            m[0] = 7
        else:
            m[1] = 9
        return m[0] + m[1]

    m = array.array("q", [1, 2])
    assert f(m, runtime.constant(-1)).numpy() == 10
    assert m == array.array("q", [1, 9])


@pytest.mark.parametrize(("value", "error"), [(300, OverflowError), (1.5, TypeError), (np.arange(2), TypeError)])
def test_what_a_buffer_does_not_hold_is_refused(value, error):
    m = array.array("b", [1, 2])
    for given in (value, runtime.constant(value)):
        with pytest.raises(error):
            runtime.function(write)(m, given)
    assert m == array.array("b", [1, 2])


@pytest.mark.parametrize(
    "f",
    [
        lambda a: a * 2, lambda a: a + a, lambda a: a == a, lambda a: a[1:], lambda a: a.tolist(), lambda a: a.sum(),
        lambda a: a.typecode, lambda a: -a, lambda a: a[[0]],
    ],
)  # fmt: skip
def test_what_python_means_by_an_array_is_refused(f):
    with pytest.raises(TypeError, match=r"'a', an array.array.* np.asarray\(a\)"):
        runtime.function(f)(array.array("d", [1, 2]))


def test_what_is_in_a_buffer():
    f = runtime.function(lambda a, x: (x in a, 7 in a))
    assert [found.numpy() for found in f(array.array("b", [1, 2]), runtime.constant(2))] == [True, False]


def test_numpy_takes_a_buffer_as_an_array():
    def f(a):
        b = np.asarray(a)
        b[1] = 5
        return a * np.array([2.0, 3.0]), np.add(a, a), np.where(b > 1, a, 0), b.sum()

    wanted = array.array("d", [1, 2])
    got = memoryview(array.array("d", [1, 2]))
    for w, g in zip(f(wanted), runtime.function(f)(got), strict=True):
        np.testing.assert_array_equal(g, w)
    assert list(got) == [1, 5]


def test_memory_that_is_shared_is_shared():
    base = np.arange(3)
    f = runtime.function(lambda p, q, r: (write(p, 5), q[0] + r[0]))
    view = memoryview(base)
    assert f(view, view, base)[1].numpy() == 10
    assert base[0] == 5


def test_arrays_that_share_memory_beside_a_number_that_is_an_input():
    def f(s, a, b):
        a[0] = a[0] + b[1] * s
        return a

    staged = runtime.function(f)
    for s in (1.0, 2.0, 3.0, 4.0):
        staged(s, np.arange(4.0), np.arange(4.0))
    for s in (5.0, 6.0):
        wanted, got = np.arange(5.0), np.arange(5.0)
        np.testing.assert_array_equal(staged(s, got[1:], got[:-1]), f(s, wanted[1:], wanted[:-1]))
        np.testing.assert_array_equal(got, wanted)


def test_read_only_memory_is_not_written_to():
    with pytest.raises(TypeError, match="cannot modify read-only memory"):
        runtime.function(write)(memoryview(b"abc"), 1)


def test_a_buffer_is_not_bound_on_one_way_only():
    @runtime.function
    def f(m, n, x):
        if x > 0:
            s = m
        else:
            s = n
        return s[0] * 3

    m = memoryview(np.array([200, 100], np.uint8))
    with pytest.raises(StagingError, match=r"'m', a memoryview.*np.asarray"):
        f(m, memoryview(np.array([200, 100], np.uint8)), runtime.constant(1))


@pytest.mark.parametrize("given", [memoryview(b"ab"), bytearray(b"ab"), array.array("B", [97, 98])])
def test_a_tensor_of_a_buffer(given):
    made = runtime.constant(given)
    assert made.dtype is runtime.uint8
    assert made.numpy().tolist() == [97, 98]
    assert runtime.function(lambda x: x + runtime.constant(given))(made).numpy().tolist() == [194, 196]


OF_ALL_ITEMS = (
    lambda a: sum(a), lambda a: sum(a, 5), lambda a: max(a) + 200, lambda a: min(a) * 3, lambda a: sorted(a)[0] + 200,
    lambda a: math.prod(a), lambda a: statistics.mean(a), lambda a: max(a, key=lambda v: -v) + 200,
    lambda a: [v + 200 for v in a], lambda a: functools.reduce(operator.add, a), lambda a: [*a][-1] + 200,
    lambda a: list(itertools.accumulate(a)), lambda a: sum(v for v in a), lambda a: len(a) * 200,
    lambda a: a[0] + a[1] + (a[2] << 4), lambda a: [i + v for i, v in enumerate(a)], lambda a: (98 in a, 7 in a),
)  # fmt: skip


@pytest.mark.parametrize("f", OF_ALL_ITEMS)
def test_what_python_does_with_all_items_does_not_wrap_around(f):
    for made in (bytearray(b"abc"), memoryview(b"abc"), array.array("B", b"abc"), array.array("h", [97, -98, 99])):
        found = runtime.nest.map_structure(lambda t: t.numpy(), runtime.function(f)(made))
        assert runtime.nest.flatten(found) == runtime.nest.flatten(f(made))


def test_writes_reach_a_bytearray():
    def f(a, x):
        for i in range(len(a)):
            a[i] = (a[i] + x) % 256
        return a[0]

    wanted, got = bytearray(b"abc"), bytearray(b"abc")
    assert runtime.function(f)(got, runtime.constant(200)).numpy() == f(wanted, 200)
    assert got == wanted
    got.append(4)
    for value in (256, -1):
        for given in (value, runtime.constant(value)):
            with pytest.raises(ValueError, match=r"fit|range|bounds"):
                runtime.function(write)(got, given)


@pytest.mark.parametrize("f", [lambda a: a + a, lambda a: a[1:], lambda a: a.decode(), lambda a: a == b"ab"])
def test_what_python_means_by_bytes_is_refused(f):
    with pytest.raises(TypeError, match=r"'a', a bytearray.* np.asarray\(a\)"):
        runtime.function(f)(bytearray(b"ab"))
