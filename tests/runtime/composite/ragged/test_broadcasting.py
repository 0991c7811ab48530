"""Operands of other ranks beside ragged tensors, compared with loops over nested lists, eager and in graphs."""

from __future__ import annotations

import random
from typing import Any

import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from tests.runtime.composite.ragged.rows import in_graph, plain, ragged, random_rows


def summed(rows: Any, other: Any, axes: int) -> Any:
    """rows + other, whose nested lists have `axes` axes; a list of one item is spread."""
    if not isinstance(rows, list):
        while isinstance(other, list):
            (other,) = other
        return rows + other
    if axes > _depth(other):  # an axis that the other one has not
        return [summed(row, other, axes - 1) for row in rows]
    spread = len(other) == 1
    assert spread or len(other) == len(rows)
    return [summed(row, other[0 if spread else i], axes - 1) for i, row in enumerate(rows)]


def _depth(value: Any) -> int:
    return 1 + _depth(value[0]) if isinstance(value, list) and value else int(isinstance(value, list))


def cut(rows: Any, axes: int, rng: random.Random) -> Any:
    """Numbers in the rows of the first axes, below which all axes have size 1."""
    if axes:
        return [cut(row, axes - 1, rng) for row in rows]
    return rng.randint(10, 20)


@pytest.mark.parametrize("seed", range(6))
def test_one_number_for_each_row_at_any_depth(seed: int) -> None:
    rng = random.Random(seed)
    rows = [random_rows(rng, 2) for _ in range(3)]
    x = ragged(rows, 3)
    for kept in (1, 2, 3):  # the axes of x that the other operand has too
        numbers = cut(rows, kept, rng)
        other = ragged(numbers, kept - 1) if kept > 1 else tf.constant(numbers)
        wanted = _plus(rows, numbers, kept)
        for _ in range(4 - kept):
            other = tf.expand_dims(other, -1)
        for call in (lambda a, b: a + b, lambda a, b: b + a):
            assert plain(call(x, other)) == plain(in_graph(call, x, other)) == wanted


def _plus(rows: Any, numbers: Any, kept: int) -> Any:
    if kept:
        return [_plus(row, number, kept - 1) for row, number in zip(rows, numbers, strict=True)]
    return [_plus(row, numbers, 0) for row in rows] if isinstance(rows, list) else rows + numbers


CUBE = [[[1], [5, 6]], [[2, 3], [4]]]

CASES = [
    (CUBE, 2, [[10], [20]], 0, [[[11], [25, 26]], [[12, 13], [24]]]),
    (CUBE, 2, [[[10], [20]]], 0, [[[11], [25, 26]], [[12, 13], [24]]]),
    (CUBE, 2, [[[10], [20]], [[30], [40]]], 0, [[[11], [25, 26]], [[32, 33], [44]]]),
    (CUBE, 2, [[[10]], [[20]]], 0, [[[11], [15, 16]], [[22, 23], [24]]]),
    (CUBE, 2, [10], 0, [[[11], [15, 16]], [[12, 13], [14]]]),
    (CUBE, 2, [[[10, 20], [30]]] * 2, None, None),
    ([[[1], [5, 6]]], 2, [[10], [20, 30]], 1, [[[11], [25, 36]]]),
    ([[1, 5], [2, 3]], 1, [[10, 20]], 1, [[11, 25], [12, 23]]),
    ([[1, 5], [2, 3]], 1, [10, 20], 0, [[11, 25], [12, 23]]),
]


@pytest.mark.parametrize(("rows", "depth", "other", "other_depth", "wanted"), [c for c in CASES if c[3] is not None])
def test_axes_correspond_from_the_last_one_on(
    rows: Any, depth: int, other: Any, other_depth: int, wanted: Any
) -> None:
    x, y = ragged(rows, depth), ragged(other, other_depth) if other_depth else tf.constant(other)
    assert plain(x + y) == plain(y + x) == wanted
    if not other_depth:
        assert summed(rows, other, depth + 1) == wanted, "the loop agrees"
        assert plain(in_graph(lambda a, b: a + b, x, y)) == wanted


def test_inner_axes_are_no_rows() -> None:
    wide = ragged([[[1, 2, 3], [4, 5, 6]], [[7, 8, 9]]], inner=(3,))
    with pytest.raises(ShapeMismatchError, match="do not broadcast"):
        wide + ragged([[10, 20], [30]])  # whose 3 values are no 3 columns
    assert plain(wide + tf.expand_dims(ragged([[10, 20], [30]]), -1)) == [
        [[11, 12, 13], [24, 25, 26]], [[37, 38, 39]],
    ]  # fmt: skip


def test_normalized_rows_of_rows() -> None:
    x = tf.ragged.constant([[[1.0, 3.0], []], [[5.0]]])
    shares = x / tf.reduce_sum(x, axis=2, keepdims=True)
    assert shares.to_list() == [[[0.25, 0.75], []], [[1.0]]]
    values = tf.constant([2.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(values)
        each = tf.expand_dims(tf.RaggedTensor.from_row_lengths(values, [1, 1]), -1)
        y = tf.reduce_sum(tf.ragged.constant([[[1.0, 3.0]], [[5.0]]]) * each)
    assert tape.gradient(y, values).numpy().tolist() == [4, 5]


def test_what_does_not_fit_is_named() -> None:
    x = ragged(CUBE, 2)
    for other, words in (
        (tf.constant([[10], [20], [30]]), "row 0 along axis 1 .* has 2 values, and 3 values beside it"),
        (ragged([[[10], [20]]] * 3, 2), "3 rows"), (ragged([[10, 20], [30]], 1), "row 0 along axis 2"),
        (tf.constant([[10, 20]]), "row 0 along axis 2 .* has 1 value, and 2 values"),
    ):  # fmt: skip
        with pytest.raises(InvalidArgumentError, match=words):
            x + other
        with pytest.raises(InvalidArgumentError):
            in_graph(lambda a, b: a + b, x, other)
