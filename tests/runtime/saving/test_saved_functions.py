"""Functions of saved models: the traces, how they are chosen, and what else they are asked."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import plain
from tests.runtime.saving.models import Model, round_trip


def test_all_traces_are_kept_and_chosen_as_the_original_chooses(tmp_path: Path) -> None:
    @tf.function
    def f(x, mode="double"):
        if mode == "double":
            return x * 2
        return x + 100 + tf.size(x)

    calls = [(tf.constant([1, 2]),), (tf.constant([1.0]),), (tf.constant([1, 2]), "other"), (tf.constant([[3]]),)]
    wanted = [plain(f(*call)) if call[0].dtype is tf.int32 else plain(f(call[0])) for call in calls]
    f.get_concrete_function(tf.TensorSpec([None, None], tf.int32), "other")
    loaded = round_trip(tmp_path, f=f)
    assert [plain(loaded.f(*call)) for call in calls] == wanted
    assert plain(loaded.f(tf.constant([[1, 2, 3]]), mode="other")) == [[104, 105, 106]]  # the trace of unknown sizes
    assert plain(loaded.f(x=tf.constant([1, 2]))) == [2, 4]
    assert loaded.f.experimental_get_tracing_count() == 0


def test_a_more_specific_trace_comes_before_a_general_one(tmp_path: Path) -> None:
    @tf.function
    def rank(x):
        return tf.constant("known" if x.shape.rank == 1 and x.shape[0] == 2 else "open")

    rank.get_concrete_function(tf.TensorSpec([None], tf.float32))
    rank.get_concrete_function(tf.TensorSpec([2], tf.float32))
    loaded = round_trip(tmp_path, rank=rank)
    assert [plain(loaded.rank(tf.zeros([n]))) for n in (2, 3)] == [b"known", b"open"]


def test_a_call_that_no_trace_fits_lists_what_was_given_and_what_there_is(tmp_path: Path) -> None:
    @tf.function
    def f(x, training=False):
        return x * 2 if training else x

    f(tf.constant([1.0, 2.0]))
    f(tf.constant([1.0, 2.0]), training=True)
    loaded = round_trip(tmp_path, f=f)
    with pytest.raises(ValueError) as caught:
        loaded.f(tf.constant([1, 2, 3]), training=None)
    for fact in (
        "f() was loaded from a saved model, and none of its 2 saved traces fits this call",
        "x: an int32 tensor of shape (3,), training: None",
        "x: a float32 tensor of shape (2,), training: the bool False",
        "x: a float32 tensor of shape (2,), training: the bool True",
    ):
        assert fact in str(caught.value)
    with pytest.raises(TypeError, match="unexpected keyword argument 'traning'"):
        loaded.f(tf.constant([1.0]), traning=True)


def test_a_function_without_traces_is_kept_and_says_so_when_it_is_called(tmp_path: Path) -> None:
    loaded = round_trip(tmp_path, f=tf.function(lambda x: x))
    with pytest.raises(ValueError, match="had not been traced when it was saved"):
        loaded.f(tf.constant(1))


def test_an_input_signature_makes_the_trace_that_is_saved(tmp_path: Path) -> None:
    loaded = round_trip(tmp_path, model=Model())
    call = loaded.model
    assert plain(call([[1, 2, 3]])) == plain(call(np.array([[1, 2, 3]], np.float32))) == [[14.0]]
    assert plain(call(tf.ones([2, 3]))) == [[6.0], [6.0]]
    for wrong in (tf.ones([2, 2]), tf.ones([3], tf.float32), tf.ones([1, 3], tf.float64)):
        with pytest.raises(ValueError, match="incompatible with input_signature"):
            call(wrong)
    assert vars(call)["__call__"].input_signature == [tf.TensorSpec([None, 3], tf.float32)]


def test_python_values_may_be_given_where_a_trace_wants_tensors(tmp_path: Path) -> None:
    @tf.function
    def f(x, y):
        return x * 2 + y

    f(tf.constant([1.0, 2.0]), tf.constant(1.0))
    loaded = round_trip(tmp_path, f=f)
    for x in ([1, 2], [1.0, 2.0], np.array([1, 2], np.float32), tf.Variable([1.0, 2.0])):
        assert plain(loaded.f(x, 1)) == [3.0, 5.0]
    for x in ([1, 2, 3], ["a", "b"], tf.constant([1, 2]), {"a": 1}, None):
        with pytest.raises(ValueError, match="saved trace does not fit"):
            loaded.f(x, 1)


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_python_arguments_are_told_apart_by_type_and_value(tmp_path: Path) -> None:
    @tf.function
    def f(x, k=1, *rest, scale=1.5, **more):
        return x * scale + len(rest) + sum(more.values()) + (0 if k is None else 10 * isinstance(k, bool))

    one = tf.constant(1.0)
    calls: list[Any] = [
        ((one,), {}), ((one, True), {}), ((one, 1, 2, 3), {}), ((one,), {"z": 4, "scale": math.nan}),
        ((one, -0.0), {}), ((one, (1, [2.5, "a"], {"k": b"\xff"})), {}), ((one, range(1, 9, 2)), {}),
        ((one, 1 << 100), {}), ((one, 1 + 2j), {}), ((one, frozenset({1, 2})), {}), ((one, tf.float16), {}),
    ]  # fmt: skip
    wanted = [plain(f(*args, **kwargs)) for args, kwargs in calls]
    loaded = round_trip(tmp_path, f=f)
    found = [plain(loaded.f(*args, **kwargs)) for args, kwargs in calls]
    assert str(found) == str(wanted)
    for other in (0.0, 2, (1, [2.5, "b"], {"k": b"\xff"}), range(1, 7, 2), frozenset({1}), tf.float32):
        with pytest.raises(ValueError, match="none of its 11 saved traces"):
            loaded.f(one, other)


def test_traces_may_be_attributes_and_recursion_is_kept(tmp_path: Path) -> None:
    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    fixed = tf.function(factorial).get_concrete_function(tf.TensorSpec([], tf.int32))
    loaded = round_trip(tmp_path, fixed=fixed)
    assert plain(loaded.fixed(tf.constant(10))) == math.factorial(10)

    @tf.function
    def both(n):
        return loaded.fixed(n) + factorial(n)

    assert plain(both(tf.constant(5))) == 240
    assert plain(round_trip(tmp_path, both=both).both(tf.constant(5))) == 240


def test_errors_of_the_program_keep_their_class_and_their_line(tmp_path: Path) -> None:
    @tf.function
    def f(x):
        if x < 0:
            raise ValueError(f"negative: {x}")
        assert x < 100, "too large"
        return 10 // x

    f(tf.constant(1))
    loaded = round_trip(tmp_path, f=f)
    line = f.python_function.__code__.co_firstlineno
    for value, kind, words, offset in (
        (-1, ValueError, "negative: -1", 3), (200, AssertionError, "too large", 4), (0, ZeroDivisionError, "zero", 5),
    ):  # fmt: skip
        with pytest.raises(kind, match=words) as caught:
            loaded.f(tf.constant(value))
        assert f"at <saved test_saved_functions.py>:{line + offset} in f" in caught.value.__notes__[0]
    again = round_trip(tmp_path, f=loaded.f)
    with pytest.raises(ValueError) as caught:
        again.f(tf.constant(-1))
    assert f"at <saved test_saved_functions.py>:{line + 3} in f" in caught.value.__notes__[0]


def test_exceptions_whose_classes_are_not_to_be_found(tmp_path: Path) -> None:
    class BaseError(LookupError):
        pass

    class ValueTooLarge(BaseError, ArithmeticError):
        def __init__(self, value):
            super().__init__("too large")
            self.value = value

    @tf.function
    def f(x):
        try:
            if x > 10:
                raise ValueTooLarge(x)
        except BaseError as error:
            if x > 100:
                raise
            return error.value * 2
        return x

    f(tf.constant(1))
    loaded = round_trip(tmp_path / "1", f=f)
    again = round_trip(tmp_path / "2", f=loaded.f)
    for function in (f, loaded.f, again.f):
        assert [plain(function(tf.constant(n))) for n in (3, 20)] == [3, 40]
        with pytest.raises(ArithmeticError, match="too large") as caught:
            function(tf.constant(200))
        names = [kind.__name__ for kind in type(caught.value).__mro__]
        assert names[:3] == ["ValueTooLarge", "BaseError", "LookupError"]
        assert plain(caught.value.value) == 200


def test_a_stale_trace_is_made_anew_before_it_is_saved(tmp_path: Path) -> None:
    class Scaled(tf.Module):
        def __init__(self):
            self.rate = 2.0

        @tf.function
        def f(self, x):
            return x * self.rate

    scaled = Scaled()
    scaled.f(tf.constant(1.0))
    scaled.rate = 5.0
    tf.saved_model.save(scaled, tmp_path)
    assert plain(tf.saved_model.load(tmp_path).f(tf.constant(1.0))) == 5.0


def test_the_methods_of_a_class_and_static_ones(tmp_path: Path) -> None:
    class Base(tf.Module):
        @tf.function
        def f(self, x):
            return x + 1

        @tf.function
        def g(self, x):
            return x + 2

    class Derived(Base):
        @tf.function
        def f(self, x):
            return x + 10

        @staticmethod
        @tf.function
        def h(x):
            return x + 20

    derived = Derived()
    for method in (derived.f, derived.g, derived.h):
        method(tf.constant(0))
    tf.saved_model.save(derived, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert [plain(method(tf.constant(0))) for method in (loaded.f, loaded.g, loaded.h)] == [10, 2, 20]


def test_get_concrete_function_of_a_loaded_function(tmp_path: Path) -> None:
    f = tf.function(lambda x, n=2: x * n)
    f.get_concrete_function(tf.TensorSpec([None], tf.float32))
    loaded = round_trip(tmp_path, f=f)
    trace = loaded.f.get_concrete_function(tf.TensorSpec([3], tf.float32))
    assert trace.structured_input_signature == ((tf.TensorSpec([None], tf.float32, "x"), 2), {})
    assert plain(trace(tf.constant([1.0, 2.0]))) == [2.0, 4.0]
    assert "x: float32 Tensor, shape=(None,)" in loaded.f.pretty_printed_concrete_signatures()
    with pytest.raises(ValueError, match="does not fit"):
        loaded.f.get_concrete_function(tf.TensorSpec([3], tf.int32))
    with pytest.raises(RuntimeError, match="cannot be made again"):
        loaded.f.cache_clear()


def test_run_functions_eagerly_leaves_loaded_functions_as_they_are(tmp_path: Path) -> None:
    f = tf.function(lambda x: x * 2)
    f(tf.constant(1))
    loaded = round_trip(tmp_path, f=f)
    tf.config.run_functions_eagerly(True)
    try:
        assert plain(loaded.f(tf.constant(4))) == 8
    finally:
        tf.config.run_functions_eagerly(False)


def test_a_tensor_of_an_unknown_shape_is_checked_when_the_loaded_trace_runs(tmp_path: Path) -> None:
    f = tf.function(lambda x: x * x.shape[0])  # three times x, in the one trace that there is
    f(tf.constant([1.0, 2.0, 3.0]))
    loaded = round_trip(tmp_path, f=f)

    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def outer(x):
        return loaded.f(x)

    assert plain(outer(tf.constant([1.0, 2.0, 3.0]))) == [3.0, 6.0, 9.0]
    with pytest.raises(tf.errors.InvalidArgumentError):
        outer(tf.constant([1.0, 2.0]))
