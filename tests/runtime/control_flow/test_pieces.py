"""itertools where a tensor decides how far an iterator goes: takewhile, dropwhile, filterfalse, groupby."""

from __future__ import annotations

from itertools import count, dropwhile, filterfalse, groupby, takewhile

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


def test_what_has_no_end_is_refused():
    with pytest.raises(StagingError, match="dropwhile.* of an iterator without end"):
        tf.function(lambda n: next(dropwhile(lambda v: v < n, count(n))))(tf.constant(3))
