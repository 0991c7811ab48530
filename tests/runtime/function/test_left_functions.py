"""Functions, references and counts of metaclasses that a Function leaves in objects: what plain Python leaves."""

from __future__ import annotations

import weakref
from typing import Any

import pytest

import runtime as tf

VALUES = (3.0, 0.5, 0.0, 4.0)


def kept(x):
    return x


def negated(x):
    return -x


class Model:
    def __init__(self) -> None:
        self.activation: Any = kept


def left_by_a_choice(model, x):
    model.activation = negated if x > 1 else kept
    return model.activation(x)


def left_on_one_way(model, x):
    if x > 1:
        model.activation = negated
    return model.activation(x)


@pytest.mark.parametrize("program", [left_by_a_choice, left_on_one_way])
def test_a_function_that_a_tensor_chooses_is_left(program: Any) -> None:
    model, plain = Model(), Model()
    staged = tf.function(lambda x: program(model, x))
    for x in VALUES:
        assert float(staged(tf.constant(x))) == program(plain, x)
        assert model.activation is plain.activation


def test_a_weak_reference_that_a_tensor_chooses_is_left() -> None:
    first, second = Model(), Model()
    known: Any = weakref.WeakValueDictionary(o=first)

    @tf.function
    def put(x):
        if x > 1:
            known["o"] = second
        return x

    put(tf.constant(0.0))
    assert known["o"] is first
    put(tf.constant(3.0))
    assert known["o"] is second


class Counting(type):
    made = 0

    def __call__(cls, *args: Any) -> Any:
        Counting.made += 1
        return super().__call__(*args)


class Point(metaclass=Counting):
    def __init__(self, v: Any) -> None:
        self.v = v


def test_what_a_metaclass_counts_is_counted_where_the_run_goes() -> None:
    @tf.function
    def make(x):
        r = x
        if x > 1:
            r = Point(x).v + Counting.made
        return r

    Counting.made = 0
    assert [float(make(tf.constant(x))) for x in (0.0, 3.0, 0.5, 4.0)] == [0.0, 4.0, 0.5, 6.0]
    assert Counting.made == 2
