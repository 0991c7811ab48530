"""Loop-invariant code is computed before its loop, where nobody can tell the difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.verify import verify
from runtime.passes import optimize
from runtime.passes.constant_state import fix_state
from tests.runtime.oracle import assert_agrees


def inside(graph: Graph) -> set[str]:
    """The types of the operations in the loops of a graph."""
    return {o.type for inner in nested_graphs(graph) if inner is not graph for o in inner.operations}


def before(graph: Graph) -> set[str]:
    return {o.type for o in graph.operations}


def scaled_sum(x, n):
    total = x * 0
    i = 0
    while i < n:
        total = total + tf.exp(x) * tf.cast(i, x.dtype)
        i += 1
    return total


def of_the_test(x, n):
    i = 0
    while tf.reduce_sum(tf.exp(x)) * tf.cast(i, x.dtype) < 100:
        i += n
    return i


def nest(x, n):
    total = x * 0
    for i in tf.range(n):
        for j in tf.range(n):
            total += tf.exp(x) + tf.sin(x * tf.cast(i, x.dtype)) * tf.cast(j, x.dtype)
    return total


def of_what_stays(x, n):
    kept = x + 1
    for _ in tf.range(n):
        x = x * 0.5 + tf.exp(kept)
    return x, kept


@pytest.mark.parametrize("program", [scaled_sum, of_the_test, nest, of_what_stays], ids=lambda f: f.__name__)
def test_what_never_changes_is_computed_once(program: Callable[..., Any]) -> None:
    x = np.array([0.5, -1.0, 2.0])
    function = tf.function(program)
    for n in (3, 1):
        found, wanted = function(tf.constant(x), tf.constant(n)), program(tf.constant(x), n)
        for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-14)
    graph = function.get_concrete_function(tf.constant(x), tf.constant(1)).optimized_graph
    assert "exp" in before(graph)
    assert "exp" not in inside(graph)


def test_what_the_outer_loop_changes_goes_before_the_inner_one() -> None:
    function = tf.function(nest)
    graph = function.get_concrete_function(tf.constant([1.0]), tf.constant(2)).optimized_graph
    (outer,) = [o.attributes["body_graph"] for o in graph.operations if o.type == "while"]
    (inner,) = [o.attributes["body_graph"] for o in outer.operations if o.type == "while"]
    assert "sin" in before(outer)
    assert "sin" not in before(inner)


def divided(x, n):
    total = x * 0
    for _ in tf.range(n):
        total += x // (n - n)
    return total


def element(x, n):
    total = x[0] * 0
    for _ in tf.range(n):
        total += x[n]
    return total


@pytest.mark.parametrize("program", [divided, element], ids=lambda f: f.__name__)
def test_what_can_raise_stays_in_a_loop_of_no_turn(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for _ in range(2):
        assert not np.any(function(tf.constant([3, 4]), tf.constant(0)))
        with pytest.raises((tf.errors.InvalidArgumentError, tf.errors.OutOfRangeError)):
            function(tf.constant([3, 4]), tf.constant(5))


def test_what_a_loop_writes_to_starts_anew_in_each_turn() -> None:
    @tf.function
    def program(x, n):
        total = x * 0
        for i in tf.range(n):
            row = tf.zeros_like(x)
            row[i] = x[i]
            total += row
        return total

    np.testing.assert_array_equal(program(tf.constant([1, 2, 3]), tf.constant(3)), [1, 2, 3])


def test_draws_and_reads_of_what_changes_stay() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def program(n):
        total = 0.0
        drawn = tf.zeros([2])
        for _ in tf.range(n):
            total += v * 2
            v.assign_add(1.0)
            drawn = tf.concat([drawn[1:], tf.random.uniform([1])], 0)
        return total, drawn

    total, drawn = program(tf.constant(3))
    assert total.numpy() == 12.0
    assert drawn[0].numpy() != drawn[1].numpy()


def test_gradients_go_through() -> None:
    x = tf.constant([0.5, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.function(nest)(x, tf.constant(3)))
    with tf.GradientTape() as plain:
        plain.watch(x)
        z = tf.reduce_sum(nest(x, tf.constant(3)))
    np.testing.assert_allclose(tape.gradient(y, x), plain.gradient(z, x), rtol=1e-6)


def test_numerics_are_checked_where_the_program_computes() -> None:
    @tf.function
    def program(x, n):
        total = x * 0
        for _ in tf.range(n):
            total += tf.math.log(x)
        return total

    tf.debugging.enable_check_numerics()
    try:
        assert program(tf.constant(-1.0), tf.constant(0)).numpy() == 0
        with pytest.raises(tf.errors.InvalidArgumentError, match="log"):
            program(tf.constant(-1.0), tf.constant(1))
    finally:
        tf.debugging.disable_check_numerics()


def test_each_rule_of_a_graph_holds_after_the_pass() -> None:
    for program in (scaled_sum, of_the_test, nest, of_what_stays):
        graph = tf.function(program).get_concrete_function(tf.constant([1.0]), tf.constant(2)).graph
        optimize(graph, verified=True)


def branch_on_what_stays(x, flag, n):
    total = x * 0
    for _ in tf.range(n):
        if flag:
            scale = tf.exp(x)
        else:
            scale = tf.sin(x)
        total = total + scale
    return total


def test_a_branch_on_what_never_changes_is_moved_as_a_whole() -> None:
    function = tf.function(branch_on_what_stays)
    given = np.array([0.5, -1.0])
    for flag in (True, False):
        for n in (0, 3):
            arguments = tf.constant(given), tf.constant(flag), tf.constant(n)
            np.testing.assert_allclose(function(*arguments), branch_on_what_stays(given, flag, n), rtol=1e-14)
    graph = function.get_concrete_function(*arguments).optimized_graph
    (loop,) = [o for o in graph.operations if o.type == "while"]
    assert "cond" in before(graph)
    assert not any(o.type == "cond" for inner in loop.subgraphs for o in inner.operations)


def test_what_is_in_a_branch_on_something_else_stays() -> None:
    def f(x, n):
        total = x * 0
        for i in tf.range(n):
            if i % 2 == 0:
                total = total + tf.exp(x)
        return total

    graph = tf.function(f).get_concrete_function(tf.constant([1.0]), tf.constant(3)).optimized_graph
    assert "exp" not in before(graph)


TYPES = "int32[], float32[2], float32[2]"

LOOP = f"""
graph main(%n: int32[], %x: float32[2], %w: float32[2]) -> (%r, %r:1, %r:2) {{
  %zero = constant() {{value=array int32[] [0]}} : int32[]
  %r = while(%zero, %w, %x, %n) {{cond_graph=@test, body_graph=@body, maximum_iterations=None}} : {TYPES}
}}
graph test(%i: int32[], %w: float32[2], %x: float32[2], %n: int32[]) -> (%l) {{ %l = less(%i, %n) : bool[] }}
graph body(%i: int32[], %w: float32[2], %x: float32[2], %n: int32[]) -> (%j, %w, %y) {{
  %one = constant() {{value=array int32[] [1]}} : int32[]
  %j = add(%i, %one) : int32[]
  %e = exp(%w) : float32[2]
  %y = multiply(%x, %e) : float32[2]
}}
"""


def test_state_that_never_changes_is_only_read() -> None:
    graph = Graph.from_text(LOOP.strip())
    found = fix_state(graph)
    verify(found)
    (loop,) = [o for o in found.operations if o.type == "while"]
    assert len(loop.outputs) == 2 and found.outputs[1] is found.inputs[2]
    assert [t.name for t in loop.attributes["body_graph"].inputs] == ["i:0", "x:0", "w:0", "n:0"]
    for n in (0, 3):
        given = [np.int32(n), np.array([1, 2], np.float32), np.array([0.5, 0], np.float32)]
        assert_agrees(graph, list(map(np.asarray, given)))
    main, rest = graph.as_text().split("\n}", 1)
    main = main.replace(TYPES, "int32[], float32[?], float32[2]")
    rest = rest.replace("%w: float32[2]", "%w: float32[?]").replace("exp(%w) : float32[2]", "exp(%w) : float32[?]")
    relaxed = f"{main}\n}}{rest}"
    less_known = Graph.from_text(relaxed)
    assert fix_state(less_known) is less_known


def test_state_that_only_it_reads_is_dropped() -> None:
    @tf.function
    def f(x, n):
        count = 0
        for _ in tf.range(n):
            count = count + 2
            x = x * 0.5
        return x

    graph = f.get_concrete_function(tf.constant([1.0]), tf.constant(3)).optimized_graph
    (loop,) = [o for o in graph.operations if o.type == "while"]
    assert len(loop.outputs) == 2  # the position and x


def test_a_loop_stays_in_a_loop_that_may_make_no_turn() -> None:
    def f(x, n, step):
        total = x
        for _ in tf.range(n):
            k = x
            while k < 10:
                k = k + step
            total = total + k
        return total

    function = tf.function(f)
    assert function(tf.constant(1), tf.constant(2), tf.constant(3)).numpy() == f(1, 2, 3)
    graph = function.get_concrete_function(tf.constant(1), tf.constant(2), tf.constant(3)).optimized_graph
    assert sum(o.type == "while" for o in graph.operations) == 1
    assert function(tf.constant(1), tf.constant(0), tf.constant(0)).numpy() == 1  # where the inner one had no end
