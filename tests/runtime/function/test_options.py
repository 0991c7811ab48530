"""Options of `runtime.function`: spellings, positions, wrong values; switching all Functions to plain Python."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import pytest

import runtime as tf

t = tf.constant


def shape_of(x: Any) -> Any:
    return str(x.shape)


def sign(x: Any) -> Any:
    if x > 0:
        return 1
    return -1


@pytest.mark.parametrize("option", ["reduce_retracing", "experimental_relax_shapes"])
def test_both_spellings_of_reduce_retracing(option: str) -> None:
    for on, count in ((True, 2), (False, 4)):
        f = tf.function(shape_of, **{option: on})
        for n in range(1, 5):
            f(tf.zeros([n]))
        assert f.experimental_get_tracing_count() == count


@pytest.mark.parametrize("option", ["jit_compile", "experimental_compile"])
def test_both_spellings_of_jit_compile(option: str) -> None:
    made = tf.function(sign, **{option: True})
    assert made(t(2)).numpy() == 1
    assert type(made.get_concrete_function(t(2)).plan).__name__ == "NativePlan"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tf.function(sign, **{option: False})
        tf.function(sign, **{option: None})


def test_spellings_that_contradict_each_other() -> None:
    with pytest.raises(TypeError, match="reduce_retracing=True and experimental_relax_shapes=False, which are two"):
        tf.function(sign, reduce_retracing=True, experimental_relax_shapes=False)
    with pytest.raises(TypeError, match="give 'jit_compile' alone"):
        tf.function(sign, jit_compile=True, experimental_compile=False)
    tf.function(sign, reduce_retracing=True, experimental_relax_shapes=True)


def test_options_by_position() -> None:
    plain = tf.function(sign, None, False)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        plain(t(1))
    f = tf.function(shape_of, [tf.TensorSpec([None], tf.float32)], True, None, False)
    assert f([1.0]).numpy() == b"(None,)"
    assert list(inspect.signature(tf.function).parameters)[:5] == [
        "func", "input_signature", "autograph", "jit_compile", "reduce_retracing",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"autograph": None}, "takes True or False for 'autograph'; got None"),
        ({"autograph": "no"}, "takes True or False for 'autograph'; got 'no'"),
        ({"reduce_retracing": 2}, "takes True or False for 'reduce_retracing'; got 2"),
        ({"jit_compile": "fast"}, "takes True or False for 'jit_compile'; got 'fast'"),
        ({"experimental_autograph_options": "lists"}, "members of autograph.Feature, found 'lists'"),
        ({"name": 3}, "takes a text for 'name'; got 3"),
        ({"experimental_relax_shape": True}, "did you mean 'experimental_relax_shapes'?"),
        ({"reduce_retrace": True}, "did you mean 'reduce_retracing'?"),
        ({"input_sig": []}, "did you mean 'input_signature'?"),
    ],
)  # fmt: skip
def test_wrong_options_are_refused_when_the_function_is_made(options: dict[str, Any], message: str) -> None:
    for make in (lambda: tf.function(sign, **options), lambda: tf.function(**options)):
        with pytest.raises(TypeError) as error:
            make()
        assert message in str(error.value)


def test_name_is_that_of_messages_and_traces() -> None:
    f = tf.function(sign, name="signum")
    assert repr(f) == "<runtime.Function signum with 0 traces>"
    assert f.get_concrete_function(t(1)).graph.name == "signum"
    assert f.__name__ == "sign"


def test_optional_features() -> None:
    feature = tf.autograph.experimental.Feature.BUILTIN_FUNCTIONS
    seen = []

    @tf.function(experimental_autograph_options=feature)
    def show(x: Any) -> Any:
        seen.append("traced")
        print("value", x)
        return x

    with_option = [o.type for o in show.get_concrete_function(t(1)).graph.operations]
    without = [o.type for o in tf.function(show.python_function).get_concrete_function(t(1)).graph.operations]
    assert len(with_option) > len(without)


def test_functions_run_eagerly_within_a_block() -> None:
    seen: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append(x)
        return sign(x)

    f(t(1))
    with tf.config.run_functions_eagerly(True):
        assert tf.config.functions_run_eagerly()
        assert f(t(3)) == 1 and f(t(-3)) == -1
        with tf.config.run_functions_eagerly(False):
            f(t(5))
        assert tf.config.functions_run_eagerly()
    assert not tf.config.functions_run_eagerly()
    f(t(7))
    assert [int(x.numpy()) for x in seen[1:]] == [3, -3], "inside of the block: values, in each call"
    assert f.experimental_get_tracing_count() == 1, "the trace from before is still used"


def test_the_block_ends_with_an_exception_too_and_the_call_form_stays() -> None:
    with pytest.raises(KeyError), tf.config.run_functions_eagerly(True):
        raise KeyError
    assert not tf.config.functions_run_eagerly()
    try:
        tf.config.run_functions_eagerly(True)
        assert tf.config.functions_run_eagerly()
    finally:
        tf.config.run_functions_eagerly(False)
    assert not tf.config.functions_run_eagerly()
