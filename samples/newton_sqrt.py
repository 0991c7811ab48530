"""Newton's square root: improve a guess until it no longer changes, and leave the loop at once by `return`.

The early returns depend on tensors: one stands before the loop, one inside it, one after it.

    $ python samples/newton_sqrt.py
    sqrt(2.0) = 1.414213562373095 after 6 steps
"""

import math
import sys

import runtime as tf

MAX_STEPS = 100


@tf.function
def newton_sqrt(a):
    """The square root of `a` (a float64 scalar, not negative) and the number of steps that it took."""
    if a == 0:
        return a, 0
    x = tf.maximum(a, 1.0)
    for step in tf.range(1, MAX_STEPS + 1):
        better = (x + a / x) / 2
        # From above, Newton's steps only ever go down: once they don't, rounding has the last word.
        if better >= x:
            return x, step
        x = better
    return x, MAX_STEPS


def plain_sqrt(a):
    """The same steps, written as a loop whose condition says when to stop."""
    if a == 0:
        return a, 0
    x, better, steps = max(a, 1.0), (max(a, 1.0) + a / max(a, 1.0)) / 2, 1
    while better < x:
        x, steps = better, steps + 1
        better = (x + a / x) / 2
    return x, steps


def main():
    for a in (0.0, 1.0, 2.0, 2.25, 1e-6, 1e10):
        root, steps = newton_sqrt(tf.constant(a, tf.float64))
        graph = (float(root), int(steps))
        plain = plain_sqrt(a)
        if graph != plain:
            sys.exit(f"newton_sqrt({a}): the graph gives {graph}, plain Python {plain}")
        if not math.isclose(graph[0], math.sqrt(a), rel_tol=1e-15):
            sys.exit(f"newton_sqrt({a}): {graph[0]} is not the square root, {math.sqrt(a)} is")
        print(f"sqrt({a}) = {graph[0]} after {graph[1]} steps")


if __name__ == "__main__":
    main()
