"""`v[index].assign(value)` against numpy's `a[index] = value`, eagerly and in graphs."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

INDICES: dict[str, Any] = {
    "integer": 1, "negative": -1, "slice": slice(1, 3), "step": slice(None, None, 2), "back": slice(None, None, -1),
    "element": (2, 3), "row and slice": (0, slice(1, 3)), "dots": (..., 1), "new axis": (None, 2), "all": slice(None),
    "positions": np.array([2, 0]), "repeated": np.array([1, 1]), "both": (np.array([0, 2]), np.array([3, 1])),
    "mask": np.array([True, False, True]), "nothing": slice(2, 2),
}  # fmt: skip


def start() -> Any:
    return np.arange(12, dtype=np.int32).reshape(3, 4)


def written(index: Any, value: Any) -> Any:
    array = start()
    array[index] = value
    return array


@pytest.mark.parametrize("index", INDICES.values(), ids=INDICES)
def test_a_place_is_set_as_numpy_sets_it(index: Any) -> None:
    shape = np.shape(start()[index])
    for value in (np.int32(70), np.arange(70, 70 + int(np.prod(shape)), dtype=np.int32).reshape(shape)):
        v, w, u = tf.Variable(start()), tf.Variable(start()), tf.Variable(start())
        before = v.numpy()
        assert v[index].assign(value) is v
        assert v.numpy().tolist() == written(index, value).tolist()
        assert before.tolist() == start().tolist()

        @tf.function
        def given(v: Any, value: Any, index: Any = index) -> Any:
            v[index].assign(value)
            return v.value()

        @tf.function
        def found(value: Any, index: Any = index, u: Any = u) -> None:
            u[index].assign(value)

        assert given(w, value).numpy().tolist() == written(index, value).tolist() == w.numpy().tolist()
        found(value)
        assert u.numpy().tolist() == written(index, value).tolist()


def test_positions_and_ends_that_the_run_knows() -> None:
    v = tf.Variable(start())

    @tf.function
    def move(i: Any, low: Any, high: Any, value: Any) -> Any:
        v[i].assign(value)
        v[-1, low:high].assign(value)
        return v[i]

    array = start()
    for i, low, high, value in ((0, 1, 3, 50), (-2, 0, 1, 60), (2, 3, 3, 70), (1, -2, 9, 80)):
        array[i] = value
        array[-1, low:high] = value
        assert move(*map(tf.constant, (i, low, high, value))).numpy().tolist() == array[i].tolist()
        assert v.numpy().tolist() == array.tolist()
    assert move.experimental_get_tracing_count() == 1


def test_writes_of_parts_keep_the_order_of_the_program_in_branches_loops_and_calls() -> None:
    def squares(v: Any, n: Any, put: Callable[[Any, Any, Any], None]) -> Any:
        seen = v[0] * 0
        for i in range(n):
            if i % 2 == 0:
                put(v, i, v[i] + seen)
            else:
                seen = seen + v[i - 1]
                put(v, i, seen)
        put(v, 0, v[n - 1])
        return seen

    def put_array(v: Any, i: Any, value: Any) -> None:
        v[i] = value

    @tf.function
    def put_part(v: Any, i: Any, value: Any) -> None:
        v[i].assign(value)

    staged = tf.function(squares)
    for n in (1, 3, 4):
        array, v, w = np.arange(3, 11), tf.Variable(np.arange(3, 11)), tf.Variable(np.arange(3, 11))
        expected = squares(array, n, put_array)
        assert staged(v, tf.constant(n), put_part).numpy() == expected
        assert squares(w, n, put_part).numpy() == expected
        assert v.numpy().tolist() == w.numpy().tolist() == array.tolist()


def test_a_part_of_itself() -> None:
    array = np.arange(6)
    array[1:] = array[:-1].copy()
    v, w = tf.Variable(np.arange(6)), tf.Variable(np.arange(6))
    v[1:].assign(v[:-1])
    tf.function(lambda: w[1:].assign(w[:-1]).value())()
    assert v.numpy().tolist() == w.numpy().tolist() == array.tolist()


def test_what_was_read_stays() -> None:
    v = tf.Variable([1.0, 2.0, 3.0])

    @tf.function
    def swap() -> Any:
        first, whole = v[0], v + 0.0
        v[0].assign(v[2])
        v[2].assign(first)
        return first, whole, v[0]

    first, whole, now = swap()
    assert (first.numpy(), whole.numpy().tolist(), now.numpy()) == (1, [1, 2, 3], 3)
    assert v.numpy().tolist() == [3, 2, 1]


def test_text_and_dtypes() -> None:
    words, ratios = tf.Variable(["a", "b"]), tf.Variable([1.0, 2.0], dtype=tf.float64)
    words[1].assign("long")
    ratios[0].assign(3)
    assert words.numpy().tolist() == [b"a", b"long"]
    assert (ratios.numpy().tolist(), ratios.dtype) == ([3, 2], tf.float64)


WRONG: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "dtype": (lambda v: v[0].assign(tf.constant(1)), tf.errors.DtypeMismatchError, "'[vw]:0' is float32.*int32"),
    "shape": (lambda v: v[:2].assign([1.0, 2.0, 3.0]), tf.errors.ShapeMismatchError, r"\(3,\)"),
    "rank": (lambda v: v[0].assign([1.0, 2.0]), ValueError, r"\(2,\)"),
    "outside": (lambda v: v[3].assign(1.0), tf.errors.OutOfRangeError, "3"),
    "no part": (lambda v: (v + 1.0).assign(1.0), AttributeError, "has no attribute 'assign'"),
    "part of a part": (lambda v: (v[:2] * 1.0)[0].assign(1.0), AttributeError, "has no attribute 'assign'"),
    "other methods": (lambda v: v[0].assign_mul(1.0), AttributeError, "assign_mul"),
    "[] =": (lambda v: v.__setitem__(0, 1.0), TypeError, r"'[vw]:0'.*v\[index\].assign"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_refused_and_nothing_is_written(case: str) -> None:
    program, kind, message = WRONG[case]
    for run in (program, tf.function(program)):
        v = tf.Variable([1.0, 2.0, 3.0], name="w")
        with pytest.raises(kind, match=message):
            run(v)
        assert v.numpy().tolist() == [1, 2, 3]


def test_a_place_that_only_the_run_finds_outside_is_caught_as_an_index_error() -> None:
    v = tf.Variable([1, 2])

    @tf.function
    def put(i: Any) -> Any:
        try:
            v[i].assign(9)
        except IndexError:
            return -1
        return i

    assert [int(put(tf.constant(i))) for i in (0, 5, 1)] == [0, -1, 1]
    assert v.numpy().tolist() == [9, 9]


def test_only_parts_of_variables_have_the_method() -> None:
    v = tf.Variable([1.0])
    seen: list[bool] = []

    @tf.function
    def look(x: Any) -> None:
        seen.extend(hasattr(t, "assign") for t in (x, x[0], v.value(), v[0]))

    with pytest.warns(tf.errors.TraceEffectWarning):
        look(tf.constant([1.0]))
    assert seen == [False, False, False, True]
    assert [hasattr(t, "assign") for t in (v.value(), v.value()[0], v[0])] == [False, False, True]


def test_a_trace_that_writes_parts_keeps_no_variable() -> None:
    class Model(tf.Module):
        def __init__(self) -> None:
            self.v = tf.Variable([1.0, 2.0])

        @tf.function
        def __call__(self) -> Any:
            self.v[0].assign(5.0)
            return self.v + 0.0

    model = Model()
    concrete = model.__call__.get_concrete_function()
    assert model().numpy().tolist() == [5, 2]
    variable = weakref.ref(model.v)
    model.v = tf.Variable([0.0, 0.0])
    gc.collect()
    assert variable() is None
    assert concrete.variables[0].numpy().tolist() == [5, 2]


def test_threads_write_their_own_parts() -> None:
    v = tf.Variable(np.zeros(8, np.int64))

    @tf.function
    def count(i: Any) -> None:
        for _ in range(tf.constant(200)):
            v[i].assign(v[i] + 1)

    threads = [threading.Thread(target=count, args=(tf.constant(i),)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v.numpy().tolist() == [200] * 8
