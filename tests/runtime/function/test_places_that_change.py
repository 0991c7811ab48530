"""Functions that only read attributes, elements and globals which others bind anew: one more trace, not one a call."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import runtime as tf


class Network:
    """As textbooks write it: three methods, arrays in attributes, dicts and lists."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.params = {"W1": rng.normal(size=(2, 4)), "b1": np.zeros(4)}
        self.w = rng.normal(size=4)
        self.velocity = [np.zeros((2, 4)), np.zeros(4)]
        self.rate = 0.1

    def forward(self, x: Any) -> Any:
        self.x = x
        self.z = x @ self.params["W1"] + self.params["b1"]
        self.h = np.maximum(self.z, 0.0)
        return self.h @ self.w

    def backward(self, error: Any) -> None:
        self.dw = self.h.T @ error / len(error)
        dh = np.outer(error, self.w) * (self.z > 0)
        self.gradients = {"W1": self.x.T @ dh / len(error), "b1": dh.mean(axis=0)}

    def update(self) -> None:
        for i, name in enumerate(self.params):
            self.velocity[i] = 0.9 * self.velocity[i] - self.rate * self.gradients[name]
            self.params[name] = self.params[name] + self.velocity[i]
        self.w = self.w - self.rate * self.dw

    def size(self) -> Any:
        return np.abs(self.w).sum() + sum(np.abs(p).sum() for p in self.params.values())


def test_a_network_of_methods_is_traced_a_few_times() -> None:
    mine, numpys = Network(0), Network(0)
    calls: dict[str, Any] = {
        name: tf.function(getattr(mine, name)) for name in ("forward", "backward", "update", "size")
    }
    xs = np.random.default_rng(1).normal(size=(8, 2))
    wanted = xs @ [1.0, -2.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for step in range(12):
            rows = slice(0, 4) if step % 2 else slice(4, 8)
            error = np.asarray(calls["forward"](xs[rows])) - wanted[rows]
            np.testing.assert_allclose(error, numpys.forward(xs[rows]) - wanted[rows], rtol=1e-9)
            calls["backward"](error)
            numpys.backward(error)
            calls["update"]()
            numpys.update()
            np.testing.assert_allclose(calls["size"](), numpys.size(), rtol=1e-9)
    assert {name: call.cache_info().made for name, call in calls.items()} == {
        "forward": 2, "backward": 3, "update": 2, "size": 2
    }  # fmt: skip
    for name, value in vars(numpys).items():
        found = vars(mine)[name]
        for one, other in zip(parts_of(found), parts_of(value), strict=True):
            assert type(one) is type(other)
            np.testing.assert_allclose(one, other, rtol=1e-9)


def parts_of(value: Any) -> list[Any]:
    return [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else [value]


TABLE = np.arange(3.0)


def test_an_array_that_the_program_writes_to_between_calls() -> None:
    total = tf.function(lambda x: (TABLE * x).sum())
    for i in range(5):
        TABLE[0] = i
        assert float(total(2.0)) == 2.0 * (i + 3)
    assert total.cache_info().made <= 4


def test_a_tensor_that_others_assign() -> None:
    class Model:
        scale = tf.constant([1.0, 2.0])

    model = Model()
    scaled = tf.function(lambda x: x * model.scale)
    for i in range(5):
        model.scale = tf.constant([float(i), 1.0])
        assert scaled(tf.constant(3.0)).numpy().tolist() == [3.0 * i, 3.0]
    assert scaled.cache_info().made == 2
    model.scale = tf.constant([1.0, 2.0, 3.0])  # another shape
    assert scaled(tf.constant(3.0)).numpy().tolist() == [3.0, 6.0, 9.0]


@pytest.mark.parametrize("change", [lambda s: s + 1, lambda s: s.copy()])
def test_elements_that_python_asks_for_are_constants_still(change: Any) -> None:
    class Grid:
        sizes = np.array([2, 3])

    grid = Grid()

    def cells(x: Any) -> Any:
        made = [x * i for i in range(int(grid.sizes[0]))]
        return tf.stack(made) if len(made) > 1 else made

    staged = tf.function(cells)
    for _ in range(4):
        assert staged(tf.constant(1.0)).shape == (grid.sizes[0],)
        grid.sizes = change(grid.sizes)


def test_who_keeps_the_trace_has_constants() -> None:
    class Model:
        w = np.ones(2)

    model = Model()
    scaled = tf.function(lambda x: x * model.w)
    for i in range(3):
        model.w = np.full(2, float(i))
        scaled(tf.constant([1.0, 1.0], tf.float64))
    kept = scaled.get_concrete_function(tf.TensorSpec([2], tf.float64))
    model.w = np.full(2, 7.0)
    assert kept(tf.constant([1.0, 1.0], tf.float64)).numpy().tolist() == [2.0, 2.0]
    assert scaled(tf.constant([1.0, 1.0], tf.float64)).numpy().tolist() == [7.0, 7.0]


def test_a_model_is_saved_as_it_is_then(tmp_path: Any) -> None:
    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = np.ones(2)

        @tf.function
        def __call__(self, x: Any) -> Any:
            return x * self.w

    model = Model()
    for i in range(3):
        model.w = model.w + i
        model(tf.constant([1.0, 1.0], tf.float64))
    tf.saved_model.save(model, str(tmp_path))
    model.w = model.w + 1
    loaded = tf.saved_model.load(str(tmp_path))
    assert loaded(tf.constant([1.0, 1.0], tf.float64)).numpy().tolist() == [4.0, 4.0]


class Filter:
    def __init__(self) -> None:
        self.x, self.gain = np.zeros(2), np.array([0.5, 0.25])
        self.counts = np.zeros(2, np.int64)
        self.last = 0.0

    def update(self, z: Any) -> Any:
        self.x = self.x + self.gain * (z - self.x[0])
        self.counts = self.counts + 1
        return self.x[1]

    def noted(self, z: Any) -> Any:
        self.x = self.x * z
        self.last = z * 2
        return self.x[0]

    def whole(self, z: Any) -> Any:
        self.counts = self.counts * z
        return self.counts


def test_numbers_that_are_arguments_have_one_trace() -> None:
    mine, numpys = Filter(), Filter()
    staged = tf.function(mine.update)
    for z in (0.1, 0.2, 0.3, 0.7, 1e-9, 1e9, 3.3):
        assert float(staged(z)) == numpys.update(z)
        assert mine.x.tolist() == numpys.x.tolist() and mine.counts.tolist() == numpys.counts.tolist()
    assert staged.cache_info().made == 3


@pytest.mark.parametrize(
    ("name", "values"), [("noted", (0.1, 0.2, 0.3, 0.7)), ("whole", (1, 2, 3, 4, 0.5)), ("whole", (0.5, 0.25, 2.0, 3))]
)
def test_what_is_left_has_pythons_types(name: str, values: tuple[Any, ...]) -> None:
    mine, numpys = Filter(), Filter()
    staged = tf.function(getattr(mine, name))
    for z in values:
        np.testing.assert_array_equal(staged(z), getattr(numpys, name)(z))
        assert mine.x.tolist() == numpys.x.tolist()
        assert mine.counts.tolist() == numpys.counts.tolist() and mine.counts.dtype == numpys.counts.dtype
        assert (mine.last, type(mine.last)) == (numpys.last, type(numpys.last))
