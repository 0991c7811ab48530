"""`x[i]` with integers in plans: written as Python's own indexing, with the kernel's results and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime
from runtime.dtypes import DType, bool_, float32, float64, int32, int64, string
from runtime.engine.plan import compile_plan
from runtime.errors import OutOfRangeError
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from runtime.ops.records.samples import values
from tests.runtime.oracle import assert_agrees


def item_graph(dtype: DType, shape: list[int | None], spec: tuple[Any, ...]) -> Graph:
    graph = Graph("item")
    x = graph.placeholder(dtype, shape, "x")
    indices = [graph.placeholder(int32, [], "i") for part in spec if part == "at"]
    graph.outputs = list(graph.add(REGISTRY["getitem"], [x, *indices], {"spec": spec}).outputs)
    return graph


@pytest.mark.parametrize("dtype", [bool_, int32, int64, float32, float64, string], ids=lambda d: d.name)
@pytest.mark.parametrize("shape", [[2, 3], [None, None], [2, None]], ids=str)
@pytest.mark.parametrize("spec", [("at",), ("at", "at"), (1, "at"), (-2,), ("at", 2), (0, -1)], ids=str)
def test_items_are_those_of_the_kernel(dtype: DType, shape: list[int | None], spec: tuple[Any, ...]) -> None:
    graph = item_graph(dtype, shape, spec)
    assert ("getitem(" in compile_plan(graph).source) == (dtype is string)
    count = spec.count("at")
    for i in range(-2, 2):
        assert assert_agrees(graph, [values(dtype, (2, 3)), *[np.array(i, np.int32)] * count])


@pytest.mark.parametrize("index", [3, -4, 2**31 - 1])
@pytest.mark.parametrize("shape", [[3], [None]], ids=str)
def test_an_index_that_is_out_of_range_raises_the_error_of_the_kernel(index: int, shape: list[int | None]) -> None:
    plan = compile_plan(item_graph(float32, shape, ("at",)))
    with pytest.raises(OutOfRangeError, match=str(index)) as caught:
        plan.run([np.zeros(3, np.float32), np.array(index, np.int32)])
    assert "'getitem'" in caught.value.__notes__[0]


def test_a_row_is_a_view_that_keeps_its_buffer_from_being_reused() -> None:
    graph = Graph("rows")
    x, i = graph.placeholder(float32, [2, 2000], "x"), graph.placeholder(int32, [], "i")
    fresh = graph.add(REGISTRY["exp"], [x], {}).outputs[0]
    row = graph.add(REGISTRY["getitem"], [fresh, i], {"spec": ("at",)}).outputs[0]
    graph.outputs = [graph.add(REGISTRY["negative"], [fresh], {}).outputs[0], row]
    assert "out=" not in compile_plan(graph).source
    assert assert_agrees(graph, [np.ones((2, 2000), np.float32), np.array(1, np.int32)])


SLICED = [
    ((None, ("at", None, None)), "a0[None, v0:]"), ((("at", "at", None), 1), "a0[v0:v1, 1]"),
    ((-1, (None, None, -1)), "a0[-1, ::-1]"), (("at", None, (1, None, 2)), "a0[v0, None, 1::2]"),
]  # fmt: skip


@pytest.mark.parametrize("dtype", [int32, float64, string], ids=lambda d: d.name)
@pytest.mark.parametrize("shape", [[3, 4], [None, None]], ids=str)
@pytest.mark.parametrize(("spec", "text"), SLICED, ids=[text for _, text in SLICED])
def test_slices_and_new_axes_are_written_as_python_does(
    dtype: DType, shape: list[int | None], spec: tuple[Any, ...], text: str
) -> None:
    graph = Graph("slices")
    x = graph.placeholder(dtype, shape, "x")
    flat = [part for entry in spec for part in (entry if isinstance(entry, tuple) else [entry])]
    indices = [graph.placeholder(int32, [], "i") for part in flat if part == "at"]
    graph.outputs = list(graph.add(REGISTRY["getitem"], [x, *indices], {"spec": spec}).outputs)
    assert (text in compile_plan(graph).source) == (dtype is not string)
    for i in range(-3, 3):
        for j in range(-2, 5) if len(indices) == 2 else [0]:
            numbers = [np.array(n, np.int32) for n in (i, j)[: len(indices)]]
            assert assert_agrees(graph, [values(dtype, (3, 4)), *numbers])


@pytest.mark.parametrize("step", [0, 2, -1])
def test_a_step_that_the_run_gives_is_the_kernels(step: int) -> None:
    graph = Graph("steps")
    x, i = graph.placeholder(float32, [4], "x"), graph.placeholder(int32, [], "i")
    graph.outputs = list(graph.add(REGISTRY["getitem"], [x, i], {"spec": ((None, None, "at"),)}).outputs)
    assert "getitem(" in compile_plan(graph).source
    assert_agrees(graph, [np.arange(4, dtype=np.float32), np.array(step, np.int32)])


@pytest.mark.parametrize("dtype", [float32, float64, bool_], ids=lambda d: d.name)
@pytest.mark.parametrize("index", [3, -4, 2**63 + 5])
def test_a_place_that_is_not_there_is_the_kernels_error_wherever_it_is(dtype: DType, index: int) -> None:
    """Read and written, of elements and rows, in loops, and for a program's own handler."""
    kind = np.uint64 if index > 3 else np.int64

    def element(x: Any, i: Any) -> Any:
        for _ in range(100):
            x[i] = x[i]
        return x

    def row(x: Any, i: Any) -> Any:
        y = runtime.stack([x, x], axis=1)
        y[i] = y[0]
        return y[:, i]

    def handled(x: Any, i: Any) -> Any:
        try:
            y = x[i]
        except IndexError:
            y = x[0]
        return y

    x, i = np.ones(3, dtype.numpy), runtime.constant(np.array(index, kind))
    for program in (element, row):
        with pytest.raises(OutOfRangeError, match=str(index)):
            runtime.function(program, backend="numpy")(runtime.constant(x), i)
    assert runtime.function(handled)(runtime.constant(x), i).numpy() == x[0]
