"""What staged control flow refuses, and how it says so."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


class Box:
    def __init__(self, value):
        self.value = value


def dtypes_differ(n):
    if n > 0:
        y = n
    else:
        y = tf.cast(n, tf.float32)
    return y


def structures_differ(n):
    if n > 0:
        y = (n, n)
    else:
        y = [n, n]
    return y


def lengths_differ(n):
    if n > 0:
        y = (n, n)
    else:
        y = (n,)
    return y


def objects_differ(n):
    box = Box(1)
    if n > 0:
        box = object()
    return box


def objects_differ_in_a_ternary(n):
    return (Box if n > 0 else object())(n)


def structures_differ_in_a_ternary(n):
    return n if n > 3 else (n, n)


def dtypes_differ_in_a_ternary(n):
    return n if n > 3 else tf.cast(n, tf.float32)


def object_in_loop(n):
    box = Box(1)
    for i in range(n):
        box = object()
    return box


def tensor_becomes_object(n):
    x = n
    for i in range(n):
        x = Box(i)
    return x


def new_function_each_iteration(n):
    f = abs
    for i in range(n):
        f = lambda x: x + i
    return f(n)


def returns_object_from_loop(n):
    for i in range(n):
        if i > 2:
            return object()
    return object()


def structure_becomes_leaf(n):
    x = (n, n)
    for i in range(n):
        x = n
    return x


def literal_does_not_fit(n):
    x = tf.constant(0)
    for i in range(n):
        x = 0.5j
    return x


def invariant_after(n):
    x = tf.ones([1, 2])
    for _ in range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[(x, [1, 2])])
        x = tf.concat([x, x], 0)
    return x


def invariant_before(n):
    x = tf.ones([1, 2])
    for _ in range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[("x", [None, 3])])
        x = tf.concat([x, x], 0)
    return x


def invariant_of_another_structure(n):
    x = (n, n)
    for _ in range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[("x", ([], [], []))])
        x = (n, x[0])
    return x


def invariant_of_no_variable(n):
    x = n
    for _ in range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[("z", [])])
        x = x + 1
    return x


def invariants_are_no_pairs(n):
    x = n
    for _ in range(n):
        tf.autograph.experimental.set_loop_options(shape_invariants=[x])
        x = x + 1
    return x


def limit_is_no_integer(n):
    x = n
    for _ in range(n):
        tf.autograph.experimental.set_loop_options(maximum_iterations=1.5)
        x = x + 1
    return x


def limit_is_no_integer_tensor(n):
    x = n
    for _ in range(n):
        tf.autograph.experimental.set_loop_options(maximum_iterations=tf.constant([1, 2]))
        x = x + 1
    return x


def no_parallel_iterations(n):
    x = n
    for _ in range(n):
        tf.autograph.experimental.set_loop_options(parallel_iterations=0)
        x = x + 1
    return x


def swap_is_no_bool(n):
    x = n
    while x < 3:
        tf.autograph.experimental.set_loop_options(swap_memory=1)
        x = x + 1
    return x


def loop_dtype(n):
    x = tf.constant(0)
    for i in range(n):
        x = tf.constant(1.5)
    return x


def loop_structure(n):
    x = (n, n)
    for i in range(n):
        x = (n, n, n)
    return x


def vector_condition(n):
    if tf.stack([n, n]) > 0:
        n += 1
    return n


def vector_in_while(n):
    while tf.stack([n, n]) > 0:
        n -= 1
    return n


def vector_in_and(n):
    return tf.stack([n, n]) > 0 and n > 0


def number_in_and(n):
    return n and n > 0


def returns_list_or_tuple(n):
    for i in range(n):
        if i > 2:
            return [i]
    return (n,)


def returns_two_dtypes(n):
    if n > 0:
        return tf.cast(n, tf.float32)
    return n


@pytest.mark.parametrize(
    ("program", "kind", "message"),
    [
        (returns_list_or_tuple, TypeError, "the value that the function returns must have the same nested structure"),
        (returns_two_dtypes, TypeError, "the value that the function returns has dtype float32 in the main branch"),
        (dtypes_differ, TypeError, "'y' has dtype int32 in the main branch, but dtype float32 in the else branch"),
        (structures_differ, TypeError, "'y' must have the same nested structure in the main and else branches:"),
        (lengths_differ, TypeError, "'y' must have the same nested structure in the main and else branches:"),
        (objects_differ, TypeError, "'box' is a Python object that differs between the branches (object in"),
        (objects_differ_in_a_ternary, TypeError, "'n > 0' is a Python object that differs between the branches"),
        (structures_differ_in_a_ternary, TypeError, "'n > 3' must have the same nested structure in the main and else"),
        (dtypes_differ_in_a_ternary, TypeError, "'n > 3' has dtype int32 in the main branch, but dtype float32 in"),
        (loop_dtype, TypeError, "'x' has dtype int32 before the loop, but dtype float32 after one iteration"),
        (loop_structure, TypeError, "'x' does not have the same nested structure after one iteration"),
        (structure_becomes_leaf, TypeError, "'x' does not have the same nested structure after one iteration"),
        (
            literal_does_not_fit, TypeError,
            "'x' has dtype int32 before the loop, but dtype complex128 after one iteration",
        ),
        (object_in_loop, TypeError, "'box' is a Python object of type Box before the loop, and another one (of type"),
        (tensor_becomes_object, TypeError, "'x' is a Python object of type Box at the end of the iteration, but a"),
        (new_function_each_iteration, TypeError, "'f' is a new Python object of type function after each iteration"),
        (returns_object_from_loop, TypeError, "the value that the function returns is a Python object"),
        (invariant_after, ValueError, "'x' has shape (2, 2) after one iteration, which does not conform with the"),
        (invariant_before, ValueError, "'x' has shape (1, 2) before the loop, which does not conform with the shape"),
        (invariant_of_another_structure, TypeError, "'x' does not have the same nested structure as its corresponding"),
        (invariant_of_no_variable, ValueError, "'z' is no variable that the loop changes; those are 'x'"),
        (invariants_are_no_pairs, TypeError, "'shape_invariants' is a list of pairs (variable, shape)"),
        (limit_is_no_integer, TypeError, "'maximum_iterations' is an integer scalar; got 1.5"),
        (limit_is_no_integer_tensor, TypeError, "'maximum_iterations' is an integer scalar; got"),
        (no_parallel_iterations, ValueError, "'parallel_iterations' is a positive integer; got 0"),
        (swap_is_no_bool, TypeError, "'swap_memory' is True or False; got 1"),
        (vector_condition, ValueError, "condition of if statement expected to be a `tf.bool` scalar, got"),
        (vector_in_while, ValueError, "condition of while loop expected to be a `tf.bool` scalar, got"),
        (vector_in_and, ValueError, "left operand of `and` expected to be a `tf.bool` scalar, got"),
        (number_in_and, TypeError, "operand of `and` is a tensor of dtype int32 and the right operand is a tensor"),
    ],
)
def test_refused_with_the_name_of_the_variable(program: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as error:
        tf.function(program).get_concrete_function(tf.constant(1))
    assert isinstance(error.value, StagingError)
    assert message in str(error.value)
    assert "retval_" not in str(error.value) and "do_return" not in str(error.value)


def caught_in_python(n):
    try:
        if n > 0:
            y = n if tf.stack([n, n]) else 0
        else:
            y = 1
    except ValueError:
        y = -n
    return y


def caught_around_a_loop(n):
    try:
        for i in range(n):
            n = n + "text"
    except TypeError:
        n = -1
    return n


def test_exception_that_python_catches_around_staged_code_is_refused() -> None:
    for _ in range(2):
        with pytest.raises(StagingError, match="caught an exception that left a staged part of it"):
            tf.function(caught_around_a_loop)(tf.constant(3))


def test_what_is_refused_in_staged_code_is_not_caught_around_it() -> None:
    for _ in range(2):
        with pytest.raises(StagingError, match="conditional expression expected to be a `tf.bool` scalar"):
            tf.function(caught_in_python)(tf.constant(3))


def test_exception_that_is_caught_inside_the_branch_is_fine() -> None:
    def program(n):
        y = 0
        if n > 0:
            try:
                raise ValueError
            except ValueError:
                y = n
        return y

    assert_same(program, -1, 0, 3)
