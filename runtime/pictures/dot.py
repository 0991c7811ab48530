"""A graph as text of Graphviz: every operation a node, branches and bodies of loops as clusters.

    Path("step.dot").write_text(to_dot(graph))       # dot -Tsvg step.dot
"""

from __future__ import annotations

from autograph.page import plain
from runtime.pictures.model import Graph
from runtime.pictures.nodes import Cluster, numbered

__all__ = ["to_dot"]


def to_dot(graph: Graph) -> str:
    """The text, of one digraph."""
    drawing = numbered(graph)
    lines = [
        f"digraph {_quoted(graph.name)} {{",
        "  rankdir=TB;",
        '  node [shape=box, style=rounded, fontname="monospace", fontsize=10];',
        '  edge [fontname="monospace", fontsize=9];',
    ]
    indent = "  "
    for item in drawing.items:
        if isinstance(item, Cluster):
            lines.append(f"{indent}subgraph cluster_{item.number} {{")
            indent += "  "
            lines.append(f"{indent}label={_quoted(item.title)};")
        elif item is None:
            indent = indent[:-2]
            lines.append(f"{indent}}}")
        else:
            shape = {"input": ", shape=ellipse", "output": ", shape=ellipse, style=bold"}.get(item.kind, "")
            lines.append(f"{indent}n{item.number} [label={_quoted(item.text)}{shape}];")
    for edge in drawing.edges:
        style = f" [label={_quoted(edge.text)}]" if edge.text else " [style=dashed]" if edge.dashed else ""
        lines.append(f"  n{edge.start} -> n{edge.end}{style};")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    """A string of the language: quotes and backslashes escaped, ends of lines as `\\n`."""
    rows = [plain(row).replace("\\", "\\\\").replace('"', '\\"') for row in text.split("\n")]
    return '"' + "\\n".join(rows) + '"'
