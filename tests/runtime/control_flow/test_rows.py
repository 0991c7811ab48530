"""Lists in lists that grow: what a graph, which has values there, cannot do as Python does with objects is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError, StagingTypeError
from tests.runtime.comparing import plain


def rows_of(n: Any) -> Any:
    rows = []
    for i in range(n):
        rows.append([i for i in range(i)])
    return rows


def changed_beside_a_copy(n):
    rows = rows_of(n)
    same = rows[:]
    rows[0].append(5)
    return same


def changed_in_a_copy(n):
    rows = rows_of(n)
    rows[-1].append(4)
    same = rows[:]
    same[0].append(5)
    return rows


def changed_in_the_next_turn(n):
    rows = rows_of(n)
    kept = []
    for i in range(n):
        rows[0].append(i)
        kept = rows[:]
    return kept


def changed_by_a_call(rows):
    rows[0].append(5)


def changed_by_two_calls(n):
    rows = rows_of(n)
    changed_by_a_call(rows)
    same = rows[:]
    changed_by_a_call(rows)
    return same


def changed_beside_a_variable(n):
    rows = rows_of(n)
    best = rows[0]
    for i in range(n):
        if len(rows[i]) > len(best):
            best = rows[i]
    rows[-1].append(5)
    return best


def changed_beside_a_result(n):
    rows = rows_of(n)
    row = rows[0]
    if n > 1:
        row = rows[-1]
    rows[-1].append(5)
    return row


def changed_in_branches(n):
    rows = rows_of(n)
    keep = []
    if n > 1:
        keep = rows[-1]
    size = 0
    if n > 1:
        rows[-1].append(5)
    if n > 2:
        size = len(keep)
    return size


def changed_under_its_name(n):
    rows = rows_of(n)
    row = [n]
    rows.append(row)
    rows[-1].append(5)
    return row


def changed_in_another_list(n):
    rows = rows_of(n)
    others = [[1] for i in range(n)]
    others.append(rows[0])
    rows[0].append(5)
    return others


@pytest.mark.parametrize(
    "program",
    [
        changed_beside_a_copy, changed_in_a_copy, changed_in_the_next_turn, changed_by_two_calls,
        changed_beside_a_variable, changed_beside_a_result, changed_in_branches, changed_under_its_name,
        changed_in_another_list,
    ],
)  # fmt: skip
def test_a_change_that_another_name_would_not_see_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match=r"is changed in place \(at .*test_rows.py:\d+.*Give that a copy"):
        tf.function(program)(tf.constant(3))


def copied_after_all_changes(n):
    rows, last = rows_of(n), []
    for i in range(n):
        rows[i].append(i)
    if n > 2:
        rows[0].append(9)
    others = [[1] for i in range(n)]
    for row in rows:
        others.append(row)
    last.append(rows[-1])
    return rows[:], others, last


def grouped(n):
    groups = {}
    for i in range(n):
        groups.setdefault(i % 3, []).append(i)
    return {key: groups[key] for key in sorted(groups)}


@pytest.mark.parametrize("program", [copied_after_all_changes, grouped])
def test_copies_that_are_made_after_all_changes_are_as_good(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for n in (2, 3, 5):
        assert plain(staged(tf.constant(n))) == plain(program(n))


def popped(n):
    rows = rows_of(n)
    row = rows.pop()
    row.append(1)
    return row


def moved(n):
    rows = rows_of(n)
    row = rows[-1]
    rows.pop(0)
    row.append(3)
    return rows


@pytest.mark.parametrize("program", [popped, moved])
def test_a_change_of_what_is_no_longer_there_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match=r"where the graph has a copy of it. Change it where it is"):
        tf.function(program)(tf.constant(3))


def moved_in_a_loop(n):
    rows = rows_of(n)
    row = rows[1]
    total = 0
    for i in range(n):
        total += len(row)
        rows.insert(0, [i, i, i])
    return total


def test_a_row_that_is_moved_stays_what_it_is() -> None:
    assert tf.function(moved_in_a_loop)(tf.constant(3)).numpy() == moved_in_a_loop(3) == 3


def turned_round(n):
    rows = rows_of(n)
    i, j = 0, n - 1
    while i < j:
        rows[i], rows[j] = rows[j], rows[i]
        i, j = i + 1, j - 1
    rows[0].append(7)
    rows[-1].append(8)
    return rows


def turned_in_a_branch(n):
    rows = rows_of(n)
    if n > 2:
        first = rows[0]
        rows[0] = rows[-1]
        rows[-1] = first
    rows[0].append(7)
    return rows


@pytest.mark.parametrize("program", [turned_round, turned_in_a_branch])
def test_rows_that_change_places_are_no_copies(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for n in (2, 3, 5):
        assert tf.nest.map_structure(int, staged(tf.constant(n))) == program(n)


def turned_of_three(n):
    rows = rows_of(n)
    rows[0], rows[1], rows[2] = rows[1], rows[2], rows[0]
    rows[0].append(7)
    return rows


def one_row_twice(n):
    rows = rows_of(n)
    rows[0] = rows[1]
    rows[1] = rows[0]
    rows[0].append(7)
    return rows


def changed_in_between(n):
    rows = rows_of(n)
    first, second = rows[0], rows[1]
    rows[0] = second
    rows[0].append(7)
    rows[1] = first
    return rows


def changed_before(n):
    rows = rows_of(n)
    first, second = rows[0], rows[1]
    rows[1].append(7)
    rows[0], rows[1] = second, first
    rows[0].append(8)
    return rows


@pytest.mark.parametrize("program", [turned_of_three, one_row_twice, changed_in_between, changed_before])
def test_rows_that_do_not_just_change_places_are_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="is changed in place"):
        tf.function(program)(tf.constant(3))


def test_rows_make_no_tensor() -> None:
    with pytest.raises(StagingTypeError, match="lists of lengths of their own .* make no tensor"):
        tf.function(lambda n: tf.stack(rows_of(n)))(tf.constant(3))


def test_gradients_go_through_rows() -> None:
    def product(x):
        rows = [[]]
        for i in range(tf.constant(3)):
            rows[-1].append(x * (tf.cast(i, tf.float32) + 1.0))
            if i == 1:
                rows.append([])
        total = x * 0.0
        for row in rows:
            part = x * 0.0 + 1.0
            for value in row:
                part = part * value
            total = total + part
        return total

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(product)(x)
    assert y.numpy() == 2.0 * 4.0 + 6.0
    assert tape.gradient(y, x).numpy() == 2 * 2.0 * 2.0 + 3.0


def test_rows_are_the_state_of_saved_functions(tmp_path: Any) -> None:
    module = tf.Module()
    module.rows = tf.function(rows_of, input_signature=[tf.TensorSpec([], tf.int32)])
    tf.saved_model.save(module, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path)).rows(tf.constant(3))
    assert [[int(x) for x in row] for row in loaded] == [[], [0], [0, 1]]
