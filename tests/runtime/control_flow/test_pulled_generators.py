"""Loops over what runs code of the user item by item: as in Python, or refused where that code cannot be staged."""

from __future__ import annotations

import contextlib
import gc
import io
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, observe, say

INPUTS = (0, 3, 7)


class Noted:
    """Tells how it is left."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        say("left with", "nothing" if kind is None else kind.__name__)


def finishing(n):
    try:
        yield n
        say("went on")
        yield n + 1
    finally:
        say("finished")


def noted(n):
    with Noted():
        yield n
        say("went on")
        yield n + 1


def telling(n):
    yield n
    say("went on")
    yield n + 1


def quiet(n):
    back = yield n
    assert back is None
    back = yield n + 1


def guarding_itself(n):
    try:
        first = n // (n - 3)
    except ZeroDivisionError:
        first = 50
    yield first
    yield n


def items_of(generator):
    yield from generator


class Holding:
    """What goes through it runs the code of a generator."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        yield from finishing(self.n)


def number_in(item):
    return item[0] if isinstance(item, tuple) else item


WAYS: dict[str, Callable[[Any], Any]] = {
    "alone": lambda items: items,
    "zip": lambda items: zip(items, [1, 2, 3]),
    "enumerate": lambda items: enumerate(items),
    "map": lambda items: map(lambda v: v + 1, items),
    "filter": lambda items: filter(lambda v: v > 0, items),
    "iter": lambda items: iter(items),
    "chain": lambda items: itertools.chain([4], items),
    "chain of several": lambda items: itertools.chain.from_iterable([[4], items]),
    "islice": lambda items: itertools.islice(items, 2),
    "cycle": lambda items: itertools.islice(itertools.cycle(items), 3),
    "starmap": lambda items: itertools.starmap(lambda a, b: a + b, itertools.chain(zip(items, [1, 2, 3]))),
    "takewhile": lambda items: itertools.takewhile(lambda v: v < 100, items),
    "tee": lambda items: itertools.tee(items)[0],
    "expression": lambda items: (v + 1 for v in items),
    "expression over zip": lambda items: (v + w for v, w in zip(items, [1, 2, 3])),
    "yield from": items_of,
}
every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def divided(way, make, x):
    total = 0
    for item in way(make(3)):
        total += number_in(item) // x
    return total


def asserted(way, make, x):
    total = 0
    for item in way(make(3)):
        assert x > 0, "not positive"
        total += x
    return total


def raising(way, make, x):
    total = 0
    for item in way(make(3)):
        if x > 5:
            raise ValueError("large")
        total += number_in(item)
    return total


def caught_around(way, make, x):
    total = 0
    try:
        for item in way(make(3)):
            total += number_in(item) // x
    except ZeroDivisionError:
        say("handler")
    return total


def caught_inside(way, make, x):
    total = 0
    for item in way(make(3)):
        try:
            total += number_in(item) // x
        except ZeroDivisionError:
            say("handler")
    return total


def listed(way, make, x):
    try:
        return sum([number_in(item) // x for item in way(make(3))])
    except ZeroDivisionError:
        return -1


def added_up(way, make, x):
    total = 0
    for item in way(make(3)):
        total += number_in(item) * x
    return total


def broken(way, make, x):
    total = 0
    for item in way(make(3)):
        total += number_in(item) * x
        if x > 4:
            break
    return total


def returned(way, make, x):
    for item in way(make(3)):
        if x > 4:
            return number_in(item)
    return x


def fails(program: Callable[..., Any], way: Callable[[Any], Any], make: Callable[[Any], Any]) -> str:
    """The message of the refusal."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            tf.function(lambda x: program(way, make, x))(tf.constant(3))
        except StagingError as refused:
            message = str(refused)
        gc.collect(1)  # closes generators that the traceback has kept
    return message


@every_way
@pytest.mark.parametrize("make", [finishing, noted], ids=lambda make: make.__name__)
@pytest.mark.parametrize("program", [divided, asserted, raising, caught_around, listed], ids=lambda p: p.__name__)
def test_what_a_generator_does_when_it_is_closed_is_not_lost(program: Any, make: Any, way: Any) -> None:
    message = fails(program, way, make)
    assert "an exception may come when the graph runs (from the operation" in message
    assert f"in a loop over the generator {make.__name__!r}" in message and "would be lost. A 'yield' in it" in message


@every_way
@pytest.mark.parametrize("make", [finishing, noted], ids=lambda make: make.__name__)
@pytest.mark.parametrize("program", [broken, returned], ids=lambda p: p.__name__)
def test_a_generator_that_is_closed_where_the_loop_is_left_is_refused(program: Any, make: Any, way: Any) -> None:
    message = fails(program, way, make)
    assert f"the loop over the generator {make.__name__!r} is left depending on a tensor" in message


@every_way
@pytest.mark.parametrize("make", [finishing, noted, telling, quiet, Holding], ids=lambda make: make.__name__)
@pytest.mark.parametrize("program", [added_up, caught_inside], ids=lambda p: p.__name__)
def test_a_loop_that_goes_through_all_of_it_is_as_in_python(program: Any, make: Any, way: Any) -> None:
    assert_same(lambda x: program(way, make, x), *INPUTS)


@every_way
@pytest.mark.parametrize("make", [telling, quiet], ids=lambda make: make.__name__)
@pytest.mark.parametrize("program", [divided, asserted, raising, caught_around, listed], ids=lambda p: p.__name__)
def test_a_generator_that_does_nothing_when_it_is_closed_may_be_left_by_an_exception(
    program: Any, make: Any, way: Any
) -> None:
    assert_same(lambda x: program(way, make, x), *INPUTS)


@every_way
@pytest.mark.parametrize("program", [broken, returned], ids=lambda p: p.__name__)
def test_a_generator_that_has_no_effect_may_be_left_depending_on_a_tensor(program: Any, way: Any) -> None:
    def numbers(n):
        yield n
        yield n + 1

    assert_same(lambda x: program(way, numbers, x), *INPUTS)


@pytest.mark.parametrize("way", ["zip", "chain", "chain of several", "islice", "cycle", "starmap", "takewhile", "tee"])
@pytest.mark.parametrize("program", [broken, returned], ids=lambda p: p.__name__)
def test_what_a_generator_does_for_an_item_does_not_depend_on_a_tensor(program: Any, way: str) -> None:
    message = fails(program, WAYS[way], telling)
    assert "the loop over the generator 'telling' is left depending on a tensor" in message
    assert "the operation 'print', at " in message


def native_try(x):
    total = 0
    for item, number in zip(guarding_itself(x), [1, 2]):
        total += item * number
    return total


def native_try_by_next(x):
    return next(guarding_itself(x)) + 1


def native_try_in_a_list(x):
    first, second = itertools.islice(guarding_itself(x), 2)
    return first + second


def staged_try(x):
    total = 0
    for item in guarding_itself(x):
        total += item
    return total


@pytest.mark.parametrize("program", [native_try, native_try_by_next, native_try_in_a_list])
def test_handlers_of_a_generator_that_python_runs_do_not_miss_exceptions(program: Callable[[Any], Any]) -> None:
    with pytest.raises(StagingError, match=r"an exception may come .*floordiv.*the generator 'guarding_itself' makes"):
        tf.function(program)(tf.constant(3))


def test_handlers_of_a_generator_that_is_staged_catch_exceptions() -> None:
    assert_same(staged_try, *INPUTS)


def test_a_generator_of_outside_is_minded_too() -> None:
    made: list[Iterator[int]] = []

    def program(x):
        total = 0
        for item in made[-1]:
            total += 10 // x
        return total

    made.append(finishing(3))
    with pytest.raises(StagingError, match="in a loop over the generator 'finishing'"):
        tf.function(program)(tf.constant(2))


def test_nothing_keeps_a_generator_from_being_closed_where_its_loop_ends() -> None:
    def program(x):
        for a, b in zip(finishing(x), [1, 2, 3]):
            say("item", a + b)
            break
        say("behind")
        return x

    for function in (program, tf.function(program)):
        gc.disable()
        try:
            result, printed = observe(function, tf.constant(3))
        finally:
            gc.enable()
        assert (result, printed) == (3, "item 4\nfinished\nbehind\n")
