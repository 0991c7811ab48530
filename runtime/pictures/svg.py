"""A picture as SVG: rounded boxes with up to three lines of text, curved arrows, the pictures inside of boxes in them.

    svg(picture)                   # part of a page: its text has the colour of what is around it
    svg(picture, alone=True)       # a file of its own, with a ground and colours for light and dark

Boxes with pictures inside of them are measured from the inside out, and drawn from the outside in, without recursion.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from autograph.page import escaped
from runtime.pictures.layout import Layout, Point, layout
from runtime.pictures.model import Arrow, Box, Picture
from runtime.pictures.reading import clipped

__all__ = ["STYLE", "svg"]

STYLE: Final = """\
.agd{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:currentColor}
.agd text{fill:currentColor;stroke:none}
.agd .d{opacity:.75}
.agd .s{opacity:.6;font-size:10.5px}
.agd rect{fill:rgba(128,128,140,.10);stroke:rgba(128,128,140,.75)}
.agd .input rect,.agd .output rect{fill:rgba(40,130,240,.14);stroke:rgba(40,130,240,.75)}
.agd .nest>rect{fill:rgba(150,90,220,.09);stroke:rgba(150,90,220,.8)}
.agd .group rect{stroke-dasharray:5 3}
.agd .part>rect{fill:none;stroke:rgba(128,128,140,.5);stroke-dasharray:4 3}
.agd .h1>rect{fill:rgba(250,150,30,.14)}
.agd .h2>rect{fill:rgba(250,130,30,.24)}
.agd .h3>rect{fill:rgba(245,105,30,.36);stroke:rgb(220,90,20)}
.agd .h4>rect{fill:rgba(240,75,30,.48);stroke:rgb(220,70,20)}
.agd .h5>rect{fill:rgba(235,45,30,.6);stroke:rgb(220,50,20)}
.agd path{fill:none;stroke:rgba(128,128,140,.9);stroke-width:1.3}
.agd path.order{stroke-dasharray:2 4}
.agd path.hot{stroke:rgb(230,80,20);stroke-width:2.4}
.agd .tip{fill:rgba(128,128,140,1);stroke:none}
.agd .hot.tip{fill:rgb(230,80,20)}
"""
"""The style of pictures of the class `agd`, which a page has once."""

_ALONE: Final = """\
.agd{color:#1b1b1f}
.agd>.ground{fill:#fff;stroke:none}
@media (prefers-color-scheme:dark){.agd{color:#e8e8ec}.agd>.ground{fill:#17171b;stroke:none}}
"""

_WIDE: Final = 7.3  # of a letter of 12 pixels in the widest of the fonts
_SMALL: Final = 6.4
_LINE: Final = 15.0
_SIDE: Final = 9.0
_HEAD: Final = 16.0
_MARGIN: Final = 8.0


@dataclass(slots=True)
class _Drawn:
    """A picture with its places, and the size and inner places of each box."""

    picture: Picture
    places: Layout
    sizes: list[Point]
    inner: list[list[tuple[_Drawn, Point]]]


def svg(picture: Picture, alone: bool = False) -> str:
    """The element <svg>."""
    drawn = _measured(picture)
    width, height = drawn.places.width + 2 * _MARGIN, drawn.places.height + 2 * _MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="agd" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.1f} {height:.1f}" role="img" aria-label="{escaped(picture.title)}">'
    )
    ground = f'<style>{_ALONE}{STYLE}</style><rect class="ground" width="100%" height="100%"/>' if alone else ""
    return "".join([head, ground, *_shapes(drawn), "</svg>"])


def _length(text: str) -> int:
    """In letters; those of the East are two wide."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _lines(box: Box) -> list[tuple[str, str]]:
    """The lines of a box, with their classes."""
    found = [("t", clipped(box.title)), ("d", clipped(box.detail)), ("s", clipped(box.source))]
    return [(kind, text) for kind, text in found if text]


def _measured(picture: Picture) -> _Drawn:
    """A picture with all that is inside of it, measured from the inside out."""
    order, waiting = [], [picture]
    while waiting:
        current = waiting.pop()
        order.append(current)
        waiting += [part for box in current.boxes for part in box.parts]
    done: dict[int, _Drawn] = {}
    for current in reversed(order):
        sizes, inner = [], []
        for box in current.boxes:
            size, parts = _measured_box(box, [done[id(part)] for part in box.parts])
            sizes.append(size)
            inner.append(parts)
        edges = [(arrow.start, arrow.end) for arrow in current.arrows]
        done[id(current)] = _Drawn(current, layout(sizes, edges), sizes, inner)
    return done[id(picture)]


def _measured_box(box: Box, parts: list[_Drawn]) -> tuple[Point, list[tuple[_Drawn, Point]]]:
    """The size of a box, and where in it the pictures inside of it are: side by side, below its text."""
    lines = _lines(box)
    width = max(_length(text) * (_SMALL if kind == "s" else _WIDE) for kind, text in lines or [("t", "")])
    height = _LINE * len(lines) + 7
    x, tallest, places = _SIDE, 0.0, []
    for part in parts:
        places.append((part, (x + _MARGIN, height + _HEAD + _MARGIN)))
        x += max(part.places.width, _length(part.picture.title) * _WIDE) + 2 * _MARGIN + _SIDE
        tallest = max(tallest, part.places.height)
    if parts:
        width, height = max(width, x - 2 * _SIDE), height + _HEAD + tallest + 2 * _MARGIN + _SIDE
    return (width + 2 * _SIDE, height), places


def _shapes(drawn: _Drawn) -> list[str]:
    """What is in the element, from the outside in: a box lies below what is inside of it."""
    found: list[str] = []
    waiting = [(drawn, (_MARGIN, _MARGIN))]
    while waiting:
        current, (x, y) = waiting.pop()
        routes = zip(current.picture.arrows, current.places.routes, strict=True)
        found += [_arrow(arrow, [(a + x, b + y) for a, b in points]) for arrow, points in routes]
        for number, box in enumerate(current.picture.boxes):
            left, top = current.places.corners[number]
            left, top = left + x, top + y
            found.append(_box(box, left, top, current.sizes[number], current.inner[number]))
            waiting += [(part, (left + a, top + b)) for part, (a, b) in current.inner[number]]
    return found


def _box(box: Box, x: float, y: float, size: Point, parts: list[tuple[_Drawn, Point]]) -> str:
    width, height = size
    round_ = 11 if box.kind in ("input", "output") else 4
    texts = [
        f'<text class="{kind}" x="{x + _SIDE:.1f}" y="{y + _LINE * (row + 1) - 1:.1f}"'
        f'{_bold(kind, box)}>{escaped(text)}</text>'
        for row, (kind, text) in enumerate(_lines(box))
    ]
    tip = f"<title>{escaped(box.tip or box.title)}</title>"
    frames = [_frame(part, x + a, y + b) for part, (a, b) in parts]
    kind = f"{box.kind} h{box.heat}" if box.heat else box.kind
    rect = f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round_}"/>'
    return f'<g class="{kind}">{tip}{rect}{"".join(texts)}{"".join(frames)}</g>'


def _bold(kind: str, box: Box) -> str:
    return ' font-weight="600"' if kind == "t" and box.kind != "output" else ""


def _frame(part: _Drawn, x: float, y: float) -> str:
    """The frame around a picture inside of a box, with its title."""
    width = max(part.places.width, _length(part.picture.title) * _WIDE) + 2 * _MARGIN
    height = part.places.height + 2 * _MARGIN
    x, y = x - _MARGIN, y - _MARGIN
    return (
        f'<g class="part"><rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="4"/>'
        f'<text class="d" x="{x:.1f}" y="{y - 4:.1f}">{escaped(part.picture.title)}</text></g>'
    )


def _arrow(arrow: Arrow, points: list[Point]) -> str:
    """A curve through the points that leaves and enters each of them from above, and the head at its end."""
    (x, y), *others = points
    path = [f"M{x:.1f} {y:.1f}"]
    for a, b in others:
        middle = (y + b) / 2
        path.append(f"V{b:.1f}" if a == x else f"C{x:.1f} {middle:.1f} {a:.1f} {middle:.1f} {a:.1f} {b:.1f}")
        x, y = a, b
    kind = "order" if arrow.order else "hot" if arrow.hot else "value"
    tip = f"M{x - 3.5:.1f} {y - 7:.1f}L{x:.1f} {y:.1f}L{x + 3.5:.1f} {y - 7:.1f}Z"
    return f'<path class="{kind}" d="{"".join(path)}"/><path class="{kind} tip" d="{tip}"/>'
