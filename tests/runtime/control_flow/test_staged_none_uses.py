"""What can be done with a value that may be None, and the errors where it is None: against Python's own."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, observe, say


@dataclasses.dataclass
class Found:
    value: Any
    note: Any = None

    def doubled(self):
        return self.value * 2

    def take(self, n):
        return self.value + n


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
    compared, compared_with_another, truth, used, used_reflected, used_in_order, less, used_by_an_operation,
    subscript, unpacked, attribute, called, value_or_default, read_by_tensor, iterated, iterated_tensor,
    number_builtins, none_to_len, formatted, printed, contained, in_what_may_be_none, identity, kinds, matched,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 5, 7, -1, -5)


def used_in_place(n):
    x = n if n > 0 else None
    x *= 3
    return x


def raised_in_place(n):
    x = n if n > 0 else None
    x **= 3
    return x


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (used, "unsupported operand type(s) for +: 'NoneType' and 'int'"),
        (used_reflected, "unsupported operand type(s) for -: 'int' and 'NoneType'"),
        (used_in_place, "unsupported operand type(s) for *=: 'NoneType' and 'int'"),
        (raised_in_place, "unsupported operand type(s) for **=: 'NoneType' and 'int'"),
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
    assert f"test_staged_none_uses.py:{line}" in f"{error.value} {getattr(error.value, '__notes__', '')}"


def test_none_and_zero_are_false() -> None:
    @tf.function
    def f(n):
        x = n - 1 if n > 0 else None
        if x:
            return 1
        return 2

    assert [f(tf.constant(n)).numpy() for n in (0, 1, 2)] == [2, 2, 1]


def test_several_numbers_or_none_have_no_truth() -> None:
    @tf.function
    def f(n):
        x = tf.stack([n, n]) if n > 0 else None
        return 1 if x else 2

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


def test_a_use_is_checked_once() -> None:
    def checks(program: Any) -> int:
        graph = tf.function(program).get_concrete_function(tf.constant(1)).graph
        return graph.as_text().count("check(")

    assert checks(used) == 1


def key_written_where_present(n):
    found = {"a": n} if n > 0 else None
    if found is not None:
        found["a"] += 1
        return found["a"]
    return n


def attribute_written_where_present(n):
    found = Found(n) if n > 0 else None
    if found is not None:
        found.value += 1
    return -1 if found is None else found.value


def key_written_in_a_loop(n):
    found = None
    if n > 0:
        found = {"a": n}
    for i in tf.range(3):
        if found is not None:
            found["a"] += i
    return found


def key_written_anyway(n):
    found = {"a": n} if n > 0 else None
    if n < 3:
        found["a"] += 1
    return n


@pytest.mark.parametrize(
    "program", [key_written_where_present, attribute_written_where_present, key_written_in_a_loop, key_written_anyway]
)
def test_parts_are_written_where_the_object_is_there(program: Callable[[Any], Any]) -> None:
    assert_same(program, -1, 0, 2, 5)
