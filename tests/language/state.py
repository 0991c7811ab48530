"""Rows of the language table: runtime.Variable in staged statements, and what is refused of it."""

from __future__ import annotations

from functools import partial

import runtime as tf
from autograph.errors import StagingError
from tests.language import construct

staged = partial(construct.staged, "State")
refused = partial(construct.refused, "State")

total = tf.Variable(0, name="total")
history = tf.Variable([0, 0, 0], name="history")


@staged("`v.assign`, `v.assign_add`", "Operations in program order; a branch that does not run assigns nothing.",
        [3, -4, 5], [-1, -2, -3], graph="while")
def sum_of_positives(values):
    total.assign(0)
    for x in values:
        if x > 0:
            total.assign_add(x)
    return total.value()


@staged("a Variable in a condition", "Read each time that the condition is asked.", 10, -3, graph="while")
def doubled_until(limit):
    total.assign(1)
    while total < limit:
        total.assign(total * 2)
    return total.value()


@staged("a value that was read", "Stays what it was.", 3, -3, graph="cond")
def before_and_after(x):
    history.assign([1, 2, 3])
    before = history.value()
    if x > 0:
        history.assign_add([x, x, x])
    return before, history.value()


@staged("`try` around an assignment", "What was assigned before the exception stays assigned.", 3, -3, graph="try")
def assigned_then_raised(x):
    total.assign(0)
    try:
        total.assign_add(1)
        if x > 0:
            raise ValueError("positive")
        total.assign_add(10)
    except ValueError:
        total.assign_add(100)
    return total.value()


@staged("a Variable or a tensor", "The value that the Variable has there.", 3, -3, graph="cond")
def chosen(x):
    total.assign(7)
    y = total if x > 0 else x
    return y + 1


@refused("a Variable or a tensor, and an assignment",
         "Python would see the new value: take `v.value()`, or use the Variable before it is assigned.", 3,
         error=StagingError, words="may be the variable 'total:0', and that is assigned")
def chosen_then_assigned(x):
    y = total if x > 0 else x
    total.assign(0)
    return y + 1


@refused("`v += x`", "It would bind the name to a tensor: use `v.assign_add(x)`, or `y = v + x`.", 3,
         error=RuntimeError, words="use v.assign_add(x) to change the variable")
def augmented(x):
    v = total
    v += x
    return v


@refused("a Variable that is created in a branch or loop", "Create it before the statement.", 3,
         error=ValueError, words="in a branch, loop or handler of 'created' that depends on a tensor")
def created(x):
    if x > 0:
        return tf.Variable(1) + x
    return x


@refused("a Variable that nothing keeps", "Keep it in an attribute, and create it where that is None.", 3,
         error=ValueError, words="only supports singleton tf.Variables created on the first call")
def forgotten(x):
    v = tf.Variable(1)
    return v + x
