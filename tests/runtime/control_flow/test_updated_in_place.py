"""`s |= t` and its like, `del d[k]`: of sets, dicts, Counters and deques that have several names, with what the run
knows. All names see the change."""

from __future__ import annotations

from collections import Counter, deque

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def a_set_or(n):
    s = same = {1, 2}
    s |= {n}
    return len(same), s is same


def a_set_and(n):
    s = same = {1, 2, 5}
    s &= {n, n + 2}
    return len(same), sorted(same)


def a_set_without(n):
    s = same = {1, 2, 5}
    s -= {n, n + 2}
    s ^= {n + 1, 7}
    return sorted(same)


def a_set_with_one_that_a_tensor_decides(n):
    s = same = {1}
    other = {4}
    if n > 3:
        other.add(3)
    s |= other
    return len(same), 3 in same


def a_dict(n):
    d = same = {1: 1}
    d |= {n: 2}
    return len(same), same


def a_dict_with_one_that_a_tensor_decides(n):
    d = same = {1: 2}
    other = {4: 2}
    if n > 3:
        other[3] = 3
    d |= other
    return len(same), same


def a_counter(n):
    c = same = Counter([1])
    c += Counter([n, n])
    return len(same), same[n]


def a_counter_with_one_that_a_tensor_decides(n):
    c = same = Counter([1])
    other = Counter([4])
    if n > 3:
        other[3] = 3
    c += other
    return len(same), same[3]


def a_deque(n):
    q = same = deque([1])
    q += deque([n, 7], maxlen=n + 1)
    return len(same), list(same)


def a_list(n):
    items = same = [9]
    items += {n, n + 1}
    return len(same), sorted(items)


def deleted(n):
    d = same = {0: 1, 1: 2, 2: 3}
    del d[n % 3]
    return len(same), d


def deleted_in_a_branch(n):
    d = {i: i * i for i in range(4)}
    if n > 2:
        del d[n % 3]
    return len(d), list(d)


def tuples_at_keys(n):
    d = {1: (1, 2)}
    d[n] = (n, n * 2)
    a, b = d[n]
    return a + b, len(d)


@pytest.mark.parametrize("program", [
    a_set_or, a_set_and, a_set_without, a_set_with_one_that_a_tensor_decides, a_dict,
    a_dict_with_one_that_a_tensor_decides, a_counter, a_counter_with_one_that_a_tensor_decides, a_deque, a_list, deleted,
    deleted_in_a_branch, tuples_at_keys,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program):
    assert_same(program, 0, 1, 2, 5, 8)


def test_a_key_that_is_not_there_cannot_be_deleted():
    @tf.function
    def f(n):
        d = {0: 1, 1: 2}
        del d[n]
        return len(d)

    assert int(f(tf.constant(1))) == 1
    with pytest.raises(KeyError):
        f(tf.constant(7))
