"""Ragged tensors through Functions, branches and loops."""

from __future__ import annotations

import random
from typing import Any

import pytest

import runtime
from runtime.errors import SignatureError
from tests.runtime.composite.ragged.rows import in_graph, plain, ragged, random_rows


def test_one_trace_for_rows_of_all_lengths() -> None:
    @runtime.function
    def total(rows: Any) -> Any:
        return runtime.reduce_sum(rows, axis=-1), rows * 2

    for rows in ([[1, 2], [], [3]], [[1], [2, 3, 4], [5, 6]], [[], [], []]):
        sums, doubled = total(ragged(rows))
        assert sums.numpy().tolist() == [sum(row) for row in rows]
        assert doubled.to_list() == [[2 * v for v in row] for row in rows]
    assert total.experimental_get_tracing_count() == 1
    total(ragged([[1]]))  # another number of rows
    assert total.experimental_get_tracing_count() == 2
    total(runtime.ragged.constant([[1.0]]))
    total(ragged([[[1]]], 2))
    assert total.experimental_get_tracing_count() == 4


def test_reduce_retracing_leaves_the_number_of_rows_open() -> None:
    @runtime.function(reduce_retracing=True)
    def double(rows: Any) -> Any:
        return rows + rows

    for count in (1, 2, 3, 4):
        rows = [[i] * i for i in range(count)]
        assert double(ragged(rows)).to_list() == [[2 * v for v in row] for row in rows]
    assert double.experimental_get_tracing_count() == 2


def test_signatures() -> None:
    spec = runtime.RaggedTensorSpec([None, None], runtime.int32)

    @runtime.function(input_signature=[spec])
    def longest(rows: Any) -> Any:
        return runtime.reduce_max(rows.row_lengths())

    assert int(longest(ragged([[1], [2, 3], []]))) == 2
    assert int(longest(ragged([[]]))) == 0
    assert longest.get_concrete_function().structured_input_signature == ((spec,), {})
    for wrong in (runtime.constant([[1]]), runtime.ragged.constant([[1.0]]), ragged([[[1]]], 2), [[1]]):
        with pytest.raises(SignatureError, match="rows"):
            longest(wrong)
    traced = runtime.function(lambda rows: rows.flat_values).get_concrete_function(spec)
    assert traced(ragged([[7], [8]])).numpy().tolist() == [7, 8]
    with pytest.raises(SignatureError):
        traced(runtime.constant([1]))


def test_specs() -> None:
    spec = runtime.RaggedTensorSpec
    text = "RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64)"
    assert repr(spec([None, None], runtime.int32)) == text
    x = ragged([[[1, 2]], []], inner=(2,))
    found = spec.from_value(x)
    assert (found.shape, found.dtype, found.ragged_rank, found.row_splits_dtype) == ([2, None, 2], "int32", 1, "int64")
    assert found.is_compatible_with(x)
    assert not found.is_compatible_with(ragged([[1]])) and not found.is_compatible_with(1)
    assert found == spec([2, None, 2], runtime.int32, ragged_rank=1) and hash(found) == hash(spec.from_value(x))
    assert found != spec([None, None, 2], runtime.int32, ragged_rank=1)
    row = spec([3], runtime.int32)
    assert (row.ragged_rank, row.shape, row.row_splits_dtype) == (0, [3], "int64") and row != found
    for wrong in ({"shape": [None], "ragged_rank": -1}, {"shape": []}, {"shape": None},
                  {"shape": [None, None], "row_splits_dtype": "float32"}, {"shape": [None, None, 3]}):  # fmt: skip
        with pytest.raises(ValueError):
            spec(**wrong)


@pytest.mark.parametrize("seed", range(3))
def test_loops_over_rows(seed: int) -> None:
    @runtime.function(input_signature=[runtime.RaggedTensorSpec([None, None, None], runtime.int32)])
    def folded(cube: Any) -> Any:
        total, deepest = 0, 0
        for rows in cube:
            for row in rows:
                if runtime.size(row) > deepest:
                    deepest = runtime.size(row)
                for value in row:
                    if value < 0:
                        continue
                    total = total * 2 + value
        return total, deepest

    cube = random_rows(random.Random(seed), 2)
    total = 0
    for value in [v for rows in cube for row in rows for v in row if v >= 0]:
        total = total * 2 + value
    wrapped = (total + 2**31) % 2**32 - 2**31
    deepest = max((len(row) for rows in cube for row in rows), default=0)
    assert [int(v) for v in folded(ragged(cube, 2))] == [wrapped, deepest]


def test_an_eager_loop_over_rows_is_python() -> None:
    x = ragged([[1, 2], [], [3]])
    assert [plain(row) for row in x] == [[1, 2], [], [3]]
    assert [(i, plain(row)) for i, row in enumerate(x)] == [(0, [1, 2]), (1, []), (2, [3])]


def test_folds_over_rows() -> None:
    rows = ragged([[1, 2], [], [3]])
    sums = lambda x: runtime.map_fn(runtime.reduce_sum, x, fn_output_signature=runtime.int32)
    folded = lambda x: runtime.foldl(lambda total, row: total * 10 + runtime.size(row), x, 0)
    pairs = lambda x: runtime.map_fn(lambda p: p[1] - runtime.size(p[0]), (x, x.row_starts()), runtime.int64)
    for call in (lambda f: f(rows), lambda f: in_graph(f, rows)):
        assert call(sums).numpy().tolist() == [3, 0, 3]
        assert call(folded).numpy() == 201
    with pytest.raises(TypeError, match="fn_output_signature asks for RaggedTensorSpec"):
        runtime.map_fn(runtime.reduce_sum, rows)
    with pytest.raises(TypeError):
        pairs(rows)  # int64 and int32

    @runtime.function(input_signature=[runtime.RaggedTensorSpec([None, None], runtime.int32)])
    def numbered(x: Any) -> Any:
        total = 0
        for i, row in enumerate(x):
            total += i * runtime.size(row)
        return total

    assert numbered(rows).numpy() == 2


def test_branches_and_the_state_of_loops() -> None:
    @runtime.function
    def grown(rows: Any, n: Any, double: Any) -> Any:
        if double:
            rows = rows * 2
        else:
            rows = runtime.concat([rows, rows], axis=1)
        for _ in runtime.range(n):
            rows = runtime.concat([rows, rows[:, :1]], axis=1)
        return rows

    rows = [[1, 2], [], [3]]
    for n in (0, 2):
        for double in (True, False):
            wanted = [[2 * v for v in row] if double else row + row for row in rows]
            for _ in range(n):
                wanted = [row + row[:1] for row in wanted]
            assert grown(ragged(rows), runtime.constant(n), runtime.constant(double)).to_list() == wanted


def test_none_or_rows() -> None:
    @runtime.function
    def found(rows: Any, wanted: Any) -> Any:
        best = None
        if wanted > 0:
            best = rows + wanted
        if best is None:
            return rows
        return best

    assert found(ragged([[1], []]), runtime.constant(5)).to_list() == [[6], []]
    assert found(ragged([[1], []]), runtime.constant(-5)).to_list() == [[1], []]


def test_branches_of_other_structure_are_refused() -> None:
    @runtime.function
    def mixed(rows: Any, p: Any) -> Any:
        if p:
            made = rows
        else:
            made = rows.to_tensor()
        return made

    with pytest.raises(TypeError, match="made"):
        mixed(ragged([[1], []]), runtime.constant(True))


def test_structures_with_rows_in_them() -> None:
    @runtime.function
    def both(pair: Any) -> Any:
        return {"sum": pair["a"] + pair["b"], "rows": (pair["a"], [pair["b"].row_lengths()])}

    made = both({"a": ragged([[1], [2, 3]]), "b": ragged([[4], [5, 6]])})
    assert made["sum"].to_list() == [[5], [7, 9]]
    assert made["rows"][0].to_list() == [[1], [2, 3]]
    assert made["rows"][1][0].numpy().tolist() == [1, 2]
    assert runtime.nest.map_structure(lambda r: r + 1, [ragged([[1], []])])[0].to_list() == [[2], []]
    assert len(runtime.nest.flatten(ragged([[1]]), expand_composites=True)) == 2


def test_nested_functions_and_texts_of_traces() -> None:
    inner = runtime.function(lambda rows: rows * 3)

    @runtime.function
    def outer(rows: Any) -> Any:
        return inner(rows) + inner(rows + 1)

    assert outer(ragged([[1], [2]])).to_list() == [[9], [15]]
    assert "row_splits=<2>" in str(outer.get_concrete_function(ragged([[1], [2]])))

    @runtime.function
    def shown(rows: Any) -> Any:
        assert "RaggedTensor(values=" in repr(rows)
        with pytest.raises(TypeError, match="only known when the graph runs"):
            rows.to_list()
        return rows.shape.rank

    assert shown(ragged([[1]])).numpy() == 2


# -- printing ------------------------------------------------------------------------------------------------------


def test_rows_are_printed_when_the_graph_runs(capsys: pytest.CaptureFixture[str]) -> None:
    @runtime.function
    def show(rows: Any, x: Any) -> None:
        runtime.print("rows", rows, [rows + 1])
        runtime.print(x)

    show(ragged([[1, 2], [], [3]]), runtime.sparse.from_dense([0, 7]))
    rows, cells = capsys.readouterr().err.splitlines()
    assert rows == "rows <tf.RaggedTensor [[1, 2], [], [3]]> [<tf.RaggedTensor [[2, 3], [], [4]]>]"
    assert cells == "SparseTensor(indices=[[1]], values=[7], shape=[2])"


def test_indexed_slices_are_composites() -> None:
    slices = runtime.IndexedSlices(runtime.constant([1.0, 2.0]), runtime.constant([0, 3]))

    @runtime.function
    def doubled(s: Any, p: Any) -> Any:
        values = s.values * 2 if p else s.values
        made = runtime.IndexedSlices(values, s.indices)
        for _ in runtime.range(2):
            made = runtime.IndexedSlices(made.values + 1, made.indices)
        return made

    made = doubled(slices, runtime.constant(True))
    assert made.values.numpy().tolist() == [4.0, 6.0] and made.indices.numpy().tolist() == [0, 3]
    doubled(runtime.IndexedSlices(runtime.constant([1.0]), runtime.constant([5])), runtime.constant(False))
    assert doubled.experimental_get_tracing_count() == 1
    assert runtime.nest.flatten([slices]) == [slices]


def test_python_functions_are_given_rows() -> None:
    seen: list[Any] = []

    def look(rows: Any, factor: Any) -> Any:
        seen.append(rows.to_list())
        return runtime.reduce_sum(rows * factor)

    @runtime.function
    def staged(rows: Any) -> Any:
        return runtime.py_function(look, [rows + 1, 10], runtime.int32)

    assert int(staged(ragged([[1], [2, 3]]))) == 90
    assert int(runtime.py_function(look, [ragged([[5], []]), 2], runtime.int32)) == 10
    assert seen == [[[2], [3, 4]], [[5], []]]


def test_ragged_and_sparse_tensors_are_tensors_to_programs() -> None:
    assert runtime.is_tensor(ragged([[1]])) and runtime.is_tensor(runtime.sparse.eye(2))
    assert runtime.is_tensor(runtime.Variable(1)) and not runtime.is_tensor([[1]])
