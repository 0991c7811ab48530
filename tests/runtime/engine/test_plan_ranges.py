"""Integers whose range is known: plans leave out tests for what cannot happen, and never one for what can."""

from __future__ import annotations

import random
from typing import Any
from unittest import mock

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import DType, bool_, int8, int16, int32, int64, uint8, uint32
from runtime.engine import ranges, scalars
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from runtime.tensor.symbolic import SymbolicTensor
from tests.runtime.oracle import assert_agrees

DTYPES = (int8, int8, uint8, int16, int32, uint32, int64)
"""Mostly small ones: what can overflow there does."""

BINARY = ("add", "subtract", "multiply", "add", "subtract", "multiply", "floordiv", "floormod", "maximum", "minimum",
          "bitwise_and", "bitwise_or")  # fmt: skip
UNARY = ("negative", "abs", "square", "identity", "invert")
COMPARISONS = ("less", "less_equal", "greater", "greater_equal")


class Author:
    """Writes a graph of loops and branches over scalars of one integer dtype, with starts and limits at its ends."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.dtype: DType = self.random.choice(DTYPES)

    def number(self) -> np.ndarray:
        low, high = int(self.dtype.min), int(self.dtype.max)
        near = self.random.randint(0, 4)
        choices = [low + near, high - near, near, max(low, -near), self.random.randint(low, high)]
        return np.array(self.random.choice(choices), self.dtype.numpy)

    def graph(self) -> tuple[Graph, list[np.ndarray]]:
        graph = Graph("integers")
        pool = [graph.placeholder(self.dtype, [], "x") for _ in range(3)]
        self.grow(graph, pool, 0)
        graph.outputs = pool[-4:]
        return graph, [self.number() for _ in range(3)]

    def grow(self, graph: Graph, pool: list[SymbolicTensor], depth: int) -> None:
        for _ in range(self.random.randint(1, 6)):
            chance = self.random.random()
            if chance < 0.35 and depth < 2:
                pool += self.loop(graph, pool, depth)
            elif chance < 0.45 and depth < 2:
                pool += self.branch(graph, pool, depth)
            elif chance < 0.6:
                pool.append(graph.constant(self.number()))
            else:
                pool += self.number_made(graph, pool)

    def pick(self, graph: Graph, pool: list[SymbolicTensor]) -> SymbolicTensor:
        if self.random.random() < 0.3:
            return graph.constant(self.number())
        return self.random.choice(pool[-4:] if self.random.random() < 0.6 else pool)

    def number_made(self, graph: Graph, pool: list[SymbolicTensor]) -> list[SymbolicTensor]:
        if self.random.random() < 0.3:
            name = self.random.choice(UNARY if not self.dtype.is_unsigned else UNARY[2:])
            return self.add(graph, name, [self.pick(graph, pool)])
        name = self.random.choice(BINARY)
        a, b = self.pick(graph, pool), self.pick(graph, pool)
        if name.startswith("floor"):
            b = graph.constant(np.array(self.random.choice([1, 2, 7, int(self.dtype.max)]), self.dtype.numpy))
        return self.add(graph, name, [a, b])

    @staticmethod
    def add(graph: Graph, name: str, inputs: list[SymbolicTensor], **attributes: Any) -> list[SymbolicTensor]:
        return list(graph.add(REGISTRY[name], inputs, attributes).outputs)

    def condition(self, graph: Graph, pool: list[SymbolicTensor]) -> SymbolicTensor:
        name = self.random.choice(COMPARISONS)
        (found,) = self.add(graph, name, [self.random.choice(pool), self.pick(graph, pool)])
        if self.random.random() < 0.3:
            (found,) = self.add(graph, "logical_and", [found, self.condition(graph, pool)])
        return found

    def inner(self, name: str, outer: Graph, count: int) -> Graph:
        graph = Graph.within(outer, name)
        for _ in range(count):
            graph.placeholder(self.dtype, [], "p")
        return graph

    def branch(self, graph: Graph, pool: list[SymbolicTensor], depth: int) -> list[SymbolicTensor]:
        operands = [self.pick(graph, pool) for _ in range(3)]
        graphs = []
        for name in ("then", "else"):
            inner = self.inner(name, graph, 3)
            inside = list(inner.inputs)
            self.grow(inner, inside, depth + 1)
            inner.outputs = inside[-2:]
            graphs.append(inner)
        attributes = {"then_graph": graphs[0], "else_graph": graphs[1]}
        return self.add(graph, "cond", [self.condition(graph, pool), *operands], **attributes)

    def loop(self, graph: Graph, pool: list[SymbolicTensor], depth: int) -> list[SymbolicTensor]:
        operands = [self.pick(graph, pool) for _ in range(4)]
        test, body = self.inner("test", graph, 4), self.inner("body", graph, 4)
        test.outputs = [self.condition(test, list(test.inputs))]
        subtracts = self.random.random() < 0.4
        if self.random.random() < 0.5:  # what only counts, up to a limit that is near the end of the dtype
            end, way = (int(self.dtype.min), 1) if subtracts else (int(self.dtype.max), -1)
            for i in (0, 2):
                operands[i] = graph.constant(np.array(end + way * self.random.randint(0, 5), self.dtype.numpy))
            name = self.random.choice(COMPARISONS[2:] if subtracts else COMPARISONS[:2])
            test.outputs = self.add(test, name, [test.inputs[0], test.inputs[2]])
        inside = list(body.inputs)
        self.grow(body, inside, depth + 1)
        step = body.constant(np.array(self.random.choice([1, 1, 1, 2, 3, 100]), self.dtype.numpy))
        (following,) = self.add(body, "subtract" if subtracts else "add", [body.inputs[0], step])
        body.outputs = [following, inside[-1]]
        limit = self.random.choice([0, 1, 3, 12])
        attributes = {"cond_graph": test, "body_graph": body, "maximum_iterations": limit}
        return self.add(graph, "while", operands, **attributes)


NOTICES_A_STEP = 322
"""A program that notices a wrong step, which few do: it is tried first, to save time."""


def disagrees(seed: int) -> bool:
    graph, arguments = Author(seed).graph()
    try:
        assert_agrees(graph, arguments)
    except (AssertionError, OverflowError):
        return True
    return False


QUICK, ALL, TOGETHER = 50, 800, 50
LATER = [pytest.param(start, marks=pytest.mark.slow) for start in range(QUICK, ALL, TOGETHER)]


@pytest.mark.parametrize("start", [*range(0, QUICK, TOGETHER), *LATER])
def test_integers_are_those_of_the_interpreter(start: int) -> None:
    for seed in range(start, start + TOGETHER):
        graph, arguments = Author(seed).graph()
        assert_agrees(graph, arguments)


SIDES = {op: (below, distance - 1 if below else distance + 1) for op, (below, distance) in ranges.SIDES.items()}


@pytest.mark.parametrize(
    ("target", "name", "wrong"),
    [
        (ranges, "SIDES", SIDES),
        (ranges, "range_of", lambda value: (0, 5)),
        (ranges, "step_of", lambda state, following: 1),
        (ranges, "_product", lambda a, b: (a[0] * b[0], a[1] * b[1])),
        (ranges, "_limits", lambda test, operands, states: {i: (-9, 9) for i in range(states)}),
        (scalars, "within", lambda inner, outer: True),
        (scalars, "waiting", lambda graph: {id(t) for o in graph.operations for t in o.outputs}),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_planted_defect_is_found(target: Any, name: str, wrong: Any) -> None:
    planted = [mock.patch.object(target, name, wrong)]
    if name == "waiting":
        from runtime.engine import emitter

        planted = [mock.patch.object(emitter, name, wrong)]
    if name in ("_product", "range_of"):
        rules = {k: wrong if v is getattr(ranges, name) else v for k, v in ranges._RULES.items()}
        planted.append(mock.patch.object(ranges, "_RULES", rules))
    for patch in planted:
        patch.start()
    try:
        assert any(map(disagrees, [NOTICES_A_STEP, *range(800)]))
    finally:
        for patch in planted:
            patch.stop()


def source_of(program: Any, *arguments: Any) -> str:
    return compile_plan(tf.function(program).get_concrete_function(*arguments).graph).source


def test_a_counter_below_a_limit_needs_no_test() -> None:
    def count(n):
        i = 0
        while i < n:
            i = i + 1
        return i

    assert "4294967296" not in source_of(count, tf.constant(3)) and "2147483647" not in source_of(count, tf.constant(3))


def test_the_counter_of_a_for_needs_no_test_and_is_not_negative() -> None:
    def total(x, n):
        found = x[0]
        for i in range(1, n):
            found = found + x[i] + x[i - 1]
        return found

    source = source_of(total, tf.constant([1.0, 2.0]), tf.constant(2))
    loop = source.partition("while ")[2]
    assert "2147483647" not in loop and "-2 <=" not in loop


def test_a_sum_of_products_is_wrapped_once() -> None:
    def step(n):
        while n != 1:
            n = 3 * n + 1 if n % 2 == 1 else n // 2
        return n

    assert source_of(step, tf.constant(7)).count("2147483647:") == 1


@pytest.mark.parametrize("limit", [2**31 - 1, 2**31 - 2])
def test_a_counter_that_reaches_the_end_of_its_dtype(limit: int) -> None:
    @tf.function
    def count(i, n):
        turns = 0
        while i <= n and turns < 5:
            i = i + 1
            turns = turns + 1
        return i, turns

    start = limit - 2
    i, turns = count(tf.constant(start), tf.constant(limit))
    wrapped = limit == 2**31 - 1
    assert (int(i), int(turns)) == ((start + 5 - 2**32, 5) if wrapped else (limit + 1, 3))


def test_booleans_are_no_integers() -> None:
    graph = Graph("choice")
    x = graph.placeholder(bool_, [])
    graph.outputs = list(graph.add(REGISTRY["cast"], [x], {"dtype": int8, "exact": False}).outputs)
    assert assert_agrees(graph, [np.array(True)])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_integers_beside_floats_need_no_conversion(dtype: Any) -> None:
    def program(x):
        for i in range(100):
            for j in range(100):
                if x > i * j:
                    x = x - j
                x = x + i * j - 0.5 * x
        return x

    function, x = tf.function(program, backend="numpy"), np.asarray(1.5, dtype)[()]
    assert "float" not in function.lower(tf.constant(x)).as_text("plan").partition("v0 = asarray")[0]
    assert function(tf.constant(x)).numpy() == program(x)


def test_integers_that_a_float_does_not_hold_are_converted() -> None:
    def program(x, n):
        for i in range(100):
            x = x + n * i
        return x

    function, n = tf.function(program, backend="numpy"), (1 << 24) + 1
    x, wanted = np.float32(0.0), np.float32(0.0)
    for i in range(100):
        wanted = wanted + np.float32(n * i)
    assert function(tf.constant(x), n).numpy() == wanted
