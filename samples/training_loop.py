"""A training loop: Variables of a model change in place until the loss does so no more, all of it one graph.

The layer makes its weights in the first call, when it sees how many features there are; the optimizer keeps a velocity
for each weight. `train` is a loop over steps that ends early, with `break`, and prints as it goes.

    $ python samples/training_loop.py
    step 0: loss 4.5
    step 25: loss 0.020252349683506535
    step 50: loss 1.8980801640617e-05
    the loss is 0.000008 after 52 steps of at most 400
"""

import sys

import runtime as tf

RATE, MOMENTUM, ENOUGH, MOST = 0.05, 0.8, 1e-5, 400

# y = 2 a - 3 b + 1, at six points
POINTS = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]
TARGETS = [1.0, 3.0, -2.0, 0.0, 2.0, -3.0]


class Linear(tf.Module):
    """x @ weights + bias."""

    def __init__(self, name=None):
        super().__init__(name)
        self.weights = None

    @tf.Module.with_name_scope
    def __call__(self, x):
        if self.weights is None:
            self.weights = tf.Variable(tf.zeros([x.shape[-1]], tf.float64), name="weights")
            self.bias = tf.Variable(tf.zeros([], tf.float64), name="bias")
        return tf.reduce_sum(x * self.weights, axis=1) + self.bias


class Momentum:
    """Gradient descent with a velocity for each Variable, made when that is first seen."""

    def __init__(self):
        self.velocities = {}

    def step(self, variable, gradient):
        if variable.ref() not in self.velocities:
            self.velocities[variable.ref()] = tf.Variable(tf.zeros_like(variable), trainable=False)
        velocity = self.velocities[variable.ref()]
        velocity.assign(MOMENTUM * velocity - RATE * gradient)
        variable.assign_add(velocity)


def train_step(model, optimizer, x, y):
    """One step; returns the loss before it, the mean of the squared errors."""
    error = model(x) - y
    loss = tf.reduce_mean(error * error)
    slope = 2.0 * error / len(y)
    optimizer.step(model.weights, tf.reduce_sum(x * slope[:, tf.newaxis], axis=0))
    optimizer.step(model.bias, tf.reduce_sum(slope))
    return loss


@tf.function
def train(model, optimizer, x, y, most):
    loss = train_step(model, optimizer, x, y)
    tf.print("step 0: loss", loss, output_stream=sys.stdout)
    steps = 1
    for step in tf.range(1, most):
        loss = train_step(model, optimizer, x, y)
        steps += 1
        if step % 25 == 0:
            tf.print("step ", step, ": loss ", loss, sep="", output_stream=sys.stdout)
        if loss < ENOUGH:
            break
    return loss, steps


def plain_train(points, targets, most):
    """The same on lists of Python numbers."""
    weights, bias = [0.0, 0.0], 0.0
    velocities, push = [0.0, 0.0], 0.0
    steps, loss = 0, 0.0
    while steps < most:
        errors = [p[0] * weights[0] + p[1] * weights[1] + bias - t for p, t in zip(points, targets, strict=True)]
        loss = sum(e * e for e in errors) / len(errors)
        slopes = [2.0 * e / len(errors) for e in errors]
        for i in range(2):
            gradient = sum(p[i] * s for p, s in zip(points, slopes, strict=True))
            velocities[i] = MOMENTUM * velocities[i] - RATE * gradient
            weights[i] += velocities[i]
        push = MOMENTUM * push - RATE * sum(slopes)
        bias += push
        steps += 1
        if steps > 1 and loss < ENOUGH:
            break
    return loss, steps, weights, bias


def main():
    model, optimizer = Linear("line"), Momentum()
    x, y = tf.constant(POINTS, tf.float64), tf.constant(TARGETS, tf.float64)
    loss, steps = train(model, optimizer, x, y, tf.constant(MOST))
    plain_loss, plain_steps, weights, bias = plain_train(POINTS, TARGETS, MOST)
    graph = [int(steps), float(loss), *map(float, model.weights), float(model.bias)]
    plain = [plain_steps, plain_loss, *weights, bias]
    if any(abs(a - b) > 1e-9 for a, b in zip(graph, plain, strict=True)):
        sys.exit(f"training: steps, loss and weights are {graph} in the graph, {plain} in plain Python")
    print(f"the loss is {float(loss):.6f} after {int(steps)} steps of at most {MOST}")
    for variable in model.variables:
        print(variable.name, variable.numpy().round(2))


if __name__ == "__main__":
    main()
