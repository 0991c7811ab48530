"""Operations on ragged tensors against loops of plain Python over nested lists, eager and in graphs."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.composite.ragged_calls import BY_ELEMENT, is_by_element
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.families import load_all
from tests.runtime.composite.ragged.rows import in_graph, plain, ragged, random_rows


def deep(function: Callable[..., Any], *rows: Any) -> Any:
    """The function of the numbers at each place of nested lists."""
    if isinstance(rows[0], list):
        return [deep(function, *parts) for parts in zip(*rows, strict=True)]
    return function(*rows)


def assert_both(function: Callable[..., Any], wanted: Any, *values: Any) -> None:
    assert plain(function(*values)) == wanted
    assert plain(in_graph(function, *values)) == wanted


@pytest.mark.parametrize("ragged_rank", [1, 2])
@pytest.mark.parametrize("inner", [(), (2,)])
def test_by_element(ragged_rank: int, inner: tuple[int, ...]) -> None:
    rng = random.Random(ragged_rank)
    for _ in range(5):
        rows = random_rows(rng, ragged_rank, inner)
        x = ragged(rows, ragged_rank, inner=inner)
        assert_both(lambda x: x + 1, deep(lambda v: v + 1, rows), x)
        assert_both(lambda x: 2 - x, deep(lambda v: 2 - v, rows), x)
        assert_both(lambda x: x * x + x, deep(lambda v: v * v + v, rows), x, )
        assert_both(lambda x, y: runtime.maximum(x, y), deep(max, rows, deep(abs, rows)), x, abs(x))
        assert_both(lambda x: runtime.where(x > 0, x, -x), deep(abs, rows), x)
        assert_both(lambda x: x == 3, deep(lambda v: v == 3, rows), x)
        assert_both(lambda x: runtime.cast(x, runtime.float32) / 2, deep(lambda v: v / 2, rows), x)
        assert_both(lambda x: runtime.clip_by_value(x, -1, 2), deep(lambda v: min(max(v, -1), 2), rows), x)
        assert_both(lambda x: runtime.ragged.map_flat_values(lambda v: v * 10, x), deep(lambda v: v * 10, rows), x)


def test_dense_operands() -> None:
    x = ragged([[1, 2], [], [3]])
    column = runtime.constant([[10], [20], [30]])
    assert_both(lambda x, c: x + c, [[11, 12], [], [33]], x, column)
    assert_both(lambda x, c: c - x, [[9, 8], [], [27]], x, column)
    assert plain(x + [[10], [20], [30]]) == [[11, 12], [], [33]]
    assert plain(x + [[7]]) == [[8, 9], [], [10]]
    full = ragged([[1, 2], [3, 4]])
    assert plain(full + runtime.constant([[1, 1], [2, 2]])) == [[2, 3], [5, 6]]
    wide = ragged([[[1, 2]], [], [[3, 4], [5, 6]]], inner=(2,))
    assert_both(lambda x, v: x * v, [[[10, 40]], [], [[30, 80], [50, 120]]], wide, runtime.constant([10, 20]))
    deeper = ragged([[[1], [2, 3]], [[]]], 2)
    assert plain(deeper + [[[10]], [[20]]]) == [[[11], [12, 13]], [[]]]


def test_rows_that_differ_are_refused_with_the_row() -> None:
    a, b = ragged([[1], [2, 3]]), ragged([[1, 2], [3]])
    for call in (lambda: a + b, lambda: in_graph(lambda x, y: x + y, a, b)):
        with pytest.raises(InvalidArgumentError, match="row 0 has 1 value in one and 2 values in the other"):
            call()
    with pytest.raises(InvalidArgumentError, match="row 0 along axis 1 .* has 1 value, and 3 values beside it"):
        a + ragged([[1, 2, 3]])
    with pytest.raises(ShapeMismatchError, match="there are 3 rows and 2 rows"):
        a + ragged([[1], [2, 3], [4]])
    with pytest.raises(InvalidArgumentError):
        in_graph(lambda x, c: x + c, a, runtime.constant([[1], [2], [3]]))
    with pytest.raises(InvalidArgumentError):
        a + runtime.constant([[1], [2], [3]])
    with pytest.raises(InvalidArgumentError):
        a + runtime.constant([1, 2])
    with pytest.raises(InvalidArgumentError, match="row 0 along axis 2 .* has 1 value, and 2 values beside it"):
        ragged([[[1]]], 2) + ragged([[1, 2]])
    with pytest.raises(ShapeMismatchError, match="does not broadcast"):
        a + runtime.constant([[[[1]]]])
    with pytest.raises(DtypeMismatchError, match=r"int32.*float32"):
        a + runtime.cast(a, runtime.float32)


REDUCTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "reduce_sum": sum, "reduce_prod": math.prod, "reduce_max": lambda r: max(r, default=-(2**31)),
    "reduce_min": lambda r: min(r, default=2**31 - 1),
}  # fmt: skip


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name: str) -> None:
    reduce, by_python = getattr(runtime, name), REDUCTIONS[name]
    rng = random.Random(name)
    for _ in range(5):
        rows = random_rows(rng)
        x = ragged(rows)
        assert_both(lambda x: reduce(x, axis=1), [by_python(row) for row in rows], x)
        assert_both(lambda x: reduce(x, axis=-1, keepdims=True), [[by_python(row)] for row in rows], x)
        assert_both(lambda x: reduce(x), by_python([v for row in rows for v in row]), x) if any(rows) else None
        width = max(map(len, rows))
        columns = [[row[i] for row in rows if i < len(row)] for i in range(width)]
        assert_both(lambda x: reduce(x, axis=0), [by_python(column) for column in columns], x)
        cube = random_rows(rng, 2)
        y = ragged(cube, 2)
        assert_both(lambda y: reduce(y, axis=2), [[by_python(row) for row in rows] for rows in cube], y)
        widths = [max(map(len, rows), default=0) for rows in cube]
        by_place = [
            [by_python([row[k] for row in rows if k < len(row)]) for k in range(width)]
            for rows, width in zip(cube, widths)
        ]
        assert_both(lambda y: reduce(y, axis=1), by_place, y)
        both = [[v for row in rows for v in row] for rows in cube]
        if name in ("reduce_sum", "reduce_prod"):
            assert_both(lambda y: reduce(y, axis=[1, 2]), [by_python(row) for row in both], y)
        wide = random_rows(rng, 1, (2,))
        z = ragged(wide, inner=(2,))
        assert_both(lambda z: reduce(z, axis=2), [[by_python(v) for v in row] for row in wide], z)


def test_means_and_truth() -> None:
    rows = [[1.0, 2.0], [], [4.0, 5.0, 9.0]]
    x = ragged(rows, dtype=runtime.float64)
    for call in (lambda f: f(x), lambda f: in_graph(f, x)):
        mean = call(lambda x: runtime.reduce_mean(x, axis=1)).numpy()
        assert mean[0] == 1.5 and np.isnan(mean[1]) and mean[2] == 6.0
        np.testing.assert_allclose(call(lambda x: runtime.math.reduce_variance(x, axis=1)).numpy()[[0, 2]],
                                   [np.var(rows[0]), np.var(rows[2])])  # fmt: skip
        np.testing.assert_allclose(call(lambda x: runtime.math.reduce_std(x, axis=1)).numpy()[2], np.std(rows[2]))
        assert call(lambda x: runtime.reduce_any(x > 4, axis=1)).numpy().tolist() == [False, False, True]
        assert call(lambda x: runtime.reduce_all(x < 4, axis=1)).numpy().tolist() == [True, True, False]
        soft = call(lambda x: runtime.nn.softmax(x)).to_list()
        assert soft[1] == []
        np.testing.assert_allclose(soft[0], np.exp([1, 2]) / np.exp([1, 2]).sum())
        np.testing.assert_allclose(call(lambda x: runtime.nn.log_softmax(x)).to_list()[2], np.log(
            np.exp([4, 5, 9]) / np.exp([4, 5, 9]).sum()))  # fmt: skip
    cube = ragged([[[1.0, 2.0], [6.0]], []], 2, runtime.float32)
    assert runtime.reduce_mean(cube, axis=[1, 2]).numpy()[0] == 3.0  # and not the mean of 1.5 and 6
    assert runtime.size(x).numpy() == 5
    assert runtime.rank(x).numpy() == 2


def over(rows: Any, axis: int, depth: int, by_python: Callable[[list[Any]], Any]) -> Any:
    """`by_python` of what differs in its place along one axis alone; rows: lists nested `depth` times."""
    if axis:
        return [over(row, axis - 1, depth - 1, by_python) for row in rows]
    if depth == 1:
        return by_python(rows)
    width = max(map(len, rows), default=0)
    return [over([row[k] for row in rows if k < len(row)], 0, depth - 1, by_python) for k in range(width)]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("depth", [2, 3])
def test_every_axis_alone(name: str, depth: int) -> None:
    reduce, rng = getattr(runtime, name), random.Random(name)
    for axis in range(depth + 1):
        rows = random_rows(rng, depth)
        wanted = over(rows, axis, depth + 1, REDUCTIONS[name])
        assert_both(lambda x, axis=axis: reduce(x, axis=axis), wanted, ragged(rows, depth))
        kept = reduce(ragged(rows, depth), axis=axis, keepdims=True)
        assert plain(runtime.squeeze(kept, axis) if axis else kept[0]) == wanted


def test_means_over_several_axes() -> None:
    cube = ragged([[[1, 2], [6]], [], [[5]]], 2, runtime.float32)
    np.testing.assert_allclose(runtime.reduce_mean(cube, axis=[0, 2]).numpy(), [8 / 3, 6.0], rtol=1e-6)
    assert runtime.reduce_mean(cube, axis=[0, 1, 2]).numpy() == 3.5
    assert runtime.reduce_mean(cube, axis=0).to_list() == [[3.0, 2.0], [6.0]]
    assert runtime.reduce_mean(cube, axis=[1, 2], keepdims=True).numpy()[[0, 2]].tolist() == [[[3.0]], [[5.0]]]
    assert runtime.reduce_max(cube, keepdims=True).numpy().tolist() == [[[6.0]]]
    with runtime.GradientTape() as tape:
        tape.watch(cube.flat_values)
        y = runtime.reduce_mean(cube, axis=0).flat_values
    assert tape.gradient(y, cube.flat_values).numpy().tolist() == [0.5, 1.0, 1.0, 0.5]


def test_what_cannot_be_reduced_says_so() -> None:
    cube = ragged([[[1.0, 2.0], [6.0]], []], 2, runtime.float32)
    with pytest.raises(ShapeMismatchError, match="axis 3 is out of range"):
        runtime.reduce_sum(cube, axis=3)
    with pytest.raises(ShapeMismatchError, match="several ragged axes that follow each other"):
        runtime.math.reduce_std(cube, axis=[0, 2])


def test_sums_along_the_rows() -> None:
    rows = [[1, 2, 3], [], [4, 5]]
    x = ragged(rows)
    sums = [list(itertools.accumulate(row)) for row in rows]
    assert_both(lambda x: runtime.cumsum(x, axis=1), sums, x)
    assert_both(lambda x: runtime.cumsum(x, axis=-1, reverse=True), [[6, 5, 3], [], [9, 5]], x)
    assert_both(lambda x: runtime.cumsum(x, axis=1, exclusive=True), [[0, 1, 3], [], [0, 4]], x)
    assert_both(lambda x: runtime.math.cumprod(x, axis=1, reverse=True), [[6, 6, 3], [], [20, 5]], x)
    deep = ragged([[[1, 2], []], [[3, 4, 5]]], 2)
    assert plain(runtime.cumsum(deep, axis=2)) == [[[1, 3], []], [[3, 7, 12]]]
    infinite = ragged([[1.0, float("inf")], [2.0, 3.0]], 1, runtime.float32)
    assert plain(runtime.cumsum(infinite, axis=1)) == [[1.0, float("inf")], [2.0, 5.0]], "rows know nothing of others"
    with pytest.raises(ShapeMismatchError, match="along the rows"):
        runtime.cumsum(x)


def test_coordinates_of_what_is_true() -> None:
    x = ragged([[1, 0], [], [0, 2, 3]])
    assert_both(lambda x: runtime.where(x > 0), [[0, 0], [2, 1], [2, 2]], x)
    deep = ragged([[[0, 2], []], [[3]]], 2)
    assert plain(runtime.where(deep)) == [[0, 0, 1], [1, 0, 0]]


def test_operations_without_a_meaning_are_refused() -> None:
    x = ragged([[1, 2], [3]])
    for operation in (runtime.sort, runtime.argmax, runtime.unstack):
        with pytest.raises(TypeError, match="RaggedTensor"):
            operation(x)
    assert plain(np.int32(2) * x) == plain(x * np.int32(2)) == [[2, 4], [6]]
    assert plain(np.array([[10], [20]]) * runtime.cast(x, runtime.int64)) == [[10, 20], [60]]
    with pytest.raises(TypeError, match="RaggedTensor to a tensor.*to_tensor"):
        runtime.convert_to_tensor(x)
    for call in (lambda: np.sum(x), lambda: np.asarray(x), lambda: np.exp(x), lambda: 3 in x):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError, match="no truth value"):
        bool(x)


def test_the_shape_of_rows() -> None:
    """How many rows there are, in graphs too; a size of the ragged axis there is not, nor a tensor of them all."""
    x = ragged([[1, 2], [3], []])
    shape = runtime.shape(x)
    assert repr(shape) == "<DynamicRaggedShape lengths=[3, (2, 1, 0)] num_row_partitions=1>"
    assert shape == runtime.experimental.DynamicRaggedShape.from_lengths([3, (2, 1, 0)], runtime.int32)
    assert int(runtime.function(lambda rows: runtime.shape(rows)[0])(x)) == 3
    staged = runtime.function(runtime.shape)(x)
    assert staged == shape
    with pytest.raises(ValueError, match="axis 1 is ragged"):
        _ = shape[1]
    with pytest.raises(IndexError, match="the axes are 0 to 1"):
        shape.is_uniform(2)
    with pytest.raises(TypeError):
        runtime.zeros(shape)


def test_operations_by_element_work_by_element() -> None:
    """Whatever is done to the innermost values alone gives each of them what it gives that value alone."""
    found = [op for op in load_all().values() if is_by_element(op) and op.samples is not None]
    assert len(found) > 80 and {op.name for op in found} >= BY_ELEMENT - {"add_n"}
    for op in found:
        dtype = sorted(op.groups[0].allowed, key=lambda d: d.name)[-1]
        for sample in op.samples(dtype):
            if not sample.operands or op.variadic or sample.attributes.get("axis", -1) != -1:
                continue
            first = np.asarray(sample.operands[0])
            if first.ndim != 1 or len(first) < 3 or any(np.ndim(o) not in (0, 1) for o in sample.operands):
                continue
            if any(np.ndim(o) and len(o) != len(first) for o in sample.operands):
                continue
            whole = np.asarray(op(*sample.operands, **sample.attributes))
            for i in range(len(first)):
                one = [o[i : i + 1] if np.ndim(o) else o for o in sample.operands]
                alone = np.asarray(op(*one, **sample.attributes))
                np.testing.assert_array_equal(alone[0], whole[i], op.name)


def test_activations_dropout_and_checks_of_ragged_tensors() -> None:
    x = ragged([[-1.0, 2.0], [], [3.0]], dtype=runtime.float32)
    assert_both(lambda x: runtime.nn.leaky_relu(x, 0.5), [[-0.5, 2.0], [], [3.0]], x)
    assert_both(lambda x: runtime.nn.dropout(x, 0.0), [[-1.0, 2.0], [], [3.0]], x)
    kept = plain(runtime.nn.dropout(ragged([[1.0] * 500, [1.0] * 500], dtype=runtime.float32), 0.5, seed=1))
    assert {v for row in kept for v in row} == {0.0, 2.0} and 350 < sum(v > 0 for row in kept for v in row) < 650
    with pytest.raises(ShapeMismatchError, match="noise_shape"):
        runtime.nn.dropout(x, 0.5, [3, 1])
    labels = runtime.ones_like(x)
    found = plain(runtime.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=x))
    np.testing.assert_allclose(found[0] + found[2], np.log1p(np.exp([1.0, -2.0, -3.0])), rtol=1e-5)
    assert runtime.debugging.check_numerics(x, "here") is x
    for wrong in (x / 0.0, (x / 0.0).to_sparse()):
        with pytest.raises(InvalidArgumentError, match="here"):
            runtime.debugging.check_numerics(wrong, "here")
