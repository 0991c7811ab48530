"""None on some ways through branches and out of functions, a value on others: against Python's own."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, say


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclasses.dataclass
class Found:
    value: Any
    note: Any = None

    def doubled(self):
        return self.value * 2

    def take(self, n):
        return self.value + n


def in_one_branch(n):
    x = None
    if n > 0:
        x = n
    return x


def in_the_other_branch(n):
    x = n
    if n > 0:
        x = None
    return x


def literal_or_none(n):
    x = 3 if n > 0 else None
    return x


def text_or_none(n):
    x = None
    if n > 0:
        x = "found"
    return x


def falls_off_the_end(n):
    if n > 0:
        return n


def bare_return_or_value(n):
    if n > 0:
        return
    return n


def bare_returns_and_values(n):
    if n > 4:
        return
    if n > 2:
        return n
    if n > 0:
        return None
    say("negative")
    return -n


def structure_or_none(n):
    if n > 0:
        return {"a": n, "b": (1.5, n)}
    return None


def none_inside_structures(n):
    pair = (n, None)
    if n > 0:
        pair = (None, n)
    elif n < -3:
        pair = (None, None)
    return pair


def none_in_both(n):
    x = 1
    if n > 0:
        x = None
    else:
        x = None
    return x, n


def named_and_data(n):
    found = None
    if n > 0:
        found = Found(n, Pair(n, None))
    return found, 1 if found is None else found.note.first


def guarded(n):
    x = None
    if n > 0:
        x = n
    if x is not None:
        x = x + 1
        if x is None:
            say("never")
        y = x * 2
    else:
        y = -1
    return x, y


def guarded_by_and(n):
    x = n if n > 0 else None
    if x is not None and x > 3:
        return x * 10
    if x is None or x < 2:
        return 0
    return x


def guarded_by_return(n):
    x = n if n > 0 else None
    if x is None:
        return -1
    return x + 1


def helper(x, default=None):
    if x is None:
        return default
    return x + 1


def passed_to_helpers(n):
    x = n if n > 0 else None
    return helper(x), helper(None, x), helper(x, n), helper(None)


def returned_by_methods(n):
    class Table:
        def __init__(self, key):
            self.key = key

        def get(self, key):
            if key == self.key:
                return key * 10

    table = Table(n - 1)
    hit, miss = table.get(2), table.get(n)
    return hit if hit is not None else -1, miss


def in_nested_functions(n):
    def larger(x, best):
        if best is None or x > best:
            return x
        return best

    best = None
    if n > 0:
        best = larger(n, best)
    if n > 2:
        best = larger(n - 1, best)
    return best


PROGRAMS = (
    in_one_branch, in_the_other_branch, literal_or_none, text_or_none, falls_off_the_end, bare_return_or_value,
    bare_returns_and_values, structure_or_none, none_inside_structures, none_in_both, named_and_data, guarded,
    guarded_by_and, guarded_by_return, passed_to_helpers, returned_by_methods, in_nested_functions,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 5, 7, -1, -5)


def test_no_check_where_a_condition_has_decided() -> None:
    def checks(program: Any) -> int:
        graph = tf.function(program).get_concrete_function(tf.constant(1)).graph
        return graph.as_text().count("check(")

    assert [checks(p) for p in (guarded, guarded_by_and)] == [0, 0]


def test_vectors_and_their_zeros() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.bool)])
    def maybe(x, use):
        y = x * 2 if use else None
        z = tf.zeros([1, 2]) if y is None else y
        return y, z

    x = tf.ones([3, 2])
    assert maybe(x, tf.constant(True))[0].numpy().tolist() == [[2, 2]] * 3
    assert maybe(x, tf.constant(False))[0] is None
    assert maybe(x, tf.constant(False))[1].shape == (1, 2)


def test_the_signature_says_what_may_be_none() -> None:
    concrete = tf.function(in_one_branch).get_concrete_function(tf.constant(1))
    assert "int32 Tensor, shape=(), or None" in concrete.pretty_printed_signature()
    assert [t.dtype for t in concrete.outputs] == [tf.int32, tf.bool]


def test_results_of_functions_inside_functions() -> None:
    inner = tf.function(in_one_branch)

    @tf.function
    def outer(n):
        x = inner(n)
        return -1 if x is None else x * 2

    assert [outer(tf.constant(v)).numpy() for v in (3, -3)] == [6, -1]

    concrete = inner.get_concrete_function(tf.constant(1))

    @tf.function
    def through_concrete(n):
        x = concrete(n)
        return -1 if x is None else x * 2

    assert [through_concrete(tf.constant(v)).numpy() for v in (3, -3)] == [6, -1]


def test_arguments_of_functions_inside_functions() -> None:
    inner = tf.function(helper)

    @tf.function
    def outer(n):
        x = n if n > 0 else None
        return inner(x, n), inner(x, default=-1)

    assert [[r.numpy() for r in outer(tf.constant(v))] for v in (3, -3)] == [[4, 4], [-3, -1]]


def test_cond_and_while_loop_as_functions() -> None:
    @tf.function
    def f(n):
        x = tf.cond(n > 0, lambda: n, lambda: None)
        return -1 if x is None else x

    assert [f(tf.constant(v)).numpy() for v in (3, -3)] == [3, -1]
