"""Functions of one row on all rows together: the same as row by row."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.data import Dataset
from runtime.library.data.blocks import Block
from runtime.library.data.functions import trace_elements
from runtime.library.data.structure import Structure
from tests.runtime.library.data.comparing import elements

MATRIX = np.arange(12, dtype=np.float32).reshape(3, 4) / 7
TABLE = tf.constant(np.arange(20).reshape(10, 2))

EXACT: list[Any] = [
    lambda x: x * 2 + 1,
    lambda x: tf.sin(x) * tf.exp(-x) + tf.sqrt(x),
    lambda x: tf.where(x > 0.5, x, -x),
    lambda x: x if x[0, 0] > 0.5 else -x,
    lambda x: x[1] + x[:, 2:3],
    lambda x: x[..., ::-1] + x[0, 1],
    lambda x: tf.reduce_max(x, axis=1) - tf.reduce_min(x, axis=0)[0],
    lambda x: tf.transpose(x),
    lambda x: tf.reshape(x, [2, -1]),
    lambda x: tf.concat([x, x * 2], axis=1),
    lambda x: tf.stack([x, x], axis=-1),
    lambda x: tf.expand_dims(x, -1) + tf.squeeze(tf.expand_dims(x, 0))[0, 0],
    lambda x: tf.tile(x, [2, 1]),
    lambda x: tf.broadcast_to(x[:, :1], [3, 5]),
    lambda x: tf.split(x, 2, axis=1)[1],
    lambda x: tf.unstack(x, axis=1)[2],
    lambda x: tf.one_hot(tf.cast(x[0] * 5, tf.int32), 4),
    lambda x: tf.gather(TABLE, tf.cast(x[:, 0] * 5, tf.int32)),
    lambda x: tf.argmax(x, axis=1) + tf.argmin(x, axis=-1),
    lambda x: tf.cast(x > 0.5, tf.int32) * 3,
    lambda x: tf.reduce_any(x > 0.5, axis=0),
    lambda x: (x, {"twice": x * 2}),
    lambda x: tf.zeros_like(x) + tf.constant(MATRIX),
    lambda x: tf.constant(1.0),
    lambda x: tf.cast(tf.shape(x)[0], tf.float32) * x,
    lambda x: tf.pad(x, [[1, 0], [0, 2]], constant_values=3.0),
    lambda x: tf.reverse(x, [1]) + tf.roll(x, 1, 0) + tf.roll(x, [1, 2], [1, 0]),
    lambda x: tf.gather(x, [1, 0, 1], axis=-1) + x[:, 1:],
    lambda x: x[tf.constant([2, 0])] + x[1],
    lambda x: x[1, tf.constant([2, 0])] + x[tf.constant([1, 2]), tf.constant([0, 3])],
    lambda x: tf.linalg.diag_part(x) + tf.linalg.diag(x[:, 0])[1] + tf.linalg.diag_part(tf.linalg.band_part(x, 0, 1)),
    lambda x: tf.linalg.set_diag(x, x[:, 3]),
    lambda x: tf.add_n([x, x * 2, x]),
    lambda x: tf.gather_nd(x, [[0, 1], [2, 3]]) + tf.gather_nd(x, [[1], [0]])[:, 2],
    lambda x: tf.gather_nd(MATRIX, tf.cast(x[:, :2] * 3, tf.int32)),
    lambda x: tf.cast(tf.size(x) + tf.rank(x), tf.float32) + x,
    lambda x: tf.sort(x, axis=1) + tf.sort(x, axis=0, direction="DESCENDING"),
    lambda x: tf.argsort(x, axis=0) + tf.math.count_nonzero(x > 0.3, axis=0, dtype=tf.int32),
    lambda x: tf.math.top_k(x, 2),
    lambda x: tf.slice(x, [1, 0], [2, -1]) + tf.fill([2, 4], x[0, 0]),
    lambda x: tf.ensure_shape(x, [3, None]) + tf.nn.bias_add(x, [1.0, 2.0, 3.0, 4.0]),
    lambda x: tf.math.segment_max(x, [0, 0, 1]) + tf.math.unsorted_segment_min(x, [1, 0, 1], 2),
    lambda x: tf.tensor_scatter_nd_max(x, [[0], [1]], x[1:]) + tf.tensor_scatter_nd_min(x, [[0, 1]], [x[2, 2]]),
    lambda x: tf.gather_nd(x, tf.cast(x[:, :1] * 3, tf.int32)) + tf.gather(x, tf.cast(x[:, 0] * 3, tf.int32)),
    lambda x: tf.gather(TABLE, tf.cast(x[:, 0] * 2, tf.int32), axis=1),
    lambda x: x[tf.cast(x[0, 0] * 3, tf.int32), 1] + x[:, tf.cast(x[0, 1] * 4, tf.int32)],
    lambda x: x[tf.cast(x[:2, 0] * 3, tf.int32)] + x[1:, tf.newaxis][0],
    lambda x: x[..., tf.cast(x[0, 1] * 4, tf.int32)] + MATRIX[tf.cast(x[0, 1] * 3, tf.int32), 1:],
]

CLOSE: list[Any] = [
    lambda x: tf.matmul(x, tf.constant(MATRIX), transpose_b=True),
    lambda x: tf.matmul(tf.constant(MATRIX), x, transpose_a=True),
    lambda x: tf.matmul(x, x, transpose_b=True),
    lambda x: tf.nn.softmax(x),
    lambda x: tf.cumsum(x, axis=1),
    lambda x: tf.reduce_sum(x, axis=[0, 1]),
    lambda x: tf.reduce_mean(x, axis=-1, keepdims=True),
    lambda x: tf.reduce_logsumexp(x),
    lambda x: tf.einsum("ij,kj->ik", x, MATRIX),
    lambda x: tf.linalg.cholesky(tf.matmul(x, x, transpose_b=True) + tf.eye(3)),
    lambda x: tf.linalg.solve(tf.matmul(x, x, transpose_b=True) + tf.eye(3), x),
    lambda x: tf.tensor_scatter_nd_add(x, [[0, 1], [0, 1]], x[0, :2]),
    lambda x: tf.tensor_scatter_nd_update(tf.constant(MATRIX), [[0], [2]], x[:2]),
    lambda x: tf.scatter_nd([[1], [3]], x[:2], [5, 4]),
    lambda x: tf.math.unsorted_segment_sum(x, [1, 0, 1], 2),
    lambda x: tf.math.cumulative_logsumexp(x, axis=1),
    lambda x: tf.linalg.det(x[:, :3]) + tf.linalg.trace(x[:, :3]) + tf.linalg.slogdet(x[:, :3])[1],
    lambda x: tf.linalg.triangular_solve(x[:, :3] + tf.eye(3), x),
    lambda x: tf.linalg.eigvalsh(x[:, :3] + tf.transpose(x[:, :3])) + tf.linalg.svd(x)[0],
    lambda x: tf.abs(tf.linalg.qr(x)[1]),
    lambda x: tf.nn.softmax_cross_entropy_with_logits(x, x * 2) + tf.nn.sigmoid_cross_entropy_with_logits(x, x)[:, 0],
    lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0, 3], x),
    lambda x: tf.math.segment_sum(x, [0, 0, 1]) * tf.math.segment_mean(x, [0, 1, 1]),
    lambda x: tf.math.segment_prod(x, [0, 0, 1]),
    lambda x: tf.math.unsorted_segment_mean(x, [1, 0, 1], 2) * tf.math.unsorted_segment_prod(x, [1, 0, 1], 2),
    lambda x: tf.math.unsorted_segment_sqrt_n(x, [1, 0, 1], 2) - tf.tensor_scatter_nd_sub(x, [[1]], [x[0]])[1:],
    lambda x: tf.nn.conv2d(tf.reshape(x, [1, 3, 4, 1]), tf.ones([2, 2, 1, 2]), 1, "SAME"),
    lambda x: tf.nn.max_pool2d(tf.reshape(x, [1, 3, 4, 1]), 2, 1, "SAME"),
    lambda x: tf.nn.avg_pool2d(tf.reshape(x, [1, 3, 4, 1]), 2, 1, "VALID"),
]

DATA = np.random.default_rng(3).random((7, 3, 4)).astype(np.float32)


def flat(value: Any) -> list[Any]:
    return [np.asarray(leaf) for leaf in tf.nest.flatten(value)]


@pytest.mark.parametrize("number", range(len(EXACT) + len(CLOSE)))
@pytest.mark.parametrize("rows", [7, 1, 0])
def test_vectorized_map_is_map_fn_without_a_loop(number: int, rows: int) -> None:
    function = [*EXACT, *CLOSE][number]
    x = tf.constant(DATA[:rows])
    wanted = [flat(function(row)) for row in tf.constant(DATA)][:rows]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no fall back
        eager = flat(tf.vectorized_map(function, x))
        staged_map = tf.function(lambda x: tf.vectorized_map(function, x))
        staged = flat(staged_map(x))
        open_shape = flat(staged_map.get_concrete_function(tf.TensorSpec([None, 3, 4], tf.float32))(x))
    for found in (eager, staged, open_shape):
        for i, column in enumerate(found):
            assert len(column) == rows
            for row, expected in zip(column, wanted, strict=True):
                assert row.shape == expected[i].shape and row.dtype == expected[i].dtype
                assert np.allclose(row, expected[i], rtol=1e-5, atol=1e-6)


def test_nothing_is_left_of_the_loop() -> None:
    concrete = tf.function(lambda x: tf.vectorized_map(lambda r: r if r > 0 else -r, x)).get_concrete_function(
        tf.TensorSpec([None], tf.float32)
    )
    assert not {"while", "cond"} & {operation.type for operation in concrete.graph.operations}


@pytest.mark.parametrize("function", EXACT)
def test_blocks_of_a_dataset_are_what_single_elements_are_bit_by_bit(function: Any) -> None:
    traced = trace_elements(function, [Structure(tf.TensorSpec([3, 4], tf.float32))], "map", None)  # type: ignore[arg-type]
    run = traced.bind(())
    block = Block([DATA], len(DATA))
    made = run.block(block)
    assert made is not None, "this function has a form for blocks"
    for whole, single in zip(made.rows(), run.rows(block), strict=True):
        for a, b in zip(whole, single, strict=True):
            assert a.dtype == b.dtype and a.tobytes() == b.tobytes() and a.shape == b.shape


@pytest.mark.parametrize("function", CLOSE)
def test_what_depends_on_how_many_there_are_is_done_one_by_one_in_datasets(function: Any) -> None:
    traced = trace_elements(function, [Structure(tf.TensorSpec([3, 4], tf.float32))], "map", None)  # type: ignore[arg-type]
    assert not traced.bind(()).vectorized
    assert len(elements(Dataset.from_tensor_slices(DATA).map(function))) == 7


def test_integers_are_the_same_bit_by_bit() -> None:
    numbers = np.array([-7, -1, 0, 3, 2**62, -(2**63)], np.int64)
    functions: list[Any] = [lambda x: x * x + x, lambda x: x // 3 - x % 5, lambda x: -x, lambda x: abs(x) + (x << 1)]
    for function in functions:
        dataset = Dataset.from_tensor_slices(numbers)
        wanted = [int(function(tf.constant(n))) for n in numbers]
        assert (
            elements(dataset.map(function))
            == wanted
            == [x for b in elements(dataset.batch(6).unbatch().map(function).batch(6)) for x in b]
        )


def test_an_element_that_fails_in_a_block_fails_alone() -> None:
    dataset = Dataset.range(-3, 5).map(lambda x: 12 // x)
    iterator = iter(dataset.batch(2))
    assert next(iterator).numpy().tolist() == [-4, -6]
    with pytest.raises(ZeroDivisionError):
        next(iterator)
    assert [x.numpy().tolist() for x in iterator] == [[12, 6], [4, 3]]


def test_what_has_no_such_form_goes_row_by_row_with_a_warning() -> None:
    def checked(n: Any) -> Any:
        assert n > 0
        return n * 2

    with pytest.warns(UserWarning, match=r"row by row, as map_fn: 'check' has an effect .*checked"):
        found = tf.vectorized_map(checked, tf.constant([1, 6, 27]))
    assert found.numpy().tolist() == [2, 12, 54]
    with pytest.raises(ValueError, match="'check'"):
        tf.vectorized_map(checked, tf.constant([1, 6]), fallback_to_while_loop=False)


def test_variables_and_tensors_around_are_used() -> None:
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def scores(x: Any, shift: Any) -> Any:
        return tf.vectorized_map(lambda row: tf.reduce_sum(row * w) + shift, x)

    assert scores(tf.ones([3, 2]), tf.constant(0.5)).numpy().tolist() == [3.5] * 3
    w.assign([0.0, 1.0])
    assert tf.vectorized_map(lambda row: row * w, tf.ones([1, 2])).numpy().tolist() == [[0.0, 1.0]]


def test_gradients_go_through() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.function(lambda x: tf.vectorized_map(lambda r: r[0] * r[1] * r, x))(x))
    a, b = x.numpy().T
    assert np.allclose(tape.gradient(y, x).numpy(), np.stack([2 * a * b + b * b, a * a + 2 * a * b], 1))


def test_gradients_by_what_the_function_reads_from_around() -> None:
    x, k, z = tf.constant([0.1, 0.4, 0.3]), tf.constant(2.0), tf.constant([1.0, 2.0, 3.0])

    def row(v: Any) -> Any:
        return tf.cond(v > 1.5, lambda: v * tf.reduce_sum(x * v) * k, lambda: v * x[0])

    def slopes(mapped: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, k, z])
            y = mapped(row, z)
        return [g.numpy() for g in tape.gradient(y, [x, k, z])]

    for mapped in (tf.vectorized_map, tf.function(tf.vectorized_map)):
        for found, wanted in zip(slopes(mapped), slopes(tf.map_fn), strict=True):
            assert np.allclose(found, wanted, rtol=1e-6)
    assert np.allclose(slopes(tf.vectorized_map)[1], 0.8 * (4 + 9))


def test_the_shapes_of_a_scan_are_known() -> None:
    @tf.function
    def f(x: Any, start: Any) -> Any:
        found = tf.scan(lambda total, row: total * row + x[1], x, initializer=start)
        assert found.shape == (3, 2)
        open_shape = tf.scan(lambda total, row: tf.concat([total, [row]], 0), x, initializer=start, infer_shape=False)
        assert open_shape.shape == [3, None]
        return tf.vectorized_map(lambda row: row * 2, found)

    x = tf.constant([1.0, 2.0, 3.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        f.get_concrete_function(x, tf.constant([1.0, 2.0]))
        assert f.get_concrete_function(x, tf.constant([1.0, 2.0])).structured_outputs.shape == (3, 2)
