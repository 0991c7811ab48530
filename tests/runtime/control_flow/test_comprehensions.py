"""Comprehensions and generator expressions over tensors, with conditions on tensors, in each other, in statements."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import plain
from tests.runtime.control_flow.sizes import SIZES, compare


def double(x):
    return x * 2 if x > 2 else x


def mapped(t):
    return [x * 2 + 1 for x in t]


def called(t):
    return [double(x) for x in t]


def filtered(t):
    return [x for x in t if x > 2]


def filtered_twice(t):
    return [x + 1 for x in t if x > 1 if x % 2 == 1]


def with_and(t):
    return [x for x in t if (x > 1 and x < 5) or x == 8]


def with_ternary(t):
    return [x if x > 2 else -x for x in t]


def indexed(t):
    return [i * x for i, x in enumerate(t) if i > 0]


def pairs(t):
    return [(a, b) for a, b in zip(t, reversed(t)) if a <= b]


def rest_of_pairs(t):
    return [first + sum(rest) for first, *rest in zip(t, t, t)]


def cross(t):
    return [x * 10 + y for x in t for y in t if x < y]


def dependent(t):
    return [x + i for x in t for i in range(x) if i != 1]


def python_outside(t):
    return [x * k for k in [1, 2] for x in t]


def python_inside(t):
    return [x * k for x in t for k in (1, 2) if x > k]


def nested(t):
    return [sum(x * y for y in t if y > x) for x in t]


def list_in_python_list(t):
    return [[x + k for x in t] for k in [1, 2]]


def condition_on_python_items(t):
    return [k for k in [1, 2, 3, 4] if k < len(t)]


def condition_on_names(t):
    return [len(name) for name in ["a", "bb", "ccc"] if len(t) > len(name)]


def chained(t):
    doubled = [double(x) for x in t]
    return [a + b for a, b in zip(doubled, t)], len(doubled), sum(doubled)


def indexed_after(t):
    squares = [x * x for x in t]
    s = 0
    for i in range(len(squares)):
        s += squares[i] * i
    return s


def appended_after(t):
    squares = [x * x for x in t if x > 1]
    squares.append(100)
    return squares


def in_a_branch(t):
    if sum(t) > 5:
        found = [x for x in t if x > 2]
    else:
        found = [x + 1 for x in t]
    return found


def in_a_loop(t):
    s = 0
    for x in t:
        s += sum([y for y in t if y < x])
    return s


def dict_with_known_keys(t):
    return {name: sum(t) * k for k, name in enumerate(["a", "b"])}


def dict_of_lists(t):
    return {k: [x * k for x in t] for k in range(2)}


def generator_in_builtins(t):
    return (
        sum(x * x for x in t if x > 1),
        any(x > 4 for x in t),
        all(x > 0 for x in t),
        max((x % 4 for x in t), default=-1),
        sorted(-x for x in t),
        [i + x for i, x in enumerate(x for x in t if x != 3)],
    )


def generator_in_for(t):
    s = 0
    for i, x in enumerate(y * 2 for y in t if y > 1):
        if i > 2:
            break
        s = s * 3 + x
    else:
        s = -s
    return s


def generator_once(t):
    items = (x for x in t if x > 1)
    return sum(items), sum(items)


def late_names(t):
    limit = 100
    items = (x for x in t if x > limit)
    limit = 2
    return sum(items)


def first_iterable_at_once(t):
    items = (x for x in t)
    t = t * 100
    return sum(items)


def mixed_literals(t):
    return [1 if x > 2 else 0 for x in t]


def shadowing(t):
    x = 7
    found = [x for x in t]
    return x, found


def any_over_python_list(t):
    rows = [sum(t), len(t), max(t, default=0)]
    return any(r > 8 for r in rows), all(r >= 0 for r in rows), sum(r for r in rows if r > 2)


def lambda_called_at_once(t):
    return sum([(lambda y, d=2: x * y + d)(k) for k, x in enumerate(t) if x > 1])


PROGRAMS = [
    lambda_called_at_once,
    mapped, called, filtered, filtered_twice, with_and, with_ternary, indexed, pairs, rest_of_pairs, cross, dependent,
    python_outside, python_inside, nested, list_in_python_list, condition_on_python_items, condition_on_names, chained,
    indexed_after, appended_after, in_a_branch, in_a_loop, dict_with_known_keys, dict_of_lists, generator_in_builtins,
    generator_in_for, generator_once, late_names, first_iterable_at_once, mixed_literals, shadowing,
    any_over_python_list,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_program(program: Any) -> None:
    compare(program, *SIZES)


def test_rows() -> None:
    def program(t):
        return [a * b for a, b in t if a > 0], [row[1] for row in t]

    compare(program, [1, 2], [0, 5, 3, 4], row=(2,))


def widening(t):
    return [y for x in t for y in (1, x * 0.5)]


def test_elements_whose_dtype_widens() -> None:
    staged = tf.function(widening, input_signature=[tf.TensorSpec([None], tf.float32)])
    found = staged(tf.constant([3.0, 5.0]))
    assert [x.numpy() for x in found] == [1.0, 1.5, 1.0, 2.5]


def test_structures_whose_leaves_show_late() -> None:
    compare(pairs, [4, 1, 9])


@pytest.mark.parametrize(
    "program",
    [
        lambda t: {k: 1 for k in [1, 2] if sum(t) > k},
        lambda t: {k for k in [1, 2] if sum(t) > k},
        lambda t: {i: 0 for i, x in enumerate(t) if x > 0},
    ],
    ids=["dict", "set", "dict over tensor"],
)
def test_keys_that_depend_on_a_tensor(program: Any) -> None:
    staged = tf.function(program, input_signature=[tf.TensorSpec([None], tf.int32)])
    for values in ([1, 2], [1, -3], [2]):
        assert staged(tf.constant(values)) == program(values)


def test_values_of_python_are_made_as_python_makes_them() -> None:
    order = []

    def note(x):
        order.append(x)
        return x

    @tf.function
    def program(t):
        functions = [lambda: i for i in range(3)]
        lazy = (note(x) for x in [1, 2])
        order.append("made")
        kept = [note(y) for y in [5, 6, 7] if note(y * 10) != 60]
        return t, [f() for f in functions], list(lazy), kept, {k: note(k) for k in "ab"}, {n for n in (1, 1)} == {1}

    _, late, lazy, kept, _, same = program(tf.constant(0))
    assert [int(x) for x in late] == [2, 2, 2]
    assert [int(x) for x in lazy] == [1, 2]
    assert [int(x) for x in kept] == [5, 7]
    assert bool(same)
    assert order == ["made", 50, 5, 60, 70, 7, 1, 2, "a", "b"]


def test_an_effect_of_an_element_on_a_python_object() -> None:
    def program(t):
        calls = 0

        def counted(x):
            nonlocal calls
            calls = calls + 1
            return x * calls

        return [counted(x) for x in t if x > 1], calls

    compare(program, *SIZES)


def walrus(t):
    return [y for x in [1, 2, 3] if (y := x * 2) > 2], y, t


def test_a_walrus_binds_a_name_of_the_function() -> None:
    found, last, _ = tf.function(walrus)(tf.constant(1))
    assert ([int(x) for x in found], int(last)) == ([4, 6], 6)


def test_conditions_on_tensors_within_operators_within_a_comprehension_over_python() -> None:
    def program(n):
        rows = [[0, 1], [2, 3]]
        added = [v + sum(w for w in [n, 1] if w > 2) for v in [10, 20]]
        nested = [[-len([w for w in [n, 1] if w > v]) for v in row] for row in rows]
        total = sum(row[len([v for v in [n, 3] if v != n]) % 2] for row in rows)
        return added, nested, total

    staged = tf.function(program)
    for n in (0, 2, 7):
        assert plain(staged(tf.constant(n))) == program(n)
