"""In which order the keys of dicts come that a function returns or leaves, where a tensor decides it: as in Python."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def plain(value: Any) -> Any:
    """What a function gives, with the keys of dicts in their order."""
    if isinstance(value, dict):
        return type(value).__name__, [(key, plain(part)) for key, part in value.items()]
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return np.asarray(value).tolist()


def put_first_or_last(x):
    d = {}
    if x > 0:
        d["k"] = 1
    d["l"] = 7
    d["k"] = 3
    return d


def on_either_way(x):
    d = OrderedDict()
    if x > 0:
        d["k"] = 1
    d["l"] = 7
    if x <= 0:
        d["k"] = 1
    return d


def taken_out_and_put_back(x):
    d = {"a": 1, "b": 2, "c": 3}
    if x > 0:
        del d["a"]
        d["a"] = 5
    elif x < 0:
        d["b"] = d.pop("b")
    return {"inside": d}


def chosen(x):
    return {"a": 1, "b": 2} if x > 0 else {"b": 3, "a": 4}


def copied(x):
    d = {}
    if x > 0:
        d["a"] = 1
        d["b"] = 2
    else:
        d["b"] = 1
        d["a"] = 2
    e = dict(d)
    e["c"] = 1
    return e, d, d.copy(), {"z": 1, "b": 4} | d


def moved(x):
    d = OrderedDict(a=1, b=2, c=3)
    if x > 0:
        d.move_to_end("a")
    elif x < 0:
        d.move_to_end("c", last=False)
    return d


def moved_beside_others(x):
    d = OrderedDict(a=1, b=2)
    if x > 0:
        d["c"] = 4
    else:
        d["e"] = 5
    d.move_to_end("a")
    return d


def several(x):
    d, e = {}, {}
    if x > 0:
        d["a"], e["a"] = 1, {"in": 1}
    d["b"] = e["b"] = x
    e["a"] = {"in": x, "more": 2}
    return [e, d]


@pytest.mark.parametrize(
    "program",
    [put_first_or_last, on_either_way, taken_out_and_put_back, chosen, copied, moved, moved_beside_others, several],
)
def test_in_branches(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for x in (1, -1, 0):
        assert plain(staged(tf.constant(x))) == plain(program(x))


def tallied(values):
    d = {}
    for v in values:
        if v > 0:
            d["pos"] = d.get("pos", 0) + 1
        elif v < 0:
            d["neg"] = d.get("neg", 0) + 1
        else:
            d["zero"] = v
    return d


def counted(values):
    c = Counter()
    for v in values:
        if v > 0:
            c["pos"] += 1
        else:
            c["neg"] += v
    return c, [c]


def grouped(values):
    d = defaultdict(list)
    for v in values:
        if v > 0:
            d["p"].append(v)
        else:
            d["n"].append(v)
    return d


def with_exceptions_in_nested_loops(values):
    d = {}
    i = 0
    while i < 3:
        for v in values:
            try:
                if v > 2:
                    raise ValueError
                if v == i:
                    d["equal"] = v
            except ValueError:
                d.pop("equal", 0)
                d["big"] = i
        i += 1
    d["end"] = 1
    return d


def put(d, key, value):
    d[key] = value


def by_a_helper(values):
    d = {}
    for v in values:
        if v > 0:
            put(d, "p", v)
        if v < 0:
            put(d, "n", v)
        if v == 0:
            d.clear()
    return d


def moved_again_and_again(values):
    d = OrderedDict(a=1, b=2, c=3)
    for v in values:
        if v > 0:
            d.move_to_end("a")
        elif v < 0:
            d.move_to_end("c", last=False)
        else:
            d.pop("b", None)
    return d


VALUES = [[1, -1, 0], [-1, 1, 1], [0, 1, -1], [0, -1, 1], [3, 1, 3], [1, 3, 1], [2, 0, 3]]


@pytest.mark.parametrize(
    "program", [tallied, counted, grouped, with_exceptions_in_nested_loops, by_a_helper, moved_again_and_again]
)
def test_in_loops(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for values in VALUES:
        assert plain(staged(tf.constant(values))) == plain(program(values))


def put_in_another_order(d, x):
    if x > 0:
        del d["a"]
        d["b"] = x
        d["a"] = x
    return x


def given_more(d, x):
    if x > 0:
        d["x"] = x
    d["y"] = x
    d["x"] = 0
    d["b"] = x + 1
    return x


@pytest.mark.parametrize("kind", [dict, OrderedDict])
@pytest.mark.parametrize("program", [put_in_another_order, given_more])
def test_in_arguments(program: Callable[..., Any], kind: Any) -> None:
    staged = tf.function(program)
    for x in (2, 0, 3, -1):
        mine, pythons = kind(a=1, b=2), kind(a=1, b=2)
        staged(mine, tf.constant(x)), program(pythons, x)
        assert plain(mine) == plain(pythons)


class Box:
    def __init__(self) -> None:
        self.table = None

    def take(self, values: Any) -> Any:
        d = {}
        for v in values:
            if v > 0:
                d["p"] = v
            else:
                d["n"] = v
        self.table = d
        return values[0]


def test_in_attributes() -> None:
    mine, pythons = Box(), Box()
    staged = tf.function(mine.take)
    for values in VALUES:
        staged(tf.constant(values)), pythons.take(values)
        assert plain(mine.table) == plain(pythons.table)


def test_of_results_of_traces_in_traces() -> None:
    inner = tf.function(tallied).get_concrete_function(tf.TensorSpec([None], tf.int32))

    def outer(values: Any) -> Any:
        d = inner(values)
        d["end"] = 0
        return d

    staged = tf.function(outer)
    for values in VALUES:
        want = tallied(values)
        want["end"] = 0
        assert plain(staged(tf.constant(values))) == plain(want)


def taken_out_or_written_to(d, x):
    if x > 0:
        v = d.pop("a")
        d["z"] = x
        d["a"] = v
    else:
        d["a"][0] = x
    return x


def test_what_a_key_holds_is_the_callers_own() -> None:
    staged = tf.function(taken_out_or_written_to)
    for x in (1, -1):
        held = [7]
        mine, pythons = {"a": held, "b": 2}, {"a": [7], "b": 2}
        staged(mine, tf.constant(x)), taken_out_or_written_to(pythons, x)
        assert plain(mine) == plain(pythons)
        assert mine["a"] is held
