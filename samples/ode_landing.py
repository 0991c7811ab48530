"""A thrown ball with drag, up to the moment when it lands, and the derivative of where it does.

The equations of motion are integrated by Runge and Kutta's method in a loop that ends with the first step below the
ground, so how many steps there are depends on the angle. The gradient goes through that loop, and tells the angle for
the farthest throw.

    $ python samples/ode_landing.py
    no drag: 44.94 degrees, 40.7746 m; drag 0.02: 41.54 degrees, 25.9888 m
"""

import math
import sys

import runtime as tf

GRAVITY = 9.81
SPEED = 20.0
STEP = 0.02


@tf.function
def acceleration(velocity, drag):
    speed = tf.sqrt(tf.reduce_sum(velocity * velocity))
    return tf.constant([0.0, -GRAVITY], tf.float64) - drag * speed * velocity


@tf.function
def landing(angle, drag):
    """Where a ball lands that is thrown at this angle (in radians), and after how many steps."""
    place = tf.zeros([2], tf.float64)
    velocity = SPEED * tf.stack([tf.cos(angle), tf.sin(angle)])
    before = place
    steps = 0
    while True:
        a = acceleration(velocity, drag)
        b = acceleration(velocity + STEP / 2 * a, drag)
        c = acceleration(velocity + STEP / 2 * b, drag)
        d = acceleration(velocity + STEP * c, drag)
        before = place
        place = place + STEP * (velocity + STEP / 6 * (a + b + c))
        velocity = velocity + STEP / 6 * (a + 2 * b + 2 * c + d)
        steps += 1
        if place[1] < 0:
            break
    part = before[1] / (before[1] - place[1])  # of the last step
    return before[0] + part * (place[0] - before[0]), steps


@tf.function
def slope(angle, drag):
    """How much farther it lands with more angle."""
    with tf.GradientTape() as tape:
        tape.watch(angle)
        distance, _ = landing(angle, drag)
    return tape.gradient(distance, angle)


@tf.function
def farthest(drag):
    """The angle at which the slope is zero, by bisection."""
    low, high = tf.constant(0.1, tf.float64), tf.constant(1.5, tf.float64)
    while high - low > 1e-9:
        middle = (low + high) / 2
        if slope(middle, drag) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def plain_landing(angle, drag):
    """The same with numbers of Python, in which the slope is a difference."""
    x = y = 0.0
    u, v = SPEED * math.cos(angle), SPEED * math.sin(angle)
    pull = lambda u, v: (-drag * math.hypot(u, v) * u, -GRAVITY - drag * math.hypot(u, v) * v)
    steps = 0
    while True:
        a = pull(u, v)
        b = pull(u + STEP / 2 * a[0], v + STEP / 2 * a[1])
        c = pull(u + STEP / 2 * b[0], v + STEP / 2 * b[1])
        d = pull(u + STEP * c[0], v + STEP * c[1])
        old = (x, y)
        x += STEP * (u + STEP / 6 * (a[0] + b[0] + c[0]))
        y += STEP * (v + STEP / 6 * (a[1] + b[1] + c[1]))
        u += STEP / 6 * (a[0] + 2 * b[0] + 2 * c[0] + d[0])
        v += STEP / 6 * (a[1] + 2 * b[1] + 2 * c[1] + d[1])
        steps += 1
        if y < 0:
            return old[0] + old[1] / (old[1] - y) * (x - old[0]), steps


def compare(angle, drag):
    """Leaves the program where the graph and plain Python differ in the distance, the steps or the slope."""
    distance, steps = landing(tf.constant(angle, tf.float64), tf.constant(drag, tf.float64))
    plain, plain_steps = plain_landing(angle, drag)
    if int(steps) != plain_steps or not math.isclose(float(distance), plain, rel_tol=1e-9):
        sys.exit(f"at {angle}: the graph lands at {float(distance)} after {int(steps)} steps, plain Python at {plain}")
    found = float(slope(tf.constant(angle, tf.float64), tf.constant(drag, tf.float64)))
    difference = (plain_landing(angle + 1e-6, drag)[0] - plain_landing(angle - 1e-6, drag)[0]) / 2e-6
    if not math.isclose(found, difference, rel_tol=1e-5, abs_tol=1e-5):
        sys.exit(f"at {angle}: the slope is {found} by the graph's gradient, {difference} by differences")
    return steps


def main():
    for degrees in (20, 45, 70):
        steps = [int(compare(math.radians(degrees), drag)) for drag in (0.0, 0.02)]
        print(f"thrown at {degrees} degrees: {steps[0]} steps without drag, {steps[1]} with it")
    best = {drag: float(farthest(tf.constant(drag, tf.float64))) for drag in (0.0, 0.02)}
    # Without drag the law is known: sin(2 * angle) * speed**2 / gravity, which is most at 45 degrees.
    known = SPEED**2 / GRAVITY
    reached = {drag: plain_landing(angle, drag)[0] for drag, angle in best.items()}
    if abs(math.degrees(best[0.0]) - 45) > 0.1 or not math.isclose(reached[0.0], known, rel_tol=1e-4):
        sys.exit(f"the graph throws farthest at {math.degrees(best[0.0])} degrees, {reached[0.0]} m; it is 45, {known}")
    near = [plain_landing(best[0.02] + change, 0.02)[0] for change in (-0.02, 0.02)]
    if max(near) > reached[0.02]:
        sys.exit(f"the graph's best angle {best[0.02]} is not the best: {near} beside {reached[0.02]}")
    texts = [f"{math.degrees(best[drag]):.2f} degrees, {reached[drag]:.4f} m" for drag in (0.0, 0.02)]
    print(f"no drag: {texts[0]}; drag 0.02: {texts[1]}")


if __name__ == "__main__":
    main()
