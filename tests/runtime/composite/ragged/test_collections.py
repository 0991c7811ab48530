"""Ragged and sparse tensors in growing lists, as results of map_fn, in loops with invariants, in a fresh process."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import runtime as tf

ROWS = tf.ragged.constant([[1], [2, 3]])


@pytest.mark.parametrize(
    "line",
    [
        "print((tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 2, 3]) + 1).to_list())",
        "print(tf.abs(tf.RaggedTensor.from_row_splits([-2, 3, -4], [0, 2, 3])).to_list())",
        "r = tf.RaggedTensor.from_row_splits([2, 3, 4], [0, 2, 3]); print(tf.is_tensor(r) and r.to_list())",
        "s = tf.SparseTensor([[0]], [1], [2]) * 5; print([[2, 3], [4]] if s.values[0] == 5 and tf.is_tensor(s) else s)",
    ],
)
def test_operations_do_not_wait_for_a_module(line: str) -> None:
    made = subprocess.run([sys.executable, "-c", f"import runtime as tf\n{line}"], capture_output=True, text=True)
    assert made.stdout == "[[2, 3], [4]]\n", made.stderr


@tf.function
def collected(rows: Any, n: Any) -> Any:
    items = []
    for i in tf.range(n):
        if i % 2 == 0:
            items.append(rows[:, :1] + i)
        else:
            items.append(tf.concat([rows, rows], 1))
    total = 0
    for item in items:
        total += tf.reduce_sum(item)
    return items[-1], items.pop(), total, len(items), items


def test_ragged_tensors_in_a_growing_list() -> None:
    last, popped, total, count, items = collected(ROWS, tf.constant(4))
    assert last.to_list() == popped.to_list() == [[1, 1], [2, 3, 2, 3]]
    assert (int(total), int(count)) == (34, 3)
    assert [item.to_list() for item in items] == [[[1], [2]], [[1, 1], [2, 3, 2, 3]], [[3], [4]]]


def test_gradients_through_a_list_of_ragged_tensors() -> None:
    @tf.function
    def gradient(x: Any, n: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            items = []
            for i in tf.range(n):
                items.append(tf.RaggedTensor.from_row_lengths(x, [1, 2]) * tf.cast(i, tf.float32))
            total = 0.0
            for item in items:
                total += tf.reduce_sum(item * item)
        return tape.gradient(total, x)

    assert gradient(tf.constant([1.0, 2.0, 3.0]), tf.constant(3)).numpy().tolist() == [10, 20, 30]


def test_sparse_tensors_and_structures_in_a_growing_list() -> None:
    @tf.function
    def sums(s: Any, n: Any) -> Any:
        items = [s]
        for _ in tf.range(n):
            items.append(tf.sparse.add(items[-1], s))
        return items

    made = sums(tf.SparseTensor([[0]], [1], [2]), tf.constant(2))
    assert [tf.sparse.to_dense(s).numpy().tolist() for s in made] == [[1, 0], [2, 0], [3, 0]]

    @tf.function
    def pairs(rows: Any, n: Any) -> Any:
        items = []
        for i in tf.range(n):
            items.append({"rows": rows, "number": i})
        return items[1]["rows"], items

    for rows in (ROWS, tf.ragged.constant([[5]])):
        second, items = pairs(rows, tf.constant(2))
        assert second.to_list() == rows.to_list() == items[0]["rows"].to_list()
        assert [int(item["number"]) for item in items] == [0, 1]


def test_what_a_growing_list_of_ragged_tensors_refuses() -> None:
    @tf.function
    def mixed(rows: Any, n: Any) -> Any:
        items = []
        for _ in tf.range(n):
            items.append(rows)
            items.append(rows[0])
        return items

    with pytest.raises(TypeError, match="one structure"):
        mixed(ROWS, tf.constant(2))
    for call in (lambda: tf.TensorArray(tf.int32, 2).write(0, ROWS), lambda: tf.constant(ROWS)):
        with pytest.raises(TypeError, match=r"a RaggedTensor to a tensor: .*to_tensor"):
            call()
    with pytest.raises(TypeError, match=r"a SparseTensor to a tensor: .*to_dense"):
        tf.convert_to_tensor(ROWS.to_sparse())


SPEC = tf.RaggedTensorSpec([None], tf.int32)


@pytest.mark.parametrize(
    ("function", "elems", "signature", "wanted"),
    [
        (lambda row: row * 2, ROWS, None, [[2], [4, 6]]),
        (lambda row: row[1:], ROWS, SPEC, [[], [3]]),
        (lambda n: tf.range(n), [2, 0, 1], SPEC, [[0, 1], [], [0]]),
        (lambda n: tf.range(n), tf.zeros([0], tf.int32), SPEC, []),
        (lambda n: tf.ragged.range(tf.range(n)), [1, 3], tf.RaggedTensorSpec([None, None], tf.int32),
         [[[]], [[], [0], [0, 1]]]),
        (lambda rows: tf.reduce_sum(rows, axis=1), tf.ragged.constant([[[1], [2]], [[2, 3]], []]), SPEC,
         [[1, 2], [5], []]),
        (lambda rows: rows + 1, tf.ragged.constant([[[1], [2]], [[2, 3]], []]), None, [[[2], [3]], [[3, 4]], []]),
        (lambda n: tf.ones([n, 2], tf.int32), [1, 2], tf.RaggedTensorSpec([None, 2], tf.int32, 0),
         [[[1, 1]], [[1, 1], [1, 1]]]),
    ],
)  # fmt: skip
def test_results_of_any_length(function: Any, elems: Any, signature: Any, wanted: list[Any]) -> None:
    def call(values: Any) -> Any:
        return tf.map_fn(function, values, fn_output_signature=signature)

    values = elems if tf.is_tensor(elems) else tf.constant(elems)
    spec = [None, *values.shape[1:]]
    open_rows = [tf.TensorSpec(spec, tf.int32)] if isinstance(values, tf.Tensor) else None
    for run in (call, tf.function(call), tf.function(call, input_signature=open_rows)):
        assert run(values).to_list() == wanted


def test_structures_of_results() -> None:
    made = tf.map_fn(
        lambda row: {"double": row * 2, "sum": tf.reduce_sum(row)}, ROWS,
        fn_output_signature={"double": SPEC, "sum": tf.int32},
    )  # fmt: skip
    assert made["double"].to_list() == [[2], [4, 6]] and made["sum"].numpy().tolist() == [1, 5]
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.map_fn(lambda row: row**3, tf.RaggedTensor.from_row_lengths(x, [1, 2])))
    assert tape.gradient(y, x).numpy().tolist() == [3, 12, 27]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tf.map_fn(tf.reduce_sum, ROWS), r"returned .*shape=\(\).*asks for RaggedTensorSpec"),
        (lambda: tf.map_fn(lambda row: row, ROWS, fn_output_signature=tf.RaggedTensorSpec([None, None], tf.int32)),
         "asks for RaggedTensorSpec"),
        (lambda: tf.map_fn(tf.sparse.from_dense, ROWS, fn_output_signature=tf.SparseTensorSpec([None], tf.int32)),
         "to_dense"),
        (lambda: tf.scan(lambda state, x: state, tf.range(3), ROWS), "got a RaggedTensor"),
        (lambda: tf.scan(lambda state, x: state, tf.range(3), ROWS.to_sparse()), "got a SparseTensor"),
    ],
)  # fmt: skip
def test_results_that_cannot_be_collected(call: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


def test_vectorized_map_goes_through_ragged_rows_one_by_one() -> None:
    with pytest.warns(UserWarning, match="rows of a RaggedTensor differ"):
        assert tf.vectorized_map(lambda row: row + 1, ROWS).to_list() == [[2], [3, 4]]
    with pytest.raises(ValueError, match="rows of a RaggedTensor differ"):
        tf.vectorized_map(lambda row: row + 1, ROWS, fallback_to_while_loop=False)


@pytest.mark.parametrize("invariant", [tf.RaggedTensorSpec([None, None], tf.int32), tf.TensorShape([None, None])])
def test_shape_invariants_of_ragged_tensors(invariant: Any) -> None:
    @tf.function
    def by_call(n: Any) -> Any:
        return tf.while_loop(
            lambda i, rows: i < n, lambda i, rows: (i + 1, tf.concat([rows, rows], 0)), [0, ROWS],
            shape_invariants=[tf.TensorShape([]), invariant],
        )[1]  # fmt: skip

    @tf.function
    def by_statement(rows: Any, n: Any) -> Any:
        for _ in tf.range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(rows, invariant)])
            rows = tf.concat([rows, rows], 0)
        return rows

    assert by_call(tf.constant(1)).to_list() == by_statement(ROWS, tf.constant(1)).to_list() == [[1], [2, 3]] * 2


def test_shape_invariants_that_do_not_hold() -> None:
    def loop(invariant: Any) -> Any:
        return tf.function(
            lambda: tf.while_loop(
                lambda i, rows: i < 2, lambda i, rows: (i + 1, tf.concat([rows, rows], 0)), [tf.constant(0), ROWS],
                shape_invariants=[[], invariant],
            )
        )()  # fmt: skip

    with pytest.raises(ValueError, match="does not conform with the shape invariant"):
        loop(tf.RaggedTensorSpec([2, None], tf.int32))
    with pytest.raises(TypeError, match="has not the structure"):
        loop([[None]])
    with pytest.raises(ValueError, match="ragged_rank"):
        loop(tf.TensorShape([None]))
