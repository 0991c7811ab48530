"""Functions that ask who called them get the user's answer; recursion goes as deep as in the original."""

from __future__ import annotations

import collections
import enum
import inspect
import logging
import sys
import threading
import typing
import warnings
from typing import Any

import pytest

import autograph
from autograph.depth import raise_limit, restore_limit

LOGGER = logging.getLogger("tests.callers")


def first_line(function: Any) -> int:
    return int(function.__code__.co_firstlineno)


def warns(level: int, deep: bool) -> None:
    if deep:
        for _ in range(1):
            warnings.warn("old", DeprecationWarning, stacklevel=level)  # line 3
    else:
        warnings.warn("old", DeprecationWarning, level)  # line 5


def calls_warns(level: int, deep: bool) -> None:
    while True:
        warns(level, deep)  # line 2
        break


def calls_calls(level: int, deep: bool) -> None:
    calls_warns(level, deep)  # line 1


@pytest.mark.parametrize("deep", [True, False])
@pytest.mark.parametrize("level", [-1, 1, 2, 3, 50])
def test_warnings_name_the_line_of_the_original(level: int, deep: bool) -> None:
    places = []
    for function in (calls_calls, autograph.to_graph(calls_calls)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(level, deep)
        places.append((caught[0].filename, caught[0].lineno))
    assert places[0] == places[1]
    if level == 2:
        assert places[0] == (__file__, first_line(calls_warns) + 2)


def warns_by_default(x: int) -> None:
    if x:
        warnings.warn("simple")


def test_a_warning_without_level() -> None:
    with pytest.warns(UserWarning) as caught:
        autograph.to_graph(warns_by_default)(1)
    assert (caught[0].filename, caught[0].lineno) == (__file__, first_line(warns_by_default) + 2)


def wrong_level(x: int) -> None:
    warnings.warn("simple", stacklevel="one")


def test_a_wrong_level_is_pythons_error() -> None:
    with pytest.raises(TypeError) as pythons:
        wrong_level(1)
    with pytest.raises(TypeError) as ours:
        autograph.to_graph(wrong_level)(1)
    assert str(ours.value) == str(pythons.value)


def logs(x: int) -> None:
    for _ in range(1):
        if x:
            LOGGER.warning("a %s", x)  # line 3
            logging.getLogger("tests.callers").error("b", stacklevel=2)  # line 4
    logging.log(logging.WARNING, "c")  # line 5
    LOGGER.info("not shown")


def calls_logs(x: int) -> None:
    logs(x)  # line 1


def test_log_records_name_the_line_of_the_original(caplog: pytest.LogCaptureFixture) -> None:
    places = []
    for function in (calls_logs, autograph.to_graph(calls_logs)):
        caplog.clear()
        function(1)
        places.append([(r.getMessage(), r.pathname, r.lineno, r.funcName) for r in caplog.records])
    assert places[0] == places[1]
    assert [line - first_line(logs) for _, _, line, name in places[1] if name == "logs"] == [3, 5]


def depth(n: int) -> int:
    if n > 0:
        return depth(n - 1) + 1
    return 0


def endless(n: int) -> int:
    if n > 0:
        return endless(n + 1)
    return n


def test_recursion_goes_as_deep_as_in_the_original() -> None:
    frame: Any = sys._getframe()
    used = 0
    while frame is not None:
        frame, used = frame.f_back, used + 1
    n = sys.getrecursionlimit() - used - 20
    assert autograph.to_graph(depth)(n) == depth(n) == n


def test_endless_recursion_ends_and_the_limit_comes_back() -> None:
    before = sys.getrecursionlimit()
    with pytest.raises(RecursionError):
        autograph.to_graph(endless)(1)
    assert sys.getrecursionlimit() == before


def test_the_limit_is_the_largest_that_is_asked_for() -> None:
    before = sys.getrecursionlimit()
    first = raise_limit(times=5)
    second = raise_limit(frames=before * 20)
    third = raise_limit(times=2)
    assert sys.getrecursionlimit() == before * 20
    restore_limit(first)
    restore_limit(third)
    assert sys.getrecursionlimit() == before * 20
    first = raise_limit(times=5)
    restore_limit(second)
    assert sys.getrecursionlimit() == before * 5
    restore_limit(first)
    assert sys.getrecursionlimit() == before


def test_a_limit_set_by_the_user_stays() -> None:
    before = sys.getrecursionlimit()
    need = raise_limit(times=5)
    sys.setrecursionlimit(before + 77)
    restore_limit(need)
    assert sys.getrecursionlimit() == before + 77
    sys.setrecursionlimit(before)


def test_many_threads_leave_the_limit_as_it_was() -> None:
    before = sys.getrecursionlimit()
    converted = autograph.to_graph(depth)

    def work() -> None:
        for n in range(200):
            assert converted(n % 7) == n % 7

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert sys.getrecursionlimit() == before


def makes_classes(n: int) -> list[Any]:
    point = collections.namedtuple("point", "x y")
    color = enum.Enum("color", "red green")
    kinds: list[Any] = [point, color, typing.NamedTuple("record", [("x", int)]), typing.TypeVar("T")]
    if n:
        kinds += [typing.NewType("number", int)]
        kinds += [type("plain", (), {}), type(point)("again", (point,), {}), typing.TypedDict("table", {"a": int})]
    return [*[kind.__module__ for kind in kinds], color(1).name, type(n)]


def test_classes_made_by_a_call_belong_to_the_module_of_the_user() -> None:
    found = autograph.to_graph(makes_classes)(1)
    assert found == makes_classes(1)
    assert set(found[:8]) == {__name__}


def looks_at_its_frame(n: int) -> Any:
    if n:
        return sys._getframe().f_lineno, inspect.currentframe().f_code.co_name  # type: ignore[union-attr]


def test_a_function_that_looks_at_its_own_frame_finds_it() -> None:
    assert autograph.to_graph(looks_at_its_frame)(1) == looks_at_its_frame(1)


def fails_in_the_library(category: Any) -> None:
    if category:
        warnings.warn("text", category)
    else:
        collections.namedtuple("point", "1 2")


@pytest.mark.parametrize("category", [3, None])
def test_the_traceback_of_a_function_that_was_told_its_caller_shows_no_operators(category: Any) -> None:
    places = []
    for function in (fails_in_the_library, autograph.to_graph(fails_in_the_library)):
        with pytest.raises((TypeError, ValueError)) as caught:
            function(category)
        places.append([(str(entry.path), entry.lineno) for entry in caught.traceback[1:]])
    assert places[0] == places[1] != []
