"""Objects whose attributes lead back to them: linked by a call, made by one, and linked on one way."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError


class Node:
    def __init__(self, v: Any) -> None:
        self.v = v


@dataclasses.dataclass(eq=False)
class Data:
    v: Any


@dataclasses.dataclass(eq=False)
class Linked:
    v: Any
    next: Any = None


class Model:
    def __init__(self, kind: type) -> None:
        self.part: Any = kind(1)
        self.other = self.part


def linked(model, n):
    model.part.next = model.other
    return n


def linked_on_one_way(model, n):
    if n > 0:
        model.part.next = model.other
    return n


def made(model, n):
    part = type(model.part)(n)
    part.next = part
    model.part = part
    return part.v


def two_made(model, n):
    part = type(model.part)(n)
    part.next = type(model.part)(n + 1)
    part.next.next = part
    model.part = part
    return part.next.v


def changed(model, n):
    model.part.next = model.part
    if n > 0:
        model.part.v = n
    return model.part.next.v


def made_on_one_way(model, n):
    if n > 0:
        part = type(model.part)(n)
        part.next = part
        model.part = part
    return n


PROGRAMS = [linked, linked_on_one_way, made, two_made, changed]


def history(function: Callable[..., Any], number: Callable[[int], Any], kind: type) -> list[Any]:
    model, found = Model(kind), []
    first = model.part
    for n in (0, 2, 0, 3):
        result = int(function(model, number(n)))
        part = model.part
        following = getattr(part, "next", None)
        after = getattr(following, "next", None)
        names = [other is part for other in (first, following, after, model.other)]
        found.append((result, type(part), int(part.v), following and int(following.v), names, sorted(vars(part))))
    return found


@pytest.mark.parametrize("kind", [Node, Data, Linked])
@pytest.mark.parametrize("program", [*PROGRAMS, made_on_one_way], ids=lambda program: program.__name__)
def test_as_in_plain_python(program: Callable[..., Any], kind: type) -> None:
    if program is made_on_one_way and kind is not Node:
        with pytest.raises(StagingError, match=f"{kind.__name__!r} contains itself where a tensor decides"):
            tf.function(program)(Model(kind), tf.constant(1))
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert history(tf.function(program), tf.constant, kind) == history(program, int, kind)
