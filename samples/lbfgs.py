"""L-BFGS: a minimum found from values and gradients, with the curvature remembered from the last few steps.

Everything is in one graph: the outer loop that ends when the gradient is small, the two loops over what is remembered,
the line search that halves the step until the value falls enough and doubles it while it falls on, and the gradients.

    $ python samples/lbfgs.py
    Rosenbrock in 2 dimensions: 32 steps to 1.000000 1.000000
"""

import itertools
import math
import sys

import runtime as tf

MEMORY = 5
MOST_STEPS = 200


def rosenbrock(x):
    """A valley that bends: least, 0, where all coordinates are 1. For tensors and lists of numbers alike."""
    if isinstance(x, list):
        return math.fsum(100 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in itertools.pairwise(x))
    return tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def value_and_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = rosenbrock(x)
    return value, tape.gradient(value, x)


@tf.function
def direction(gradient, moves, changes, kept):
    """Minus the gradient over the curvature, as the last `kept` moves and changes of the gradient tell it."""
    q = gradient
    weights = tf.zeros([MEMORY], tf.float64)
    for i in tf.range(kept):
        weight = tf.reduce_sum(moves[i] * q) / tf.reduce_sum(moves[i] * changes[i])
        weights[i] = weight
        q -= weight * changes[i]
    if kept > 0:
        q *= tf.reduce_sum(moves[0] * changes[0]) / tf.reduce_sum(changes[0] * changes[0])
    for i in tf.range(kept - 1, -1, -1):
        back = tf.reduce_sum(changes[i] * q) / tf.reduce_sum(moves[i] * changes[i])
        q += (weights[i] - back) * moves[i]
    return -q


@tf.function
def minimize(x):
    """The place of a minimum, the value there, and the number of steps from x on."""
    value, gradient = value_and_gradient(x)
    moves = tf.zeros([MEMORY, tf.size(x)], tf.float64)  # the newest first
    changes = tf.zeros([MEMORY, tf.size(x)], tf.float64)
    kept = steps = 0
    while tf.norm(gradient) > 1e-8 and steps < MOST_STEPS:
        way = direction(gradient, moves, changes, kept)
        fall = tf.reduce_sum(way * gradient)
        length = tf.constant(1.0, tf.float64)
        while rosenbrock(x + length * way) > value + 1e-4 * length * fall:
            length /= 2
        while rosenbrock(x + 2 * length * way) < rosenbrock(x + length * way):
            length *= 2
        move = length * way
        x += move
        before = gradient
        value, gradient = value_and_gradient(x)
        change = gradient - before
        if tf.reduce_sum(move * change) > 1e-12:
            moves = tf.concat([tf.expand_dims(move, 0), moves[:-1]], axis=0)
            changes = tf.concat([tf.expand_dims(change, 0), changes[:-1]], axis=0)
            kept = tf.minimum(kept + 1, MEMORY)
        steps += 1
    return x, value, steps


def dot(a, b):
    return math.fsum(p * q for p, q in zip(a, b, strict=True))


def plus(a, factor, b):
    return [p + factor * q for p, q in zip(a, b, strict=True)]


def plain_gradient(x):
    """The derivatives of the valley by hand."""
    slope = [0.0] * len(x)
    for i in range(len(x) - 1):
        slope[i] += -400 * x[i] * (x[i + 1] - x[i] ** 2) - 2 * (1 - x[i])
        slope[i + 1] += 200 * (x[i + 1] - x[i] ** 2)
    return slope


def plain_minimize(x):
    """The same with lists."""
    gradient, memory, steps = plain_gradient(x), [], 0
    while math.sqrt(dot(gradient, gradient)) > 1e-8 and steps < MOST_STEPS:
        q, weights = gradient, []
        for move, change in memory:
            weights.append(dot(move, q) / dot(move, change))
            q = plus(q, -weights[-1], change)
        if memory:
            move, change = memory[0]
            q = [a * dot(move, change) / dot(change, change) for a in q]
        for (move, change), weight in zip(memory[::-1], weights[::-1], strict=True):
            q = plus(q, weight - dot(change, q) / dot(move, change), move)
        length, fall, value = 1.0, -dot(q, gradient), rosenbrock(x)
        while rosenbrock(plus(x, -length, q)) > value + 1e-4 * length * fall:
            length /= 2
        while rosenbrock(plus(x, -2 * length, q)) < rosenbrock(plus(x, -length, q)):
            length *= 2
        move = [-length * a for a in q]
        x = plus(x, 1, move)
        before, gradient = gradient, plain_gradient(x)
        change = plus(gradient, -1, before)
        if dot(move, change) > 1e-12:
            memory = [(move, change), *memory][:MEMORY]
        steps += 1
    return x, steps


def main():
    for count in (2, 6):
        start = [-1.2, 1.0] * (count // 2)
        place, _, steps = minimize(tf.constant(start, tf.float64))
        plain, plain_steps = plain_minimize(start)
        graph = [float(a) for a in place]
        # Sums are rounded in another order, which the steps of the valley make larger; the minimum is the same.
        if abs(int(steps) - plain_steps) > 3 or max(map(abs, plus(graph, -1, plain))) > 1e-6:
            sys.exit(f"the graph ends at {graph} after {int(steps)} steps, plain Python at {plain} after {plain_steps}")
        if max(abs(a - 1) for a in graph) > 1e-6:
            sys.exit(f"the graph ends at {graph}; the minimum is where all coordinates are 1")
        shown = " ".join(f"{a:.6f}" for a in graph)
        print(f"Rosenbrock in {count} dimensions: {plain_steps} steps to {shown}")


if __name__ == "__main__":
    main()
