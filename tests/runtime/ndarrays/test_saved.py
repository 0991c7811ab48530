"""Functions that write to arrays, in saved models: what is loaded writes as the original does."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

X = tf.constant(2.0, tf.float64)
LAST = np.zeros(3)


def bump(v: Any, x: Any) -> None:
    v[-1] += x


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.factor = 2.0
        self.table = np.zeros(3)
        self.grid = np.arange(6.0).reshape(2, 3)  # which is a view of an array that nobody names
        self.row = self.grid[1]
        self.turned = np.asfortranarray(np.zeros((2, 3)))
        self.kept = [self.table, {"row": self.row}]

    @tf.function
    def put(self, a: Any, x: Any) -> Any:
        a[0] = x
        return a * 1

    @tf.function
    def views(self, a: Any, x: Any) -> Any:
        inner = a[1:].reshape(-1, 2)
        for i in range(2):
            if x > i:
                bump(inner[i], x)
        return inner.sum()

    @tf.function
    def scaled(self, a: Any, b: Any, x: Any) -> Any:
        a[:] = b * self.factor
        return x * a[0]

    @tf.function
    def within(self, pair: Any, x: Any) -> Any:
        pair["b"][1:] = pair["a"][:-1] * x
        return None

    @tf.function
    def keep(self, x: Any) -> Any:
        self.table[0] += x
        return self.table.sum()

    @tf.function
    def rows(self, x: Any) -> Any:
        bump(self.row, x)
        self.turned[0, 1] = self.grid.sum()
        return self.grid * 1

    @tf.function
    def through(self, a: Any, x: Any) -> Any:
        self.put(a, x)
        return self.keep(a[0])

    @tf.function
    def both(self, a: Any, b: Any) -> Any:
        a[:] = b * 2
        return a + b

    @tf.function
    def turn(self, a: Any) -> Any:
        b = a.T.ravel()  # a copy or a view
        b[0] = 9.0
        return b * 1

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
    def signed(self, a: Any) -> Any:
        a[0] = 9.0
        return a * 1

    @tf.function
    def mean(self, a: Any) -> Any:
        return a * np.float32(0.5)

    @tf.function
    def reads(self, a: Any) -> Any:
        a[0] = self.table[0] + 1
        return a[0] + self.table[0]


def put(model: Any) -> Any:
    a = np.zeros(3)
    return model.put(a, X), a


def overlapping(model: Any) -> Any:
    v = np.arange(4.0)
    found = [model.both(v[1:], v[:-1]), v.copy(), model.both(v, v), v.copy(), model.both(v[:2], v[2:])]
    return found, v


def turned(model: Any) -> Any:
    a, b = np.zeros((2, 2)), np.asfortranarray(np.zeros((2, 2)))
    return model.turn(a), model.turn(b), a, b


def within(model: Any) -> Any:
    pair = {"a": np.arange(3.0), "b": np.zeros(3)}
    return model.within(pair, X), pair["a"], pair["b"]


def views(model: Any) -> Any:
    a = np.zeros(5)
    return model.views(a, X), model.views(a, tf.constant(0.5, tf.float64)), a


def kept(model: Any) -> Any:
    found = [float(model.keep(X)), float(model.keep(X))]
    return found, model.table, model.kept[0], model.kept[0] is model.table


def rows(model: Any) -> Any:
    found = model.rows(X)
    model.grid[1, 2] += 1
    return found, model.rows(X), model.grid, model.row, model.turned, model.kept[1]["row"]


def through(model: Any) -> Any:
    a = np.zeros(3)
    return model.through(a, X), a, model.table


def signed(model: Any) -> Any:
    a = np.zeros(2)
    return model.signed(a), model.signed(tf.constant([1.0, 2.0], tf.float64)), a


def promoted(model: Any) -> Any:
    a = np.ones(3, np.float32)
    return model.mean(a), model.mean(tf.constant(a)), model.mean(np.float64(3.0))


CALLS: dict[str, Callable[[Any], Any]] = {
    f.__name__: f for f in (put, overlapping, turned, within, views, kept, rows, through, signed, promoted)
}


def flat(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [leaf for part in value for leaf in flat(part)]
    return [np.asarray(value).tolist(), getattr(value, "dtype", None)]


@pytest.mark.parametrize("name", CALLS)
def test_what_is_loaded_writes_as_the_original(name: str, tmp_path: Path) -> None:
    call, model, expected = CALLS[name], Model(), Model()
    call(model)  # which traces
    fresh = Model()
    for attribute, value in vars(fresh).items():  # as it was: what the calls have written is not what is compared
        if isinstance(value, np.ndarray):
            getattr(model, attribute)[...] = value
    tf.saved_model.save(model, str(tmp_path / "1"))
    loaded = tf.saved_model.load(str(tmp_path / "1"))
    tf.saved_model.save(loaded, str(tmp_path / "2"))
    wanted = flat(call(expected))
    assert flat(call(loaded)) == wanted
    assert flat(call(tf.saved_model.load(str(tmp_path / "2")))) == wanted


def loaded_of(path: Path, call: Callable[[Any], Any]) -> Any:
    model = Model()
    call(model)
    tf.saved_model.save(model, str(path))
    return tf.saved_model.load(str(path))


def test_what_no_saved_trace_is_for_is_refused(tmp_path: Path) -> None:
    traced = lambda model: (model.turn(np.zeros((2, 2))), model.both(np.zeros(3), np.zeros(3)), model.keep(X))
    loaded = loaded_of(tmp_path, lambda model: (put(model), traced(model), model.reads(np.zeros(3))))
    v, fixed = np.arange(6.0), np.zeros(3)
    fixed.flags.writeable = False
    for call, words in (
        (lambda: loaded.turn(v[:4].reshape(2, 2).T), r"'a' is laid out in memory in another way.*ascontiguousarray"),
        (lambda: loaded.put(fixed, X), "'a' is written to: assignment destination is read-only"),
        (lambda: loaded.put(tf.constant(v[:3]), X), "a tensor never changes: pass an ndarray"),
        (lambda: loaded.both(v[1:4], v[:3]), r"share memory, and one of them is written to: pass a copy"),
        (lambda: loaded.both(fixed, fixed), r"read-only"),
        (lambda: loaded.both(v[:3], v[:3]), r"share memory"),
        (lambda: loaded.reads(loaded.table), r"shares memory with 'self\.table', which the function captures"),
    ):
        with pytest.raises(ValueError, match=f"(?s){words}"):
            call()
    assert v.tolist() == [0.0, 1, 2, 3, 4, 5] and not fixed.any()
    with pytest.raises(TypeError, match="load the model once more"):
        copy.deepcopy(loaded)


def test_a_remedy_for_another_layout(tmp_path: Path) -> None:
    loaded = loaded_of(tmp_path, lambda model: (model.turn(np.asfortranarray(np.zeros((2, 2)))), put(model)))
    v = np.arange(4.0).reshape(2, 2)
    with pytest.raises(ValueError, match=r"array that is laid out like that.*np\.asfortranarray.*a\[\.\.\.\] = b"):
        loaded.turn(v)
    b = np.asfortranarray(v)
    loaded.turn(b)
    v[...] = b
    assert v.tolist() == [[9.0, 1.0], [2.0, 3.0]]
    w = np.arange(6.0)
    loaded.put(w[::2], X)  # which asks for no view: any layout will do
    assert w.tolist() == [2.0, 1, 2, 3, 4, 5]


def test_in_another_function_and_a_dataset(tmp_path: Path) -> None:
    loaded = loaded_of(tmp_path, lambda model: (put(model), kept(model)))
    loaded.table[...] = 0

    @tf.function
    def outer(a: Any, x: Any) -> Any:
        loaded.table[1] = 5.0
        if x > 1:
            loaded.put(a, x)
        total = loaded.keep(x)
        loaded.table[2] = total
        return total

    a = np.zeros(3)
    assert [float(outer(a, X)), float(outer(a, tf.constant(1.0, tf.float64)))] == [7.0, 15.0]
    assert a.tolist() == [2.0, 0, 0] and loaded.table.tolist() == [3.0, 5, 15]
    numbers = tf.data.Dataset.from_tensor_slices(np.arange(3.0)).map(loaded.keep)
    assert list(numbers.as_numpy_iterator()) == [23.0, 24.0, 26.0]
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = tf.reduce_sum(loaded.put(a, X) ** 2)
    assert float(tape.gradient(y, X)) == 4.0

    @tf.function
    def raising(x: Any) -> Any:
        loaded.keep(x)
        raise ValueError("after it")

    with pytest.raises(ValueError, match="after it"):
        raising(X)
    assert loaded.table[0] == 6.0


def test_arrays_that_are_no_part_of_it(tmp_path: Path) -> None:
    class Outside(tf.Module):
        @tf.function
        def keep(self, x: Any) -> Any:
            LAST[0] = x
            return LAST.sum()

    model = Outside()
    model.keep(X)
    with pytest.raises(ValueError, match=r"keep\(x\).*writes to the array 'LAST'.*make it an attribute of the saved"):
        tf.saved_model.save(model, str(tmp_path / "model"))
    assert not list(tmp_path.iterdir())
    model.last = LAST
    tf.saved_model.save(model, str(tmp_path / "model"))
    loaded = tf.saved_model.load(str(tmp_path / "model"))
    assert float(loaded.keep(X + 1)) == 3.0 and loaded.last[0] == 3.0 and LAST[0] == 2.0


def test_a_trace_for_a_tensor_takes_no_array_after_that(tmp_path: Path) -> None:
    loaded, a = loaded_of(tmp_path, lambda model: model.put(tf.constant(np.zeros(3)), X)), np.zeros(3)
    assert loaded.put(tf.constant(a), X).numpy()[0] == 2.0
    with pytest.raises(TypeError, match="made for a tensor 'a', and the function writes to it"):
        loaded.put(a, X)
    assert a.tolist() == [0.0] * 3


def test_an_input_signature_is_saved_for_tensors_and_arrays(tmp_path: Path) -> None:
    loaded, a = loaded_of(tmp_path, lambda model: None), np.zeros(3)
    assert loaded.signed(tf.constant(a)).numpy()[0] == 9.0 and not a.any()
    assert loaded.signed(a).numpy()[0] == a[0] == 9.0
    with pytest.raises(ValueError, match="read-only|is written to"):
        loaded.signed(np.zeros(3, np.float32))


def test_one_trace_by_itself_takes_arrays_of_its_own_layout_alone() -> None:
    model = Model()
    trace = model.turn.get_concrete_function(np.zeros((2, 2)))
    a = np.asfortranarray(np.zeros((2, 2)))
    with pytest.raises(ValueError, match="laid out in memory in another way"):
        trace(a)
    with pytest.raises(ValueError, match="laid out in memory in another way"):
        tf.function(lambda a: trace(a.T.copy().T))(np.zeros((2, 2)))
    model.turn(a)
    assert a[0, 0] == 9.0


def test_one_trace_in_another_shares_what_it_captures() -> None:
    model = Model()
    trace = model.keep.get_concrete_function(tf.TensorSpec([], tf.float64))

    @tf.function
    def outer(x: Any) -> Any:
        model.table[1] = 5.0 * x
        for _ in range(3):
            if x > 1:
                trace(x)
        return trace(x), model.table.sum()

    assert [float(v) for v in outer(X)] == [18.0, 18.0] and model.table.tolist() == [8.0, 10, 0]
    assert float(tf.function(lambda x: trace(x) + trace(x))(X)) == 20.0 + 22.0
    with pytest.raises(Exception, match="is written to in a function that is given to cond"):
        tf.function(lambda x: tf.cond(x > 0, lambda: trace(x), lambda: x))(X)
    assert model.table.tolist() == [12.0, 10, 0]


def test_a_copy_may_be_written_to(tmp_path: Path) -> None:
    class Copies(tf.Module):
        @tf.function
        def put(self, a: Any) -> Any:
            a = a.copy()
            a[0] = 9.0
            return a

    module, a = Copies(), np.zeros(3)
    module.put(a)
    tf.saved_model.save(module, str(tmp_path / "model"))
    assert tf.saved_model.load(str(tmp_path / "model")).put(a).numpy().tolist() == [9.0, 0.0, 0.0]
    assert a.tolist() == [0.0] * 3


def test_a_trace_that_python_has_left_behind_is_made_again_for_arrays(tmp_path: Path) -> None:
    def traced(model: Any) -> None:
        v = np.arange(4.0)
        model.scaled(np.zeros(3), np.ones(3), np.float32(1.0))
        model.scaled(v[1:], v[:-1], X)
        model.factor = 3.0

    loaded, v = loaded_of(tmp_path, traced), np.arange(4.0)
    a = np.zeros(3)
    assert loaded.scaled(a, np.ones(3), np.float32(1.0)).dtype == tf.float64 and a.tolist() == [3.0] * 3
    loaded.scaled(v[1:], v[:-1], X)
    assert v.tolist() == [0.0, 0.0, 3.0, 6.0]
