"""Tensors of an object whose TraceType alone chooses the trace: the trace keeps them, which is told."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf

from .own_types import Fruit, FruitType

t = tf.constant


class Basket(Fruit):
    def __init__(self, fill: Any) -> None:
        self.fill = fill
        self.unused = t(0)


class ByContent(FruitType):
    def __init__(self, basket: Any) -> None:
        self.fruit_type = type(basket)
        self.fill = basket.fill

    def __eq__(self, other: object) -> bool:
        return type(other) is ByContent and self.fill is other.fill

    __hash__ = FruitType.__hash__


class Compared(Basket):
    def __tf_tracing_type__(self, context: Any) -> Any:
        return ByContent(self)


def weigh(basket: Any, x: Any) -> Any:
    return basket.fill * x


@pytest.mark.parametrize("fill", [t(2), tf.Variable(2)], ids=["tensor", "variable"])
def test_a_tensor_that_stays_in_the_trace_is_told_once(fill: Any) -> None:
    f = tf.function(weigh)
    line = weigh.__code__.co_firstlineno + 1
    with pytest.warns(tf.errors.TraceEffectWarning, match="'basket.fill' is a tensor that the trace") as w:
        assert f(Basket(fill), t(10)).numpy() == 20
        assert f(Basket(t(3)), t(10)).numpy() == 20
        assert f([Basket(fill)][0], t([1, 2])).numpy().tolist() == [2, 4]
    assert [(one.filename, one.lineno) for one in w] == [(__file__, line)]


def test_a_type_that_compares_the_tensor_loses_nothing() -> None:
    f = tf.function(weigh)
    two, three = t(2), t(3)
    assert [f(Compared(n), t(10)).numpy() for n in (two, three, two)] == [20, 30, 20]
    assert f.experimental_get_tracing_count() == 2
