"""None on some ways through staged code, a value on others: values, errors and effects against Python's own."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, observe, say


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


def compared(n):
    x = n if n > 0 else None
    return x == n, x != n, x == None, x is None, x is not None, None is x, not (x is None)


def compared_with_another(n):
    x = n if n > 0 else None
    y = n if n > 3 else None
    return x == y, x != y


def truth(n):
    x = (n > 3) if n > 0 else None
    y = 0
    if x:
        y = 1
    return y, not x


def used(n):
    x = n if n > 0 else None
    return x + 1


def used_reflected(n):
    x = n if n > 0 else None
    return 1 - x


def used_in_order(n):
    x = n if n > 0 else None
    if n < 3:
        say("before")
        y = -x
        say("after")
    else:
        y = x
    return y


def less(n):
    x = n if n > 0 else None
    return x < 3


def used_by_an_operation(n):
    x = n if n > 0 else None
    return tf.square(x) + tf.add(1, x) + tf.stack([x, 2])[0]


def subscript(n):
    x = (n, n + 1) if n > 0 else None
    return x[1]


def unpacked(n):
    x = (n, n + 1) if n > 0 else None
    a, b = x
    return a - b


def attribute(n):
    found = Found(n) if n > 0 else None
    return found.value + found.doubled() + found.take(1)


def called(n):
    f = abs if n > 0 else None
    return f(n)


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


def last_before_loop(n):
    last = None
    for i in range(n):
        last = i
    return last


def largest(n):
    best = None
    for i in range(n):
        x = (i * 7) % 5
        if best is None or x > best:
            best = x
    return best


def largest_nested_ifs(n):
    best = None
    where = None
    for i in range(n):
        x = (i * 7) % 5
        if best is None:
            best = x
            where = i
        elif x > best:
            best, where = x, i
    return best, where


def differences(n):
    previous = None
    total = 0
    for i in range(n):
        x = i * i
        if previous is not None:
            total += x - previous
        previous = x
    return total, previous


def differences_by_index(n):
    previous = None
    total = 0
    for i in range(n):
        if i > 0:
            total += i * i - previous
        previous = i * i
    return total


def reset_in_loop(n):
    last = n
    for i in range(n):
        if i % 3 == 2:
            last = None
        elif last is None:
            last = i * 100
    return last


def found_in_while(n):
    found = None
    i = 0
    while i < n and found is None:
        if i * i > 10:
            found = i
        i += 1
    return found, i


def found_in_loop(n):
    for i in range(n):
        if i * i > 10:
            return i


def found_in_nested_loops(n):
    result = None
    for i in range(n):
        for j in range(i):
            if i * j == 6:
                result = (i, j)
    return result


def early_bare_return_in_loop(n):
    for i in range(n):
        if i > 2:
            say("left at", i)
            return
        say(i)
    say("end")


def pair_before_loop(n):
    best = (None, 0)
    for i in range(n):
        if best[0] is None or i % 3 > best[0]:
            best = (i % 3, best[1] + 1)
    return best


def structure_before_loop(n):
    best = None
    for i in range(n):
        if best is None:
            best = Pair(i, 0.5)
        else:
            best = Pair(best.first + i, best.second * 2)
    return best


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


def never_there(n):
    x = None
    for i in range(n):
        if x is not None:
            x = x + 1
    return x, n


def uses_none_always(n):
    x = None
    if n > 0:
        x = n
    for i in range(n):
        x = x + 1
    return x


def value_or_default(n):
    x = (n > 2) if n > 0 else None
    pair = (n, 1) if n > 3 else None
    return x or n == -5, pair or (0, 0), x and n > 3


def read_by_tensor(n):
    xs = (n, n + 1, n + 2) if n > 0 else None
    return xs[n % 3]


def iterated(n):
    xs = [n, n + 1] if n > 0 else None
    s = 0
    for x in xs:
        s += x
    return s, len(xs), sum(xs), list(xs), max(xs)


def iterated_tensor(n):
    xs = tf.range(n) if n > 0 else None
    s = 0
    for x in xs:
        s += x
    return s


def number_builtins(n):
    x = n if n > 0 else None
    return abs(x), max(x, 3), min(2, x), divmod(x, 2), pow(x, 2)


def none_to_len(n):
    x = [n] if n > 0 else None
    return len(x)


def formatted(n):
    x = n if n > 0 else None
    return f"{x}|{x:>5}" if n > 3 else f"<{x}>"


def printed(n):
    x = n if n > 0 else None
    y = (n, "y") if n > 2 else None
    say(x, "and", [x, y], {"k": y})
    return n


def contained(n):
    x = n if n > 0 else None
    y = (1, 2, n) if n > 2 else (n, 0, 5)
    return x in (1, 2, None), x in (None, 5), x not in (3, 4), None in [x, 1], 3 in [x, 1], x in y


def in_what_may_be_none(n):
    x = (1, n) if n > 0 else None
    return 3 in x, n in x


SENTINEL = object()


def identity(n):
    x = SENTINEL if n > 0 else None
    y = SENTINEL if n > 2 else None
    z = n if n > 1 else None
    return x is SENTINEL, x is y, x is not y, x is n, z is n, x is z, n is z


def kinds(n):
    x = Found(n) if n > 0 else None
    known = isinstance(x, Found), isinstance(x, (Found, type(None))), isinstance(x, int), callable(x)
    return known, hasattr(x, "value"), getattr(x, "value", -1), isinstance(None, Found)


def matched(n):
    x = Found(n) if n > 0 else None
    match x:
        case None:
            return -1
        case Found(value=3):
            return 33
        case Found(value=v):
            return v
    return 0


PROGRAMS = (
    in_one_branch, in_the_other_branch, literal_or_none, text_or_none, falls_off_the_end, bare_return_or_value,
    bare_returns_and_values, structure_or_none, none_inside_structures, none_in_both, named_and_data, guarded,
    guarded_by_and, guarded_by_return, compared, compared_with_another, truth, used, used_reflected, used_in_order,
    less, used_by_an_operation, subscript, unpacked, attribute, called, passed_to_helpers, returned_by_methods,
    last_before_loop, largest, largest_nested_ifs, differences, differences_by_index, reset_in_loop, found_in_while,
    found_in_loop, found_in_nested_loops, early_bare_return_in_loop, pair_before_loop, structure_before_loop,
    in_nested_functions, value_or_default, read_by_tensor, iterated, iterated_tensor, number_builtins, none_to_len,
    formatted, printed, contained, in_what_may_be_none,
    identity, kinds, matched, never_there, uses_none_always,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 5, 7, -1, -5)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (used, "unsupported operand type(s) for +: 'NoneType' and 'int'"),
        (used_reflected, "unsupported operand type(s) for -: 'int' and 'NoneType'"),
        (less, "'<' not supported between instances of 'NoneType' and 'int'"),
        (subscript, "'NoneType' object is not subscriptable"),
        (called, "'NoneType' object is not callable"),
        (attribute, "'NoneType' object has no attribute 'value'"),
        (iterated, "'NoneType' object is not iterable"),
        (none_to_len, "object of type 'NoneType' has no len()"),
    ],
)
def test_errors_are_worded_as_python_words_them(program: Callable[[Any], Any], message: str) -> None:
    expected, _ = observe(program, -1)
    result, _ = observe(tf.function(program), tf.constant(-1))
    assert type(result) is type(expected)
    assert message in str(result) and message in str(expected)


def test_the_error_names_the_line_of_the_use() -> None:
    with pytest.raises(TypeError) as error:
        tf.function(used)(tf.constant(-1))
    line = used.__code__.co_firstlineno + 2
    assert f"test_staged_none.py:{line}" in f"{error.value} {getattr(error.value, '__notes__', '')}"


def test_no_check_where_a_condition_has_decided() -> None:
    def checks(program: Any) -> int:
        graph = tf.function(program).get_concrete_function(tf.constant(1)).graph
        return graph.as_text().count("check(")

    assert checks(used) == 1
    assert [checks(p) for p in (guarded, guarded_by_and, largest, largest_nested_ifs, found_in_while)] == [0] * 5


def test_over_the_rows_of_a_tensor_that_may_be_empty() -> None:
    @tf.function
    def largest_of(xs):
        best = None
        for x in xs:
            if best is None or x > best:
                best = x
        return best

    assert largest_of(tf.constant([1.5, 7.25, -2.0])).numpy() == 7.25
    assert largest_of(tf.constant(np.zeros([0], np.float32))) is None
    assert largest_of.experimental_get_tracing_count() == 2


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


def test_number_as_condition_is_still_refused() -> None:
    @tf.function
    def f(n):
        x = n if n > 0 else None
        if x:
            return 1
        return 2

    with pytest.raises(ValueError, match="to check for None, use `is not None`"):
        f(tf.constant(1))


def test_patterns_that_look_inside_what_may_be_none_are_refused() -> None:
    @tf.function
    def f(n):
        x = Found(n) if n > 0 else None
        match x:
            case Found(value=v):
                return v
        return -1

    with pytest.raises(StagingError, match="write `case None` above this case"):
        f(tf.constant(1))
