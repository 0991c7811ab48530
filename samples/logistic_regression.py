"""Logistic regression: which of two clouds a point belongs to, learned by gradient descent, all of it one graph.

The graph finds the slopes itself, with a `GradientTape` inside of the loop, and stops when they are small enough. The
plain version has the formulas written out.

    $ python samples/logistic_regression.py
    the slopes are below 0.0001 after 63 steps of at most 1000
    weights 1.2802 0.9887, bias -0.3377, loss 0.331928
    173 of 200 points are on their side of the line
"""

import math
import sys

import runtime as tf

POINTS, RATE, KEPT, ENOUGH, MOST = 200, 1.0, 0.01, 1e-4, 1000


def clouds():
    """Points around (1, 1) of class 1 and around (-1, -0.5) of class 0; the same in every run."""
    labels = tf.cast(tf.range(POINTS) % 2, tf.float64)
    centers = tf.where(labels[:, tf.newaxis] == 1.0, [[1.0, 1.0]], [[-1.0, -0.5]])
    noise = tf.random.stateless_normal([POINTS, 2], seed=[3, 5], dtype=tf.float64)
    return tf.cast(centers, tf.float64) + 1.1 * noise, labels


@tf.function
def fit(x, labels, most):
    """The weights, the bias, the last loss and the number of steps."""
    weights, bias = tf.zeros([2], tf.float64), tf.zeros([], tf.float64)
    loss, steps = tf.zeros([], tf.float64), 0
    for _ in tf.range(most):
        with tf.GradientTape() as tape:
            tape.watch([weights, bias])
            logits = tf.linalg.matvec(x, weights) + bias
            losses = tf.nn.sigmoid_cross_entropy_with_logits(labels, logits)
            loss = tf.reduce_mean(losses) + KEPT * tf.reduce_sum(weights * weights)
        slopes, slope = tape.gradient(loss, [weights, bias])
        weights -= RATE * slopes
        bias -= RATE * slope
        steps += 1
        if tf.maximum(tf.reduce_max(tf.abs(slopes)), tf.abs(slope)) < ENOUGH:
            break
    return weights, bias, loss, steps


def plain_fit(points, labels, most):
    """The same on lists of Python numbers."""
    weights, bias, loss, steps, n = [0.0, 0.0], 0.0, 0.0, 0, len(points)
    while steps < most:
        chances = [1 / (1 + math.exp(-(p[0] * weights[0] + p[1] * weights[1] + bias))) for p in points]
        costs = [-math.log(c if y else 1 - c) for c, y in zip(chances, labels, strict=True)]
        loss = math.fsum(costs) / n + KEPT * (weights[0] ** 2 + weights[1] ** 2)
        errors = [c - y for c, y in zip(chances, labels, strict=True)]
        slopes = [
            math.fsum(e * p[i] for e, p in zip(errors, points, strict=True)) / n + 2 * KEPT * weights[i]
            for i in range(2)
        ]
        slope = math.fsum(errors) / n
        weights = [w - RATE * s for w, s in zip(weights, slopes, strict=True)]
        bias -= RATE * slope
        steps += 1
        if max(abs(s) for s in (*slopes, slope)) < ENOUGH:
            break
    return [*weights, bias, loss], steps


def main():
    x, labels = clouds()
    weights, bias, loss, steps = fit(x, labels, tf.constant(MOST))
    graph = [*map(float, weights), float(bias), float(loss)]
    plain, plain_steps = plain_fit(x.numpy().tolist(), labels.numpy().tolist(), MOST)
    if int(steps) != plain_steps or any(abs(a - b) > 1e-9 for a, b in zip(graph, plain, strict=True)):
        sys.exit(f"logistic: {graph} after {int(steps)} steps in the graph, {plain} after {plain_steps} in Python")
    print(f"the slopes are below {ENOUGH} after {int(steps)} steps of at most {MOST}")
    print(f"weights {graph[0]:.4f} {graph[1]:.4f}, bias {graph[2]:.4f}, loss {graph[3]:.6f}")
    sides = tf.cast(tf.linalg.matvec(x, weights) + bias > 0.0, tf.float64)
    print(f"{int(tf.reduce_sum(tf.cast(sides == labels, tf.int32)))} of {POINTS} points are on their side of the line")


if __name__ == "__main__":
    main()
