"""Places of the program that Functions write to: traces, exceptions, tapes, and the uses that are refused."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.errors import InvalidArgumentError

t = tf.constant


class Model:
    def __init__(self) -> None:
        self.total: Any = t(1.0)
        self.table: Any = {"a": t(1.0)}


def add(m: Any, x: Any) -> Any:
    m.total = m.total + x
    m.table["a"] = m.table["a"] * x
    return m.total


def contents(m: Any) -> tuple[float, float]:
    return float(m.total), float(m.table["a"])


def test_a_run_that_raises_writes_nothing() -> None:
    @tf.function
    def f(m: Any, x: Any) -> Any:
        add(m, x)
        if x > 5:
            raise ValueError("large")
        return x

    m = Model()
    f(m, t(2.0))
    with pytest.raises(ValueError, match="large"):
        f(m, t(6.0))
    assert contents(m) == (3.0, 2.0)


def test_a_trace_that_fails_or_does_not_run_leaves_nothing() -> None:
    def fails(m: Any, x: Any) -> Any:
        add(m, x)
        raise StagingError("no")

    m = Model()
    with pytest.raises(StagingError, match="no"):
        tf.function(fails)(m, t(2.0))
    tf.function(add).get_concrete_function(m, t(2.0))
    assert contents(m) == (1.0, 1.0)
    assert type(m.total) is type(t(1.0))


def test_a_concrete_function_reads_and_writes_and_looks_at_types() -> None:
    m = Model()
    concrete = tf.function(add).get_concrete_function(m, t(2.0))
    assert [float(concrete(m, t(2.0))) for _ in range(2)] == [3.0, 5.0]
    m.total = t([1.0, 2.0])
    with pytest.raises(InvalidArgumentError, match=r"'m\.total' holds another kind of value .* call the Function"):
        concrete(m, t(2.0))


def test_another_type_or_another_container_is_another_trace() -> None:
    f, m = tf.function(add), Model()
    f(m, t(2.0))
    m.total = t([1.0, 2.0])
    assert f(m, t(2.0)).numpy().tolist() == [3.0, 4.0]
    old, m.table = m.table, {"a": t(5.0)}
    f(m, t(3.0))
    assert float(old["a"]) == 4.0
    assert float(m.table["a"]) == 15.0


def test_others_read_between_the_calls_what_was_written() -> None:
    m = Model()

    @tf.function
    def read(x: Any) -> Any:
        return m.total * x

    f = tf.function(add)
    for n in range(1, 4):
        f(m, t(1.0))
        assert float(read(t(10.0))) == 10.0 * (1 + n)


def test_objects_that_are_equal_are_not_one() -> None:
    class Equal(Model):
        def __eq__(self, other: object) -> bool:
            return isinstance(other, Equal)

        def __hash__(self) -> int:
            return 1

    f, first, second = tf.function(add), Equal(), Equal()
    f(first, t(2.0))
    f(second, t(4.0))
    f(first, t(2.0))
    assert (contents(first), contents(second)) == ((5.0, 4.0), (5.0, 4.0))


def test_a_trace_keeps_no_object() -> None:
    f, m = tf.function(add), Model()
    f(m, t(2.0))
    found = weakref.ref(m)
    del m
    gc.collect()
    assert found() is None


def test_a_tape_sees_what_goes_through_the_places() -> None:
    def gradient(f: Any) -> list[float]:
        m, x = Model(), t(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            for _ in range(3):
                y = f(m, x)
            y = y * m.table["a"]
        return [float(y), float(tape.gradient(y, x))]

    assert gradient(tf.function(add)) == gradient(add)


def test_the_gradient_within_a_function() -> None:
    @tf.function
    def f(m: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = add(m, x) * m.table["a"]
        return tape.gradient(y, x)

    m = Model()
    # d/dx (total + x) (a x) = a (total + 2 x)
    assert float(f(m, t(3.0))) == 7.0
    assert float(f(m, t(2.0))) == 3.0 * (4.0 + 4.0)


def test_signatures_and_keyword_arguments() -> None:
    m = Model()

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x: Any) -> Any:
        m.total = m.total + tf.reduce_sum(x)
        return m.total

    assert [float(f(t([1.0] * n))) for n in (1, 2, 3)] == [2.0, 4.0, 7.0]
    g = tf.function(add)
    assert float(g(x=t(1.0), m=m)) == 8.0


def in_another_trace(m: Model, tmp_path: Any) -> None:
    concrete = tf.function(add).get_concrete_function(m, t(2.0))
    tf.function(lambda x: concrete(m, x))(t(2.0))


def over_a_dataset(m: Model, tmp_path: Any) -> None:
    list(tf.data.Dataset.from_tensor_slices([1.0, 2.0]).map(lambda x: add(m, x)))


def saved(m: Model, tmp_path: Any) -> None:
    class Saved(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.last = t(0.0)

        @tf.function(input_signature=[tf.TensorSpec([])])
        def step(self, x: Any) -> Any:
            self.last = x * 2
            return x

    tf.saved_model.save(Saved(), str(tmp_path / "model"))


def another_order_of_keys(m: Model, tmp_path: Any) -> None:
    def f(x: Any) -> Any:
        if x > 0:
            del m.table["a"]
            m.table["b"] = x
            m.table["a"] = x
        return x

    tf.function(f)(t(1.0))


def a_variable_under_a_key(m: Model, tmp_path: Any) -> None:
    v = tf.Variable(1.0)

    def f(x: Any) -> Any:
        if x > 0:
            m.table["b"] = x
        m.table["o"] = v
        return x

    tf.function(f)(t(1.0))


def a_dict_that_is_a_default(m: Model, tmp_path: Any) -> None:
    def f(x: Any, table: Any = {"a": 1}) -> Any:
        if x > 0:
            table["b"] = x
        return x

    tf.function(f)(t(1.0))


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (in_another_trace, r"within another graph, and it writes to 'm\.total' in each run: call the Function itself"),
        (over_a_dataset, r"map 'add|map '.* runs .* keep what it leaves there in a runtime\.Variable"),
        (saved, r"writes to 'self\.last'.*keep the tensor in a Variable"),
        (another_order_of_keys, "the order of the keys of the dict 'm.table' .* leave a new dict there"),
        (a_variable_under_a_key, r"m\.table\['o'\]\" is left with what cannot be made anew .*_traces.py:\d+"),
        (a_dict_that_is_a_default, r"the variable 'table' is changed inside .* change a copy \(`d = d\.copy\(\)`\)"),
    ],
)
def test_refused_with_a_remedy(use: Any, message: str, tmp_path: Any) -> None:
    m = Model()
    with pytest.raises((StagingError, ValueError), match=message):
        use(m, tmp_path)
    assert contents(m) == (1.0, 1.0)


def test_one_new_list_in_two_places_is_one_list() -> None:
    @tf.function
    def f(m: Any, x: Any) -> Any:
        items = [x]
        m.total, m.table = (items, x + 1), {"items": items, "again": [items]}
        return x

    m = Model()
    for n in (1.0, 2.0):
        f(m, t(n))
        assert m.total[0] is m.table["items"] is m.table["again"][0]
        assert [float(m.total[0][0]), float(m.total[1])] == [n, n + 1]


def test_what_cannot_be_made_anew_is_told() -> None:
    class Other:
        def __init__(self, value: Any) -> None:
            self.value = value
            self.key = object()

    def f(m: Any, x: Any) -> Any:
        m.total = Other(x)
        return x

    with pytest.warns(tf.errors.TraceEffectWarning, match=r"'m\.total' is changed while 'f' is traced"):
        tf.function(f)(Model(), t(1.0))


def test_a_place_that_is_only_written_may_hold_any_shape() -> None:
    m = Model()
    m.last: Any = None

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x: Any) -> Any:
        m.last = (x * 2, 1)
        return x

    for n in (1, 2, 3, 2, 5, 4):
        f(t([1.0] * n))
        assert m.last[0].shape == [n]
    assert f.experimental_get_tracing_count() == 3  # nothing there, one shape, any


def test_a_place_that_is_read_has_its_shape() -> None:
    @tf.function
    def f(m: Any, x: Any) -> Any:
        for i in range(m.total.shape[0]):
            x = x + m.total[i]
        m.total = tf.concat([m.total, [x]], 0)
        return x

    m = Model()
    m.total = t([1.0])
    assert [float(f(m, t(1.0))) for _ in range(3)] == [2.0, 4.0, 8.0]


def test_a_class_that_is_changed_is_the_old_one_where_the_trace_begins_again() -> None:
    class Double(Model):
        def add(self, x: Any) -> None:
            self.total = self.total + 2 * x

    class Single(Model):
        def add(self, x: Any) -> None:
            self.total = self.total + x

    def f(m: Any, x: Any) -> Any:
        m.add(x)
        m.__class__ = Double
        m.add(x)
        return m.total

    assert float(tf.function(f)(Single(), t(2.0))) == float(f(Single(), t(2.0))) == 7.0


def test_many_places_take_one_more_trace(capsys: Any) -> None:
    class Many:
        pass

    def f(m: Any, x: Any) -> Any:
        print("traced")
        for name in names:
            setattr(m, name, getattr(m, name) + x)
        return x

    m, names = Many(), [f"a{i}" for i in range(50)]
    for name in names:
        setattr(m, name, t(0.0))
    g = tf.function(f)
    for _ in range(3):
        g(m, t(2.0))
    assert capsys.readouterr().out == "traced\n" * 2
    assert [float(getattr(m, name)) for name in names] == [6.0] * 50
