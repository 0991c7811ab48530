"""Checks that run each time: runtime.debugging and the operation behind it."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from runtime.engine.interpreter import run_graph
from runtime.errors import InvalidArgumentError
from runtime.ops.flow.check import EXCEPTIONS, check

d = tf.debugging

HOLDS: list[Any] = [
    lambda x: d.assert_equal(x, x), lambda x: d.assert_none_equal(x, x + 1), lambda x: d.assert_less(x, x + 1),
    lambda x: d.assert_less_equal(x, x), lambda x: d.assert_greater(x + 1, x), lambda x: d.assert_greater_equal(x, x),
    lambda x: d.assert_positive(x + 10), lambda x: d.assert_negative(x - 10), lambda x: d.assert_non_negative(x * x),
    lambda x: d.assert_non_positive(-x * x), lambda x: d.Assert(tf.reduce_all(x == x), [x]),
    lambda x: d.assert_less(x, 5),
]  # fmt: skip

FAILS: list[tuple[Any, str]] = [
    (lambda x: d.assert_equal(x, 1), r"x == y does not hold everywhere; x and y are: \[1 2\] 1"),
    (lambda x: d.assert_none_equal(x, x), "x != y"),
    (lambda x: d.assert_less(x, x), "x < y"),
    (lambda x: d.assert_less_equal(x, x - 1), "x <= y"),
    (lambda x: d.assert_greater(x, x), "x > y"),
    (lambda x: d.assert_greater_equal(x, x + 1), "x >= y"),
    (lambda x: d.assert_positive(x - 1), r"x > 0 does not hold everywhere; x is: \[0 1\]"),
    (lambda x: d.assert_negative(x), "x < 0"),
    (lambda x: d.assert_non_negative(x - 2), "x >= 0"),
    (lambda x: d.assert_non_positive(x), "x <= 0"),
    (lambda x: d.Assert(tf.reduce_all(x > 1), [x, x[0]]), r"\[1 2\] 1"),
    (lambda x: d.assert_less(x, 0, message="too large"), "too large: x < y"),
]


def graph_with(call: Any) -> tf.Graph:
    graph = tf.Graph("g")
    x = graph.placeholder(tf.int32, [None], "x")
    with graph.as_default():
        assert call(x) is None
    return graph


@pytest.mark.parametrize("call", HOLDS)
def test_what_holds_passes(call: Any) -> None:
    assert call(tf.constant([1, 2])) is None
    assert run_graph(graph_with(call), [[1, 2]]) == []


@pytest.mark.parametrize(("call", "words"), FAILS)
def test_what_does_not_hold_raises(call: Any, words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        call(tf.constant([1, 2]))
    graph = graph_with(call)
    with pytest.raises(InvalidArgumentError, match=words):
        run_graph(graph, [[1, 2]])


@pytest.mark.parametrize("name", sorted(EXCEPTIONS))
def test_every_exception_by_name(name: str) -> None:
    with pytest.raises(EXCEPTIONS[name], match="what went wrong"):
        check(False, message="what went wrong", exception=name)
    assert check(True, message="", exception=name) is None


@pytest.fixture
def checking_numerics() -> Any:
    d.enable_check_numerics()
    yield
    d.disable_check_numerics()


def ratio(x, y):
    return x / y  # here


LINE = ratio.__code__.co_firstlineno + 1
SOURCE = "return x / y  # here"


def test_check_numerics_finds_the_operation_the_function_and_the_line() -> None:
    traced_before = tf.function(lambda x, y: ratio(x, y) + 1.0)
    zero = tf.constant([1.0, 0.0])
    assert traced_before(zero, zero).shape == (2,)
    d.enable_check_numerics()
    try:
        traced_later = tf.function(lambda x, y: ratio(x, y) + 2.0)
        for function in (traced_before, traced_later):
            with pytest.raises(InvalidArgumentError) as error:
                function(zero, zero)
            text = str(error.value)
            assert "1 NaN of 2 values (shape (2,), float32)" in text and "'<lambda>'" in text
            assert f"test_debugging.py:{LINE} in ratio (`{SOURCE}`)" in text and text.startswith("divide")
            added = 1.0 if function is traced_before else 2.0
            assert function(zero, zero + 1.0).numpy().tolist() == [0.5 + added, added]
    finally:
        d.disable_check_numerics()
    assert traced_before(zero, zero).shape == traced_later(zero, zero).shape == (2,)


def test_check_numerics_of_eager_operations(checking_numerics: Any) -> None:
    where = r"log: the operation at .*test_debugging.py:\d+ in test_check_\w+ \(`level = tf.math.log\(zero\)`\) gave "
    with pytest.raises(InvalidArgumentError, match=f"{where}1 infinite of 1 values"):
        zero = tf.constant(0.0)
        level = tf.math.log(zero)
        del level
    with pytest.raises(InvalidArgumentError, match="1 NaN and 1 infinite of 3"):
        tf.constant([0.0, 1.0, 1.0]) / tf.constant([0.0, 0.0, 1.0])
    assert tf.math.log(tf.constant(1.0)).numpy() == 0.0
    assert (tf.constant(1) // tf.constant(1)).numpy() == 1


def test_check_numerics_in_branches_loops_calls_and_handlers(checking_numerics: Any) -> None:
    def halved(x):
        return 1.0 / x if x < 1.0 else halved(x / 2.0)

    @tf.function
    def f(x):
        total = 0.0
        for i in range(3):
            if x > 0.0:
                total += tf.math.log(x - tf.cast(i, tf.float32))
        return total

    assert f(tf.constant(-1.0)).numpy() == 0.0
    with pytest.raises(InvalidArgumentError, match="log: operation .* of the function 'f', made at .*test_debugging"):
        f(tf.constant(2.0))
    assert tf.function(halved)(tf.constant(5.0)).numpy() == 1.6
    with pytest.raises(InvalidArgumentError, match="1 infinite of 1 values"):
        tf.function(halved)(tf.constant(0.0))

    @tf.function
    def guarded(x):
        try:
            if x > 1.0:
                raise ValueError("large")
            return 1.0 / x
        except ValueError:
            return -1.0

    assert guarded(tf.constant(2.0)).numpy() == -1.0
    with pytest.raises(InvalidArgumentError, match="disable_check_numerics"):
        guarded(tf.constant(0.0))


@pytest.mark.parametrize("staged", [False, True])
def test_check_numerics_of_one_tensor(staged: bool) -> None:
    def f(x):
        return d.check_numerics(x, "the loss") + d.assert_all_finite(x, "the loss, again")

    function = tf.function(f) if staged else f
    assert function(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 4.0]
    with pytest.raises(InvalidArgumentError, match="the loss: 1 NaN of 2 values"):
        function(tf.constant([1.0, float("nan")]))
