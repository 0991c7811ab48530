"""Programs that a naive conversion answers wrongly without a word: effects done twice or never, wrong bindings, jumps.

Each gives, for all inputs and from one trace, what Python gives, also as the body of a branch, a loop and a function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph
import runtime as tf
from tests.runtime.comparing import assert_same, observe, say

COUNT = 0


class Counter:
    def __init__(self):
        self.n = 0

    def up(self):
        self.n += 1


def raise_is_caught(x):
    try:
        if x > 0:
            y = x
        else:
            raise ValueError
    except ValueError:
        y = -x
    return y


def refuses_negative(x):
    if x < 0:
        raise KeyError("negative")


def raise_in_one_branch(x):
    refuses_negative(x)
    assert x != 5, "five"
    return x


def raise_after_a_return(n):
    if n > 0:
        return n
    raise ValueError("not positive")


def containers_changed_in_both_branches(x):
    items, table, gone = [], {}, {"a": 0}
    if x > 0:
        items.append(1)
        table.update(a=1)
        gone.pop("a")
    else:
        items.append(1)
        table.update(a=1)
        gone.pop("a")
    return len(items), table, len(gone)


def nonlocal_of_a_helper(n):
    count = 0

    def up():
        nonlocal count
        count += 1

    for _ in tf.range(n):
        up()
    return count


def up_globally():
    global COUNT
    COUNT += 1


def global_of_a_helper(n):
    global COUNT
    COUNT = 0
    for _ in tf.range(n):
        up_globally()
    found, COUNT = COUNT, 0
    return found


def late_binding(n):
    a = 0
    read = lambda: a
    for i in tf.range(n):
        a = i
    return read()


def late_binding_of_the_iterate(x):
    made = []
    for i in range(3):
        made.append(lambda: i * x)
    return [f() for f in made]


def iterate_after_no_iteration(n):
    for i in tf.range(n):
        pass
    return i


def iterate_after_no_iteration_of_a_python_range(n):
    for i in range(n):
        pass
    return i


def text_of_a_value(x):
    return f"{x + 1}"


def arms_of_a_match(x):
    match x:
        case 1 | 2:
            kind = 10
        case 3 if x > 2:
            kind = 20
        case _:
            kind = 30
    return kind


def arms_of_an_exception_group(x):
    y = 0
    try:
        y = x * 2 if x > 0 else x
    except* ValueError:
        y = -1
    return y


def sorted_without_reverse(x):
    return sorted([x, 3, 1], reverse=False), sorted([x, 3, 1], reverse=True)


def operand_of_a_chain(x):
    def counted():
        say("counted")
        return 1

    return 0 < counted() < x


def asked_by_a_loop(n):
    i = 0

    def going_on():
        say("asked")
        return i < n

    while going_on():
        i += 1
    return i


def attribute_by_setattr(x):
    counter = Counter()
    if x > 0:
        setattr(counter, "n", 5)
    return counter.n


def method_that_changes_itself(n):
    counter = Counter()
    for _ in tf.range(n):
        counter.up()
    return counter.n


def element_by_an_expression(n):
    table = {"kk": 0}
    for i in tf.range(n):
        table["k" * 2] += i
    return table


def items_of_a_loop(n):
    items = []
    for i in tf.range(n):
        items.append(i)
    return items


def element_written_first_in_a_branch(x):
    items = [0, 0]
    if x > 0:
        items[1] = x
    return items


def annotated_in_a_branch(x):
    if x > 0:
        y: int = 1
    else:
        y = 2
    return y


def deleted_in_a_branch(x):
    if x < 0:
        del x
    return x


def return_below_a_branch(n):
    if n > 0:
        if n > 1:
            return n
    return -n


def return_in_a_loop(n):
    for i in range(n):
        if i * i > 10:
            return i
    return -1


def break_in_a_python_loop(x):
    total = 0
    for i in [1, 2, 3]:
        if x > i:
            break
        total += i
    return total


def number_used_as_an_index(n):
    items, i, total = [10, 20, 30], 0, 0
    while i < n and i < 3:
        total += items[i]
        i += 1
    return total


PROGRAMS = [
    raise_is_caught, raise_in_one_branch, raise_after_a_return, containers_changed_in_both_branches,
    nonlocal_of_a_helper, global_of_a_helper, late_binding, late_binding_of_the_iterate, iterate_after_no_iteration,
    iterate_after_no_iteration_of_a_python_range, text_of_a_value, arms_of_a_match, arms_of_an_exception_group,
    sorted_without_reverse, operand_of_a_chain, asked_by_a_loop, attribute_by_setattr, method_that_changes_itself,
    element_by_an_expression, items_of_a_loop, element_written_first_in_a_branch, annotated_in_a_branch,
    deleted_in_a_branch, return_below_a_branch, return_in_a_loop, break_in_a_python_loop, number_used_as_an_index,
]  # fmt: skip

INPUTS = (3, 0, 1, 2, 5, -3)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_graph_answers_as_python_does(program: Callable[[Any], Any]) -> None:
    assert_same(program, *INPUTS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_answer_in_a_branch_and_a_loop(program: Callable[[Any], Any]) -> None:
    def nested(x):
        result = None
        if x > -10:
            result = program(x)
        for _ in range(2):
            result = program(x)
        return result

    assert_same(nested, *INPUTS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_converted_program_is_python_on_plain_values(program: Callable[[Any], Any]) -> None:
    converted = autograph.to_graph(program)
    for x in INPUTS:
        (expected, printed), found = observe(program, x), observe(converted, x)
        if isinstance(expected, Exception):  # pytest itself changes what an assert says
            expected, found = type(expected), (type(found[0]), found[1])
        assert found == (expected, printed), x
