"""Rows of the language table: what becomes of variables in staged statements."""

from __future__ import annotations

from functools import partial

import autograph
import runtime as tf
from tests.language import construct

staged = partial(construct.staged, "Variables and types")

level = 0


@staged("a variable that one branch defines", "Carried with a flag; reading it while undefined raises as in Python.",
        3, -3, graph="cond")
def defined_sometimes(x):
    if x > 0:
        y = x * 2
    return y


@staged("a variable that a loop defines", "Undefined if the loop ran zero times.", 3, 0, graph="while")
def last_square(n):
    for i in range(n):
        square = i * i
    return square


@staged("None, then a tensor", "Carried with a flag; using it while it is None raises as in Python.",
        [3, 7, 5], [-3, -7, -5], graph="while")
def largest(values):
    best = None
    for v in values:
        if best is None or v > best:
            best = v
    return best


@staged("Python numbers beside tensors", "A literal adopts the dtype of the tensor that it meets.",
        [0.5, 1.5], [2.0, 4.0], graph="while")
def mean(values):
    total = 0
    count = 0
    for v in values:
        total += v
        count += 1
    return total / count


@staged("Python numbers in the graph", "They have 64 bits, as long as no tensor gives them its dtype.", 5, 0,
        graph="while")
def in_base_1000(n):
    total = 1
    for i in range(n):
        total = total * 1000 + i
    return total


@staged("large whole numbers", "What leaves 64 bits raises OverflowError; a product that is divided may be larger.",
        5, 60, graph="while")
def power_of_seven(n):
    power = 1
    for _ in range(n):
        power = power * power * 7 % 1_000_000_000_039
    return power


@staged("an integer tensor beside a float", "Is float64, as in Python and NumPy.", 5, -2, graph="add")
def shifted(n):
    return n + 0.1


@staged("`del`", "The name is undefined after it.", 3)
def deleted(x):
    y = x + 1
    z = y * 2
    del y
    return z


@staged("annotated assignment", "As an assignment; a bare annotation does nothing.", 3, -3, graph="cond")
def annotated(x):
    y: int
    if x > 0:
        y: int = x
    else:
        y: int = 0
    return y


@staged("`nonlocal`", "Effects of inner functions on variables around them are seen.", 4, 0, graph="while")
def accumulated(n):
    total = 0

    def add(k):
        nonlocal total
        total += k

    for i in range(n):
        add(i)
    return total


@staged("`global`", "A global that staged code writes is a variable of the statement.", 4, 0, graph="while")
def raised_level(n):
    global level
    level = 1
    for _ in range(n):
        level = level * 2
    result = level
    level = 0
    return result


@staged("shapes that a loop changes", "Relaxed as far as needed; `set_loop_options` may declare them.", 3, 0,
        graph="while")
def doubled_length(n):
    x = tf.ones([1])
    for _ in range(n):
        x = tf.concat([x, x], 0)
    return len(x)


@staged("`set_loop_options`", "Limits and shapes of a loop, as its first statement; plain Python ignores them.", 3,
        graph="while")
def with_options(n):
    total = 0
    for i in range(n):
        autograph.experimental.set_loop_options(maximum_iterations=10)
        total += i
    return total
