"""A graph as HTML for notebooks and files: its picture, the program beside it, branches and loops to be opened below.

    html(graph)                           # what `Graph._repr_html_` gives
    html(graph, times)                    # the same with its hot path in colour

It is one element with its style, and nothing in it is loaded from elsewhere.
"""

from __future__ import annotations

import linecache
import textwrap
from collections import Counter
from typing import Any, Final

from autograph.page import THEME, escaped
from runtime.pictures.model import Graph, Times
from runtime.pictures.reading import heat_of, is_many, line_of, parts_of, read
from runtime.pictures.svg import STYLE as PICTURE_STYLE
from runtime.pictures.svg import svg
from runtime.pictures.whole import MOST, all_graphs, total_of, with_inner

__all__ = ["STYLE", "html"]

STYLE: Final = (
    THEME
    + PICTURE_STYLE
    + """\
.agp .wide{overflow-x:auto;max-width:100%}
.agp svg{display:block}
.agp .beside{display:flex;flex-wrap:wrap;gap:12px 24px;align-items:flex-start}
.agp .beside>*{min-width:0;max-width:100%}
.agp .program{max-width:min(100%,34rem)}
.agp details{border-left:3px solid rgba(150,90,220,.55);padding:2px 0 2px 10px;margin:8px 0}
.agp summary{cursor:pointer}
.agp table{margin:4px 0}
.agp .lines td{font:12px/1.5 var(--mono);white-space:pre}
.agp .h1{background:rgba(250,150,30,.14)}
.agp .h2{background:rgba(250,130,30,.24)}
.agp .h3{background:rgba(245,105,30,.36)}
.agp .h4{background:rgba(240,75,30,.48)}
.agp .h5{background:rgba(235,45,30,.6)}
.agp .facts td,.agp .facts th{border-bottom:1px solid rgba(128,128,140,.3)}
.agp td.n{text-align:right;font-variant-numeric:tabular-nums}
"""
)
"""The style of all that is shown in notebooks, of the class `agp`."""

_OPEN: Final = 60
"""The most operations of a graph whose branches and loops are open at first."""
_LINES: Final = 80
"""The most lines of the program that stand beside a picture."""


def html(graph: Graph, times: Times | None = None, title: str = "") -> str:
    """The element. times: seconds by operation. title: what stands above it, by default the graph's name."""
    return "".join([f'<div class="agp"><style>{STYLE}</style>', *_Document(graph, times, title).pieces(), "</div>"])


class _Document:
    """The pieces of the text, in order. Each graph is drawn where it is met first."""

    def __init__(self, graph: Graph, times: Times | None, title: str) -> None:
        self.graph, self.title = graph, title or f"graph {graph.name}"
        self.times: dict[Any, float] = {}
        for root in (*graph.functions.values(), graph):
            self.times |= with_inner(times or {}, root)
        self.total = total_of(self.times, graph)
        self.graphs = all_graphs(graph)
        self.size = sum(len(g.operations) for g in self.graphs)
        self.room = MOST  # how many boxes may still be drawn
        self.shown: set[int] = set()

    def pieces(self) -> list[str]:
        found = [self._head()]
        waiting: list[Any] = []
        for name, function in list(self.graph.functions.items())[::-1]:
            head = f"{self._details()}function <code>{escaped(name)}</code></summary>"
            waiting += ["</details>", (function, ""), head]
        waiting.append((self.graph, ""))
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                found.append(item)
            else:
                waiting += self._graph(*item)[::-1]
        return found

    def _head(self) -> str:
        inner = len(self.graphs) - 1
        counts = [_counted(len(self.graph.inputs), "input"), _counted(self.size, "operation")]
        counts += [f"{_counted(inner, 'graph')} inside"] if inner else []
        counts += [f"{self.total * 1e3:.3g} ms"] if self.total else []
        return f'<div><b>{escaped(self.title)}</b> <span class="note">{", ".join(counts)}</span></div>'

    def _details(self) -> str:
        return f"<details{' open' if self.size <= _OPEN else ''}><summary>"

    def _graph(self, graph: Any, role: str) -> list[Any]:
        """The picture of one graph, and the graphs inside of it below."""
        head = f"<div><b>{escaped(role)}</b></div>" if role else ""
        if id(graph) in self.shown:
            return [head, '<div class="note">the same graph as above</div>']
        self.shown.add(id(graph))
        listing = self._listing() if graph is self.graph else ""
        pieces: list[Any] = [head, f'<div class="beside">{listing}<div>', self._drawing(graph, role), "</div></div>"]
        nests = [(operation, parts) for operation in graph.operations if (parts := parts_of(operation))]
        for operation, parts in nests[:_LINES]:
            place = operation.location
            line = "" if place is None else f" · line {place.lineno} <code>{escaped(line_of(place))}</code>"
            pieces.append(f"{self._details()}{escaped(operation.type)}{line}{self._share(operation)}</summary>")
            pieces.append('<div class="beside">')
            for name, inner in parts:
                pieces += ["<div>", (inner, name), "</div>"]
            pieces.append("</div></details>")
        if len(nests) > _LINES:
            pieces.append(f'<div class="note">and {len(nests) - _LINES} more of those</div>')
        return pieces

    def _share(self, operation: Any) -> str:
        share = self.times.get(operation, 0.0) / self.total if self.total else 0.0
        return f' · <span class="h{heat_of(share, 1.0)}">{share:.0%} of the time</span>' if share else ""

    def _drawing(self, graph: Any, role: str) -> str:
        """The picture, and of what is too large for one a table of its operations."""
        picture = read(graph, role, self.times, self.total)
        table = _kinds(graph) if is_many(graph) else ""
        if not picture.boxes and not table:
            return '<div class="note">nothing in it</div>'
        if not picture.boxes or len(picture.boxes) > self.room:
            return table or _kinds(graph)
        self.room -= len(picture.boxes)
        return f'{table}<div class="wide">{svg(picture)}</div>'

    def _listing(self) -> str:
        """The lines of the program that made the operations, with how many each did and what they take."""
        counts: Counter[tuple[str, int]] = Counter()
        seconds: dict[tuple[str, int], float] = {}
        for graph in self.graphs:
            inputs = {id(tensor.op) for tensor in graph.inputs}
            for operation in graph.operations:
                if operation.location is not None and operation.type != "identity" and id(operation) not in inputs:
                    key = operation.location.filename, operation.location.lineno
                    counts[key] += 1
                    if not parts_of(operation):
                        seconds[key] = seconds.get(key, 0.0) + self.times.get(operation, 0.0)
        if not counts:
            return ""
        file = Counter(name for name, _ in counts.elements()).most_common(1)[0][0]
        used = sorted(line for name, line in counts if name == file)
        lines = _shown_lines(used)
        texts = ["" if line is None else linecache.getline(file, line).rstrip() for line in lines]
        rows = []
        for line, text in zip(lines, textwrap.dedent("\n".join(texts)).split("\n"), strict=True):
            number, count = ("", 0) if line is None else (str(line), counts[file, line])
            heat = heat_of(seconds.get((file, line or 0), 0.0), self.total)
            kind = f' class="h{heat}"' if heat else ""
            ops = _counted(count, "op") if count else "⋮" if line is None else ""
            cells = f'<td class="note n">{number}</td><td class="note n">{ops}</td><td>{escaped(text)}</td>'
            rows.append(f"<tr{kind}>{cells}</tr>")
        return f'<div class="wide program"><table class="lines">{"".join(rows)}</table></div>' if any(rows) else ""


def _shown_lines(used: list[int]) -> list[int | None]:
    """The lines from the first to the last of those used, without wide gaps (None): at most `_LINES` of them."""
    found: list[int | None] = []
    for line in used[:_LINES]:
        before = found[-1] if found else line - 1
        assert before is not None
        found += list(range(before + 1, line)) if line - before <= 4 else [None]
        found.append(line)
    return [*found[:_LINES], *([None] if len(found) > _LINES or len(used) > _LINES else [])]


def _kinds(graph: Any) -> str:
    """How many operations there are of each kind."""
    kinds = Counter(operation.type for operation in graph.operations).most_common()
    rows = "".join(f'<tr><td><code>{escaped(kind)}</code></td><td class="n">{count}</td></tr>' for kind, count in kinds)
    head = f"<details><summary>{_counted(len(graph.operations), 'operation')}</summary>"
    return f'{head}<table class="facts">{rows}</table></details>'


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
