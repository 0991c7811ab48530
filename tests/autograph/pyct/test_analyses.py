"""What graphs and analyses say, on programs that are small enough to know it."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import gast
import pytest

from autograph.pyct import anno, cfg, parser
from autograph.pyct.qual_names import QN, from_str
from autograph.pyct.static_analysis import activity, annos, dataflow, liveness, reaching_definitions, reaching_fndefs
from autograph.pyct.static_analysis.name_sets import NameSet, Universe

from .truth import analysed


def function(body: str, head: str = "def f(a, b):") -> Any:
    return parser.parse(head + "\n" + "".join(f"    {line}\n" for line in body.splitlines()))


def shown(body: str) -> dict[str, list[str]]:
    """The edges of a function, by the text of its nodes."""
    node = function(body)
    return {repr(step): sorted(map(repr, step.next)) for step in cfg.build(node)[node].nodes}


def names(*texts: str) -> set[QN]:
    return {from_str(text) for text in texts}


def read_of(tree: Any, name: str) -> Any:
    found = [n for n in gast.walk(tree) if isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Load)]
    return found[-1]


# -- graphs


def test_edges_of_a_loop_with_every_jump() -> None:
    edges = shown("for i in a:\n    if i:\n        continue\n    break\nelse:\n    b\nreturn b")
    assert edges == {
        "parameters a, b": ["a"],
        "a": ["next item"],
        "next item": ["b", "i"],
        "i": ["break", "continue"],  # the target and the test print alike: the later one is kept
        "continue": ["next item"],
        "break": ["return b"],
        "b": ["return b"],
        "return b": [],
    }


def test_a_jump_runs_finally_and_then_goes_on() -> None:
    edges = shown("while a:\n    try:\n        break\n    finally:\n        b\nreturn a")
    assert edges["break"] == ["b"] and edges["b"] == ["return a"]


def test_exceptions_go_to_handlers_in_turn() -> None:
    node = function("try:\n    x = a\nexcept A:\n    x = 1\nexcept B as e:\n    raise\nelse:\n    b\nreturn x")
    graph = cfg.build(node)[node]
    attempt, bound = graph.index[node.body[0]], graph.index[node.body[0].body[0]]
    first, second = (graph.index[handler.type] for handler in node.body[0].handlers)
    assert attempt.handlers == bound.handlers == {first} and first.raisers == {attempt, bound}
    assert second in first.next and graph.index[node.body[0].orelse[0]] in bound.next
    assert [repr(each) for each in graph.error] == ["raise"] and [repr(each) for each in graph.exit] == ["return x"]


def test_unreachable_code_has_nodes_and_adds_no_ways() -> None:
    node = function("return a\nx = 1\nwhile x:\n    x = 2")
    graph = cfg.build(node)[node]
    assert [step.reachable for step in graph.nodes] == [True, True, False, False, False]
    assert [repr(step) for step in graph.exit] == ["return a"]


def test_what_comes_before_and_after_a_statement() -> None:
    node = function("x = 1\nif a:\n    return x\nelse:\n    x = 2\nreturn b")
    graph = cfg.build(node)[node]
    branch = node.body[1]
    assert {repr(step) for step in graph.stmt_prev[branch]} == {"x = 1"}
    assert {repr(step) for step in graph.stmt_next[branch]} == {"return b"}
    assert [repr(graph.nodes[number]) for number in graph.stmt_span[branch]] == ["a", "return x", "x = 2"]


def test_graphs_of_all_that_is_inside() -> None:
    tree = gast.Module([function("class C:\n    def m(self): return lambda: 0\nasync def g(): pass")], [])
    graphs = cfg.build(tree)
    assert sorted(type(owner).__name__ for owner in graphs) == [
        "AsyncFunctionDef",
        "ClassDef",
        "FunctionDef",
        "FunctionDef",
        "Lambda",
        "Module",
    ]
    assert "digraph" in graphs[tree].as_dot() and "->" in graphs[tree].as_dot()
    with pytest.raises(TypeError, match="function, class or module"):
        cfg.build(parser.parse_expression("x + 1"))


def test_an_extra_test_of_a_loop_is_part_of_the_graph() -> None:
    node = function("for i in a:\n    b")
    extra = parser.parse_expression("not stop")
    anno.setanno(node.body[0], anno.Basic.EXTRA_LOOP_TEST, extra)
    graph = analysed(node)[node]
    assert [repr(step) for step in graph.exit] and graph.index[extra] in graph.exit
    assert QN("stop") in anno.getanno(node.body[0], anno.Static.LIVE_VARS_IN)


def test_visitors_of_clients() -> None:
    class Reachable(cfg.GraphVisitor):
        def init_state(self, node: Any) -> bool:
            return False

        def visit_node(self, node: Any) -> bool:
            if self.can_ignore(node):
                self.in_[node] = True
            before = self.out[node]
            self.out[node] = node is self.graph.entry or any(self.out[other] for other in node.prev)
            return bool(before != self.out[node])

    node = function("while a:\n    pass\nreturn b\nb")
    graph = cfg.build(node)[node]
    visitor = Reachable(graph)
    visitor.visit_forward()
    assert [visitor.out[step] for step in graph.nodes] == [step.reachable for step in graph.nodes]
    assert [repr(step) for step in graph.nodes if visitor.in_[step]] == ["pass"]
    visitor.reset()
    assert not any(visitor.out.values())


# -- what is read and changed


def test_activity() -> None:
    node = function(
        "x = o.v + [i for i in b][0]\no.w[a] += x\ndel o.u\nimport p.q as r\nfor k, *l in f(b, n=x):\n    y: int = k\n"
        "else:\n    z = lambda q: q + g"
    )
    analysed(node)
    one, two, three, four, loop = (anno.getanno(statement, anno.Static.SCOPE) for statement in node.body)
    assert (one.read, one.modified) == (names("o", "o.v", "b"), names("x"))
    assert (two.read, two.modified) == (names("o", "o.w", "o.w[a]", "a", "x"), names("o.w[a]"))
    assert (three.deleted, four.modified) == (names("o.u"), names("r"))
    assert loop.modified == names("k", "l", "y", "z") and loop.captured == names("g")
    body = anno.getanno(node.body[4], annos.NodeAnno.BODY_SCOPE)
    assert (body.read, body.modified, body.annotations) == (names("k", "int"), names("y"), names("int"))
    assert anno.getanno(node.body[4], anno.Static.ORELSE_SCOPE).modified == names("z")
    assert anno.getanno(node.body[4].iter, anno.Static.ARGS_SCOPE).read == names("b", "x")
    whole = anno.getanno(node, annos.NodeAnno.ARGS_AND_BODY_SCOPE)
    assert whole.bound == names("a", "b", "x", "r", "k", "l", "y", "z") and set(whole.params) == names("a", "b")
    assert whole.free_vars == names("o", "f", "g", "int") and whole.referenced >= names("o.w[a]", "x", "a")
    assert activity.Scope.copy_of(whole).bound == whole.bound and "modified={" in repr(whole)


def test_the_name_of_an_exception_is_marked() -> None:
    node = function("try:\n    a\nexcept E as e:\n    b")
    analysed(node)
    scope = anno.getanno(node.body[0].handlers[0], anno.Static.SCOPE)
    assert scope.isolated_names == scope.modified == names("e")
    assert anno.getanno(node.body[0].handlers[0], anno.Static.BODY_SCOPE).read == names("b")


def test_names_of_comprehensions_are_their_own() -> None:
    node = function("x = 1\ny = [x for x in a]\nz = [lambda: x for x in a]\nreturn [x for q in a]")
    analysed(node)
    comprehension, in_lambda = node.body[1].value, node.body[2].value
    for read in (comprehension.elt, in_lambda.elt.body):
        assert anno.getanno(read, anno.Static.DEFINITIONS) == ()
    assert len(anno.getanno(read_of(node.body[3], "x"), anno.Static.DEFINITIONS)) == 1


# -- what reaches


def test_definitions() -> None:
    class Mine(reaching_definitions.Definition):
        pass

    node = function("x = a\nif b:\n    x = 2\ny = x\nx = 3\nreturn x + y")
    activity.resolve(node)
    reaching_definitions.resolve(node, None, cfg.build(node), definition_factory=Mine)
    reached = anno.getanno(node.body[2].value, anno.Static.DEFINITIONS)
    stores = [node.body[0].targets[0], node.body[1].body[0].targets[0]]
    assert reached == tuple(anno.getanno(store, anno.Static.DEFINITIONS)[0] for store in stores)
    assert all(isinstance(each, Mine) for each in reached)
    (parameter,) = anno.getanno(node.body[0].value, anno.Static.DEFINITIONS)
    assert parameter.param_of is node and "of a parameter" in repr(parameter)
    assert anno.getanno(node.body[1], anno.Static.DEFINED_VARS_IN) == names("a", "b", "x")


def test_functions_exist_from_their_definition_on() -> None:
    node = function("if a:\n    def g(): pass\n    g = 1\nh = lambda: 0\nreturn h")
    analysed(node)
    inner, made = node.body[0].body[0], node.body[1].value
    assert [set(anno.getanno(s, anno.Static.DEFINED_FNS_IN)) for s in node.body] == [set(), {inner}, {inner, made}]
    assert reaching_fndefs.resolve(node) is node


# -- what is live


def test_liveness_of_statements() -> None:
    node = function("x = a\nwhile x:\n    y = x\n    x = y - 1\nz = x\no.v = z\nreturn b")
    analysed(node)
    keys = (anno.Static.LIVE_VARS_IN, anno.Static.LIVE_VARS_OUT)
    live = {statement.lineno: [anno.getanno(statement, key) for key in keys] for statement in node.body}
    assert live[2] == [names("a", "b", "o", "o.v"), names("x", "b", "o", "o.v")]
    assert live[3] == [names("x", "b", "o", "o.v"), names("x", "b", "o", "o.v")]
    assert live[7][1] == names("b", "o.v") and live[8][1] == names("o.v")


def test_annotations_may_be_left_out_of_liveness() -> None:
    node = function("x: int = a\nreturn x")
    activity.resolve(node)
    for included in (True, False):
        liveness.resolve(node, None, None, include_annotations=included)
        assert (QN("int") in anno.getanno(node.body[0], anno.Static.LIVE_VARS_IN)) == included


def test_sets_of_names_are_sets() -> None:
    universe = Universe(names("a", "b", "c"))
    some = NameSet(universe, universe.mask(names("a", "c", "d")))
    assert some == names("a", "c") and len(some) == 2 and QN("b") not in some and QN("d") not in some
    assert some | names("d") == names("a", "c", "d") and some & names("a") == names("a")
    assert some <= names("a", "b", "c") and not some < names("a", "c")
    assert hash(some) == hash(frozenset(names("a", "c"))) and repr(some) == "{a, c}"


# -- how long it takes


def loops(count: int) -> str:
    return "x0 = 0\n" + "\n".join(f"x{i} = x{i - 1} + 1\nwhile x{i}:\n    x{i} = g(x{i})" for i in range(1, count))


def nested(depth: int) -> str:
    heads = [f"{'    ' * level}while x{level}:\n{'    ' * level}    x{level} = y{level}" for level in range(depth)]
    tails = [f"{'    ' * level}    y{level} = x{depth - level}" for level in reversed(range(depth))]
    return "\n".join([*heads, *tails])


@pytest.mark.parametrize(
    ("body", "most"), [(loops(10), 3), (loops(300), 3), (nested(4), 7), (nested(9), 12), (nested(18), 21)]
)
def test_nodes_are_visited_as_often_as_loops_are_nested(body: str, most: int, monkeypatch: Any) -> None:
    visits: Counter[type] = Counter()
    for visitor in (dataflow.ForwardMasks, liveness.Analyzer):
        original = visitor.visit_node

        def counted(self: Any, node: Any, original: Any = original) -> bool:
            visits[type(self)] += 1
            return bool(original(self, node))

        monkeypatch.setattr(visitor, "visit_node", counted)
    node = function(body)
    nodes = len(analysed(node)[node].nodes)
    assert visits[liveness.Analyzer] <= most * nodes
    assert visits[dataflow.ForwardMasks] <= 3 * most * nodes  # definitions, functions, and what functions read


def test_time_grows_with_the_length_of_the_program() -> None:
    def seconds(count: int) -> float:
        node = function(loops(count))
        started = time.process_time()
        analysed(node)
        return time.process_time() - started

    small = min(seconds(100) for _ in range(3))
    assert min(seconds(1000) for _ in range(2)) < 10 * 6 * small  # a square would be 100 times


def test_deep_and_long_programs() -> None:
    deep = "\n".join("    " * level + f"if a{level}:" for level in range(80)) + "\n" + "    " * 80 + "x = 1"
    chain = "if a:\n    x = 0\n" + "\n".join(f"elif a == {n}:\n    x = {n}" for n in range(150))
    for body in (deep, chain, "x = " + " + ".join(["a"] * 1500)):
        graphs = analysed(function(body))
        assert all(graph.nodes for graph in graphs.values())
