"""Custom gradients of saved functions: the rules are Python code, and go into the file as graphs."""

from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import plain
from tests.runtime.saving.models import round_trip


@tf.custom_gradient
def clip_gradients(y):
    def backward(dy):
        return tf.clip_by_norm(dy, 0.5)

    return y, backward


def test_the_program_of_the_guide(tmp_path: Path) -> None:
    class MyModule(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec(None)])
        def call_custom_grad(self, x):
            return clip_gradients(x)

    model = MyModule()
    tf.saved_model.save(model, tmp_path, options=tf.saved_model.SaveOptions(experimental_custom_gradients=True))
    v = tf.Variable(2.0)
    loaded = tf.saved_model.load(tmp_path)
    with tf.GradientTape() as t:
        output = loaded.call_custom_grad(v * v)
    assert plain(t.gradient(output, v)) == 2.0
    tf.saved_model.save(model, tmp_path, options=tf.saved_model.SaveOptions(experimental_custom_gradients=False))
    loaded = tf.saved_model.load(tmp_path)
    with pytest.raises(LookupError, match="does not hold its rule"), tf.GradientTape():
        loaded.call_custom_grad(v * v)
    for wrong in ({"options": 1}, {"options": tf.saved_model.LoadOptions()}):
        with pytest.raises(TypeError, match="options is a SaveOptions or None"):
            tf.saved_model.save(model, tmp_path, **wrong)
    with pytest.raises(TypeError, match="options is a LoadOptions or None"):
        tf.saved_model.load(tmp_path, options=tf.saved_model.SaveOptions())


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)
    return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))


@tf.recompute_grad
def heavy(x):
    return tf.sin(x) * tf.exp(x)


class Rules(tf.Module):
    def __init__(self):
        self.w = tf.Variable(3.0)
        self.scale = tf.constant(100.0)

    def with_variable(self, x):
        @tf.custom_gradient
        def f(x):
            def grad(upstream, variables=None):
                return upstream * self.w * 10.0, [upstream * x * self.scale]

            return x * self.w, grad

        return f(x)

    @tf.function
    def f(self, x):
        t = x
        for _ in tf.range(3):
            if t > 0.0:
                t = log1pexp(t) * 0.5
            else:
                t = self.with_variable(t)
        return t + heavy(x) + self.with_variable(x)

    @tf.function
    def several(self, a, b):
        @tf.custom_gradient
        def both(a, b):
            return (a * b, tf.size(a), b), lambda u, _, v: (u * 7.0 + v, None)

        return both(a, b)


def gradients(model: Any, x: Any) -> list[Any]:
    """First and second order, in a loop, a branch and with a Variable; of several results."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = model.f(x)
        first = tape.gradient(y, [x, model.w])
    second = outer.gradient(first[0], x)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a, _, b = model.several(x, x * 2.0)
    return plain([y, *first, second, tape.gradient(a, x), tape.gradient(b, x)])


@pytest.mark.parametrize("value", [0.7, -0.4])
def test_rules_in_branches_and_loops_with_what_they_take_from_around(value: float, tmp_path: Path) -> None:
    model, x = Rules(), tf.constant(value)
    model.f(x)
    model.several(x, x)
    wanted = gradients(model, x)
    tf.saved_model.save(model, tmp_path / "1")
    assert gradients(model, x) == wanted, "the original is as it was"
    loaded = tf.saved_model.load(tmp_path / "1")
    assert gradients(loaded, x) == wanted
    staged = tf.function(lambda x: gradients_of(loaded, x))
    assert plain(staged(x)) == wanted[1]
    tf.saved_model.save(loaded, tmp_path / "2")
    assert gradients(tf.saved_model.load(tmp_path / "2"), x) == wanted


def gradients_of(model: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = model.f(x)
    return tape.gradient(y, x)


def test_a_rule_that_no_graph_holds_leaves_the_function_without_a_gradient(tmp_path: Path) -> None:
    @tf.custom_gradient
    def noted(x):
        return x * 2, lambda upstream: tf.py_function(lambda u: u * 100, [upstream], tf.float32)

    f = tf.function(lambda x: noted(x))
    x = tf.constant(2.0)
    f(x)
    loaded = round_trip(tmp_path, f=f)
    assert plain(loaded.f(x)) == 4.0
    with pytest.raises(LookupError, match="does not hold its rule"), tf.GradientTape() as tape:
        tape.watch(x)
        loaded.f(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert plain(tape.gradient(y, x)) == 100.0
