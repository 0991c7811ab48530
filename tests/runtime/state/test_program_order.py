"""Effects in graphs keep the order of the program: random programs agree with eager ones, passes respect writes."""

import collections
import io
import re
from typing import Any

import pytest

import runtime
from autograph.errors import StagingError
from runtime.engine.plan import compile_plan
from runtime.graph.effects import touches
from runtime.graph.graph import Graph
from runtime.passes import PIPELINE, optimize
from runtime.passes.cse import merge_common
from tests.runtime.prints import reading_prints
from tests.runtime.state.random_programs import program, run

QUICK, ALL = 15, 40
MOST_REFUSED = 0.06


@pytest.mark.parametrize("programs", [QUICK, pytest.param(ALL, marks=pytest.mark.slow)])
def test_random_programs_do_the_same_eagerly_and_in_graphs(programs: int) -> None:
    refused: collections.Counter[str] = collections.Counter()
    for seed in range(programs):
        text = program(seed)
        expected = run(text, False, f"<program {seed}>")
        try:
            found = run(text, True, f"<program {seed} staged>")
        except StagingError as error:
            assert re.search("may be the variable '[abw]:0'", str(error)), f"{seed}: {error}"
            refused[type(error).__name__] += 1
            continue
        assert found == expected, f"program {seed}\n{text}"
    assert sum(refused.values()) <= MOST_REFUSED * programs


def counts(graph: Graph) -> collections.Counter[str]:
    return collections.Counter(o.type for o in graph.operations)


def optimized(function: Any, *args: Any) -> Graph:
    return optimize(runtime.function(function).get_concrete_function(*args).graph, verified=True)


def test_reads_are_one_unless_a_write_lies_between() -> None:
    v, w = runtime.Variable(1.0), runtime.Variable(2.0)

    def same() -> Any:
        return v + 1, v * 2

    def written() -> Any:
        first = v + 1
        v.assign(5.0)
        return first, v * 2

    def other_written() -> Any:
        first = v + 1
        w.assign(5.0)
        return first, v * 2

    def written_in_a_branch(x: Any) -> Any:
        first = v + 1
        if x > 0:
            v.assign(5.0)
        return first, v * 2

    assert counts(optimized(same))["read_variable"] == 1
    assert counts(optimized(written))["read_variable"] == 2
    assert counts(optimized(other_written))["read_variable"] == 1
    assert counts(optimized(written_in_a_branch, runtime.constant(1)))["read_variable"] == 2


def test_an_argument_may_be_a_variable_that_is_captured() -> None:
    v = runtime.Variable(1.0)

    @runtime.function
    def f(given: Any) -> Any:
        first = v + 0
        given.assign(7.0)
        return first, v + 0

    assert [t.numpy() for t in f(v)] == [1, 7]
    assert [t.numpy() for t in f(runtime.Variable(3.0))] == [7, 7]


def test_unused_reads_are_dropped_and_unused_writes_run() -> None:
    v = runtime.Variable(1.0)

    def f(x: Any) -> Any:
        v + 1
        v.assign_add(1.0)
        return x

    graph = optimized(f, runtime.constant(1))
    assert (counts(graph)["read_variable"], counts(graph)["assign_add_variable"]) == (0, 1)
    step = runtime.function(f)
    step(runtime.constant(1))
    step(runtime.constant(1))
    assert v.numpy() == 3


def test_a_loop_that_only_writes_runs() -> None:
    v = runtime.Variable(0)

    @runtime.function
    def f(n: Any) -> None:
        for i in runtime.range(n):
            if i % 2 == 0:
                v.assign_add(i)

    f(runtime.constant(7))
    assert v.numpy() == 12


def test_effects_of_nested_graphs_are_known_by_handle() -> None:
    v, w, u = runtime.Variable(0, name="v"), runtime.Variable(0, name="w"), runtime.Variable(0, name="u")

    @runtime.function
    def f(n: Any) -> Any:
        for i in runtime.range(n):
            if i > w:
                v.assign(i)
        return u + 0

    graph = f.get_concrete_function(runtime.constant(3)).graph
    names = {id(t): t.op.name for t in graph.inputs}
    found = touches(graph)
    (loop,) = [o for o in graph.operations if o.type == "while"]
    touch = found[id(loop)]
    assert {names[key] for key in touch.reads} == {"w"}
    assert {names[key] for key in touch.writes} == {"v"}


def test_graphs_with_variables_print_parse_and_survive_each_pass() -> None:
    v, w = runtime.Variable([1.0, 2.0], name="v"), runtime.Variable(0)

    @runtime.function
    def f(n: Any) -> Any:
        for i in runtime.range(n):
            w.assign_add(i)
            v.scatter_nd_add([[0]], [1.0])
        return v * 2

    concrete = f.get_concrete_function(runtime.constant(3))
    text = concrete.graph.as_text()
    assert "%v: resource[]" in text
    parsed = Graph.from_text(text)
    assert parsed.as_text() == re.sub(r"  # .*", "", text)
    memories = [x.handle for x in concrete.variables]
    for passes in ((), *[(p,) for p in PIPELINE], PIPELINE):
        graph = parsed
        for transform in passes:
            graph = transform(graph)
        v.assign([1.0, 2.0])
        w.assign(0)
        order = {t.op.name: m for t, m in zip(parsed.inputs[1:], memories, strict=True)}
        given = [order[t.op.name] for t in graph.inputs[1:]]
        (result,) = compile_plan(graph).function(runtime.constant(3)._array, *given)
        assert (result.tolist(), w.numpy()) == ([8, 4], 3)


def test_reads_in_a_parsed_graph_are_kept_apart_by_any_write() -> None:
    text = """
    graph f(%v: resource[], %w: resource[]) -> (%a, %b) {
      %a = read_variable(%v) {dtype=float32, shape=shape[]} : float32[]
      %c = constant() {value=array float32[] [1.0]} : float32[]
      %done = assign_variable(%w, %c) {shape=shape[]}
      %b = read_variable(%v) {dtype=float32, shape=shape[]} : float32[]
    }"""
    assert counts(merge_common(Graph.from_text(text)))["read_variable"] == 2


@reading_prints
def test_prints_reads_and_writes_in_order(printed: io.StringIO) -> None:
    v = runtime.Variable(1)

    @runtime.function
    def f() -> Any:
        runtime.print("before", v)
        v.assign_add(1)
        runtime.print("after", v)
        kept = v.value()
        v.assign(10)
        return kept

    assert f().numpy() == 2
    assert printed.getvalue() == "before 1\nafter 2\n"


def test_run_time_errors_name_variable_and_line_and_keep_what_was_done_before() -> None:
    v, w = runtime.Variable([1.0, 2.0], name="weights"), runtime.Variable(0)

    @runtime.function(input_signature=[runtime.TensorSpec([None], runtime.float32)])
    def f(x: Any) -> None:
        w.assign_add(1)
        v.assign(x)
        w.assign_add(10)

    f(runtime.constant([3.0, 4.0]))
    with pytest.raises(ValueError, match="'weights:0' has the shape \\(2,\\)") as caught:
        f(runtime.constant([3.0, 4.0, 5.0]))
    assert "test_program_order.py" in "".join(caught.value.__notes__)
    assert w.numpy() == 12
    assert v.numpy().tolist() == [3, 4]
    f(runtime.constant([5.0, 6.0]))
    assert v.numpy().tolist() == [5, 6]
