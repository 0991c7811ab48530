"""Members of IntEnum, IntFlag, StrEnum and their like that a tensor chooses: they are objects, as others are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain
from tests.runtime.control_flow.valued_enums import Card, Color, Mode, Rights, Size, color_of, size_of, values_of


def attributes(n: Any) -> Any:
    size, color = size_of(n), color_of(n)
    return size.name, size.value, size.double, size.other().name, color.name, color.value, color.short


def identity(n: Any) -> Any:
    size = size_of(n)
    asked = size is Size.LARGE, size is not Size.SMALL, size in Size, color_of(n) is Color.RED
    return asked, isinstance(size, Size), isinstance(size, int), type(size) is Size, isinstance(size, float)


def machine(n: Any) -> Any:
    size, turns = Size.SMALL, 0
    while size is not Size.HUGE:
        turns += 1
        if size is Size.SMALL:
            size = Size.LARGE
        elif turns > n:
            size = Size.HUGE
        else:
            size = Size.SMALL
    return turns, size.name, size + 1


def best(n: Any) -> Any:
    found, most = Size.SMALL, 0
    for member in Size:
        if member * n % 5 > most:
            found, most = member, member * n % 5
    return found.name, most


def called(n: Any) -> Any:
    return Size(size_of(n)).name, max(size_of(n), Size.HUGE).name


def elements(n: Any) -> Any:
    sizes = [Size.SMALL, Size.LARGE, Size.HUGE]
    size = sizes[n % 3]
    return size.name, size + 1, sizes.index(Size.LARGE), sizes.count(size)


def perhaps_none(n: Any) -> Any:
    size = None
    if n > 2:
        size = Size.LARGE
    return -1 if size is None else size + 1, "none" if size is None else size.name


def matched(n: Any) -> Any:
    match size_of(n):
        case Size.SMALL:
            found = 1
        case Size.LARGE:
            found = 2
        case _:
            found = 3
    match size_of(n):
        case Size():
            return found, 4
        case _:
            return found, 5


def matched_by_number(n: Any) -> Any:
    match size_of(n):
        case 1:
            return 10
        case 2:
            return 20


def flags(n: Any) -> Any:
    rights = Rights.READ
    if n > 2:
        rights = Rights.READ | Rights.WRITE
    rights |= Rights.RUN
    return bool(rights & Rights.WRITE), rights & Rights.READ, rights.value, Rights.WRITE in rights, ~rights & 3


def flags_of_a_loop(n: Any) -> Any:
    rights = Rights(0)
    for i in range(n):
        rights |= Rights.READ if i % 2 else Rights.WRITE
    return rights.value, rights == 3


def growing(n: Any) -> Any:
    sizes, colors = [], []
    for i in range(n):
        sizes.append(Size.SMALL if i % 2 else Size.HUGE)
        colors.append(Color.RED)
    total = 0
    for size in sizes:
        total += size if size is Size.HUGE else 0
    return len(sizes), sizes[0] + 1, sizes[0].name, sizes[-1].double, colors[0].short, total


def turned(n: Any) -> Any:
    if n <= 0:
        return Size.SMALL
    return turned(n - 1).other()


def turned_by_hand(n: Any) -> Any:
    if n <= 0:
        return Mode.IDLE, 0
    mode, count = turned_by_hand(n - 1)
    return Mode.RUN if mode is Mode.IDLE else Mode.IDLE, count + 1


def recursions(n: Any) -> Any:
    mode, count = turned_by_hand(n)
    return turned(n).name, turned(n) + 1, mode.name, count, mode is Mode.RUN


def order_of_its_own(n: Any) -> Any:
    card = Card.ACE if n > 2 else Card.TWO
    return card < Card.TWO, card < Card.ACE, card > 1


def written(n: Any) -> Any:
    size, color = size_of(n), color_of(n)
    return f"{size}", str(size), f"{size.name}", f"{color.value}", f"{size:3d}", f"{size!r}", f"{color}", str(color)


@pytest.mark.parametrize("program", [
    attributes, identity, machine, best, called, elements, perhaps_none, matched, matched_by_number, flags,
    flags_of_a_loop, growing, recursions, order_of_its_own, written,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (1, 3, 4):
        assert alike(plain(staged(tf.constant(n))), plain(values_of(program(n))))


class Lamp:
    def __init__(self) -> None:
        self.size, self.color = Size.SMALL, Color.RED
        self.seen: list[Any] = [Size.SMALL]
        self.by_name: dict[str, Any] = {}

    def step(self, x: Any) -> Any:
        if x > 0:
            self.size, self.color = self.size.other(), Color.BLUE
            self.seen[0] = Size.HUGE
            self.by_name["last"] = Size.HUGE
        else:
            self.by_name["last"] = Size.SMALL
        return self.size.value

    def state(self) -> list[Any]:
        return [self.size, self.color, *self.seen, *self.by_name.values()]


def test_members_are_left_as_members() -> None:
    expected, found = Lamp(), Lamp()
    staged = tf.function(found.step)
    for x in (1, -1, 2, 3, -1):
        assert expected.step(x) == int(staged(tf.constant(x)))
        assert len(expected.state()) == len(found.state())
        assert all(a is b for a, b in zip(expected.state(), found.state(), strict=True))


def test_members_in_attributes_are_read_at_each_call() -> None:
    lamp = Lamp()

    @tf.function
    def step(x: Any) -> Any:
        if x > 0:
            lamp.size = lamp.size.other()
        return lamp.size.value

    assert [int(step(tf.constant(x))) for x in (1, -1, 2, 3, -1, 5)] == [2, 2, 1, 2, 2, 1]
    assert step.experimental_get_tracing_count() <= 2


def test_a_loop_that_ends_with_a_member_is_staged() -> None:
    traced = tf.function(machine).get_concrete_function(tf.TensorSpec([], tf.int32))
    assert len(traced.graph.operations) < 100
