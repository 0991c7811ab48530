"""Optimizers against their formulas in plain numpy: eager, in Functions, and in loops that are part of a graph."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import optimizers
from runtime.errors import DtypeMismatchError, ShapeMismatchError

W0 = np.array([1.0, -2.0, 0.5])
SCALES = np.array([1.0, 3.0, 0.2])
"""The loss is sum(SCALES * w²) / 2, so its gradient is SCALES * w."""


def sgd(rate: float, momentum: float = 0.0, nesterov: bool = False) -> Iterator[Any]:
    w, v = W0.copy(), np.zeros(3)
    while True:
        g = SCALES * w
        v = momentum * v - rate * g
        w = w + (momentum * v - rate * g if nesterov else v)
        yield w


def adam(rate: float, amsgrad: bool = False) -> Iterator[Any]:
    w, m, v, top = W0.copy(), np.zeros(3), np.zeros(3), np.zeros(3)
    for t in range(1, 100):
        g = SCALES * w
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        top = np.maximum(top, v) if amsgrad else v
        w = w - rate * np.sqrt(1 - 0.999**t) / (1 - 0.9**t) * m / (np.sqrt(top) + 1e-7)
        yield w


def rmsprop(rate: float, momentum: float = 0.0, centered: bool = False) -> Iterator[Any]:
    w, v, mean, b = W0.copy(), np.zeros(3), np.zeros(3), np.zeros(3)
    while True:
        g = SCALES * w
        v, mean = 0.9 * v + 0.1 * g * g, 0.9 * mean + 0.1 * g
        b = momentum * b + rate * g / np.sqrt(v - centered * mean * mean + 1e-7)
        w = w - b
        yield w


def adagrad(rate: float) -> Iterator[Any]:
    w, a = W0.copy(), np.full(3, 0.1)
    while True:
        g = SCALES * w
        a = a + g * g
        w = w - rate * g / np.sqrt(a + 1e-7)
        yield w


def decaying() -> Iterator[Any]:
    w = W0.copy()
    for t in range(100):
        w = w - 0.5 / (t + 1) * SCALES * w
        yield w


O = tf.optimizers
METHODS: dict[str, tuple[Callable[[], Any], Callable[[], Iterator[Any]]]] = {
    "SGD": (lambda: O.SGD(0.1), lambda: sgd(0.1)),
    "SGD with momentum": (lambda: O.SGD(0.1, momentum=0.9), lambda: sgd(0.1, 0.9)),
    "Momentum": (lambda: O.Momentum(0.1), lambda: sgd(0.1, 0.9)),
    "Nesterov": (lambda: O.SGD(0.1, 0.8, nesterov=True), lambda: sgd(0.1, 0.8, True)),
    "Adam": (lambda: O.Adam(0.05), lambda: adam(0.05)),
    "AMSGrad": (lambda: O.Adam(0.3, amsgrad=True), lambda: adam(0.3, True)),
    "RMSprop": (lambda: O.RMSprop(0.05), lambda: rmsprop(0.05)),
    "RMSprop with all": (
        lambda: O.RMSprop(0.01, momentum=0.5, centered=True), lambda: rmsprop(0.01, 0.5, True),
    ),
    "Adagrad": (lambda: O.Adagrad(0.1), lambda: adagrad(0.1)),
    "decaying rate": (lambda: O.SGD(lambda t: 0.5 / tf.cast(t + 1, tf.float64)), decaying),
}  # fmt: skip


def step(optimizer: Any, w: Any) -> Any:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(SCALES * w * w) / 2
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


@pytest.mark.parametrize("name", METHODS)
def test_steps(name: str) -> None:
    """Step by step: eager, as a Function, with `minimize`, and ten steps as one loop of a graph."""
    make, formula = METHODS[name]
    eager, staged, minimized = (tf.Variable(W0) for _ in range(3))
    first, second, third = make(), make(), make()
    function = tf.function(step)
    expected = formula()
    for number in range(1, 11):
        wanted = next(expected)
        step(first, eager)
        function(second, staged)
        third.minimize(lambda: tf.reduce_sum(SCALES * minimized * minimized) / 2, [minimized])
        for w in (eager, staged, minimized):
            np.testing.assert_allclose(w.numpy(), wanted, rtol=1e-6, atol=1e-6)
        assert int(first.iterations) == int(second.iterations) == int(third.iterations) == number
    assert function.experimental_get_tracing_count() <= 2

    looped, last = tf.Variable(W0), make()

    @tf.function
    def train(n: Any) -> Any:
        for _ in tf.range(n):
            step(last, looped)
        return looped.read_value()

    last.build([looped])
    np.testing.assert_allclose(train(tf.constant(10)), wanted, rtol=1e-6, atol=1e-6)
    assert int(last.iterations) == 10


def test_several_variables_of_several_dtypes() -> None:
    a, b = tf.Variable([1.0, 2.0]), tf.Variable(np.ones((2, 2)))
    optimizer = tf.optimizers.Adam(0.1)
    with tf.GradientTape() as tape:
        loss = tf.cast(tf.reduce_sum(a * a), tf.float64) + tf.reduce_sum(b * b)
    optimizer.apply_gradients(zip(tape.gradient(loss, [a, b]), [a, b], strict=True))
    np.testing.assert_allclose(a.numpy(), [0.9, 1.9], rtol=1e-5)
    np.testing.assert_allclose(b.numpy(), np.full((2, 2), 0.9), rtol=1e-5)
    assert optimizer.get_slot(b, "m").shape == [2, 2] and optimizer.get_slot(b, "m").dtype is tf.float64
    assert len(optimizer.variables) == 2 + 4 and not any(v.trainable for v in optimizer.variables)
    with pytest.raises(ValueError, match="its slots: m, v"):
        optimizer.get_slot(a, "momentum")


def test_the_learning_rate_is_assigned_between_the_calls_of_a_function() -> None:
    w, optimizer = tf.Variable(1.0), tf.optimizers.SGD(0.1)

    @tf.function
    def once() -> None:
        optimizer.apply_gradients([(tf.constant(1.0), w)])

    once()
    optimizer.learning_rate = 0.5
    once()
    np.testing.assert_allclose(w.numpy(), 1 - 0.1 - 0.5, rtol=1e-6)
    optimizer.learning_rate.assign(1.0)
    once()
    np.testing.assert_allclose(w.numpy(), -0.6, rtol=1e-6)
    assert once.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match="function of the number of steps"):
        tf.optimizers.SGD(lambda t: 0.1).learning_rate = 1.0


def test_clipping_and_decay() -> None:
    gradients = [tf.constant([3.0, 4.0]), tf.constant([0.0, 12.0])]

    def changes(**options: Any) -> list[Any]:
        variables = [tf.Variable([0.0, 0.0]), tf.Variable([0.0, 0.0])]
        tf.optimizers.SGD(1.0, **options).apply_gradients(zip(gradients, variables, strict=True))
        return [-v.numpy() for v in variables]

    np.testing.assert_allclose(changes(clipvalue=3.5), [[3, 3.5], [0, 3.5]])
    np.testing.assert_allclose(changes(clipnorm=6.0), [[3, 4], [0, 6]])
    np.testing.assert_allclose(changes(global_clipnorm=6.5), [[1.5, 2], [0, 6]])
    np.testing.assert_allclose(changes(global_clipnorm=100.0), [[3, 4], [0, 12]])
    w = tf.Variable([2.0])
    tf.optimizers.SGD(0.5, weight_decay=0.1).apply_gradients([(tf.constant([1.0]), w)])
    np.testing.assert_allclose(w.numpy(), [2 - 0.5 * 0.1 * 2 - 0.5])


def test_constraints_hold_after_each_step() -> None:
    w = tf.Variable([0.1, 1.0], constraint=lambda w: tf.maximum(w, 0.0))
    tf.optimizers.SGD(1.0).apply_gradients([(tf.constant([1.0, 0.5]), w)])
    assert w.numpy().tolist() == [0, 0.5]


def test_gradients_that_are_missing() -> None:
    used, unused = tf.Variable(1.0, name="used"), tf.Variable(1.0, name="unused")
    optimizer = tf.optimizers.SGD(0.5)
    with pytest.warns(UserWarning, match="unused:0"):
        optimizer.apply_gradients([(tf.constant(1.0), used), (None, unused)])
    assert (float(used), float(unused)) == (0.5, 1)
    with pytest.raises(ValueError, match="no gradients"):
        optimizer.apply_gradients([(None, unused)])
    with pytest.raises(ValueError, match="tape"):
        optimizer.minimize(used * 1, [used])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizer.apply_gradients([])


def test_rows_as_gradients() -> None:
    w = tf.Variable(np.zeros((4, 2), np.float32))
    rows = tf.IndexedSlices(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([2, 2]), tf.constant([4, 2]))
    tf.optimizers.SGD(1.0).apply_gradients([(rows, w)])
    assert w.numpy().tolist() == [[0, 0], [0, 0], [-4, -6], [0, 0]]


def test_a_loss_that_a_tape_recorded() -> None:
    w, optimizer = tf.Variable(3.0), tf.optimizers.SGD(0.25)
    with tf.GradientTape() as tape:
        loss = w * w
    optimizer.minimize(loss, [w], tape=tape)
    assert float(w) == 1.5


def test_an_optimizer_of_ones_own() -> None:
    class Sign(tf.optimizers.Optimizer):
        def update(self, step: Any, gradient: Any, variable: Any) -> None:
            variable.assign_sub(step.rate * tf.sign(gradient))

    w = tf.Variable([3.0, -3.0])
    Sign(0.5).apply_gradients([(tf.constant([7.0, -1.0]), w)])
    assert w.numpy().tolist() == [2.5, -2.5]


LATER: dict[str, Any] = {
    "momentum": (optimizers.SGD, {"momentum": 0.9}, "momentum"),
    "the largest of v": (optimizers.Adam, {"amsgrad": True}, "vhat"),
    "centering": (optimizers.RMSprop, {"centered": True, "momentum": 0.5}, "mean"),
}


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("name", LATER)
def test_options_that_change_between_steps(name: str, staged: bool) -> None:
    """Slots that they need start with zeros, as those of an optimizer that had the option from the beginning."""
    kind, options, slot = LATER[name]
    late, early = kind(0.1), kind(0.1, **options)
    w, same = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    gradients = [tf.constant([0.0, 0.0]), tf.constant([1.0, -3.0]), tf.constant([0.5, 2.0])]
    step = (tf.function if staged else lambda f: f)(lambda g: late.apply_gradients([(g, w)]))
    for number, gradient in enumerate(gradients):
        step(gradient)
        early.apply_gradients([(gradient, same)])
        for option, value in options.items() if number == 0 else ():
            setattr(late, option, value)
    np.testing.assert_allclose(w, same, rtol=1e-6)
    np.testing.assert_allclose(late.get_slot(w, slot), early.get_slot(same, slot), rtol=1e-6)
    assert late.get_slot(w, slot).name.endswith(f"/{slot}:0") and len(late.variables) == len(early.variables)


@pytest.mark.parametrize("kind", [optimizers.SGD, optimizers.Adam, optimizers.RMSprop, optimizers.Adagrad])
def test_gradients_that_are_no_tensors(kind: Any) -> None:
    w, same = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    kind(0.1).apply_gradients([([1.0, -1.0], w)])
    kind(0.1).apply_gradients([(tf.constant([1.0, -1.0]), same)])
    np.testing.assert_array_equal(w, same)


@pytest.mark.parametrize("kind", [optimizers.SGD, optimizers.Adam])
@pytest.mark.parametrize("staged", [False, True])
def test_a_gradient_that_is_not_like_its_variable_changes_nothing(kind: Any, staged: bool) -> None:
    a, b, whole = tf.Variable([1.0, 2.0], name="a"), tf.Variable([3.0], name="b"), tf.Variable([1, 2], name="whole")
    optimizer, good = kind(0.1), tf.constant([1.0, 1.0])
    bad: dict[Any, Any] = {
        r"'b:0' has the shape \(2,\), the variable has \(1,\)": (ShapeMismatchError, (good, b)),
        r"'a:0' has the shape \(\), the variable has \(2,\)": (ShapeMismatchError, (tf.constant(1.0), a)),
        "'b:0' is float64, the variable is float32": (DtypeMismatchError, (tf.constant([1.0], tf.float64), b)),
        "'whole:0' is int32": (DtypeMismatchError, (tf.constant([1, 1]), whole)),
        r"pairs .*got \(.*Tensor, .*Tensor\)": (TypeError, (good, good)),
        r"pairs .*got \(Variable, .*Tensor\)": (TypeError, (b, good)),
    }
    for text, (error, pair) in bad.items():
        step = (tf.function if staged else lambda f: f)(lambda: optimizer.apply_gradients([(good, a), pair]))
        with pytest.raises(error, match=text):
            step()
    assert int(optimizer.iterations) == 0 and a.numpy().tolist() == [1, 2] and b.numpy().tolist() == [3]
    with pytest.raises(TypeError, match="pairs"):
        optimizer.apply_gradients([good, a])


@pytest.mark.parametrize("kind", [optimizers.SGD, optimizers.Adam, optimizers.RMSprop])
def test_gradients_of_unknown_shape_are_checked_when_they_run(kind: Any) -> None:
    w, same = tf.Variable([1.0, 2.0], name="w"), tf.Variable([1.0, 2.0])
    optimizer = kind(0.1)

    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def step(gradient: Any) -> None:
        optimizer.apply_gradients([(gradient, w)])

    for bad in (1.0, [1.0], [[1.0, 1.0]], [1.0, 1.0, 1.0]):
        with pytest.raises(ShapeMismatchError, match=r"not \(2,\)") as caught:
            step(bad)
        assert any("gradient_of_w" in note for note in caught.value.__notes__)
    assert w.numpy().tolist() == [1, 2] and int(optimizer.iterations) == 0
    step([1.0, -1.0])
    kind(0.1).apply_gradients([([1.0, -1.0], same)])
    np.testing.assert_allclose(w, same, rtol=1e-6)


def test_options_out_of_range_are_refused() -> None:
    for kind, options in (
        (optimizers.SGD, {"momentum": 1.5}), (optimizers.SGD, {"momentum": -0.1}), (optimizers.Adam, {"beta_1": 1.0}),
        (optimizers.Adam, {"beta_2": -1.0}), (optimizers.RMSprop, {"rho": 1.0}), (optimizers.SGD, {"clipnorm": 0.0}),
        (optimizers.SGD, {"clipvalue": -1.0}), (optimizers.Adam, {"global_clipnorm": -2.0}),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=f"{kind.__name__}: {next(iter(options))} is a .*number"):
            kind(0.1, **options)
    assert optimizers.SGD(0.1, momentum=1.0).momentum == 1
