"""Elements of lists, tuples, dicts, ranges and arrays at a position that only the graph knows; tensors taken apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, plain

# -- by a tensor


def of_list(i):
    return [10, 20, 30][i]


def of_tuple_of_floats(i):
    return (0.5, -1.0, 2.5)[i] * 2, (0.5, 1, 2)[i] / 4


def of_variables(i):
    a = [i, i * 2, i + 5]
    return a[i], a[-1 - i] if i >= 0 else a[i]


def of_nested(i):
    rows = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    return rows[i][-i], rows[i]


def of_structures(i):
    pairs = [(1, 2.5), (i, 3.5), (7, 0.25)]
    a, b = pairs[i]
    return a + 1, b


def of_text(i):
    return ["a", "bc", ""][i]


def of_bools(i):
    return [False, True, i > 0][i]


def of_range(i):
    return range(3)[i], range(10, -5, -4)[i], range(5, 8)[i] * 2


def by_condition(i):
    return ["no", "yes"][i > 0], (10, 20)[not i > 1]


def of_one(i):
    return [7][i], (i,)[i]


@pytest.mark.parametrize(
    "program", [of_list, of_tuple_of_floats, of_variables, of_nested, of_structures, of_text, of_bools, of_range]
)
def test_positions(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, -1, -2, -3, 3, -4)


@pytest.mark.parametrize("program", [by_condition])
def test_conditions(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2)


def test_a_list_of_one() -> None:
    assert_same(of_one, 0, -1, 1)


def sum_of_chosen(n):
    weights = [3, 1, 2]
    s = 0
    for i in range(n):
        if weights[i % 3] > 1:
            s += weights[i % 3]
        else:
            s = weights[s % 3] - s
    return s


def by_method(n):
    class Table:
        def __init__(self):
            self.rows = {0: [1, 2], 1: [3, 4]}

        def at(self, i, j):
            return self.rows[i][j]

    table = Table()
    return [table.at(i, n) for i in (0, 1)][n]


def test_in_loops_and_methods() -> None:
    assert_same(sum_of_chosen, 0, 1, 2, 5, 9)
    assert_same(by_method, 0, 1, 2)


def of_dict(k):
    table = {1: 10, 5: 20, -3: 30}
    return table[k]


def of_dict_of_structures(k):
    table = {1: (1, [2.5]), 5: (k, [0.5])}
    a, (b,) = table[k]
    return a + 1, b / 2


def of_dict_by_text(k):
    names = ["x", "y"]
    return {"x": 1, "y": 2, 3: 4}[names[k]]


def test_keys_of_dicts() -> None:
    assert_same(of_dict, 1, 5, -3, 0, 2)
    assert_same(of_dict_of_structures, 1, 5, 0)
    assert_same(of_dict_by_text, 0, 1)


def of_array(i):
    table = np.arange(6, dtype=np.int32).reshape(3, 2)
    return table[i], table[i, 1], table[:, i % 2], table[i - 1 :], table[table[:, 0] > i]


def test_arrays() -> None:
    for i in (0, 1, 2):
        found = tf.function(of_array)(tf.constant(i))
        assert plain(found) == tuple(np.asarray(v).tolist() for v in of_array(i))


def test_tensors_of_different_shapes() -> None:
    @tf.function
    def program(i: Any, x: Any) -> Any:
        return [x, x[:1], tf.zeros([0])][i] * 2

    x = tf.constant([1.0, 2.0])
    assert [plain(program(tf.constant(i), x)) for i in (0, 1, 2, -1)] == [[2, 4], [2], [], []]


def refused_bytes(i):
    return b"abc"[i]


def refused_positions(i):
    return [1, 2, 3][tf.stack([i, i])]


def refused_float(i):
    return [1, 2, 3][tf.cast(i, tf.float32)]


def refused_key(i):
    return {"a": 1}[i]


def refused_write(i):
    items = [1, None, "x"]
    items[i] = 5
    return items


@pytest.mark.parametrize(
    ("program", "error", "words"),
    [
        (refused_bytes, TypeError, "index a list of them"),
        (refused_positions, TypeError, r"runtime\.stack"),
        (refused_float, TypeError, "must be integers"),
        (refused_key, KeyError, "no key of this dict"),
        (refused_write, StagingError, "keep\n? ?them in a tensor"),
    ],
)
def test_refused(program: Callable[..., Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        tf.function(program)(tf.constant(1))


def test_an_index_out_of_range_names_the_line() -> None:
    @tf.function
    def program(i: Any) -> Any:
        items = [1, 2]
        return items[i]

    with pytest.raises(IndexError) as caught:
        program(tf.constant(2))
    notes = " ".join(getattr(caught.value, "__notes__", ()))
    assert "list index out of range" in str(caught.value)
    assert "test_element_reads.py" in notes + str(caught.value) + str(caught.traceback[-1].path)


# -- unpacking


def three(t):
    a, b, c = t
    return a * b - c


def nested(t):
    (a, b), *rest = t
    first, *_ = rest
    return a - b, first, len(rest)


def chained(t):
    x = (a, *b) = t
    return a, b, x


def spread(t):
    def f(a, b, c):
        return a - b, c

    return f(*t), [*t, 1], (*t,), list(t), tuple(t), {**{"a": 1}}, max(*t)


def in_loop(t):
    s = 0
    for a, (b, c) in zip(t, [(1, 2), (3, 4), (5, 6)]):
        s += a * b + c
    return s


def by_iterator(t):
    it = iter(t)
    a = next(it)
    b = next(it)
    rest = list(it)
    return a - b, rest, next(it, -1)


@pytest.mark.parametrize("program", [three, chained, spread, in_loop, by_iterator])
def test_unpacking(program: Callable[..., Any]) -> None:
    values = np.array([5, 7, 11], np.int32)
    wanted = tf.nest.map_structure(tf.constant, program(values))
    assert plain(tf.function(program)(tf.constant(values))) == plain(wanted)


def test_nested_unpacking() -> None:
    values = np.array([[5, 7], [1, 2], [3, 4]], np.int32)
    found = plain(tf.function(nested)(tf.constant(values)))
    a, first, rest = nested(values)
    assert found == (int(a), int(first[0]) if np.ndim(first) == 0 else first.tolist(), rest)


def swap_in_branch(t, n):
    a, b = t
    if n > 0:
        a, b = b, a
        for _ in range(n):
            a, b = a + b, a
    else:
        (a, b) = tf.stack([b, a + 1]) if isinstance(t, tf.Tensor) else (b, a + 1)
    return a, b


@pytest.mark.parametrize("n", [-1, 0, 1, 4])
def test_in_branches_and_loops(n: int) -> None:
    found = tf.function(swap_in_branch)(tf.constant([2, 3]), tf.constant(n))
    assert plain(found) == tuple(int(v) for v in swap_in_branch(np.array([2, 3], np.int32), n))


def two(t):
    a, b = t
    return a + b


def test_counts_that_do_not_fit() -> None:
    for values in ([1], [1, 2, 3], [], 5):
        with pytest.raises((ValueError, TypeError)) as expected:
            two(values)
        with pytest.raises((ValueError, TypeError)) as found:
            tf.function(two)(tf.constant(values, tf.int32))
        if values != 5:
            assert str(found.value).split(" (")[0] == str(expected.value).split(" (")[0]
            assert isinstance(found.value, ValueError)


def test_a_count_that_only_the_run_shows() -> None:
    unknown = tf.function(two).get_concrete_function(tf.TensorSpec([None], tf.int32))
    assert int(unknown(tf.constant([3, 4]))) == 7
    for values in ([], [1], [1, 2, 3]):
        with pytest.raises(ValueError) as expected:
            two(values)
        with pytest.raises(ValueError) as found:
            unknown(tf.constant(values, tf.int32))
        assert str(found.value).split(" (")[0] == str(expected.value).split(" (")[0]


def starred(t):
    a, *b = t
    return a, b


def called(t):
    return two((*t,))


@pytest.mark.parametrize("program", [starred, called, lambda t: tuple(t), lambda t: max(*t)])
def test_what_needs_the_count_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises((StagingError, TypeError), match="input_signature"):
        tf.function(program).get_concrete_function(tf.TensorSpec([None], tf.int32))
