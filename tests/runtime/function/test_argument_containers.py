"""Lists, dicts and sets of the caller that a tensor decides about: they are what they would be in Python."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.errors import TraceEffectWarning

SHARED: dict[str, Any] = {"a": 1.0}


@dataclass
class Box:
    table: dict[str, Any]
    x: Any


def key(d: Any, x: Any) -> Any:
    if x > 0:
        d["a"] = x


def read_after(d: Any, x: Any) -> Any:
    if x > 0:
        d["a"] = x
    return d["a"] + len(d)


def removed(d: Any, x: Any) -> Any:
    if x > 0:
        del d["b"]
    return "b" in d


def popped(d: Any, x: Any) -> Any:
    if x > 0:
        return d.pop("b") + x
    d.setdefault("c", x * 2)
    return x


def counted(d: Any, x: Any) -> Any:
    while x > 0:
        d["n"] = d.get("n", 0.0) + x
        x = x - 1
    return x


def appended(items: Any, x: Any) -> Any:
    if x > 0:
        items.append(x)
    return len(items)


def grown(items: Any, x: Any) -> Any:
    while x > 0:
        items.append(x)
        x = x - 1
    return sum(items)


def shortened(items: Any, x: Any) -> Any:
    if x > 0:
        items.pop()
    items.append(x + 1)


def member(s: Any, x: Any) -> Any:
    if x > 0:
        s.add(5)
    else:
        s.discard(1)
    return 5 in s


def nested(pair: Any, x: Any) -> Any:
    if x > 0:
        pair[0]["a"] = x
        pair[1]["items"].append(x)
    return x


def in_an_object(box: Any, x: Any) -> Any:
    if x > 0:
        box.table["a"] = box.x
    return box.x * x


def through_a_helper(d: Any, x: Any) -> Any:
    key(d, x)
    key(d, x - 1)
    return d.get("a", -1.0)


def straight(d: Any, x: Any) -> Any:
    d["a"] = x
    for k in d:
        d[k] = d[k] * 2


def items_set(items: Any, x: Any) -> Any:
    items[0] = items[1] + x
    items.append(x)


def raises(d: Any, x: Any) -> Any:
    if x > 0:
        d["a"] = x
    if x > 1:
        raise ValueError("too large")


def returned(d: Any, x: Any) -> Any:
    if x > 0:
        d["a"] = x
    return d


def with_tensors(d: Any, x: Any) -> Any:
    if x > 0:
        d["a"] = d["t"] * x
    return d["t"]


CASES: list[tuple[Callable[..., Any], Callable[[], Any]]] = [
    (key, dict), (key, lambda: {"b": 2.0}), (read_after, dict), (read_after, lambda: {"a": 3.0}),
    (removed, lambda: {"b": 1.0, "c": 2.0}), (popped, lambda: {"b": 1.0}), (counted, dict), (appended, lambda: [1.0]),
    (appended, list), (grown, lambda: [1.0, 2.0]), (shortened, lambda: [1.0, 2.0]), (member, lambda: {1, 2}),
    (nested, lambda: ({}, {"items": [1.0]})), (nested, lambda: [{"b": 1.0}, {"items": []}]),
    (in_an_object, lambda: Box({}, tf.constant(3.0))), (through_a_helper, dict), (straight, lambda: {"b": 1.0}),
    (items_set, lambda: [1.0, 2.0]), (raises, dict), (returned, dict),
    (with_tensors, lambda: {"t": tf.constant(2.0)}),
]  # fmt: skip


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if isinstance(value, Box):
        return [plain(value.table), plain(value.x)]
    return sorted(value) if isinstance(value, set) else None if value is None else np.asarray(value).tolist()


def outcome(function: Any, container: Any, x: Any) -> Any:
    try:
        result = plain(function(container, x))
    except (KeyError, ValueError) as error:
        result = type(error).__name__
    return result, plain(container)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_as_in_python(number: int) -> None:
    function, make = CASES[number]
    staged = tf.function(function)
    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        for x in (1.0, -1.0, 2.0, 1.0, -3.0):
            expected = outcome(function, make(), x)
            if expected[0] == "ValueError":  # a run that raises leaves all as it was
                expected = expected[0], plain(make())
            assert outcome(staged, make(), tf.constant(x)) == expected, x
    assert staged.experimental_get_tracing_count() == 1


def test_one_after_the_other() -> None:
    staged, own, expected = tf.function(appended), [1.0], [1.0]
    for x in (1.0, -1.0, 2.0):
        staged(own, tf.constant(x))
        appended(expected, x)
    assert plain(own) == expected and type(own[0]) is float


def test_gradients_go_on_through_what_is_left() -> None:
    d: dict[str, Any] = {}
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.function(lambda d, x: key(d, x * x))(d, x)
        y = d["a"] * 2
    assert float(tape.gradient(y, x)) == 12.0


def test_in_another_function() -> None:
    inner = tf.function(key)

    @tf.function
    def outer(d: Any, x: Any) -> Any:
        inner(d, x)
        key(d, x - 2)
        return "a" in d

    for x in (-1.0, 1.0, 3.0):
        expected: dict[str, Any] = {}
        key(expected, x)
        key(expected, x - 2)
        d: dict[str, Any] = {}
        assert bool(outer(d, tf.constant(x))) == bool(expected) and plain(d) == expected


def test_other_names_are_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    def two(a: Any, b: Any, x: Any) -> Any:
        if x > 0:
            a["k"] = x
        return len(b)

    def known(d: Any, x: Any) -> Any:
        if x > 0:
            d["b"] = x
        return SHARED["a"]

    def default(x: Any, d: Any = {"a": 1.0}) -> Any:
        if x > 0:
            d["b"] = x
        return x

    x, one = tf.constant(1.0), {"a": 1.0}
    staged, of_known = tf.function(two), tf.function(known)
    with pytest.raises(StagingError, match="changed inside a branch"):
        tf.function(two)(one, one, x)
    staged(one, {}, x)
    del one["k"]
    staged({}, {}, x)
    both: dict[str, Any] = {}
    with pytest.raises(ValueError, match=r"'a' is changed, and the function has it under another name.*pass a copy"):
        staged(both, both, x)
    of_known({"a": 1.0}, x)
    with pytest.raises(ValueError, match="'d' is changed, and the function has it under another name"):
        of_known(SHARED, x)
    of_known(dict(SHARED), x)
    assert (one, both, SHARED) == ({"a": 1.0}, {}, {"a": 1.0})
    with pytest.raises(StagingError, match="changed inside a branch"):
        tf.function(default)(x)

    trace = tf.function(key).get_concrete_function({}, x)
    for call in (lambda: trace({}, x), lambda: trace(x=x)):
        with pytest.raises(ValueError, match="changes or keeps 'd', a container of its caller: call the Function"):
            call()
    with pytest.raises(StagingError, match="writes to 'd' in each run: call the Function itself"):
        tf.function(lambda x: trace({}, x))(x)
    model = tf.Module()
    model.key = tf.function(key)
    model.key({}, x)
    with pytest.raises(ValueError, match="it writes to 'd', which is no part of what is saved"):
        tf.saved_model.save(model, str(tmp_path / "model"))


def test_a_set_is_an_argument_by_its_members() -> None:
    @tf.function
    def f(s: Any, x: Any) -> Any:
        return x * len(s) if 2 in s else x

    x, s = tf.constant(1.0), {1, 2}
    assert [float(f(s, x)), float(f({2, 1}, x)), f.experimental_get_tracing_count()] == [2.0, 2.0, 1]
    s.add(3)
    assert float(f(s, x)) == 3.0 and f.experimental_get_tracing_count() == 2


def test_with_an_input_signature_structures_are_copies() -> None:
    spec = [{"t": tf.TensorSpec([], tf.float32)}, tf.TensorSpec([], tf.float32)]
    with pytest.raises(StagingError, match="changed inside a branch"):
        tf.function(with_tensors, input_signature=spec)({"t": tf.constant(1.0)}, tf.constant(1.0))


def test_copies_are_free() -> None:
    given = {"b": [1.0]}
    before = copy.deepcopy(given)

    @tf.function
    def f(d: Any, x: Any) -> Any:
        d = dict(d)
        if x > 0:
            d["a"] = x
        return d

    assert plain(f(given, tf.constant(1.0))) == {"b": [1.0], "a": 1.0} and given == before


def test_what_a_run_writes_to_an_attribute_of_an_argument_does_not_make_the_trace_stale() -> None:
    staged, boxes = tf.function(in_an_object), [Box({}, tf.constant(3.0)) for _ in range(3)]
    for box, x in zip(boxes, (1.0, -1.0, 2.0), strict=True):  # all of them live on
        staged(box, tf.constant(x))
    assert staged.experimental_get_tracing_count() == 1
    assert [list(box.table) for box in boxes] == [["a"], [], ["a"]]
