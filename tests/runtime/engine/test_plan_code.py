"""The code of plans: what is written for scalars, loops, branches, buffers; and that it runs within Python's limits."""

from __future__ import annotations

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

import runtime
from runtime.dtypes import (
    DType,
    bool_,
    float32,
    float64,
    int8,
    int32,
    int64,
    uint8,
    uint32,
    uint64,
)  # fmt: skip
from runtime.engine.plan import Plan, compile_plan
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from runtime.passes import optimize
from tests.runtime.oracle import assert_agrees

NUMBERS = (bool_, int8, int32, int64, uint8, uint32, uint64, float32, float64)

TRIANGLE = """
graph triangle(%n: int32[]) -> (%while:1) {
  %zero = constant() {value=array int32[] [0]} : int32[]
  %while = while(%zero, %zero, %n) {cond_graph=@test, body_graph=@body, maximum_iterations=None} : int32[], int32[]
}
graph test(%i: int32[], %s: int32[], %n: int32[]) -> (%less) {
  %less = less(%i, %n) : bool[]
}
graph body(%i: int32[], %s: int32[], %n: int32[]) -> (%next, %sum) {
  %sum = add(%s, %i) : int32[]
  %one = constant() {value=array int32[] [1]} : int32[]
  %next = add(%i, %one) : int32[]
}
"""


def plan_of(text: str) -> Plan:
    return compile_plan(Graph.from_text(text))


def code(plan: Plan) -> list[str]:
    """The statements of a plan without comments and the frame that every plan has."""
    frame = ("quiet =", "try:", "except (Exception", "explain(", "raise", "finally:", "restore(")
    lines = [line.split("  #")[0].rstrip() for line in plan.source.splitlines()]
    return [line.removeprefix("        ") for line in lines if not line.strip().startswith(frame)]


def test_a_loop_over_integers_is_a_python_loop_over_python_numbers() -> None:
    assert code(plan_of(TRIANGLE)) == [
        "def triangle(a0):",
        "v0 = 0",
        "v1 = 0",
        "v2 = a0.item()",
        "for v0 in range(v0, v2):",
        "    v1 = v1 + v0",
        "    if v1 > 2147483647: v1 -= 4294967296",
        "v0 = asarray(v1, int32)",
        "return (v0,)",
    ]


@pytest.mark.parametrize("n", [0, 1, 5, 92_681, 100_000])
def test_integers_wrap_as_numpy_does(n: int) -> None:
    (found,) = plan_of(TRIANGLE).run([np.array(n, np.int32)])
    with np.errstate(all="ignore"):
        wanted = np.sum(np.arange(n, dtype=np.int32), dtype=np.int32)
    assert found.dtype == np.int32 and found == wanted


def test_buffers_are_reused_where_nobody_can_tell() -> None:
    plan = plan_of("""
        graph f(%x: float32[64, 64]) -> (%d, %kept) {
          %a = add(%x, %x) : float32[64, 64]
          %b = exp(%a) : float32[64, 64]
          %kept = multiply(%b, %x) : float32[64, 64]
          %c = sin(%kept) : float32[64, 64]
          %d = sin(%c) : float32[64, 64]
        }""")
    assert code(plan) == [
        "def f(a0):",
        "v0 = add(a0, a0)",
        "v0 = exp(v0, out=v0)",
        "v0 = multiply(v0, a0, out=v0)",
        "v1 = sin(v0)",
        "v1 = sin(v1, out=v1)",
        "return (v1, v0)",
    ]


@pytest.mark.parametrize(
    ("operations", "outputs"),
    [
        pytest.param("%v = transpose(%a) {perm=None} : float32[64, 64]", "%r, %v", id="a view of it is returned"),
        pytest.param("%v = identity(%a) : float32[64, 64]", "%r, %v", id="another name of it is returned"),
        pytest.param("%v = add(%x, %x) : float32[64, 64]", "%r, %a", id="it is returned itself"),
    ],
)
def test_a_buffer_that_is_seen_otherwise_is_not_reused(operations: str, outputs: str) -> None:
    graph = Graph.from_text(f"""
        graph f(%x: float32[64, 64]) -> ({outputs}) {{
          %a = add(%x, %x) : float32[64, 64]
          {operations}
          %r = negative(%a) : float32[64, 64]
        }}""")
    assert "out=" not in compile_plan(graph).source
    assert assert_agrees(graph, [np.arange(4096, dtype=np.float32).reshape(64, 64)])


def test_a_buffer_that_is_state_and_invariant_of_a_loop_is_not_reused_inside() -> None:
    graph = Graph.from_text("""
        graph f(%x: float32[64, 64], %n: int32[]) -> (%w:1) {
          %a = exp(%x) : float32[64, 64]
          %w = while(%n, %a, %a) {cond_graph=@test, body_graph=@body, maximum_iterations=None}
            : int32[], float32[64, 64]
        }
        graph test(%i: int32[], %s: float32[64, 64], %k: float32[64, 64]) -> (%go) {
          %zero = constant() {value=array int32[] [0]} : int32[]
          %go = greater(%i, %zero) : bool[]
        }
        graph body(%i: int32[], %s: float32[64, 64], %k: float32[64, 64]) -> (%j, %t) {
          %one = constant() {value=array int32[] [1]} : int32[]
          %j = subtract(%i, %one) : int32[]
          %t = subtract(%s, %k) : float32[64, 64]
        }""")
    for turns in range(4):
        assert assert_agrees(graph, [np.ones((64, 64), np.float32), np.array(turns, np.int32)])


def test_a_conversion_at_the_end_of_a_branch_spares_what_the_branch_still_holds() -> None:
    graph = Graph.from_text("""
        graph f(%p: bool[], %x: int32[]) -> (%c, %c:1) {
          %c = cond(%p, %x) {then_graph=@views, else_graph=@numbers} : int32[], int32[]
        }
        graph views(%x: int32[]) -> (%t, %i) {
          %t = transpose(%x) {perm=None} : int32[]
          %j = identity(%t) : int32[]
          %i = identity(%j) : int32[]
        }
        graph numbers(%x: int32[]) -> (%n, %n) {
          %n = negative(%x) : int32[]
        }""")
    for choice in (True, False):
        assert assert_agrees(graph, [np.array(choice), np.array(7, np.int32)])


def test_inputs_and_constants_are_never_written_to() -> None:
    graph = Graph.from_text("""
        graph f(%x: float32[2000]) -> (%b, %x, %k, %x) {
          %k = constant() {value=array float32[1] [2.0]} : float32[1]
          %a = negative(%x) : float32[2000]
          %b = add(%a, %k) : float32[2000]
        }""")
    argument = np.ones(2000, np.float32)
    argument.flags.writeable = False
    first, second = compile_plan(graph).run([argument]), compile_plan(graph).run([argument])
    assert first[1] is argument and first[3] is argument
    assert first[0][0] == second[0][0] == 1


def test_a_long_chain_keeps_few_arrays_alive() -> None:
    graph = Graph("chain")
    tensor = graph.placeholder(float32, [None])
    for number in range(200):
        tensor = graph.add(REGISTRY["negative" if number % 2 else "exp"], [tensor], {}).outputs[0]
    graph.outputs = [tensor]
    plan = compile_plan(graph)
    argument = np.zeros(250_000, np.float32)
    tracemalloc.start()
    try:
        plan.run([argument])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3.5 * argument.nbytes


def test_a_very_long_graph_needs_no_recursion() -> None:
    graph = Graph("long")
    tensor = graph.placeholder(float64, [])
    one = graph.constant(np.array(1.0))
    for _ in range(20_000):
        tensor = graph.add(REGISTRY["add"], [tensor, one], {}).outputs[0]
    graph.outputs = [tensor]
    (result,) = compile_plan(optimize(graph)).run([np.array(0.5)])
    assert result == 20_000.5


def nested(depth: int, kind: str) -> Graph:
    """x + 1 inside `depth` branches or loops of one turn each."""
    graph = Graph("root")
    x = graph.placeholder(int32, [])
    graph.outputs = [_wrap(graph, x, depth, kind)]
    return graph


def _wrap(graph: Graph, x: runtime.Tensor, depth: int, kind: str) -> runtime.Tensor:
    innermost = Graph("inner")
    value = innermost.placeholder(int32, [])
    one = innermost.constant(np.array(1, np.int32))
    innermost.outputs = list(innermost.add(REGISTRY["add"], [value, one], {}).outputs)
    body = innermost
    for _ in range(depth - 1):
        outer = Graph("inner")
        outer.outputs = [_control(outer, outer.placeholder(int32, []), body, kind)]
        body = outer
    return _control(graph, x, body, kind)


def _control(graph: Graph, x: runtime.Tensor, body: Graph, kind: str) -> runtime.Tensor:
    if kind == "while":
        test = Graph("test")
        value = test.placeholder(int32, [])
        limit = test.constant(np.array(1000, np.int32))
        test.outputs = list(test.add(REGISTRY["less"], [value, limit], {}).outputs)
        attributes = {"cond_graph": test, "body_graph": body, "maximum_iterations": 1}
        return graph.add(REGISTRY["while"], [x], attributes).outputs[0]
    other = Graph("other")
    other.outputs = [other.placeholder(int32, [])]
    zero = graph.constant(np.array(0, np.int32))
    positive = graph.add(REGISTRY["greater"], [x, zero], {}).outputs[0]
    return graph.add(REGISTRY["cond"], [positive, x], {"then_graph": body, "else_graph": other}).outputs[0]


@pytest.mark.parametrize("kind", ["while", "cond"])
@pytest.mark.parametrize("depth", [1, 14, 15, 16, 20, 84, 85, 86, 100, 199])
def test_nesting_beyond_what_python_allows(depth: int, kind: str) -> None:
    graph = nested(depth, kind)
    for each in (graph, optimize(graph, verified=True), Graph.from_text(graph.as_text())):
        assert compile_plan(each).run([np.array(5, np.int32)])[0] == 6
        if kind == "cond":
            assert compile_plan(each).run([np.array(-5, np.int32)])[0] == -5


@pytest.mark.parametrize("source", NUMBERS, ids=lambda d: d.name)
@pytest.mark.parametrize("target", NUMBERS, ids=lambda d: d.name)
def test_casts_of_scalars_are_those_of_the_kernel(source: DType, target: DType) -> None:
    graph = Graph("cast")
    x = graph.placeholder(source, [])
    y = graph.add(REGISTRY["add" if source is not bool_ else "logical_or"], [x, x], {}).outputs[0]
    graph.outputs = list(graph.add(REGISTRY["cast"], [y], {"dtype": target, "exact": False}).outputs)
    numbers: list[float] = [0, 1, -1, 63, 5]
    if source.is_integer:
        numbers += [source.min, source.max, source.max // 2, source.max // 2 - 63]
    elif source.is_floating and not target.is_integer:
        numbers += [0.1, -0.0, np.inf, -np.inf, np.nan, 16777217.0, 1e300 if source is float64 else 1e30]
    for number in numbers:
        with np.errstate(all="ignore"):
            argument = np.array(number).astype(source.numpy)
        if not (source.is_floating and target.is_unsigned and number < 0):  # undefined in C
            assert assert_agrees(graph, [argument])


def test_kernels_say_when_a_result_shares_memory_with_an_operand() -> None:
    for record in list(REGISTRY.values()):
        for dtype in sorted(record.groups[0].allowed, key=str) if record.samples and record.groups else ():
            for sample in record.samples(dtype):
                arrays = [np.asarray(a) for a in sample.operands if not isinstance(a, list | tuple)]
                if len(arrays) != len(sample.operands) or record.stateful:
                    continue
                result = record.run(arrays, {**record.attributes, **sample.attributes})
                for found in result if isinstance(result, list | tuple) else [result]:
                    shared = [i for i, a in enumerate(arrays) if np.shares_memory(a, found)]
                    assert not shared or (record.view and shared == [0]), f"{record.name}: {dtype.name}: {shared}"


def test_a_plan_dies_with_its_owner() -> None:
    plan = plan_of(TRIANGLE)
    function = weakref.ref(plan.function)
    del plan
    gc.collect()
    assert function() is None
