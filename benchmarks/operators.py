"""What each construct of Python costs more in converted statements, where all values are Python's own.

Each program runs a construct once for each item of a range, in plain Python and converted; the empty loop is taken off.
The whole programs at the end run as users have them run: nothing is traced, so their own statements do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import autograph
from autograph.operators.as_written import converted_statements
from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]


class Point:
    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y


POINT, ITEMS, SLOTS, TABLE = Point(1, 2), [1, 2, 3], [0], {"a": 1}


def nothing(count):
    for _ in count:
        pass


def an_if(count):
    for i in count:
        if i > 3:
            x = 1
        else:
            x = 2
    return x


def a_conditional_expression(count):
    for i in count:
        x = 1 if i > 3 else 2
    return x


def a_while(count):
    for _ in count:
        i = 0
        while i < 3:
            i += 1


def a_for(count):
    for _ in count:
        for _ in ITEMS:
            pass


def a_for_with_break(count):
    for _ in count:
        for item in ITEMS:
            if item == 2:
                break


def an_and(count):
    for i in count:
        x = i > 3 and i < 9
    return x


def a_not(count):
    for i in count:
        x = not i
    return x


def an_in(count):
    for i in count:
        x = i in ITEMS
    return x


def an_is_none(count):
    for i in count:
        x = i is None
    return x


def an_f_string(count):
    for i in count:
        x = f"{i} of {i}"
    return x


def a_subscript(count):
    for _ in count:
        x = ITEMS[0]
    return x


def a_write_to_an_element(count):
    for i in count:
        SLOTS[0] = i


def an_unpacking(count):
    for _ in count:
        a, *b = ITEMS
    return a, b


def a_list_comprehension(count):
    for _ in count:
        x = [item for item in ITEMS]  # noqa: C416
    return x


def a_generator_expression(count):
    for _ in count:
        x = sum(item for item in ITEMS)
    return x


def a_method_of_a_list(count):
    items = []
    for i in count:
        items.append(i)


def an_object_made(count):
    for i in count:
        Point(i, 2)


def an_assert(count):
    for i in count:
        assert i >= 0


def a_try(count):
    for _ in count:
        try:
            x = 1
        except ValueError:
            x = 2
    return x


def a_match_of_constants(count):
    for i in count:
        match i:
            case -1:
                x = 1
            case -2:
                x = 2
            case _:
                x = 3
    return x


def a_match_of_a_sequence(count):
    for _ in count:
        match ITEMS:
            case [1, b, _]:
                x = b
    return x


def a_match_of_a_class(count):
    for _ in count:
        match POINT:
            case Point(x=1, y=b):
                x = b
    return x


def a_match_of_a_mapping(count):
    for _ in count:
        match TABLE:
            case {"a": b}:
                x = b
    return x


CONSTRUCTS: list[Callable[[range], object]] = [
    an_if, a_conditional_expression, a_while, a_for, a_for_with_break, an_and, a_not, an_in, an_is_none, an_f_string,
    a_subscript, a_write_to_an_element, an_unpacking, a_list_comprehension, a_generator_expression, a_method_of_a_list,
    an_object_made, an_assert, a_try, a_match_of_constants, a_match_of_a_sequence, a_match_of_a_class,
    a_match_of_a_mapping,
]  # fmt: skip


def count_odd(limit):
    i, found = 0, 0
    while i < limit:
        if i % 2 == 1:
            found = found + 1
        i = i + 1
    return found


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def rows(scale: Scale) -> Iterator[Row]:
    count = range(scale.of(200, 5))
    made_nothing = autograph.to_graph(nothing)
    empty = [lambda: nothing(count), lambda: made_nothing(count)]
    for program in CONSTRUCTS:
        made = autograph.to_graph(program)
        assert made(count) == program(count)
        versions = [lambda: program(count), lambda: made(count), *empty]  # noqa: B023 (called at once)
        with converted_statements():
            times = best_of_each(versions, 9 * scale.repeats)
        plain, converted, plain_loop, made_loop = (t / len(count) for t in times)
        added = (converted - made_loop) - (plain - plain_loop)
        name = program.__name__.replace("_", " ").replace("an f string", "an f-string")
        yield Row(f"{name}, over plain Python", added, "s", None, plain - plain_loop, "plain Python")
    for name, whole, argument in (
        ("a loop of {:,} iterations with an if", count_odd, scale.of(200_000)),
        ("Fibonacci number {:,} by recursion", fibonacci, scale.of(15, 4)),
    ):
        made = autograph.to_graph(whole)
        assert made(argument) == whole(argument)
        versions = [lambda: whole(argument), lambda: made(argument)]  # noqa: B023 (called at once)
        plain, converted = best_of_each(versions, scale.repeats, clock=time.process_time)
        yield Row(name.format(argument), converted, "s", None, plain, "plain Python")
