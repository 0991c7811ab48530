"""Converted functions behave as their originals where random programs do not reach: metadata, classes, refusals.

Both are called with the same arguments; value or exception (type, message, user's lines) must be equal.
"""

from __future__ import annotations

import copy
import functools
import inspect
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import autograph
from autograph.errors import UnsupportedSyntaxError

from . import program_classes, programs
from .program_classes import Callable_, Child, Parent, Private, makes_class

FILES = programs.__file__, program_classes.__file__


def outcome(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The value, or the exception with the lines of this project's programs that it passed."""
    try:
        return function(*args, **kwargs)
    except Exception as error:
        return type(error), str(error), user_lines(error), type(error.__cause__), type(error.__context__)


def user_lines(error: BaseException) -> list[int]:
    """Lines of the programs in the traceback, each run of equal ones once."""
    lines: list[int] = []
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename in FILES and frame.lineno and lines[-1:] != [frame.lineno]:
            lines.append(frame.lineno)
    return lines


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (programs.factorial, (6,)),
    (programs.is_even, (7,)),
    (programs.uses_generator, (6,)),
    (programs.inner_generator, (6,)),
    (programs.decorated, (-3,)),
    (programs.decorated, ()),
    (programs.raises_deep, (1,)),
    (programs.raises_deep, (9,)),
    (programs.divides, (1, 0)),
    (programs.divides, (0, 0)),
    (programs.sees_globals, ()),
    (programs.evaluates, (0,)),
    (programs.evaluates, (3,)),
    (programs.sees_locals, (1,)),
    (programs.finally_after_return, (1, ["out"])),
    (programs.finally_after_return, (7, [])),
    (programs.format_with_control_flow, (-4,)),
    (programs.format_with_control_flow, (7,)),
    *[(programs.handles_anything, (x,)) for x in (0, 2, "text")],
    (programs.reraises, (0,)),
    (programs.reraises, (1,)),
    (programs.reraises, (2,)),
    (programs.unbound_local, (0,)),
    (programs.unbound_local, (1,)),
    (programs.unbound_free, (0,)),
    (programs.unbound_free, (1,)),
    (programs.unbound_after_del, (0,)),
    (programs.unbound_after_del, (1,)),
    (programs.unbound_global, ()),
    (programs.late_binding, (3,)),
    (programs.chain_of_calls, ([3, 1, 2],)),
    (programs.lines_of_everything, (3, [3, 1])),
    (Private().run, ([1, 4, 5],)),
    (Child().area, (1,)),
    (Child().area, (9,)),
    (Child().through_nested, (3,)),
    (Parent.build, (0,)),
    (Parent.double, (4,)),
    (programs.partial_call, (2,)),
    (programs.factorial, ()),
    (programs.factorial, (1, 2)),
    (programs.signature, (1,)),
]


@pytest.mark.parametrize(("function", "arguments"), CALLS, ids=lambda value: getattr(value, "__name__", None))
def test_value_or_exception_is_the_same(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    twin, again = copy.deepcopy((function, arguments))
    function, arguments = copy.deepcopy((function, arguments))
    expected = outcome(function, *arguments)
    found = outcome(autograph.to_graph(twin), *again)
    assert repr(again) == repr(arguments)
    if isinstance(expected, Parent):
        expected, found = vars(expected), vars(found)
    assert found == expected


@pytest.mark.parametrize("make", [lambda: iter([1, 2, 3, 4]), lambda: (i for i in range(5)), lambda: iter([])])
def test_iterators_are_left_where_python_leaves_them(make: Callable[[], Any]) -> None:
    for function in (programs.leaves_iterator, programs.stops_inside):
        assert outcome(autograph.to_graph(function), make()) == outcome(function, make())


def test_a_list_may_grow_while_it_is_iterated() -> None:
    assert autograph.to_graph(programs.grows)([1, 2]) == programs.grows([1, 2])


def test_the_order_of_evaluation_is_kept() -> None:
    class Thing:
        def __init__(self, value: Any) -> None:
            self.value = value

    logs: list[list[Any]] = []
    for function in (programs.order_of_evaluation, autograph.to_graph(programs.order_of_evaluation)):
        seen: list[Any] = []

        def note(value: Any, seen: list[Any] = seen) -> Any:
            seen.append(repr(value))
            return Thing(value) if value == "object" else value

        seen.append(repr(function(note)))
        logs.append(seen)
    assert logs[0] == logs[1]


def test_closures_share_their_cells_with_the_original() -> None:
    bump, read = programs.counter_pair()
    converted = autograph.to_graph(bump)
    assert (converted(3), bump(2), converted(-1), read()) == (3, 5, 5, 5)
    assert any(cell is bump.__closure__[0] for cell in converted.__closure__)


def test_metadata_is_kept() -> None:
    original = programs.signature
    converted = autograph.to_graph(original)
    for name in (
        "__name__",
        "__qualname__",
        "__module__",
        "__doc__",
        "__annotations__",
        "__defaults__",
        "__kwdefaults__",
    ):
        assert getattr(converted, name) == getattr(original, name), name
    assert inspect.signature(converted) == inspect.signature(original)
    assert converted.__wrapped__ is original
    assert converted(1, 2, 3, c="c", e=5) == original(1, 2, 3, c="c", e=5)
    assert converted(1, 0, c="c") == []


def test_default_objects_are_shared_with_the_original() -> None:
    converted = autograph.to_graph(programs.collect)
    converted(1)
    programs.collect(2)
    assert converted(3) is programs.collect(None)
    assert programs.collect(None) == [1, 2, 3]
    by_keyword = autograph.to_graph(programs.keyword_collect)
    assert by_keyword(item="a") is programs.keyword_collect(item=None)


def test_methods_bound_and_unbound() -> None:
    child = Child()
    assert autograph.to_graph(Child.area)(child, 2) == child.area(2)
    assert autograph.to_graph(child.area)(2) == child.area(2)
    assert vars(autograph.to_graph(Child.build)(4)) == {"base": 4}
    assert isinstance(autograph.to_graph(Child.build)(4), Child)
    assert autograph.to_graph(Callable_())(3) == 3


def test_property_functions_convert() -> None:
    parent = Parent()
    autograph.to_graph(Parent.size.fset)(parent, "small")
    assert (parent.base, autograph.to_graph(Parent.size.fget)(parent)) == (1, "small")


@pytest.mark.parametrize("flag", [True, False])
def test_a_class_in_a_function(flag: bool) -> None:
    made, expected = autograph.to_graph(makes_class)(flag), makes_class(flag)
    assert (made.__name__, made.__qualname__, made.__doc__) == (
        expected.__name__,
        expected.__qualname__,
        expected.__doc__,
    )
    assert made.base == expected.base and made.pairs == expected.pairs and made.extra == expected.extra
    assert [made().area(x) for x in (0, 5)] == [expected().area(x) for x in (0, 5)]
    assert {name for name in vars(made)} == {name for name in vars(expected)}


@pytest.mark.parametrize(
    ("function", "word"),
    [
        (programs.numbers, "generator"),
        (programs.waits, "async"),
    ],
)
def test_what_cannot_be_converted_is_refused_with_line_and_reason(function: Callable[..., Any], word: str) -> None:
    with pytest.raises(UnsupportedSyntaxError) as caught:
        autograph.to_graph(function)
    error = caught.value
    assert word in str(error)
    assert error.filename == programs.__file__
    first = function.__code__.co_firstlineno
    assert first <= error.lineno <= first + 5
    assert error.reason and error.remedy
    assert isinstance(error, NotImplementedError)


def test_a_converted_function_converts_again_to_one_that_behaves_the_same() -> None:
    again = autograph.to_graph(autograph.to_graph(programs.factorial))
    assert again(5) == 120


def test_partial_objects() -> None:
    assert autograph.to_graph(functools.partial(programs.partial_target, 1))(2) == (3, 2, 1)


def test_the_traceback_shows_the_text_of_the_user() -> None:
    try:
        autograph.to_graph(programs.raises_deep)(1)
    except KeyError as error:
        shown = "".join(traceback.format_exception(error))
    assert "raise KeyError(total) from error" in shown
    assert "return [][i]" in shown
    assert "raise_it(" in shown
