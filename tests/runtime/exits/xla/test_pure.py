"""runtime.to_jax: pure functions that compose with JAX's own, with the same values and gradients as here."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import runtime as tf
from runtime.errors import NotExportableError

pytestmark = pytest.mark.filterwarnings("ignore")

X = np.array([[0.5, -0.25], [1.0, 2.0]], np.float32)


def network(weights: tf.Variable):
    def loss(x):
        for i in tf.range(3):
            if tf.reduce_sum(x) < 5.0:
                x = tf.tanh(tf.matmul(x, weights)) + x * tf.cast(i, tf.float32)
        return {"loss": tf.reduce_mean(x * x)}

    return loss


def test_jit_vmap_and_grad() -> None:
    weights = tf.Variable([[1.0, -0.5], [0.25, 0.75]], name="weights")
    function = tf.function(network(weights))
    pure = tf.to_jax(function)
    wanted = function(tf.constant(X))["loss"].numpy()
    assert float(pure(X)["loss"]) == pytest.approx(float(wanted), rel=1e-6)
    assert float(jax.jit(pure)(X)["loss"]) == pytest.approx(float(wanted), rel=1e-6)
    many = jax.vmap(pure)(np.stack([X, 2 * X]))["loss"]
    assert np.asarray(many).tolist() == pytest.approx([float(pure(X)["loss"]), float(pure(2 * X)["loss"])], rel=1e-6)
    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        loss = function(x.read_value())["loss"]
    ours = tape.gradient(loss, [x, weights])
    by_jax = jax.grad(lambda x, tree: pure(x, variables=tree)["loss"], (0, 1))(X, pure.variables)
    np.testing.assert_allclose(by_jax[0], ours[0].numpy(), rtol=1e-5)
    np.testing.assert_allclose(by_jax[1]["weights"], ours[1].numpy(), rtol=1e-5)


def test_variables_are_a_tree() -> None:
    count, total = tf.Variable(0, name="count"), tf.Variable(1.5, name="total")

    @tf.function
    def step(x):
        count.assign_add(1)
        total.assign(total * x)
        return total + tf.cast(count, tf.float32)

    pure = tf.to_jax(step, [tf.TensorSpec([], tf.float32)])
    assert sorted(pure.variables) == ["count", "total"]
    result, after = jax.jit(pure.update)(np.float32(2), variables={"count": np.int32(4), "total": np.float32(3)})
    assert (float(result), int(after["count"]), float(after["total"])) == (11, 5, 6)
    assert int(count) == 0 and float(total) == 1.5
    with pytest.raises(ValueError, match="writes to count, total; call `update`"):
        pure(np.float32(2))


def test_64_bits_inside_of_a_program_of_32() -> None:
    pure = tf.to_jax(lambda x: tf.cast(tf.cast(x, tf.float64) * 2.0**40, tf.int64) % 1000)
    assert int(jax.jit(pure)(jnp.float32(3.5))) == int(3.5 * 2**40) % 1000


def test_shapes_are_known_and_arguments_nest() -> None:
    def program(parts, scale=2.0):
        rows = tf.shape(parts["a"])[0]
        return tf.reshape(parts["a"], [rows * 2, -1]) * scale + parts["b"]

    pure = tf.to_jax(program)
    found = jax.jit(pure)({"a": np.ones((2, 4), np.float32), "b": np.float32(1)})
    assert np.asarray(found).tolist() == [[3, 3]] * 4
    assert pure({"a": np.ones((1, 2), np.float32), "b": np.float32(1)}, scale=5.0).shape == (2, 1)


def test_a_list_for_one_argument() -> None:
    pure = tf.to_jax(tf.function(lambda x: x * 2.0, input_signature=[tf.TensorSpec([None], tf.float32)]))
    assert np.asarray(pure([1.0, 2.0])).tolist() == [2, 4]


def test_reverse_gradients_of_loops_agree() -> None:
    def program(x, n):
        total = x
        for i in tf.range(n):
            total = total * x + tf.sin(total) / (tf.cast(i, tf.float64) + 1.0)
        return total

    function = tf.function(program)
    x = tf.Variable(0.7, dtype=tf.float64)
    with tf.GradientTape() as tape:
        result = function(x.read_value(), 5)
    with jax.enable_x64(True):
        found = jax.grad(lambda x: tf.to_jax(function)(x, 5))(np.float64(0.7))
    assert float(found) == pytest.approx(float(tape.gradient(result, x)), rel=1e-12)


def test_own_gradients_are_not_taken_for_others() -> None:
    @tf.custom_gradient
    def clipped(x):
        return x, lambda upstream: tf.clip_by_value(upstream, -1.0, 1.0)

    pure = tf.to_jax(lambda x: clipped(x) * 3.0)
    assert float(pure(np.float32(2))) == 6
    with pytest.raises(NotImplementedError, match="a gradient of its own"):
        jax.grad(pure)(np.float32(2))


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda x: x + tf.random.normal([]), "random_normal: it draws"),
        (lambda x: tf.boolean_mask(x, x > 0), "every shape in XLA is fixed"),
        (lambda x: tf.print(x) or x, "print: it prints"),
        (lambda x: (x, tf.constant("a")), "takes or returns texts"),
    ],
)
def test_a_reason(program, words: str) -> None:
    with pytest.raises(NotExportableError, match=words):
        tf.to_jax(program)(X)


def test_checks_that_are_left_out() -> None:
    def program(x):
        tf.debugging.assert_greater(x, 0.0)
        return x * 2.0

    with pytest.raises(NotExportableError, match="drop_checks"):
        tf.to_jax(program)(np.float32(1))
    assert float(tf.to_jax(program, drop_checks=True)(np.float32(1))) == 2
