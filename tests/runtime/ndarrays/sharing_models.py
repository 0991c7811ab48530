"""An object with arrays that share memory, and programs on it with arguments that share memory with these."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import runtime as tf

__all__ = ["TABLE", "Decorate", "Model", "alike", "arrays_of", "seen"]

TABLE = np.zeros(4)
Decorate = Callable[[Any], Any]


class Model:
    """An object with arrays."""

    def __init__(self) -> None:
        self.a = np.arange(1.0, 5.0)
        self.b = np.arange(8.0)[::2]
        self.m = np.arange(6.0).reshape(2, 3)
        self.row = self.m[1]
        self.items = [np.ones(4), self.a]
        self.table = {"p": self.b}
        self.pair = (self.a, np.zeros(4))
        self.t = tf.constant(2.0, tf.float64)


def seen(*arrays: Any) -> Any:
    """What they hold, and which of them are one array, or share memory."""
    pairs = list(itertools.combinations(arrays, 2))
    same = [(one is other, np.shares_memory(one, other)) for one, other in pairs]
    return [array.tolist() for array in arrays], same


def arrays_of(o: Model) -> list[Any]:
    return [o.a, o.b, o.m, o.row, *o.items, *o.table.values(), *o.pair, TABLE]


def program(function: Decorate, method: Any, calls: list[Callable[[Model], Any]], x: Any) -> Iterator[Any]:
    """All that can be seen after each call. calls: make the argument."""
    o, f = Model(), function(method)
    TABLE[:] = [4.0, 3.0, 2.0, 1.0]
    for make in calls:
        given = make(o)
        result = f(o, given, x)
        yield None if result is None else np.asarray(result).tolist(), seen(*arrays_of(o), given)
    yield f


def alike(method: Any, *calls: Callable[[Model], Any], numbers: tuple[float, ...] = (1.5, -1.5)) -> list[Any]:
    """Compares with Python; the Functions."""
    functions = []
    for number in numbers:
        *wanted, _ = program(lambda f: f, method, [*calls, *calls], np.float64(number))
        *found, function = program(tf.function, method, [*calls, *calls], tf.constant(number, tf.float64))
        assert found == wanted
        functions.append(function)
    return functions
