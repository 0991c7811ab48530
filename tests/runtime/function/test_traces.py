"""Which calls share a trace: tensors by dtype and shape, Python values by type and value, objects by == and hash."""

from __future__ import annotations

import enum
import gc
import math
import random
import weakref
from collections import OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import runtime as tf

Point = namedtuple("Point", "x y")


@dataclass
class Pair:
    left: Any
    right: Any


class Colour(enum.IntEnum):
    RED = 1


def counted() -> tuple[Any, list[Any]]:
    """A Function that returns 0, and the list of what it was traced with."""
    seen: list[Any] = []

    @tf.function
    def trace(x: Any) -> int:
        seen.append(x)
        return 0

    return trace, seen


def traces(*values: Any) -> int:
    """How many traces calls with these values make; calling all of them again makes none."""
    function, seen = counted()
    for v in values:
        function(v)
    first = len(seen)
    for v in values:
        function(v)
    assert len(seen) == first == function.experimental_get_tracing_count()
    return first


t = tf.constant


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([t(1), t(2)], 1), ([t(1), t(1.0)], 2), ([t(1), t([1])], 2), ([t([1]), t([1, 2])], 2), ([t("a"), t("bc")], 1),
        ([t([[1]]), t([[5]]), t([[1, 2]])], 2), ([t(1), 1], 2), ([t(True), t(False)], 1),
        ([1, 1.0, True], 3), ([0, 0.0, False, None, "", b""], 6), ([1, 1, 2], 2), ([True, 1], 2), ([0.0, -0.0], 2),
        ([math.nan, float("nan"), -math.nan], 1), ([complex(0, 0.0), complex(0, -0.0)], 2), (["a", b"a"], 2),
        ([Colour.RED, 1], 2), ([2**70, 2**70], 1), ([range(3), range(3), range(4)], 2), ([Ellipsis, None], 2),
        ([np.int32(1), np.int32(2)], 1), ([np.float64(1), np.float32(1)], 2), ([np.zeros(2), np.ones(2)], 1),
        ([np.zeros(2), t(np.zeros(2))], 2), ([np.zeros(2), np.zeros(3)], 2), ([np.array(1), 1], 2),
        ([[1, 2], [2, 1], (1, 2), [1, 2]], 3), ([[t(1), t(2)], [t(3), t(4)]], 1), ([[t(1)], [t(1.5)]], 2),
        ([[], (), {}], 3), ([[1, [2]], [[1], 2]], 2), ([[t(1)], [t(1), t(2)]], 2),
        ([{1: 2, 3: 4}, {3: 4, 1: 2}], 2), ([{1: 2}, {1: 3}, {2: 2}], 3), ([{"a": t(1)}, {"a": t(2)}, {"b": t(1)}], 2),
        ([{1: 0}, {1.0: 0}, {True: 0}, {"1": 0}], 4), ([{1.0: 0, 2: 0}, {2: 0, 1.0: 0}], 2),
        ([OrderedDict(a=1), {"a": 1}], 2), ([defaultdict(int, a=1), {"a": 1}], 2),
        ([Point(t(1), 2), Point(t(2), 2), Point(t(1), 3), (t(1), 2)], 3),
        ([Pair(t(1), 2), Pair(t(5), 2), Pair(t(1), 3)], 2),
        ([int, int, float], 2), ([math.sin, math.cos], 2), ([tf.int32, tf.int64, tf.int32], 2),
    ],
)  # fmt: skip
def test_number_of_traces(values: list[Any], expected: int) -> None:
    assert traces(*values) == expected


def test_python_print_happens_once_a_trace(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def double(a: Any) -> Any:
        print("Tracing with", a)
        return a + a

    results = [double(tf.constant(v)) for v in (1, 1.1, "a", "b", 2)]
    assert capsys.readouterr().out.splitlines() == [
        'Tracing with Tensor("a:0", shape=(), dtype=int32)',
        'Tracing with Tensor("a:0", shape=(), dtype=float32)',
        'Tracing with Tensor("a:0", shape=(), dtype=string)',
    ]
    assert [str(r) for r in results] == [
        "tf.Tensor(2, shape=(), dtype=int32)", "tf.Tensor(2.2, shape=(), dtype=float32)",
        "tf.Tensor(b'aa', shape=(), dtype=string)", "tf.Tensor(b'bb', shape=(), dtype=string)",
        "tf.Tensor(4, shape=(), dtype=int32)",
    ]  # fmt: skip


def test_python_values_keep_type_and_value_in_the_trace() -> None:
    @tf.function
    def halve(x: Any) -> Any:
        return x / 2 if type(x) is float else x // 2

    results = [halve(v) for v in (5, 5.0, True)]
    assert [r.numpy().tolist() for r in results] == [2, 2.5, 0]
    assert [r.dtype.name for r in results] == ["int32", "float32", "int32"]


def test_every_way_to_write_a_call_is_one_trace() -> None:
    seen = []

    @tf.function
    def f(x: Any, y: Any = 2, *rest: Any, flag: bool = True, **named: Any) -> Any:
        seen.append((y, rest, flag, named))
        return x + y

    one = tf.constant(1)
    for call in (
        lambda: f(one), lambda: f(x=one), lambda: f(one, 2), lambda: f(y=2, x=one), lambda: f(one, flag=True, y=2)
    ):  # fmt: skip
        assert call().numpy() == 3
    assert seen == [(2, (), True, {})]
    f(one, 2, 3)
    f(one, flag=False)
    f(one, z=1)
    f(one, z=1)
    assert len(seen) == 4


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, "missing a required argument: 'x'$"),
        ((), {"z": 1}, "missing a required argument: 'x', and got unexpected ones: 'z'$"),
        ((1,), {"z": 1}, "unexpected keyword argument 'z'$"), ((1, 2, 3), {}, "arguments: 3 were given, for 'x', 'y'$"),
        ((1,), {"yy": 1}, "unexpected keyword argument 'yy'; did you mean 'y'"),
        ((1,), {"z": 1}, "unexpected keyword argument 'z'"), ((1,), {"x": 1}, "multiple values for argument 'x'"),
    ],
)  # fmt: skip
def test_wrong_calls_are_type_errors(args: Any, kwargs: Any, message: str) -> None:
    @tf.function
    def f(x: Any, y: Any = 2) -> Any:
        return x

    with pytest.raises(TypeError, match=message) as error:
        f(*args, **kwargs)
    assert str(error.value).startswith("f():")


class Weighed:
    def __init__(self, weight: int) -> None:
        self.weight = weight


class Equal(Weighed):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Equal) and self.weight == other.weight

    def __hash__(self) -> int:
        return hash(self.weight)


def test_objects_count_by_equality() -> None:
    a, b = Weighed(1), Weighed(1)
    assert traces(a, b, a) == 2
    same, other, different = Equal(1), Equal(1), Equal(2)
    assert traces(same, other, different) == 2
    assert traces([same], [other], (same,)) == 2


def test_bound_methods_count_by_object_and_function() -> None:
    class Model:
        def step(self, x: Any) -> Any:
            return x + 1

    a, b = Model(), Model()
    function, seen = counted()
    for _ in range(3):
        function(a.step)
        function(b.step)
    assert len(seen) == 2


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_trace_does_not_keep_an_object_alive_and_dead_objects_match_nothing() -> None:
    seen = []

    @tf.function
    def f(model: Any, x: Any) -> Any:
        seen.append(model.weight)
        return x * model.weight

    for weight in range(2, 30):  # ids are used again
        model = Weighed(weight)
        dead = weakref.ref(model)
        assert f(model, tf.constant(10)).numpy() == 10 * weight
        assert f(model, tf.constant(1)).numpy() == weight
        concrete = f.get_concrete_function(model, tf.constant(1))
        del model
        gc.collect()
        assert dead() is None
    assert seen == list(range(2, 30))
    assert f.experimental_get_tracing_count() == 28
    assert f.pretty_printed_concrete_signatures() == ""  # traces for dead objects are dropped with them
    assert "f(model=<Weighed that does not exist any more>, x)" in concrete.pretty_printed_signature()


def test_what_cannot_be_hashed_is_refused() -> None:
    function, _ = counted()
    with pytest.raises(TypeError, match="argument 'x' of type SimpleNamespace cannot be hashed"):
        function(SimpleNamespace())
    with pytest.raises(TypeError, match="argument 'x_0' of type SimpleNamespace cannot be hashed"):
        function([SimpleNamespace()])


def test_list_changed_in_place_is_traced_again() -> None:
    @tf.function
    def total(values: Any) -> Any:
        return tf.add_n([tf.constant(v) for v in values])

    values = [1, 2]
    assert total(values).numpy() == 3
    values.append(4)
    assert total(values).numpy() == 7
    values[0] = 10
    assert total(values).numpy() == 16


def test_the_function_gets_the_very_list_that_holds_no_tensors() -> None:
    @tf.function
    def note(log: Any, x: Any) -> Any:
        log.append("traced")
        return x

    log: list[str] = []
    note(log, 1)
    assert log == ["traced"]


def test_structures_of_tensors_keep_their_kind() -> None:
    @tf.function
    def swap(point: Any, pair: Any, table: Any) -> Any:
        assert type(point) is Point and type(pair) is Pair and type(table) is defaultdict
        return Point(point.y, point.x), Pair(pair.right, pair.left), table

    point, pair, table = swap(Point(tf.constant(1), 2), Pair(3, tf.constant(4)), defaultdict(int, k=tf.constant(5)))
    assert (point.x.numpy(), point.y.numpy(), pair.left.numpy(), pair.right.numpy()) == (2, 1, 4, 3)
    assert type(table) is defaultdict and table["k"].numpy() == 5 and table["missing"] == 0


def test_most_specific_trace_is_taken_whatever_the_order() -> None:
    specs = [(None, None), (1, None), (None, 2), None]
    for order in (specs, specs[::-1], [specs[1], specs[3], specs[0], specs[2]]):

        @tf.function
        def static_shape(x: Any) -> Any:
            return str(x.shape)

        for dims in order:
            static_shape.get_concrete_function(tf.TensorSpec(dims, tf.int32))
        assert static_shape.experimental_get_tracing_count() == 4
        assert static_shape(tf.ones([3, 3], tf.int32)).numpy() == b"(None, None)"
        assert static_shape(tf.ones([1, 3], tf.int32)).numpy() == b"(1, None)"
        assert static_shape(tf.ones([3, 2], tf.int32)).numpy() == b"(None, 2)"
        assert static_shape(tf.ones([3], tf.int32)).numpy() == b"<unknown>"
        assert static_shape.experimental_get_tracing_count() == 4


def test_a_more_specific_trace_that_comes_later_is_taken_from_then_on() -> None:
    @tf.function
    def static_shape(x: Any) -> Any:
        return str(x.shape)

    static_shape.get_concrete_function(tf.TensorSpec([None], tf.int32))
    three = tf.constant([1, 2, 3])
    assert [static_shape(three).numpy() for _ in range(2)] == [b"(None,)"] * 2
    static_shape.get_concrete_function(tf.TensorSpec([3], tf.int32))
    assert static_shape(three).numpy() == b"(3,)"


def test_a_new_function_has_its_own_traces(capsys: pytest.CaptureFixture[str]) -> None:
    def f() -> None:
        print("Tracing!")
        tf.print("Executing", output_stream=__import__("sys").stdout)

    tf.function(f)()
    tf.function(f)()
    assert capsys.readouterr().out.split() == ["Tracing!", "Executing"] * 2


def test_a_draw_that_the_trace_keeps_names_what_draws_in_each_run() -> None:
    @tf.function
    def noisy(x: Any) -> Any:
        return x + random.gauss(0, 1)

    with pytest.warns(tf.errors.TraceEffectWarning, match="once for each trace.*normal for gauss"):
        noisy(tf.constant(1.0))
