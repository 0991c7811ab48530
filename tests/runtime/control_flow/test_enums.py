"""Members of an enumeration that a tensor chooses: states of a machine, keys of tables, their attributes."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain


class Mode(enum.Enum):
    IDLE = 1
    RUN = 2
    STOP = 5


class Heading(enum.Enum):
    NORTH = (0, 1)
    SOUTH = (0, -1)

    @property
    def step(self) -> int:
        return self.value[1]

    def turned(self) -> Heading:
        return Heading.SOUTH if self is Heading.NORTH else Heading.NORTH


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Made:
    """Its attributes are made when they are asked for."""

    def __init__(self, k: int) -> None:
        self.k = k

    def __getattr__(self, name: str) -> int:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.k * 10


FIRST, SECOND = Made(1), Made(2)


def asked(n: Any) -> Any:
    mode = Mode.IDLE
    if n > 2:
        mode = Mode.RUN
    same = mode is Mode.RUN, mode == Mode.IDLE, mode is not Mode.IDLE, mode in (Mode.IDLE, Mode.STOP), mode != Mode.RUN
    return same, mode.value, mode.name, f"{mode.name}:{mode}"


def machine(n: Any) -> Any:
    mode, turns = Mode.IDLE, 0
    while mode is not Mode.STOP:
        turns += 1
        if mode is Mode.IDLE:
            mode = Mode.RUN
        elif turns > n:
            mode = Mode.STOP
        else:
            mode = Mode.IDLE
    return turns


def methods(n: Any) -> Any:
    heading, x = Heading.NORTH, 0
    for i in range(n):
        x += heading.step
        if i % 2:
            heading = heading.turned()
    return x, heading is Heading.SOUTH


def matched(n: Any) -> Any:
    match Mode.IDLE if n > 2 else Mode.RUN:
        case Mode.IDLE:
            return 10
        case Mode.RUN:
            return 20
        case _:
            return 30


def keys(n: Any) -> Any:
    mode = Mode.IDLE if n < 3 else Mode.RUN
    names, counts = {Mode.IDLE: 1.5, Mode.RUN: 2.5}, {Mode.IDLE: 0, Mode.RUN: 7}
    counts[mode] = n * 10
    counts[mode] += 1
    return names[mode], names.get(mode, 0.0), counts[Mode.IDLE], counts[Mode.RUN], mode in names


def key_that_is_missing(n: Any) -> Any:
    mode = Mode.IDLE if n < 3 else Mode.STOP
    counts = {Mode.IDLE: 1, Mode.RUN: 2}
    try:
        found = counts[mode]
    except KeyError:
        found = -1
    return found, counts.get(mode, -2)


def table(n: Any) -> Any:
    after = {(Mode.IDLE, 0): Mode.RUN, (Mode.IDLE, 1): Mode.IDLE, (Mode.RUN, 0): Mode.IDLE, (Mode.RUN, 1): Mode.RUN}
    mode = Mode.IDLE
    for _ in range(n):
        mode = after[mode, 0]
    return mode is Mode.RUN


def elements(n: Any) -> Any:
    modes = [Mode.IDLE, Mode.RUN]
    if n > 2:
        modes[0] = Mode.STOP
    return modes[0] is Mode.STOP, modes.count(Mode.RUN)


def flags(n: Any) -> Any:
    rights = Rights.READ
    if n > 2:
        rights = Rights.READ | Rights.WRITE
    return bool(rights & Rights.WRITE)


def numbers(n: Any) -> Any:
    size = Size.SMALL
    if n > 2:
        size = Size.LARGE
    return size + 1, size == Size.LARGE


def attributes_that_are_made(n: Any) -> Any:
    chosen = FIRST
    if n > 2:
        chosen = SECOND
    return chosen.k, chosen.anything


@pytest.mark.parametrize("program", [
    asked, machine, methods, matched, keys, key_that_is_missing, table, elements, flags, numbers,
    attributes_that_are_made,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (1, 3, 4):
        assert alike(plain(staged(tf.constant(n))), plain(program(n)))


def test_an_attribute_that_no_object_has() -> None:
    @tf.function
    def program(n: Any) -> Any:
        mode = Mode.IDLE
        if n > 2:
            mode = Mode.RUN
        return mode.nothing

    with pytest.raises(AttributeError, match="'Mode' object has no attribute 'nothing'"):
        program(tf.constant(1))
