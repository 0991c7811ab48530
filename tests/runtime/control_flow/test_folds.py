"""map_fn, foldl, foldr and scan against plain Python, eager and in Functions."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import runtime as tf

WAYS = pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "staged"])


@WAYS
def test_map_fn_stacks_the_results(way: Any) -> None:
    squares = way(lambda x: tf.map_fn(lambda row: row * row, x))
    assert squares(tf.constant([1, 2, 3])).numpy().tolist() == [1, 4, 9]
    assert squares(tf.constant([[1.0], [2.0]])).numpy().tolist() == [[1.0], [4.0]]
    assert squares(tf.zeros([0, 2])).shape == [0, 2]


@WAYS
def test_map_fn_over_structures_and_to_other_types(way: Any) -> None:
    @way
    def several(a: Any, b: Any) -> Any:
        signature = {"sum": tf.float32, "big": tf.TensorSpec([], tf.bool)}
        return tf.map_fn(
            lambda row: {"sum": row[0] + row[1], "big": row[0] > 1.5}, (a, b), fn_output_signature=signature
        )

    made = several(tf.constant([1.0, 2.0]), tf.constant([10.0, 20.0]))
    assert made["sum"].numpy().tolist() == [11.0, 22.0] and made["big"].numpy().tolist() == [False, True]


@WAYS
def test_control_flow_in_the_function_is_staged(way: Any) -> None:
    def collatz(n: Any) -> Any:
        steps = tf.constant(0)
        while n > 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps

    assert way(lambda x: tf.map_fn(collatz, x))(tf.constant([1, 6, 27])).numpy().tolist() == [0, 8, 111]


@WAYS
def test_results_of_map_fn_may_have_another_shape_than_the_rows(way: Any) -> None:
    products = way(lambda x: tf.map_fn(lambda row: tf.reduce_prod(row), x))
    rows = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert products(rows).numpy().tolist() == [6, 120]
    assert way(lambda x: tf.map_fn(lambda row: tf.stack([row, row]), x))(rows).shape == (2, 2, 3)
    with tf.GradientTape() as tape:
        tape.watch(rows)
        result = products(rows)
    assert tape.gradient(result, rows).numpy().tolist() == [[6, 3, 2], [30, 24, 20]]


def test_map_fn_of_no_rows_has_the_shape_that_the_function_gives() -> None:
    spec = [tf.TensorSpec([None, 3], tf.float32)]
    doubled = tf.function(lambda x: tf.map_fn(lambda row: row * 2, x), input_signature=spec)
    summed = tf.function(lambda x: tf.scan(lambda s, row: s + tf.reduce_sum(row), x, 0.0), input_signature=spec)
    for rows in (0, 2):
        assert doubled(tf.ones([rows, 3])).shape == (rows, 3)
        assert summed(tf.ones([rows, 3])).numpy().tolist() == [3.0 * (i + 1) for i in range(rows)]


def test_the_graph_of_map_fn_does_not_grow() -> None:
    @tf.function
    def squares(x: Any) -> Any:
        return tf.map_fn(lambda row: row * row, x)

    sizes = {len(squares.get_concrete_function(tf.TensorSpec([n], tf.int32)).graph.operations) for n in (2, 2000)}
    assert len(sizes) == 1
    unknown = squares.get_concrete_function(tf.TensorSpec([None], tf.int32))
    assert unknown(tf.constant([3, 4])).numpy().tolist() == [9, 16]


@WAYS
@pytest.mark.parametrize("n", [1, 2, 5])
def test_folds_are_those_of_python(way: Any, n: int) -> None:
    numbers = list(range(1, n + 1))

    def step(a: Any, x: Any) -> Any:
        return a * 3 - x

    x = tf.constant(numbers)
    assert int(way(lambda x: tf.foldl(step, x))(x)) == list(itertools.accumulate(numbers, step))[-1]
    assert int(way(lambda x: tf.foldl(step, x, 7))(x)) == list(itertools.accumulate(numbers, step, initial=7))[-1]
    back = numbers[::-1]
    assert int(way(lambda x: tf.foldr(step, x))(x)) == list(itertools.accumulate(back, step))[-1]
    assert way(lambda x: tf.scan(step, x))(x).numpy().tolist() == list(itertools.accumulate(numbers, step))
    found = way(lambda x: tf.scan(step, x, initializer=7))(x).numpy().tolist()
    assert found == list(itertools.accumulate(numbers, step, initial=7))[1:]
    found = way(lambda x: tf.scan(step, x, reverse=True))(x).numpy().tolist()
    assert found == list(itertools.accumulate(back, step))[::-1]


@WAYS
def test_a_fold_over_no_rows_is_its_initializer(way: Any) -> None:
    empty = tf.zeros([0], tf.int32)
    assert int(way(lambda x: tf.foldl(lambda a, b: a + b, x, 7))(empty)) == 7
    assert way(lambda x: tf.scan(lambda a, b: a + b, x, 7))(empty).shape == [0]
    with pytest.raises(ValueError, match="initializer is needed"):
        tf.foldl(lambda a, b: a + b, empty)


@WAYS
def test_scan_over_structures(way: Any) -> None:
    @way
    def fibonacci(n: Any) -> Any:
        return tf.scan(lambda pair, _: (pair[1], pair[0] + pair[1]), n, initializer=(0, 1))[0]

    assert fibonacci(tf.zeros([8])).numpy().tolist() == [1, 1, 2, 3, 5, 8, 13, 21]


def test_gradients_go_through() -> None:
    x = tf.constant([1.0, 2.0, 3.0])

    @tf.function
    def product(x: Any) -> Any:
        return tf.foldl(lambda a, b: a * b, x) + tf.reduce_sum(tf.map_fn(lambda row: row**3, x))

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = product(x)
    assert tape.gradient(y, x).numpy().tolist() == [6.0 + 3.0, 3.0 + 12.0, 2.0 + 27.0]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: tf.map_fn(lambda x: (x, x), tf.constant([1])), ValueError, "another structure"),
        (lambda: tf.map_fn(lambda x: x, tf.constant(1)), ValueError, "a scalar has none"),
        (lambda: tf.map_fn(lambda x: x[0], (tf.constant([1]), tf.constant([1, 2]))), ValueError, r"rows: \[1, 2\]"),
        (lambda: tf.map_fn(3, tf.constant([1])), TypeError, "a function was expected"),
        (lambda: tf.map_fn(lambda x: x * 1.5, tf.constant([1.0]), fn_output_signature=tf.int32), ValueError, "int32"),
    ],
)
def test_mistakes_are_named(call: Any, kind: type, words: str) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_arrays_and_lists_of_numbers_are_one_tensor() -> None:
    assert tf.map_fn(lambda x: x + 1, [1, 2]).numpy().tolist() == [2, 3]
    assert tf.map_fn(lambda x: x + 1, np.array([1, 2])).numpy().tolist() == [2, 3]
    a, b = tf.map_fn(lambda row: [row[1], row[0]], [tf.constant([1, 2]), tf.constant([3, 4])])
    assert (a.numpy().tolist(), b.numpy().tolist()) == ([3, 4], [1, 2])


@pytest.mark.parametrize("way", [lambda f: f, tf.function])
def test_results_of_another_shape_than_the_rows(way: Any) -> None:
    x = tf.constant([[1.0, 2.0, 4.0], [3.0, 4.0, 5.0]])
    assert way(lambda x: tf.map_fn(tf.reduce_sum, x))(x).numpy().tolist() == [7.0, 12.0]
    assert way(lambda x: tf.map_fn(lambda r: tf.concat([r, r], 0), x))(x).shape == (2, 6)
    assert way(lambda x: tf.map_fn(lambda r: r * 2.0, x))(x[:0]).shape == (0, 3)


def test_the_shape_of_no_results_is_known_in_a_graph() -> None:
    unknown = tf.function(
        lambda x: (tf.map_fn(tf.reduce_sum, x), tf.map_fn(lambda r: tf.ones([2, 5]), x)),
        input_signature=[tf.TensorSpec([None, 3], tf.float32)],
    )
    assert [y.shape for y in unknown(tf.zeros([0, 3]))] == [(0,), (0, 2, 5)]
    assert [y.shape for y in unknown(tf.zeros([4, 3]))] == [(4,), (4, 2, 5)]


@pytest.mark.parametrize("way", [lambda f: f, tf.function])
def test_results_of_different_lengths_are_rows_of_a_ragged_tensor(way: Any) -> None:
    spec = tf.RaggedTensorSpec
    ranges = way(lambda n: tf.map_fn(tf.range, n, fn_output_signature=spec([None], tf.int32)))
    for lengths in ([3, 5, 0, 2], [0], []):
        assert ranges(tf.constant(lengths, tf.int32)).to_list() == [list(range(n)) for n in lengths]
    triangles = way(lambda n: tf.map_fn(lambda n: tf.ragged.range(tf.range(n)), n, spec([None, None], tf.int32)))
    assert triangles(tf.constant([3, 0, 2])).to_list() == [[[], [0], [0, 1]], [], [[], [0]]]
    pairs = way(lambda n: tf.map_fn(lambda n: (tf.fill([n, 2], n), -n), n, (spec([None, 2], tf.int32, 0), tf.int32)))
    ragged, negative = pairs(tf.constant([2, 0, 1]))
    assert ragged.to_list() == [[[2, 2], [2, 2]], [], [[1, 1]]] and negative.numpy().tolist() == [-2, 0, -1]
    rows = tf.ragged.constant([[[1, 2], [3]], [], [[4]]])
    assert way(lambda x: tf.map_fn(lambda row: row + 1, x))(rows).to_list() == [[[2, 3], [4]], [], [[5]]]
    for wrong in (lambda n: tf.ragged.range(tf.range(n)), lambda n: n):
        with pytest.raises(TypeError, match="asks for RaggedTensorSpec"):
            way(lambda n, f=wrong: tf.map_fn(f, n, fn_output_signature=spec([None], tf.int32)))(tf.constant([2]))

    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            made = tf.map_fn(lambda n: x[:n] * x[0], tf.constant([1, 3, 0]), spec([None], tf.float32))
            y = tf.reduce_sum(made.flat_values**2)
        return tape.gradient(y, x)

    # x0^4 + x0^2 (x0^2 + x1^2 + x2^2)
    assert way(gradient)(tf.constant([1.0, 2.0, 3.0])).numpy().tolist() == [4 + 4 + 2 * 13, 4.0, 6.0]


@WAYS
def test_a_function_that_shows_its_row_and_raises(way: Any, capfd: pytest.CaptureFixture[str]) -> None:
    def shown(row: Any) -> Any:
        tf.print("row", row)
        if row > 1:
            raise ValueError("large")
        raise ValueError("small")

    mapped = way(lambda x: tf.map_fn(shown, x))
    assert mapped(tf.zeros([0], tf.int32)).numpy().tolist() == []
    with pytest.raises(ValueError, match="large"):
        mapped(tf.constant([2, 1]))
    assert capfd.readouterr().err == "row 2\n"
