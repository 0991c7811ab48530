"""`TensorArray`, in eager code and in graphs: written, read, stacked, in loops, branches and results."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError, OutOfRangeError
from runtime.graph.equality import graph_equal


def both(program: Callable[..., Any], *args: Any) -> Any:
    """The result as lists, the same in eager code and in a graph."""
    eager = values(program(*map(tf.constant, args)))
    staged = values(tf.function(program)(*map(tf.constant, args)))
    assert eager == staged
    return eager


def values(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(map(values, result))
    return np.asarray(result.stack() if isinstance(result, tf.TensorArray) else result).tolist()


def written(n):
    a = tf.TensorArray(tf.float32, size=3).write(0, 1.0).write(2, n)
    return a, a.stack(), a.read(2), a.read(1), a.gather([2, 0, 2]), a.size()


def squares(n):
    a = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    for i in range(n):
        if i % 2 == 0:
            a = a.write(a.size(), i * i)
    total = 0
    for x in a:
        total += x
    return a.stack(), total, len(a)


def gaps(n):
    return tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[2]).write(n, [n, n]).stack()


def one_of_two(n):
    a = tf.TensorArray(tf.int32, 1)
    if n > 2:
        a = a.write(0, n)
    else:
        a = a.unstack([n, n + 1])
    return a.stack()


def left_early(n):
    a = tf.TensorArray(tf.int32, 10, element_shape=[])
    for i in range(10):
        if i == n:
            break
        a = a.write(i, i + 1)
    return a


def beside_others(n):
    a = tf.TensorArray(tf.int32, 3).scatter([0, 2, 1], [5, 6, n])
    found = []
    for i, (x, y) in enumerate(zip(a, reversed(a.stack()))):
        found.append(i * x - y)
    return found, max(a.stack()), sum(a), [x * 2 for x in a], any(x > 5 for x in a)


def in_structures(n):
    state = {"a": tf.TensorArray(tf.int32, 0, dynamic_size=True), "n": 0}
    while state["n"] < n:
        state = {"a": state["a"].write(state["n"], state["n"]), "n": state["n"] + 1}
    return state["a"].stack()


def through_a_function(n):
    def put(array, k):
        return array.write(k, k) if k > 0 else array.write(k, -1)

    a = tf.TensorArray(tf.int32, 4)
    for i in range(4):
        a = put(a, i)
    return a, n


@pytest.mark.parametrize(
    ("program", "argument", "expected"),
    [
        (written, 3.0, ([1, 0, 3], [1, 0, 3], 3, 0, [3, 1, 3], 3)),
        (squares, 5, ([0, 4, 16], 20, 3)), (squares, 0, None), (gaps, 2, [[0, 0], [0, 0], [2, 2]]),
        (one_of_two, 3, [3]), (one_of_two, 1, [1, 2]), (left_early, 3, [1, 2, 3, 0, 0, 0, 0, 0, 0, 0]),
        (beside_others, 9, ([-6, 0, 7], 9, 20, [10, 18, 12], True)), (in_structures, 4, [0, 1, 2, 3]),
        (through_a_function, 1, ([-1, 1, 2, 3], 1)),
    ],
)  # fmt: skip
def test_program(program: Callable[..., Any], argument: Any, expected: Any) -> None:
    if expected is None:
        with pytest.raises(InvalidArgumentError, match="element_shape"):
            tf.function(program)(tf.constant(argument))
    else:
        assert both(program, argument) == expected


def test_split_concat_and_unstack() -> None:
    def program(x):
        parts = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False).split(x, [1, 0, 2])
        return parts.concat(), parts.read(2), tf.TensorArray(tf.float32, 0).unstack(x).concat(), parts.size()

    x = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert both(program, x) == (x, x[1:], [1, 2, 3, 4, 5, 6], 3)


def test_an_array_is_a_value() -> None:
    first = tf.TensorArray(tf.int32, 2).write(0, 1).write(1, 2)
    second = first.write(0, 7)
    assert (values(first), values(second)) == ([1, 2], [7, 2])
    source = np.array([1.0, 2.0], np.float32)
    kept = tf.TensorArray(tf.float32, 1).write(0, source)
    source[0] = 99
    assert values(kept) == [[1, 2]]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize(
    ("program", "error", "words"),
    [
        (lambda n: tf.TensorArray(tf.int32, 3).write(n, 1).stack(), OutOfRangeError, "index 5.* size 3 and is not"),
        (lambda n: tf.TensorArray(tf.int32, 3).write(-n, 1).stack(), OutOfRangeError, "index -5"),
        (lambda n: tf.TensorArray(tf.int32, 3, element_shape=[]).read(n), OutOfRangeError, "read from index 5"),
        (lambda n: tf.TensorArray(tf.int32, 3).write(0, 1.5), DtypeMismatchError, "TensorArray of int32"),
        (lambda n: tf.TensorArray(tf.int32, 2).write(0, [1]).write(1, [1, 2]), ValueError, "Inconsistent shapes"),
        (lambda n: tf.TensorArray(tf.int32, 2).stack(), InvalidArgumentError, "element 0 is not written"),
        (lambda n: tf.TensorArray(tf.int32, -n).stack(), InvalidArgumentError, "not negative"),
        (lambda n: tf.TensorArray(tf.int32, 1).split([1, 2], [1, n]), InvalidArgumentError, r"\[1, 5\] do not make 2"),
        (lambda n: tf.TensorArray(tf.int32, 2).write(0, 1).concat(), ValueError, "stack them"),
    ],
)  # fmt: skip
def test_errors(program: Callable[..., Any], error: type[Exception], words: str, staged: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of arrays that are lost by the error
        with pytest.raises(error, match=words):
            (tf.function(program, autograph=False) if staged else program)(tf.constant(5))


@pytest.mark.parametrize("staged", [False, True])
def test_a_change_that_is_lost_warns_at_its_line(staged: bool) -> None:
    def forgets(a):
        a.write(0, 1)
        for i in range(a.size()):
            a = a.write(i, i)
        return a.stack()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        (tf.function(forgets) if staged else forgets)(tf.TensorArray(tf.int32, 1, element_shape=[]))
        gc.collect()
    assert [(w.filename, w.lineno) for w in caught] == [(__file__, forgets.__code__.co_firstlineno + 1)]
    assert "array = array.write(index, value)" in str(caught[0].message)


def test_arguments_and_results_of_functions() -> None:
    @tf.function
    def push(a, x):
        return a.write(a.size(), x)

    a = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[])
    for i in range(4):
        a = push(a, tf.constant(i))
    assert values(a) == [0, 1, 2, 3]
    assert push.experimental_get_tracing_count() == 1
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="size"):
        tf.function(lambda t: len(t), autograph=False)(a)


def test_the_graph_prints_and_parses() -> None:
    graph = tf.function(squares).get_concrete_function(tf.constant(3)).graph
    text = graph.as_text()
    assert "array_write(" in text and graph_equal(tf.Graph.from_text(text), graph)
