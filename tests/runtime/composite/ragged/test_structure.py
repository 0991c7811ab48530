"""Building, indexing, joining and converting ragged tensors, against nested lists."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import runtime
from runtime import RaggedTensor
from runtime.errors import DtypeMismatchError, InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from tests.runtime.composite.ragged.rows import in_graph, plain, ragged, random_rows
from tests.runtime.composite.ragged.test_operations import assert_both

ROWS = [[3, 1, 4, 1], [], [5, 9, 2], [6], []]
VALUES = [v for row in ROWS for v in row]
LENGTHS = [len(row) for row in ROWS]


def test_every_form_says_the_same_rows() -> None:
    splits = [0, 4, 4, 7, 8, 8]
    ids = [i for i, row in enumerate(ROWS) for _ in row]
    forms = {
        "from_row_splits": splits, "from_row_lengths": LENGTHS, "from_row_starts": splits[:-1],
        "from_row_limits": splits[1:],
    }  # fmt: skip
    for name, form in forms.items():
        make = getattr(RaggedTensor, name)
        assert make(VALUES, form).to_list() == ROWS
        assert in_graph(make, runtime.constant(VALUES), runtime.constant(form, runtime.int64)).to_list() == ROWS
    assert RaggedTensor.from_value_rowids(VALUES, ids, nrows=5).to_list() == ROWS
    assert RaggedTensor.from_value_rowids(VALUES, ids).to_list() == ROWS[:4]
    assert RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2).to_list() == [[1, 2], [3, 4]]
    assert RaggedTensor.from_uniform_row_length(np.zeros(0, np.int32), 0, nrows=2).to_list() == [[], []]
    x = ragged(ROWS)
    assert [t.numpy().tolist() for t in (x.row_splits, x.row_lengths(), x.row_starts(), x.row_limits())] == [
        splits, LENGTHS, splits[:-1], splits[1:],
    ]  # fmt: skip
    assert x.value_rowids().numpy().tolist() == ids
    assert int(x.nrows()) == 5 and x.nrows(out_type=runtime.int32).dtype is runtime.int32
    assert x.bounding_shape().numpy().tolist() == [5, 4]
    assert (x.shape, x.dtype, x.ragged_rank, x.row_splits.dtype) == ([5, None], "int32", 1, "int64")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RaggedTensor.from_row_splits([1, 2], [0, 2, 1, 2]), "position 2 it is 1 after 2"),
        (lambda: RaggedTensor.from_row_splits([1, 2], [1, 2]), "must begin with 0; got 1"),
        (lambda: RaggedTensor.from_row_splits([1, 2], [0, 3]), "must end with 2, the number of values; got 3"),
        (lambda: RaggedTensor.from_row_splits([1, 2], np.zeros(0, np.int64)), "at least one element"),
        (lambda: RaggedTensor.from_row_lengths([1, 2], [3, -1]), "at position 1 it is -1"),
        (lambda: RaggedTensor.from_row_lengths([1, 2], [3]), "must end with 2"),
        (lambda: RaggedTensor.from_value_rowids([1, 2], [1, 0]), "at position 1 it is 0 after 1|none of the 1 rows"),
        (lambda: RaggedTensor.from_value_rowids([1, 2], [0, 3], nrows=2), "row 3 at position 1"),
        (lambda: RaggedTensor.from_row_splits(1, [0, 1]), "rank 1 or more"),
        (lambda: RaggedTensor.from_tensor([1, 2]), "ragged_rank is 1 or more"),
    ],
)
def test_forms_that_do_not_fit(make: Any, words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        make()


def test_forms_that_do_not_fit_in_a_graph() -> None:
    build = lambda v, s: RaggedTensor.from_row_splits(v, s).to_tensor()
    with pytest.raises(InvalidArgumentError, match="must end with 2"):
        in_graph(build, runtime.constant([1, 2]), runtime.constant([0, 1], runtime.int64))
    with pytest.raises(DtypeMismatchError, match="int32 or int64"):
        RaggedTensor.from_row_splits([1], runtime.constant([0.0, 1.0]))
    with pytest.raises(ValueError, match="from_row_splits"):
        RaggedTensor([1], [0, 1])


def test_constants() -> None:
    make = runtime.ragged.constant
    for rows in ([[1], [2, 3]], [[], [[1]]], [[]], [[[1, 2]], []], [["a"], []], [[True], []]):
        expected = [[b"a"], []] if rows == [["a"], []] else rows
        assert make(rows).to_list() == expected
    assert make([1, 2]).numpy().tolist() == [1, 2]
    assert make(5).numpy() == 5
    assert make([[1], [2, 3.5]]).dtype is runtime.float32
    assert make([[1], []], runtime.float64).dtype is runtime.float64
    assert make([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1).shape == [2, None, 2]
    assert make([[[1, 2]], []], inner_shape=(2,)).to_list() == [[[1, 2]], []]
    assert make([[1], []], row_splits_dtype=runtime.int32).row_splits.dtype is runtime.int32
    for wrong in ([[1], 2], [1, [2]], [[1], [[2]]], [[1], [[]]]):
        with pytest.raises(ValueError, match=r"nested"):
            make(wrong)
    with pytest.raises(DtypeMismatchError, match="mixes strings and other values"):
        make([["a"], [1]])
    with pytest.raises(ValueError, match="ragged_rank is less than 2"):
        make([[1]], ragged_rank=2)
    with pytest.raises(ValueError, match="rectangular|different lengths"):
        make([[1, 2], [3]], ragged_rank=0)


@pytest.mark.parametrize("seed", range(3))
def test_indexing_as_lists(seed: int) -> None:
    rng = random.Random(seed)
    rows = random_rows(rng, 2)
    x = ragged(rows, 2)
    for _ in range(8):
        i = rng.randrange(-len(rows), len(rows))
        a, b, step = (rng.choice([None, -3, -1, 0, 1, 2, 7]) for _ in range(3))
        part = slice(a, b, step or rng.choice([None, 1, 2, -1]))
        assert_both(lambda x: x[i], rows[i], x)
        assert_both(lambda x: x[part], rows[part], x)
        assert_both(lambda x: x[:, part], [row[part] for row in rows], x)
        assert_both(lambda x: x[..., part], [[r[part] for r in row] for row in rows], x)
        assert_both(lambda x: x[part, :, part], [[r[part] for r in row] for row in rows[part]], x)
        if rows[i]:
            j = rng.randrange(-len(rows[i]), len(rows[i]))
            assert_both(lambda x: x[i, j], rows[i][j], x)
            assert plain(x[runtime.constant(i), runtime.constant(j)]) == rows[i][j]
    assert x[runtime.newaxis].to_list() == [rows]
    assert x[:, runtime.newaxis].to_list() == [[row] for row in rows]
    assert [plain(row) for row in x] == rows


def test_indices_that_are_refused() -> None:
    x = ragged(ROWS)
    for i in (5, -6):
        with pytest.raises(OutOfRangeError, match=rf"row {i} is out of range for a ragged tensor with 5 rows"):
            x[i]
        with pytest.raises(OutOfRangeError, match=rf"row {i} is out of range"):
            in_graph(lambda x, i: x[i], x, runtime.constant(i))
    with pytest.raises(ValueError, match="Cannot index into an inner ragged dimension"):
        x[:, 0]
    with pytest.raises(TypeError, match=r"runtime\.gather"):
        x[[0, 1]]
    with pytest.raises(TypeError, match="integer or a slice"):
        x["a"]
    with pytest.raises(OutOfRangeError):
        x[0, 7]


@pytest.mark.parametrize("seed", range(4))
def test_joining(seed: int) -> None:
    rng = random.Random(seed)
    rows = random_rows(rng)
    other = [[rng.randint(0, 9) for _ in range(rng.randint(0, 2))] for _ in rows]
    x, y = ragged(rows), ragged(other)
    assert_both(lambda x, y: runtime.concat([x, y], axis=0), rows + other, x, y)
    assert_both(lambda x, y: runtime.concat([x, y, x], axis=1), [a + b + a for a, b in zip(rows, other)], x, y)
    assert_both(lambda x, y: runtime.stack([x, y]), [rows, other], x, y)
    assert_both(lambda x, y: runtime.stack([x, y], axis=1), [[a, b] for a, b in zip(rows, other)], x, y)
    assert_both(lambda x: runtime.expand_dims(x, 0), [rows], x)
    assert_both(lambda x: runtime.expand_dims(x, 1), [[row] for row in rows], x)
    assert_both(lambda x: runtime.expand_dims(x, -1), [[[v] for v in row] for row in rows], x)
    chosen = [rng.randrange(len(rows)) for _ in range(5)]
    assert_both(lambda x, i: runtime.gather(x, i), [rows[i] for i in chosen], x, runtime.constant(chosen))
    assert_both(lambda x: runtime.ragged.boolean_mask(x, x > 0), [[v for v in row if v > 0] for row in rows], x)
    flags = [rng.random() < 0.5 for _ in rows]
    kept = [row for row, flag in zip(rows, flags) if flag]
    assert_both(lambda x, m: runtime.ragged.boolean_mask(x, m), kept, x, runtime.constant(flags))
    assert_both(lambda x: runtime.reverse(x, [1]), [row[::-1] for row in rows], x)
    assert_both(lambda x: runtime.reverse(x, [0, 1]), [row[::-1] for row in rows[::-1]], x)
    assert_both(lambda x: runtime.tile(x, [2, 3]), [row * 3 for row in rows] * 2, x)
    cube = random_rows(rng, 2)
    z = ragged(cube, 2)
    assert_both(lambda z: z.merge_dims(0, 1), [row for rows in cube for row in rows], z)
    assert_both(lambda z: z.merge_dims(1, 2), [[v for row in rows for v in row] for rows in cube], z)
    assert_both(lambda z: runtime.concat([z, z], axis=2), [[row + row for row in rows] for rows in cube], z)
    assert_both(lambda z: runtime.concat([z, z], axis=1), [rows + rows for rows in cube], z)


def test_joining_what_does_not_fit() -> None:
    for counts in ((1, 3), (3, 1)):
        with pytest.raises(InvalidArgumentError):
            runtime.concat([ragged([[i] for i in range(count)]) for count in counts], axis=1)
    with pytest.raises(InvalidArgumentError):
        in_graph(lambda x, y: runtime.concat([x, y], axis=1).to_tensor(), ragged([[1], [2], [3]]), ragged([[1]]))
    with pytest.raises(ShapeMismatchError, match="ragged_rank"):
        runtime.concat([ragged([[1]]), ragged([[[1]]], 2)], axis=0)
    assert runtime.ragged.stack([[1, 2], [3]]).to_list() == [[1, 2], [3]]
    assert runtime.ragged.stack([ragged([[1]]), ragged([[2], []])]).to_list() == [[[1]], [[2], []]]
    cube = runtime.expand_dims(ragged([[1, 2], [], [3]]), 0)
    assert_both(lambda c: runtime.squeeze(c, 0), [[1, 2], [], [3]], cube)
    assert_both(lambda c: runtime.squeeze(runtime.expand_dims(c, -1), [0, -1]), [[1, 2], [], [3]], cube)
    assert runtime.squeeze(ragged([[1], [2]]), 1).numpy().tolist() == [1, 2]
    for axis in (0, 1):
        with pytest.raises(InvalidArgumentError, match=f"axis {axis} of a RaggedTensor has not the size 1"):
            runtime.squeeze(ragged([[1], [2, 3]]), axis)
    for multiples in ([1], [0, 1]):
        with pytest.raises(ShapeMismatchError, match="multiples are positive numbers"):
            runtime.tile(ragged([[1]]), multiples)
    with pytest.raises(ShapeMismatchError, match="one known rank"):
        runtime.ragged.stack([[1], [[2]]])


def test_rows_of_one_length() -> None:
    x = ragged(ROWS)
    width = max(LENGTHS)
    padded = [row + [-1] * (width - len(row)) for row in ROWS]
    assert_both(lambda x: x.to_tensor(-1), padded, x)
    assert x.to_tensor(shape=[None, 2]).numpy().tolist() == [(row + [0, 0])[:2] for row in ROWS]
    assert x.to_tensor(shape=[7, None]).shape == [7, 4]
    assert x.to_tensor(shape=[2, 3]).numpy().tolist() == [[3, 1, 4], [0, 0, 0]]
    assert RaggedTensor.from_tensor(padded, padding=-1).to_list() == ROWS
    assert_both(lambda t: RaggedTensor.from_tensor(t, padding=-1), ROWS, runtime.constant(padded))
    assert_both(lambda t, n: RaggedTensor.from_tensor(t, lengths=n), ROWS, runtime.constant(padded),
                runtime.constant(LENGTHS))  # fmt: skip
    assert_both(lambda t: RaggedTensor.from_tensor(t), padded, runtime.constant(padded))
    cube = random_rows(random.Random(1), 2)
    box = ragged(cube, 2).to_tensor(9).numpy()
    for index in np.ndindex(box.shape):
        i, j, k = index
        wanted = cube[i][j][k] if j < len(cube[i]) and k < len(cube[i][j]) else 9
        assert box[index] == wanted
    with pytest.raises(ShapeMismatchError, match="another rank"):
        x.to_tensor(shape=[2])
    assert runtime.ragged.constant([["a"], []]).to_tensor().numpy().tolist() == [[b"a"], [b""]]


def test_ranges() -> None:
    assert_both(runtime.ragged.range, [[0, 1, 2], [], [0]], runtime.constant([3, 0, 1]))
    assert runtime.ragged.range([0, 5], [3, 9], 2).to_list() == [[0, 2], [5, 7]]
    assert runtime.ragged.range([3, 5], [0, 9], [-1, 4]).to_list() == [[3, 2, 1], [5]]
    assert runtime.ragged.range(2, dtype=runtime.float32).dtype is runtime.float32
    with pytest.raises(InvalidArgumentError, match="the delta of row 1 is 0"):
        runtime.ragged.range([1, 2], [3, 4], [1, 0])
    assert runtime.ragged.row_splits_to_segment_ids([0, 2, 3]).numpy().tolist() == [0, 0, 1]
    assert runtime.ragged.segment_ids_to_row_splits([0, 0, 2]).numpy().tolist() == [0, 2, 2, 3]


def test_text() -> None:
    assert str(ragged(ROWS)) == "<tf.RaggedTensor [[3, 1, 4, 1], [], [5, 9, 2], [6], []]>"
    assert repr(ragged([[1, 2], [3, 4]])) == "<tf.RaggedTensor [[1, 2],\n [3, 4]]>"
    assert str(runtime.ragged.constant([["a"], []])) == "<tf.RaggedTensor [[b'a'], []]>"
    array = ragged(ROWS).numpy()
    assert array.dtype == object and [row.tolist() for row in array] == ROWS
    assert ragged([[1, 2], [3, 4]]).numpy().tolist() == [[1, 2], [3, 4]]


def test_other_values_in_the_same_rows() -> None:
    x = ragged([[1, 2], [3]])
    assert x.with_values([7.0, 8.0, 9.0]).to_list() == [[7.0, 8.0], [9.0]]
    assert x.with_row_splits_dtype(runtime.int32).row_splits.dtype is runtime.int32
    resize = lambda x, v: x.with_values(v)
    flat = lambda x, v: runtime.ragged.map_flat_values(lambda values: v, x)
    for change in (resize, flat):
        assert in_graph(change, x, runtime.constant([7, 8, 9])).to_list() == [[7, 8], [9]]
        with pytest.raises(InvalidArgumentError):
            in_graph(change, x, runtime.constant([1, 2]))
    for mask in ([True], [True, False, True]):
        with pytest.raises(InvalidArgumentError, match="one bool for each row"):
            runtime.ragged.boolean_mask(x, mask)
    for wrong in ([1, 2], 5):
        with pytest.raises(ShapeMismatchError):
            x.with_values(wrong)
    with pytest.raises(ShapeMismatchError, match="one item for each"):
        runtime.ragged.map_flat_values(runtime.reduce_sum, x)
