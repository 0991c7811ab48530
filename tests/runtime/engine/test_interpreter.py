"""The backend "interpreter" in Functions: values, Variables, recursion, and errors with the user's line."""

from __future__ import annotations

import sys
import traceback

import numpy as np
import pytest

import runtime as tf
from runtime.backends import backend_named
from runtime.graph.graph import Graph


def interpreted(function):
    return tf.function(function, backend="interpreter")


def halved(x, n):
    for i in range(n):
        if x > 10:
            x = x // (n - i - 3)
        else:
            x = x * 2
    return x


def test_control_flow() -> None:
    staged = interpreted(halved)
    for x, n in [(3, 2), (30, 1), (0, 0), (100, 2), (5, 4)]:
        assert staged(tf.constant(x), tf.constant(n)).numpy() == halved(x, n)
    assert staged.experimental_get_tracing_count() == 1


def failure(staged, *arguments):
    """What is shown of an error: its class and text, its notes, and the user's lines in its traceback."""
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        staged(*map(tf.constant, arguments))
    frames = [(f.lineno, f.name) for f in traceback.extract_tb(caught.value.__traceback__) if f.filename == __file__]
    return type(caught.value), str(caught.value), caught.value.__notes__, frames[1:]


def test_an_error_shows_the_users_line_as_that_of_a_plan_does() -> None:
    found = failure(interpreted(halved), 3000, 8)
    assert "division by zero" in found[1] and "in operation 'floordiv', at " in found[2][0]
    assert [name for _, name in found[3]][-1] == "halved"
    assert found == failure(tf.function(halved, backend="numpy"), 3000, 8)


def test_what_numpy_raises_becomes_an_error_of_ours() -> None:
    staged = interpreted(lambda x, n: tf.eye(n, 3) + x)
    concrete = staged.get_concrete_function(tf.TensorSpec(None, tf.float32), tf.TensorSpec(None, tf.int32))
    with pytest.raises(tf.errors.InvalidArgumentError, match="eye: "):
        concrete(tf.constant(1.0), tf.constant([1, 2]))


def test_handlers_take_what_they_take_in_python() -> None:
    def f(x, y):
        try:
            z = x // y
        except ZeroDivisionError:
            z = -1
        except ValueError:
            z = -2
        return z

    assert [interpreted(f)(tf.constant(7), tf.constant(y)).numpy() for y in (2, 0)] == [3, -1]


def test_a_bare_raise_and_the_text_of_what_was_caught(capsys) -> None:
    def f(x):
        try:
            if x < 0:
                raise ValueError(f"negative: {x}")
        except ValueError as error:
            tf.print("caught", str(error), output_stream=sys.stdout)
            raise
        return x

    staged = interpreted(f)
    assert staged(tf.constant(1)).numpy() == 1
    with pytest.raises(ValueError, match="negative: -1"):
        staged(tf.constant(-1))
    assert capsys.readouterr().out == "caught negative: -1\n"


def test_variables() -> None:
    v = tf.Variable([1.0, 2.0])

    @interpreted
    def step(x):
        before = v.value()
        v.assign_add(x)
        v[0].assign(7.0)
        return before, v * 2

    before, after = step(tf.constant([1.0, 1.0]))
    assert before.numpy().tolist() == [1, 2] and after.numpy().tolist() == [14, 6] and v.numpy().tolist() == [7, 3]


def depth(n):
    return 0 if n < 1 else 1 + depth(n - 1)


def endless(n):
    return 0 if n == -1 else 1 + endless(n + 1)


def test_recursion() -> None:
    assert interpreted(depth)(tf.constant(200)).numpy() == 200
    with pytest.raises(RecursionError, match="exceeded in calls of 'endless'"):
        interpreted(endless)(tf.constant(0))


def test_whole_numbers_are_exact_in_between() -> None:
    def generator(n):
        s = 1
        for _ in range(n):
            s = (s * 6364136223846793 + 1442695) % 9223372036854775
        return s

    assert interpreted(generator)(tf.constant(9)).numpy() == generator(9)

    def factorial(n):
        s = 1
        for i in range(n):
            s = s * (i + 1)
        return s

    with pytest.raises(tf.errors.IntegerRangeError):
        interpreted(factorial)(tf.constant(30))


def test_the_source_of_its_plan_is_the_graph() -> None:
    graph = Graph.from_text("graph f(%x: float32[]) -> (%y) { %y = negative(%x) : float32[] }")
    engine = backend_named("interpreter")
    plan = engine.compile(graph)
    assert plan.source == graph.as_text() and engine.refuses(graph) == []
    assert plan.function(np.float32(2)) == (np.float32(-2),)


def test_gradients_and_graphs_that_nest_deeply() -> None:
    @interpreted
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(3):
                y = y * x
        return tape.gradient(y, x)

    assert slope(tf.constant(2.0)).numpy() == 32
    text = "graph g0(%x: float32[]) -> (%y) { %y = negative(%x) : float32[] }\n"
    for i in range(1, 190):
        text += (
            f"graph g{i}(%x: float32[]) -> (%y) {{\n%k = constant() {{value=array bool[] [True]}} : bool[]\n"
            f"%y = cond(%k, %x) {{then_graph=@g{i - 1}, else_graph=@g{i - 1}}} : float32[]\n}}\n"
        )
    blocks = text.strip().split("\ngraph ")
    graph = Graph.from_text("graph " + "\ngraph ".join(b.removeprefix("graph ") for b in reversed(blocks)))
    assert backend_named("interpreter").compile(graph).function(np.float32(3)) == (np.float32(-3),)
