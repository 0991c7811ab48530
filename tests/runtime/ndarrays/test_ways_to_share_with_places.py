"""Arguments that share memory with places: by identity, in saved models, beside containers and unnamed globals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as tf

from .sharing_models import Decorate, Model, alike, seen


def test_which_array_it_is() -> None:
    def compares(self: Model, v: Any, x: Any) -> Any:
        return 1.0 if v is self.a else 2.0 if v is not self.b else 3.0

    def compares_and_binds(self: Model, v: Any, x: Any) -> Any:
        if v is self.a:
            self.b = v
        self.a = self.a + v
        return self.b.sum()

    for method in (compares, compares_and_binds):
        alike(method, lambda o: np.ones(4), lambda o: o.a, lambda o: o.b, lambda o: o.a[:])
        alike(method, lambda o: o.a, lambda o: o.a[::-1], lambda o: np.ones(4))


def test_what_is_there_stays_also_where_the_first_call_has_it_as_an_argument() -> None:
    def binds_on_one_way(self: Model, v: Any, x: Any) -> Any:
        if x > 0:
            self.a = v + 1
        return self.a.sum()

    def binds_another_on_one_way(self: Model, v: Any, x: Any) -> Any:
        if x > 0:
            self.a = self.b
        self.b = self.a[1:]
        return self.a.sum() + self.b.sum()

    def program(method: Any, function: Decorate, number: Callable[[float], Any]) -> list[Any]:
        o: Any = Model()
        f, first, found = function(method), o.a, []
        for x in (2.0, -1.0, 2.0, -1.0):
            found.append((float(f(o, first, number(x))), seen(o.a, o.b, first)))
        return found

    for method in (binds_on_one_way, binds_another_on_one_way):
        staged = program(method, tf.function, lambda x: tf.constant(x, tf.float64))
        assert staged == program(method, lambda f: f, np.float64)


def test_a_loaded_function_refuses_what_the_model_has(tmp_path: Any) -> None:
    class Saved(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = np.ones(3)

        @tf.function
        def step(self, v: Any) -> Any:
            v[0] = 2.0
            return self.w.sum()

    model = Saved()
    model.step(np.zeros(3))
    model.step(model.w)
    assert model.w[0] == 2.0
    model.step(np.zeros(3))
    tf.saved_model.save(model, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    v = np.zeros(3)
    assert float(loaded.step(v)) == 4.0
    assert v[0] == 2.0


def test_variables_of_the_module_that_no_code_names() -> None:
    names: dict[str, Any] = {"tf": tf, "np": np}
    exec("def shift(a, b):\n    a[:] = b * 2\nv = np.arange(5.0)", names)
    function = tf.function(names["shift"], autograph=False)
    for _ in range(2):
        function(names["v"][1:], names["v"][:-1])
    assert names["v"].tolist() == [0.0, 0.0, 0.0, 4.0, 8.0]
    assert [trace.state.first for trace in function._traces] == ["", ""]


def test_an_array_that_a_list_in_a_tuple_has_as_well() -> None:
    class Holding(Model):
        def __init__(self) -> None:
            super().__init__()
            self.pair: Any = (np.zeros(4), [self.a])

    def method(self: Any, v: Any, x: Any) -> Any:
        v[0] = x
        self.pair[1][0][2] += v[0]
        return self.pair[1][0].sum() + self.a.sum()

    def program(function: Decorate, x: Any) -> list[Any]:
        o, f, found = Holding(), function(method), []
        for given in (o.a, o.a[::-1], np.ones(4), o.a):
            found.append((float(f(o, given, x)), seen(o.a, given, o.pair[1][0])))
        return found

    assert program(tf.function, tf.constant(1.5, tf.float64)) == program(lambda f: f, np.float64(1.5))


def test_beside_a_dict_of_which_a_tensor_decides_what_it_has() -> None:
    def method(self: Any, v: Any, x: Any) -> Any:
        if x > 0:
            self.extra["r"] = x * 2.0
        self.a[1] = v[0] + x
        v[2] = self.m[0, 1]
        return self.a.sum()

    def program(function: Decorate, number: Callable[[float], Any]) -> list[Any]:
        o: Any = Model()
        o.extra = {}
        f, found = function(method), []
        for given, x in ((o.a, 1.0), (o.a[::-1], -1.0), (np.ones(4), 2.0), (o.a, -1.0)):
            found.append((float(f(o, given, number(x))), seen(o.a, given), {k: float(v) for k, v in o.extra.items()}))
        return found

    assert program(tf.function, lambda x: tf.constant(x, tf.float64)) == program(lambda f: f, np.float64)
