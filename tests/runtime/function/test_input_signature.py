"""input_signature: one trace for all calls, inputs converted to its dtypes, a clear refusal of what does not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import SignatureError

t = tf.constant
VECTOR = tf.TensorSpec([None], tf.float32)


def traced(**options: Any) -> tuple[Any, list[str]]:
    seen: list[str] = []

    @tf.function(**options)
    def f(x: Any, y: Any = 2) -> Any:
        seen.append(f"{x.dtype.name} {x.shape}")
        return x * y

    return f, seen


def test_one_trace_for_values_of_all_kinds() -> None:
    f, seen = traced(input_signature=[VECTOR])
    for x in (t([1.0, 2.0]), [1, 2], (1.0, 2), np.array([1, 2]), np.array([1.0, 2.0]), [t(1.0), t(2.0)], [t(1.0), 2]):
        assert f(x).numpy().tolist() == [2.0, 4.0]
    assert f(x=t([3.0])).numpy().tolist() == f([3]).numpy().tolist() == [6]
    assert f(t([])).numpy().tolist() == []
    assert seen == ["float32 (None,)"]
    assert f.experimental_get_tracing_count() == 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (t([[1.0]]), "tf.Tensor([[1.]], shape=(1, 1), dtype=float32)"), (t([1]), "tf.Tensor([1], shape=(1,), dtype="),
        (1.0, "1.0"), ("a", "a"), (None, "None"), ([[1.0], [2.0]], "[[1.0], [2.0]]"), ({"a": [1.0]}, "{'a': [1.0]}"),
        (np.array(["a"]), "['a']"), ([1.0, "a"], "[1.0, 'a']"), (object, "<class 'object'>"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_shown_beside_the_signature(value: Any, shown: str) -> None:
    f, seen = traced(input_signature=(VECTOR,))
    with pytest.raises(SignatureError) as error:
        f(value)
    assert isinstance(error.value, ValueError) and isinstance(error.value, TypeError)
    text = str(error.value)
    assert text.startswith("Python inputs incompatible with input_signature")
    assert f"  inputs: (\n    {shown}" in text
    assert "  input_signature: (\n    TensorSpec(shape=(None,), dtype=tf.float32, name=None))" in text
    assert seen == []


def test_structures() -> None:
    spec = [{"a": VECTOR, "b": (tf.TensorSpec([], tf.int32), VECTOR)}]

    @tf.function(input_signature=spec)
    def f(d: Any) -> Any:
        return d["a"] + d["b"][1] * tf.cast(d["b"][0], tf.float32)

    for n in (1, 2, 3):
        assert f({"b": (n, [1.0] * n), "a": np.ones(n)}).numpy().tolist() == [1 + n] * n
    assert f.experimental_get_tracing_count() == 1
    assert [i.name for i in f.get_concrete_function().inputs] == ["d_a:0", "d_b_0:0", "d_b_1:0"]
    for wrong in ({"a": [1.0]}, {"a": [1.0], "b": (1, [1.0], 2)}, [1.0], {"a": [1.0], "c": (1, [1.0])}):
        with pytest.raises(SignatureError):
            f(wrong)


def test_calls_that_python_would_refuse_are_type_errors() -> None:
    f, _ = traced(input_signature=[VECTOR])
    for call in (lambda: f(), lambda: f([1.0], 2, 3), lambda: f([1.0], z=3), lambda: f([1.0], x=[1.0])):
        with pytest.raises(TypeError, match=r"f\(\)"):
            call()


def test_concrete_function_of_the_signature() -> None:
    f, seen = traced(input_signature=[tf.TensorSpec([None], tf.float32, name="values")])
    concrete = f.get_concrete_function()
    assert [i.name for i in concrete.inputs] == ["values:0"]
    assert f.get_concrete_function(t([1.0])) is concrete
    assert f.get_concrete_function(tf.TensorSpec([3], tf.float32)) is concrete
    assert f([1.0]).numpy().tolist() == concrete([1.0]).numpy().tolist() == [2.0]
    assert len(seen) == 1
    with pytest.raises(SignatureError):
        f.get_concrete_function(tf.TensorSpec([None], tf.int32))
    with pytest.raises(SignatureError):
        f.get_concrete_function(tf.TensorSpec(None, tf.float32))


def test_other_python_arguments_make_traces_of_their_own() -> None:
    f, seen = traced(input_signature=[VECTOR])
    assert [f([1.0], y).numpy().tolist() for y in (3, 3, 4)] == [[3.0], [3.0], [4.0]]
    assert len(seen) == 2


def test_inside_of_another_function() -> None:
    f, _ = traced(input_signature=[VECTOR])

    @tf.function
    def outer(x: Any) -> Any:
        return f(x) + f([1.0, 2.0])

    assert outer(t([1.0, 1.0])).numpy().tolist() == [4.0, 6.0]
    with pytest.raises(SignatureError, match=r'Tensor\("x:0", shape=\(\), dtype=float32\)'):
        outer(t(1.0))


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        (VECTOR, "input_signature is a list or tuple of TensorSpec"), ([3], "may only hold TensorSpec and .*; got 3"),
        ([VECTOR] * 3, "has 3 entries, the function takes 2 arguments"),
    ],
)  # fmt: skip
def test_signatures_that_make_no_sense(signature: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        traced(input_signature=signature)


def test_variadic_parameters() -> None:
    @tf.function(input_signature=[VECTOR, VECTOR, VECTOR])
    def f(first: Any, *rest: Any) -> Any:
        return first + rest[0] * 10 + rest[1] * 100

    assert f([1], [2], [3]).numpy().tolist() == [321]
    assert f([1, 1], [2, 2], [3, 3]).numpy().tolist() == [321, 321]
    assert f.experimental_get_tracing_count() == 1
    with pytest.raises(SignatureError, match="takes 3 arguments by its input_signature; 2 were given"):
        f([1], [2])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (t([1]), r"argument 'x' is an int32 tensor of shape \(1,\), but the signature asks for a float32 tensor of"),
        (t([[1.0]]), r"argument 'x' is a float32 tensor of shape \(1, 1\), but"), (1.0, "'x' is the float 1.0, but"),
        (None, "'x' is None, but"), ("a", "'x' is the str 'a', but"), (object(), "'x' is an object object, but"),
        (np.array(["a"]), r"is a <U1 array of shape \(1,\), but"), ([1.0, "a"], r"'x' is the list \[1.0, 'a'\], but"),
        (tf.Variable(1.0), r"'x' is a float32 Variable of shape \(\), but"), (int, "'x' is the class int, but"),
    ],
)  # fmt: skip
def test_refusal_names_the_argument_and_both_types(value: Any, message: str) -> None:
    f, _ = traced(input_signature=[VECTOR])
    with pytest.raises(SignatureError, match=message):
        f(value)


def test_refusal_within_a_structure_names_the_place() -> None:
    @tf.function(input_signature=[{"a": VECTOR, "b": (tf.TensorSpec([], tf.int32), VECTOR)}])
    def f(d: Any) -> Any:
        return d["a"]

    with pytest.raises(SignatureError, match=r"argument 'd'\['b'\]\[0\] is a float32 tensor of shape \(\), but the"):
        f({"a": [1.0], "b": (t(1.0), [1.0])})
    with pytest.raises(SignatureError, match=r"argument 'd' is the dict .*, but the signature asks for a structure"):
        f({"a": [1.0]})

    @tf.function(input_signature=[VECTOR, VECTOR, VECTOR])
    def g(first: Any, *rest: Any) -> Any:
        return first

    with pytest.raises(SignatureError, match=r"argument 'rest\[1\]' is the float 3.0"):
        g([1.0], [2.0], 3.0)
    with pytest.raises(SignatureError, match=r"'rest\[1\]', a float32 tensor of shape \(None,\), is missing"):
        g([1.0], [2.0])


def test_variables_in_a_signature() -> None:
    spec = tf.VariableSpec([None], tf.float32)
    seen = []

    @tf.function(input_signature=[spec, spec, tf.TensorSpec([], tf.float32)])
    def f(v: Any, w: Any, x: Any) -> Any:
        seen.append(v is w)
        v.assign(v * x)
        return v + w

    a, b, c = tf.Variable([1.0]), tf.Variable([2.0, 3.0]), tf.Variable([5.0, 5.0])
    assert f(b, c, 2).numpy().tolist() == [9, 11]
    assert f(a, tf.Variable([1.0]), 3).numpy().tolist() == [4]
    assert len(seen) == f.experimental_get_tracing_count() == 1
    assert f(a, a, 2).numpy().tolist() == [12], "one Variable for both is another trace"
    assert f(c, c, 1).numpy().tolist() == [10, 10]
    assert f(b, c, 1).numpy().tolist() == [9, 11]
    assert f.experimental_get_tracing_count() == 2
    assert f.get_concrete_function()(b, c, 1).numpy().tolist() == [9, 11]
    assert [i.name for i in f.get_concrete_function().inputs] == ["v:0", "w:0", "x:0"]
    with pytest.raises(SignatureError, match=r"'v' is a float32 tensor of shape \(1,\), but the signature asks for a"):
        f(t([1.0]), a, 1)
    with pytest.raises(SignatureError, match=r"'w' is an int32 Variable of shape \(1,\), but .* float32 Variable"):
        f(a, tf.Variable([1]), 1)
