"""Recursion on tensors: types of arguments and results, effects, exceptions, and what is refused."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.graph.equality import graph_equal
from tests.runtime.comparing import assert_same, plain


def fact(n: Any) -> Any:
    if n < 2:
        return 1
    return n * fact(n - 1)


def fib(n: Any) -> Any:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


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
    with pytest.raises(
        StagingError, match=r"'never_returns' \(.*test_recursion_types.py:\d+\) calls itself.*annotation"
    ):
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

    with pytest.raises(StagingError, match="'CALLS'.*in the function 'remembers'"):
        tf.function(remembers)(tf.constant(2))

    def changes(n: Any, values: list[Any]) -> Any:
        if n == 0:
            return values[0]
        values[0] = values[0] + n
        return changes(n - 1, values)

    assert plain(tf.function(lambda n: changes(n, [n]))(tf.constant(2))) == changes(2, [2]) == 5


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


def test_arguments_that_double_without_an_end() -> None:
    def doubles(n: Any, done: Any) -> Any:
        return n if n == 0 else doubles(n - 1, (done, done))

    with pytest.raises(StagingError, match="'doubles' calls itself depending on a tensor, .* another structure"):
        tf.function(lambda n: doubles(n, ()))(tf.constant(3))


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


def test_calls_of_one_function_share_it() -> None:
    def program(n: Any) -> Any:
        total = fib(n) + fact(3)
        for i in range(n):
            total += fib(n - i) * fact(i)
        return total + fib(n - 1)

    assert_same(program, 0, 1, 5)
    graph = tf.function(program).get_concrete_function(tf.constant(1)).graph
    assert sorted(graph.functions) == ["fact", "fib"]
    numbers = tf.function(lambda n: fib(n) + sum(fib(i) for i in range(n)))
    functions = numbers.get_concrete_function(tf.constant(1)).graph.functions
    assert {f.outputs[0].dtype for f in functions.values()} == {tf.int32, tf.int64}, "a number has all its bits"
    mixed = tf.function(lambda n, x: (fact(n), fact(x)))
    assert len(mixed.get_concrete_function(tf.constant(1), tf.constant(1, tf.int64)).graph.functions) == 2
