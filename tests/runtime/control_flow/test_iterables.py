"""enumerate, zip, map, filter, reversed, iter and next over tensors, in `for` statements and in each other."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same
from tests.runtime.control_flow.sizes import SIZES, compare


def counted(t):
    s = 0
    for i, x in enumerate(t):
        s += i * x
    return s


def counted_from(t):
    s = 0
    for i, x in enumerate(t, start=10):
        s += i * x
    return s


def pairs(t):
    s = 0
    for a, b in zip(t, t + 1):
        s += a * b
    return s


def nested(t):
    s = 0
    for i, (a, b) in enumerate(zip(t, reversed(t))):
        if a > b:
            s += i * (a - b)
    return s


def whole_item(t):
    s = 0
    for item in zip(t, t * 2):
        s += item[0] * item[1]
    return s


def rest_of_item(t):
    s = 0
    for first, *rest in zip(t, t * 2, t * 3):
        s += first + rest[1] * len(rest)
    return s


def with_numbers(t):
    s = 0
    for x, w in zip(t, [1, 20, 300]):
        s += x * w
    return s


def with_rows_of_numbers(t):
    s = 0
    for x, (a, b) in zip(t, [(1, 2), (3, 4), (5, 6), (7, 8)]):
        s += x * a + b
    return s


def with_tensors(t):
    s = 0
    for x, w in zip(t, [t, t * 2]):
        s += x * tf.reduce_sum(w)
    return s


def with_range(t):
    s = 0
    for x, i in zip(t, range(5, 100, 3)):
        s += x * i
    return s


def with_staged_range(t):
    s = 0
    for i, j in zip(range(len(t)), range(1, 50, 2)):
        s += i * j
    return s


def backwards(t):
    s = 0
    for x in reversed(t):
        s = s * 3 + x
    return s


def backwards_range(t):
    s = 0
    for i in reversed(range(len(t))):
        s = s * 2 + i
    return s


def backwards_steps(t):
    s = 0
    for i in reversed(range(1, len(t) * 2, 3)):
        s = s * 2 + i
    return s


def doubled(x):
    return x * 2 if x > 2 else x


def mapped(t):
    s = 0
    for x in map(doubled, t):
        s = s * 2 + x
    return s


def mapped_over_two(t):
    s = 0
    for x in map(lambda a, b: a * b, t, reversed(t)):
        s = s * 2 + x
    return s


def filtered(t):
    s = 0
    for x in filter(lambda v: v > 2, t):
        s = s * 10 + x
    return s


def filtered_by_truth(t):
    s = 0
    for x in filter(None, t):
        s = s * 10 + x
    return s


def numbered_after_filter(t):
    s = 0
    for i, x in enumerate(filter(lambda v: v > 2, map(doubled, t)), 1):
        s += i * x
    return s


def mapped_after_filter(t):
    s = 0
    for x in map(lambda v: v + 1, filter(lambda v: v > 1, t)):
        if x > 5:
            break
        s = s * 10 + x
    else:
        s += 1000
    return s


def leaves_early(t):
    for i, x in enumerate(t):
        if x > 3:
            return i
    return -1


def goes_on_after_break(t):
    items = iter(t)
    s = 0
    for x in items:
        s += x
        if x > 3:
            break
    for x in items:
        s += 100 * x
    return s


def twice_through(t):
    items = zip(t, t)
    s = 0
    for a, b in items:
        s += a * b
    for a, b in items:
        s += 1000
    return s


def by_twos(t):
    items = iter(t)
    s = 0
    for x in items:
        s += x * next(items, 7)
    return s


def first_or(t):
    items = iter(t)
    return next(items, -1) * 10 + next(items, -2)


def first(t):
    return next(iter(t))


def first_of_many(t):
    pairs = enumerate(zip(t, t + 1), 5)
    i, (a, b) = next(pairs)
    for j, (c, d) in pairs:
        i += j * (c + d)
    return i, a, b


def in_a_branch(t):
    s = 0
    if tf.reduce_sum(t) > 4:
        for i, x in enumerate(t):
            s += i * x
    else:
        for x in reversed(t):
            s -= x
    return s


def in_a_loop(t):
    s = 0
    for i, x in enumerate(t):
        for j, y in zip(range(i), map(doubled, t)):
            s += x * y - j
    return s


PROGRAMS = [
    counted, counted_from, pairs, nested, whole_item, rest_of_item, with_numbers, with_rows_of_numbers, with_range,
    with_staged_range, backwards, backwards_range, backwards_steps, mapped, mapped_over_two, filtered,
    filtered_by_truth, numbered_after_filter, mapped_after_filter, leaves_early, goes_on_after_break,
    twice_through, by_twos, first_or, in_a_branch, in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_program(program: Any) -> None:
    compare(program, *SIZES)


def test_items_that_are_tensors_of_one_shape() -> None:
    compare(with_tensors, [1, 2, 3], [4])


@pytest.mark.parametrize("program", [first, first_of_many], ids=lambda program: program.__name__)
def test_next_of_items_that_exist(program: Any) -> None:
    compare(program, [3], [4, 1, 3])


def test_next_of_nothing() -> None:
    staged = tf.function(first, input_signature=[tf.TensorSpec([None], tf.int32)])
    with pytest.raises(StopIteration):
        staged(tf.constant([], tf.int32))


def floats(t):
    s = 0.0
    for i, x in enumerate(t):
        s += i * x
    for w, x in zip([1, 2], t):
        s += w * x
    return s


def test_numbers_adapt_to_the_tensors_beside_them() -> None:
    compare(floats, [], [0.5], [1.5, 2.5, 4.0], dtype=tf.float32)


def rows(t):
    s = 0
    for i, (a, b) in enumerate(t):
        s += i * a - b
    for (a, b), (c, d) in zip(t, reversed(t)):
        s += a * d - b * c
    for a, b in filter(lambda row: row[0] > 1, t):
        s += a * b
    return s


def test_rows_are_unpacked() -> None:
    compare(rows, [], [1, 2], [1, 2, 3, 4, 5, 6], row=(2,))


def test_what_nobody_goes_through_is_not_evaluated() -> None:
    @tf.function
    def lazy(t):
        map(lambda x: 1 // 0, t)
        filter(lambda x: 1 // 0, t)
        return t

    assert lazy(tf.constant([1])).numpy().tolist() == [1]


def test_python_values_stay_with_python() -> None:
    calls = []

    def seen(x):
        calls.append(x)
        return x

    @tf.function
    def program(t):
        lazy = map(seen, [1, 2, 3])
        calls.append("made")
        return t + next(lazy), list(filter(seen, [0, 5])), list(reversed([1, 2])), type(zip([1], [2])) is zip

    value, kept, turned, is_zip = program(tf.constant(1))
    assert (value.numpy(), [int(k) for k in kept], [int(k) for k in turned], bool(is_zip)) == (2, [5], [2, 1], True)
    assert calls == ["made", 1, 0, 5]


@pytest.mark.parametrize("call", [enumerate, zip, reversed, iter, list, sum, any, all, sorted, min, max])
def test_a_scalar_has_no_items(call: Any) -> None:
    @tf.function
    def program(t):
        return call(t)

    with pytest.raises((TypeError, ValueError, tf.errors.InvalidArgumentError)):
        program(tf.constant(3))


def beside_an_empty_list(n):
    long, total = [v for v in [n, 2, 3] if v > 1], 0
    for a, _ in zip(long, []):
        total += a
    else:
        total += 1
    return total, [a * b for a, b in zip(long, [])], list(zip((), long)), sum(a for a, _ in zip(long, ()))


def test_beside_an_empty_sequence_there_are_no_items() -> None:
    assert_same(beside_an_empty_list, 0, 3)
