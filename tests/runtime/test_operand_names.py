"""Operands whose shapes or dtypes do not fit: the error of the trace names the user's variables and both types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf

X, Y = tf.TensorSpec([2, 3]), tf.TensorSpec([4, 5])


def direct(image: Any, kernel: Any) -> Any:
    return image @ kernel


def by_other_names(image: Any, kernel: Any) -> Any:
    hidden = image * 2.0
    weights = kernel + 1.0
    return tf.matmul(hidden, weights)


def in_between(image: Any, kernel: Any) -> Any:
    return (image * 2.0) @ kernel


def in_a_branch(image: Any, kernel: Any) -> Any:
    result = image
    if tf.reduce_sum(image) > 0:
        result = image + kernel
    return result


def in_a_loop(image: Any, kernel: Any) -> Any:
    total = image * 0.0
    for _ in tf.range(3):
        total = total + kernel
    return total


def product(left: Any, right: Any) -> Any:
    return left @ right


def in_a_callee(image: Any, kernel: Any) -> Any:
    return product(image, kernel)


def by_numpys_name(image: Any, kernel: Any) -> Any:
    return tf.concat([image, kernel], axis=0)


CASES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "arguments": (direct, ("image, shape (2, 3)", "kernel, shape (4, 5)")),
    "variables": (by_other_names, ("hidden, shape (2, 3)", "weights, shape (4, 5)")),
    "no variable": (in_between, ("a value in between, shape (2, 3)", "kernel, shape (4, 5)")),
    "in a branch": (in_a_branch, ("image, shape (2, 3)", "kernel, shape (4, 5)")),
    "in a loop": (in_a_loop, ("total, shape (2, 3)", "kernel, shape (4, 5)")),
    "in a callee": (in_a_callee, ("left, shape (2, 3)", "right, shape (4, 5)")),
    "of a list": (by_numpys_name, ("image, shape (2, 3)", "kernel, shape (4, 5)")),
}


@pytest.mark.parametrize("case", CASES)
def test_the_error_names_both_variables_and_shapes(case: str) -> None:
    function, words = CASES[case]
    ran: list[int] = []

    @tf.function
    def outer(image: Any, kernel: Any) -> Any:
        tf.py_function(lambda: ran.append(1), [], [])
        return function(image, kernel)

    with pytest.raises(ValueError) as caught:
        outer(tf.ones(X.shape), tf.ones(Y.shape))
    for word in words:
        assert word in str(caught.value)
    assert isinstance(caught.value, tf.errors.InvalidArgumentError)
    assert caught.value.message == str(caught.value)
    assert not ran


def test_variables_that_keep_state_are_named() -> None:
    w = tf.Variable(tf.ones([4, 5]), name="weights")

    @tf.function
    def apply(image: Any, bias: Any) -> Any:
        return image @ w + bias

    with pytest.raises(ValueError, match=r"image, shape \(2, 3\), and weights, shape \(4, 5\)"):
        apply(tf.ones([2, 3]), tf.Variable(1.0))


def test_one_operand() -> None:
    @tf.function
    def flat(image: Any) -> Any:
        return tf.reshape(image, [7])

    with pytest.raises(ValueError, match=r"image, shape \(2, 3\)"):
        flat(tf.ones([2, 3]))


def test_operands_without_names_have_the_words_of_the_operation() -> None:
    with pytest.raises(ValueError) as caught:
        tf.function(lambda: tf.ones([2, 3]) @ tf.ones([4, 5]))()
    assert str(caught.value) == "matmul: the inner sizes differ: 3 and 4 (operand shapes: (2, 3), (4, 5))"


def scaled(image: Any, n: Any) -> Any:
    brightness = image * 2.0
    return brightness + n


def joined(image: Any, n: Any) -> Any:
    return tf.concat([image, [n]], axis=0)


def halved(image: Any, n: Any) -> Any:
    return n * 0.5


DTYPES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "variables": (scaled, ("add: ", "use runtime.cast", "the operands are brightness, float32, and n, int32")),
    "a list": (joined, ("concat: ", "image, float32")),
    "a number": (halved, ("multiply: ", "0.5", "the operand is n, int32")),
}


@pytest.mark.parametrize("case", DTYPES)
def test_an_error_of_dtypes_names_the_variables_too(case: str) -> None:
    function, words = DTYPES[case]
    with tf.config.strict_literals(True), pytest.raises(tf.errors.DtypeMismatchError) as caught:
        tf.function(function)(tf.ones([3]), tf.constant(2))
    for word in words:
        assert word in str(caught.value)
    with tf.config.strict_literals(True), pytest.raises(tf.errors.DtypeMismatchError) as eager:
        function(tf.ones([3]), tf.constant(2))
    assert str(caught.value).startswith(str(eager.value))
