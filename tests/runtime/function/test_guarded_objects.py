"""Guards on what objects hold: attributes of instances, classes, modules and arguments."""

from __future__ import annotations

import dataclasses
import enum
import functools
import gc
import itertools
import sys
import types
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import runtime as tf
from tests.runtime.function.following import ONE, follows


class Plain:
    rate: Any


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


@dataclasses.dataclass
class Options:
    rate: Any = 1.0
    other: Any = 0.0


class Model:
    scale = 3.0

    def __init__(self) -> None:
        self.rate = 2.0
        self.layers = [Options(), Options(2.0)]
        self.unrelated = 0

    def helper(self, x):
        return x * self.scale

    @property
    def slope(self):
        return self.rate + 1

    @tf.function
    def step(self, x):
        for layer in self.layers:
            x = x * layer.rate
        return self.helper(x) + self.slope


def test_attributes_that_methods_read() -> None:
    model = Model()
    step = model.step

    def traces_after(change: Callable[[], Any]) -> int:
        change()
        assert step(ONE).numpy() == step.python_function(ONE).numpy()
        return int(step.experimental_get_tracing_count())

    assert traces_after(lambda: None) == 1
    assert traces_after(lambda: setattr(model, "unrelated", 5)) == 1
    assert traces_after(lambda: setattr(model.layers[0], "other", 5.0)) == 1
    assert traces_after(lambda: setattr(model, "rate", 5.0)) == 2
    assert traces_after(lambda: setattr(model.layers[0], "rate", 5.0)) == 3
    assert traces_after(lambda: model.layers.append(Options(4.0))) == 4
    assert traces_after(lambda: setattr(model, "helper", lambda x: x - 1)) == 5
    assert traces_after(lambda: delattr(model, "helper")) == 5, "as it was before"


def test_attributes_of_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()
    monkeypatch.setattr(Model, "scale", 3.0)
    assert follows(model.step, lambda: setattr(Model, "scale", 10.0)) == 2
    assert follows(model.step, lambda: setattr(Model, "helper", lambda self, x: x - self.scale)) == 3
    monkeypatch.undo()


def test_attributes_of_arguments() -> None:
    @tf.function
    def f(x, options):
        return x * options.rate

    options = Plain()
    options.rate = 2.0

    class Slotted:
        __slots__ = ("__weakref__", "rate")

    holder = Slotted()
    holder.rate = 7.0
    for given in (options, holder):
        assert f(ONE, given).numpy() == given.rate
        given.rate = 11.0
        assert f(ONE, given).numpy() == 11.0


def test_attributes_that_may_be_missing() -> None:
    class Holder:
        pass

    holder = Holder()

    @tf.function
    def f(x):
        return x * holder.rate if hasattr(holder, "rate") else x * getattr(holder, "slope", 3.0)

    assert follows(f, lambda: setattr(holder, "slope", 4.0), lambda: setattr(holder, "rate", 5.0)) == 3


def test_modules_of_the_user() -> None:
    settings = types.ModuleType("settings_of_the_user")
    settings.__file__ = "settings_of_the_user.py"
    settings.rate = 2.0  # type: ignore[attr-defined]
    sys.modules[settings.__name__] = settings
    try:

        @tf.function
        def f(x):
            return x * settings.rate

        assert follows(f, lambda: setattr(settings, "rate", 3.0), lambda: setattr(settings, "other", 3.0)) == 2
    finally:
        del sys.modules[settings.__name__]


def test_enums_and_partial_objects() -> None:
    mode = Mode.FAST
    scaled = functools.partial(lambda x, by: x * by, by=Options(3.0))

    @tf.function
    def f(x):
        return scaled(x).rate if False else x * (1.0 if mode is Mode.FAST else 2.0) * scaled.keywords["by"].rate

    def change() -> None:
        nonlocal mode
        mode = Mode.SLOW

    assert follows(f, change, lambda: setattr(scaled.keywords["by"], "rate", 9.0)) == 3


def test_what_the_function_changes_itself_is_not_guarded() -> None:
    class Counter:
        def __init__(self) -> None:
            self.count = 0
            self.seen: list[Any] = []

        @tf.function
        def step(self, x):
            self.count += 1
            self.seen.append(x.dtype)
            return x + self.count

    counter = Counter()
    assert [counter.step(ONE).numpy() for _ in range(3)] == [2.0, 2.0, 2.0]
    assert [counter.step(tf.constant(1)).numpy() for _ in range(3)] == [3, 3, 3]
    assert counter.step(ONE).numpy() == 2.0
    assert counter.count == 2 and len(counter.seen) == 2


def cell_of(value: Any) -> Any:
    return (lambda: value).__closure__[0]  # type: ignore[index]


def test_nothing_is_kept_alive() -> None:
    class Part:
        def __init__(self, whole: Any) -> None:
            self.whole = whole
            self.rate = 2.0

    class Whole:
        def __init__(self) -> None:
            self.parts = [Part(self), Part(self)]
            self.act = lambda x: x * self.parts[0].rate

        @tf.function
        def step(self, x):
            return self.act(x) + len(self.parts)

    whole = Whole()
    assert whole.step(ONE).numpy() == 4.0
    whole.parts[0].rate = 3.0
    assert whole.step(ONE).numpy() == 5.0
    gone = weakref.ref(whole)
    del whole
    gc.collect()
    assert gone() is None


WAYS_BACK: dict[str, Callable[[Any], Any]] = {
    "a method": lambda o: o.rate_of, "a partial": lambda o: functools.partial(o.rate_of), "a list": lambda o: [o, [o]],
    "a view": lambda o: {"a": o}.values(), "a method of a list": lambda o: [o].append,
    "an iterator": lambda o: iter([o]),
    "a method in C": lambda o: [o].__len__, "a property": lambda o: property(lambda _: o), "a cell": cell_of,
    "a namespace": lambda o: types.SimpleNamespace(of=o), "a set": lambda o: frozenset([o]),
    "a proxy of a dict": lambda o: types.MappingProxyType({"a": o}), "a chain": lambda o: itertools.chain([o]),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS_BACK)
def test_what_leads_back_to_an_object_does_not_keep_it(way: str) -> None:
    class Owner:
        def __init__(self) -> None:
            self.held = WAYS_BACK[way](self)

        def rate_of(self) -> float:
            return 2.0

        @tf.function
        def step(self, x):
            return x if self.held is None else x + 1

    owner = Owner()
    for _ in range(2):
        assert owner.step(ONE).numpy() == 2.0
    assert owner.step.experimental_get_tracing_count() == 1
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    assert gone() is None


def test_the_object_of_a_method_a_partial_or_a_call() -> None:
    """`tf.function(scale.by)`: no variable of the program leads to the object, only the function itself."""

    class Scale:
        def __init__(self) -> None:
            self.rate = 2.0

        def by(self, x):
            return x * self.rate

        def __call__(self, x):
            return x * self.rate

    scale = Scale()
    made = [tf.function(f) for f in (scale.by, scale, partial(scale.by), partial(partial(scale)))]
    for rate in (2.0, 3.0, 4.0):
        scale.rate = rate
        assert [f(ONE).numpy() for f in made] == [rate] * 4
        assert [f(ONE).numpy() for f in made] == [rate] * 4
    assert all(f.experimental_get_tracing_count() == 3 for f in made)
