"""`runtime.function` as a decorator and a call, on everything that can be called."""

from __future__ import annotations

import copy
import functools
import inspect
import warnings
from typing import Any

import pytest

import runtime as tf
from autograph.errors import SourceUnavailableError


def relu(x: Any) -> Any:
    """Not below zero."""
    if x > 0:
        return x
    return 0


def value(tensor: Any) -> Any:
    assert isinstance(tensor, tf.Tensor)
    return tensor.numpy().tolist()


def test_call_form_and_decorator_give_the_same_function() -> None:
    @tf.function
    def plain(x: Any) -> Any:
        return relu(x)

    @tf.function()
    def empty(x: Any) -> Any:
        return relu(x)

    @tf.function(name="named", jit_compile=False, autograph=True, experimental_autograph_options=None)
    def with_options(x: Any) -> Any:
        return relu(x)

    for made in (plain, empty, with_options, tf.function(relu)):
        assert isinstance(made, tf.Function)
        assert [value(made(tf.constant(v))) for v in (-2, 0, 3)] == [0, 0, 3]
    assert with_options.get_concrete_function(tf.constant(1)).name == "named"


def test_function_looks_like_the_function_that_it_decorates() -> None:
    made = tf.function(relu)
    assert (made.__name__, made.__doc__, made.__wrapped__) == ("relu", "Not below zero.", relu)
    assert made.python_function is relu
    assert inspect.signature(made) == inspect.signature(relu)
    assert repr(made) == "<runtime.Function relu with 0 traces>"


class Scaled:
    def __init__(self, factor: int) -> None:
        self.factor = factor
        self.traced = 0

    @tf.function
    def scale(self, x: Any) -> Any:
        self.traced += 1
        if x > 0:
            return x * self.factor
        return -x

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def scale_int(self, x: Any) -> Any:
        return x * self.factor

    @tf.function
    def __call__(self, x: Any) -> Any:
        return x + self.factor

    @staticmethod
    @tf.function
    def static(x: Any) -> Any:
        return x + 1

    @classmethod
    @tf.function
    def of_class(cls, x: Any) -> Any:
        return x + len(cls.__name__)

    def plain(self, x: Any) -> Any:
        return relu(x) * self.factor


def test_each_instance_has_its_own_traces() -> None:
    two, three = Scaled(2), Scaled(3)
    assert [value(o.scale(tf.constant(v))) for o in (two, three, two) for v in (5, -5)] == [10, 5, 15, 5, 10, 5]
    assert (two.traced, three.traced) == (1, 1)
    assert two.scale.experimental_get_tracing_count() == 1
    assert Scaled.scale.experimental_get_tracing_count() == 0
    assert two.scale == two.scale and hash(two.scale) == hash(two.scale)
    assert two.scale != three.scale


def test_methods_of_all_kinds() -> None:
    thing = Scaled(4)
    assert value(thing(tf.constant(1))) == 5
    assert value(thing.scale_int(3)) == 12
    assert value(thing.static(1)) == value(Scaled.static(1)) == 2
    assert value(thing.of_class(1)) == value(Scaled.of_class(1)) == 7
    assert value(Scaled.scale(thing, tf.constant(2))) == 8
    assert isinstance(thing.scale, tf.Function)
    assert thing.scale.python_function(-3) == 3
    assert value(tf.function(thing.plain)(tf.constant(2))) == 8


def test_method_of_an_object_that_nobody_else_holds() -> None:
    assert value(Scaled(3).scale(tf.constant(2))) == 6
    method = Scaled(5).scale
    assert [value(method(tf.constant(2))) for _ in range(2)] == [10, 10]


def test_instance_that_cannot_be_held_weakly_is_refused() -> None:
    class Slotted:
        __slots__ = ()

        @tf.function
        def method(self) -> int:
            return 1

    with pytest.raises(TypeError, match=r"objects of Slotted cannot be held weakly: add '__weakref__'"):
        Slotted().method()


class Callable_:
    def __call__(self, x: Any) -> Any:
        return relu(x)


def larger(a: Any, b: Any) -> Any:
    return a if a > b else b


@pytest.mark.parametrize(
    ("made", "x", "expected"),
    [
        (tf.function(Callable_()), -3, 0), (tf.function(Callable_().__call__), 3, 3),
        (tf.function(functools.partial(larger, b=2)), 1, 2), (tf.function(functools.partial(larger, 7)), 1, 7),
        (tf.function(lambda x: x + 1 if x > 0 else x), 1, 2), (tf.function(tf.function(relu)), -1, 0),
        (tf.function(tf.negative), 3, -3),
    ],
    ids=["object", "bound method", "partial keyword", "partial", "lambda", "function", "operation"],
)  # fmt: skip
def test_callables(made: Any, x: int, expected: int) -> None:
    assert value(made(tf.constant(x))) == expected


def test_closure_sees_the_variables_of_its_maker() -> None:
    def maker(step: int) -> Any:
        @tf.function
        def add(x: Any) -> Any:
            while x < 10:
                x += step
            return x

        return add

    assert [value(maker(s)(tf.constant(1))) for s in (1, 2, 4)] == [10, 11, 13]


def test_what_cannot_be_decorated() -> None:
    with pytest.raises(TypeError, match="decorates a callable; got 3"):
        tf.function(3)
    with pytest.raises(SourceUnavailableError, match="abs"):
        tf.function(abs)(tf.constant(1))


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("jit_compil", "did you mean 'jit_compile'?"), ("autogrph", "did you mean 'autograph'?"),
        ("input_signatures", "no option 'input_signatures'"), ("zzz", "options are name, input_signature, autograph"),
    ],
)  # fmt: skip
def test_unknown_option_names_the_nearest(option: str, hint: str) -> None:
    with pytest.raises(TypeError) as error:
        tf.function(relu, **{option: True})
    assert f"runtime.function has no option {option!r}" in str(error.value)
    assert hint in str(error.value)


def test_jit_compile_says_nothing() -> None:
    made = tf.function(jit_compile=True)(relu)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert value(made(tf.constant(2))) == 2


def test_without_autograph_a_tensor_is_no_condition() -> None:
    @tf.function(autograph=False)
    def straight(x: Any) -> Any:
        return relu(x)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="used as a Python `bool`") as error:
        straight(tf.constant(1))
    assert isinstance(error.value, TypeError)
    assert value(straight(1)) == 1, "Python values are no tensors"

    @tf.function(autograph=False)
    def explicit(x: Any) -> Any:
        return tf.cond(x > 0, lambda: x, lambda: 0)

    assert [value(explicit(tf.constant(v))) for v in (-2, 3)] == [0, 3]


def test_do_not_convert() -> None:
    @tf.autograph.experimental.do_not_convert
    def unconverted(x: Any) -> Any:
        return relu(x)

    @tf.function
    def caller(x: Any) -> Any:
        return unconverted(x)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        caller(tf.constant(1))
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        tf.function(unconverted)(tf.constant(1))


def test_wrappers_that_give_arguments() -> None:
    def with_five(fn: Any) -> Any:
        @functools.wraps(fn)
        def wrapper(x: Any) -> Any:
            return fn(x, 5)

        return wrapper

    def quiet(fn: Any) -> Any:
        @functools.wraps(fn)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        return wrapper

    def with_six(fn: Any) -> Any:
        @functools.wraps(fn)
        def wrapper(*args: Any) -> Any:
            return fn(*args, 6)

        return wrapper

    def subtract(x: Any, y: Any) -> Any:
        return x - y

    assert value(tf.function(with_five(subtract))(tf.constant(7))) == 2
    traced = tf.function(quiet(subtract))
    assert [value(traced(tf.constant(7), 1)), value(traced(y=1, x=tf.constant(7)))] == [6, 6]
    assert traced.experimental_get_tracing_count() == 1
    assert [i.name for i in traced.get_concrete_function(tf.constant(7), 1).inputs] == ["x:0"]
    with pytest.raises(TypeError, match="missing a required argument: 'y'; set __signature__ on the wrapper"):
        tf.function(with_six(subtract))(tf.constant(7))
    honest = with_six(subtract)
    honest.__signature__ = inspect.signature(lambda x: x)
    assert value(tf.function(honest)(tf.constant(7))) == 1


def test_function_around_staticmethod_and_classmethod() -> None:
    class Thing:
        @tf.function
        @staticmethod
        def static(x: Any) -> Any:
            return x + 1

    assert value(Thing.static(1)) == value(Thing().static(1)) == 2
    with pytest.raises(TypeError, match="decorates a callable; got <classmethod.*put it below @classmethod"):

        class Wrong:
            @tf.function
            @classmethod
            def of_class(cls) -> int:
                return 1


def test_a_spec_is_no_value() -> None:
    f = tf.function(relu)
    f.get_concrete_function(tf.TensorSpec([], tf.int32))
    with pytest.raises(TypeError, match=r"relu\(\) was called with a TensorSpec; those are for get_concrete_function"):
        f(tf.TensorSpec([], tf.int32))


def test_copies_are_the_same_function() -> None:
    f = tf.function(relu)
    assert copy.copy(f) is f
    assert copy.deepcopy({"step": f})["step"] is f


class Sum(tf.Module):
    """Keeps Functions of its methods, as programs do in their constructors."""

    def __init__(self) -> None:
        self.total = tf.Variable(0.0)
        self.staged = tf.function(self.add, reduce_retracing=True)
        self.kept = self.decorated

    def add(self, x: Any) -> Any:
        return self.total.assign_add(x)

    @tf.function
    def decorated(self, x: Any) -> Any:
        return self.total.assign_add(x)


def test_methods_of_copies_belong_to_the_copies() -> None:
    first = Sum()
    first.staged(1.0), first.kept(1.0)
    for copied in (copy.deepcopy(first), copy.deepcopy({"one": first})["one"], copy.deepcopy(copy.deepcopy(first))):
        copied.staged(10.0), copied.kept(20.0), copied.decorated(30.0)
        assert copied.total.numpy() == 62 and first.total.numpy() == 2
    alone = copy.deepcopy(first.staged)
    alone(5.0)
    assert first.total.numpy() == 2 and alone.python_function.__self__.total.numpy() == 7
    assert copy.copy(first).staged is first.staged
