"""gather and gather_nd with ragged tensors, split, cross, strings.format: against nested lists."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from tests.runtime.composite.ragged.rows import in_graph, plain, ragged, random_rows

ROWS = [[1, 2], [3], [4, 5, 6], [7]]
DEEP = [[[1, 2], [3]], [[4, 5, 6], [7]]]
SEEDS = range(12)


def both(function: Any, *values: Any) -> Any:
    """What a function gives eagerly and in a graph that knows ranks only, as lists: the same."""
    eager, staged = function(*values), in_graph(function, *values)
    many = isinstance(eager, list | tuple)
    found, again = ([plain(v) for v in made] if many else plain(made) for made in (eager, staged))
    assert found == again
    return found


def picked(params: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    """gather of nested lists, by its definition."""
    if batch_dims:
        assert len(params) == len(indices)
        return [picked(p, i, axis - 1, batch_dims - 1) for p, i in zip(params, indices, strict=True)]
    if axis:
        return [picked(p, indices, axis - 1, 0) for p in params]
    return [picked(params, i, 0, 0) for i in indices] if isinstance(indices, list) else params[indices]


def places(rng: random.Random, params: list[Any]) -> list[Any]:
    """For each row some places in it."""
    return [[rng.randrange(len(row)) for _ in range(rng.randint(0, 3))] if row else [] for row in params]


# -- gather ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_gather_in_batches(seed: int) -> None:
    rng = random.Random(seed)
    rank = 1 + seed % 3
    rows = random_rows(rng, rank)
    some = places(rng, rows)
    found = both(lambda p, i: runtime.gather(p, i, batch_dims=1), ragged(rows, rank), ragged(some))
    assert found == picked(rows, some, 1, 1)
    if rank > 1:
        within = [places(rng, row) for row in rows]
        found = both(lambda p, i: runtime.gather(p, i, batch_dims=2), ragged(rows, rank), ragged(within, 2))
        assert found == picked(rows, within, 2, 2)
        least = [min((len(inner) for inner in row), default=0) for row in rows]
        common = [[rng.randrange(n) for _ in range(rng.randint(0, 2))] if n else [] for n in least]
        found = both(lambda p, i: runtime.gather(p, i, axis=2, batch_dims=1), ragged(rows, rank), ragged(common))
        assert found == picked(rows, common, 2, 1)


def test_gather_in_batches_of_dense_tensors() -> None:
    rows, dense = ragged(ROWS), runtime.constant([[1, 2], [3, 4]])
    one, two = runtime.constant([1, 0, 2, 0]), runtime.constant([[0, 1], [0, 0], [2, 1], [0, 0]])
    assert both(lambda p, i: runtime.gather(p, i, batch_dims=1), rows, one) == [2, 3, 6, 7]
    assert both(lambda p, i: runtime.gather(p, i, batch_dims=1), rows, two) == [[1, 2], [3, 3], [6, 5], [7, 7]]
    assert both(lambda p, i: runtime.gather(p, i, batch_dims=-1), rows, two) == [[1, 2], [3, 3], [6, 5], [7, 7]]
    some = ragged([[0, 1, 1], [0]])
    assert both(lambda p, i: runtime.gather(p, i, batch_dims=1), dense, some) == [[1, 2, 2], [3]]
    inner = runtime.constant([[[0], [0]], [[2], [0]]])
    assert both(lambda p, i: runtime.gather(p, i, batch_dims=2), ragged(DEEP, 2), inner) == [[[1], [3]], [[6], [7]]]
    empty = runtime.zeros([4, 0], runtime.int32)
    assert both(lambda p, i: runtime.gather(p, i, batch_dims=1), rows, empty) == [[]] * 4


@pytest.mark.parametrize("indices", [0, [0], [0, 0], [[0], [0]], []])
def test_gather_along_inner_axes(indices: Any) -> None:
    for rows, rank, axis in ((ROWS, 1, 1), (DEEP, 2, 1), (DEEP, 2, 2), ([[[[1, 2]], [[3]]]], 3, 2)):
        tensor = runtime.constant(indices, runtime.int32)
        found = both(lambda p, i, axis=axis: runtime.gather(p, i, axis=axis), ragged(rows, rank), tensor)
        assert found == picked(rows, indices, axis, 0)
    last = both(lambda p: runtime.gather(p, [0], axis=-1), ragged(ROWS))
    assert last == [[1], [3], [4], [7]]
    matrices = ragged([[[1, 2], [3, 4]], [], [[5, 6]]], inner=(2,))
    found = both(lambda p: runtime.gather(p, [1, 1], axis=2), matrices)
    assert found == [[[2, 2], [4, 4]], [], [[6, 6]]]


def test_gather_the_same_ragged_places_of_each_row() -> None:
    for rows, rank, some, axis in (
        (ROWS, 1, [[], [0, 0], [0]], 1), (DEEP, 2, [[1], [0, 1]], 1), (DEEP, 2, [[0], []], 2), (ROWS[:0], 1, [[0]], 1),
        (ROWS, 1, [], 1),
    ):  # fmt: skip
        found = both(lambda p, i, axis=axis: runtime.gather(p, i, axis=axis), ragged(rows, rank), ragged(some))
        assert found == picked(rows, some, axis, 0)
    dense = runtime.constant([[[1, 2, 3], [4, 5, 6]]])
    for axis, some in ((1, [[1, 0], []]), (2, [[0, 2], [1]])):
        found = both(lambda p, i, axis=axis: runtime.gather(p, i, axis=axis), dense, ragged(some))
        assert found == picked(dense.numpy().tolist(), some, axis, 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda r: runtime.gather(r, [1], axis=1), "item 1 of row 1, at .1, 0., is not in .0, 1."),
        (lambda r: runtime.gather(r, [[0], [1], [0], [0]], batch_dims=1), "item 1 of row 1"),
        (lambda r: runtime.gather(r, [[0], [0], [-1], [0]], batch_dims=1), "item -1 of row 2"),
        (lambda r: runtime.gather(r, ragged([[0], [], [3], []]), batch_dims=1), "item 3 of row 2"),
        (lambda r: runtime.gather(r, [[0]], batch_dims=1), "one row of indices for each row is needed: 4 1"),
        (lambda r: runtime.gather(r, ragged([[0], [0]]), batch_dims=1), "one row of indices for each row"),
        (lambda r: runtime.gather(r, 4), "4 is not in .0, 4."),
        (lambda r: runtime.gather(r, -1), "-1 is not in .0, 4."),
        (lambda r: runtime.gather(r, [0], axis=2), "axis=2 do not fit the shapes"),
        (lambda r: runtime.gather(r, [0], axis=0, batch_dims=1), "batch_dims=1 and axis=0 do not fit"),
        (lambda r: runtime.gather(r, 0, batch_dims=1), "do not fit the shapes"),
        (lambda r: runtime.gather(ragged(DEEP, 2), [[[0], [0]], [[0], [0]]][:1], batch_dims=2), "same rows|one row"),
        (lambda r: runtime.gather_nd(r, [[1, 1]]), "item 1 of row 1"),
        (lambda r: runtime.gather_nd(r, [[4, 0]]), "row 4, at .0,., is not in .0, 4."),
        (lambda r: runtime.gather_nd(r, [[0]], batch_dims=1), "batch_dims is 0"),
    ],
)
def test_wrong_places_are_told_with_their_row(call: Any, words: str) -> None:
    for function in (call, lambda r: in_graph(call, r)):
        with pytest.raises(InvalidArgumentError, match=words):
            function(ragged(ROWS))


@pytest.mark.parametrize("seed", SEEDS)
def test_gather_nd(seed: int) -> None:
    rng = random.Random(seed)
    rank = 1 + seed % 3
    rows = random_rows(rng, rank)
    paths: list[list[int]] = [[]]
    for _ in range(1 + seed % (rank + 1)):
        paths = [[*path, i] for path in paths for i in range(len(_at(rows, path)))]
    if not paths:
        return
    some = [rng.choice(paths) for _ in range(4)]
    wanted = [_at(rows, path) for path in some]
    assert both(lambda r: runtime.gather_nd(r, some), ragged(rows, rank)) == wanted
    square = both(lambda r: runtime.gather_nd(r, [some[:2], some[2:]]), ragged(rows, rank))
    assert square == [wanted[:2], wanted[2:]]


def _at(rows: Any, path: list[int]) -> Any:
    for i in path:
        rows = rows[i]
    return rows


def test_axes_are_integers() -> None:
    for call in (
        lambda: runtime.gather(ragged(ROWS), [0], axis=1.5),
        lambda: runtime.gather(ragged(ROWS), [[0]] * 4, batch_dims="1"),
    ):
        with pytest.raises(TypeError, match="gather: (axis|batch_dims) must be an integer"):
            call()


def test_gather_nd_with_ragged_places() -> None:
    some = ragged([[[0, 1]], [], [[2, 2], [0, 0]]], inner=(2,))
    assert both(runtime.gather_nd, ragged(ROWS), some) == [[2], [], [6, 1]]


def test_gradients_count_how_often_a_value_was_taken() -> None:
    rows = runtime.ragged.constant([[1.0, 2.0], [3.0], [4.0, 5.0, 6.0]])
    calls = {
        "batches": (lambda r: runtime.gather(r, [[1, 1], [0, 0], [2, 0]], batch_dims=1), [0, 2, 2, 1, 0, 1]),
        "ragged": (lambda r: runtime.gather(r, ragged([[0], [], [1, 1]]), batch_dims=1), [1, 0, 0, 0, 2, 0]),
        "axis": (lambda r: runtime.gather(r, [0, 0], axis=1), [2, 0, 2, 2, 0, 0]),
        "for each": (lambda r: runtime.gather(r, ragged([[0], [0, 0]]), axis=1), [3, 0, 3, 3, 0, 0]),
        "nd": (lambda r: runtime.gather_nd(r, [[2, 1], [2, 1], [0, 0]]), [1, 0, 0, 0, 2, 0]),
        "split": (lambda r: runtime.split(r, [1, 2])[1] * 2.0, [0, 0, 2, 2, 2, 2]),
    }
    for call, wanted in calls.values():
        for function in (call, runtime.function(call)):
            with runtime.GradientTape() as tape:
                tape.watch(rows.flat_values)
                made = function(rows)
                loss = runtime.reduce_sum(getattr(made, "flat_values", made))
            assert np.asarray(tape.gradient(loss, rows.flat_values)).tolist() == wanted


# -- split -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [[4], [1, 3], [0, 2, 2], [1, -1], [-1, 0], [1, 1, 1, 1]])
def test_split_into_rows_that_follow_each_other(sizes: list[int]) -> None:
    lengths = [4 - sum(s for s in sizes if s >= 0) if size < 0 else size for size in sizes]
    ends = [0, *itertools.accumulate(lengths)]
    assert both(lambda r: runtime.split(r, sizes), ragged(ROWS)) == [ROWS[a:b] for a, b in itertools.pairwise(ends)]
    found = runtime.split(ragged(ROWS), runtime.constant(sizes), num=len(sizes))
    assert [part.shape.as_list() for part in found] == [[size, None] for size in lengths]


def test_split_into_equal_parts_and_along_inner_axes() -> None:
    assert both(lambda r: runtime.split(r, 2), ragged(ROWS)) == [ROWS[:2], ROWS[2:]]
    assert both(lambda r: runtime.split(r, 4), ragged(ROWS)) == [[row] for row in ROWS]
    assert both(lambda r: runtime.split(r, 1, axis=1), ragged(ROWS)) == [ROWS]
    values = ragged([[[1, 2], [3, 4]], [], [[5, 6]]], inner=(2,))
    halves = [[[[1], [3]], [], [[5]]], [[[2], [4]], [], [[6]]]]
    assert both(lambda r: runtime.split(r, 2, axis=2), values) == halves
    assert both(lambda r: runtime.split(r, [1, 1], axis=-1), values) == halves


@pytest.mark.parametrize(
    ("sizes", "axis", "words"),
    [
        (3, 0, "cannot be split into 3 equal parts"), ([1, 2], 0, r"parts of the sizes \[1, 2\]"),
        ([2, 3], 0, r"parts of the sizes \[2, 3\]"), ([-1, 5], 0, r"\[-1, 5\]"), ([-1, -1], 0, r"\[-1, -1\]"),
        (0, 0, "0 equal parts"), (2, 1, "has another length in each row; take slices"),
        (2, 2, "axis 2 is no axis"), (2, -3, "axis -3 is no axis"),
    ],
)  # fmt: skip
def test_splits_that_do_not_fit(sizes: Any, axis: int, words: str) -> None:
    def staged(rows: Any) -> Any:
        return in_graph(lambda r: runtime.split(r, sizes, axis), rows)

    for function in (lambda r: runtime.split(r, sizes, axis), staged):
        with pytest.raises((InvalidArgumentError, ShapeMismatchError), match=words):
            function(ragged(ROWS))


# -- texts -----------------------------------------------------------------------------------------------------------


def crossed(*inputs: list[list[Any]]) -> list[list[bytes]]:
    return [["_X_".join(map(str, values)).encode() for values in itertools.product(*rows)]
            for rows in zip(*inputs, strict=True)]  # fmt: skip


def test_cross_combines_the_values_of_rows() -> None:
    words, numbers, more = [["a"], ["b", "c"], []], [[1, -2], [3, 4], [5]], [["x"], [], ["y", "z"]]
    for inputs in ([words, numbers], [numbers, words], [words, numbers, more], [words], [numbers, numbers, numbers]):
        tensors = [runtime.ragged.constant(rows) for rows in inputs]
        assert both(lambda *given: runtime.ragged.cross(given), *tensors) == crossed(*inputs)
    dense, sparse = [["p", "q"], ["r", "s"], ["t", "u"]], [["k"], [], ["l", "m"]]
    cells = runtime.SparseTensor([[0, 1], [2, 0], [2, 2]], ["k", "l", "m"], [3, 4])
    found = runtime.ragged.cross([runtime.ragged.constant(words), runtime.constant(dense), cells])
    assert found.to_list() == crossed(words, dense, sparse)
    assert runtime.ragged.cross([]).to_list() == []


@pytest.mark.parametrize(
    ("inputs", "error", "words"),
    [
        ([[["a"]], [["b"], ["c"]]], ShapeMismatchError, "as many rows each; there are 1 and 2"),
        ([[[1.5]]], ValueError, "inputs.0. must hold strings or integers; its dtype is float32"),
        ([[[["a"]]]], ShapeMismatchError, "inputs.0. must have rank 2"),
    ],
)
def test_what_cross_refuses(inputs: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        runtime.ragged.cross([runtime.ragged.constant(rows) for rows in inputs])
    with pytest.raises(TypeError, match="inputs are a list"):
        runtime.ragged.cross(runtime.ragged.constant([["a"]]))


def test_rows_that_do_not_fit_each_other_when_the_graph_runs() -> None:
    one, two = runtime.ragged.constant([["a"]]), runtime.ragged.constant([["b"], ["c"]])
    with pytest.raises(InvalidArgumentError, match="as many rows each; there are 1 2"):
        in_graph(lambda a, b: runtime.ragged.cross([a, b]), one, two)


def test_format_writes_rows_in_brackets() -> None:
    numbers, words = ragged(ROWS), runtime.ragged.constant([["a", "b"], []])
    for value, wanted in [
        (numbers, b"<[[1, 2], [3], [4, 5, 6], [7]]>"), (words, b"<[['a', 'b'], []]>"),
        (ragged(DEEP, 2), b"<[[[1, 2], [3]], [[4, 5, 6], [7]]]>"),
        (ragged([[[1, 2]], []], inner=(2,)), b"<[[[1, 2]], []]>"),
        (runtime.cast(numbers, "float32")[:1], b"<[[1.000000, 2.000000]]>"),
    ]:  # fmt: skip
        assert runtime.strings.format("<{}>", value).numpy() == wanted
        assert in_graph(lambda v: runtime.strings.format("<{}>", v), value).numpy() == wanted
    mixed = in_graph(lambda r, w: runtime.strings.format("{} {} {}", [r, runtime.constant([1, 2]), w]), numbers, words)
    assert mixed.numpy() == b"[[1, 2], [3], [4, 5, 6], [7]] [1 2] [['a', 'b'], []]"
    long = runtime.ragged.range(runtime.range(10))
    shown = b"[[], [0], ..., [0, 1, ..., 6, 7], [0, 1, ..., 7, 8]]"
    assert runtime.strings.format("{}", long, summarize=2).numpy() == shown
    assert runtime.strings.format("{}", long, summarize=-1).numpy().decode() == str(long.to_list())
