"""`to_dot` and `to_mermaid`: valid text of Graphviz and Mermaid, which says what the graph is."""

import re
import shutil
import subprocess

import pytest

from runtime.graph.nesting import nested_graphs
from tests.runtime.pictures.programs import chain, hostile, nest, steps_trace
from tests.runtime.random_graphs import random_case

DOT_TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|->|[{}\[\]=;,]|[A-Za-z_]\w*|\d+|\s+')
MERMAID_LINES = (
    r"flowchart TD", r"end", r'subgraph s\d+\["[^"]*"\]', r'n(\d+)\[?\(?\["[^"]*"\]\)?\]?', r'n(\d+)\["[^"]*"\]',
    r'n(\d+) (?:-->|-\.->)(?:\|"[^"]*"\|)? n(\d+)',
)  # fmt: skip
GRAPHS = {
    "steps": lambda: steps_trace().graph, "hostile": hostile, "deep": lambda: nest(30), "long": lambda: chain(300),
    **{f"random {seed}": lambda seed=seed: random_case(seed).graph for seed in range(3)},
}  # fmt: skip


def read_dot(text: str) -> tuple[set[str], list[tuple[str, str]], int]:
    """The nodes, edges and the number of clusters of a text in the part of the language that is used."""
    tokens, at = [], 0
    while at < len(text):
        found = DOT_TOKEN.match(text, at)
        assert found is not None, f"no token: {text[at : at + 40]!r}"
        tokens += [found.group()] * (not found.group().isspace())
        at = found.end()
    assert tokens[0] == "digraph" and tokens[1].startswith('"') and tokens[2] == "{"
    depth, nodes, edges, clusters = 0, set(), [], 0
    for number, token in enumerate(tokens):
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth > 0 or number in (0, 1, len(tokens) - 1)
        clusters += token == "subgraph"
        if token == "->":
            edges.append((tokens[number - 1], tokens[number + 1]))
        elif re.fullmatch(r"n\d+", token) and tokens[number + 1] == "[" and tokens[number - 1] != "->":
            nodes.add(token)
    assert depth == 0
    return nodes, edges, clusters


def size_of(graph) -> tuple[int, int]:
    """How many nodes and clusters there are to be."""
    graphs = nested_graphs(graph)
    return sum(len(g.operations) + len(g.outputs) for g in graphs), len(graphs) - 1


@pytest.mark.parametrize("name", GRAPHS)
def test_dot_has_every_operation_and_every_graph(name):
    graph = GRAPHS[name]()
    nodes, edges, clusters = read_dot(graph.to_dot())
    assert (len(nodes), clusters) == size_of(graph)
    assert {end for edge in edges for end in edge} <= nodes
    inputs = sum(len(o.inputs) for g in nested_graphs(graph) for o in g.operations)
    outputs = sum(len(g.outputs) for g in nested_graphs(graph))
    assert len(edges) >= inputs + outputs


@pytest.mark.parametrize("name", [name for name in GRAPHS if not name.startswith("random")])
def test_graphviz_reads_it(name):
    text = GRAPHS[name]().to_dot()
    program = shutil.which("dot")
    if program is None:
        read_dot(text)  # the nearest thing on machines without Graphviz
    else:
        done = subprocess.run([program, "-Tcanon"], input=text, capture_output=True, text=True, encoding="utf-8")
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", GRAPHS)
def test_mermaid_has_every_operation_and_every_graph(name):
    graph = GRAPHS[name]()
    lines = [line.strip() for line in graph.to_mermaid().splitlines()]
    unknown = [line for line in lines if not any(re.fullmatch(form, line) for form in MERMAID_LINES)]
    assert unknown == []
    nodes, clusters = size_of(graph)
    declared = [line for line in lines if re.match(r"n\d+[(\[]", line)]
    assert len(declared) == nodes
    assert sum(line.startswith("subgraph") for line in lines) == lines.count("end") == clusters
    assert lines[0] == "flowchart TD"


def test_names_mean_nothing_to_mermaid():
    text = hostile().to_mermaid()
    assert "<script" not in text and "%%" not in text and "`" not in text
    assert "#60;script#62;alert(1)#60;/script#62;" in text


def test_which_result_of_several_an_edge_carries_is_written_beside_it():
    assert '-->|"1"|' in steps_trace().graph.to_mermaid()
    assert 'label="1"' in steps_trace().graph.to_dot()
