"""Iterators in Functions: arguments, `next`, the end of data, Python's builtins over them."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from runtime.library.data import Dataset

LONG = tf.TensorSpec([], tf.int64)


def both(function: Any, *args: Any) -> tuple[Any, Any]:
    """What a function gives in Python, and as a Function."""
    return function(*args), tf.function(function)(*args)


def test_iterators_advance_with_each_call_in_one_trace() -> None:
    @tf.function
    def consume(iterator: Any) -> Any:
        return next(iterator)

    first, second = iter(Dataset.range(3)), iter(Dataset.range(10, 13))
    assert [int(consume(i)) for i in (first, first, second, first)] == [0, 1, 10, 2]
    assert int(next(second)) == 11
    assert consume.experimental_get_tracing_count() == 1
    with pytest.raises(StopIteration) as error:
        consume(first)
    assert isinstance(error.value, tf.errors.OutOfRangeError)
    assert "in consume" in error.value.__notes__[0]


def test_the_same_iterator_twice() -> None:
    @tf.function
    def pair(a: Any, b: Any) -> Any:
        x = next(a)
        y = next(b)
        return x, y, next(a)

    iterator = iter(Dataset.range(9))
    assert [int(x) for x in pair(iterator, iterator)] == [0, 1, 2]
    assert [int(x) for x in pair(iterator, iter(Dataset.range(9)))] == [3, 0, 4]


def test_an_iterator_of_a_closure() -> None:
    iterator = iter(Dataset.range(4))

    @tf.function
    def consume() -> Any:
        return next(iterator)

    assert [int(consume()), int(next(iterator)), int(consume())] == [0, 1, 2]


def test_the_end_of_data_is_caught_in_a_graph() -> None:
    @tf.function
    def or_minus_one(iterator: Any) -> Any:
        try:
            x = next(iterator)
        except StopIteration:
            x = tf.constant(-1, tf.int64)
        return x

    @tf.function
    def out_of_range(iterator: Any) -> Any:
        try:
            return next(iterator)
        except tf.errors.OutOfRangeError:
            return tf.constant(-2, tf.int64)

    @tf.function
    def default(iterator: Any) -> Any:
        return next(iterator, tf.constant(-3, tf.int64))

    for function, last in ((or_minus_one, -1), (out_of_range, -2), (default, -3)):
        iterator = iter(Dataset.range(2))
        assert [int(function(iterator)) for _ in range(4)] == [0, 1, last, last]


def test_loops_that_only_the_end_of_data_ends() -> None:
    """`while True` around a `next` is one loop of the graph, whatever its Python variables do."""

    @tf.function
    def total(iterator: Any) -> Any:
        s, count = tf.constant(0, tf.int64), 0
        try:
            while True:
                s += next(iterator)
                count += 1
        except StopIteration:
            pass
        return s, count

    @tf.function
    def products(rows: Any) -> Any:
        s = tf.constant(0, tf.int64)
        try:
            while True:
                x, columns = next(rows), iter(Dataset.range(4))
                try:
                    while True:
                        s += x * next(columns)
                except tf.errors.OutOfRangeError:
                    s += 1
        except StopIteration:
            return s

    @tf.function
    def epoch(iterator: Any) -> Any:
        while True:
            seen.assign_add(next(iterator))

    for n in (0, 1, 7):
        assert [int(x) for x in total(iter(Dataset.range(n)))] == [sum(range(n)), n]
        assert int(products(iter(Dataset.range(n)))) == sum(x * y for x in range(n) for y in range(4)) + n
    assert total.experimental_get_tracing_count() == 1
    seen = tf.Variable(0, dtype=tf.int64)
    with pytest.raises(tf.errors.OutOfRangeError) as caught:
        epoch(iter(Dataset.range(5)))
    assert int(seen) == 10 and "epoch" in caught.value.__notes__[0]


def test_eager_next_and_its_end() -> None:
    iterator = iter(Dataset.range(1))
    assert int(next(iterator)) == 0
    assert next(iterator, None) is None
    for kind in (StopIteration, tf.errors.OutOfRangeError, tf.errors.EndOfDataError):
        with pytest.raises(kind, match="End of sequence"):
            next(iterator)


def test_an_iterator_made_in_a_graph() -> None:
    @tf.function(input_signature=[LONG])
    def pairs(n: Any) -> Any:
        iterator = iter(Dataset.range(n))
        s = tf.constant(0, tf.int64)
        for x in iterator:
            s = s * 100 + x * 10 + next(iterator, tf.constant(9, tf.int64))
        return s

    assert [int(pairs(n)) for n in (0, 1, 4, 5)] == [0, 9, 123, 12349]


def test_elements_as_lists_sums_and_comprehensions() -> None:
    def several(dataset: Any) -> Any:
        doubled = [x * 2 for x in dataset if x > 1]
        return doubled, sum(dataset), list(dataset), max(dataset), any(x > 3 for x in dataset)

    for result in both(several, Dataset.range(4)):
        doubled, total, items, largest, found = result
        assert [int(x) for x in doubled] == [4, 6] and [int(x) for x in items] == [0, 1, 2, 3]
        assert (int(total), int(largest), bool(found)) == (6, 3, False)


def test_map_filter_and_zip_of_python_over_datasets() -> None:
    def total(a: Any, b: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x in map(lambda v: v * v, filter(lambda v: v % 2 == 1, a)):
            s += x
        for x, y in zip(a, b):
            s += x * y
        return s

    wanted = 1 + 9 + 25 + sum(x * y for x, y in zip(range(6), range(1, 5)))
    for result in both(total, Dataset.range(6), Dataset.range(1, 5)):
        assert int(result) == wanted


def test_zip_takes_from_iterators_as_python_does() -> None:
    def both_ways(a: Any, b: Any, numbers: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x, y, n in zip(a, b, numbers):
            s = s * 10 + x + y * n
        return s, next(a, tf.constant(-1, tf.int64)), next(b, tf.constant(-1, tf.int64))

    def plain(a: Any, b: Any, numbers: Any) -> Any:
        s = 0
        for x, y, n in zip(a, b, numbers):
            s = s * 10 + x + y * n
        return [s, next(a, -1), next(b, -1)]

    staged = tf.function(both_ways)
    for i, j, k in ((5, 3, 9), (3, 5, 9), (5, 5, 2), (4, 4, 4), (0, 2, 3)):
        numbers = list(range(1, k + 1))
        wanted = plain(iter(range(i)), iter(range(j)), iter(numbers))
        given = tf.constant(numbers, tf.int64)
        for function in (both_ways, staged):
            found = function(iter(Dataset.range(i)), iter(Dataset.range(j)), given)
            assert [int(x) for x in found] == wanted


def test_zip_over_one_iterator_twice_is_refused() -> None:
    @tf.function
    def pairs(iterator: Any) -> Any:
        s = tf.constant(0, tf.int64)
        for x, y in zip(iterator, iterator):
            s += x * y
        return s

    with pytest.raises(Exception, match="dataset.batch"):
        pairs(iter(Dataset.range(4)))
