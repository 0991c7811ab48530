"""What a step of a loop costs in a plan: no copies of arrays, no kernels where a statement of Python does the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import DType, float32, float64, int8, int32, int64, uint8, uint64
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.ops.records.record import REGISTRY
from runtime.passes import optimize
from runtime.passes.conditions import join_conditions
from tests.runtime.oracle import assert_agrees


def queued(adjacent: Any) -> Any:
    """One branch writes to an array, the other hands it on; in another branch that one is again."""
    n = len(adjacent)
    count, queue, tail = adjacent.sum(axis=0), np.zeros(n, int), 0
    for u in range(n):
        for v in range(n):
            if adjacent[u, v]:
                count[v] -= 1
                if count[v] == 0:
                    queue[tail] = v
                    tail += 1
    return queue, count


def swapped(a: Any) -> Any:
    """Rows picked by positions are no view of the array that they are written to."""
    for k in range(len(a)):
        p = np.argmax(a[k:, k]) + k
        a[[k, p], :] = a[[p, k], :]
    return a.copy()


def listed(a: Any) -> Any:
    """A list grows in the same loop."""
    a, found = a.copy(), []
    for i in range(len(a)):
        a[i] = a[i - 1] + 1
        if a[i] > 2:
            found.append(a[i])
    return a, np.array(found)


ADJACENT = np.triu((np.arange(81).reshape(9, 9) % 3 == 1).astype(int), 1)


@pytest.mark.parametrize(
    ("program", "given"),
    [(queued, ADJACENT), (swapped, np.arange(81.0).reshape(9, 9) % 7), (listed, np.arange(70.0) % 5)],
    ids=["branches", "positions", "lists"],
)
def test_a_step_copies_no_array(program: Callable[..., Any], given: Any) -> None:
    function = tf.function(program, backend="numpy")
    wanted = program(given.copy())
    for one, other in zip(*(x if type(x) is tuple else (x,) for x in (function(given.copy()), wanted)), strict=True):
        np.testing.assert_array_equal(one, other)
    source = function.get_concrete_function(given.copy()).plan.source
    copies = [line for line in source.splitlines() if ".copy()" in line or "asarray(setitem" in line]
    assert all(line.startswith(" " * 8) and not line.startswith(" " * 12) for line in copies), source


def kept(x: Any, n: Any) -> Any:
    """A branch hands an array on that is kept elsewhere, too."""
    old = x
    for i in range(n):
        if i > 1:
            x[i % 3] = i
        elif i == 1:
            old = x
    return x, old


def test_arrays_that_somebody_keeps_stay_as_they_are() -> None:
    function = tf.function(kept)
    for n in (0, 1, 3, 5):
        for found, wanted in zip(function(tf.zeros([3]), tf.constant(n)), _kept_by_values(n), strict=True):
            np.testing.assert_array_equal(found, wanted)


def _kept_by_values(n: int) -> Any:
    x = old = np.zeros(3)
    for i in range(n):
        if i > 1:
            x = x.copy()
            x[i % 3] = i
        elif i == 1:
            old = x
    return x, old


# -- conditions ---------------------------------------------------------------------------------------------------


def searched(a: Any, x: Any) -> Any:
    i = 0
    while i < 70 and a[0] != x and not i == 50:
        i = i + 1
        if i > 3 or x < 0:
            x = x - 1
    return i, x


def test_conditions_that_cost_nothing_are_no_branches() -> None:
    function = tf.function(searched)
    for x in (5, -1, 100):
        a = tf.constant([3, 2])
        assert [int(t) for t in function(a, tf.constant(x))] == [*searched([3, 2], x)]
    graph = function.get_concrete_function(tf.constant([3, 2]), tf.constant(1)).optimized_graph
    kinds = [o.type for inner in nested_graphs(graph) for o in inner.operations]
    assert "cond" in kinds and "logical_or" in kinds and "logical_and" in kinds


CONDITIONS = {
    "and": ("less(%i, %n)", "False", "logical_and"), "or": ("True", "less(%i, %n)", "logical_or"),
    "not and": ("False", "less(%i, %n)", "logical_and"), "not or": ("less(%i, %n)", "True", "logical_or"),
}  # fmt: skip


@pytest.mark.parametrize("case", CONDITIONS)
def test_each_form_of_a_condition(case: str) -> None:
    def branch(name: str, what: str) -> str:
        made = f"constant() {{value=array bool[] [{what}]}}" if what in ("True", "False") else what
        return f"graph {name}(%i: int32[], %n: int32[]) -> (%r) {{\n%r = {made} : bool[]\n}}\n"

    yes, no, kind = CONDITIONS[case]
    graph = Graph.from_text(
        "graph main(%p: bool[], %i: int32[], %n: int32[]) -> (%c) {\n"
        "%c = cond(%p, %i, %n) {then_graph=@yes, else_graph=@no} : bool[]\n}\n" + branch("yes", yes) + branch("no", no)
    )
    assert [o.type for o in join_conditions(graph).operations][-1] == kind
    for p in (True, False):
        for i in (1, 3):
            assert assert_agrees(graph, [np.array(p), np.array(i, np.int32), np.array(2, np.int32)])


def test_a_branch_that_raises_before_it_gives_what_is_known_is_no_condition() -> None:
    graph = Graph.from_text(
        "graph main(%p: bool[], %i: bool[]) -> (%c) {\n"
        "%c = cond(%p, %i) {then_graph=@yes, else_graph=@no} : bool[]\n}\n"
        "graph yes(%i: bool[]) -> (%i) { }\n"
        'graph no(%i: bool[]) -> (%r) {\n%a = check(%i) {message="no", exception="ValueError", summarize=3}\n'
        "%r = constant() {value=array bool[] [False]} : bool[]\n}\n"
    )
    for p, i in ((True, False), (False, True)):
        assert assert_agrees(graph, [np.array(p), np.array(i)])
    with pytest.raises(ValueError, match="no"):
        compile_plan(optimize(graph)).run([np.array(False), np.array(False)])


def test_what_can_raise_stays_in_its_branch() -> None:
    function = tf.function(lambda a, b: b != 0 and a // b > 1)
    assert not function(tf.constant(5), tf.constant(0))
    assert function(tf.constant(5), tf.constant(2))


# -- numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [int8, uint8, int32, int64, uint64], ids=lambda d: d.name)
def test_powers_of_integers(dtype: DType) -> None:
    graph = Graph("power")
    x, y = (graph.placeholder(dtype, [], name) for name in "xy")
    graph.outputs = list(graph.add(REGISTRY["pow"], [x, y], {}).outputs)
    assert "**" in compile_plan(graph).source
    for base in (0, 1, 2, 3, 7, dtype.max, dtype.min):
        for exponent in (0, 1, 2, 7, 63, 64, 100):
            assert assert_agrees(graph, [np.array(base, dtype.numpy), np.array(exponent, dtype.numpy)])
    if not dtype.is_unsigned:
        assert not assert_agrees(graph, [np.array(2, dtype.numpy), np.array(-1, dtype.numpy)])


def test_powers_of_numbers_of_python_do_not_wrap_around() -> None:
    function = tf.function(lambda n: sum(3 ** (i * 2) for i in range(n)))
    assert int(function(tf.constant(19))) == sum(9**i for i in range(19))
    with pytest.raises(OverflowError):
        function(tf.constant(24))


def register(state: Any, n: int) -> Any:
    for _ in range(n):
        state = (state >> 1) | ((state & 1) << 3)
    return state


def test_bits_that_cannot_leave_their_dtype_are_not_tested() -> None:
    function = tf.function(register)
    assert int(function(9, 100)) == register(9, 100)
    assert "too_large" not in function.get_concrete_function(9, 100).plan.source


# -- arrays -------------------------------------------------------------------------------------------------------


def product(name: str, shapes: list[list[int | None]], dtype: DType, **attributes: Any) -> Graph:
    graph = Graph("product")
    operands = [graph.placeholder(dtype, shape, "x") for shape in shapes]
    graph.outputs = list(graph.add(REGISTRY[name], operands, attributes).outputs)
    return graph


@pytest.mark.parametrize("dtype", [float32, float64, int32], ids=lambda d: d.name)
@pytest.mark.parametrize("known", [True, False])
def test_products(dtype: DType, known: bool) -> None:
    for name, sizes, attributes in [
        ("tensordot", ((4,), (4,)), {"axes": 1}), ("tensordot", ((2, 4), (4,)), {"axes": ((-1,), (0,))}),
        ("tensordot", ((4,), (4, 2)), {"axes": 1}), ("tensordot", ((3, 4), (4, 2)), {"axes": 1}),
        ("matmul", ((3, 4), (4, 2)), {"transpose_a": False, "transpose_b": False}),
        ("matmul", ((4, 3), (2, 4)), {"transpose_a": True, "transpose_b": True}),
    ]:  # fmt: skip
        shapes = [[size if known else None for size in shape] for shape in sizes]
        graph = product(name, shapes, dtype, **attributes)
        assert ("dot(" if name == "tensordot" else "matmul(") in compile_plan(graph).source
        arrays = [np.arange(np.prod(shape)).reshape(shape).astype(dtype.numpy) for shape in sizes]
        assert assert_agrees(graph, arrays)
        if not known:
            assert not assert_agrees(graph, [arrays[0], np.ones((5,) * arrays[1].ndim, dtype.numpy)])


@pytest.mark.parametrize("dtype", [float32, float64, int64, uint64, tf.bool, tf.complex64], ids=lambda d: d.name)
def test_scalars_are_stacked_at_once(dtype: DType) -> None:
    graph = Graph("stacked")
    operands = [graph.placeholder(dtype, [], "x") for _ in range(3)]
    made = graph.add(REGISTRY["stack"], operands, {"axis": 0}).outputs[0]
    column = graph.add(REGISTRY["expand_dims"], [made], {"axis": 1}).outputs[0]
    graph.outputs = [made, column]
    source = compile_plan(graph).source
    assert "array((" in source and ".reshape(3, 1)" in source
    assert assert_agrees(graph, [np.array(number).astype(dtype.numpy) for number in (0, 1, 2.5)])


@pytest.mark.parametrize("dtype", [float32, int64, tf.bool], ids=lambda d: d.name)
def test_where_a_vector_is_not_zero(dtype: DType) -> None:
    graph = product("argwhere", [[None]], dtype)
    assert ".nonzero()" in compile_plan(graph).source
    for values in ([0, 2, 0, 3], [0], []):
        assert assert_agrees(graph, [np.array(values, dtype.numpy)])


def test_what_is_laid_out_anew_is_a_view() -> None:
    """A write to the array is not seen in what was reshaped before."""

    def program(x: Any, n: Any) -> Any:
        x = x + 1
        column = tf.reshape(x, [3, 1])
        for i in range(n):
            x[i] = 0.0
        return x, column

    x, column = tf.function(program)(tf.zeros([3]), tf.constant(2))
    assert x.numpy().tolist() == [0, 0, 1] and column.numpy().tolist() == [[1], [1], [1]]


@pytest.mark.parametrize("dtype", [float32, float64, int32, tf.bool], ids=lambda d: d.name)
def test_positions_of_extremes(dtype: DType) -> None:
    values = (np.arange(12) * 5 % 7 - 3).reshape(3, 4).astype(dtype.numpy)
    for name in ("argmax", "argmin"):
        for shape in ([3, 4], [None, 4], [None, None]):
            for axis in (0, -1):
                graph = product(name, [shape], dtype, axis=axis, output_type=int64)
                source = compile_plan(graph).source
                assert f".{name}(" in source and ("if a0.shape" in source) == (shape[axis] is None)
                assert assert_agrees(graph, [values])
        graph = product(name, [[4]], dtype, axis=0, output_type=int64)
        assert assert_agrees(graph, [values[1]])


def test_elements_by_arrays_are_taken_and_written_as_python_does() -> None:
    graph = Graph("taken")
    x = graph.placeholder(float64, [3, 4], "x")
    rows, mask = graph.placeholder(int64, [2], "rows"), graph.placeholder(tf.bool, [3, 4], "mask")
    for indices, spec in (
        ([rows], ("array",)), ([rows], ((None, None, None), "array")), ([rows, rows], ("array", "array")),
        ([mask], ("array",)), ([rows], ("array", None, (0, 2, None))), ([rows], (0, "array")),
    ):  # fmt: skip
        taken = graph.add(REGISTRY["getitem"], [x, *indices], {"spec": spec}).outputs[0]
        doubled = graph.add(REGISTRY["add"], [taken, taken], {}).outputs[0]
        fresh = graph.add(REGISTRY["add"], [x, x], {}).outputs[0]
        number = graph.constant(np.array(7.0))
        written = graph.add(REGISTRY["setitem"], [fresh, number, *indices], {"spec": spec}).outputs[0]
        graph.outputs = [*graph.outputs, taken, doubled, written]
    assert "getitem(" not in compile_plan(graph).source
    values = np.arange(12.0).reshape(3, 4)
    for places in ([0, 2], [-1, -3]):
        assert assert_agrees(graph, [values, np.array(places), values % 2 == 0])
    assert not assert_agrees(graph, [values, np.array([1, 4]), values % 2 == 0])


def test_the_order_of_equal_elements_is_that_of_numpy() -> None:
    numbers = np.random.default_rng(3).integers(0, 9, 300)
    for kind in (None, "stable"):
        ordered = tf.function(lambda a, kind=kind: np.argsort(a, kind=kind))
        np.testing.assert_array_equal(ordered(numbers), np.argsort(numbers, kind=kind))
