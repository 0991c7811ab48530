"""The text of graphs: readable, exact, and safe to read from anywhere."""

from __future__ import annotations

import math
import random
import struct
from typing import Any

import numpy as np
import pytest

import runtime  # noqa: F401
from runtime.dtypes import ALL, DType, float32, int32
from runtime.errors import FormatError
from runtime.graph.equality import attribute_key, graph_equal
from runtime.graph.graph import Graph
from runtime.graph.text import parse_graph, print_graph
from runtime.ops.records.record import REGISTRY, op
from runtime.ops.records.samples import values
from runtime.shapes import TensorShape
from tests.runtime.random_graphs import random_case

TEXT = """\
graph step(%x: float32[2, ?], %p: bool[], %any: int32[*] weak) -> (%cond, %"odd name":1) {
  %cond = cond(%p, %x) {then_graph=@twice, else_graph=@same} : float32[2, ?]
  %"odd name" = switch(%any, %x) {branches=(@pair,)} : float32[2, ?], float32[2, ?]
}

graph twice(%v: float32[2, ?]) -> (%add) {
  %add = add(%v, %v) : float32[2, ?]
}

graph same(%v: float32[2, ?]) -> (%v) {
}

graph pair(%v: float32[2, ?]) -> (%v, %v) {
}
"""


def test_a_text_reads_and_prints_the_same() -> None:
    graph = Graph.from_text(TEXT)
    assert graph.as_text() == TEXT
    assert graph.inputs[2].weak and graph.inputs[2].shape.rank is None
    assert graph.outputs[1].op.name == "odd name" and graph.outputs[1].value_index == 1


def test_the_users_line_is_a_comment() -> None:
    graph = Graph("here")
    x = graph.placeholder(int32, [])
    graph.outputs = list(graph.add(REGISTRY["negative"], [x], {}).outputs)
    assert f"# {__file__}:" in graph.as_text() and "#" not in print_graph(graph, locations=False)
    assert graph_equal(Graph.from_text(graph.as_text()), graph)


def test_two_graphs_of_one_name_are_told_apart() -> None:
    graph = Graph.from_text(TEXT.replace("twice", "same.1").replace("graph same.1(", 'graph same.1 "same"('))
    names = [g.name for g in graph.operations[-2].subgraphs]
    assert names == ["same", "same"]
    again = Graph.from_text(graph.as_text())
    assert graph_equal(again, graph) and again.as_text() == graph.as_text()


@pytest.fixture
def holder() -> Any:
    """An operation that only holds attributes."""

    @op(name="holder", shape=lambda *, held: TensorShape([]), result=float32)
    def record(*, held: Any = None) -> Any:
        """Holds."""
        return np.float32(0)

    yield record
    del REGISTRY["holder"]


NAN_WITH_BITS = struct.unpack("<d", struct.pack("<Q", 0xFFF8000000000123))[0]

HELD = [
    None, True, False, 0, -5, 10**38, -(2**400), 1.5, -0.0, 0.1, 5e-324, math.inf, -math.inf, math.nan, NAN_WITH_BITS,
    complex(1, -0.0), complex(math.nan, math.inf), "", 'quo"te', "new\nline # no comment", "\x00\ud800 ü 漢", b"",
    b"\x00\xff\"\\",
    float32, ALL, TensorShape(None), TensorShape([]), TensorShape([2, None]), (), (1,), (1, (2.5, ("a", None)), ()),
]  # fmt: skip


@pytest.mark.parametrize("value", HELD, ids=lambda v: repr(v)[:40].encode("ascii", "replace").decode())
def test_every_attribute_comes_back(value: Any, holder: Any) -> None:
    assert attribute_key(kept(value, holder)) == attribute_key(value)


def kept(value: Any, holder: Any) -> Any:
    graph = Graph("g")
    graph.add(holder, [], {"held": value})
    return Graph.from_text(graph.as_text()).operations[0].attributes["held"]


@pytest.mark.parametrize("dtype", ALL, ids=lambda d: d.name)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3), (40, 3)], ids=str)
def test_every_array_comes_back(dtype: DType, shape: tuple[int, ...], holder: Any) -> None:
    array = values(dtype, shape)
    if dtype.family in ("float", "complex") and array.size > 2:
        array.reshape(-1)[:3] = np.nan, -0.0, np.inf
    if dtype.is_floating and array.size == 6:
        array.view(f"u{dtype.size}").reshape(-1)[0] |= 5  # a nan with other bits
    if dtype.is_integer and array.size > 2:
        array.reshape(-1)[:2] = dtype.min, dtype.max
    found = kept(array, holder)
    assert attribute_key(found) == attribute_key(array)


def test_random_floats_of_every_width_come_back(holder: Any) -> None:
    bits = np.random.default_rng(0).integers(0, 2**63, 60, np.int64)
    for dtype in ("float16", "float32", "float64"):
        array = bits.view(dtype)[:60].copy()
        assert attribute_key(kept(array, holder)) == attribute_key(array)


def test_a_deep_tuple_needs_no_recursion(holder: Any) -> None:
    value: Any = ()
    for _ in range(5_000):
        value = (value,)
    found = kept(value, holder)
    depth = 0
    while found:
        (found,) = found
        depth += 1
    assert depth == 5_000


def test_random_graphs_come_back() -> None:
    for seed in range(60):
        graph = random_case(seed).graph
        text = print_graph(graph, locations=False)
        again = parse_graph(text)
        assert graph_equal(again, graph) and print_graph(again) == text


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "line 1, column 1", "expected a graph"),
        ("grap f", "line 1, column 1", "'graph'"),
        ("graph f(", "line 1, column 9", "expected '%'"),
        ("graph f(%x: float99[])", "line 1, column 13", "dtype"),
        ("graph f(%x: float32[-1])", "line 1, column 21", "dimension"),
        ("graph f() -> (%7) {}", "line 1, column 16", "%7 is not defined"),
        ("graph f() -> () {\n  %a = nothing()\n}", "line 2, column 4", "no operation 'nothing'"),
        ("graph f() -> () {\n  %a = placeholder()\n}", "line 2, column 4", "no operation 'placeholder'"),
        ("graph f(%a: int32[], %a: int32[]) -> () {}", "line 1, column 23", "second operation is called 'a'"),
        ("graph f() -> () {}\ngraph f() -> () {}", "line 2, column 7", "second graph is called 'f'"),
        ("graph f() -> () { %a = cond() {then_graph=@g} }", "line 1, column 43", "no graph 'g'"),
        ("graph f() -> () { %a = cond() {then_graph=@f} }", "line 1, column 43", "inside of itself"),
        ("graph f() -> () { %a = constant() {value=array int32[2] [1]} }", "line 1, column 42", "1 elements"),
        ("graph f() -> () { %a = constant() {value=array int8[1] [300]} : int8[1] }", "line 1, column 42", "fit int8"),
        ("graph f() -> () { %a = constant() {value=array int8[9] raw\"AAAA\"} : int8[9] }", "column 42", "3 bytes"),
        ("graph f() -> () { %a = constant() {value=array int8[99999999999999999999] [1]} }", "column 42", "elements"),
        ("graph f() -> () { %a = constant() {value=\"\\q\"} }", "line 1, column 42", "string"),
        ("graph f() -> () { %a = constant() {value=1, value=2} }", "line 1", "twice"),
        ("graph f() -> () { %a = constant() {value=12e} }", "line 1, column 42", "'12e' is no value"),
        ("graph f() -> () { $ }", "line 1, column 19", "unexpected character '$'"),
        ("graph f() -> () { %a = constant() {value=!\"x\"} }", "line 1, column 42", "expected a value"),
    ],
)  # fmt: skip
def test_a_defect_is_named_with_its_place(text: str, place: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        Graph.from_text(text)
    assert place in str(caught.value) and words in str(caught.value)


def test_types_that_do_not_fit_are_refused() -> None:
    with pytest.raises(FormatError, match="infers float32"):
        Graph.from_text("graph f(%x: float32[2]) -> (%y) { %y = add(%x, %x) : int32[2] }")


def test_graphs_nest_at_most_200_deep() -> None:
    def nest(depth: int) -> str:
        graphs = ["graph root(%p: bool[]) -> (%c) { %c = cond(%p, %p) {then_graph=@g1, else_graph=@g1} : bool[] }"]
        for i in range(1, depth):
            inner = f"@g{i + 1}"
            body = f"%c = cond(%p, %p) {{then_graph={inner}, else_graph={inner}}} : bool[]"
            graphs.append(f"graph g{i}(%p: bool[]) -> (%c) {{ {body} }}")
        return "\n".join([*graphs, f"graph g{depth}(%p: bool[]) -> (%p) {{}}"])

    Graph.from_text(nest(199))
    with pytest.raises(FormatError, match="200 deep"):
        Graph.from_text(nest(200))


def test_mutated_texts_raise_format_errors_only() -> None:
    chance = random.Random(1)
    sources = [print_graph(random_case(seed).graph, locations=False) for seed in range(12)] + [TEXT]
    refused = 0
    for _ in range(600):
        text = list(chance.choice(sources))
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text))
            text[place : place + chance.randint(0, 3)] = chance.choice(
                ["", "%", "}", "0", "[", "-", '"', "?", "é", "(("]
            )
        try:
            Graph.from_text("".join(text))
        except FormatError:
            refused += 1
    assert refused > 300
