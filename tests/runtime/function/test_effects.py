"""The edges of a trace: prints, leaks, symbolic tensors as Python values, failing traces, running eagerly."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import say


def test_python_prints_at_trace_time_and_the_graph_at_each_run(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(x):
        print("Traced with", x)
        say("Executed with", x)
        if x > 0:
            say("positive")
        for i in range(x):
            say(i)
        say("done")

    for value in (1, 1, 2):
        f(value)
    assert capsys.readouterr().out.splitlines() == [
        "Traced with 1", "Executed with 1", "positive", "0", "done", "Executed with 1", "positive", "0", "done",
        "Traced with 2", "Executed with 2", "positive", "0", "1", "done",
    ]  # fmt: skip
    f(tf.constant(0))
    f(tf.constant(1))
    assert capsys.readouterr().out.splitlines() == [
        'Traced with Tensor("x:0", shape=(), dtype=int32)', "Executed with 0", "done",
        "Executed with 1", "positive", "0", "done",
    ]  # fmt: skip


def test_effects_on_python_happen_once_a_trace() -> None:
    external = []

    @tf.function
    def f(x):
        external.append(x)

    for _ in range(3):
        f(1)
    assert external == [1]


def test_leaks() -> None:
    kept: list[Any] = []

    @tf.function
    def leaky(a):
        x = a + 1
        kept.append(x)
        return x

    assert leaky(tf.constant(1)).numpy() == 2
    [leaked] = kept
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'numpy'") as error:
        leaked.numpy()
    made, used = leaky.python_function.__code__.co_firstlineno + 2, error.traceback[0].lineno + 1
    for words in ("'leaky'", f"test_effects.py:{made} in leaky", f"used here ({__file__}:{used})", "return it from"):
        assert words in str(error.value)
    uses = [
        lambda: leaked + 1, lambda: tf.function(lambda b: b + leaked)(tf.constant(2)), lambda: leaky(leaked),
        lambda: tf.function(lambda b: leaked)(1), lambda: tf.cond(leaked > 0, lambda: 1, lambda: 2),
        lambda: tf.function(lambda b: tf.cond(b > 0, lambda: leaked, lambda: b))(tf.constant(1)),
        lambda: leaky.get_concrete_function(tf.constant(1))(leaked), lambda: bool(leaked), lambda: int(leaked),
        lambda: list(leaked), lambda: float(leaked), lambda: [1, 2][leaked], lambda: np.asarray(leaked),
        lambda: len(leaked),
        lambda: np.add(leaked, 1), lambda: 1 in leaked,
    ]  # fmt: skip
    for use in uses:
        with pytest.raises(tf.errors.InaccessibleTensorError) as error:
            use()
        assert isinstance(error.value, AttributeError) and isinstance(error.value, TypeError)
        message = str(error.value)
        assert "out of scope" in message and "while 'leaky' was traced" in message and "Return it" in message
        assert message.count("test_effects.py:") == 2, "the line of the definition and that of the use"


def test_a_leak_out_of_a_branch_names_the_function() -> None:
    kept: list[Any] = []

    @tf.function(autograph=False)
    def leaky(x):
        return tf.cond(x > 0, lambda: kept.append(x * 2) or x, lambda: -x)

    leaky(tf.constant(1))
    with pytest.raises(tf.errors.InaccessibleTensorError, match="while 'leaky' was traced, in a part of it"):
        kept[0] + 1


@pytest.mark.parametrize(
    ("use", "what", "remedy"),
    [
        (bool, "used as a Python `bool`", "runtime.cond"), (int, "converted to a Python `int`", "runtime.cast"),
        (float, "converted to a Python `float`", "runtime.cast"), (len, "given to `len`", "runtime.shape(x)[0]"),
        (complex, "converted to a Python `complex`", "runtime.cast"), (list, "iterated over", "runtime.unstack"),
        (lambda x: [1, 2][x], "used as a Python index", "runtime.gather"), (lambda x: 1 in x, "searched", "reduce_any"),
        (lambda x: 1 if x else 2, "used as a Python `bool`", "autograph"), (range, "used as a Python index", "gather"),
        (lambda x: (lambda a, b: a)(*x), "iterated over", "unstack"), (np.array, "to a numpy array", "runtime"),
    ],
)  # fmt: skip
def test_symbolic_tensors_have_no_value(use: Any, what: str, remedy: str) -> None:
    @tf.function(autograph=False)
    def program(x):
        return use(x + 1)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as error:
        program(tf.constant(1))
    message = str(error.value)
    assert what in message and remedy in message
    assert "'program'" in message and "test_effects.py:" in message


class Custom(Exception):
    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@pytest.mark.parametrize("error", [Custom(3, "x"), KeyError("k"), ValueError("v"), StopIteration(1), OSError(2, "no")])
def test_failing_trace_keeps_the_exception_and_leaves_nothing(error: Exception) -> None:
    fail = [True]

    @tf.function
    def program(x):
        if fail[0]:
            raise error
        return x + 1

    for _ in range(2):
        with pytest.raises(type(error)) as caught:
            program(tf.constant(1))
        assert caught.value is error
        assert program.experimental_get_tracing_count() == 0
        assert tf.executing_eagerly()
    frames = traceback.extract_tb(error.__traceback__)
    assert any(f.name == "program" and f.filename == __file__ for f in frames), "the user's line is in it"
    fail[0] = False
    assert program(tf.constant(1)).numpy() == 2


def test_errors_at_run_time_name_the_line() -> None:
    @tf.function
    def program(x):
        return 10 // x

    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero") as error:
        program(tf.constant(0))
    assert any("test_effects.py:" in note for note in error.value.__notes__)
    place = error.value.op.location
    assert (error.value.op.type, place.filename, place.function) == ("floordiv", __file__, "program")
    assert place.lineno == program.python_function.__code__.co_firstlineno + 2
    assert error.value.message in str(error.value)
    assert program(tf.constant(3)).numpy() == 3


def test_the_operation_of_an_error_is_the_one_that_failed_wherever_it_stands() -> None:
    @tf.function
    def inner(x):
        return tf.gather([1, 2, 3], x)

    @tf.function
    def outer(x):
        total = 0
        for i in tf.range(2):
            if x > 0:
                total += inner(x + i)
        return total

    assert outer(tf.constant(1)).numpy() == 5
    with pytest.raises(tf.errors.InvalidArgumentError) as error:
        outer(tf.constant(2))
    assert (error.value.op.type, error.value.op.location.function) == ("gather", "inner")
    with pytest.raises(tf.errors.InvalidArgumentError) as eager:
        tf.gather([1, 2, 3], 7)
    assert eager.value.op is None


def test_wrong_static_shapes_fail_before_anything_runs(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def program(x):
        say("running")
        return x + tf.ones([3])

    with pytest.raises(tf.errors.ShapeMismatchError):
        program(tf.ones([2]))
    assert capsys.readouterr().out == ""


def test_run_functions_eagerly(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def square(x):
        print("called with", x)
        return x * x

    assert square(tf.constant(3)).numpy() == 9
    try:
        tf.config.run_functions_eagerly(True)
        assert tf.config.functions_run_eagerly()
        capsys.readouterr()
        for _ in range(2):
            assert square(tf.constant(3)).numpy() == 9
        assert capsys.readouterr().out == "called with tf.Tensor(3, shape=(), dtype=int32)\n" * 2
    finally:
        tf.config.run_functions_eagerly(False)
    assert square(tf.constant(4)).numpy() == 16
    assert capsys.readouterr().out == "", "the trace survived"
    with pytest.raises(TypeError, match="takes True or False; got 1"):
        tf.config.run_functions_eagerly(1)
