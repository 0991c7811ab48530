"""The passes, each on graphs written as text: what comes out, and that it computes the same."""

from __future__ import annotations

import numpy as np
import pytest

import runtime  # noqa: F401
from runtime.graph.graph import Graph
from runtime.graph.text import print_graph
from runtime.ops.records.record import REGISTRY
from runtime.passes import optimize
from runtime.passes.cse import merge_common
from runtime.passes.fold import fold_constants
from runtime.passes.prune import drop_dead
from tests.runtime.oracle import assert_agrees


def graph_of(body: str, inner: str = "", signature: str = "(%x: float32[2], %p: bool[])", outputs: str = "%r") -> Graph:
    return Graph.from_text(f"graph main{signature} -> ({outputs}) {{\n{body}\n}}\n{inner}")


def operations(graph: Graph) -> list[str]:
    """The operations of a graph as text, without its inputs."""
    return [line.strip() for line in print_graph(graph, locations=False).splitlines() if line.startswith("  ")]


def check(graph: Graph) -> None:
    arguments = [np.array([1.5, -2], np.float32), np.array(True)][: len(graph.inputs)]
    assert assert_agrees(graph, arguments)


# -- folding ------------------------------------------------------------------------------------------------------

TWO = "%two = constant() {value=array int32[] [2]} : int32[]"


def test_what_depends_on_constants_is_computed() -> None:
    graph = graph_of(f"{TWO}\n%three = add(%two, %two) : int32[]\n%r = multiply(%three, %two) : int32[]")
    assert operations(fold_constants(graph))[-1] == "%r = constant() {value=array int32[] [8]} : int32[]"
    check(graph)


def test_a_static_shape_is_a_constant() -> None:
    graph = graph_of("%r = shape(%x) {out_type=int32} : int32[1]")
    assert operations(fold_constants(graph)) == ["%r = constant() {value=array int32[1] [2]} : int32[1]"]
    check(graph)


def test_an_operation_that_raises_is_left_to_raise_when_it_runs() -> None:
    graph = graph_of(f"{TWO}\n%zero = subtract(%two, %two) : int32[]\n%r = floordiv(%two, %zero) : int32[]")
    assert operations(fold_constants(graph))[-1] == "%r = floordiv(%two, %zero) : int32[]"


@pytest.mark.parametrize(("elements", "folded"), [(2**18, True), (2**18 + 1, False)])
def test_results_above_one_mebibyte_stay_operations(elements: int, folded: bool) -> None:
    graph = Graph("big")
    ones = graph.constant(np.ones(elements, np.float32))
    graph.outputs = list(graph.add(REGISTRY["negative"], [ones], {}).outputs)
    assert (fold_constants(graph).outputs[0].op.type == "constant") is folded


def test_effects_are_not_folded() -> None:
    yes = "%yes = constant() {value=array bool[] [True]} : bool[]"
    graph = graph_of(
        f'{yes}\n%c = check(%yes) {{message="no", exception="ValueError", summarize=3}}\n%r = identity(%x) : float32[2]'
    )
    for transform in (fold_constants, merge_common, drop_dead, optimize):
        assert any("check" in line for line in operations(transform(graph)))


BRANCHES = """
graph yes(%v: float32[2]) -> (%n) { %n = negative(%v) : float32[2] }
graph no(%v: float32[2]) -> (%v) { }
"""


@pytest.mark.parametrize(("value", "wanted"), [("True", ["%r/n = negative(%x) : float32[2]"]), ("False", [])])
def test_a_cond_with_a_known_predicate_is_its_branch(value: str, wanted: list[str]) -> None:
    graph = graph_of(
        f"%k = constant() {{value=array bool[] [{value}]}} : bool[]\n"
        "%r = cond(%k, %x) {then_graph=@yes, else_graph=@no} : float32[2]",
        BRANCHES,
    )
    assert operations(optimize(graph)) == wanted
    check(graph)


@pytest.mark.parametrize("index", [-1, 0, 1, 7])
def test_a_switch_with_a_known_index_is_its_branch(index: int) -> None:
    graph = graph_of(
        f"%k = constant() {{value=array int32[] [{index}]}} : int32[]\n"
        "%r = switch(%k, %x) {branches=(@yes, @no,)} : float32[2]",
        BRANCHES,
    )
    assert operations(optimize(graph)) == (["%r/n = negative(%x) : float32[2]"] if index == 0 else [])
    check(graph)


def test_a_loop_that_never_starts_is_its_first_state() -> None:
    graph = graph_of(
        "%r = while(%x) {cond_graph=@never, body_graph=@yes, maximum_iterations=None} : float32[2]",
        BRANCHES + "graph never(%v: float32[2]) -> (%k) { %k = constant() {value=array bool[] [False]} : bool[] }",
    )
    assert operations(optimize(graph)) == []
    check(graph)


def test_identity_is_its_operand() -> None:
    graph = graph_of("%i = identity(%x) : float32[2]\n%r = negative(%i) : float32[2]")
    assert operations(fold_constants(graph)) == ["%r = negative(%x) : float32[2]"]


# -- common subexpressions ----------------------------------------------------------------------------------------


def test_equal_operations_are_one() -> None:
    graph = graph_of("%a = exp(%x) : float32[2]\n%b = exp(%x) : float32[2]\n%r = add(%a, %b) : float32[2]")
    assert operations(merge_common(graph)) == ["%a = exp(%x) : float32[2]", "%r = add(%a, %a) : float32[2]"]
    check(graph)


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        ("float32[] [0.0]", "float32[] [0.0]", True),
        ("float32[] [0.0]", "float32[] [-0.0]", False),
        ("float32[] [nan]", "float32[] [nan]", True),
        ("float32[] [nan]", "float32[] [nan:7fc00001]", False),
        ("int32[] [0]", "float32[] [0.0]", False),
        ("int32[1] [0]", "int32[] [0]", False),
        ('string[] [b"a"]', 'string[] [b"a"]', True),
    ],
)
def test_constants_are_compared_by_their_bits(first: str, second: str, merged: bool) -> None:
    lines = [f"%{n} = constant() {{value=array {v}}} : {v.split(' ')[0]}" for n, v in (("a", first), ("b", second))]
    graph = graph_of("\n".join(lines), outputs="%a, %b")
    assert (len(operations(merge_common(graph))) == 1) is merged
    check(graph)


def test_attributes_tell_operations_apart() -> None:
    graph = graph_of(
        "%a = expand_dims(%x) {axis=0} : float32[1, 2]\n%b = expand_dims(%x) {axis=1} : float32[2, 1]", outputs="%a, %b"
    )
    assert len(operations(merge_common(graph))) == 2
    check(graph)


def test_branches_are_merged_inside() -> None:
    graph = graph_of(
        "%r = cond(%p, %x) {then_graph=@both, else_graph=@no} : float32[2]",
        "graph both(%v: float32[2]) -> (%c) { %a = exp(%v) : float32[2] %b = exp(%v) : float32[2]"
        " %c = add(%a, %b) : float32[2] }" + BRANCHES,
    )
    assert "%c = add(%a, %a) : float32[2]" in operations(merge_common(graph))
    check(graph)


@pytest.mark.parametrize("again", ["%i", "%j"])
def test_numbers_that_are_known_before_a_branch_are_handed_in(again: str) -> None:
    graph = graph_of(
        '%i = argmax(%x) {axis=None, output_type=int64} : int64[]\n'
        '%j = argmin(%x) {axis=None, output_type=int64} : int64[]\n'
        '%a = getitem(%x, %i) {spec=("at",)} : float32[]\n%b = multiply(%a, %a) : float32[]\n'
        f"%c = cond(%p, {again}, %x) {{then_graph=@yes, else_graph=@no}} : float32[]"
        "\n%r = add(%b, %c) : float32[]",
        'graph yes(%k: int64[], %v: float32[2]) -> (%f) { %d = getitem(%v, %k) {spec=("at",)} : float32[]'
        " %e = multiply(%d, %d) : float32[] %f = add(%e, %d) : float32[] }"
        " graph no(%k: int64[], %v: float32[2]) -> (%s) { %s = reduce_sum(%v) : float32[] }",
    )
    (branch,) = [o.attributes["then_graph"] for o in merge_common(graph).operations if o.type == "cond"]
    assert [o.type for o in branch.operations if o.type != "placeholder"] == (
        ["add"] if again == "%i" else ["getitem", "multiply", "add"]
    )
    check(graph)


# -- pruning ------------------------------------------------------------------------------------------------------


def test_what_nobody_reads_is_dropped_and_inputs_stay() -> None:
    graph = graph_of("%dead = exp(%x) : float32[2]\n%deader = sin(%dead) : float32[2]\n%r = negative(%x) : float32[2]")
    pruned = drop_dead(graph)
    assert operations(pruned) == ["%r = negative(%x) : float32[2]"] and len(pruned.inputs) == 2
    check(graph)


LOOP = """
graph test(%i: int32[], %dead: float32[2], %kept: float32[2], %unread: float32[2]) -> (%go) {
  %three = constant() {value=array int32[] [3]} : int32[]
  %go = less(%i, %three) : bool[]
}
graph body(%i: int32[], %dead: float32[2], %kept: float32[2], %unread: float32[2]) -> (%j, %d, %k) {
  %one = constant() {value=array int32[] [1]} : int32[]
  %j = add(%i, %one) : int32[]
  %d = add(%dead, %kept) : float32[2]
  %k = negative(%kept) : float32[2]
}
"""


def test_state_of_a_loop_that_nobody_needs_is_dropped() -> None:
    graph = graph_of(
        "%zero = constant() {value=array int32[] [0]} : int32[]\n%start = exp(%x) : float32[2]\n"
        "%w = while(%zero, %start, %x, %start) {cond_graph=@test, body_graph=@body, maximum_iterations=None}"
        " : int32[], float32[2], float32[2]",
        LOOP,
        outputs="%w:2",
    )
    pruned = drop_dead(graph)
    loop = pruned.outputs[0].op
    assert [t.op.name for t in loop.inputs] == ["zero", "x"] and len(loop.outputs) == 2
    assert "exp" not in {o.type for o in pruned.operations}
    assert {o.name for o in loop.attributes["body_graph"].operations} == {"i", "kept", "one", "j", "k"}
    check(graph)


def test_state_that_the_condition_needs_stays() -> None:
    graph = graph_of(
        "%zero = constant() {value=array int32[] [0]} : int32[]\n"
        "%w = while(%zero, %x, %x, %x) {cond_graph=@test, body_graph=@body, maximum_iterations=None}"
        " : int32[], float32[2], float32[2]",
        LOOP,
        outputs="%w:1",
    )
    assert len(drop_dead(graph).outputs[0].op.outputs) == 3
    check(graph)


def test_operands_and_results_of_branches_that_nobody_needs_are_dropped() -> None:
    graph = graph_of(
        "%e = exp(%x) : float32[2]\n%c = cond(%p, %e, %x) {then_graph=@one, else_graph=@two} : float32[2], float32[2]",
        "graph one(%a: float32[2], %b: float32[2]) -> (%a, %b) { }\n"
        "graph two(%a: float32[2], %b: float32[2]) -> (%a, %n) { %n = negative(%b) : float32[2] }",
        outputs="%c:1",
    )
    assert operations(drop_dead(graph)) == [
        "%c = cond(%p, %x) {then_graph=@one, else_graph=@two} : float32[2]",
        "%n = negative(%b) : float32[2]",
    ]
    check(graph)


def test_effects_inside_of_a_branch_keep_it_and_what_they_need() -> None:
    graph = graph_of(
        "%e = exp(%x) : float32[2]\n%c = cond(%p, %e, %x) {then_graph=@one, else_graph=@two} : float32[2]\n"
        "%r = negative(%x) : float32[2]",
        "graph one(%a: float32[2], %b: float32[2]) -> (%a) {\n"
        "%q = is_finite(%b) : bool[2]\n"
        "%t = reduce_all(%q) {axis=None, keepdims=False} : bool[]\n"
        '%k = check(%t) {message="no", exception="ValueError", summarize=3}\n}\n'
        "graph two(%a: float32[2], %b: float32[2]) -> (%a) { }",
    )
    pruned = drop_dead(graph)
    cond = next(o for o in pruned.operations if o.type == "cond")
    assert [t.op.name for t in cond.inputs] == ["p", "x"] and not cond.outputs and cond.stateful
    check(graph)


def test_a_dead_branch_whose_graphs_are_used_elsewhere_is_dropped() -> None:
    graph = graph_of(
        "%e = exp(%x) : float32[2]\n%dead = cond(%p, %e) {then_graph=@yes, else_graph=@no} : float32[2]\n"
        "%r = cond(%p, %x) {then_graph=@yes, else_graph=@no} : float32[2]",
        BRANCHES,
    )
    assert [o.name for o in drop_dead(graph).operations if o.type != "placeholder"] == ["r"]
    check(graph)


def test_an_effect_in_a_graph_in_two_places_keeps_both() -> None:
    graph = graph_of(
        "%c = cond(%p, %x) {then_graph=@one, else_graph=@two} : float32[2]\n"
        "%d = cond(%p, %x) {then_graph=@one, else_graph=@two} : float32[2]\n%r = negative(%x) : float32[2]",
        "graph one(%a: float32[2]) -> (%a) {\n%q = is_finite(%a) : bool[2]\n"
        "%t = reduce_all(%q) {axis=None, keepdims=False} : bool[]\n"
        '%k = check(%t) {message="no", exception="ValueError", summarize=3}\n}\n'
        "graph two(%a: float32[2]) -> (%a) { }",
    )
    assert [o.name for o in drop_dead(graph).operations if o.type == "cond"] == ["c", "d"]
    check(graph)


def test_a_graph_in_two_places_keeps_all_that_it_has() -> None:
    graph = graph_of(
        "%c = cond(%p, %x, %x) {then_graph=@one, else_graph=@one} : float32[2], float32[2]",
        "graph one(%a: float32[2], %b: float32[2]) -> (%b, %a) { }",
        outputs="%c:1",
    )
    assert len(drop_dead(graph).outputs[0].op.inputs) == 3
    check(graph)


def test_the_graph_that_is_given_stays_as_it_is() -> None:
    graph = graph_of("%dead = exp(%x) : float32[2]\n%r = negative(%x) : float32[2]")
    before = graph.as_text()
    optimize(graph)
    assert graph.as_text() == before
