"""Calls change the containers among their arguments; traces that are run themselves have copies, and say so."""

from __future__ import annotations

import ast
import inspect
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.errors import TraceEffectWarning

t = tf.constant


@dataclass
class State:
    x: Any
    label: str = "a"


@attrs.define
class Loose:
    x: Any


def appends(items: Any) -> Any:
    items.append(t(5))
    return items[-1]


def sets_attribute(state: Any) -> Any:
    state.x = state.x + 1
    return state.x


def sets_key(table: Any) -> Any:
    table["k"] = table["k"] * 2
    return table["k"]


def sets_inner(table: Any) -> Any:
    table["k"][0].x = t(7)
    return table["k"][0].x


def in_a_branch(state: Any) -> Any:
    if state.x > 0:
        state.x = state.x * 2
    return state.x


def renames(state: Any) -> Any:
    state.label = "b"
    return state.x


def swaps(items: Any) -> Any:
    if items[0] > items[1]:
        items[0], items[1] = items[1], items[0]
    return items


def swaps_rows(rows: Any) -> Any:
    rows[0], rows[1] = rows[1], rows[0]
    rows[0][1] = rows[1][1] + 1
    return rows[0][0]


def swaps_rows_if(rows: Any) -> Any:
    if rows[0][0] > rows[1][0]:
        rows[0], rows[1] = rows[1], rows[0]
    return rows[0][0]


def sorts(items: Any) -> Any:
    for i in range(len(items)):
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]


def removes(table: Any) -> Any:
    del table["k"]
    table["new"] = [t(1)]


def in_both(pair: Any) -> Any:
    pair[0].append(pair[1]["k"] * 2)
    pair[1]["k"] = pair[0][0]


CHANGES: list[tuple[Any, Any, str]] = [
    (appends, lambda: [t(1)], "items"),
    (sets_attribute, lambda: State(t(1)), "state.x"),
    (sets_attribute, lambda: Loose(t(1)), "state.x"),
    (sets_key, lambda: {"k": t(1)}, "table"),
    (sets_inner, lambda: {"k": [State(t(1))]}, "table['k'][0].x"),
    (in_a_branch, lambda: State(t(1)), "state.x"),
    (renames, lambda: State(t(1)), "state.label"),
    (sorts, lambda: [t(3), t(1), t(2)], "items"),
    (removes, lambda: {"k": t(1), "l": t(2)}, "table"),
]


def plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, State):
        return [plain(value.x), value.label]
    return plain(value.x) if isinstance(value, Loose) else None if value is None else np.asarray(value).tolist()


WITHOUT_TENSORS: list[tuple[Any, Any]] = [
    (sorts, lambda: [3, 1, 2]),
    (swaps, lambda: [2, 1]),
    (swaps_rows, lambda: [[2, 5], [1, 7]]),
    (sets_key, lambda: {"k": 4}),
    (sets_attribute, lambda: State(1)),
    (renames, lambda: State(1)),
    (in_both, lambda: ([1], {"k": 3})),
]


@pytest.mark.parametrize(
    ("function", "make"),
    [
        *[(function, make) for function, make, _ in CHANGES],
        (swaps, lambda: [t(2), t(1)]),
        (swaps_rows, lambda: [[t(2), t(5)], [t(1), t(7)]]),
        (swaps_rows_if, lambda: [[t(2), t(5)], [t(1), t(7)]]),
        (in_both, lambda: ([t(1)], {"k": t(3)})),
        *WITHOUT_TENSORS,
    ],
)
def test_each_call_changes_the_callers_own_as_python_does(function: Any, make: Any) -> None:
    made = tf.function(function)
    for _ in range(3):
        mine, pythons = make(), make()
        with warnings.catch_warnings():
            warnings.simplefilter("error", TraceEffectWarning)
            result = made(mine)
        assert plain(result) == plain(function(pythons))
        assert plain(mine) == plain(pythons)
    assert made.experimental_get_tracing_count() == 1


def test_rows_stay_the_objects_that_they_are() -> None:
    first, second = [t(2), t(5)], [t(1), t(7)]
    rows = [first, second]
    tf.function(swaps_rows)(rows)
    assert rows[0] is second and rows[1] is first and plain(second) == [1, 6]


def test_a_run_that_raises_changes_nothing() -> None:
    def fails(items: Any, x: Any) -> Any:
        items[0] = x
        if x > 1:
            raise ValueError("too large")

    items, made = [t(5)], tf.function(fails)
    made(items, t(1))
    with pytest.raises(ValueError, match="too large"):
        made(items, t(2))
    assert plain(items) == [1]


def test_gradients_go_on_through_what_is_changed() -> None:
    x, state = t(3.0), State(t(2.0))

    def step(state: Any, x: Any) -> Any:
        state.x = state.x * x * x

    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.function(step)(state, x)
        y = state.x * 2
    assert float(tape.gradient(y, x)) == 24.0


def test_a_trace_of_any_shape_serves_these_too() -> None:
    made = tf.function(lambda state: setattr(state, "x", state.x * 2), reduce_retracing=True)
    for size in (1, 2, 3, 4):
        state = State(tf.ones([size]))
        made(state)
        assert plain(state.x) == [2.0] * size
    assert made.experimental_get_tracing_count() == 2


def test_a_function_within_another_one() -> None:
    inner = tf.function(sorts)

    @tf.function
    def outer(x: Any, y: Any) -> Any:
        items = [x, y, x - y]
        if x > 0:
            inner(items)
        return items

    assert plain(outer(t(5), t(2))) == [2, 3, 5] and plain(outer(t(-5), t(2))) == [-5, 2, -7]


def told(call: Any) -> list[tuple[str, int]]:
    """What the warnings of a call name, and their lines."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    found = [w for w in caught if w.category is TraceEffectWarning]
    assert all(w.filename == __file__ and "is a copy" in str(w.message) for w in found)
    return [(ast.literal_eval(str(w.message).partition(" is changed")[0]), w.lineno) for w in found]


@pytest.mark.parametrize(("function", "make", "name"), CHANGES)
def test_a_trace_that_is_run_itself_has_copies_and_says_so_once(function: Any, make: Any, name: str) -> None:
    made = tf.function(function)
    kept = make()
    before = plain(kept)
    found = told(lambda: [made.get_concrete_function(kept)(kept) for _ in range(2)])
    lines, start = inspect.getsourcelines(function)
    ((told_name, line),) = found
    assert told_name == name
    assert start < line < start + len(lines)
    assert plain(kept) == before
    made(kept)
    assert plain(kept) != before


def test_copies_of_an_input_signature_and_of_what_is_a_global_are_told() -> None:
    spec = tf.TensorSpec([], tf.int32)
    one = [t(1)]
    assert told(lambda: tf.function(appends, input_signature=[[spec]])(one))
    assert plain(one) == [1]

    def reads_it_by_another_name(items: Any) -> Any:
        items[0] = items[0] + 1
        return items, one[0]

    assert told(lambda: tf.function(reads_it_by_another_name)(one)) and plain(one) == [1]


def test_two_arguments_that_are_one_are_refused_where_it_is_changed() -> None:
    made = tf.function(lambda a, b: (a.append(t(2)), b[0])[1])
    one, other = [t(1)], [t(3)]
    with pytest.raises(StagingError, match="'a' is changed, and 'b' is the same object.* pass a copy"):
        made(one, one)
    made(one, other)
    made(one[:1], one)
    assert plain(one) == [1, 2] and plain(other) == [3]
    alone = [t(1)]
    with pytest.raises(ValueError, match="'a' is changed, and the function has it under another name.*pass a copy"):
        made(alone, alone)
    assert plain(alone) == [1]


def returns_it(state: Any) -> Any:
    state.x = state.x + 1
    return {"new": state}


def makes_another(state: Any) -> Any:
    state = State(state.x + 1)
    state.label = "new"
    return state


def only_reads(state: Any) -> Any:
    total = state.x
    for _ in range(2):
        total = total + state.x
    return total


@pytest.mark.parametrize("function", [returns_it, makes_another, only_reads])
def test_what_is_returned_or_not_changed_is_no_news(function: Any) -> None:
    assert told(lambda: tf.function(function).get_concrete_function(State(t(1)))) == []


def test_a_dataset_and_a_saved_model_take_what_is_returned(tmp_path: Path) -> None:
    def preprocess(batch: Any) -> Any:
        batch["x"] = batch["x"] * 2
        return batch

    data = tf.data.Dataset.from_tensor_slices({"x": [1.0, 2.0]}).map(preprocess)
    assert [float(row["x"]) for row in data] == [2.0, 4.0]
    model = tf.Module()
    model.step = tf.function(preprocess)
    mine = {"x": t(1.0)}
    model.step(mine)
    assert plain(mine) == {"x": 2.0}
    tf.saved_model.save(model, str(tmp_path / "model"))
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    assert plain(loaded.step({"x": t(4.0)})) == {"x": 8.0}
