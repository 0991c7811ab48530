"""While nothing is staged, a converted function runs the user's own statements; otherwise the converted ones."""

from __future__ import annotations

import contextlib
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import autograph
from autograph import operators
from autograph.operators import stager
from autograph.template import is_artifact
from tests.autograph.recording_stager import RecordingStager

pytestmark = pytest.mark.as_written


def caller() -> Any:
    frame = sys._getframe(1)
    return frame.f_code, list(frame.f_locals)


def runs_operators(function: Callable[..., Any], *arguments: Any) -> bool:
    """Whether an operator is called in a call of the function: its frames are those of this package."""
    seen: list[str] = []

    def entered(frame: Any, event: str, argument: Any) -> None:
        if event == "call" and frame.f_globals["__name__"] == "autograph.operators.scope":
            seen.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(entered)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return "__enter__" in seen


def absolute(x: Any) -> Any:
    if x > 0:
        y = x
    else:
        y = -1 * x
    return y


def keywords(a: Any, /, b: Any = 0, *rest: Any, c: Any = 0, **more: Any) -> Any:
    if b:
        return b
    return a, rest, c, more


def opens(x: Any, manager: Any) -> Any:
    with manager:
        return x if x else 0


def names(x: Any) -> Any:
    y = 1 if x else 2
    return sorted(locals())


class Secret:
    def __init__(self, value: int) -> None:
        self.__value = value

    def add(self, __more: int) -> int:
        if __more:
            self.__value += __more
        return self.__value


class Louder(Secret):
    def add(self, more: int) -> int:
        if more:
            return super().add(more) * 10
        return 0


def test_plain_values_meet_no_operator() -> None:
    made = autograph.to_graph(absolute)
    assert is_artifact(made.__code__)
    assert made(-3) == 3 and not runs_operators(made, -3)


def test_the_converted_statements_are_still_there() -> None:
    made = autograph.to_graph(absolute)
    with operators.as_written.converted_statements():
        assert runs_operators(made, -3) and made(-3) == 3
    assert not runs_operators(made, -3)


@pytest.mark.parametrize("place", range(5))
def test_a_value_of_a_stager_is_staged_whatever_parameter_it_is(place: int) -> None:
    recorder = RecordingStager()
    arguments: list[Any] = [0, 0, 1, 0, 0]
    arguments[place] = recorder.symbol("s")
    a, b, rest, c, more = arguments
    made = autograph.to_graph(keywords)
    assert runs_operators(lambda: made(a, b, rest, c=c, d=more))
    assert bool(recorder.lines) == (place == 1)


def test_values_are_staged_while_a_stager_traces() -> None:
    token = stager.tracing_stager.set(stager.PYTHON)
    try:
        assert runs_operators(autograph.to_graph(absolute), -3)
    finally:
        stager.tracing_stager.reset(token)


def test_values_of_a_registered_class_may_come_from_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stager, "_is_used", False)
    recorder = RecordingStager()

    class Foreign:
        def __gt__(self, other: Any) -> Any:
            return recorder.symbol("foreign > 0")

    def made_inside() -> Any:
        y = 1
        if Foreign() > 0:
            y = 2
        return y

    operators.register_stager("tests.no_such_module.Class", recorder)
    assert runs_operators(autograph.to_graph(absolute), -3)
    autograph.to_graph(made_inside)()
    assert recorder.lines


def test_a_with_may_begin_a_trace_so_what_is_inside_is_converted() -> None:
    class Tracing:
        def __enter__(self) -> None:
            self.token = stager.tracing_stager.set(stager.PYTHON)

        def __exit__(self, *error: Any) -> None:
            stager.tracing_stager.reset(self.token)

    assert runs_operators(autograph.to_graph(opens), 1, Tracing())


def test_what_lists_variables_lists_the_users() -> None:
    assert autograph.to_graph(names)(1) == names(1) == ["x", "y"]


def test_the_frame_is_that_of_the_user() -> None:
    def f(x: Any) -> Any:
        total = 0
        for item in [1, 2]:
            total += item
        return caller()

    made = autograph.to_graph(f)
    code, variables = made(1)
    assert code is made.__code__ and code.co_name == "f"
    assert sorted(variables) == sorted(f(1)[1])


def test_private_names_and_super() -> None:
    for kind in (Secret, Louder):
        expected = [kind(1).add(2), kind(1).add(0)]
        assert [autograph.to_graph(kind(1).add)(2), autograph.to_graph(kind(1).add)(0)] == expected


def test_an_error_shows_the_line_of_the_user_and_no_other() -> None:
    def f(x: Any) -> Any:
        if x:
            return 1 // 0
        return x

    for made in (autograph.to_graph(f), autograph.convert()(f)):
        with pytest.raises(ZeroDivisionError) as caught:
            made(1)
        lines = [entry.line for entry in traceback.extract_tb(caught.tb) if entry.name == "f"]
        assert lines == ["return 1 // 0"]


def test_a_warning_names_the_caller() -> None:
    def f(x: Any) -> Any:
        if x:
            warnings.warn("old", UserWarning, stacklevel=2)
        return x

    with pytest.warns(UserWarning, match="old") as caught:
        autograph.to_graph(f)(1)
    assert caught[0].filename == __file__


def who() -> Any:
    frame = sys._getframe(1)
    return frame.f_globals["__name__"], frame.f_code.co_name


def test_a_function_that_asks_who_called_it_finds_the_user() -> None:
    def f(manager: Any) -> Any:
        with manager:
            return who()

    def g(x: Any) -> Any:
        return who() if x else None

    assert autograph.to_graph(f)(contextlib.nullcontext()) == (__name__, "f")
    assert autograph.to_graph(g)(1) == (__name__, "g")


def test_a_recursion_goes_as_deep_as_without_conversion() -> None:
    @autograph.convert(recursive=True)
    def descend(depth: int) -> int:
        if depth == 0:
            return 0
        return 1 + descend(depth - 1)

    limit = sys.getrecursionlimit()
    assert descend(limit - 250) == limit - 250
    assert sys.getrecursionlimit() == limit


def test_global_and_nonlocal_names() -> None:
    count = 0

    def f(x: Any) -> Any:
        nonlocal count
        global _seen
        if x:
            count += x
            _seen = count
        return count

    assert autograph.to_graph(f)(2) == 2 and count == 2 and _seen == 2


_seen = 0


def test_the_text_has_the_converted_statements_alone() -> None:
    assert "runs_as_written" not in autograph.to_code(absolute)


def test_a_call_that_explains_itself_is_converted() -> None:
    assert "if" in str(autograph.explain(absolute, 3))
