"""Datasets and iterators in Functions: loops, arguments, `next`, the end of data."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.library.data import Dataset
from tests.runtime.library.data.comparing import counted, elements

LONG = tf.TensorSpec([], tf.int64)


def nodes(function: Any, *args: Any) -> int:
    return len(function.get_concrete_function(*args).graph.as_graph_def().node)


def test_the_size_of_the_graph_does_not_depend_on_the_data() -> None:
    @tf.function
    def total(dataset: Any) -> Any:
        loss = tf.constant(0)
        for x, y in dataset:
            loss += tf.abs(y - x)
        return loss

    small, big = ([(1, 1)] * 3, [(1, 2)] * 1000)
    datasets = [Dataset.from_generator(lambda data=data: data, (tf.int32, tf.int32)) for data in (small, big)]
    assert nodes(total, datasets[0]) == nodes(total, datasets[1]) < 12
    assert [int(total(d)) for d in datasets] == [0, 1000]
    assert total.experimental_get_tracing_count() == 1, "the trace type is the element_spec"
    total(Dataset.from_tensor_slices(([1], [2])))
    assert total.experimental_get_tracing_count() == 2


def both(function: Any, *args: Any) -> tuple[Any, Any]:
    """What a function gives in Python, and as a Function."""
    return function(*args), tf.function(function)(*args)


def test_break_continue_return_and_else() -> None:
    def search(dataset: Any, wanted: int) -> Any:
        seen = tf.constant(0, tf.int64)
        for x in dataset:
            if x % 2 == 0:
                continue
            seen += x
            if x == wanted:
                break
        else:
            seen = -seen
        return seen

    def find(dataset: Any, wanted: int) -> Any:
        for i, x in enumerate(dataset):
            if x == wanted:
                return i
        return -1

    for wanted in (5, 6, 50):
        eager, staged = both(search, Dataset.range(10), wanted)
        assert int(eager) == int(staged)
        eager, staged = both(find, Dataset.range(10), wanted)
        assert int(eager) == int(staged)
    eager, staged = both(search, Dataset.range(0), 1)
    assert int(eager) == int(staged) == 0


def test_a_loop_that_is_left_takes_nothing_more() -> None:
    @tf.function
    def first_above(iterator: Any, limit: Any) -> Any:
        for x in iterator:
            if x > limit:
                return x
        return tf.constant(-1, tf.int64)

    iterator = iter(Dataset.range(8))
    assert [int(first_above(iterator, limit)) for limit in (2, 0, 5, 9)] == [3, 4, 6, -1]
    assert first_above.experimental_get_tracing_count() == 3  # two for the first numbers, one for all others


def test_tuples_and_dicts_as_elements() -> None:
    def total(dataset: Any) -> Any:
        a, b = tf.constant(0.0), tf.constant(0.0)
        for row, (x, y) in dataset:
            a += row["v"] * x
            b += y
        return a, b

    values = np.arange(4, dtype=np.float32)
    dataset = Dataset.from_tensor_slices(({"v": values}, (values, values * 2)))
    for result in both(total, dataset):
        assert [float(t) for t in result] == [14.0, 12.0]


def test_rows_of_tensors_are_unpacked() -> None:
    def total(dataset: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for a, b in dataset:
            s += a * b
        return s

    for result in both(total, Dataset.from_tensor_slices(np.arange(6).reshape(3, 2))):
        assert int(result) == 0 * 1 + 2 * 3 + 4 * 5


def test_nested_loops_and_datasets_made_inside() -> None:
    @tf.function(input_signature=[LONG, LONG])
    def total(n: Any, k: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x, y in Dataset.zip((Dataset.range(n), Dataset.range(n).map(lambda z: z * k))):
            for w in Dataset.range(x).batch(2):
                s += tf.reduce_sum(w) * y
        return s

    for n, k in ((0, 1), (5, 3), (7, -2)):
        assert int(total(n, k)) == sum(w * x * k for x in range(n) for w in range(x))


def test_a_dataset_from_outside_begins_anew_with_each_call() -> None:
    outside = Dataset.range(5).shuffle(5, seed=1)

    @tf.function
    def total() -> Any:
        s = tf.constant(0, tf.int64)
        for x in outside:
            s += x
        return s

    assert [int(total()) for _ in range(3)] == [10, 10, 10]


def test_datasets_are_results_and_choices() -> None:
    @tf.function
    def chosen(flag: Any, n: Any) -> Any:
        if flag:
            dataset = Dataset.range(n)
        else:
            dataset = Dataset.range(n).map(lambda x: x * 10)
        return dataset

    for flag, wanted in ((True, [0, 1, 2]), (False, [0, 10, 20])):
        assert elements(chosen(tf.constant(flag), tf.constant(3, tf.int64))) == wanted


def test_functions_in_a_graph_use_tensors_and_variables_around_them() -> None:
    weight = tf.Variable(3, dtype=tf.int64)

    @tf.function(input_signature=[LONG])
    def total(k: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x in Dataset.range(4).map(lambda x: x * k + weight).filter(lambda x: x > k):
            weight.assign_add(1)
            s += x
        return s

    def plain(k: int, w: int) -> int:
        s = 0
        for x in range(4):
            v = x * k + w
            if v > k:
                w += 1
                s += v
        return s

    assert int(total(2)) == plain(2, 3)
    weight.assign(0)
    assert int(total(5)) == plain(5, 0)


def test_order_among_effects_is_that_of_the_program(capfd: Any) -> None:
    @tf.function
    def run(dataset: Any) -> None:
        for x in dataset:
            tf.print("got", x)

    def noisy(x: Any) -> Any:
        tf.print("made", x)
        return x

    run(Dataset.range(2).map(noisy))
    assert capfd.readouterr().err.split() == "made 0 got 0 made 1 got 1".split()


def test_reduce_in_a_graph() -> None:
    @tf.function(input_signature=[LONG])
    def product(n: Any) -> Any:
        return Dataset.range(1, n + 1).reduce(tf.constant(1, tf.int64), lambda s, x: s * x)

    assert [int(product(n)) for n in (0, 1, 5)] == [1, 1, 120]


def test_training_loops_over_datasets() -> None:
    w = tf.Variable([0.0, 0.0])
    x = np.array([[1, 0], [0, 1], [1, 1]], np.float32)
    data = Dataset.from_tensor_slices((x, x @ np.array([2, -3], np.float32)))

    @tf.function
    def train(dataset: Any) -> Any:
        for row, label in dataset:
            error = tf.reduce_sum(row * w) - label
            w.assign_sub(0.3 * error * row)
        return w

    train(data.repeat(200))
    assert np.allclose(w.numpy(), [2, -3], atol=1e-3)


def test_a_loop_that_is_left_has_no_more_elements_made() -> None:
    calls: list[int] = []
    dataset = Dataset.from_generator(counted(calls, 9), output_signature=LONG)

    @tf.function
    def total(dataset: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x in dataset:
            s += x
            if x == 2:
                break
        return s

    assert int(total(dataset)) == 3
    assert calls == [0, 1, 2]


def test_what_a_dataset_remembers_is_made_anew_where_python_makes_it_anew() -> None:
    """Cached elements, and the number of the pass that an order depends on: each call makes datasets of its own."""
    made: list[int] = []

    def generator() -> Any:
        made.append(1)
        yield from (1, 2, 3)

    numbers = tf.TensorSpec([], tf.int64)

    def cached(n: Any) -> Any:
        return list(Dataset.range(n).cache())

    def passes(n: Any) -> Any:
        dataset = Dataset.range(n).shuffle(9, seed=4)
        return [x for _ in range(2) for x in dataset]

    def constant() -> Any:
        dataset = Dataset.range(7).shuffle(9, seed=4)
        return [x for _ in range(2) for x in dataset] + list(Dataset.random(3, True).take(2))

    def generated() -> Any:
        dataset = Dataset.from_generator(generator, output_signature=numbers).cache()
        return [x for _ in range(2) for x in dataset]

    def inner() -> Any:
        return list(Dataset.range(3).flat_map(lambda n: Dataset.range(5).shuffle(5, seed=1)))

    for function, arguments in ((cached, (3, 5)), (passes, (4, 6)), (constant, (None,)), (generated, (None,)),
                                (inner, (None,))):  # fmt: skip
        staged = tf.function(function)
        for argument in (*arguments, *arguments):
            given = () if argument is None else (tf.constant(argument, tf.int64),)
            made.clear()
            eager, count = [int(x) for x in function(*given)], len(made)
            assert [int(x) for x in staged(*given)] == eager
            assert len(made) == 2 * count
    outside = Dataset.range(6).shuffle(6, seed=4)
    order = tf.function(lambda: list(outside))
    assert [int(x) for x in order()] != [int(x) for x in order()], "these are two passes over one dataset"
