"""Bisection: halve an interval in which a function changes its sign until a root is caught.

The function is an argument: a call from converted code converts it too, so that it may itself branch on its value.
The `assert` belongs to the graph and is checked at every run.

    $ python samples/bisection.py
    a cubic: 1.5213797068046 after 46 halvings
"""

import math
import sys

import runtime as tf

TOLERANCE = 1e-14


def cubic(x):
    return x * x * x - x - 2.0


def bent(x):
    """A function in two pieces, with its root in the second one."""
    if x < 1.0:
        return x - 3.0
    else:
        return x * x - 2.5


def positive(x):
    return x * x + 1.0


@tf.function
def bisect(f, low, high):
    """A root of `f` between `low` and `high` (float64 scalars), and the number of halvings that found it."""
    at_low = f(low)
    assert at_low * f(high) <= 0.0, "f must have different signs at the two ends"
    halvings = 0
    while high - low > TOLERANCE * tf.maximum(1.0, tf.abs(low)):
        middle = (low + high) / 2.0
        at_middle = f(middle)
        if at_middle == 0.0:
            return middle, halvings
        if (at_middle > 0.0) == (at_low > 0.0):
            low, at_low = middle, at_middle
        else:
            high = middle
        halvings += 1
    return (low + high) / 2.0, halvings


def plain_bisect(f, low, high):
    """The same by recursion, which needs no variable that changes."""
    if high - low <= TOLERANCE * max(1.0, abs(low)):
        return (low + high) / 2.0, 0
    middle = (low + high) / 2.0
    if f(middle) == 0.0:
        return middle, 0
    same_side = (f(middle) > 0.0) == (f(low) > 0.0)
    root, halvings = plain_bisect(f, middle, high) if same_side else plain_bisect(f, low, middle)
    return root, halvings + 1


def main():
    for name, f, low, high, known in (
        ("a cubic", cubic, 1.0, 2.0, 1.5213797068045676),
        ("in two pieces", bent, 0.0, 5.0, math.sqrt(2.5)),
        ("hit exactly", lambda x: x - 0.75, 0.0, 1.0, 0.75),
    ):
        root, halvings = bisect(f, tf.constant(low, tf.float64), tf.constant(high, tf.float64))
        graph = (float(root), int(halvings))
        plain = plain_bisect(f, low, high)
        if abs(graph[0] - plain[0]) > 1e-13 or graph[1] != plain[1]:
            sys.exit(f"bisect, {name}: the graph gives {graph}, plain Python {plain}")
        if abs(graph[0] - known) > 1e-13:
            sys.exit(f"bisect, {name}: {graph[0]} is not the root, {known} is")
        print(f"{name}: {graph[0]:.13f} after {graph[1]} halvings")
    try:
        bisect(positive, tf.constant(-1.0, tf.float64), tf.constant(1.0, tf.float64))
    except AssertionError as error:
        print(f"no root: {str(error).splitlines()[0]}")
    else:
        sys.exit("bisect: a function without a root was accepted")


if __name__ == "__main__":
    main()
