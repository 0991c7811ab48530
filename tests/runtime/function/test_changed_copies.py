"""Structures among the arguments are copies where they hold tensors: a change of one is told, unless it is returned."""

from __future__ import annotations

import ast
import inspect
import warnings
from dataclasses import dataclass
from typing import Any

import attrs
import pytest

import runtime as tf
from runtime.errors import TraceEffectWarning

t = tf.constant


@dataclass
class State:
    x: Any
    label: str = "a"


@attrs.define
class Loose:
    x: Any


def appends(items: Any) -> Any:
    items.append(t(5))
    return items[-1]


def sets_attribute(state: Any) -> Any:
    state.x = state.x + 1
    return state.x


def sets_key(table: Any) -> Any:
    table["k"] = table["k"] * 2
    return table["k"]


def sets_inner(table: Any) -> Any:
    table["k"][0].x = t(7)
    return table["k"][0].x


def in_a_branch(state: Any) -> Any:
    if state.x > 0:
        state.x = state.x * 2
    return state.x


def renames(state: Any) -> Any:
    state.label = "b"
    return state.x


def told(function: Any, make: Any) -> list[tuple[str, int]]:
    """What the warnings of three calls name, and their lines."""
    made = tf.function(function)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            made(make())
    found = [w for w in caught if w.category is TraceEffectWarning]
    assert all(w.filename == __file__ and "is a copy" in str(w.message) for w in found)
    return [(ast.literal_eval(str(w.message).partition(" is changed")[0]), w.lineno) for w in found]


@pytest.mark.parametrize(
    ("function", "make", "name"),
    [
        (appends, lambda: [t(1)], "items"),
        (sets_attribute, lambda: State(t(1)), "state.x"),
        (sets_attribute, lambda: Loose(t(1)), "state.x"),
        (sets_key, lambda: {"k": t(1)}, "table"),
        (sets_inner, lambda: {"k": [State(t(1))]}, "table['k'][0].x"),
        (in_a_branch, lambda: State(t(1)), "state.x"),
        (renames, lambda: State(t(1)), "state.label"),
    ],
)
def test_a_change_of_a_copy_is_told_once_with_its_line(function: Any, make: Any, name: str) -> None:
    found = told(function, make)
    lines, start = inspect.getsourcelines(function)
    ((told_name, line),) = found
    assert told_name == name
    assert start < line < start + len(lines)
    kept = make()
    before = repr(kept)
    with pytest.warns(TraceEffectWarning):
        tf.function(function)(kept)
    assert repr(kept) == before


def returns_it(state: Any) -> Any:
    state.x = state.x + 1
    return {"new": state}


def makes_another(state: Any) -> Any:
    state = State(state.x + 1)
    state.label = "new"
    return state


def only_reads(state: Any) -> Any:
    total = state.x
    for _ in range(2):
        total = total + state.x
    return total


@pytest.mark.parametrize("function", [returns_it, makes_another, only_reads])
def test_what_is_returned_or_not_changed_is_no_news(function: Any) -> None:
    assert told(function, lambda: State(t(1))) == []


def test_what_holds_no_tensors_is_the_callers_own() -> None:
    items = [1, 2]
    made = tf.function(lambda items, x: (items.append(3), x)[1])
    with pytest.warns(TraceEffectWarning, match="that happens once for each trace"):
        made(items, t(1))
    assert items == [1, 2, 3]
