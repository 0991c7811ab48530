"""Statements that can reach many objects: effects on any of them count, and what stays as it is costs little."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

import runtime as tf
from runtime.heap import cluster
from tests.runtime.comparing import observe
from tests.runtime.control_flow.test_programs_with_effects import PROGRAMS, in_a_branch, in_a_loop


class Cell:
    def __init__(self, value: Any) -> None:
        self.value = value

    def add(self, amount: Any) -> None:
        self.value = self.value + amount


class Other(Cell):
    def add(self, amount: Any) -> None:
        self.value = self.value + 2 * amount


class Sheet:
    """Cells in a list and in rows of lists, numbers in a dict; the first ones have other names."""

    def __init__(self, size: int) -> None:
        self.cells = [Cell(float(i)) for i in range(size)]
        self.named = {f"c{i}": float(i) for i in range(size)}
        self.rows = [[Cell(float(10 * i + k)) for k in range(3)] for i in range(size)]
        self.first = self.cells[0]
        self.pairs = [(cell, row) for cell, row in zip(self.cells, self.rows, strict=True)]
        self.total = 0.0

    def values(self) -> list[float]:
        found = [cell.value for cell in (*self.cells, *(c for row in self.rows for c in row))]
        return [float(value) for value in (*found, *self.named.values(), self.first.value, self.total)]


def change_cells(sheet, x):
    if x > 0.0:
        sheet.cells[3].add(x)
    else:
        sheet.first.add(1.0)
    sheet.total = sheet.total + x
    if x > 1.0:
        sheet.cells[3].add(1.0)
        sheet.rows[2][1].value = x
    return sheet.cells[3].value + sheet.total


def change_under_another_name(sheet, x):
    first = sheet.cells[0]
    if x > 0.0:
        first.value = first.value * x
    if x < 5.0:
        sheet.first.add(sheet.pairs[0][0].value)
    return sheet.first.value


def change_a_dict(sheet, x):
    if x > 0.0:
        sheet.named["c4"] = sheet.named["c5"] = sheet.cells[1].value + x
    if x > 1.0:
        sheet.named["c5"] = sheet.named["c4"] + 1.0
    return sheet.named["c5"]


def change_a_row(sheet, x):
    if x > 0.0:
        sheet.rows[1][0].value, sheet.rows[1][1].value = x, x + 1.0
    sheet.rows[1] = [sheet.rows[1][1], sheet.rows[1][0], Cell(x)]
    if x > 1.0:
        sheet.rows[1][0].add(x)
    return sheet.rows[1][0].value


def change_in_a_loop(sheet, x):
    i = 0
    while i < tf.cast(x, tf.int32):
        sheet.cells[5].add(x)
        sheet.pairs[6][1][2].add(1.0)
        i += 1
    return sheet.cells[5].value


def change_the_class(sheet, x):
    if x > 0.0:
        sheet.cells[2].add(x)
    sheet.cells[2].__class__ = Other
    if x > 1.0:
        sheet.cells[2].add(x)
    return sheet.cells[2].value


SHEETS = [change_cells, change_under_another_name, change_a_dict, change_a_row, change_in_a_loop, change_the_class]


@pytest.mark.parametrize("program", SHEETS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("x", [-1.0, 0.5, 3.0])
def test_changes_in_large_containers(program: Any, x: float) -> None:
    plain, staged = Sheet(12), Sheet(12)
    expected = program(plain, x)

    def traced(x):
        result = program(staged, x)
        return result, [tf.convert_to_tensor(value) for value in every_value(staged)]

    result, values = tf.function(traced)(tf.constant(x))
    assert float(result) == pytest.approx(float(expected))
    assert [float(value) for value in values] == pytest.approx(plain.values())


@tf.autograph.experimental.do_not_convert
def every_value(sheet: Sheet) -> list[Any]:
    cells = (*sheet.cells, *(cell for row in sheet.rows for cell in row))
    return [*(cell.value for cell in cells), *sheet.named.values(), sheet.first.value, sheet.total]


@pytest.mark.parametrize("form", [in_a_branch, in_a_loop], ids=["in a branch", "in a loop"])
@pytest.mark.parametrize("program", random.Random(7).sample(PROGRAMS, 25), ids=lambda program: program.__name__)
def test_programs_with_effects_where_every_container_counts_as_large(
    program: Any, form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    staged = form(program)
    one_by_one = observe(tf.function(staged), tf.constant(3))
    monkeypatch.setattr(cluster, "LEAST", 0)
    assert repr(observe(tf.function(form(program)), tf.constant(3))) == repr(one_by_one)


def test_many_statements_over_many_objects_take_little_longer_than_over_few() -> None:
    def seconds(size: int) -> float:
        sheet = Sheet(size)

        def many(x):
            for _ in range(60):
                if x > 0.0:
                    x = x * sheet.first.value
            return x

        start = time.process_time()
        tf.function(many).get_concrete_function(tf.constant(1.0))
        return time.process_time() - start

    seconds(2)
    few, many = (min(seconds(size) for _ in range(3)) for size in (2, 200))  # 200: about 1,200 objects
    assert many < 6 * few + 0.2, f"{many:.2f} s over many objects, {few:.2f} s over few"
