"""Lists that grow as state of converted statements, and autograph's functions on lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.operators import data_structures
from runtime.control_flow.lists.tensor_list import TensorList
from tests.runtime.comparing import plain


def test_len_truth_and_iteration_in_converted_code() -> None:
    @tf.function
    def program(n: Any) -> Any:
        values = TensorList(tf.range(n))
        total = 0
        for v in values:
            total += v * v
        kind = 1 if values else 0
        if values:
            kind += 10
        while len(values) > 2:
            values = values[1:]
        return total, kind, len(values), values

    for n in (0, 2, 5):
        rest = list(range(n))[-2:]
        expected = (sum(i * i for i in range(n)), 11 if n else 0, len(rest), rest)
        assert plain(program(tf.constant(n))) == expected


def test_autographs_functions_on_lists() -> None:
    @tf.function
    def program(x: Any) -> Any:
        values = data_structures.tensor_list([x], element_shape=[])
        data_structures.set_element_type(values, tf.int32)
        values.append(7)
        return data_structures.stack(values), data_structures.stack([x, x]), data_structures.stack(x)

    assert plain(program(tf.constant(3))) == ([3, 7], [3, 3], 3)
    assert plain(data_structures.stack(TensorList([1, 2]))) == [1, 2]
    assert plain(data_structures.stack([tf.constant(1), tf.constant(2)])) == [1, 2]
    assert data_structures.tensor_list((1, 2)) == [1, 2] and data_structures.stack([1], strict=False) == [1]
    assert data_structures.set_element_type([], tf.int32) is None
    assert data_structures.stack(tf.constant([1, 2])).numpy().tolist() == [1, 2]
    with pytest.raises(ValueError, match="must be stackable when strict=True"):
        data_structures.stack([1])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: data_structures.tensor_list(x, element_shape=[]), ValueError, "element shape may not be specified"),
        (lambda x: data_structures.tensor_list({x.ref(): 1}), TypeError, "unknown type for elements: dict"),
        (lambda x: data_structures.tensor_list([x], element_dtype="float32"), TypeError, "float32"),
        (lambda x: data_structures.stack({"a": 1}), ValueError, "must be stackable when strict=True"),
        (lambda x: data_structures.set_element_type(x, tf.float32), ValueError, "incompatible dtype"),
        (lambda x: data_structures.set_element_type(3, tf.float32), ValueError, "elements of a list"),
        (lambda x: [data_structures.set_element_type(LIST, d) for d in ("int32", "int64")], ValueError, "ambiguous"),
    ],
)
def test_messages_of_autographs_functions(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tf.function(call, autograph=False)(tf.constant([1, 2]))


LIST: list[Any] = []


def check(program: Any, *inputs: Any) -> None:
    """A program on TensorLists in a graph gives what it gives on eager values."""
    staged = tf.function(program)
    for given in inputs:
        assert plain(staged(tf.constant(given))) == plain(plain_lists(program(given)))
    assert staged.experimental_get_tracing_count() == 1


def plain_lists(value: Any) -> Any:
    if isinstance(value, TensorList):
        return value.to_list()
    return type(value)(map(plain_lists, value)) if isinstance(value, tuple | list) else value


def test_a_list_is_changed_in_loops_branches_and_nested_ones() -> None:
    def program(n: Any) -> Any:
        values = TensorList([], tf.int32, [])
        other = values
        for i in range(n):
            if i % 2 == 0:
                values.append(i)
            else:
                values.append(-i)
                values.append(0)
            if i == 3:
                values.pop()
            while len(values) > 4:
                other.pop(0)
        return values, other, values.stack(), len(values)

    check(program, 0, 1, 5)


def test_a_list_with_two_names_in_branches() -> None:
    def program(n: Any) -> Any:
        values = TensorList([1, 2])
        other = values
        if n > 0:
            values.append(n)
        else:
            values[0] = 9
        return other, values

    check(program, 0, 1)


def test_literals_in_a_list_before_a_loop_take_the_dtype_of_what_comes() -> None:
    def program(n: Any) -> Any:
        values = TensorList([0])
        for i in range(n):
            values.append(tf.cast(i, tf.float32))
        return values

    check(program, 0, 3)

    def branches(n: Any) -> Any:
        values = TensorList([0])
        if n > 1:
            values.append(1.5)
        elif n > 0:
            values = TensorList([tf.constant(2.5)])
        return values

    check(branches, 0, 1, 2)


def test_shapes_widen_in_a_loop() -> None:
    def program(n: Any) -> Any:
        values = TensorList([tf.zeros([1])])
        for _ in range(n):
            first = values[-1]
            values.append(tf.concat([first, first], 0))
        return values[-1]

    check(program, 0, 3)


def test_a_list_of_nothing_yet() -> None:
    def program(n: Any) -> Any:
        values = TensorList()
        for i in range(n):
            values.append((i, [tf.cast(i, tf.float32) * 0.5]))
        if n > 2:
            values.append((7, [7.0]))
        return values

    check(program, 0, 2, 3)


def test_a_list_that_only_the_loop_makes() -> None:
    def program(n: Any) -> Any:
        for i in range(n):
            values = TensorList([tf.constant(1)])
            values.append(i + 1)
        return values

    check(program, 1, 3)
    with pytest.raises(UnboundLocalError):
        tf.function(program)(tf.constant(0))


def test_what_is_no_list_after_an_iteration() -> None:
    def program(n: Any) -> Any:
        values = TensorList([1])
        for i in range(n):
            values = i
        return values

    with pytest.raises(TypeError, match="'values' is a list that grows before the loop, and a value of type"):
        tf.function(program)(tf.constant(2))

    def dtypes(n: Any) -> Any:
        values = TensorList([tf.constant(1.5)])
        for i in range(n):
            values = TensorList([tf.constant(1)])
        return values

    with pytest.raises(TypeError, match="'values' does not keep the type of its elements"):
        tf.function(dtypes)(tf.constant(2))


def test_the_declared_type_holds_for_a_list_that_comes_to_grow() -> None:
    def grown(n, declared, shape):
        values = []
        autograph.set_element_type(values, declared, shape)
        for i in range(n):
            values.append(tf.cast(i, tf.float64))
        return autograph.stack(values)

    staged = tf.function(grown)
    assert staged(tf.constant(3), tf.float64, []).numpy().tolist() == [0.0, 1.0, 2.0]
    empty = staged(tf.constant(0), tf.float64, [])
    assert (empty.dtype, empty.shape) == (tf.float64, (0,))
    with pytest.raises(TypeError, match="the elements of the list are float32, a new one is float64"):
        staged(tf.constant(3), tf.float32, [])


def test_the_declared_type_holds_for_a_list_whose_length_is_known() -> None:
    def known(n, declared):
        values = []
        autograph.set_element_type(values, declared)
        values.append(n)
        return autograph.stack(values)

    assert tf.function(known)(tf.constant(3), tf.int32).numpy().tolist() == [3]
    with pytest.raises(ValueError, match="incompatible dtype; specified: float32, inferred from elements: int32"):
        tf.function(known)(tf.constant(3), tf.float32)
    with pytest.raises(ValueError, match="ambiguous annotations for set_element_type: int32.* and float32"):
        tf.function(lambda n: [autograph.set_element_type(LIST, d) for d in (tf.int32, tf.float32)])(tf.constant(1))


def test_a_list_of_rows_that_grows_is_a_matrix_for_numpy() -> None:
    programs = [
        lambda t: np.array([[x, x * 2] for x in t]),
        lambda t: np.array([(x, (x + 1) * 2, 0.5) for x in t]),
        lambda t: np.array([[[x, 1.0], [2.0, x]] for x in t]),
        lambda t: np.sum([[x, x * 2] for x in t], axis=0),
        lambda t: np.stack([[x, x * 2] for x in t]),
    ]
    values = np.array([1.5, 2.0, -3.0])
    for program in programs:
        staged = tf.function(program, input_signature=[tf.TensorSpec([None], tf.float64)])
        np.testing.assert_array_equal(staged(tf.constant(values)), program(values))


def test_the_truth_of_a_list_that_grows() -> None:
    def program(n: Any) -> Any:
        items = [v for v in range(n) if v > 2]
        return bool(items), 1 if bool(items) else 2, not items

    for n in (0, 3, 5):
        assert plain(tf.function(program)(tf.constant(n))) == program(n)
