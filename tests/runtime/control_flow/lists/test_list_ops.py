"""The operations on handles: eagerly, in graphs, in plans; their text; their errors."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import runtime
from runtime import TensorShape, float32, int32, string
from runtime.engine.interpreter import run_graph
from runtime.engine.plan import compile_plan
from runtime.errors import FormatError, GraphError, InvalidArgumentError
from runtime.graph.equality import graph_equal
from runtime.graph.graph import Graph
from runtime.graph.verify import verify
from runtime.ops.kernels.list_value import EMPTY, boxed
from runtime.ops.lists import lists
from runtime.passes import optimize
from tests.runtime.oracle import eager_plan

INTS: dict[str, Any] = {"element_dtype": int32, "element_shape": TensorShape([])}
ROWS: dict[str, Any] = {"element_dtype": float32, "element_shape": TensorShape([2])}

SQUARES = """
graph squares(%n: int32[]) -> (%stacked, %length, %last) {
  %new = list_new() {element_dtype=int32, element_shape=shape[]} : variant[]
  %zero = constant() {value=array int32[] [0]} : int32[]
  %while = while(%zero, %new, %n) {cond_graph=@test, body_graph=@body, maximum_iterations=None} : int32[], variant[]
  %stacked = list_stack(%while:1) {element_dtype=int32, element_shape=shape[]} : int32[?]
  %length = list_length(%while:1) : int32[]
  %one = constant() {value=array int32[] [-1]} : int32[]
  %last = list_get(%while:1, %one) {element_dtype=int32, element_shape=shape[]} : int32[]
}
graph test(%i: int32[], %l: variant[], %n: int32[]) -> (%less) {
  %less = less(%i, %n) : bool[]
}
graph body(%i: int32[], %l: variant[], %n: int32[]) -> (%next, %longer) {
  %one = constant() {value=array int32[] [1]} : int32[]
  %next = add(%i, %one) : int32[]
  %square = multiply(%i, %i) : int32[]
  %longer = list_push(%l, %square) {element_dtype=int32, element_shape=shape[]} : variant[]
}
"""


def agree(graph: Graph, *arguments: Any) -> list[Any]:
    """What the interpreter, the plan and the plan of the optimised graph have in common; the text reads back."""
    verify(graph)
    assert graph_equal(Graph.from_text(graph.as_text()), graph)
    wanted = run_graph(graph, arguments)
    for plan in (eager_plan(graph), eager_plan(optimize(graph, verified=True))):
        for _ in range(2):
            for a, b in zip(plan.run([np.asarray(x) for x in arguments]), wanted, strict=True):
                assert a.dtype == b.dtype and a.tolist() == b.tolist(), plan.source
    return [w.tolist() for w in wanted]


@pytest.mark.parametrize("n", (1, 2, 40))
def test_growth_in_a_loop(n: int) -> None:
    graph = Graph.from_text(SQUARES)
    assert agree(graph, np.int32(n)) == [[i * i for i in range(n)], n, (n - 1) ** 2]


def test_the_plan_appends_to_a_list_of_its_own() -> None:
    assert ".append(v" in compile_plan(Graph.from_text(SQUARES)).source


def test_ten_thousand_appends_take_linear_time() -> None:
    plan = compile_plan(optimize(Graph.from_text(SQUARES)))

    def seconds(n: int) -> float:
        start = time.process_time()
        plan.run([np.array(n, np.int32)])
        return time.process_time() - start

    assert min(seconds(20_000) for _ in range(3)) < 30 * min(seconds(2_000) for _ in range(5))


def test_eager_calls_leave_their_operands_as_they_are() -> None:
    one = lists.list_new([1, 2], **INTS)
    two = lists.list_push(one, 3, **INTS)
    rest, item = lists.list_pop(two, -1, **INTS)
    other = lists.list_set(two, 0, 9, **INTS)
    shown = [lists.list_stack(h, **INTS).numpy().tolist() for h in (one, two, rest, other)]
    assert shown == [[1, 2], [1, 2, 3], [1, 2], [9, 2, 3]]
    assert item.numpy() == 3 and int(lists.list_length(two)) == 3
    joined = lists.list_concat(two, lists.list_insert(one, 1, 5, **INTS))
    assert lists.list_stack(joined, **INTS).numpy().tolist() == [1, 2, 3, 1, 5, 2]
    rows = lists.list_extend(one, [7, 8], **INTS)
    turned = lists.list_slice(rows, 0, 0, -1, has_start=False, has_stop=False)
    assert lists.list_stack(turned, **INTS).numpy().tolist() == [8, 7, 2, 1]
    cast = lists.list_cast(one, element_dtype=float32)
    assert lists.list_get(cast, 1, element_dtype=float32, element_shape=TensorShape([])).dtype is float32


@pytest.mark.parametrize("elements", ([[1.0, 2.0]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), ids=len)
def test_elements_with_a_shape(elements: list[Any]) -> None:
    handle = lists.list_new([np.array(e, np.float32) for e in elements], **ROWS)
    assert lists.list_stack(handle, **ROWS).numpy().tolist() == elements


def test_strings_and_complex_numbers() -> None:
    for value, dtype in (("é", string), (1 + 2j, runtime.complex64), (np.uint64(2**63 + 5), runtime.uint64)):
        kinds = {"element_dtype": dtype, "element_shape": TensorShape([])}
        handle = lists.list_new([runtime.constant(value, dtype)], **kinds)
        assert lists.list_stack(handle, **kinds).numpy().tolist() == [value.encode() if dtype is string else value]


def test_an_empty_list_stacks_to_no_rows_where_the_shape_is_known() -> None:
    empty = lists.list_new([], **ROWS)
    assert lists.list_stack(empty, **ROWS).numpy().shape == (0, 2)
    with pytest.raises(InvalidArgumentError, match=r"the list is empty, and the shape.*set_element_type"):
        lists.list_stack(empty, element_dtype=float32, element_shape=TensorShape([None]))


def test_elements_of_different_shapes() -> None:
    kinds = {"element_dtype": float32, "element_shape": TensorShape([None])}
    handle = lists.list_new([np.zeros(2, np.float32), np.zeros(3, np.float32)], **kinds)
    assert lists.list_get(handle, 1, **kinds).shape == [3]
    with pytest.raises(InvalidArgumentError, match=r"element 0 has shape \(2,\), element 1 \(3,\)"):
        lists.list_stack(handle, **kinds)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda h: lists.list_get(h, 2, **INTS), "list index out of range"),
        (lambda h: lists.list_set(h, -3, 1, **INTS), "list assignment index out of range"),
        (lambda h: lists.list_pop(h, 2, **INTS), "pop index out of range"),
        (lambda h: lists.list_pop(boxed_empty(), -1, **INTS), "pop from empty list"),
    ],
)
def test_positions_that_are_out_of_range(call: Any, message: str) -> None:
    handle = lists.list_new([1, 2], **INTS)
    with pytest.raises(IndexError, match=message):
        call(handle)
    staged = runtime.function(lambda h: call(h))
    with pytest.raises(IndexError, match=message) as raised:
        staged(handle)
    assert any("test_list_ops.py" in note for note in raised.value.__notes__)


def boxed_empty() -> Any:
    from runtime.tensor.convert import make_constant

    return make_constant(boxed(EMPTY))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda h: lists.list_push(h, 1.5, element_dtype=int32, element_shape=TensorShape([])), "float32.*int32"),
        (lambda h: lists.list_push(h, [1, 2], **INTS), r"int32\(2,\).*int32\(\)"),
        (lambda h: lists.list_get(h, 0, **ROWS), r"list_get: the element is int32\(\).*float32\(2,\)"),
        (lambda h: lists.list_stack(h, **ROWS), r"an element is int32\(\).*float32\(2,\)"),
        (lambda h: lists.list_extend(h, 1, **INTS), "a scalar has no rows"),
        (lambda h: lists.list_slice(h, 0, 0, 0), "step cannot be zero"),
        (lambda h: lists.list_get(h, [0], **INTS), "a position in a list is a scalar"),
    ],
)
def test_elements_that_are_not_what_the_list_wants(call: Any, words: str) -> None:
    handle = lists.list_new([1, 2], **INTS)
    with pytest.raises((InvalidArgumentError, TypeError), match=words):
        call(handle)
    with pytest.raises((InvalidArgumentError, TypeError), match=words):
        runtime.function(lambda h: call(h))(handle)


def test_nobody_writes_to_what_a_list_holds() -> None:
    """`x + 1` may reuse the buffer of `x`, but not while the list holds it: in a row, in a branch, in a loop."""
    graph = Graph.from_text("""
    graph main(%x: float32[2], %p: bool[], %n: int32[]) -> (%stacked, %out) {
      %one = constant() {value=array float32[] [1.0]} : float32[]
      %zero = constant() {value=array int32[] [0]} : int32[]
      %y = add(%x, %one) : float32[2]
      %l = list_new(%y) {element_dtype=float32, element_shape=shape[2]} : variant[]
      %z = add(%y, %one) : float32[2]
      %c = cond(%p, %l, %z) {then_graph=@then, else_graph=@else} : variant[], float32[2]
      %w = while(%zero, %c, %c:1, %n) {cond_graph=@test, body_graph=@body, maximum_iterations=None}
        : int32[], variant[], float32[2]
      %stacked = list_stack(%w:1) {element_dtype=float32, element_shape=shape[2]} : float32[?, 2]
      %out = identity(%w:2) : float32[2]
    }
    graph then(%l: variant[], %z: float32[2]) -> (%l2, %z3) {
      %z2 = multiply(%z, %z) : float32[2]
      %l2 = list_push(%l, %z2) {element_dtype=float32, element_shape=shape[2]} : variant[]
      %z3 = multiply(%z2, %z2) : float32[2]
    }
    graph else(%l: variant[], %z: float32[2]) -> (%l2, %z2) {
      %l2 = list_push(%l, %z) {element_dtype=float32, element_shape=shape[2]} : variant[]
      %z2 = multiply(%z, %z) : float32[2]
    }
    graph test(%i: int32[], %l: variant[], %z: float32[2], %n: int32[]) -> (%less) {
      %less = less(%i, %n) : bool[]
    }
    graph body(%i: int32[], %l: variant[], %z: float32[2], %n: int32[]) -> (%i2, %l3, %z2) {
      %one = constant() {value=array int32[] [1]} : int32[]
      %i2 = add(%i, %one) : int32[]
      %z2 = add(%z, %z) : float32[2]
      %shown = identity(%z2) : float32[2]
      %l2 = list_push(%l, %shown) {element_dtype=float32, element_shape=shape[2]} : variant[]
      %l3 = list_set(%l2, %i, %z) {element_dtype=float32, element_shape=shape[2]} : variant[]
    }
    """)
    for p in (False, True):
        for n in (0, 1, 3):
            agree(graph, np.array([1, 2], np.float32), np.bool_(p), np.int32(n))


def test_a_list_as_a_constant_is_printed_with_its_elements() -> None:
    handle = lists.list_new([np.array([1.5, 2], np.float32)] * 2, **ROWS)
    graph = Graph("constants")
    with graph.as_default():
        graph.outputs = [lists.list_length(handle), runtime.identity(handle), runtime.identity(boxed_empty())]
    text = graph.as_text()
    assert "array variant[] [list(array float32[2] [1.5, 2.0], array float32[2] [1.5, 2.0])]" in text
    assert "array variant[] [list()]" in text
    read = Graph.from_text(text)
    assert graph_equal(read, graph)
    assert compile_plan(optimize(read)).run([])[0] == 2
    changed = Graph.from_text(text.replace("[1.5, 2.0])]", "[1.5, 3.0])]"))
    assert not graph_equal(changed, graph)


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ("array variant[2] [list(), list()]", "has the shape"),
        ("array variant[] [1]", "expected 'list'"),
        ("array variant[] [list(array variant[] [list()])]", "a list is no element of a list"),
        ("array variant[] []", "do not fill"),
        ('array variant[] raw"AAAA"', "do not fill"),
    ],
)
def test_broken_literals(broken: str, words: str) -> None:
    text = f"graph g() -> (%c) {{  %c = constant() {{value={broken}}} : variant[]  }}"
    with pytest.raises(FormatError, match=words):
        Graph.from_text(text)


def test_the_verifier_sees_wrong_elements() -> None:
    with pytest.raises((FormatError, GraphError), match="list_push"):
        Graph.from_text(SQUARES.replace("%longer = list_push(%l, %square) {element_dtype=int32",
                                        "%longer = list_push(%l, %square) {element_dtype=float32"))  # fmt: skip
    with pytest.raises((FormatError, GraphError), match="variant"):
        Graph.from_text(SQUARES.replace("list_length(%while:1)", "list_length(%while)"))


def test_handles_are_values_of_branches_and_of_where() -> None:
    @runtime.function
    def chosen(n: Any) -> Any:
        a, b = lists.list_new([1], **INTS), lists.list_new([2, 3], **INTS)
        first = runtime.cond(n > 0, lambda: lists.list_push(a, 5, **INTS), lambda: b)
        return [lists.list_stack(h, **INTS) for h in (first, runtime.where(n > 1, a, b))]

    for n, wanted in ((0, [[2, 3], [2, 3]]), (1, [[1, 5], [2, 3]]), (2, [[1, 5], [1]])):
        assert [t.numpy().tolist() for t in chosen(runtime.constant(n))] == wanted


def test_a_list_takes_part_in_no_arithmetic() -> None:
    with pytest.raises(TypeError, match="variant"):
        runtime.add(lists.list_new([1], **INTS), 1)
