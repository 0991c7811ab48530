"""What a recursive function does with its arguments: it changes and returns them, also where it raises."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.algorithms.test_algorithms import plain


def of_a_list(items, n):
    items.append(n)
    if n > 0 and len(items) < 4:
        of_a_list(items, n - 1)
    return items


def of_a_list_within(held, n):
    held[0].append(n)
    if n > 0 and len(held[0]) < 4:
        of_a_list_within(held, n - 1)
    return held[0]


def of_an_object_below_a_known_depth(calls, depth, n):
    """Python ends the outer calls, a tensor the inner ones; what both change is taken back by itself."""
    if depth > 2:
        calls["deep"] += 1
    if depth > 0:
        found = of_an_object_below_a_known_depth(calls, depth - 1, n)
        calls["known"] += 1
        return found + of_an_object_below_a_known_depth(calls, depth - 1, n)
    calls["last"] += 1
    if n > 0:
        return of_an_object_below_a_known_depth(calls, 0, n - 1) + n
    return n


def of_known_depth(n):
    calls = {"deep": 0, "known": 0, "last": 0}
    found = of_an_object_below_a_known_depth(calls, 3, n)
    return [found, *calls.values()]


def of_an_array(v, n):
    v[0] += n
    if n > 0 and v[0] < 9:
        of_an_array(v, n - 1)


def of_a_view(v, n):
    v[n % 2] += n
    if n > 0 and v[0] < 9:
        of_a_view(v, n - 1)


def in_an_array(n):
    v = np.zeros(2, np.int32)
    of_an_array(v, n)
    return v


def through_a_view(n):
    v = np.zeros(4, np.int32)
    of_a_view(v[::2], n)
    return v


@pytest.mark.parametrize(
    "program",
    [lambda n: of_a_list([1], n), lambda n: of_a_list_within([[1]], n), in_an_array, through_a_view, of_known_depth],
)
def test_what_is_changed_before_it_calls_itself_is_changed_once(program):
    """The call that turns out to call itself has been traced in place up to there, with the change."""
    staged = tf.function(program)
    for n in (0, 1, 2, 5):
        assert list(map(int, staged(tf.constant(n)))) == list(map(int, program(n)))


def listed(items, n):
    items.append(n)
    if n > 0:
        return listed(items, n - 1)
    return items


def in_a_pair(held, n):
    held["items"][0] += n
    if n > 0:
        return in_a_pair(held, n - 1)
    return n, held


def of_memory(v, n):
    v[n % 2] += n
    return of_memory(v, n - 1) if n > 0 else v


def sorted_(items):
    if len(items) < 2:
        return items
    first, rest = items[0], items[1:]
    return sorted_([x for x in rest if x < first]) + [first] + sorted_([x for x in rest if x >= first])


def the_list(n):
    items = [1]
    found = listed(items, n)
    found.append(9)
    return items, found is items


def the_dict(n):
    held = {"items": [0], "n": 5}
    k, found = in_a_pair(held, n)
    found["n"] = found["items"][0] + k
    return held["n"], found is held


def the_array(n):
    v = np.zeros(2, np.int32)
    found = of_memory(v, n)
    found[1] = 7
    return list(v), found is v


def another(n):
    items = [3, n, 1, 2 * n]
    found = sorted_(items)
    return items, found, found is items


@pytest.mark.parametrize("program", [the_list, the_dict, the_array, another])
def test_an_argument_that_is_returned_is_the_argument(program):
    staged = tf.function(program)
    for n in (0, 1, 2, 5):
        assert plain(staged(tf.constant(n, tf.int32))) == plain(program(n)), n


def summed(state, n):
    return state if n < 1 else summed([state[0] + n, state[1]], n - 1)


def one_or_the_other(n):
    state = [0, 1]
    found = summed(state, n)
    found[1] = 7
    return state, found


def counted(state, n):
    if n == 0:
        return state
    if n % 2:
        return counted([state[0] + 1, state[1]], n - 1)
    return counted(state, n - 1)


def first_or_another(n):
    state = [0, 1]
    found = counted(state, n)
    found[1] = 7
    return state, found


def grown_after(n):
    items = [3, n, 1]
    found = sorted_(items[:n])
    items.append(9)
    found.append(8)
    return items, found


def first_changed_after(n):
    items = []
    for i in range(n):
        items.append(-i)
    found = sorted_(items)
    items.append(9)
    return items, found


def test_an_argument_or_another_list_that_is_returned():
    """The list is a copy in the graph: neither may change where the program has a name for the argument."""
    for program in (grown_after, one_or_the_other, lambda n: counted([0, 1], n)):
        staged = tf.function(program)
        for n in (0, 1, 3):
            assert plain(staged(tf.constant(n, tf.int32))) == plain(program(n)), n
    for program in (first_or_another, first_changed_after):
        with pytest.raises(StagingError, match=r"returns its argument '(state|items)' or another object.*changed in"):
            tf.function(program)(tf.constant(2))


def raises_within(v, k):
    if k == 2:
        raise ValueError("two")
    v[k % 2] += k
    if k > 0:
        raises_within(v, k - 1)


def caught(k):
    v = np.zeros(2, np.int32)
    try:
        raises_within(v, k)
    except ValueError:
        v[0] += 100
    return v


def cleaned_up(k):
    def go(v, k):
        try:
            if k == 0:
                raise ValueError("none")
            v[0] += k
            return go(v, k - 1)
        finally:
            v[1] += 1

    return go(np.zeros(2, np.int32), k)


@pytest.mark.parametrize("program", [caught, cleaned_up])
def test_changes_of_a_call_that_raises_are_refused_in_a_try(program):
    with pytest.raises(StagingError, match=r"changes its argument .* inside a `try`.*Let it return"):
        tf.function(program)(tf.constant(3))


def test_a_recursion_that_always_raises():
    def go(k):
        if k == 0:
            raise ValueError("none")
        return go(k - 1)

    with pytest.raises(ValueError, match="none"):
        tf.function(go)(tf.constant(3))


def odd_ones(v, p):
    if v <= 0:
        return len(p)
    return odd_ones(v - 2, p + [v] if v % 2 else p) + odd_ones(v - 3, p)


def put_in_turns(v, p, q):
    (p if v % 2 else q).append(v)
    if v > 0:
        put_in_turns(v - 1, p, q)
    return p, q


def sum_of_one(n):
    def go(k, items):
        return sum(items) if k < 1 else go(k - 1, items)

    return go(n, [1, 2] if n % 2 else [3, 4])


@pytest.mark.parametrize("program", [lambda n: odd_ones(n, []), lambda n: put_in_turns(n, [], []), sum_of_one])
def test_an_argument_may_be_one_of_several_lists(program):
    staged = tf.function(program)
    for n in (0, 1, 4):
        assert plain(staged(tf.constant(n, tf.int32))) == plain(program(n)), n


def test_one_of_several_lists_is_not_changed_in_recursion():
    def fill(items, k):
        items[k % 2] += k
        if k > 0:
            fill(items, k - 1)

    def program(n):
        a, b = [1, 2], [3, 4]
        fill(a if n % 2 else b, n)
        return a, b

    with pytest.raises(StagingError, match="a tensor decides which of several objects it is: pass a copy"):
        tf.function(program)(tf.constant(3))
