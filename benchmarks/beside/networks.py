"""Networks in float32: a recurrent one, layers, training, convolutions; beside TensorFlow and JAX.

The products alone, by numpy, show what the rest costs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.beside.work import Action, Target, Work, called

__all__ = ["WORKS"]

BOTH = Target(("tensorflow", "jax"), 1.2)
PRODUCTS = Target(("products",), 1 / 1.05)
BATCH, STEPS, UNITS = 32, 64, 256
LAYERS = (784, 512, 512, 10)
TRAINING = 1000
LATENT = 2


def _numbers(*shape: int, by: float = 1.0) -> Any:
    return (by * np.random.default_rng(sum(shape)).normal(size=shape)).astype(np.float32)


def _ready(function: Callable[..., Any], *given: Any) -> Action:
    """The call of a function that JAX compiled."""
    import jax

    arrays = [jax.numpy.asarray(a) for a in given]
    run = jax.jit(function)
    return called(lambda: jax.block_until_ready(run(*arrays)), ())


def _recurrent_weights() -> tuple[Any, ...]:
    return _numbers(UNITS, UNITS, by=0.05), _numbers(UNITS, UNITS, by=0.05), _numbers(UNITS)


def _recurrent(tf: Any) -> Action:
    w, u, b = map(tf.constant, _recurrent_weights())

    @tf.function
    def run(xs: Any) -> Any:
        state = tf.zeros([BATCH, UNITS])
        for x in xs:
            state = tf.tanh(tf.matmul(x, w) + tf.matmul(state, u) + b)
        return state

    return called(run, [tf.constant(_numbers(STEPS, BATCH, UNITS))])


def _recurrent_jax() -> Action:
    import jax

    def run(xs: Any, w: Any, u: Any, b: Any) -> Any:
        def turn(state: Any, x: Any) -> Any:
            return jax.numpy.tanh(x @ w + state @ u + b), None

        return jax.lax.scan(turn, jax.numpy.zeros((BATCH, UNITS), np.float32), xs)[0]

    return _ready(run, _numbers(STEPS, BATCH, UNITS), *_recurrent_weights())


def _recurrent_products() -> Action:
    xs, (w, u, _) = _numbers(STEPS, BATCH, UNITS), _recurrent_weights()
    state = _numbers(BATCH, UNITS)

    def run() -> None:
        for x in xs:
            x @ w
            state @ u

    return called(run, ())


def _weights() -> list[Any]:
    return [_numbers(n, m, by=0.05) for n, m in pairwise(LAYERS)]


def _layers(tf: Any) -> Action:
    w1, w2, w3 = map(tf.constant, _weights())

    @tf.function
    def run(x: Any) -> Any:
        x = tf.nn.relu(tf.matmul(x, w1) + 0.1)
        x = tf.nn.relu(tf.matmul(x, w2) + 0.1)
        return tf.nn.softmax(tf.matmul(x, w3))

    return called(run, [tf.constant(_numbers(128, LAYERS[0]))])


def _layers_jax() -> Action:
    import jax

    def run(x: Any, w1: Any, w2: Any, w3: Any) -> Any:
        return jax.nn.softmax(jax.nn.relu(jax.nn.relu(x @ w1 + 0.1) @ w2 + 0.1) @ w3)

    return _ready(run, _numbers(128, LAYERS[0]), *_weights())


def _layers_products() -> Action:
    (w1, w2, w3), x, y, z = _weights(), _numbers(128, LAYERS[0]), _numbers(128, 512), _numbers(128, 512)
    return called(lambda: (x @ w1, y @ w2, z @ w3), ())


def _start() -> tuple[Any, ...]:
    x, labels = _numbers(32, 784), np.random.default_rng(1).integers(0, 10, 32).astype(np.int32)
    return (x, labels, _numbers(784, 128, by=0.05), _numbers(128, by=0.01), _numbers(128, 10, by=0.1),
            _numbers(10, by=0.01))  # fmt: skip


def _training(tf: Any) -> Action:
    x, labels, *start = _start()
    x, labels, variables = tf.constant(x), tf.constant(labels), [tf.Variable(w) for w in start]

    @tf.function
    def many(n: Any) -> Any:
        w1, b1, w2, b2 = variables
        loss = tf.constant(0.0)
        for _ in tf.range(n):
            with tf.GradientTape() as tape:
                logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2) + b2
                loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
            for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
                variable.assign_sub(0.01 * gradient)
        return loss

    return called(many, [tf.constant(TRAINING)])


def _training_jax() -> Action:
    import jax

    def many(x: Any, labels: Any, *weights: Any) -> Any:
        def loss_of(weights: Any) -> Any:
            w1, b1, w2, b2 = weights
            logits = jax.nn.relu(x @ w1 + b1) @ w2 + b2
            return -jax.numpy.mean(jax.nn.log_softmax(logits)[jax.numpy.arange(len(labels)), labels])

        def step(_: Any, weights: Any) -> Any:
            gradients = jax.grad(loss_of)(weights)
            return tuple(w - np.float32(0.01) * g for w, g in zip(weights, gradients, strict=True))

        return jax.lax.fori_loop(0, TRAINING, step, weights)

    return _ready(many, *_start())


def _training_products() -> Action:
    x, _, w1, _, w2, _ = _start()
    hidden, logits = _numbers(32, 128), _numbers(32, 10)

    def run() -> None:
        for _ in range(TRAINING):
            x @ w1, hidden @ w2, logits @ w2.T, x.T @ hidden, hidden.T @ logits

    return called(run, ())


def _image() -> tuple[Any, Any]:
    return _numbers(1, 200, 200, 100), _numbers(3, 3, 100, 100)


def _convolution(tf: Any) -> Action:
    image, filters = map(tf.constant, _image())
    return called(tf.function(lambda x, w: tf.nn.conv2d(x, w, 1, "VALID")), [image, filters])


def _convolution_jax() -> Action:
    import jax

    def run(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(x, w, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    return _ready(run, *_image())


def _convolution_products() -> Action:
    rows, matrix = _numbers(198 * 198, 900), _numbers(900, 100)
    return called(lambda: rows @ matrix, ())


def _autoencoder_weights() -> list[Any]:
    """Filters, matrices and offsets of an encoder, to twice LATENT numbers, and of a decoder."""
    shapes = [(3, 3, 1, 32), (3, 3, 32, 64), (6 * 6 * 64, 2 * LATENT), (LATENT, 7 * 7 * 32), (3, 3, 64, 32),
              (3, 3, 32, 64), (3, 3, 1, 32)]  # fmt: skip
    offsets = (32, 64, 2 * LATENT, 7 * 7 * 32, 64, 32, 1)
    return [w for s, n in zip(shapes, offsets, strict=True) for w in (_numbers(*s, by=0.1), _numbers(n, by=0.01))]


def _autoencoder(tf: Any) -> Action:
    """A step of the training of a variational one, on images of 28 x 28 pixels."""
    variables = [tf.Variable(w) for w in _autoencoder_weights()]
    optimizer = tf.keras.optimizers.Adam(1e-4)

    @tf.function
    def step(x: Any, noise: Any) -> Any:
        e1, a1, e2, a2, e3, a3, d0, b0, d1, b1, d2, b2, d3, b3 = variables
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.nn.conv2d(x, e1, 2, "VALID") + a1)
            h = tf.nn.relu(tf.nn.conv2d(h, e2, 2, "VALID") + a2)
            mean, logvar = tf.split(tf.matmul(tf.reshape(h, [32, 6 * 6 * 64]), e3) + a3, 2, 1)
            z = noise * tf.exp(logvar * 0.5) + mean
            h = tf.reshape(tf.nn.relu(tf.matmul(z, d0) + b0), [32, 7, 7, 32])
            h = tf.nn.relu(tf.nn.conv2d_transpose(h, d1, [32, 14, 14, 64], 2, "SAME") + b1)
            h = tf.nn.relu(tf.nn.conv2d_transpose(h, d2, [32, 28, 28, 32], 2, "SAME") + b2)
            logits = tf.nn.conv2d_transpose(h, d3, [32, 28, 28, 1], 1, "SAME") + b3
            there = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(x, logits), [1, 2, 3])
            apart = tf.reduce_sum(mean**2 + tf.exp(logvar) - logvar - 1.0, 1)
            loss = tf.reduce_mean(there + 0.5 * apart)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    return called(step, [tf.constant(abs(_numbers(32, 28, 28, 1))), tf.constant(_numbers(32, LATENT))])


def _by(library: str, program: Callable[[Any], Action]) -> Callable[[], Action]:
    def make() -> Action:
        import importlib

        return program(importlib.import_module(library))

    return make


def _work(name: str, program: Callable[[Any], Action], jaxs: Any, products: Any) -> Work:
    libraries = {name: _by(name, program) for name in ("runtime", "tensorflow")}
    libraries |= {"jax": jaxs, "products": products}
    return Work(name, libraries, (BOTH, PRODUCTS))


WORKS = [
    _work(f"a recurrent network, {STEPS} steps, batch {BATCH}, {UNITS} units", _recurrent, _recurrent_jax,
          _recurrent_products),
    _work("layers " + "-".join(map(str, LAYERS)) + ", batch 128", _layers, _layers_jax, _layers_products),
    _work(f"{TRAINING:,} steps of training 784-128-10, batch 32", _training, _training_jax, _training_products),
    _work("conv2d of [1, 200, 200, 100] with 100 filters of 3 x 3", _convolution, _convolution_jax,
          _convolution_products),
    Work("a step of training a convolutional autoencoder, batch 32",
         {name: _by(name, _autoencoder) for name in ("runtime", "tensorflow")}, (Target(("tensorflow",), 2 / 3),)),
]  # fmt: skip
