"""Guards on values of all kinds: a change in place is seen, and another object at the address of a dead one."""

from __future__ import annotations

import argparse
import array
import collections
import contextvars
import dataclasses
import fractions
import functools
import gc
import threading
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import TraceEffectWarning
from runtime.function.snapshots import Reference, snapshot_of
from tests.runtime.function.following import ONE, follows
from tests.runtime.reused_ids import reused_ids


class Slots:
    __slots__ = ("other", "rate")

    def __init__(self, rate: Any) -> None:
        self.rate = rate
        self.other = 0


@dataclasses.dataclass(slots=True, eq=False)
class Options:
    rate: Any


class Settings(collections.UserDict):  # type: ignore[type-arg]
    pass


class Thing:
    def __init__(self, rate: Any) -> None:
        self.rate = rate


def local(rate: Any) -> threading.local:
    made = threading.local()
    made.rate = rate
    return made


def variable(rate: Any) -> contextvars.ContextVar[Any]:
    made: contextvars.ContextVar[Any] = contextvars.ContextVar("rate")
    made.set(rate)
    return made


BACKING = {"rate": 1.0}
THING = Thing(1.0)


def of_attribute(value):
    return value.rate


def of_key(value):
    return value["rate"]


def of_first(value):
    return float(value[0])


def of_late(value):
    return float(value[20_000])


def set_attribute(value, rate):
    value.rate = rate


def set_key(value, rate):
    value["rate"] = rate


def set_first(value, rate):
    value[0] = rate


def set_late(value, rate):
    value[20_000] = rate


def objects(count: int) -> list[Thing]:
    return [Thing(1.0)] * count


Row = tuple[Callable[[], Any], Callable[[Any], Any], Callable[[Any, Any], Any]]
ATTRIBUTE, KEY, FIRST, LATE = (
    (of_attribute, set_attribute), (of_key, set_key), (of_first, set_first), (of_late, set_late)
)  # fmt: skip

VALUES: dict[str, Row] = {
    "slots": (lambda: Slots(1.0), *ATTRIBUTE),
    "a dataclass with slots": (lambda: Options(1.0), *ATTRIBUTE),
    "a namespace": (lambda: types.SimpleNamespace(rate=1.0), *ATTRIBUTE),
    "arguments of a program": (lambda: argparse.Namespace(rate=1.0), *ATTRIBUTE),
    "values of a thread": (lambda: local(1.0), *ATTRIBUTE),
    "slots in a list": (lambda: [Slots(1.0)], lambda v: v[0].rate, lambda v, rate: set_attribute(v[0], rate)),
    "slots in slots": (lambda: Slots(Slots(1.0)), lambda v: v.rate.rate, lambda v, rate: set_attribute(v.rate, rate)),
    "slots behind a namespace": (
        lambda: types.SimpleNamespace(other={"a": Slots(1.0)}),
        lambda v: v.other["a"].rate,
        lambda v, rate: set_attribute(v.other["a"], rate),
    ),
    "an object behind slots": (
        lambda: Slots(Thing(1.0)), lambda v: v.rate.rate, lambda v, rate: set_attribute(v.rate, rate)
    ),
    "a user's dict": (lambda: Settings(rate=1.0), *KEY),
    "a user's list": (lambda: collections.UserList([1.0]), *FIRST),
    "a chain of dicts": (lambda: collections.ChainMap({"rate": 1.0}), *KEY),
    "a view of a dict": (lambda: types.MappingProxyType(BACKING), of_key, lambda v, rate: set_key(BACKING, rate)),
    "a bytearray": (lambda: bytearray([1]), of_first, lambda v, rate: set_first(v, int(rate))),
    "a view of bytes": (lambda: memoryview(bytearray([1])), of_first, lambda v, rate: set_first(v, int(rate))),
    "an array of numbers": (lambda: array.array("d", [1.0]), *FIRST),
    "an array of objects": (lambda: np.array([1.0, None], object), *FIRST),
    "a long list": (lambda: [1.0] * 30_000, *LATE),
    "a long array": (lambda: np.ones(30_000), *LATE),
    "an array with gaps": (lambda: np.ones((30_000, 2))[:, 0], *LATE),
    "a very long array": (lambda: np.ones(1_100_000), of_late, lambda v, rate: v.fill(rate)),
    "a context variable": (lambda: variable(1.0), lambda v: v.get(), lambda v, rate: v.set(rate)),
    "a weak reference": (lambda: weakref.ref(THING), lambda v: v().rate, lambda v, rate: set_attribute(THING, rate)),
    "what a partial holds": (
        lambda: functools.partial(of_first, [1.0]), lambda v: v(), lambda v, rate: set_first(v.args[0], rate)
    ),
    "what a partial names": (
        lambda: functools.partial(of_first, value=[1.0]),
        lambda v: v(),
        lambda v, rate: set_first(v.keywords["value"], rate),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_a_change_in_place_is_seen(name: str) -> None:
    make, read, change = VALUES[name]
    value = make()

    @tf.function
    def f(x: Any) -> Any:
        return x * read(value)

    made = 2 if isinstance(value, np.ndarray) and value.dtype != object else 3  # arrays are given to runs then
    assert follows(f, lambda: change(value, 2.0), lambda: change(value, 3.0)) == made
    assert follows(f, lambda: change(value, 2.0)) == made, "the old trace is of use again"
    change(value, 1.0)


def test_what_is_not_named_does_not_count() -> None:
    slots, space = Slots(1.0), types.SimpleNamespace(rate=1.0, count=0)

    @tf.function
    def f(x: Any) -> Any:
        return x * slots.rate + space.rate

    assert follows(f, lambda: setattr(slots, "other", 5), lambda: setattr(space, "count", 5)) == 1


def test_an_attribute_that_appears() -> None:
    space = types.SimpleNamespace()

    @tf.function
    def f(x: Any) -> Any:
        return x * getattr(space, "rate", 1.0)

    assert follows(f, lambda: setattr(space, "rate", 2.0), lambda: delattr(space, "rate")) == 2


def test_slots_of_an_argument() -> None:
    @tf.function
    def f(options: Any, x: Any) -> Any:
        return x * options.rate

    for options in (Slots(1.0), Options(1.0)):
        for rate in (1.0, 2.0, 1.0):
            options.rate = rate
            assert f(options, ONE).numpy() == rate
    assert f.experimental_get_tracing_count() == 4


def test_defaults_of_a_function_that_is_called() -> None:
    def helper(x: Any, weights: Any = [1.0], *, options: Any = Slots(1.0)) -> Any:
        return x * weights[0] * options.rate

    @tf.function
    def f(x: Any) -> Any:
        return helper(x)

    defaults: Any = helper.__defaults__
    keywords: Any = helper.__kwdefaults__
    changes = [lambda: set_first(defaults[0], 2.0), lambda: set_attribute(keywords["options"], 3.0)]
    assert follows(f, *changes, lambda: setattr(helper, "__defaults__", ([5.0],))) == 4


def test_none_in_the_place_of_an_object_that_is_gone() -> None:
    things: list[Any] = [Thing(2.0)]
    space = types.SimpleNamespace(thing=things[0])
    thing = things.pop()

    @tf.function
    def f(x: Any) -> Any:
        x = x if thing is None else x * 2
        return x if space.thing is None else x * 3

    def forget() -> None:
        nonlocal thing
        thing = space.thing = None
        gc.collect()

    assert follows(f, forget) == 2


def test_slots_behind_a_function_do_not_keep_it() -> None:
    class Model:
        def __init__(self) -> None:
            self.options = Options(self)

        @tf.function
        def step(self, x: Any) -> Any:
            return x if self.options.rate is None else x + 1

    model = Model()
    assert model.step(ONE).numpy() == 2
    reference = weakref.ref(model)
    del model
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize("make", [Slots, Options, fractions.Fraction, lambda rate: [rate] * 30_000])
@pytest.mark.parametrize("seed", range(3))
def test_another_object_at_the_same_address(make: Callable[[Any], Any], seed: int) -> None:
    value: Any = None

    @tf.function
    def f(x: Any) -> Any:
        return x * (value.rate if hasattr(value, "rate") else value[0] if isinstance(value, list) else float(value))

    def put(rate: Any) -> None:
        nonlocal value
        value = None
        value = make(rate)

    put(1)
    with reused_ids(seed, ["runtime.function"]):
        assert follows(f, *(functools.partial(put, rate) for rate in (2, 3, 4))) == 4


class Counting:
    def __init__(self, changes: bool) -> None:
        self.changes = changes
        self.rate = 1.0
        self.items = [1.0]

    def count(self) -> Any:
        count = 0.0

        def counted() -> Any:
            nonlocal count
            count += 1.0 if self.changes else 0.0
            return count

        return counted


def by_attribute(thing, x):
    if thing.changes:
        thing.rate += 1.0
    return x * thing.rate


def by_contents(thing, x):
    if thing.changes:
        thing.items[0] += 1.0
    return x * thing.items[0]


@pytest.mark.filterwarnings("ignore::runtime.errors.TraceEffectWarning", "ignore::runtime.errors.RetracingWarning")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("program", [by_attribute, by_contents])
def test_what_a_trace_changed_of_a_dead_object_is_guarded_in_a_new_one(program: Any, seed: int) -> None:
    f = tf.function(program)
    with reused_ids(seed, ["runtime.function"]):
        for _ in range(4):
            f(Counting(True), ONE)
            gc.collect()
        things = [Counting(False) for _ in range(3)]
        for rate in (1.0, 5.0, 7.0):
            for thing in things:
                thing.rate = thing.items[0] = rate
                assert f(thing, ONE).numpy() == rate


def test_what_a_trace_changes_is_left_out_in_all_traces() -> None:
    thing = Counting(True)
    f = tf.function(lambda change, x: by_attribute(thing, x) if change else x * thing.rate)
    assert f(False, ONE).numpy() == 1
    with pytest.warns(TraceEffectWarning, match="'thing.rate' is changed while"):
        assert f(True, ONE).numpy() == 2
    assert f(False, ONE).numpy() == 1, "a trace that another one has left behind would be made in each round"
    for _ in range(3):
        f(True, ONE)
        f(False, ONE)
    assert f.experimental_get_tracing_count() == 2


def test_functions_of_numpy_are_known_by_identity() -> None:
    """They have attributes, as any function, of which none decides what they do."""
    assert type(snapshot_of(np.stack)) is type(snapshot_of(np.add)) is Reference
