"""What Functions may create: singletons that an object keeps, with initial values that may depend on the arguments."""

import copy
import gc
import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import runtime

kept: Any = None


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    global kept
    kept = None
    yield
    kept = None


def test_a_variable_that_nothing_keeps_is_refused_at_its_line() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        v = runtime.Variable(1.0)
        return v

    for _ in range(2):
        with pytest.raises(ValueError, match="singleton") as caught:
            f(1.0)
        assert re.search(r"test_creation\.py:\d+ in f\)", str(caught.value))
    assert f.experimental_get_tracing_count() == 0


def test_closures_and_staged_code_around_it_keep_nothing() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        v = runtime.Variable(1.0)
        if x > 0:
            v.assign_add(x)
        for _ in runtime.range(3):
            v.assign_add(1.0)
        return (lambda: v + x)()

    with pytest.raises(ValueError, match="singleton"):
        f(runtime.constant(1.0))


def test_what_only_refers_to_itself_keeps_nothing() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        v = runtime.Variable(1.0)

        def power(n: int) -> Any:
            return v * power(n - 1) if n else x  # `power` is in its own closure

        return power(2)

    gc.disable()
    try:
        with pytest.raises(ValueError, match="singleton"):
            f(runtime.constant(1.0))
    finally:
        gc.enable()


def test_a_global_keeps_it() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        global kept
        if kept is None:
            kept = runtime.Variable(x * 2)
        return kept.assign_add(x)

    assert [float(f(runtime.constant(3.0))) for _ in range(3)] == [9, 12, 15]
    assert kept.numpy() == 15


def test_a_list_that_is_an_argument_keeps_it() -> None:
    made: list[Any] = []

    @runtime.function
    def f() -> Any:
        if not made:
            made.append(runtime.Variable([1, 2]))
        return made[0].assign_add([1, 1])

    assert [f().numpy().tolist() for _ in range(2)] == [[2, 3], [3, 4]]


def test_a_later_trace_may_create_what_an_object_keeps() -> None:
    class Optimizer:
        def __init__(self) -> None:
            self.slots: dict[Any, Any] = {}

        def step(self, w: Any, gradient: Any) -> None:
            if w.ref() not in self.slots:
                self.slots[w.ref()] = runtime.Variable(runtime.zeros_like(w), trainable=False)
            slot = self.slots[w.ref()]
            slot.assign_add(gradient)
            w.assign_sub(slot)

    @runtime.function
    def train(w: Any, gradient: Any, optimizer: Any) -> Any:
        optimizer.step(w, gradient)
        return w

    w, u = runtime.Variable([1.0, 1.0]), runtime.Variable([5.0, 5.0])
    one, two = Optimizer(), Optimizer()
    gradient = runtime.constant([1.0, 0.5])
    assert train(w, gradient, one).numpy().tolist() == [0, 0.5]
    assert train(w, gradient, one).numpy().tolist() == [-2, -0.5]
    assert train(w, gradient, two).numpy().tolist() == [-3, -1]
    assert train(u, gradient, one).numpy().tolist() == [4, 4.5]
    assert [s.numpy().tolist() for s in one.slots.values()] == [[2, 1], [1, 0.5]]
    assert len(two.slots) == 1


def test_initial_values_depend_on_arguments_shapes_and_other_variables() -> None:
    store: dict[str, Any] = {}
    scale = runtime.Variable(10.0)

    @runtime.function
    def f(x: Any, v: Any, table: Any) -> Any:
        if not store:
            store["mean"] = runtime.Variable(runtime.reduce_mean(x) * scale + v)
            store["zeros"] = runtime.Variable(runtime.zeros([x.shape[-1], 2]), name="zeros")
            store["listed"] = runtime.Variable([x[0, 0], 7.0])
            store["called"] = runtime.Variable(lambda: runtime.ones([2]) * 3)
            store["table"] = runtime.Variable(table)
            store["branch"] = runtime.Variable(x[0] if runtime.reduce_sum(x) > 100 else -x[0])
        return x

    f(runtime.constant([[1.0, 2.0, 3.0]]), runtime.Variable(0.5), [1.0, 2.0])
    assert {name: v.numpy().tolist() for name, v in store.items()} == {
        "mean": 20.5, "zeros": [[0, 0]] * 3, "listed": [1, 7], "called": [3, 3], "table": [1, 2],
        "branch": [-1, -2, -3],
    }  # fmt: skip


def test_a_copy_that_is_made_in_a_trace_has_the_value_of_the_call() -> None:
    v, copies = runtime.Variable(1.0, name="v"), []

    @runtime.function
    def f(w: Any) -> Any:
        if not copies:
            copies.extend(copy.deepcopy([v, w]))
        return copies[0].assign_add(1.0) + copies[1]

    w = runtime.Variable(10.0)
    v.assign(5.0)
    assert f(w).numpy() == 16
    v.assign(100.0)
    assert f(w).numpy() == 17
    assert [c.name for c in copies] == ["v:0", "w:0"]


def test_what_gives_an_initial_value_may_be_used_in_the_graph_too() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        global kept
        start = x * 2
        if kept is None:
            kept = runtime.Variable(start)
        return start - kept

    assert [float(f(runtime.constant(x))) for x in (3.0, 4.0)] == [0, 2]


def test_a_spec_has_no_value_for_an_initial_value() -> None:
    @runtime.function
    def f(x: Any) -> Any:
        global kept
        if kept is None:
            kept = runtime.Variable(x * 2)
        return kept + x

    with pytest.raises(ValueError, match=r"test_creation\.py:\d+ in f.*argument 'x', which has no value"):
        f.get_concrete_function(runtime.TensorSpec([], runtime.float32))
    assert f(runtime.constant(1.0)).numpy() == 3
    assert f.get_concrete_function(runtime.TensorSpec([], runtime.float32))(runtime.constant(2.0)).numpy() == 4


def test_an_initial_value_cannot_wait_for_an_assignment_of_the_graph() -> None:
    v = runtime.Variable(1.0)

    @runtime.function
    def f() -> None:
        global kept
        v.assign_add(1.0)
        if kept is None:
            kept = runtime.Variable(v * 2)

    with pytest.raises(ValueError, match="'f' assigns before"):
        f()


def test_nothing_is_created_where_it_depends_on_a_tensor() -> None:
    class Layer:
        def __init__(self) -> None:
            self.v: Any = None

        def __call__(self, x: Any) -> Any:
            if self.v is None:
                self.v = runtime.Variable(2.0)
            return x * self.v

    layer = Layer()

    def in_branch(x: Any) -> Any:
        return layer(x) if x > 0 else x

    def in_loop(x: Any) -> Any:
        for _ in runtime.range(3):
            x = layer(x)
        return x

    for program in (in_branch, in_loop):
        with pytest.raises(ValueError, match=r"Variable is created \(.*test_creation.py:\d+ in __call__\)"):
            runtime.function(program)(runtime.constant(1.0))
    layer(1.0)
    assert runtime.function(in_loop)(runtime.constant(1.0)).numpy() == 8


def test_functions_within_functions_create_once() -> None:
    @runtime.function
    def inner(x: Any) -> Any:
        global kept
        if kept is None:
            kept = runtime.Variable(x)
        return kept.assign_add(1.0)

    @runtime.function
    def outer(x: Any) -> Any:
        return inner(x * 2) + inner(x)

    assert float(outer(runtime.constant(1.0))) == 3 + 4
    assert float(outer(runtime.constant(1.0))) == 5 + 6
    assert kept.numpy() == 6


def test_init_scope_runs_at_once_and_once() -> None:
    v = runtime.Variable(0)
    seen: list[bool] = []

    @runtime.function
    def f(x: Any) -> Any:
        with runtime.init_scope():
            seen.append(runtime.executing_eagerly())
            v.assign_add(1)
            total = runtime.constant(0)
            for i in runtime.range(3):
                total += i
            assert int(total) == 3
        if x > 0:
            with runtime.init_scope():
                v.assign_add(10)
        return v + x

    assert [int(f(runtime.constant(x))) for x in (0, 1, 2)] == [11, 12, 13]
    assert seen == [True]


def test_what_init_scope_creates_must_be_kept_too() -> None:
    def total_of(x: Any) -> Any:
        with runtime.init_scope():
            total = runtime.Variable(0.0, name="total")
        return total.assign_add(x)

    def mean_of(x: Any) -> Any:
        mean = runtime.metrics.Mean()
        mean.update_state(x)
        return mean.result()

    def scaled(x: Any) -> Any:
        return runtime.layers.Dense(1)(x)

    def branched(x: Any) -> Any:
        return runtime.layers.Dense(1)(x) if runtime.reduce_sum(x) > 0.0 else x

    for function, name, argument in (
        (total_of, "total:0", 1.0), (mean_of, "mean/total:0", [[1.0]]), (scaled, r"dense(_\d+)?/kernel:0", [[1.0]]),
        (branched, r"dense(_\d+)?/kernel:0", [[1.0]]),
    ):  # fmt: skip
        line = function.__code__.co_firstlineno
        with pytest.raises(ValueError, match="singleton") as caught:
            runtime.function(function)(runtime.constant(argument))
        assert re.search(name, str(caught.value))
        assert re.search(rf"test_creation.py:({line + 1}|{line + 2}) ", str(caught.value))


def test_what_only_lives_within_init_scope_is_no_concern_of_the_graph() -> None:
    numbers = []

    @runtime.function
    def f(x: Any) -> Any:
        with runtime.init_scope():
            numbers.append(float(runtime.Variable(2.0) + 1.0))
            start = runtime.random.Generator.from_seed(1).normal([])
        return x + start

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = f(1.0)
    assert numbers == [3.0] and float(result) == float(1.0 + runtime.random.Generator.from_seed(1).normal([]))


def test_what_is_created_once_is_no_effect_to_warn_of() -> None:
    class Model(runtime.Module):
        def __init__(self) -> None:
            self.slots: dict[Any, Any] = {}
            self.listed: list[Any] = []
            self.attribute: Any = None

        @runtime.function
        def __call__(self) -> Any:
            if self.attribute is None:
                self.attribute = runtime.Variable(1)
                self.slots[self.attribute.ref()] = runtime.Variable(2)
                self.listed += [runtime.Variable(3), runtime.Module()]
            return self.attribute + self.listed[0]

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Model()
        assert [int(model()), int(model())] == [4, 4]
    assert model.__call__.experimental_get_tracing_count() == 1
    with pytest.warns(runtime.errors.TraceEffectWarning, match="numbers"):
        numbers: list[int] = []
        runtime.function(lambda: numbers.append(1))()
