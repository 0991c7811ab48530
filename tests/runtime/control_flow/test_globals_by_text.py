"""Globals that code names in texts, as in `globals()["TOTAL"]` and `eval("TOTAL")`: they are those that it names."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.function.following import ONE, follows


class Counter:
    total = 1.0


COUNTER = Counter()
RATE: Any = 2.0
TABLE: Any = np.arange(4.0)
OTHER: Any = np.arange(4.0)
SETTINGS = {"scale": 1.0}
CALLS: list[Any] = []
NAMES = ("COUNTER", "RATE", "TABLE", "OTHER", "SETTINGS")


@pytest.fixture(autouse=True)
def _as_they_were() -> Iterator[None]:
    kept = {name: globals()[name] for name in NAMES}
    globals().update({name: copy.deepcopy(value) for name, value in kept.items()})
    yield
    globals().update(kept)


# -- what is there is guarded


def by_name(x: Any) -> Any:
    return x * globals()["RATE"]


def by_get(x: Any) -> Any:
    return x * globals().get("RATE", 1.0)


def by_eval(x: Any) -> Any:
    return eval("x * RATE + 1")


def look(name: str) -> Any:
    return globals()[name]


def by_a_name_of_another(x: Any) -> Any:
    return x * look("RATE")


def by_a_default(x: Any, name: str = "RATE") -> Any:
    return x * globals()[name]


def in_a_helper(x: Any) -> Any:
    return by_name(x) + 1


@pytest.mark.parametrize("function", [by_name, by_get, by_eval, by_a_name_of_another, by_a_default, in_a_helper])
def test_a_trace_is_made_again_where_another_value_is_there(function: Callable[[Any], Any]) -> None:
    changes = [lambda value=value: globals().update(RATE=value) for value in (3.0, 5.0)]
    assert follows(tf.function(function), *changes) == 3


def test_elements_are_guarded_as_well() -> None:
    def element(x: Any) -> Any:
        return x * globals()["TABLE"][0]

    assert follows(tf.function(element), lambda: TABLE.__setitem__(0, 4.0)) == 2
    assert float(tf.function(element)(ONE)) == 4.0


# -- effects in statements


def rebinds_an_attribute(x: Any) -> None:
    if x > 0:
        globals()["COUNTER"].total = 5.0


def adds_in_a_loop(x: Any) -> None:
    while x > 0:
        globals()["COUNTER"].total += 1.0
        x = x - 1


def by_a_name_of_the_namespace(x: Any) -> None:
    names = globals()
    if x > 0:
        names["COUNTER"].total = 5.0


def by_a_name_of_a_helper(x: Any) -> None:
    if x > 0:
        look("COUNTER").total = 5.0


def sets_an_item(x: Any) -> None:
    if x > 0:
        globals()["SETTINGS"]["scale"] = 5.0


def executes(x: Any) -> None:
    if x > 0:
        exec("COUNTER.total = 7.0")


@pytest.mark.parametrize(
    "function",
    [
        rebinds_an_attribute, adds_in_a_loop, by_a_name_of_the_namespace, by_a_name_of_a_helper, sets_an_item, executes,
    ],
)
@pytest.mark.parametrize("number", [2.0, -1.0])
def test_effects_are_those_of_the_way_that_is_taken(function: Callable[[Any], None], number: float) -> None:
    found = []
    for run in (function, tf.function(function)):
        COUNTER.total = SETTINGS["scale"] = 1.0
        run(tf.constant(number))
        found.append((float(COUNTER.total), float(SETTINGS["scale"])))
    assert found[0] == found[1]


def test_what_has_no_static_structure_is_refused() -> None:
    def program(x: Any) -> None:
        if x > 0:
            globals()["CALLS"].append(x)

    with pytest.raises(StagingError, match="the list of the variable 'CALLS' is changed inside a branch"):
        tf.function(program)(tf.constant(1.0))
    assert CALLS == []


# -- arrays that arguments share memory with


def read() -> Any:
    return globals()["TABLE"]


def bind(value: Any) -> None:
    globals()["TABLE"] = value


@tf.function
def doubles(x: Any, a: Any) -> None:
    a[0] = x * 2


def reads_after_a_write(x: Any, a: Any) -> Any:
    a[0] = x
    return globals()["TABLE"][0]


def reads_after_a_call(x: Any, a: Any) -> Any:
    doubles(x, a)
    return read()[0]


def writes(x: Any, a: Any) -> Any:
    globals()["TABLE"][0] = x
    return a[0]


def writes_in_a_branch(x: Any, a: Any) -> Any:
    if x > 0:
        read()[0] = x
    return a[0] + TABLE[0]


def writes_in_a_loop(x: Any, a: Any) -> Any:
    while x > 0:
        read()[0] += x
        x = x - 1
    return a[0]


def binds_in_a_branch(x: Any, a: Any) -> Any:
    if x > 0:
        bind(OTHER)
    a[0] = x
    OTHER[0] = 5
    return read()[0] + TABLE[1]


@pytest.mark.parametrize(
    "function",
    [reads_after_a_write, reads_after_a_call, writes, writes_in_a_branch, writes_in_a_loop, binds_in_a_branch],
)
@pytest.mark.parametrize("part", [slice(None), slice(3), None])
def test_memory_that_is_shared_is_seen(function: Callable[[Any, Any], Any], part: slice | None) -> None:
    found = []
    for run in (function, tf.function(function)):
        globals().update(TABLE=np.arange(4.0), OTHER=np.arange(4.0))
        a = np.arange(4.0) if part is None else TABLE[part] if part.stop else TABLE
        with tf.config.run_functions_eagerly(run is function):
            results = [float(run(tf.constant(number, tf.float64), a)) for number in (-3.0, 2.0, 4.0)]
        found.append((results, a.tolist(), TABLE.tolist(), OTHER.tolist(), np.shares_memory(a, TABLE)))
    assert found[0] == found[1]
