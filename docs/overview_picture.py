"""Makes docs/pictures/overview.svg, the picture of the README: a function, what it is converted to, the graph of it.

Example:
    $ python docs/overview_picture.py    # writes the picture; a test compares it
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "pictures" / "overview.svg"

LINE: Final = 18
LETTER: Final = 7.3
WIDTH: Final = 46
PAD: Final = 14
GAP: Final = 44
TOP: Final = 40

STYLE: Final = """
  text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre }
  .title { font: 600 14px system-ui, sans-serif }
  .call { fill: #0550ae; font-weight: 600 }
  rect { fill: #f6f8fa; stroke: #8c959f }
  path { stroke: #57606a; stroke-width: 2; fill: none; marker-end: url(#tip) }
  marker path { fill: #57606a; stroke: none; marker-end: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .call { fill: #79c0ff }
    rect { fill: #161b22; stroke: #6e7681 }
    path { stroke: #9198a1 }
    marker path { fill: #9198a1 }
  }
"""


def halvings(x):
    steps = 0
    while x > 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = x - 1
        steps += 1
    return steps


def panels() -> list[tuple[str, list[str]]]:
    """The title and the lines of each."""
    import autograph
    import runtime

    source = textwrap.dedent(inspect.getsource(halvings)).splitlines()
    text = autograph.to_code(halvings)
    body = text[text.index("        def loop_body") : text.index("        try:")]
    states = re.compile(r" +def [gs]et_state\w*\(.*?\):\n.*?\n\n", re.DOTALL)
    converted = textwrap.dedent(states.sub("", body)).strip().splitlines()
    lowered = runtime.function(halvings).lower(runtime.TensorSpec([], runtime.int64)).as_text()
    graph = [line for part in re.split(r"(?<=\n})\n", lowered.strip()) for line in _shortened(part)]
    shown = {"Your Python": source, "The same, as calls": converted, "The graph that runs": graph}
    return [(title, [part for line in lines for part in _wrapped(line)]) for title, lines in shown.items()]


def _wrapped(line: str) -> list[str]:
    """A line in pieces of at most WIDTH letters, the later ones further to the right."""
    room = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, WIDTH, subsequent_indent=room, drop_whitespace=True) or [""]


def _shortened(graph: str) -> list[str]:
    """The text of a graph without lines of the source and types, its constants where they are used."""
    text = re.sub(r" +#.*| weak|(?<=[)}]) : .*|, maximum_iterations=None|_graph(?==)|@while_|@", "", graph)
    for name, value in re.findall(r"(%\w+) = constant\(\) \{value=array \w+\[\] \[(\d+)\]\}", text):
        text = re.sub(rf" +{name} = .*\n", "", text)
        text = re.sub(rf"{name}\b", value, text)
    lines = text.splitlines()
    uses = lambda name: sum(len(re.findall(rf"{name}\b", line)) for line in lines)
    return [line for line in lines if not (found := re.match(r" +(%\w+) =", line)) or uses(found[1]) > 1]


def picture() -> str:
    """The text of the SVG."""
    parts, x = [], 1.0
    shown = panels()
    height = TOP + PAD + LINE * max(len(lines) for _, lines in shown)
    for number, (title, lines) in enumerate(shown):
        width = 2 * PAD + LETTER * max(map(len, lines))
        parts.append(f'<text class="title" x="{x + 2:.0f}" y="22">{title}</text>')
        parts.append(f'<rect x="{x:.0f}" y="{TOP - 8}" width="{width:.0f}" height="{height - TOP + 4}" rx="6"/>')
        parts += [_line(line, x + PAD, TOP + LINE * (i + 0.7)) for i, line in enumerate(lines) if line.strip()]
        x += width
        if number < len(shown) - 1:
            parts.append(f'<path d="M {x + 6:.0f} {height / 2:.0f} h {GAP - 18}"/>')
            x += GAP
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x + 1:.0f} {height}" role="img">'
    tip = '<marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="5" markerHeight="5" orient="auto">'
    names = "<title>A Python function, its statements as calls, and the graph that they record</title>"
    arrow = f'<defs>{tip}<path d="M 0 0 L 8 4 L 0 8 z"/></marker></defs>'
    return "\n".join([head, names, f"<style>{STYLE}</style>", arrow, *parts, "</svg>", ""])


def _line(text: str, x: float, y: float) -> str:
    marked = re.sub(r"(ag__\.\w+|\b(?:while_loop|while|cond)(?=\())", r'<tspan class="call">\1</tspan>', escape(text))
    return f'<text x="{x:.0f}" y="{y:.0f}">{marked}</text>'


def main() -> None:
    PICTURE.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
