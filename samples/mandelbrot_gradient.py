"""How far a point is from the Mandelbrot set, by the gradient of a loop that ends when the point escapes.

With z -> z * z + c from z = 0 on, until |z| is large, the distance from c to the set is |z| log|z| / |dz/dc|, to a
factor of two. The graph has no formula for the derivative: it is the gradient of |z| through the loop. Plain Python
carries dz -> 2 * z * dz + 1 along.

    $ python samples/mandelbrot_gradient.py
    0.5+0.0i is about 0.12 from the set, after 8 steps
"""

import math
import sys

import runtime as tf

MOST_STEPS = 200
FAR = 1e3
POINTS = (0.5, 0.3 + 0.5j, -0.75 + 0.1j, -1.5 + 0.05j, 0.26, -0.1 + 0.66j, -2.5 + 1j, 0.0, -1.0)


@tf.function
def escape(point):
    """|z| when it is large, or after the most steps, and how many steps that were. point: the two parts of c."""
    x, y = tf.constant(0.0, tf.float64), tf.constant(0.0, tf.float64)
    steps = 0
    while steps < MOST_STEPS:
        if x * x + y * y > FAR * FAR:
            break
        x, y = x * x - y * y + point[0], 2.0 * x * y + point[1]
        steps += 1
    return tf.sqrt(x * x + y * y), steps


@tf.function
def distance(point):
    """The distance to the set (0 for points that do not escape), the steps, and the direction away from it."""
    with tf.GradientTape() as tape:
        tape.watch(point)
        size, steps = escape(point)
    slope = tape.gradient(size, point)
    if size <= FAR:
        return tf.constant(0.0, tf.float64), steps, tf.zeros([2], tf.float64)
    steepness = tf.norm(slope)
    return size * tf.math.log(size) / steepness, steps, slope / steepness


@tf.function
def nearest(point):
    """A point close to the border, found by going half the distance against the gradient again and again."""
    moves = 0
    for _ in tf.range(40):
        gap, _, away = distance(point)
        if gap < 1e-3:
            break
        point -= 0.5 * gap * away
        moves += 1
    return point, moves


def plain_distance(c):
    """The same with complex numbers."""
    z, dz, steps = 0j, 0j, 0
    while steps < MOST_STEPS and abs(z) <= FAR:
        z, dz = z * z + c, 2 * z * dz + 1
        steps += 1
    if abs(z) <= FAR:
        return 0.0, steps
    return abs(z) * math.log(abs(z)) / abs(dz), steps


def main():
    for c in map(complex, POINTS):
        gap, steps, _ = distance(tf.constant([c.real, c.imag], tf.float64))
        plain, plain_steps = plain_distance(c)
        if int(steps) != plain_steps or not math.isclose(float(gap), plain, rel_tol=1e-9):
            sys.exit(f"{c}: the graph says {float(gap)} after {int(steps)} steps, plain Python {plain}, {plain_steps}")
        where = f"is about {plain:.2g} from the set" if plain else "seems to be in the set"
        print(f"{c.real}{c.imag:+}i {where}, after {plain_steps} steps")
    # East of the cusp at 1/4 the set has no point: the way from 0.5 to the border ends there.
    point, moves = nearest(tf.constant([0.5, 0.0], tf.float64))
    if abs(float(point[0]) - 0.25) > 0.02 or float(point[1]) != 0:
        sys.exit(f"the graph finds the border at {point.numpy()}; from 0.5 on it is at 0.25")
    print(f"from 0.5 the border is found near 0.25 in {int(moves)} moves")


if __name__ == "__main__":
    main()
