"""How a ConcreteFunction takes its arguments: by position, parameter or input; Python arguments stay as traced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import SignatureError

t = tf.constant


class Model:
    def __init__(self, weight: int) -> None:
        self.weight = weight


@tf.function
def power(a: Any, b: Any) -> Any:
    return a**b


@tf.function
def evaluate(model: Any, x: Any) -> Any:
    return x * model.weight


@tf.function
def weighted(n: Any, x: Any, y: Any) -> Any:
    return n * (x - y)


@tf.function
def nested(pair: Any, table: Any, scale: Any = 1) -> Any:
    return (pair[0] - pair[1] + table["k"]) * scale


def test_python_arguments_may_be_left_out_or_given_again() -> None:
    square = power.get_concrete_function(a=tf.TensorSpec(None, tf.float32), b=2)
    x = t(10.0)
    for result in (square(x), square(a=x), square(x, 2), square(x, b=2), square(b=2, a=x), square(10.0), square(10)):
        assert result.numpy() == 100
    for call in (lambda: square(x, 3), lambda: square(x, b=3), lambda: square(x, 2.0), lambda: square(x, True)):
        with pytest.raises(TypeError, match=r"was constructed with int value 2 in b, but was called with \w+ value"):
            call()


def test_objects_before_tensors_may_be_left_out() -> None:
    model = Model(3)
    traced = evaluate.get_concrete_function(model, t(10))
    assert [r.numpy() for r in (traced(t(2)), traced(model, t(2)), traced(x=t(2)), traced(model=model, x=t(2)))] == [
        6
    ] * 4
    with pytest.raises(TypeError, match="was constructed with Model value <.*Model.*> in model, but was called with"):
        traced(Model(3), t(2))


def test_a_missing_tensor_is_never_made_up_from_its_neighbours() -> None:
    traced = weighted.get_concrete_function(3, t(1.0), t(2.0))
    assert traced(t(5.0), t(1.0)).numpy() == traced(3, t(5.0), t(1.0)).numpy() == 12
    assert traced(5.0, 1.0).numpy() == traced(x=5.0, y=1.0).numpy() == traced(5.0, y=1.0).numpy() == 12
    with pytest.raises(TypeError, match="missing argument 'y'"):
        traced(3, t(5.0))  # 3 is n, as it was traced: not x
    with pytest.raises(TypeError, match="missing argument 'x'"):
        traced(3)
    with pytest.raises(TypeError, match="missing argument"):
        traced()
    with pytest.raises(TypeError, match="int value 3 in n, but was called with int value 4"):
        traced(4, t(5.0), t(1.0))


def test_structures_and_the_names_of_inputs() -> None:
    traced = nested.get_concrete_function([t(1), t(2)], {"k": t(3)}, scale=10)
    assert [i.name for i in traced.inputs] == ["pair_0:0", "pair_1:0", "table_k:0"]
    expected = [
        traced([t(5), t(1)], {"k": t(2)}), traced((t(5), t(1)), table={"k": t(2)}),
        traced(pair_0=t(5), pair_1=t(1), table_k=t(2)), traced(t(5), t(1), table_k=2),
    ]  # fmt: skip
    assert [r.numpy() for r in expected] == [60] * 4
    with pytest.raises(TypeError, match="argument 'pair' must look like"):
        traced([t(1)], {"k": t(2)})
    with pytest.raises(TypeError, match="missing argument 'table_k'"):
        traced(pair_0=t(5), pair_1=t(1))
    with pytest.raises(TypeError, match="two values for 'pair_0'"):
        traced(t(5), pair_0=t(5), pair_1=t(1), table_k=t(2))
    with pytest.raises(TypeError, match="did you mean 'pair_1'"):
        traced(pair_0=t(5), pair_2=t(1), table_k=t(2))


def test_variadic_parameters() -> None:
    @tf.function
    def f(first: Any, *rest: Any, last: Any = 0, **named: Any) -> Any:
        return first + rest[0] * 10 + rest[1] * 100 + last * 1000 + named["z"] * 10000

    traced = f.get_concrete_function(t(1), t(2), t(3), last=t(4), z=t(5))
    assert traced(t(5), t(4), t(3), last=t(2), z=t(1)).numpy() == 12345
    assert traced(5, 4, 3, z=1, last=2).numpy() == 12345
    with pytest.raises(TypeError, match="argument 'rest' must look like"):
        traced(t(5), t(4), last=t(2), z=t(1))
    with pytest.raises(TypeError, match="argument 'named' must look like"):
        traced(t(5), t(4), t(3), last=t(2), y=t(1))
    with pytest.raises(TypeError, match="missing argument 'last'"):
        traced(t(5), t(4), t(3), z=t(1))


def test_name_of_a_spec_is_the_name_of_the_input() -> None:
    traced = power.get_concrete_function(tf.TensorSpec([], tf.int32, name="base"), 3)
    assert [i.name for i in traced.inputs] == ["base:0"]
    assert traced(base=t(2)).numpy() == traced(a=t(2)).numpy() == 8


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (t(1), "'a' was expected to be a float32 tensor but is an int32 tensor"),
        (t([1.0]), r"'a' was expected to be a float32 tensor of shape \(2,\) but is a float32 tensor of shape \(1,\)"),
        (t(["a", "b"]), "'a' was expected to be a float32 tensor but is a string tensor"),
        (["a", "b"], r"'a' was expected to be a float32 tensor of shape \(2,\) but is the list \['a', 'b'\]: Cannot"),
        (np.zeros(3), r"expected to be a float32 tensor of shape \(2,\) but is a float32 tensor of shape \(3,\)"),
        (None, r"'a' was expected to be a float32 tensor of shape \(2,\) but is None: Cannot convert None"),
    ],
)  # fmt: skip
def test_a_tensor_that_does_not_fit(value: Any, message: str) -> None:
    @tf.function
    def f(a: Any) -> Any:
        return a + 1

    traced = f.get_concrete_function(tf.TensorSpec([2], tf.float32))
    with pytest.raises(tf.errors.InvalidArgumentError, match=message) as error:
        traced(value)
    assert isinstance(error.value, TypeError)
    assert str(error.value).startswith("f(a): argument 'a'")
    for fits in (np.zeros(2), [0, 0], (0.0, 0.0)):
        assert traced(fits).numpy().tolist() == [1, 1], "Python values adapt to the dtype of the trace"


def test_inside_of_another_trace_its_operations_keep_their_lines() -> None:
    square = power.get_concrete_function(a=tf.TensorSpec(None, tf.float32), b=2)

    @tf.function
    def outer(x: Any) -> Any:
        return square(x) + square(a=1.5)

    assert outer(t(2.0)).numpy() == 6.25
    inner = next(o for o in outer.get_concrete_function(t(2.0)).graph.operations if o.type == "pow")
    assert inner.location is not None and inner.location.function == "power"
    with pytest.raises(TypeError, match="was constructed with int value 2 in b"):
        tf.function(lambda x: square(x, 3))(t(1.0))


def test_a_structure_that_contains_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="contains itself"):
        tf.function(lambda: endless)()


def test_text_of_a_trace_with_structures() -> None:
    @tf.function
    def f(pair: Any, options: Any, flag: bool = True) -> Any:
        return {"sum": pair[0] + options["k"], "none": None}, pair[1]

    traced = f.get_concrete_function((t(1), t([1.5])), {"k": t(2), "mode": "fast"})
    assert (
        str(traced)
        == """ConcreteFunction f(pair, options, flag=True)
  Args:
    pair: (<1>, <2>)
      <1>: int32 Tensor, shape=()
      <2>: float32 Tensor, shape=(1,)
    options: {'k': <1>, 'mode': 'fast'}
      <1>: int32 Tensor, shape=()
  Returns:
    ({'sum': <1>, 'none': None}, <2>)
      <1>: int32 Tensor, shape=()
      <2>: float32 Tensor, shape=(1,)"""
    )
    assert str(traced.structured_outputs[1]) == 'Tensor("Identity_1:0", shape=(1,), dtype=float32)'
    nothing = f.get_concrete_function((1, 2), {"k": 3})
    assert str(nothing).splitlines()[:2] == [
        "ConcreteFunction f(pair=(1, 2), options={'k': 3}, flag=True)", "  Returns:",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: f(t(1.0)), r"missing argument 'table', a structure like {'k': \[TensorSpec\("),
        (lambda f: f(t(1.0), table_k_0=t(1)), "missing argument 'table_k_1', an int32 tensor of shape ()"),
        (lambda f: f(t(1.0), {"k": [t(1)]}), r"argument 'table' must look like {'k': .*, but is the dict {'k': \["),
        (lambda f: f(t(1.0), {"k": [t(1), t(2.0)]}), r"argument 'table' at \['k'\]\[1\] was expected to be an int32"),
        (lambda f: f(t(1.0), {"k": [t(1), "a"]}), "expected to be an int32 tensor of shape .* but is the str 'a'"),
        (lambda f: f([1.0], {"k": [1, 2]}), r"'x' was expected to be a float32 tensor of shape \(\) but is a f"),
        (lambda f: f(t(1.0), {"k": [1, 2]}, "slow"), "value 'fast' in mode, but was called with str value 'slow'"),
        (lambda f: f(1.0, {"k": [1, 2]}, "fast", 7), "too many positional arguments: 4 were given, for 'x', 'ta"),
        (lambda f: f(1.0, {"k": [1, 2]}, mod="fast"), "unexpected keyword argument 'mod'; did you mean 'mode'?"),
    ],
)  # fmt: skip
def test_each_refusal_is_of_one_class_and_names_the_argument(call: Any, message: str) -> None:
    @tf.function
    def f(x: Any, table: Any, mode: str = "fast") -> Any:
        return x + tf.cast(table["k"][0] + table["k"][1], tf.float32)

    traced = f.get_concrete_function(t(1.0), {"k": [t(1), t(2)]})
    with pytest.raises(SignatureError, match=message) as error:
        call(traced)
    for kind in (TypeError, ValueError, tf.errors.InvalidArgumentError):
        assert isinstance(error.value, kind)
    assert "f(x, table, mode='fast'):" in str(error.value) or "ConcreteFunction f(x, table" in str(error.value)


def test_objects_may_be_left_out_beside_variables() -> None:
    class Rate:
        value = 0.5

    @tf.function
    def step(w: Any, x: Any, rate: Any) -> Any:
        return w.assign_sub(rate.value * x)

    rate, w = Rate(), tf.Variable(8.0)
    traced = step.get_concrete_function(w, t(1.0), rate)
    traced(w, t(2.0))
    traced(w, t(2.0), rate)
    traced(w=w, x=t(2.0))
    assert w.numpy() == 5
    other = tf.Variable(1.0)
    traced(other, t(2.0))
    assert other.numpy() == 0
    with pytest.raises(SignatureError, match="'w' was expected to be a float32 Variable of shape .* but is a f"):
        traced(t(1.0), t(2.0))


def test_what_was_one_variable_stays_one() -> None:
    f = tf.function(lambda v, pair: v.assign_add(pair[0]) + pair[1])
    a, b, c = (tf.Variable(float(n)) for n in (1, 2, 3))
    apart = f.get_concrete_function(a, [b, c])
    with pytest.raises(SignatureError, match=r"'v' and 'pair' at \[0\] were two Variables .* and are one now"):
        apart(a, [a, c])
    together = f.get_concrete_function(a, [b, a])
    with pytest.raises(SignatureError, match=r"arguments 'v' and 'pair' at \[1\] were one Variable .* are two"):
        together(a, [b, c])
    assert together(a, [b, a]).numpy() == 6


def test_result_and_shape_of_any_rank() -> None:
    double = tf.function(lambda a: a + a)
    traced = double.get_concrete_function(tf.TensorSpec(None, tf.float32))
    assert str(traced).endswith("Returns:\n    float32 Tensor, shape=<unknown>")
    assert "shape=<unknown>" in str(traced.structured_outputs)
    for value in (1.0, [1.0], [[1.0, 2.0]]):
        assert traced(t(value)).numpy().tolist() == (np.array(value) * 2).tolist()
    with pytest.raises(SignatureError, match="'a' was expected to be a float32 tensor of any shape but is None"):
        traced(None)
