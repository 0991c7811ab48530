"""`call` operations and the library of a graph: text, verifier, equality, passes, plans; written by hand."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from runtime.engine.plan import compile_plan
from runtime.errors import FormatError
from runtime.graph.equality import graph_equal
from runtime.graph.graph import Graph
from runtime.graph.library import add_functions, calls_of, settle_effects
from runtime.passes import optimize
from tests.runtime.oracle import assert_agrees

SAYS = "dtypes=(int32,), shapes=(shape[],), stateful=False"

FACTORIAL = f"""
graph main(%n: int32[]) -> (%call) {{
  %call = call(%n) {{function="fact", {SAYS}}} : int32[]
}}
function fact(%n: int32[]) -> (%cond) {{
  %two = constant() {{value=array int32[] [2]}} : int32[]
  %less = less(%n, %two) : bool[]
  %cond = cond(%less, %n) {{then_graph=@one, else_graph=@more}} : int32[]
}}
graph one(%n: int32[]) -> (%one) {{
  %one = constant() {{value=array int32[] [1]}} : int32[]
}}
graph more(%n: int32[]) -> (%product) {{
  %one = constant() {{value=array int32[] [1]}} : int32[]
  %before = subtract(%n, %one) : int32[]
  %call = call(%before) {{function="fact", {SAYS}}} : int32[]
  %product = multiply(%n, %call) : int32[]
}}
"""

PARITY = f"""
graph main(%n: int32[], %unused: int32[]) -> (%call) {{
  %call = call(%n) {{function="even", {SAYS}}} : int32[]
}}
function even(%n: int32[]) -> (%cond) {{
  %zero = constant() {{value=array int32[] [0]}} : int32[]
  %less = less_equal(%n, %zero) : bool[]
  %cond = cond(%less, %n) {{then_graph=@yes, else_graph=@ask_odd}} : int32[]
}}
function odd(%n: int32[]) -> (%cond) {{
  %zero = constant() {{value=array int32[] [0]}} : int32[]
  %less = less_equal(%n, %zero) : bool[]
  %cond = cond(%less, %n) {{then_graph=@no, else_graph=@ask_even}} : int32[]
}}
function unused(%n: int32[]) -> (%n) {{ }}
graph yes(%n: int32[]) -> (%c) {{  %c = constant() {{value=array int32[] [1]}} : int32[]  }}
graph no(%n: int32[]) -> (%c) {{  %c = constant() {{value=array int32[] [0]}} : int32[]  }}
graph ask_odd(%n: int32[]) -> (%call) {{
  %one = constant() {{value=array int32[] [1]}} : int32[]
  %before = subtract(%n, %one) : int32[]
  %call = call(%before) {{function="odd", {SAYS}}} : int32[]
}}
graph ask_even(%n: int32[]) -> (%call) {{
  %one = constant() {{value=array int32[] [1]}} : int32[]
  %before = subtract(%n, %one) : int32[]
  %call = call(%before) {{function="even", {SAYS}}} : int32[]
}}
"""


def number(value: int) -> Any:
    return np.array(value, np.int32)


@pytest.mark.parametrize(("n", "wanted"), [(0, 1), (1, 1), (2, 2), (5, 120), (10, 3628800)])
def test_recursion(n: int, wanted: int) -> None:
    graph = Graph.from_text(FACTORIAL)
    assert assert_agrees(graph, [number(n)])
    assert compile_plan(graph).run([number(n)])[0] == wanted


def test_mutual_recursion_and_unused_functions() -> None:
    graph = Graph.from_text(PARITY)
    assert list(graph.functions) == ["even", "odd", "unused"]
    for n in range(4):
        assert assert_agrees(graph, [number(n), number(0)])
    assert list(optimize(graph).functions) == ["even", "odd"]
    assert list(graph.functions) == ["even", "odd", "unused"], "a pass changed the graph that it was given"


def test_the_plan_is_python_functions() -> None:
    source = compile_plan(optimize(Graph.from_text(FACTORIAL))).source
    assert "def fact(a0):" in source and source.count("fact(") == 3, source
    assert "asarray" not in source.partition("def fact")[2], "scalars go in and out as Python's numbers"


def test_text_and_equality() -> None:
    graph = Graph.from_text(PARITY)
    text = graph.as_text()
    assert text.index("graph main(") < text.index("function even(") < text.index("function odd(")
    read = Graph.from_text(text)
    assert graph_equal(read, graph) and read.as_text() == text
    assert not graph_equal(Graph.from_text(text.replace("[1]", "[2]")), graph)
    assert not graph_equal(optimize(graph), graph)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("function fact(", "function fakt(", "the library has no 'fact'; it has fakt"),
        ("%call = call(%n) {", "%call = call(%n, %n) {", "takes 1 values, 2 are given"),
        ("%n: int32[]) -> (%call)", "%n: float32[]) -> (%call)", "it gets float32"),
        ("dtypes=(int32,)", "dtypes=(int64,)", "returns int32"),
        ("shapes=(shape[],)", "shapes=(shape[2],)", "returns int32"),
        ("dtypes=(int32,), ", "dtypes=(int32, int32), ", "returns int32"),
        ("%one = constant() {value=array int32[] [1]} : int32[]\n}", "%one = random_uniform(%n) : int32[]\n}", "eff"),
        ("cond(%less, %n)", "cond(%less, %less)", "gets bool"),
        ("function fact(", "function main(", "a second graph is called 'main'"),
        ("function fact(", "program fact(", "expected 'graph'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(old: str, new: str, words: str) -> None:
    assert old in FACTORIAL
    with pytest.raises(FormatError, match=words):
        Graph.from_text(FACTORIAL.replace(old, new, 1))


def test_effects_are_found_through_calls() -> None:
    plain = Graph.from_text(FACTORIAL.replace("stateful=False", "stateful=True"))
    assert plain.stateful
    settle_effects(plain)
    assert not plain.stateful and "stateful=True" not in plain.as_text()
    checked = PARITY.replace(
        "{  %c = constant() {value=array int32[] [0]} : int32[]  }",
        '{  %ok = constant() {value=array bool[] [False]} : bool[]\n'
        '  %c = constant() {value=array int32[] [0]} : int32[]\n'
        '  %no = check(%ok) {message="odd", exception="ValueError", summarize=3}  }',
    ).replace("stateful=False", "stateful=True")  # fmt: skip
    graph = Graph.from_text(checked)
    settle_effects(graph)
    assert graph.stateful and 'function="odd", dtypes=(int32,), shapes=(shape[],), stateful=True' in graph.as_text()
    graph.outputs = []
    plan = compile_plan(optimize(graph, verified=True))
    assert plan.run([number(2), number(0)]) == []
    with pytest.raises(ValueError, match="odd"):
        plan.run([number(3), number(0)])
    with pytest.raises(FormatError, match="has effects, the call says it has none"):
        Graph.from_text(checked.replace("stateful=True", "stateful=False"))


def test_an_unused_call_without_effects_is_dropped() -> None:
    graph = Graph.from_text(FACTORIAL)
    graph.outputs = []
    best = optimize(graph, verified=True)
    assert not best.functions and [o.type for o in best.operations] == ["placeholder"]


@pytest.mark.parametrize("depth", (200, 900))
def test_recursion_as_deep_as_python_goes(depth: int) -> None:
    deep = PARITY.replace("less_equal", "equal")
    plan = compile_plan(optimize(Graph.from_text(deep)))
    limit = sys.getrecursionlimit()
    assert plan.run([number(depth), number(0)])[0] == 1
    assert sys.getrecursionlimit() == limit


def test_endless_recursion_is_a_recursion_error_that_names_the_function() -> None:
    limit = sys.getrecursionlimit()
    plan = compile_plan(optimize(Graph.from_text(PARITY.replace("less_equal", "equal"))))
    with pytest.raises(RecursionError, match="in calls of '(even|odd)'"):
        plan.run([number(-1), number(0)])
    assert sys.getrecursionlimit() == limit
    assert plan.run([number(4), number(0)])[0] == 1


def test_buffers_that_went_through_a_call_are_not_written_to() -> None:
    graph = Graph.from_text("""
    graph main(%x: float32[3], %n: int32[]) -> (%w:1, %w:2) {
      %zero = constant() {value=array int32[] [0]} : int32[]
      %w = while(%zero, %x, %x, %n) {cond_graph=@test, body_graph=@body, maximum_iterations=None}
        : int32[], float32[3], float32[3]
    }
    graph test(%i: int32[], %x: float32[3], %y: float32[3], %n: int32[]) -> (%less) {
      %less = less(%i, %n) : bool[]
    }
    graph body(%i: int32[], %x: float32[3], %y: float32[3], %n: int32[]) -> (%i2, %x2, %same) {
      %one = constant() {value=array int32[] [1]} : int32[]
      %i2 = add(%i, %one) : int32[]
      %x2 = add(%x, %y) : float32[3]
      %same = call(%x2) {function="same", dtypes=(float32,), shapes=(shape[3],), stateful=False} : float32[3]
      %more = add(%x2, %same) : float32[3]
    }
    function same(%x: float32[3]) -> (%x) { }
    """)
    for n in (0, 1, 4):
        assert assert_agrees(graph, [np.array([1, 2, 3], np.float32), number(n)])


def test_functions_of_another_graph_get_free_names() -> None:
    graph, other = Graph.from_text(PARITY), Graph.from_text(PARITY.replace("less_equal", "less"))
    mine = dict(graph.functions)
    names = add_functions(graph, other.functions)
    assert names == {"even": "even_1", "odd": "odd_1", "unused": "unused_1"}
    assert {o.attributes["function"] for o in calls_of(graph.functions["even_1"])} == {"odd_1"}
    assert all(graph.functions[name] is function for name, function in mine.items())
    assert add_functions(graph, mine) == {}


def test_equal_calls_without_effects_are_one() -> None:
    twice = FACTORIAL.replace("-> (%call)", "-> (%sum)", 1).replace(
        "stateful=False} : int32[]\n}",
        f'stateful=False}} : int32[]\n  %again = call(%n) {{function="fact", {SAYS}}} : int32[]\n'
        "  %sum = add(%call, %again) : int32[]\n}",
        1,
    )
    graph = Graph.from_text(twice)
    assert assert_agrees(graph, [number(4)])
    assert [o.type for o in optimize(graph).operations] == ["placeholder", "call", "add"]
