"""itertools where a tensor decides how far an iterator goes: takewhile, dropwhile, filterfalse, islice, groupby."""

from __future__ import annotations

from itertools import compress, count, dropwhile, filterfalse, groupby, islice, takewhile

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.algorithms.test_algorithms import alike, plain


def groups(a):
    return (
        [(k, len(list(g))) for k, g in groupby(a)],
        [sum(g) for k, g in groupby(a, key=lambda v: v % 2)],
        max(len(list(g)) for _, g in groupby(a)),
    )


def groups_in_a_loop(a):
    s = 0
    for k, g in groupby(sorted(a)):
        s = s * 10 + k * len(list(g))
    return s


def parts(a):
    s = 0
    for v in takewhile(lambda v: v < a[2], a):
        s += v * v
    return (
        s,
        list(takewhile(lambda v: v < 5, a)),
        list(dropwhile(lambda v: v < 5, a)),
        list(filterfalse(lambda v: v % 2, a)),
        list(filterfalse(None, a)),
        len(list(dropwhile(lambda v: v < 100, a))),
    )


@pytest.mark.parametrize("program", [groups, groups_in_a_loop, parts], ids=lambda p: p.__name__)
def test_programs_of_a_list(program):
    for tensors in (lambda a: tf.constant(np.asarray(a)), lambda a: [tf.constant(np.asarray(v)) for v in a]):
        staged = tf.function(program)
        for values in ([3, 1, 4, 1, 5, 9, 2, 6, 3], [3, 3, 7, 1, 1, 0, 2, 9, 9]):
            found, wanted = plain(staged(tensors(values))), plain(program(values))
            assert alike(found, wanted), f"{program.__name__}: {found} and not {wanted}"


def of_a_number(n):
    k, g = next(groupby([1, 1, 2]))
    return (
        sum(takewhile(lambda v: v * v < n, count(1))),
        list(takewhile(lambda v: v < n, [1, 3, 5, 7])),
        [n * v for v in takewhile(lambda v: v < 5, [1, 3, 5, 7])],
        n + k + next(g),
    )


def test_programs_of_a_number():
    staged = tf.function(of_a_number)
    for n in (1, 4, 20):
        assert alike(plain(staged(tf.constant(np.asarray(n)))), plain(of_a_number(n)))


def run_lengths(text):
    return "".join(k + str(len(list(g))) for k, g in groupby(text))


def test_characters_of_a_text():
    staged = tf.function(run_lengths)
    for text in ("aabccc", "a"):
        assert plain(staged(tf.constant(text))) == run_lengths(text)


def no_item_too_many(a):
    """The division by the last item would raise; nobody asks for it."""
    kept = []
    for v in takewhile(lambda v: 10 // v > 0, a):
        if v > 4:
            break
        kept.append(v)
    return kept, next(filterfalse(lambda v: 10 // v > 2, a)), [v for v in islice((10 // v for v in a), 2)]


def test_no_item_is_taken_before_it_is_wanted():
    staged = tf.function(no_item_too_many)
    for values in ([1, 2, 5, 0], [3, 4, 9, 0, 0]):
        assert alike(plain(staged(tf.constant(np.asarray(values)))), plain(no_item_too_many(values)))


def slices(a, k):
    return (
        list(islice(a, k)), list(islice(a, k, None)), list(islice(a, 1, k)), list(islice(a, 0, 6, k)),
        list(islice(a, 5, k)), sum(islice(count(1), k)), list(islice(takewhile(lambda v: v < 9, a), 2)),
        [v for v in islice(range(k), 2)],
    )  # fmt: skip


def selected(a, k):
    return list(compress(a, [v > k for v in a])), list(compress("abcde", a)), list(compress(a, [1, 0, 1]))


@pytest.mark.parametrize("program", [slices, selected], ids=lambda p: p.__name__)
def test_programs_of_a_list_and_a_number(program):
    for tensors in (lambda a: tf.constant(np.asarray(a)), lambda a: [tf.constant(np.asarray(v)) for v in a]):
        staged = tf.function(program)
        for values in ([3, 1, 4, 0, 5, 9], [0, 3, 7, 1, 1, 0]):
            for k in (1, 3, 9):
                found, wanted = plain(staged(tensors(values), tf.constant(np.asarray(k)))), plain(program(values, k))
                assert alike(found, wanted), f"{program.__name__}: {found} and not {wanted}"


def test_an_iterator_goes_on_behind_a_slice():
    def program(a):
        iterator = iter(a)
        return list(islice(iterator, 2)), list(iterator)

    values = [3, 1, 4, 1]
    assert alike(plain(tf.function(program)(tf.constant(values))), plain(program(values)))


def test_a_negative_bound_raises_in_the_run():
    with pytest.raises(ValueError, match="Stop argument for islice"):
        tf.function(lambda a, k: list(islice(a, k)))(tf.constant([1, 2]), tf.constant(-1))


def without_end(n):
    for v in dropwhile(lambda v: v * v < n, count(1)):
        return v, next(filterfalse(lambda v: v < n, count(1))), next(takewhile(lambda v: v < n, [1, 5]))


def test_iterators_without_end():
    staged = tf.function(without_end)
    for n in (2, 30):
        assert alike(plain(staged(tf.constant(n))), plain(without_end(n)))


def test_groups_of_what_has_no_end_are_refused():
    with pytest.raises(StagingError, match="groupby.* of an iterator without end"):
        tf.function(lambda n: next(groupby(count(n), key=lambda v: v < n)))(tf.constant(3))


def test_all_items_of_what_has_no_end_are_refused():
    with pytest.raises(StagingError, match="dropwhile.* has no end"):
        tf.function(lambda n: list(dropwhile(lambda v: v < n, count(n))))(tf.constant(3))


def first_items(a, n):
    return (
        next(islice(a, n, None)),
        next(islice(a, n, 5), 7),
        next(islice(range(10), n, None)),
        next(islice(a, 0, None, n)),
        next(islice(iter(a), n, None)),
        next(compress(a, (v > n for v in a))),
        next(compress(a, [v > n for v in a])),
    )


@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_first_item_of_what_a_tensor_decides(n):
    """An attempt in Python has taken items from an iterator, when the loop of the graph begins again."""
    a = [5, 3, 8, 1, 9, 2]
    for given in (a, [tf.constant(v, tf.int64) for v in a]):
        result = tf.function(first_items)(given, tf.constant(n, tf.int64))
        assert [int(v) for v in result] == list(first_items(a, n))
