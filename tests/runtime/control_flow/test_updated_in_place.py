"""`s |= t` and its like, `del d[k]`: of sets, dicts, Counters and deques that have several names, with what the run
knows. All names see the change."""

from __future__ import annotations

from collections import Counter, deque

import pytest

import runtime as tf
from autograph.errors import StagingError
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


def a_slice_of_one_of_several(n):
    a, b = [1, 2], [3, 4, 5]
    same = a
    a[1:] = (a, b)[n % 2]
    return same


def a_slice_of_what_a_call_gives(n):
    def first_of(p, q, n):
        return p if n > 3 else q

    a, b = [1, 2], [3, 4, 5]
    same = a
    a[:] = first_of(a, b if n % 2 == 1 else a, n)
    a[1:] = sorted(a if n > 2 else b)
    return same, len(a)


def a_dict_that_the_value_changes(n):
    def add(d, n):
        d[n] = 5
        return n

    d = same = {}
    d[n + 1] = add(d, n)
    return len(same), d


def tuples_at_keys(n):
    d = {1: (1, 2)}
    d[n] = (n, n * 2)
    a, b = d[n]
    return a + b, len(d)


@pytest.mark.parametrize("program", [
    a_set_or, a_set_and, a_set_without, a_set_with_one_that_a_tensor_decides, a_dict,
    a_dict_with_one_that_a_tensor_decides, a_counter, a_counter_with_one_that_a_tensor_decides, a_deque, a_list,
    deleted,
    deleted_in_a_branch, tuples_at_keys, a_slice_of_one_of_several, a_slice_of_what_a_call_gives,
    a_dict_that_the_value_changes,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program):
    assert_same(program, 0, 1, 2, 5, 8)


def put_into(d, n):
    d[n] = 1
    return 1


def united(s, n):
    s |= {n}
    return 1


def with_slice(items, n):
    items[1:] = [1, 2] if n > 2 else [3]
    return 1


@pytest.mark.parametrize(("change", "kept"), [(put_into, {}), (united, {7}), (with_slice, [7])], ids=("d", "s", "l"))
def test_what_is_evaluated_around_a_call_is_no_value_of_the_statement_in_it(change, kept):
    def program(n):
        changed = kept.copy()
        both = changed, change(changed, n)
        return len(both[0]), len(changed)

    with pytest.raises(StagingError, match="Make that call a statement of its own before"):
        tf.function(program)(tf.constant(5))


def test_a_key_that_is_not_there_cannot_be_deleted():
    @tf.function
    def f(n):
        d = {0: 1, 1: 2}
        del d[n]
        return len(d)

    assert int(f(tf.constant(1))) == 1
    with pytest.raises(KeyError):
        f(tf.constant(7))
