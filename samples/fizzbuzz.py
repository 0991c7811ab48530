"""FizzBuzz: the numbers in order, but "fizz" for multiples of 3, "buzz" for multiples of 5, "fizzbuzz" for both.

`tf.print` is an operation of the graph: it prints at every run, in the order of the program, also from inside a branch
inside a loop. Python's own `print` speaks only while the function is traced, that is once.

    $ python samples/fizzbuzz.py
    tracing fizzbuzz
    1 2 fizz 4 buzz
"""

import contextlib
import io
import sys

import runtime as tf


@tf.function
def fizzbuzz(n):
    """Prints the numbers 1 to `n` (an int32 scalar) and returns how many of them were replaced by a word."""
    print("tracing fizzbuzz")
    words = 0
    for i in tf.range(1, n + 1):
        if i % 15 == 0:
            tf.print("fizzbuzz")
        elif i % 3 == 0:
            tf.print("fizz")
        elif i % 5 == 0:
            tf.print("buzz")
        else:
            tf.print(i)
            continue
        words += 1
    return words


def plain_fizzbuzz(n):
    """The words for 1 to `n`, as a list of strings."""
    return [("fizz" * (i % 3 == 0) + "buzz" * (i % 5 == 0)) or str(i) for i in range(1, n + 1)]


def main():
    for n in (5, 20, 0):
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            words = fizzbuzz(tf.constant(n))
        graph = (printed.getvalue().split(), int(words))
        plain = plain_fizzbuzz(n)
        expected = (plain, sum(not word.isdigit() for word in plain))
        if graph != expected:
            sys.exit(f"fizzbuzz({n}): the graph gives {graph}, plain Python {expected}")
        print(f"n = {n}, {words} replaced:", *graph[0])


if __name__ == "__main__":
    main()
