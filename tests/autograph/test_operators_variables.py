"""Placeholders for variables without a value, and reads that check."""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from autograph import operators as ag
from autograph.operators.variables import Undefined

from .recording_stager import RecordingStager


def python_error() -> UnboundLocalError:
    try:
        if operator.not_(True):
            y = 1
        return y
    except UnboundLocalError as error:
        return error


def test_ld_returns_values_and_raises_in_the_words_of_python() -> None:
    value = object()
    assert ag.ld(value) is value
    with pytest.raises(UnboundLocalError) as caught:
        ag.ld(ag.Undefined("y"))
    assert str(caught.value) == str(python_error())
    assert caught.value.name is None  # as Python has it


def test_ld_believes_no_class_that_answers_to_every_name() -> None:
    class Answers(type):
        def __getattr__(cls, name: str) -> str:
            return name

    class Thing(metaclass=Answers):
        pass

    thing = Thing()
    assert ag.ld(thing) is thing


USES: list[Callable[[Any], Any]] = [
    bool,
    iter,
    len,
    list,
    int,
    float,
    next,
    lambda y: y(),
    lambda y: y[0],
    lambda y: y.attribute,
    lambda y: y + 1,
    lambda y: 1 + y,
    lambda y: y < 1,
    lambda y: -y,
    lambda y: 1 in y,
    lambda y: f"{y}",
    lambda y: range(3)[y],
    lambda y: operator.iadd(y, 1),
    lambda y: operator.setitem(y, 0, 1),
]


@pytest.mark.parametrize("use", USES)
def test_any_use_of_a_placeholder_raises(use: Callable[[Any], Any]) -> None:
    with pytest.raises(UnboundLocalError, match="'y'"):
        use(Undefined("y"))


def test_a_placeholder_can_be_passed_around_and_shown() -> None:
    placeholder = Undefined("y")
    assert repr(placeholder) == "Undefined('y')"
    assert placeholder == placeholder
    assert {placeholder: 1}[placeholder] == 1
    assert hasattr(placeholder, "__array__") is False
    assert pickle.loads(pickle.dumps(placeholder)).symbol_name == "y"


NO_VALUE: list[Callable[[], Any]] = [
    lambda: object().v,
    lambda: {}["a"],
    lambda: [][0],
    lambda: never_defined,  # noqa: F821
    lambda: operator.getitem(None, 0),
]


@pytest.mark.parametrize("load", NO_VALUE)
def test_ldu_gives_a_placeholder_where_there_is_no_value(load: Callable[[], Any]) -> None:
    found = ag.ldu(load, "o.v")
    assert type(found) is Undefined
    assert found.symbol_name == "o.v"


def test_ldu_gives_the_value_and_passes_other_errors() -> None:
    assert ag.ldu(lambda: 3, "o.v") == 3
    with pytest.raises(ZeroDivisionError):
        ag.ldu(lambda: 1 // 0, "o.v")


def test_ld_asks_the_stager_of_a_value_that_may_be_undefined() -> None:
    stager = RecordingStager()
    maybe = type("Maybe", (stager.kind,), {"__ag_maybe_undefined__": True})
    value = maybe("y")
    assert ag.ld(value) is value
    assert ag.ld(value, "y") is value
    assert ag.ld(stager.symbol("x")) is not None
    assert stager.lines == ["load y as None", "load y as y"]
