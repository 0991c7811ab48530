"""Errors that come when a graph runs show all lines of the user that led to the operation, as Python would."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf


def divide(a: Any) -> Any:
    b = a * 2
    return 10 // b


def through_a_helper(x: Any) -> Any:
    y = x + 1
    return divide(y) + 1


def through_a_branch_and_a_loop(x: Any) -> Any:
    total = x
    for i in range(x + 3):
        if i > 1:
            total = total + divide(x)
    return total


def positive(x: Any) -> Any:
    if x <= 0:
        raise ValueError(f"found {x}")
    return x


def checked(x: Any) -> Any:
    return positive(
        x + 1
    )


def raises_in_a_helper(x: Any) -> Any:
    while x < 5:
        x = x + checked(x)
    return x


def asserts(x: Any) -> Any:
    assert x > 3, "too small"
    return x


def asserts_in_a_helper(x: Any) -> Any:
    return asserts(x) + 1


def recursive(x: Any, n: int) -> Any:
    if n == 0:
        return 10 // x
    return recursive(x, n - 1)


def recursion(x: Any) -> Any:
    return recursive(x, 2)


def computes_on_the_way(x: Any, n: int) -> Any:
    x = x + 1
    if n == 0:
        return 10 // x
    below = computes_on_the_way(x, n - 1) * 2
    return below + divide(below - 74)


def down_and_up(x: Any) -> Any:
    return computes_on_the_way(x, 3)


class Model:
    def __init__(self, scale: int) -> None:
        self.scale = scale

    def __call__(self, x: Any) -> Any:
        return self.step(x) * self.scale

    def step(self, x: Any) -> Any:
        return divide(x)


def in_methods(x: Any) -> Any:
    return Model(3)(x)


def in_a_comprehension(x: Any) -> Any:
    return sum([divide(x + i) for i in (1, 0)])


inner = tf.function(divide)


def in_another_function(x: Any) -> Any:
    return inner(x) + 1


def lines_of(call: Callable[..., Any], *args: Any) -> tuple[BaseException, list[tuple[str, int | None]]]:
    with pytest.raises(Exception) as caught:
        call(*args)
    frames = [f for f in traceback.extract_tb(caught.value.__traceback__) if f.filename == __file__]
    return caught.value, [(f.name, f.lineno) for f in frames if f.name != "lines_of"]


@pytest.mark.parametrize(
    ("program", "x"),
    [
        (through_a_helper, -1), (through_a_branch_and_a_loop, 0), (raises_in_a_helper, -1), (asserts_in_a_helper, 2),
        (recursion, 0), (in_methods, 0), (down_and_up, -4), (down_and_up, -3),
    ],
)  # fmt: skip
def test_the_lines_are_those_of_python(program: Callable[..., Any], x: int) -> None:
    expected, lines = lines_of(program, x)
    error, found = lines_of(tf.function(program), tf.constant(x))
    assert isinstance(error, type(expected))
    assert found == lines
    text = "".join(traceback.format_exception(error))
    assert "/runtime/" not in text.replace(__file__, "") and text.count("Traceback") == 1
    assert f"{__file__}:{lines[-1][1]} in {lines[-1][0]}" in text, "the note names the innermost line"


def test_the_lines_of_a_comprehension_and_of_another_function() -> None:
    first = {f.__name__: f.__code__.co_firstlineno for f in (divide, in_a_comprehension, in_another_function)}
    for program in (in_a_comprehension, in_another_function):
        _, found = lines_of(tf.function(program), tf.constant(0))
        shown = [(name, (line or 0) - first[name]) for name, line in found if name in first]
        assert shown == [(program.__name__, 1), ("divide", 2)]


def test_errors_of_the_optimised_graph_have_their_lines() -> None:
    def program(x):
        a = divide(x)
        return a + divide(x)  # the same operation: made once

    _, found = lines_of(tf.function(program), tf.constant(0))
    assert [name for name, _ in found] == ["program", "divide"]


def test_callers_are_shared_and_cheap() -> None:
    def helper(x: Any) -> Any:
        return x * 2 + 1 - x

    def program(x: Any) -> Any:
        for _ in range(300):
            x = helper(x)
        return x

    graph = tf.function(program).get_concrete_function(tf.constant(1)).graph
    made = [o.location for o in graph.operations if o.type == "multiply"]
    assert all(place.caller is not None and place.caller.function == "program" for place in made)
    same = [o.location for o in graph.operations if o.location is not None and o.location.function == "helper"]
    assert len({id(place) for place in same}) <= 300, "what one call records on a line has one location"


def test_a_trace_leaves_no_frames_behind() -> None:
    import gc
    import weakref

    class Held:
        pass

    held = Held()
    reference = weakref.ref(held)

    def program(x, held=held):
        return divide(x + 1)

    staged = tf.function(program)
    staged(tf.constant(1))
    del staged, program, held
    gc.collect()
    assert reference() is None


def test_callers_are_looked_up_once_for_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    from runtime.graph import location

    asked: list[Any] = []
    real = location._enter
    monkeypatch.setattr(location, "_enter", lambda *frames: asked.append(frames) or real(*frames))

    def helper(x: Any) -> Any:
        x = x + x - x * x + x
        return x * 2 - 1 + x

    def program(x: Any) -> Any:
        return helper(helper(x))

    graph = tf.function(program).get_concrete_function(tf.constant(1)).graph
    assert len(graph.operations) > 14 and len(asked) <= 4


def test_callers_of_deep_recursion_take_work_by_its_depth() -> None:
    from runtime.graph import location

    def below(x: Any, n: int) -> Any:
        return x if n == 0 else below(x + 1, n - 1)

    def frames_seen(depth: int) -> int:
        before = location.is_own.cache_info().hits
        graph = tf.function(lambda x: below(x, depth)).get_concrete_function(tf.constant(1)).graph
        place = next(o.location for o in reversed(graph.operations) if o.type == "add")
        assert [line.function for line in place.lines()][1:] == ["below"] * depth
        return location.is_own.cache_info().hits - before

    frames_seen(1)
    small, large, larger = map(frames_seen, (10, 20, 40))
    assert larger - large < 2.3 * (large - small), (small, large, larger)
