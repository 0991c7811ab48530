"""The Collatz problem: halve an even number, take 3n + 1 of an odd one, until 1 is reached. How long does it take?

`collatz` is a `while` with an `if` inside; `longest_below` runs such a loop inside a `for`. Each becomes one graph,
traced once and run for any start.

    $ python samples/collatz.py
    27 reaches 1 after 111 steps and climbs to 9232
"""

import sys

import runtime as tf


@tf.function
def collatz(n):
    """The number of steps from `n` to 1, and the highest number on the way. n: int64 scalar, at least 1."""
    steps = 0
    highest = n
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        highest = tf.maximum(highest, n)
        steps += 1
    return steps, highest


@tf.function
def longest_below(limit):
    """The start below `limit` that takes most steps, and their number (the first such start). limit: int32 scalar."""
    best_start, best_steps = 1, 0
    for start in tf.range(2, limit):
        n, steps = start, 0
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            steps += 1
        if steps > best_steps:
            best_start, best_steps = start, steps
    return best_start, best_steps


def plain_path(n):
    """All numbers from `n` to 1."""
    path = [n]
    while path[-1] > 1:
        last = path[-1]
        path.append(3 * last + 1 if last % 2 else last // 2)
    return path


def check(what, graph, plain):
    if graph != plain:
        sys.exit(f"{what}: the graph says {graph}, plain Python {plain}")


def main():
    for start in (1, 6, 27, 97, 837799):
        steps, highest = collatz(tf.constant(start, tf.int64))
        path = plain_path(start)
        check(f"collatz({start})", (int(steps), int(highest)), (len(path) - 1, max(path)))
        print(f"{start} reaches 1 after {steps} steps and climbs to {highest}")
    limit = 1000
    start, steps = longest_below(tf.constant(limit))
    lengths = [len(plain_path(n)) - 1 for n in range(1, limit)]
    check(f"longest_below({limit})", (int(start), int(steps)), (lengths.index(max(lengths)) + 1, max(lengths)))
    print(f"below {limit}, {start} takes longest: {steps} steps")


if __name__ == "__main__":
    main()
