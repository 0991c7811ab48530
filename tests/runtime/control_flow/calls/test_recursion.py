"""Recursion on tensors: the same program in Python and in a graph."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from runtime.graph.equality import graph_equal
from tests.runtime.comparing import assert_same, plain


def fact(n: Any) -> Any:
    if n < 2:
        return 1
    return n * fact(n - 1)


def fib(n: Any) -> Any:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def gcd(a: Any, b: Any) -> Any:
    if b == 0:
        return a
    return gcd(b, a % b)


def even(n: Any) -> Any:
    if n == 0:
        return True
    return odd(n - 1)


def odd(n: Any) -> Any:
    if n == 0:
        return False
    else:
        return even(n - 1)


def ackermann(m: Any, n: Any) -> Any:
    if m == 0:
        return n + 1
    elif n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def collatz(n: Any, steps: Any = 0) -> Any:
    if n == 1:
        return steps
    return collatz(n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1)


def power(x: Any, k: Any) -> Any:
    """Returns a pair."""
    if k == 0:
        return 1, 0
    half, calls = power(x, k // 2)
    square = half * half
    if k % 2 == 1:
        square = square * x
    return square, calls + 1


def hanoi(n: Any, source: Any, target: Any, spare: Any) -> Any:
    if n == 0:
        return source * 0
    first = hanoi(n - 1, source, spare, target)
    return first + (source * 10 + target) + hanoi(n - 1, spare, target, source)


def keywords(n: Any, *, step: Any = 1, scale: Any) -> Any:
    if n <= 0:
        return scale
    return keywords(n - step, scale=scale + n, step=step)


def in_loop(n: Any) -> Any:
    total = 1
    for i in range(n):
        total += in_loop(i)
    return total


def in_while(n: Any) -> Any:
    total = 0
    while n > 0:
        n -= 1
        if n % 2 == 0:
            total += in_while(n)
        else:
            continue
        total += 1
    return total


def three_ways(n: Any) -> Any:
    """Mutual recursion of three, one of which returns early out of a loop."""
    if n <= 0:
        return 0
    return second_way(n - 1) + 1


def second_way(n: Any) -> Any:
    for i in range(3):
        if n <= i:
            return i
    return third_way(n - 1) * 2


def third_way(n: Any) -> Any:
    return three_ways(n - 1) if n > 1 else second_way(n - 2)


PROGRAMS = [
    (fact, [0, 1, 5, 10]),
    (fib, [0, 1, 7]),
    (gcd, [(12, 18), (7, 0), (0, 5), (48, 36)]),
    (even, [0, 1, 6, 7]),
    (odd, [0, 1, 6]),
    (ackermann, [(0, 3), (1, 2), (2, 3)]),
    (collatz, [1, 6, 7]),
    (power, [(3, 0), (3, 1), (2, 10), (3, 7)]),
    (hanoi, [(0, 1, 2, 3), (3, 1, 2, 3)]),
    (in_loop, [0, 1, 4]),
    (in_while, [0, 3, 6]),
    (three_ways, [0, 1, 4, 9, 12]),
]


@pytest.mark.parametrize(("program", "inputs"), PROGRAMS, ids=lambda p: getattr(p, "__name__", None))
def test_the_same_as_in_python(program: Any, inputs: list[Any]) -> None:
    assert_same(program, *inputs)


def test_the_recursive_function_is_in_the_library() -> None:
    graph = tf.function(ackermann).get_concrete_function(tf.constant(1), tf.constant(1)).graph
    assert list(graph.functions) == ["ackermann"] and not graph.stateful
    assert graph_equal(tf.Graph.from_text(graph.as_text()), graph)


def test_keyword_arguments_and_defaults() -> None:
    staged = tf.function(lambda n, s: keywords(n, scale=s))
    for n in (-1, 0, 5):
        assert plain(staged(tf.constant(n), tf.constant(3))) == keywords(n, scale=3)


def test_functions_that_are_decorated_call_themselves_and_each_other() -> None:
    @tf.function
    def down(n: Any) -> Any:
        return tf.constant(0) if n <= 0 else up(n - 1) + 1

    @tf.function
    def up(n: Any) -> Any:
        if n <= 0:
            return tf.constant(100)
        return down(n - 1) + 10

    def python_down(n: int) -> int:
        return 0 if n <= 0 else python_up(n - 1) + 1

    def python_up(n: int) -> int:
        return 100 if n <= 0 else python_down(n - 1) + 10

    for n in (0, 1, 2, 5, 8):
        assert plain(down(tf.constant(n))) == python_down(n) and plain(up(tf.constant(n))) == python_up(n)


def test_inner_functions_closures_and_lambdas() -> None:
    def program(n: Any, x: Any) -> Any:
        def total(k: Any) -> Any:
            if k <= 0:
                return x * 0
            return x + total(k - 1)

        triangle = lambda k: 0 if k == 0 else k + triangle(k - 1)
        result = total(n) + triangle(n)
        x = x + 1
        return result, total(n), x

    assert_same(program, (0, 5), (3, 5), (4, -1))


def test_a_closure_over_tensors_of_a_branch_and_a_loop() -> None:
    def program(n: Any, x: Any) -> Any:
        total = 0
        for i in range(n):
            scale = x * i
            if scale > 2:
                shift = scale + i

                def climb(k: Any) -> Any:
                    return shift if k > shift else scale + climb(k * 2 + 1)

                total += climb(i)
        return total

    assert_same(program, (0, 1), (3, 2), (5, 3))


class Tree:
    def __init__(self, step: int) -> None:
        self.step = step

    def size(self, n: Any) -> Any:
        if n <= self.step:
            return 1
        return self.size(n - self.step) + self.size(n // 2) + self.leaf(n)

    def leaf(self, n: Any) -> Any:
        return 0 if n > 3 else self.size(n - 2)

    @classmethod
    def depth(cls, n: Any) -> Any:
        return 0 if n <= 0 else 1 + cls.depth(n // 3)

    @tf.function
    def decorated(self, n: Any) -> Any:
        if n <= 0:
            return self.step
        return self.decorated(n - self.step) + 1


def test_methods() -> None:
    for step in (1, 2):
        tree = Tree(step)
        assert_same(tree.size, 0, 5, 9)
        assert_same(Tree.depth, 0, 30)
        assert [plain(tree.decorated(tf.constant(n))) for n in (0, 4)] == [step, 4 // step + step]
