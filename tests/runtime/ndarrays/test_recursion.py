"""Functions that call themselves and write to arrays, lists and dicts: as deep as Python decides, or a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.ndarrays.comparing import assert_same


def halves(v: Any) -> None:
    if len(v) > 1:
        v[0] += v[-1]
        halves(v[: len(v) // 2])
        halves(v[len(v) // 2 :])


def merge_sort(v: Any) -> None:
    if len(v) <= 1:
        return
    half = len(v) // 2
    merge_sort(v[:half])
    merge_sort(v[half:])
    out, i, j = np.empty(len(v)), 0, 0
    for k in range(len(v)):
        if j >= len(v) - half or (i < half and v[i] <= v[half + j]):
            out[k] = v[i]
            i += 1
        else:
            out[k] = v[half + j]
            j += 1
    v[:] = out


def fft(x: Any) -> None:
    n = len(x)
    if n == 1:
        return
    even, odd = x[::2].copy(), x[1::2].copy()
    fft(even)
    fft(odd)
    w = np.exp(-2j * np.pi * np.arange(n // 2) / n)
    x[: n // 2] = even + w * odd
    x[n // 2 :] = even - w * odd


@pytest.mark.parametrize(
    ("function", "array"),
    [(halves, np.arange(6.0)), (merge_sort, np.array([3.0, 1, 2, 5, 4])), (fft, np.arange(8) + 0j)],
)
def test_on_parts_of_an_array(function: Any, array: Any) -> None:
    assert_same(function, array)


def quick_sort(a: Any, low: Any, high: Any) -> Any:
    a = a.copy()
    if low < high:
        pivot, i = a[high], low
        for j in range(low, high):
            if a[j] < pivot:
                a[i], a[j] = a[j] * 1, a[i] * 1
                i += 1
        a[i], a[high] = a[high] * 1, a[i] * 1
        a = quick_sort(a, low, i - 1)
        a = quick_sort(a, i + 1, high)
    return a


def sorted_in_place(a: Any, low: Any, high: Any) -> None:
    a[:] = quick_sort(a, low, high)


def counted_down(v: Any, k: Any) -> Any:
    v = v.copy()
    if k > 0:
        v[k % 4] += 1.0
        v = counted_down(v, k - 1)
    return v


def test_as_deep_as_a_tensor_decides() -> None:
    assert_same(sorted_in_place, np.array([3.0, 1, 2, 5, 4, 0]), 0, 5, numbers="staged")
    assert_same(counted_down, np.zeros(4), 6, numbers="staged")


def quick_sort_in_place(a: Any, low: Any, high: Any) -> None:
    if low < high:
        pivot, i = a[high], low
        for j in range(low, high):
            if a[j] < pivot:
                a[i], a[j] = a[j] * 1, a[i] * 1
                i += 1
        a[i], a[high] = a[high] * 1, a[i] * 1
        quick_sort_in_place(a, low, i - 1)
        quick_sort_in_place(a, i + 1, high)


def merge_sort_in_place(a: Any, low: Any, high: Any) -> None:
    if high - low < 2:
        return
    middle = (low + high) // 2
    merge_sort_in_place(a, low, middle)
    merge_sort_in_place(a, middle, high)
    out, i, j = np.zeros(len(a)), low, middle
    for k in range(low, high):
        if j >= high or (i < middle and a[i] <= a[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = a[j]
            j += 1
    for k in range(low, high):
        a[k] = out[k]


def permuted(a: Any, k: Any, n: Any) -> Any:
    if k == n:
        return a[0] * 100 + a[1] * 10 + a[2]
    total = 0.0
    for i in range(k, n):
        a[k], a[i] = a[i] * 1, a[k] * 1
        total += permuted(a, k + 1, n)
        a[k], a[i] = a[i] * 1, a[k] * 1
    return total


def written_in_place(v: Any, k: Any) -> None:
    if k > 0:
        v[k % 4] += 1.0
        written_in_place(v, k - 1)


def through_views(a: Any, k: Any) -> Any:
    written_in_place(a[1], k)
    row = a[:, 1]
    written_in_place(row, k - 1)
    return row.sum()


def to_and_fro(v: Any, w: Any, k: Any) -> None:
    if k > 0:
        v[k % 2] += w[0]
        to_and_fro(w, v, k - 1)


def even(v: Any, k: Any) -> Any:
    if k > 0:
        v[0] += k
        return odd(v, k - 1) + 1
    return 0


def odd(v: Any, k: Any) -> Any:
    if k > 0:
        v[1] += k
        return even(v, k - 1) + 1
    return 0


def in_a_dict(tree: Any, k: Any) -> Any:
    if k > 0:
        tree["values"][0] += k
        tree["count"] = tree["count"] + 1
        in_a_dict(tree, k - 1)


def of_a_dict(a: Any, k: Any) -> Any:
    tree = {"values": a, "count": 0}
    in_a_dict(tree, k)
    return tree["count"]


def add_up(items: Any, k: Any) -> None:
    if k > 0:
        items[0] = items[0] + k * items[1]
        add_up(items, k - 1)


def of_a_list(a: Any, k: Any) -> Any:
    items = [0.0, 2.0]
    also = items
    add_up(items, k)
    a[0] = also[0]
    return also[0] + items[1]


def collect(items: Any, k: Any) -> None:
    if k > 0:
        items.append(k * 1.0)
        collect(items, k - 1)


def of_a_growing_list(a: Any, k: Any) -> Any:
    items = [1.0]
    collect(items, k)
    a[0] = sum(items)
    return len(items)


def counted_into(memo: Any, n: Any) -> Any:
    memo["calls"] = memo["calls"] + 1
    return n if n < 2 else counted_into(memo, n - 1) + counted_into(memo, n - 2)


def fibonacci(a: Any, n: Any) -> Any:
    memo = {"calls": 0}
    a[0] = counted_into(memo, n)
    return memo["calls"]


IN_PLACE: list[tuple[Any, Any, tuple[int, ...]]] = [
    (quick_sort_in_place, np.array([3.0, 1, 2, 5, 4, 0]), (0, 5)), (permuted, np.array([1.0, 2.0, 3.0]), (0, 3)),
    (merge_sort_in_place, np.array([3.0, 1, 2, 5, 4, 0]), (0, 6)), (written_in_place, np.zeros(4), (6,)),
    (written_in_place, np.zeros(4), (0,)), (through_views, np.zeros((4, 4)), (5,)), (even, np.zeros(2, np.int64), (5,)),
    (of_a_dict, np.zeros(2, np.int64), (4,)), (of_a_list, np.zeros(2), (4,)), (of_a_growing_list, np.zeros(2), (4,)),
    (fibonacci, np.zeros(1), (7,)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(IN_PLACE)))
def test_in_place_as_deep_as_a_tensor_decides(number: int) -> None:
    function, array, numbers = IN_PLACE[number]
    assert_same(function, array, *numbers, numbers="staged")


def test_two_arrays_in_turn() -> None:
    v, w = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    expected = v.copy(), w.copy()
    to_and_fro(*expected, 5)
    tf.function(to_and_fro)(v, w, tf.constant(5))
    assert (v.tolist(), w.tolist()) == (expected[0].tolist(), expected[1].tolist())


@pytest.mark.parametrize("parts", [
    lambda a: (a[0], a[1]), lambda a: (a[:, ::2], a[:, 1::2]), lambda a: (a[0, :2], a.T[2:, 0]),
])  # fmt: skip
def test_parts_of_one_array_that_have_no_element_in_common(parts: Any) -> None:
    def program(a: Any, k: Any) -> None:
        first, second = parts(a)
        to_and_fro(first, second, k)

    assert_same(program, np.arange(8.0).reshape(2, 4), 3, numbers="staged")


def test_gradients_through_writes_of_a_recursion() -> None:
    def scaled(v: Any, x: Any, k: Any) -> None:
        if k > 0:
            v[0] = v[0] * x + 1.0
            scaled(v, x, k - 1)

    def f(v: Any, x: Any, k: Any) -> Any:
        scaled(v, x, k)
        return v.sum()

    x = tf.constant(2.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(f)(np.ones(2), x, tf.constant(3))
    assert float(tape.gradient(y, x)) == 3 * 4.0 + 2 * 2.0 + 1


def given_back(v: Any, k: Any) -> Any:
    return v[1:] if k < 1 else given_back(v, k - 1)


def test_what_a_graph_would_lose_is_refused() -> None:
    with pytest.raises(StagingError, match=r"returns an array that it was given.*Return a copy"):
        tf.function(given_back)(np.zeros(4), tf.constant(3))
    k, v = tf.constant(3), np.zeros(4)
    programs: list[Any] = [
        lambda v, k: to_and_fro(v, v, k), lambda v, k: to_and_fro(v[1:], v[:-1], k),
        lambda v, k: in_turns([v], [v], k),
    ]  # fmt: skip
    for program in programs:
        with pytest.raises(StagingError, match=r"is changed inside.*under another name as well: pass a copy"):
            tf.function(program)(v, k)
        assert not v.any()
    with pytest.raises(StagingError, match="'SHARED' is changed inside|under another name as well"):
        tf.function(lambda k: reads_shared(SHARED, k))(k)
    assert not SHARED.any()
    with pytest.raises(StagingError, match=r"a view that it writes to.*ravel, reshape"):
        tf.function(lambda a, k: flattened(a.T, k))(np.zeros((2, 2)), k)


SHARED = np.zeros(4)


def reads_shared(v: Any, k: Any) -> Any:
    if k > 0:
        v[0] += SHARED[0] + 1.0
        return reads_shared(v, k - 1)
    return SHARED[0] * 1


def in_turns(a: Any, b: Any, k: Any) -> None:
    if k > 0:
        a[0][k % 2] += b[0][0] + 1.0
        in_turns(b, a, k - 1)


def flattened(a: Any, k: Any) -> None:
    if k > 0:
        a.ravel()[k] += 1.0
        flattened(a, k - 1)
