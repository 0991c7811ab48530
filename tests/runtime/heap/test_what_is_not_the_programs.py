"""What a walk of the program's objects must not take for a change of the program's, or for something of ours."""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.heap.store import World

t = tf.constant


class Named:
    """Has names that classes of this project have."""

    is_view = is_memory = True

    def __init__(self, value: Any) -> None:
        self.value = value

    def __bool__(self) -> bool:
        return True

    def truth(self) -> str:
        return "yes"

    def detached(self) -> int:
        return 3


def chosen(x: Any) -> Any:
    a = None
    if x > 0:
        a = Named(x)
    return a.value * 2 if a else x


def carried(x: Any) -> Any:
    a, b = Named(x), Named(x + 1)
    c = b
    if x > 0:
        a.value = x * 3
        c = a
    while a and x < 3:
        x = x + 1
    return c.value + x


@pytest.mark.parametrize("program", [chosen, carried])
@pytest.mark.parametrize("value", [2.0, -2.0])
def test_a_class_of_the_user_may_have_any_names(program: Any, value: float) -> None:
    if program is carried and value < 0:
        value = 5.0
    assert float(tf.function(program)(t(value))) == program(value)


def test_modules_imported_while_a_function_is_traced_stay_when_it_is_refused() -> None:
    sys.modules.pop("colorsys", None)
    seen: list[Any] = []

    def f(x: Any) -> Any:
        assert sys.modules
        importlib.import_module("colorsys")
        if x > 0:
            seen.append(x)
        return x

    with pytest.raises(StagingError, match="seen"):
        tf.function(f)(t(1.0))
    assert "colorsys" in sys.modules


class _Column:
    def __init__(self, table: Any) -> None:
        self.table = table

    def __setitem__(self, key: Any, value: Any) -> None:
        self.table.elements[key] = value


class Table:
    """As much of a table of pandas as is asked."""

    __dlpack__ = None

    def __init__(self, elements: Any) -> None:
        self.elements = np.asarray(elements)
        self.columns = list(range(self.elements.shape[-1]))

    shape = property(lambda self: self.elements.shape)
    ndim = property(lambda self: self.elements.ndim)
    iloc = property(_Column)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.elements.copy()

    def __delitem__(self, column: int) -> None:
        self.columns.remove(column)
        self.elements = np.delete(self.elements, column, axis=1)


def adds_a_column(table: Any) -> None:
    table.columns.append(2)
    table.elements = np.concatenate([table.elements, table.elements[:, :1]], axis=1)


def writes(table: Any) -> None:
    table.iloc[0] = 9.0


@pytest.mark.parametrize("elements", [[1.0, 2.0], [[1.0, 2.0], [3.0, 4.0]]])
def test_a_table_is_put_back(elements: Any) -> None:
    table = Table(elements)
    for change in (writes, adds_a_column)[: table.ndim]:
        world = World(objects={"table": table})
        change(table)
        world.restore()
        assert table.elements.tolist() == elements and table.columns == [0, 1]
