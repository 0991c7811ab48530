"""Recursion on tensors: the same program in Python and in a graph."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.control_flow.tensor_list import TensorList
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


class Pair(NamedTuple):
    low: Any
    high: Any


def test_structures_as_arguments_and_results() -> None:
    def narrow(pair: Any, steps: Any) -> Any:
        if pair.high - pair.low < 2:
            return {"at": pair, "steps": [steps]}
        middle = (pair.low + pair.high) // 2
        if middle * middle > 50:
            return narrow(Pair(pair.low, middle), steps + 1)
        return narrow(Pair(middle, pair.high), steps + 1)

    staged = tf.function(lambda a, b: narrow(Pair(a, b), 0))
    for a, b in ((0, 100), (0, 1), (3, 40)):
        found = plain(staged(tf.constant(a), tf.constant(b)))
        assert found == narrow(Pair(a, b), 0) and type(found["at"]) is Pair


def test_types_widen_until_they_settle() -> None:
    def mean(n: Any, x: Any) -> Any:
        """The base case is a Python integer, the others are floats."""
        if n <= 0:
            return 0
        return mean(n - 1, x) + x / 2

    assert plain(tf.function(mean)(tf.constant(4), tf.constant(3.0))) == 6.0
    wide = tf.function(fact)(tf.constant(20, tf.int64))
    assert wide.dtype is tf.int64 and plain(wide) == fact(20)

    def rows(n: Any, x: Any) -> Any:
        if n <= 0:
            return x
        return tf.concat([rows(n - 1, x), x], 0)

    staged = tf.function(rows)
    assert staged(tf.constant(3), tf.constant([1, 2])).numpy().tolist() == [1, 2] * 4
    assert staged.get_concrete_function(tf.constant(3), tf.constant([1, 2])).graph.outputs[0].shape == [None]


def test_sizes_that_change_from_call_to_call() -> None:
    def total(x: Any, limit: Any) -> Any:
        """Static sizes shrink: traced in place where Python's condition ends it, by a function where a tensor does."""
        if x[0] > limit:
            return x[0]
        return x[0] + total(x[1:], limit)

    values = list(range(40))
    staged = tf.function(total)
    for limit in (0, 5, 30):
        expected = total(np.array(values), limit)
        assert plain(staged(tf.constant(values), tf.constant(limit))) == expected

    def halves(x: Any, limit: Any) -> Any:
        if len(x) == 1:  # Python's condition
            return x[0] if x[0] > limit else limit
        middle = len(x) // 2
        return halves(x[:middle], limit) + halves(x[middle:], limit)

    assert plain(tf.function(halves)(tf.constant(values), tf.constant(7))) == halves(values, 7)


def test_python_values_beside_tensors() -> None:
    def climb(x: Any, depth: int, name: str) -> Any:
        if x > 100:
            return x * depth
        return climb(x * 2, depth + 1, name)

    for x in (1, 60, 200):
        assert plain(tf.function(lambda x: climb(x, 0, "a"))(tf.constant(x))) == climb(x, 0, "a")

    def levels(x: Any, depth: int) -> Any:
        """Ends by a Python value: unrolled."""
        if depth == 0:
            return x
        if x > 10:
            return levels(x - 3, depth - 1)
        return levels(x * 2, depth - 1)

    staged = tf.function(lambda x: levels(x, 4))
    for x in (1, 8, 20):
        assert plain(staged(tf.constant(x))) == levels(x, 4)
    assert not staged.get_concrete_function(tf.constant(1)).graph.functions


def test_effects_in_recursion_stay_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    def countdown(n: Any) -> Any:
        if n > 0:
            tf.print(n, output_stream=sys.stdout)
            countdown(n - 1)
            tf.print("back", n, output_stream=sys.stdout)

    tf.function(countdown)(tf.constant(2))
    assert capsys.readouterr().out == "2\n1\nback 1\nback 2\n"


def test_exceptions_come_out_of_the_depth() -> None:
    def walk(n: Any) -> Any:
        if n < 0:
            raise ValueError("below zero")
        if n == 0:
            return 0
        assert n != 7, "seven"
        return walk(n - 2) + 1

    staged = tf.function(walk)
    assert plain(staged(tf.constant(4))) == 2
    with pytest.raises(ValueError, match="below zero"):
        staged(tf.constant(3))
    with pytest.raises(AssertionError, match="seven"):
        staged(tf.constant(9))


def test_lists_that_grow_go_through_recursion() -> None:
    def digits(n: Any, values: Any) -> Any:
        if n == 0:
            return values
        return digits(n // 10, values + [n % 10])

    staged = tf.function(lambda n: digits(n, TensorList([], tf.int32, [])))
    assert plain(staged(tf.constant(1234))) == [4, 3, 2, 1] and plain(staged(tf.constant(0))) == []


def test_as_deep_as_python_and_an_end_to_what_has_none() -> None:
    def depth(n: Any) -> Any:
        return 0 if n == 0 else depth(n - 1) + 1

    staged = tf.function(depth)
    limit = sys.getrecursionlimit()
    assert plain(staged(tf.constant(limit - 50))) == limit - 50
    with pytest.raises(RecursionError, match="in calls of 'depth'"):
        staged(tf.constant(-1))
    assert sys.getrecursionlimit() == limit


def endless(n: Any) -> Any:
    return endless(n - 1)


def never_returns(n: Any) -> Any:
    if n > 10:
        return never_returns(n - 1)
    return never_returns(n + 1)


def test_recursion_without_a_condition_on_a_tensor_is_pythons() -> None:
    with pytest.raises(RecursionError):
        tf.function(endless)(tf.constant(1))


def test_no_way_that_returns() -> None:
    with pytest.raises(StagingError, match=r"'never_returns' \(.*test_recursion.py:\d+\) calls itself.*annotation"):
        tf.function(never_returns)(tf.constant(1))


def test_a_declared_result_type() -> None:
    def search(n: Any) -> tf.TensorSpec([], tf.int32):  # type: ignore[valid-type]
        if n > 10:
            raise IndexError("found nothing")
        if n * n == 49:
            raise KeyError("seven")
        return search(n + 1)

    staged = tf.function(search)
    with pytest.raises(KeyError, match="seven"):
        staged(tf.constant(2))
    with pytest.raises(IndexError, match="found nothing"):
        staged(tf.constant(8))


def test_results_of_no_one_type() -> None:
    def odd_one(n: Any, x: Any) -> Any:
        if n == 0:
            return x
        return (odd_one(n - 1, x), x)

    with pytest.raises(TypeError, match="structure"):
        tf.function(odd_one)(tf.constant(1), tf.constant(1.0))


CALLS: list[int] = []


def test_effects_on_python_objects_are_refused() -> None:
    def remembers(n: Any) -> Any:
        CALLS.append(1)
        return 0 if n == 0 else remembers(n - 1)

    with pytest.raises(StagingError, match="'CALLS'.*'remembers'"):
        tf.function(remembers)(tf.constant(2))

    def changes(n: Any, values: list[Any]) -> Any:
        if n == 0:
            return values[0]
        values[0] = values[0] + n
        return changes(n - 1, values)

    with pytest.raises(StagingError, match="argument 'values' of the function 'changes'"):
        tf.function(lambda n: changes(n, [n]))(tf.constant(2))


def test_recursion_in_python_during_a_trace_stays_python() -> None:
    count = []

    def plain_fact(n: int) -> int:
        count.append(n)
        return 1 if n < 2 else n * plain_fact(n - 1)

    assert plain(tf.function(lambda x: x + plain_fact(5))(tf.constant(1))) == 121 and len(count) == 5


def test_traces_with_libraries_of_their_own_become_part_of_another_trace() -> None:
    first = tf.function(fact).get_concrete_function(tf.constant(1))

    def fact_(n: Any) -> Any:
        return tf.constant(7) if n < 2 else n + fact_(n - 1)

    fact_.__name__ = "fact"
    second = tf.function(fact_).get_concrete_function(tf.constant(1))

    @tf.function
    def both(n: Any) -> Any:
        result = first(n) + second(n) + fib(n)
        if n > 3:
            result += second(n) * first(n - 1)
        return result

    for n in (1, 3, 5):
        other = n * (n + 1) // 2 - 1 + 7
        wanted = fact(n) + other + fib(n) + (other * fact(n - 1) if n > 3 else 0)
        assert plain(both(tf.constant(n))) == wanted
    graph = both.get_concrete_function(tf.constant(1)).graph
    assert len(graph.functions) == 3 and "fact" in graph.functions
    assert graph_equal(tf.Graph.from_text(graph.as_text()), graph)


def test_results_that_may_be_none_on_some_ways() -> None:
    def leaves_the_loop(n: Any) -> Any:
        while True:
            if n > 5:
                return n
            n = leaves_the_loop(n + 2)
            if n > 7:
                break
        return -n

    assert_same(leaves_the_loop, 0, 3, 6)

    def every_third(n: Any) -> Any:
        if n == 0:
            return None
        if n == 1:
            return (n * 5, None)
        return every_third(n - 2)

    assert_same(every_third, 0, 1, 4, 5)

    def first_none(n: Any) -> Any:
        if n > 0:
            found = first_none(n - 1)
            return n if found is None else found
        return None

    assert_same(first_none, 0, 1, 3)


def test_arguments_that_grow_without_an_end() -> None:
    def grows(n: Any, done: Any) -> Any:
        if n == 0:
            return done[0]
        return grows(n - 1, (*done, n))

    with pytest.raises(StagingError, match="'grows' calls itself depending on a tensor, 64 times .* another structure"):
        tf.function(lambda n: grows(n, (n,)))(tf.constant(3))


def test_numbers_stay_pythons_where_a_function_needs_them() -> None:
    names = [f"layer_{depth}" for depth in range(12)]
    layers = SimpleNamespace(**dict(zip(names, [lambda x: x + 1, lambda x: x * 2, lambda x: x - 3] * 4, strict=True)))

    def network(x: Any, depth: int) -> Any:
        layer = getattr(layers, "layer_" + str(depth), None)
        if layer is None:
            return x
        if x > 50:
            return x
        return network(layer(x), depth + 1)

    staged = tf.function(lambda x: network(x, 0))
    for x in (0, 3, 7, 60):
        assert plain(staged(tf.constant(x))) == network(x, 0)
    assert not staged.get_concrete_function(tf.constant(0)).graph.functions
