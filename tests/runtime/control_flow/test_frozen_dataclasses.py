"""Assignments to frozen dataclasses in parts that a tensor decides: FrozenInstanceError where Python raises it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import pytest

import runtime as tf


@dataclass(frozen=True)
class Fixed:
    size: Any = 1.0


@dataclass(frozen=True, slots=True)
class Slotted:
    size: Any = 1.0


FIXED = Fixed()
SLOTTED = Slotted()


def caught_in_a_branch(x):
    r = 0
    if x > 2:
        try:
            FIXED.size = 3.0
        except FrozenInstanceError:
            r = 5
    return r


def caught_around_a_branch(x):
    r = 0
    try:
        if x > 2:
            SLOTTED.size = 3.0
    except FrozenInstanceError:
        r = 5
    return r


def deleted(x):
    r = 0
    try:
        if x > 2:
            del FIXED.size
    except AttributeError as error:
        r = len(str(error))
    return r


def in_a_loop(x):
    i = n = 0
    while i < x:
        try:
            FIXED.size = i
        except FrozenInstanceError:
            n += 2
        i += 1
    return n


def replaced(x):
    p = Fixed(x)
    if x > 2:
        p = dataclasses.replace(p, size=x * 2)
    else:
        try:
            p.size = 4.0
        except AttributeError:
            p = Fixed(0.0)
    return p.size


def its_own_way_round(x):
    p = Fixed(0.0)
    if x > 2:
        object.__setattr__(p, "size", x)
    return p.size


def nobody_catches(x):
    if x > 2:
        FIXED.size = 3.0
    return x


PROGRAMS = [
    caught_in_a_branch, caught_around_a_branch, deleted, in_a_loop, replaced, its_own_way_round, nobody_catches,
]  # fmt: skip


def answer(function: Callable[..., Any], x: Any) -> Any:
    try:
        found = function(x)
    except FrozenInstanceError as error:
        return str(error).split("\n")[0]
    return found.numpy().item() if isinstance(found, tf.Tensor) else found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_python_does(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for x in (1.0, 3.0):
        assert answer(function, tf.constant(x)) == answer(program, x), x
    assert (FIXED.size, SLOTTED.size) == (1.0, 1.0)
    with pytest.raises(FrozenInstanceError):
        FIXED.size = 2.0
