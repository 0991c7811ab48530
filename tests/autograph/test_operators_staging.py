"""The stager protocol, with the recording stager: who owns a value, and what its stager is asked."""

from __future__ import annotations

import collections
import gc
import sys
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import autograph
from autograph import operators as ag
from autograph.cache import IdentityCache
from autograph.errors import MixedStagersError, StagingError
from autograph.operators import stager as stager_module
from autograph.operators.stager import PYTHON, stager_of, tracing_stager
from autograph.options import ConversionOptions, Feature

from .recording_stager import RecordingStager, Symbol


def test_if_traces_both_branches_and_joins() -> None:
    stager = RecordingStager()
    x, y = stager.symbol("x"), ag.Undefined("y")

    def get_state() -> tuple[Any, ...]:
        return (y,)

    def set_state(values: tuple[Any, ...]) -> None:
        nonlocal y
        (y,) = values

    def if_body() -> None:
        nonlocal y
        y = x * 2

    def else_body() -> None:
        nonlocal y
        y = 0

    ag.if_stmt(x > 0, if_body, else_body, get_state, set_state, ("y",), 1)
    assert stager.lines == ["if (x > 0)", "  y = (x * 2)", "else", "  y = 0"]
    assert isinstance(y, Symbol)


class Counter:
    """A loop `while x < 3: x = x + 1` over a variable."""

    def __init__(self, x: Any) -> None:
        self.x = x
        self.tests = 0

    def get_state(self) -> tuple[Any, ...]:
        return (self.x,)

    def set_state(self, values: tuple[Any, ...]) -> None:
        (self.x,) = values

    def body(self) -> None:
        self.x = self.x + 1

    def test(self) -> Any:
        self.tests += 1
        return self.x < 3

    def run(self, **opts: Any) -> None:
        ag.while_stmt(self.test, self.body, self.get_state, self.set_state, ("x",), opts)


def test_while_is_handed_over_by_its_first_test() -> None:
    stager = RecordingStager()
    Counter(stager.symbol("a")).run(maximum_iterations=7)
    assert stager.lines == ["while (x < 3) {'maximum_iterations': 7}", "  x = (x + 1)"]


def test_while_gives_the_tracing_stager_a_mark_before_the_probe() -> None:
    stager = RecordingStager()
    loop = Counter(stager.symbol("a"))
    noisy = loop.test

    def test() -> Any:
        stager.lines.append("effect of the test")
        return noisy()

    loop.test = test
    stager.lines.append("before")
    token = tracing_stager.set(stager)
    try:
        loop.run()
    finally:
        tracing_stager.reset(token)
    assert stager.lines == ["before", "effect of the test", "while (x < 3) {}", "  x = (x + 1)"]


def test_a_mark_of_one_stager_is_not_given_to_another() -> None:
    tracer, stager = RecordingStager("tracer"), RecordingStager("other")
    tracer.lines += ["1", "2"]
    stager.lines += ["kept"] * 5
    token = tracing_stager.set(tracer)
    try:
        Counter(stager.symbol("a")).run()
    finally:
        tracing_stager.reset(token)
    assert stager.lines[:5] == ["kept"] * 5


def test_a_python_while_whose_test_turns_symbolic_goes_on_staged() -> None:
    stager = RecordingStager()
    loop = Counter(0)
    plain = loop.body

    def body() -> None:
        plain()
        if loop.x == 2:
            loop.x = stager.symbol("two")

    loop.body = body
    stager.lines += ["before"]
    token = tracing_stager.set(stager)
    try:
        loop.run()
    finally:
        tracing_stager.reset(token)
    assert stager.lines == ["before", "while (x < 3) {}", "  x = (x + 1)"]
    assert loop.tests == 4


def test_for_is_handed_over_by_the_iterated_value() -> None:
    stager = RecordingStager()
    total: Any = 0

    def get_state() -> tuple[Any, ...]:
        return (total,)

    def set_state(values: tuple[Any, ...]) -> None:
        nonlocal total
        (total,) = values

    def body(item: Any) -> None:
        nonlocal total
        total = total + item

    ag.for_stmt(stager.symbol("xs"), None, body, get_state, set_state, ("total",), {"iterate_names": "i"})
    assert stager.lines == ["for i in xs", "  total = (total + i)"]


def test_a_python_for_with_a_symbolic_break_predicates_the_remaining_iterations() -> None:
    stager = RecordingStager()
    seen: Any = 0
    go_on: Any = True

    def get_state() -> tuple[Any, ...]:
        return (seen, go_on)

    def set_state(values: tuple[Any, ...]) -> None:
        nonlocal seen, go_on
        seen, go_on = values

    def body(item: int) -> None:
        nonlocal seen, go_on
        seen = stager.symbol("s") + item if item == 1 else seen
        go_on = stager.symbol(f"g{item}") if item >= 1 else True

    ag.for_stmt(range(3), lambda: go_on, body, get_state, set_state, ("seen", "go_on"), {})
    assert stager.lines == ["if g1", "  seen = (s + 1)", "  go_on = g2", "else", "  seen = (s + 1)", "  go_on = g1"]


def test_expressions_are_handed_over() -> None:
    stager = RecordingStager()
    x, y = stager.symbol("x"), stager.symbol("y")
    assert str(ag.if_exp(x, lambda: 1, lambda: 2, "x > 0")) == "(1 if x > 0 else 2)"
    assert str(ag.and_(lambda: x, lambda: y)) == "(x and y)"
    assert str(ag.or_(lambda: x, lambda: 3)) == "(x or 3)"
    assert str(ag.not_(x)) == "(not x)"
    assert str(ag.eq(1, x)) == "(1 == x)"
    assert str(ag.not_eq(x, None)) == "(x != None)"
    assert ag.and_(lambda: True, lambda: x) is x
    assert ag.and_(lambda: 0, lambda: x) == 0
    assert ag.or_(lambda: [], lambda: x) is x
    ag.assert_stmt(x, lambda: "wrong")
    ag.assert_stmt(y, None)
    assert stager.lines == ["assert x, wrong", "assert y, None"]


def test_results_of_functions_are_handed_over() -> None:
    stager = RecordingStager()
    returned: list[Any] = []
    stager.ret = lambda *args: returned.append(args)
    x = stager.symbol("x")
    undefined = ag.UndefinedReturnValue()
    with ag.FunctionScope("f", "fscope", ag.STD) as scope:
        scope.ret(x, True)
        scope.ret(1, x)
        scope.ret(undefined, x)
    assert returned == [(x, True, "f"), (1, x, "f"), (undefined, x, "f")]


def scope(*features: Feature) -> ag.FunctionScope:
    return ag.FunctionScope("f", "fscope", ConversionOptions(recursive=True, optional_features=features))


@pytest.mark.parametrize("function", [len, abs, range])
def test_builtins_ask_the_stager_of_their_arguments(function: Callable[..., Any]) -> None:
    stager = RecordingStager()
    result = ag.converted_call(function, (stager.symbol("x"),), None, scope())
    assert str(result) == f"{function.__name__}(x)"


def test_a_builtin_that_the_stager_declines_is_pythons_own() -> None:
    stager = RecordingStager()
    with pytest.raises(TypeError, match="not iterable"):
        ag.converted_call(list, (stager.symbol("x"),), None, scope())
    assert [*ag.converted_call(zip, ([1], [2]), {"strict": True}, scope())] == [(1, 2)]
    assert ag.converted_call(max, ([1, 5],), {"key": lambda x: -x}, scope()) == 1


def test_print_is_staged_only_with_its_feature(capsys: pytest.CaptureFixture[str]) -> None:
    stager = RecordingStager()
    x = stager.symbol("x")
    ag.converted_call(print, ("a", x), {"sep": "-"}, scope())
    assert (capsys.readouterr().out, stager.lines) == ("a-x\n", [])
    ag.converted_call(print, ("a", x), {"sep": "-"}, scope(Feature.BUILTIN_FUNCTIONS))
    assert (capsys.readouterr().out, stager.lines) == ("", ["print(a, x, sep=-)"])


def test_keyword_arguments_decide_too() -> None:
    stager = RecordingStager()
    ag.converted_call(print, ("a",), {"end": stager.symbol("x")}, scope(Feature.ALL))
    assert stager.lines == ["print(a, end=x)"]


def test_two_stagers_in_one_operation_are_an_error_that_names_both() -> None:
    one, two = RecordingStager("one"), RecordingStager("two")
    for call in (
        lambda: ag.eq(one.symbol("a"), two.symbol("b")),
        lambda: ag.converted_call(range, (one.symbol("a"), 3, two.symbol("b")), None, scope()),
    ):
        with pytest.raises(MixedStagersError, match="'one'.*'two'") as caught:
            call()
        assert isinstance(caught.value, (StagingError, TypeError))
    assert ag.stager_of_all(1, one.symbol("a"), one.symbol("b")) is one


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty registry, for this test alone."""
    monkeypatch.setattr(stager_module, "_by_name", {})
    monkeypatch.setattr(stager_module, "_by_type", IdentityCache())
    monkeypatch.setattr(stager_module, "_is_used", False)
    monkeypatch.setattr(stager_module, "PLAIN_TYPES", set(stager_module.PLAIN_TYPES))


class Foreign:
    pass


class ForeignChild(Foreign):
    pass


def test_foreign_types_are_registered_by_class_or_by_name_along_the_mro(registry: None) -> None:
    by_class, by_name = RecordingStager("by class"), RecordingStager("by name")
    own = type("Own", (), {"__module__": "some.library"})
    child = type("Child", (own,), {"__ag_stager__": None})
    assert ag.stager_of(ForeignChild()) is PYTHON
    ag.register_stager(Foreign, by_class)
    ag.register_stager("some.library.Own", by_name)
    assert ag.stager_of(ForeignChild()) is by_class
    assert ag.stager_of(own()) is by_name
    assert ag.stager_of(child()) is by_name
    assert ag.stager_of(3) is PYTHON
    ag.register_stager(Foreign, by_name)
    assert ag.stager_of(Foreign()) is by_name
    with pytest.raises(TypeError, match="class or its qualified name"):
        ag.register_stager(3, by_name)


@pytest.mark.parametrize("kind", [int, "builtins.int", object])
def test_types_of_python_can_be_registered_too(registry: None, kind: type | str) -> None:
    own = RecordingStager("own")
    assert ag.stager_of(3) is PYTHON
    ag.register_stager(kind, own)
    assert ag.stager_of(3) is own
    assert (ag.stager_of("text") is own) == (kind is object)


def test_registration_by_name_imports_nothing(registry: None) -> None:
    before = set(sys.modules)
    ag.register_stager("fractions.Fraction", RecordingStager("exact"))
    ag.register_stager("no_such_library.core.Tensor", RecordingStager("none"))
    assert ag.stager_of(collections.OrderedDict()) is PYTHON
    assert set(sys.modules) - before <= {"fractions"}


def test_a_registered_class_can_die(registry: None) -> None:
    kind = type("Short", (), {})
    gone = weakref.ref(kind)
    ag.register_stager(kind, RecordingStager())
    del kind
    gc.collect()
    assert gone() is None


def test_a_class_that_answers_to_every_name_is_plain() -> None:
    class Obliging(type):
        def __getattr__(cls, name: str) -> str:
            return name

    class Thing(metaclass=Obliging):
        pass

    assert stager_of(Thing()) is PYTHON


def test_a_class_that_cannot_be_hashed_is_plain() -> None:
    class Unhashable(type):
        __hash__ = None  # type: ignore[assignment]

    class Thing(metaclass=Unhashable):
        def __len__(self) -> int:
            return 3

    def program(x):
        items = [x, 1]
        for item in items:
            if item:
                continue
        return len(x), isinstance(x, object), not x, [*map(id, items)] and x, sum(len(items) for y in items)

    thing = Thing()
    assert stager_of(thing) is PYTHON
    assert autograph.to_graph(program)(thing) == program(thing)
