"""Programs of the guide to better performance with functions: its limits, where Python's effects happen when tracing.

As in test_seed_guide.py only the import is another one; values, printed lines and errors are those of the guide.
"""

import io

import pytest

import runtime as tf
from tests.runtime.prints import reading_prints


@reading_prints
def test_traced_and_executed(printed: io.StringIO) -> None:
    @tf.function
    def f(x):
        print("Traced with", x)
        tf.print("Executed with", x)

    f(1)
    f(1)
    f(2)
    assert printed.getvalue().splitlines() == [
        "Traced with 1",
        "Executed with 1",
        "Executed with 1",
        "Traced with 2",
        "Executed with 2",
    ]


@reading_prints
def test_a_list_outside_grows_only_when_traced(printed: io.StringIO) -> None:
    external_list = []

    @tf.function
    def side_effect(x):
        print("Python side effect")
        external_list.append(x)

    side_effect(1)
    side_effect(1)
    side_effect(1)
    assert len(external_list) == 1
    assert printed.getvalue() == "Python side effect\n"


@reading_prints
def test_a_python_iterator_is_consumed_when_traced(printed: io.StringIO) -> None:
    @tf.function
    def buggy_consume_next(iterator):
        tf.print("Value:", next(iterator))

    iterator = iter([1, 2, 3])
    buggy_consume_next(iterator)
    buggy_consume_next(iterator)
    buggy_consume_next(iterator)
    assert printed.getvalue().splitlines() == ["Value: 1"] * 3


leaked = None


def test_a_leaked_tensor_has_no_value() -> None:
    @tf.function
    def leaky_function(a):
        global leaked
        leaked = a + 1
        return a + 2

    correct_a = leaky_function(tf.constant(1))
    assert correct_a.numpy() == 3
    with pytest.raises(AttributeError, match="numpy"):
        leaked.numpy()


def test_a_leaked_tensor_has_no_value_though_it_is_returned() -> None:
    @tf.function
    def leaky_function(a):
        global leaked
        leaked = a + 1
        return leaked

    assert leaky_function(tf.constant(1)).numpy() == 2
    with pytest.raises(AttributeError, match="numpy"):
        leaked.numpy()
