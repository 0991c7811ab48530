"""A graph as text of Mermaid, which pages of Markdown show as a drawing: branches and bodies of loops as subgraphs.

    print(to_mermaid(graph))         # flowchart TD ...; put it between ```mermaid and ```
"""

from __future__ import annotations

import re
from typing import Final

from autograph.page import plain
from runtime.pictures.model import Graph
from runtime.pictures.nodes import Cluster, numbered

__all__ = ["to_mermaid"]

_MEANT: Final = re.compile(r"[^\w .,:()/=\[\]?]")
"""What could mean something to Mermaid, to its Markdown or to HTML."""


def to_mermaid(graph: Graph) -> str:
    """The text of one flowchart."""
    drawing = numbered(graph)
    lines, indent = ["flowchart TD"], "  "
    for item in drawing.items:
        if isinstance(item, Cluster):
            lines.append(f"{indent}subgraph s{item.number}[{_quoted(item.title)}]")
            indent += "  "
        elif item is None:
            indent = indent[:-2]
            lines.append(f"{indent}end")
        else:
            opening, closing = ("([", "])") if item.kind in ("input", "output") else ("[", "]")
            lines.append(f"{indent}n{item.number}{opening}{_quoted(item.text)}{closing}")
    for edge in drawing.edges:
        label = f"|{_quoted(edge.text)}|" if edge.text else ""
        lines.append(f"  n{edge.start} {'-.->' if edge.dashed else '-->'}{label} n{edge.end}")
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """A string of the language, all that could mean something in it as `#number;`."""
    rows = [_MEANT.sub(lambda found: f"#{ord(found.group())};", plain(row)) for row in text.split("\n")]
    return '"' + "<br/>".join(rows) + '"'
