"""Tracebacks of converted code are those of the original: same functions, same lines, same words.

PYTEST_DONT_REWRITE: the words of an assertion are to be Python's.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

import autograph

from .recording_stager import RecordingStager


def entries(function: Callable[..., Any], *args: Any) -> list[tuple[str, int | None, str | None]]:
    """File, line and function of each entry of the traceback, from the function on."""
    try:
        function(*args)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)[1:]
        return [(frame.filename, frame.lineno, frame.name) for frame in frames]
    raise AssertionError("no exception")


def nested(x: int) -> int:
    for i in range(3):
        while i == x:
            if i > 0:
                return helper(i)
            elif i == 0:
                assert x > 0, "zero"
    return [][x]


def helper(x: int) -> int:
    for _ in range(x):
        if x > 1:
            for _ in x:
                pass
        else:
            return inner_error(x)


def inner_error(x: int) -> int:
    def inner(y: int) -> int:
        if y:
            return 1 // (x - y)
        return y

    return inner(x)


def thunks(x: int) -> Any:
    return x > 0 and (1 if x == 1 else missing(x))  # noqa: F821


def undefined(x: int) -> int:
    if x > 5:
        y = 1
    return y


def free(x: int) -> int:
    def reads() -> int:
        if x > 0:
            return y
        return 0

    if x > 5:
        y = 1
    return reads()


def chained(x: int) -> int:
    try:
        return nested(x)
    except ZeroDivisionError as error:
        if x:
            raise KeyError(x) from error
    return 0


def comprehends(x: int) -> Any:
    for _ in range(x):
        return [helper(i) for i in range(x)], {i: 1 // (i - x) for i in range(x + 1)}


def native(x: int) -> Any:
    if x:
        return sorted([2, x], key=lambda y: inner_error(y - 1))


def recursive(n: int) -> int:
    if n:
        return recursive(n - 1)
    raise ValueError(n)


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (nested, (0,)),
    (nested, (1,)),
    (nested, (2,)),
    (nested, (7,)),
    (thunks, (3,)),
    (undefined, (1,)),
    (free, (1,)),
    (chained, (1,)),
    (recursive, (5,)),
    (comprehends, (2,)),
    (comprehends, (1,)),
    (native, (2,)),
    (lambda x: inner_error(x), (1,)),
]


@pytest.mark.parametrize(("function", "args"), CASES)
def test_entries_are_those_of_the_original(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    ours = entries(autograph.to_graph(function), *args)
    if function.__name__ == "<lambda>":  # its body is a function of its own
        ours = [entry for number, entry in enumerate(ours) if entry not in ours[:number]]
    assert ours == entries(function, *args)


@pytest.mark.parametrize(("function", "args"), CASES)
def test_type_and_words_are_those_of_the_original(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    with pytest.raises(Exception) as pythons:
        function(*args)
    with pytest.raises(Exception) as ours:
        autograph.to_graph(function)(*args)
    assert (ours.type, str(ours.value)) == (pythons.type, str(pythons.value))
    assert type(ours.value.__cause__) is type(pythons.value.__cause__)
    assert type(ours.value.__context__) is type(pythons.value.__context__)


def test_the_shown_text_is_that_of_the_original() -> None:
    shown = []
    for function in (nested, autograph.to_graph(nested)):
        try:
            function(2)
        except TypeError as error:
            error.__traceback__ = error.__traceback__.tb_next
            shown.append("".join(traceback.format_exception(error)))
    lines = [[line for line in text.splitlines() if set(line) - set(" ~^")] for text in shown]
    assert lines[0] == lines[1]


def staged(x: Any) -> Any:
    if x:
        return helper(2)
    return x


def test_the_frames_of_a_stager_are_left_for_those_who_write_it() -> None:
    names = [name for _, _, name in entries(autograph.to_graph(staged), RecordingStager().symbol("x"))]
    assert names[0] == "staged"
    assert {"if_stmt", "run", "helper"} <= set(names)
