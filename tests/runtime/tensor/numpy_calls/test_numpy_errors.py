"""What NumPy refuses is refused with its class of exception, so that the program's own handlers take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

WIDE = np.arange(6.0).reshape(2, 3)
ZEROS = np.zeros((2, 2))
NANS = np.full((2, 2), np.nan)
VECTOR = np.arange(3)

REFUSED: list[tuple[Callable[[Any], Any], Any]] = [
    (lambda a: np.sum(a, axis=5), WIDE),
    (lambda a: a.sum(axis=-4), WIDE),
    (lambda a: np.mean(a, 4), WIDE),
    (lambda a: np.sort(a, axis=7), WIDE),
    (lambda a: np.cumsum(a, axis=4), WIDE),
    (lambda a: np.argmax(a, axis=4), WIDE),
    (lambda a: np.concatenate([a, a], axis=3), WIDE),
    (lambda a: np.stack([a, a], 4), WIDE),
    (lambda a: np.swapaxes(a, 0, 7), WIDE),
    (lambda a: np.expand_dims(a, 7), WIDE),
    (lambda a: np.roll(a, 1, 4), WIDE),
    (lambda a: np.take(a, 0, 4), WIDE),
    (lambda a: np.repeat(a, 2, 4), WIDE),
    (lambda a: np.linalg.norm(a, axis=4), WIDE),
    (lambda a: np.linalg.inv(a), ZEROS),
    (lambda a: np.linalg.inv(a), WIDE),
    (lambda a: np.linalg.inv(a), VECTOR),
    (lambda a: np.linalg.solve(a, np.ones(2)), ZEROS),
    (lambda a: np.linalg.cholesky(a), -np.eye(2)),
    (lambda a: np.linalg.cholesky(a), WIDE),
    (lambda a: np.linalg.det(a), WIDE),
    (lambda a: np.linalg.slogdet(a), WIDE),
    (lambda a: np.linalg.eig(a), WIDE),
    (lambda a: np.linalg.eigh(a), WIDE),
    (lambda a: np.linalg.eigvals(a), NANS),
    (lambda a: np.linalg.svd(a), NANS),
    (lambda a: np.linalg.svd(a), VECTOR),
    (lambda a: np.linalg.qr(a), VECTOR),
    (lambda a: np.linalg.pinv(a), VECTOR),
    (lambda a: np.linalg.cond(a), VECTOR),
    (lambda a: np.linalg.matrix_power(a, 2), WIDE),
    (lambda a: np.linalg.matrix_power(a, -2), ZEROS),
    (lambda a: np.linalg.lstsq(a, a), np.ones((2, 3, 4))),
    (lambda a: np.linalg.tensorinv(a), WIDE),
    (lambda a: np.linalg.multi_dot([a]), WIDE),
    (lambda a: a[1.5], WIDE),
    (lambda a: a["x"], WIDE),
    (lambda a: a[np.array([0.5])], WIDE),
    (lambda a: a[0, 0, 0], WIDE),
    (lambda a: a[..., ...], WIDE),
    (lambda a: a[np.array([True, False, True])], WIDE),
    (lambda a: a[[0, 1], [0, 1, 2]], WIDE),
    (lambda a: a[1.0:], WIDE),
    (lambda a: np.take(a, [7]), VECTOR),
    (lambda a: np.polyfit(a, a[:2], 1), VECTOR),
    (lambda a: np.cross(a, np.ones(4)), VECTOR),
    (lambda a: np.interp(a * 1j, [0.0, 1], [1.0, 2]), VECTOR),
    (lambda a: float(a), WIDE),
    (lambda a: int(a), WIDE),
    (lambda a: len(a[0]), VECTOR),
    (lambda a: [x for x in a[0]], VECTOR),
]


def raised_by(function: Callable[[Any], Any], array: Any) -> Exception:
    try:
        function(array.copy())
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_an_array_that_numpy_refuses_is_refused_by_its_class(case: int) -> None:
    function, array = REFUSED[case]
    expected = type(raised_by(function, array))
    assert isinstance(raised_by(tf.function(function), array), expected)


@pytest.mark.parametrize("case", range(len(REFUSED)))
def test_a_handler_of_the_program_takes_it(case: int) -> None:
    call, array = REFUSED[case]
    kind = type(raised_by(call, array))

    def program(a: Any) -> Any:
        try:
            call(a)
            return 1
        except kind:
            return 2

    assert int(tf.function(program)(array.copy())) == 2


@pytest.mark.parametrize(
    ("other", "call"),
    [(TypeError, lambda a: a[1.5]), (ValueError, lambda a: len(a[0])), (ZeroDivisionError, lambda a: np.sum(a, 5))],
)
def test_a_handler_of_another_class_does_not(other: type[Exception], call: Callable[[Any], Any]) -> None:
    def program(a: Any) -> Any:
        try:
            call(a)
            return 1
        except other:
            return 2

    error = raised_by(program, VECTOR)
    assert isinstance(raised_by(tf.function(program), VECTOR), type(error))


def attempts(matrices: Any) -> Any:
    """The run decides which matrices are singular, in a loop, and what becomes of them."""
    total, singular = np.zeros((2, 2)), 0
    for m in matrices:
        try:
            total += np.linalg.inv(m)
        except np.linalg.LinAlgError as error:
            singular += isinstance(error, ValueError)
    return total, singular


def test_singular_matrices_in_a_loop() -> None:
    matrices = np.stack([np.eye(2), np.zeros((2, 2)), 2 * np.eye(2), np.ones((2, 2))])
    expected = attempts(matrices)
    found = tf.function(attempts)(matrices)
    np.testing.assert_allclose(found[0], expected[0])
    assert int(found[1]) == expected[1] == 2


def test_tensors_of_any_rank_have_the_same_classes_in_the_run() -> None:
    signature = [tf.TensorSpec(None, tf.float64)]
    for call, kind in (
        (lambda x: tf.reduce_sum(x, 3), np.exceptions.AxisError),
        (tf.linalg.inv, np.linalg.LinAlgError),
        (lambda x: x[0, 0, 0], IndexError),
    ):
        def caught(x: Any, call: Any = call, kind: Any = kind) -> Any:
            try:
                call(x)
                return 1
            except kind:
                return 2

        staged = tf.function(lambda x, caught=caught: caught(x), input_signature=signature)
        assert int(staged(tf.constant(WIDE))) == 2
