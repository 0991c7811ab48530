"""What training costs over the same steps written by hand in numpy, and a convolution (for TensorFlow's see native.py).

The network is 784-128-10 with a batch of 32, a relu and a cross-entropy; the step is gradient descent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import runtime
from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]

RATE = np.float32(0.01)


def rows(scale: Scale) -> Iterator[Row]:
    yield from _network(scale)
    yield from _recurrent(scale)
    yield from _convolution(scale)


def _numbers(*shape: int, by: float = 1.0) -> Any:
    return (by * np.random.default_rng(sum(shape)).normal(size=shape)).astype(np.float32)


def _network(scale: Scale) -> Iterator[Row]:
    x, y = _numbers(32, 784), np.random.default_rng(1).integers(0, 10, 32).astype(np.int32)
    start = [_numbers(784, 128, by=0.05), _numbers(128, by=0.01), _numbers(128, 10, by=0.1), _numbers(10, by=0.01)]
    by_hand = _numpy_step([w.copy() for w in start], x, y)
    variables = [runtime.Variable(w) for w in start]
    inputs, labels = runtime.constant(x), runtime.constant(y)

    def descend() -> Any:
        w1, b1, w2, b2 = variables
        with runtime.GradientTape() as tape:
            logits = runtime.nn.relu(inputs @ w1 + b1) @ w2 + b2
            loss = runtime.reduce_mean(runtime.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(RATE * gradient)
        return loss

    step = runtime.function(descend)

    @runtime.function
    def many(n):
        loss = 0.0
        for _ in runtime.range(n):
            loss = descend()
        return loss

    times = scale.of(1000)
    count, layered = runtime.constant(times), _layered_step(inputs, labels)
    for warm in (step, layered, lambda: many(count)):
        warm()
    loops = max(1, scale.loops // 20)
    plain, staged, with_layers = best_of_each([by_hand, step, layered], scale.repeats, loops)
    yield Row("a step of training 784-128-10, batch 32", staged, "s", 1.5 * plain, plain, "numpy by hand")
    yield Row("the same with layers and an optimizer", with_layers, "s", 1.5 * plain, plain, "numpy by hand")

    def loop_by_hand() -> None:
        for _ in range(times):
            by_hand()

    plain, staged = best_of_each([loop_by_hand, lambda: many(count)], scale.repeats)
    yield Row(f"{times:,} such steps in a loop of the graph", staged, "s", 1.4 * plain, plain, "numpy by hand")


def _layered_step(inputs: Any, labels: Any) -> Callable[[], Any]:
    layers, losses = runtime.layers, runtime.losses
    model = layers.Sequential([layers.Dense(128, activation="relu"), layers.Dense(10)])
    optimizer, loss_of = runtime.optimizers.SGD(float(RATE)), losses.SparseCategoricalCrossentropy(from_logits=True)

    @runtime.function
    def step():
        with runtime.GradientTape() as tape:
            loss = loss_of(labels, model(inputs))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    return step


def _numpy_step(weights: list[Any], x: Any, y: Any) -> Callable[[], Any]:
    w1, b1, w2, b2 = weights
    rows_ = np.arange(len(y))

    def step() -> Any:
        hidden = np.maximum(x @ w1 + b1, 0)
        logits = hidden @ w2 + b2
        logits -= logits.max(1, keepdims=True)
        shares = np.exp(logits)
        sums = shares.sum(1, keepdims=True)
        loss = (np.log(sums[:, 0]) - logits[rows_, y]).mean()
        shares /= sums
        shares[rows_, y] -= 1
        shares /= np.float32(len(y))
        inner = shares @ w2.T
        inner *= hidden > 0
        for w, g in ((w1, x.T @ inner), (b1, inner.sum(0)), (w2, hidden.T @ shares), (b2, shares.sum(0))):
            g *= RATE
            w -= g
        return loss

    return step


def _recurrent(scale: Scale) -> Iterator[Row]:
    batch, steps, units = 32, scale.of(64), 256
    xs = _numbers(steps, batch, units)
    w, u, b = _numbers(units, units, by=0.05), _numbers(units, units, by=0.05), _numbers(units)

    @runtime.function
    def staged(xs):
        state = runtime.zeros([batch, units])
        for x in xs:
            state = runtime.tanh(x @ w + state @ u + b)
        return state

    def by_hand() -> Any:
        state = np.zeros((batch, units), np.float32)
        for x in xs:
            state = np.tanh(x @ w + state @ u + b)
        return state

    inputs = runtime.constant(xs)
    staged(inputs)
    plain, taken = best_of_each([by_hand, lambda: staged(inputs)], scale.repeats, max(1, scale.loops // 200))
    name = f"a recurrent network over {steps} steps, batch {batch}, {units} units"
    yield Row(name, taken, "s", 1.15 * plain, plain, "numpy by hand")


def _convolution(scale: Scale) -> Iterator[Row]:
    size, channels = scale.of(200, least=5), 100
    image, filters = _numbers(1, size, size, channels), _numbers(3, 3, channels, channels)
    rows_, matrix = _numbers((size - 2) ** 2, 9 * channels), filters.reshape(-1, channels)
    x, w = runtime.constant(image), runtime.constant(filters)
    actions: list[Callable[[], Any]] = [lambda: runtime.nn.conv2d(x, w, 1, "VALID"), lambda: rows_ @ matrix]
    taken, product = best_of_each(actions, scale.repeats)
    name = f"conv2d of [1, {size}, {size}, {channels}] with {channels} filters of 3 x 3"
    yield Row(name, taken, "s", None, product, "the matrix product alone")
