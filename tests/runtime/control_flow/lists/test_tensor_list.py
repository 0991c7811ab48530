"""`TensorList`: a list of Python, as long as nobody looks; eagerly, in traces, as argument, result and state."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as tf
import runtime.control_flow.stager
from autograph.errors import StagingError
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.errors import InvalidArgumentError, OperatorNotAllowedInGraphError
from tests.runtime.comparing import plain


def python_list(value: Any) -> list[Any]:
    return list(value)


def edits(make: Any, x: Any, i: Any) -> Any:
    """What Python's list can do."""
    values = make([x, x + 1, x + 2])
    values.append(x * 2)
    values.insert(1, x * 3)
    values.insert(-100, -x)
    values.insert(100, x - 7)
    values.extend([x, 2 * x])
    first = values.pop()
    second = values.pop(i)
    values[i] = x * 100
    values[-1] = values[0] + values[-2]
    del values[0]
    other = values[1:-1] + [x]
    other += other[::-1]
    other.reverse()
    turned = values[i:]
    return [first, second, values[i], values, other, turned, values[: i + 1], [x] + values]


@pytest.mark.parametrize(("x", "i"), [(5, 0), (7, 2), (1, -2)])
def test_edits_are_those_of_a_python_list(x: int, i: int) -> None:
    wanted = edits(python_list, x, i)
    eager = edits(TensorList, tf.constant(x), tf.constant(i))
    assert [plain(list(v) if isinstance(v, TensorList) else v) for v in eager] == wanted
    staged = tf.function(lambda x, i: edits(TensorList, x, i))
    assert plain(staged(tf.constant(x), tf.constant(i))) == wanted
    assert plain(staged(tf.constant(9), tf.constant(1))) == edits(python_list, 9, 1)


def grow(n: Any) -> Any:
    values = TensorList([0.5])
    _, values = tf.while_loop(
        lambda i, values: i < n, lambda i, values: (i + 1, values + [tf.cast(i, tf.float32)]), [0, values]
    )
    return values


@pytest.mark.parametrize("n", (0, 1, 40))
def test_growth_in_a_loop_and_a_python_list_as_result(n: int) -> None:
    found = tf.function(grow)(tf.constant(n))
    assert type(found) is list and plain(found) == [0.5, *map(float, range(n))]
    assert tf.function(lambda n: {"a": (grow(n).stack(), None)})(tf.constant(n))["a"][0].shape == [n + 1]


def test_a_nested_function_gives_a_list_that_still_grows() -> None:
    inner = tf.function(grow)

    @tf.function
    def outer(n: Any) -> Any:
        values = inner(n)
        values.append(9.0)
        return values, tf.reduce_sum(values)

    values, total = outer(tf.constant(3))
    assert plain(values) == [0.5, 0.0, 1.0, 2.0, 9.0] and float(total) == 12.5


def test_branches() -> None:
    @tf.function
    def chosen(n: Any) -> Any:
        values = TensorList([1, 2, 3])
        return tf.cond(n > 2, lambda: values + [4], lambda: values[:1])

    assert plain(chosen(tf.constant(3))) == [1, 2, 3, 4] and plain(chosen(tf.constant(1))) == [1]


def test_branches_with_other_elements_are_refused() -> None:
    floats = tf.zeros([])
    with pytest.raises(TypeError, match="float32"):
        tf.function(lambda n: tf.cond(n > 2, lambda: TensorList([n]), lambda: TensorList([floats])))(tf.constant(1))


class Pair(NamedTuple):
    a: Any
    b: Any


def test_elements_may_be_structures() -> None:
    def program(x: Any) -> Any:
        values = TensorList()
        values.append(Pair(x, {"k": [1.0, 2.0]}))
        values.append(Pair(x + 1, {"k": [3.0, tf.cast(x, tf.float32) if tf.is_tensor(x) else x * 1.0]}))
        last = values.pop()
        values[0] = Pair(last.a, values[0].b)
        return last, values[0], values.stack()

    wanted = (Pair(6, {"k": [3.0, 5.0]}), Pair(6, {"k": [1.0, 2.0]}), Pair([6], {"k": [[1.0], [2.0]]}))
    for run in (program, tf.function(program)):
        found = plain(run(tf.constant(5)))
        assert found == wanted and type(found[0]) is Pair


def test_a_list_is_a_tensor_where_one_is_wanted() -> None:
    @tf.function
    def uses(x: Any) -> Any:
        values = TensorList([x, x + 1])
        return tf.reduce_sum(values), tf.convert_to_tensor(values), tf.stack(values), tf.add(values, 1), values.stack()

    assert plain(uses(tf.constant(3))) == (7, [3, 4], [3, 4], [4, 5], [3, 4])
    assert plain(tf.reduce_sum(TensorList([(1, 2), (3, 4)]))) == 10  # rows of tuples are a matrix
    with pytest.raises(TypeError, match="structures"):
        tf.reduce_sum(TensorList([{"a": 1}]))


@pytest.mark.parametrize("count", (0, 1, 3))
def test_stack_and_concat_of_lists_and_rows(count: int) -> None:
    def parts(n: Any) -> Any:
        rows = TensorList([], tf.int32, [2, 3])
        _, rows = tf.while_loop(
            lambda i, rows: i < n,
            lambda i, rows: (i + 1, rows + [tf.reshape(tf.range(6 * i, 6 * i + 6), [2, 3])]),
            [0, rows],
        )
        joined = [tf.concat(rows, axis) for axis in (0, 1, -1)]
        return [tf.stack(rows, axis) for axis in (0, 1, 2, -1)] + joined

    arrays = [np.arange(6 * i, 6 * i + 6, dtype=np.int32).reshape(2, 3) for i in range(count)]
    axes = [np.stack(arrays, axis) if count else np.zeros((2, 3), np.int32) for axis in (0, 1, 2, -1)]
    wanted = axes + [np.concatenate(arrays, axis) if count else None for axis in (0, 1, -1)]
    for run in (parts, tf.function(parts)):
        for found, expected in zip(run(tf.constant(count)), wanted, strict=True):
            if count:
                assert found.numpy().tolist() == expected.tolist()
            else:
                assert found.numpy().size == 0
    with pytest.raises(InvalidArgumentError, match="axis 5"):
        tf.concat(tf.constant([[1]]), 5)


def test_literals_take_the_dtype_of_the_tensors_beside_them() -> None:
    values = TensorList([1, 2])
    values.append(tf.constant(1.5))
    assert values.element_dtype is tf.float32 and plain(values.stack()) == [1.0, 2.0, 1.5]
    values.append(3)
    assert plain(values.stack())[-1] == 3.0
    with pytest.raises(TypeError, match=r"elements of the list are float32, a new one is int32.*runtime\.cast"):
        values.append(tf.constant(1))
    ints = TensorList([tf.constant(1)])
    with pytest.raises(TypeError, match="int32"):
        ints.append(1.5j)


def test_shapes_widen_unless_they_are_declared() -> None:
    values = TensorList([tf.zeros([2])])
    values.append(tf.zeros([3]))
    assert values.element_shape == tf.TensorShape([None]) and values[1].shape == [3]
    with pytest.raises(InvalidArgumentError, match=r"element 0 has shape \(2,\), element 1 \(3,\)"):
        values.stack()
    declared = TensorList([], tf.float32, [2])
    assert declared.stack().shape == [0, 2]
    with pytest.raises(ValueError, match=r"shape \(3,\).*\(2,\)"):
        declared.append(tf.zeros([3]))


def test_an_element_type_that_nobody_said() -> None:
    for use in (lambda l: l[0], lambda l: l.pop(), lambda l: l.stack()):
        with pytest.raises(StagingError, match="without knowing its element type.*set_element_type"):
            use(TensorList())


def test_set_element_type() -> None:
    values = TensorList()
    values.set_element_type(tf.float64, [])
    values.append(1)
    assert values[0].dtype is tf.float64
    literals = TensorList([1, 2])
    literals.set_element_type("float32")
    assert literals.stack().dtype is tf.float32
    with pytest.raises(ValueError, match="incompatible dtype; specified: int32, inferred"):
        values.set_element_type(tf.int32)
    with pytest.raises(ValueError, match="incompatible shape; specified"):
        TensorList([tf.zeros([2])]).set_element_type(tf.float32, [3])


@pytest.mark.parametrize(
    ("call", "message"),
    [(lambda l: l[3], "list index out of range"), (lambda l: l.pop(3), "pop index out of range"),
     (lambda l: l.__setitem__(3, 1), "list assignment index out of range"),
     (lambda l: l[:0].pop(), "pop from empty list")],
)  # fmt: skip
def test_positions_out_of_range(call: Any, message: str) -> None:
    def program(x: Any) -> Any:
        values = TensorList([x])
        result = call(values)
        return values if result is None else result

    for run in (program, tf.function(program)):
        with pytest.raises(IndexError, match=message):
            run(tf.constant(1))


def test_python_cannot_look_at_a_list_of_a_graph() -> None:
    for use in (len, bool, list, lambda l: [v for v in l]):
        with pytest.raises(OperatorNotAllowedInGraphError, match="A list that grows in a graph"):
            tf.function(lambda x, use=use: use(TensorList([x])), autograph=False)(tf.constant(1))
    values = TensorList([1, 2])
    assert len(values) == 2 and bool(values) and not values[:0] and plain(list(values)) == [1, 2]
    with pytest.raises(TypeError):
        hash(values)
    assert values == values and values == [1, 2] and values != [1, 2, 3] and 1 in values and values != 5


@pytest.mark.parametrize(
    "element", (object(), None, [object()]), ids=("object", "None", "list of an object")
)
def test_what_cannot_be_an_element(element: Any) -> None:
    with pytest.raises(TypeError, match="elements of a list that grows in a graph are tensors"):
        TensorList().append(element)


def test_a_list_as_argument_is_known_by_its_element_type() -> None:
    @tf.function
    def double(values: Any) -> Any:
        return values.stack() * 2

    assert plain(double(TensorList([1, 2]))) == [2, 4] and plain(double(TensorList([1, 2, 3]))) == [2, 4, 6]
    assert double.experimental_get_tracing_count() == 1
    assert plain(double(TensorList([1.5]))) == [3.0]
    assert double.experimental_get_tracing_count() == 2


def test_changes_of_a_list_from_outside_are_refused() -> None:
    outside = TensorList([1])

    @tf.function
    def captured(x: Any) -> Any:
        outside.append(x)
        return x

    @tf.function
    def given(values: Any, x: Any) -> Any:
        values.append(x)
        return x

    for call in (lambda: captured(tf.constant(1)), lambda: given(TensorList([1]), tf.constant(1))):
        with pytest.raises(StagingError, match=r"a list that was made outside of '\w+' is changed.*l.copy\(\)"):
            call()
    assert plain(list(outside)) == [1]

    @tf.function
    def copied(values: Any, x: Any) -> Any:
        values = values.copy()
        values.append(x)
        return values, outside[0]

    assert plain(copied(TensorList([1]), tf.constant(5))) == ([1, 5], 1)
