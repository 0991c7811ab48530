"""Gradients through `py_function`: eagerly, of Functions and in them; the code runs once, in its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

FLOAT = tf.float32


def gradient(function: Callable[..., Any], *values: Any) -> Any:
    given = [tf.constant(value) for value in values]
    with tf.GradientTape() as tape:
        tape.watch([x for x in given if x.dtype.is_floating])
        result = function(*given)
    return [None if g is None else g.numpy() for g in tape.gradient(result, given)]


def in_a_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient is taken where the graph is made."""

    @tf.function
    def gradients(*given: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x for x in given if x.dtype.is_floating])
            result = function(*given)
        return tape.gradient(result, list(given), unconnected_gradients="zero")

    return gradients


def cube(x: Any) -> Any:
    return tf.py_function(lambda x: x * x * x, [x], FLOAT)


def of_two(x: Any, y: Any) -> Any:
    product, total = tf.py_function(lambda x, y: (x * y, tf.reduce_sum(x)), [x, y], [FLOAT, FLOAT])
    return tf.reduce_sum(product) * 2.0 + total * 10.0


def with_integers(x: Any, n: Any) -> Any:
    powered, count = tf.py_function(lambda x, n: (x ** float(n), n + 1), [x, n], [FLOAT, tf.int32])
    return powered * tf.cast(count, FLOAT)


def branched(x: Any) -> Any:
    if tf.reduce_sum(x) > 0.0:
        return tf.py_function(lambda x: x * 5.0, [x], FLOAT)
    return x * x


def looped(x: Any, n: Any) -> Any:
    for i in tf.range(n):
        x = tf.py_function(lambda x, i: x * x + float(i), [x, i], FLOAT)
    return x


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...], list[Any]]] = {
    "one": (cube, (np.float32(2.0),), [12.0]),
    "a vector": (cube, (np.float32([1, 2, 3]),), [[3, 12, 27]]),
    "two": (of_two, (np.float32([1, 2]), np.float32([3, 4])), [[16, 18], [2, 4]]),
    "integers": (with_integers, (np.float32(3.0), np.int32(2)), [18.0, None]),
    "taken": (branched, (np.float32(3.0),), [5.0]),
    "not taken": (branched, (np.float32(-3.0),), [-6.0]),
    "a loop": (looped, (np.float32(2.0), np.int32(3)), [2 * 2 * 2 * 4 * 2 * 17, None]),
    "no turn of a loop": (looped, (np.float32(2.0), np.int32(0)), [1.0, None]),
}


@pytest.mark.parametrize("case", CASES)
def test_gradients_are_those_of_the_code(case: str) -> None:
    function, values, expected = CASES[case]
    eager, staged = gradient(function, *values), gradient(tf.function(function), *values)
    inside = in_a_function(function)(*map(tf.constant, values))
    for one, other, third, wanted in zip(eager, staged, inside, expected, strict=True):
        if wanted is None:
            assert one is None and other is None
        else:
            for found in (one, other, third.numpy()):
                np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_the_code_runs_once_in_its_place() -> None:
    seen: list[Any] = []
    v = tf.Variable(1.0)

    def log(x: Any) -> Any:
        seen.append((float(x), float(v)))
        v.assign_add(10.0)
        return x * 2.0

    @tf.function
    def f(x: Any) -> Any:
        v.assign_add(1.0)
        y = tf.py_function(log, [x], FLOAT)
        v.assign_add(100.0)
        return y * y

    with tf.GradientTape(persistent=True) as tape:
        x = tf.constant(3.0)
        tape.watch(x)
        y = f(x)
    assert [tape.gradient(y, x).numpy() for _ in range(2)] == [24, 24]
    assert (seen, v.numpy()) == ([(3, 2)], 112)


def test_a_training_step_goes_through_it() -> None:
    w = tf.Variable([1.0, -1.0])

    @tf.function
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            error = tf.py_function(lambda p, y: p - y, [tf.reduce_sum(x * w), y], FLOAT)
            loss = error * error
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    losses = [float(step(tf.constant([1.0, 2.0]), tf.constant(3.0))) for _ in range(20)]
    assert losses[0] == 16 and losses[-1] < 1e-6


def test_what_depends_on_nothing_that_it_is_given() -> None:
    constant = tf.function(lambda x: tf.py_function(lambda x: tf.constant(5.0), [x], FLOAT) + x)
    assert gradient(constant, 2.0) == [1]


def test_a_variable_that_the_code_reads_by_itself_is_told() -> None:
    w, other = tf.Variable(3.0, name="w"), tf.Variable(5.0)

    def scaled(x: Any) -> Any:
        return tf.py_function(lambda x: x * w + tf.stop_gradient(other), [x], FLOAT)

    def given(x: Any) -> Any:
        return tf.py_function(lambda x, w: x * w, [x, w], FLOAT)

    def by_the_variable(function: Any) -> Any:
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return [None if g is None else float(g) for g in tape.gradient(y, [x, w])]

    assert by_the_variable(scaled) == by_the_variable(given) == by_the_variable(tf.function(given)) == [3, 2]
    with pytest.warns(RuntimeWarning, match=r"reads the Variable 'w:0'.*give it the Variable as well") as told:
        assert by_the_variable(tf.function(scaled))[0] == 3
    assert [warning.filename for warning in told] == [__file__]


def test_arrays_have_no_gradient() -> None:
    def double(x: Any) -> Any:
        return tf.numpy_function(lambda x: x * 2, [x], FLOAT)

    assert gradient(double, 3.0) == gradient(tf.function(double), 3.0) == [None]
    assert gradient(tf.function(lambda x: double(x) * x), 3.0) == [6]


def derived(function: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient by the first argument."""

    def slope(x: Any, *others: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, *others)
        return tape.gradient(y, x)

    return slope


def bent(x: Any, y: Any, n: Any) -> Any:
    for _ in tf.range(n):
        product, total = tf.py_function(lambda x, y: (x * x * y, tf.reduce_sum(x) + y), [x, y], [FLOAT, FLOAT])
        if tf.reduce_sum(total) > 0.0:
            x = product + tf.sin(total)
    return tf.reduce_sum(x) * y


def bent_in_tensorflow(x: Any, y: Any, n: Any) -> Any:
    for _ in tf.range(n):
        product, total = x * x * y, tf.reduce_sum(x) + y
        if tf.reduce_sum(total) > 0.0:
            x = product + tf.sin(total)
    return tf.reduce_sum(x) * y


@pytest.mark.parametrize("order", [1, 2, 3])
def test_gradients_of_its_gradients(order: int) -> None:
    wanted, inside, around, eager = bent_in_tensorflow, bent, tf.function(bent), bent
    for _ in range(order):
        wanted, inside, around, eager = derived(wanted), derived(inside), derived(around), derived(eager)
    given = tf.constant([0.3, 0.7]), tf.constant(0.5), tf.constant(2)
    expected = wanted(*given).numpy()
    assert np.abs(expected).min() > 0.01
    for found in (eager(*given), around(*given), tf.function(inside)(*given)):
        np.testing.assert_allclose(found, expected, rtol=2e-5)


def test_gradients_by_what_goes_back() -> None:
    def along(x: Any, direction: Any) -> Any:
        with tf.autodiff.ForwardAccumulator(x, direction) as accumulator:
            y = cube(x)
        return accumulator.jvp(y)

    x, direction = tf.constant([1.0, 2.0]), tf.constant([1.0, 10.0])
    assert tf.function(along)(x, direction).numpy().tolist() == along(x, direction).numpy().tolist() == [3, 120]


def test_a_graph_that_was_read_has_no_code() -> None:
    graph = tf.Graph.from_text(tf.function(cube).get_concrete_function(tf.constant(2.0)).graph.as_text())
    with graph.as_default(), pytest.raises(LookupError, match="py_function.*has no code"):
        tf.gradients(graph.outputs[0], graph.inputs[0])


def test_an_error_of_the_code_passes_and_leaves_all_usable() -> None:
    def check(x: Any) -> Any:
        if x < 0:
            raise KeyError("negative")
        return x * 2.0

    f = tf.function(lambda x: tf.py_function(check, [x], FLOAT))
    with pytest.raises(KeyError, match="negative"):
        gradient(f, -1.0)
    assert gradient(f, 1.0) == [2]
