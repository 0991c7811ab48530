"""Methods that Python calls by itself (constructors, operators, properties, `with`) are converted inside a trace."""

from __future__ import annotations

import dataclasses
import functools
import threading
import types
import weakref
from typing import Any

import pytest

import runtime as tf


class Base:
    def __init__(self, low: Any) -> None:
        if low > 0:
            self.low = low
        else:
            self.low = low * 0


class Ramp(Base):
    def __init__(self, low: Any, gain: float = 1.0) -> None:
        super().__init__(low)
        self.gain = gain
        self.entered = 0.0

    def __mul__(self, x: Any) -> Any:
        if x > self.low:
            return x * self.gain
        return 0.0 * x

    __rmul__ = __mul__

    def __getitem__(self, i: Any) -> Any:
        return self.low if i > 0 else i * 1.0

    @property
    def slope(self) -> Any:
        if self.low > 1.0:
            return self.low
        return 1.0 + 0 * self.low

    @slope.setter
    def slope(self, value: Any) -> None:
        if value > 2.0:
            self.low = value
        else:
            self.low = 2.0 * value

    @functools.cached_property
    def steep(self) -> Any:
        return self.low if self.low > 1.0 else 1.0 + 0 * self.low

    def __enter__(self) -> Ramp:
        if self.low > 0:
            self.entered = 1.0
        else:
            self.entered = 2.0
        return self

    def __exit__(self, *problem: object) -> None:
        return None


class Clipped:
    """A descriptor."""

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        if owner.raw > 1.0:
            return 1.0 + 0 * owner.raw
        return owner.raw


class Meter:
    value = Clipped()

    def __init__(self, raw: Any) -> None:
        self.raw = raw


@dataclasses.dataclass
class Sample:
    x: Any

    def __post_init__(self) -> None:
        if self.x > 0:
            self.sign = 1
        else:
            self.sign = -1


class Counted:
    made = 0

    def __new__(cls, x: Any) -> Any:
        made = super().__new__(cls)
        if x > 0:
            made.start = 1.0
        else:
            made.start = 5.0
        return made


RAMP = Ramp(0.5, 3.0)


def constructed(x: Any) -> Any:
    return Ramp(x).low


def operators(x: Any) -> Any:
    return RAMP * x + x * RAMP


def subscripts(x: Any) -> Any:
    return Ramp(2.0)[x]


def properties(x: Any) -> Any:
    ramp = Ramp(x)
    before = ramp.slope
    ramp.slope = x + 1.0
    return before, ramp.slope, ramp.low


def cached(x: Any) -> Any:
    ramp = Ramp(x)
    return ramp.steep + ramp.steep


def managed(x: Any) -> Any:
    with Ramp(x) as ramp:
        return ramp.entered


def described(x: Any) -> Any:
    return Meter(x).value


def post_init(x: Any) -> Any:
    return Sample(x).sign


def new(x: Any) -> Any:
    return Counted(x).start


def local_class(x: Any) -> Any:
    class Local:
        def __init__(self, value: Any) -> None:
            if value > 0:
                self.value = value + 1.0
            else:
                self.value = value - 1.0

        def __neg__(self) -> Any:
            return self.value if self.value > 3.0 else 0.0 * self.value

    return -Local(x)


PROGRAMS = [
    constructed, operators, subscripts, properties, cached, managed, described, post_init, new, local_class,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
@pytest.mark.parametrize("x", [3.0, 0.25, -1.0])
def test_as_python(program: Any, x: float) -> None:
    expected = program(x)
    found = tf.function(program)(tf.constant(x))
    assert [float(t) for t in tf.nest.flatten(found)] == pytest.approx(tf.nest.flatten(expected))


def test_argument_objects_are_reached() -> None:
    def scale(ramps: list[Ramp], x: Any) -> Any:
        return ramps[0] * x

    assert float(tf.function(scale)([Ramp(0.5, 2.0)], tf.constant(4.0))) == 8.0


class Slotted:
    __slots__ = ("of",)

    def __init__(self, of: Any) -> None:
        self.of = of


class Sloped:
    def __init__(self) -> None:
        self._slope = 2.0

    @property
    def slope(self) -> Any:
        return self._slope


KEPT = Sloped()


@pytest.mark.parametrize("hidden", [Slotted, lambda o: [[[[[o]]]]], lambda o: weakref.ref(o), types.SimpleNamespace])
def test_objects_that_are_hidden_are_reached(hidden: Any) -> None:
    kept = Ramp(0.5, 2.0)
    held = hidden(of=kept) if isinstance(hidden, type) else hidden(kept)

    def scale(x: Any) -> Any:
        found: Any = held
        while type(found).__name__ != "Ramp":
            found = found[0] if isinstance(found, list) else found() if callable(found) else found.of
        return found * x

    for x in (4.0, 0.25):
        assert float(tf.function(scale)(tf.constant(x))) == scale(x)


def test_what_a_property_behind_slots_reads_is_guarded() -> None:
    held = Slotted(KEPT)
    staged = tf.function(lambda x: held.of.slope * x)
    for slope in (2.0, 3.0, 2.0):
        KEPT._slope = slope
        assert float(staged(tf.constant(1.0))) == slope
    assert staged.experimental_get_tracing_count() == 2


def test_classes_have_their_own_methods_after_the_trace() -> None:
    before = dict(vars(Ramp))
    tf.function(operators)(tf.constant(1.0))
    assert dict(vars(Ramp)) == before


def test_classes_have_their_own_methods_after_an_error() -> None:
    before = dict(vars(Ramp))

    def fails(x: Any) -> Any:
        Ramp(x)
        raise LookupError("no")

    with pytest.raises(LookupError):
        tf.function(fails)(tf.constant(1.0))
    assert dict(vars(Ramp)) == before


def test_another_thread_runs_the_original_meanwhile() -> None:
    seen: list[Any] = []

    def elsewhere() -> None:
        seen.append(RAMP * 2.0)

    def f(x: Any) -> Any:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return RAMP * x

    assert float(tf.function(f)(tf.constant(2.0))) == 6.0
    assert seen == [6.0]
    assert type(seen[0]) is float


def test_a_method_that_the_user_exchanges_during_the_trace_stays_exchanged() -> None:
    class Local:
        def __neg__(self) -> int:
            return 1

    def f(x: Any) -> Any:
        Local.__neg__ = lambda self: 2  # type: ignore[method-assign]
        return x + float(-Local())

    assert float(tf.function(f)(tf.constant(0.0))) == 2.0
    assert -Local() == 2


def test_do_not_convert_is_kept() -> None:
    class Plain:
        @tf.autograph.experimental.do_not_convert
        def __neg__(self) -> bool:
            return isinstance(self, Plain)

    assert bool(tf.function(lambda x: -Plain())(tf.constant(0.0)))


class Late:
    """Nothing but a constant that no code names leads to it, so that a trace meets it where it is first called."""

    def __init__(self, x: Any) -> None:
        self.x = x if x > 0 else -x

    @property
    def steep(self) -> Any:
        return self.x if self.x > 2 else 2


def steepness(x: Any) -> Any:
    return Late(x).steep


@dataclasses.dataclass(frozen=True)
class Holder:
    call: Any


HOLDER = Holder(steepness)


def met_in_a_branch(x: Any) -> Any:
    if x > 0:
        y = HOLDER.call(x)
    else:
        y = HOLDER.call(x - 1)
    return y


def met_in_a_loop(x: Any) -> Any:
    y = 0
    while y < 1:
        y = HOLDER.call(x)
    return y


@pytest.mark.parametrize("program", [met_in_a_branch, met_in_a_loop])
def test_a_class_that_is_met_in_a_staged_statement_is_not_an_effect_of_it(program: Any) -> None:
    staged = tf.function(program)
    for x in (3, 1, -1, -7):
        assert staged(tf.constant(x)).numpy() == program(x)
