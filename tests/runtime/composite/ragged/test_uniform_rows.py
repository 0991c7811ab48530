"""Ragged axes whose rows all have one length: `uniform_row_length`, and what is known of the shape."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import runtime
from runtime import RaggedTensor
from runtime.errors import InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from tests.runtime.composite.ragged.rows import plain, ragged

ROWS = [[1, 2], [3], [4, 5, 6], [7]]


def pairs() -> Any:
    return RaggedTensor.from_uniform_row_length(ragged(ROWS), 2)


def test_rows_of_one_length_have_it_in_their_shape() -> None:
    flat = RaggedTensor.from_uniform_row_length([1, 2, 3, 4, 5, 6], 2)
    assert (flat.shape, int(flat.uniform_row_length), flat.to_list()) == ([3, 2], 2, [[1, 2], [3, 4], [5, 6]])
    assert pairs().shape == [2, 2, None] and pairs().values.uniform_row_length is None
    assert pairs().to_list() == [ROWS[:2], ROWS[2:]]
    assert ragged(ROWS).uniform_row_length is None
    assert RaggedTensor.from_row_splits([1, 2], [0, 1, 2]).uniform_row_length is None, "nothing was said of it"
    small = RaggedTensor.from_uniform_row_length([1, 2], runtime.constant(1))
    assert small.uniform_row_length.dtype is small.row_splits.dtype is runtime.int32
    empty = RaggedTensor.from_uniform_row_length(runtime.zeros([0]), 0, nrows=3)
    assert empty.shape == [3, 0] and empty.to_list() == [[], [], []]


def test_rows_of_tensors_have_one_length() -> None:
    matrix = RaggedTensor.from_tensor([[1, 2], [3, 4], [5, 6]])
    assert matrix.shape == [3, 2] and int(matrix.uniform_row_length) == 2
    cube = RaggedTensor.from_tensor(runtime.zeros([2, 3, 4, 5]), ragged_rank=2)
    assert cube.shape == [2, 3, 4, 5] and int(cube.values.uniform_row_length) == 4
    assert RaggedTensor.from_tensor([[1, 2], [3, 4]], lengths=[1, 2]).shape == [2, None]
    spec = runtime.TensorSpec([None, None], runtime.int32)

    @runtime.function(input_signature=[spec])
    def of_unknown_size(x: Any) -> Any:
        rows = RaggedTensor.from_tensor(x)
        assert rows.uniform_row_length is None and rows.shape.as_list() == [None, None]
        return rows

    assert of_unknown_size([[1, 2], [3, 4]]).to_list() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: RaggedTensor.from_uniform_row_length([1, 2, 3], 2), "must end with 3"),
        (lambda: RaggedTensor.from_uniform_row_length([1, 2], -1), "must never fall"),
        (lambda: RaggedTensor.from_uniform_row_length([1, 2], 1, nrows=3), "must end with 2"),
        (lambda: RaggedTensor.from_uniform_row_length([1, 2], 0), "must end with 2"),
    ],
)
def test_lengths_that_do_not_fit_the_values(make: Any, words: str) -> None:
    for function in (make, runtime.function(make)):
        with pytest.raises(InvalidArgumentError, match=words):
            function()


def test_what_keeps_the_rows_keeps_their_length() -> None:
    rows = pairs()
    kept = {
        "by element": rows + 1,
        "cast": runtime.cast(rows, runtime.float32),
        "values": rows.with_values(rows.values * 2),
        "flat": rows.with_flat_values(rows.flat_values),
        "some rows": rows[:1],
        "gather": runtime.gather(rows, [1, 1, 0]),
        "splits": rows.with_row_splits_dtype(runtime.int32),
        "deeper": rows[:, :, :1],
        "pickle": pickle.loads(pickle.dumps(rows)),
    }
    for name, made in kept.items():
        assert made.shape[1] == int(made.uniform_row_length) == 2, name
        assert all(len(row) == 2 for row in made.to_list()), name


def test_what_changes_the_rows_forgets_their_length() -> None:
    rows, mask = pairs(), ragged([[True, False], [True, True]], dtype=runtime.bool)
    for made, wanted in [
        (runtime.concat([rows, rows], axis=1), [[*row, *row] for row in rows.to_list()]),
        (rows[:, runtime.constant(1) :], [row[1:] for row in rows.to_list()]),
        (runtime.ragged.boolean_mask(rows, mask), [[[1, 2]], [[4, 5, 6], [7]]]),
        (runtime.stack([rows, rows])[0], rows.to_list()),
    ]:
        assert made.shape[1] is None and made.uniform_row_length is None and made.to_list() == wanted
    plainly = rows.merge_dims(0, 1)
    assert plainly.shape == [4, None] and plainly.to_list() == ROWS


@pytest.mark.parametrize(
    "part", [slice(1), slice(1, None), slice(None, None, -1), slice(-1, None), slice(5, 9), slice(0, 9, 2)]
)
def test_slices_of_rows_of_one_length_have_one_length(part: slice) -> None:
    made, wanted = pairs()[:, part], [row[part] for row in pairs().to_list()]
    assert made.to_list() == wanted and made.shape.as_list() == [2, len(wanted[0]), None]


def test_new_axes_have_a_length() -> None:
    rows = ragged(ROWS)
    for axis, wanted in ((0, [1, 4, None]), (1, [4, 1, None])):
        made = runtime.expand_dims(rows, axis)
        assert made.shape == wanted and runtime.squeeze(made, [axis]).to_list() == ROWS
        assert plain(made[:, 0]) == ([ROWS[0]] if axis == 0 else ROWS)

    @runtime.function(input_signature=[runtime.RaggedTensorSpec([None, None], runtime.int32)])
    def of_any_rows(rows: Any) -> Any:
        assert runtime.expand_dims(rows, 0).shape.as_list() == [1, None, None]
        return runtime.expand_dims(rows, 1)[:, 0]

    assert of_any_rows(rows).to_list() == ROWS


@pytest.mark.parametrize("place", [0, 1, -1, -2])
def test_columns_of_rows_of_one_length(place: int) -> None:
    def column(at: Any) -> Any:
        return pairs()[:, at]

    wanted = [row[place] for row in pairs().to_list()]
    for function in (column, runtime.function(column)):
        assert plain(function(place)) == plain(function(runtime.constant(place))) == wanted
    assert pairs()[:, place, :1].to_list() == [row[:1] for row in wanted]
    flat = RaggedTensor.from_tensor([[1, 2], [3, 4]])
    assert plain(flat[:, place]) == [row[place] for row in [[1, 2], [3, 4]]]


def test_columns_that_are_not_there() -> None:
    for place in (2, -3):
        with pytest.raises(OutOfRangeError, match="axis 1 of a RaggedTensor of shape"):
            pairs()[:, place]
        with pytest.raises(InvalidArgumentError, match="of row 0"):
            pairs()[:, runtime.constant(place)]
    with pytest.raises(ValueError, match="inner ragged dimension"):
        ragged(ROWS)[:, 0]


def test_split_along_rows_of_one_length() -> None:
    def halves(sizes: Any) -> Any:
        return runtime.split(RaggedTensor.from_uniform_row_length(ragged(ROWS), 2), sizes, axis=1)

    for sizes in (2, [1, 1], [1, -1], [0, 2]):
        widths = [1, 1] if sizes != [0, 2] else sizes
        for function in (halves, runtime.function(halves)):
            first, second = function(sizes)
            assert first.to_list() == [row[: widths[0]] for row in pairs().to_list()]
            assert second.to_list() == [row[widths[0] :] for row in pairs().to_list()]
        assert [part.shape[1] for part in halves(sizes)] == widths
    with pytest.raises(ShapeMismatchError, match="rows of length 2 cannot be split into 3 equal parts"):
        halves(3)


def test_staged_code_claims_no_length_that_may_change() -> None:
    lengths: list[Any] = []

    @runtime.function
    def grown(n: Any, c: Any) -> Any:
        rows = RaggedTensor.from_uniform_row_length(runtime.range(4), 2)
        for _ in runtime.range(n):
            rows = runtime.concat([rows, rows], axis=1)
        after_loop = rows.uniform_row_length
        if c:
            rows = RaggedTensor.from_uniform_row_length(runtime.range(4), 2)
        else:
            rows = RaggedTensor.from_uniform_row_length(runtime.range(4), 1)
        assert after_loop is None and rows.uniform_row_length is None and rows.shape[1] is None
        return rows

    assert grown(runtime.constant(2), runtime.constant(True)).to_list() == [[0, 1], [2, 3]]
    assert grown(runtime.constant(0), runtime.constant(False)).to_list() == [[0], [1], [2], [3]]

    @runtime.function
    def passed(rows: Any) -> Any:
        lengths.append(rows.shape[1])
        return rows

    with pytest.warns(runtime.errors.TraceEffectWarning):
        assert passed(pairs()).to_list() == pairs().to_list()
    assert passed(RaggedTensor.from_row_splits(ragged(ROWS), [0, 1, 4])).to_list() == [ROWS[:1], ROWS[1:]]
    assert lengths == [None], "one trace serves rows of all lengths"
    assert runtime.RaggedTensorSpec.from_value(pairs()).shape == [2, None, None]
    elements = runtime.data.Dataset.from_tensors(pairs()).batch(1)
    assert next(iter(elements)).to_list() == [pairs().to_list()]
    assert runtime.map_fn(lambda row: row, pairs()).to_list() == pairs().to_list()
