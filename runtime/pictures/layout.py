"""Where boxes and arrows go: layers from top to bottom, few crossings, straight arrows. Plain Python, no recursion.

    places = layout([(80, 30), (60, 30)], [(0, 1)])
    places.corners                     # [(0.0, 0.0), (10.0, 58.0)]: the upper left corner of each box
    places.routes                      # [[(40.0, 30.0), (40.0, 58.0)]]: the points of each arrow

Boxes are given in an order in which all edges lead forward. Each lies in the layer after the last of those before it
(the longest path). An edge through several layers has a place in each, which all edges from the same box share. The
order in a layer is that of the means of the neighbours (barycentres), swept down and up; the positions are the least
squares of the distances to those neighbours under that order, which is an isotonic regression.
Source: K. Sugiyama, S. Tagawa and M. Toda, Methods for visual understanding of hierarchical system structures, 1981.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

__all__ = ["Layout", "layout"]

GAP: Final = 18.0
"""Between neighbours in a layer."""
DROP: Final = 28.0
"""Between layers."""
SWEEPS: Final = 6
STRAIGHT: Final = 8
"""How much more than others the links of lanes and of chains draw."""
LANE: Final = 6.0
"""The width that an edge takes where it goes through a layer."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """The upper left corners of the boxes, the points of the edges, and the size of all of it."""

    corners: list[Point]
    routes: list[list[Point]]
    width: float
    height: float


class _Layers:
    """Boxes and lanes (where an edge goes through a layer), numbered from 0: the boxes first."""

    def __init__(self, sizes: Sequence[Point], edges: Sequence[tuple[int, int]]) -> None:
        self.widths = [width for width, _ in sizes]
        self.layer = _longest_paths(len(sizes), edges)
        self.above: list[list[int]] = [[] for _ in sizes]
        self.below: list[list[int]] = [[] for _ in sizes]
        lanes: dict[tuple[int, int], int] = {}
        linked: set[tuple[int, int]] = set()
        self.chains = [self._chain(start, end, lanes) for start, end in edges]
        for chain in self.chains:
            for upper, lower in pairwise(chain):
                if (upper, lower) not in linked:
                    linked.add((upper, lower))
                    self.below[upper].append(lower)
                    self.above[lower].append(upper)
        self.boxes = len(sizes)
        self.rows: list[list[int]] = [[] for _ in range(max(self.layer, default=-1) + 1)]
        for number, layer in enumerate(self.layer):
            self.rows[layer].append(number)

    def _chain(self, start: int, end: int, lanes: dict[tuple[int, int], int]) -> list[int]:
        """The numbers from a box to another one, with those of the lanes between them."""
        chain = [start]
        for layer in range(self.layer[start] + 1, self.layer[end]):
            if (start, layer) not in lanes:
                lanes[start, layer] = len(self.layer)
                self.layer.append(layer)
                self.widths.append(LANE)
                self.above.append([])
                self.below.append([])
            chain.append(lanes[start, layer])
        return [*chain, end]


def layout(sizes: Sequence[Point], edges: Sequence[tuple[int, int]]) -> Layout:
    """Places boxes of these sizes (width, height)."""
    layers = _Layers(sizes, edges)
    _order(layers)
    middles = _positions(layers)
    left = min((m - w / 2 for m, w in zip(middles, layers.widths, strict=True)), default=0.0)
    middles = [middle - left for middle in middles]
    tops, heights, bottom = [], [], 0.0
    for row in layers.rows:
        tops.append(bottom)
        heights.append(max((sizes[n][1] for n in row if n < len(sizes)), default=0.0))
        bottom += heights[-1] + DROP
    corners = []
    for number, (width, height) in enumerate(sizes):
        layer = layers.layer[number]
        corners.append((middles[number] - width / 2, tops[layer] + (heights[layer] - height) / 2))
    routes = _routes(layers, corners, sizes, middles, tops, heights)
    right = max((m + w / 2 for m, w in zip(middles, layers.widths, strict=True)), default=0.0)
    return Layout(corners, routes, right, max(bottom - DROP, 0.0))


def _longest_paths(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each box. What nothing leads to stands right above what it leads to."""
    layer = [0] * count
    starts: list[list[int]] = [[] for _ in range(count)]
    entered = [False] * count
    for start, end in edges:
        starts[start].append(end)
        entered[end] = True
    for box in range(count):
        for end in starts[box]:
            layer[end] = max(layer[end], layer[box] + 1)
    for box in range(count):
        if not entered[box] and starts[box]:
            layer[box] = min(layer[end] for end in starts[box]) - 1
    return layer


def _order(layers: _Layers) -> None:
    """Sorts each layer by the means of the positions of its neighbours, down and up in turns."""
    place = [0.0] * len(layers.layer)
    for row in layers.rows:
        _number(row, place)
    for sweep in range(SWEEPS):
        neighbours = layers.below if sweep % 2 else layers.above
        for row in layers.rows[::-1] if sweep % 2 else layers.rows:
            means = {n: _mean([place[m] for m in neighbours[n]], place[n]) for n in row}
            row.sort(key=means.__getitem__)
            _number(row, place)


def _number(row: list[int], place: list[float]) -> None:
    """Positions in a layer, from 0 to 1 whatever its length."""
    for position, number in enumerate(row):
        place[number] = (position + 0.5) / len(row)


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _positions(layers: _Layers) -> list[float]:
    """The middle of each box and lane."""
    middles = [0.0] * len(layers.layer)
    for row in layers.rows:
        for number, middle in zip(row, _spread(row, layers.widths, [0.0] * len(row)), strict=True):
            middles[number] = middle
    above, below = _pulls(layers)
    both = [up + down for up, down in zip(above, below, strict=True)]
    for sweep, pulls in enumerate((above, below, above, *(both,) * SWEEPS)):
        for row in layers.rows[::-1] if sweep % 2 else layers.rows:
            wanted = [_weighed(pulls[n], middles, middles[n]) for n in row]
            for number, middle in zip(row, _spread(row, layers.widths, wanted), strict=True):
                middles[number] = middle
    return middles


def _pulls(layers: _Layers) -> tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]:
    """The neighbours above and below of each, with how strongly they draw it: lanes and chains are to be straight."""
    chained = [sum(bool(layers.above[upper]) for upper in uppers) for uppers in layers.above]

    def strength(upper: int, lower: int) -> int:
        lanes = upper >= layers.boxes and lower >= layers.boxes
        alone = len(layers.above[lower]) == 1 or (chained[lower] == 1 and layers.above[upper])
        return STRAIGHT if lanes or (alone and len(layers.below[upper]) == 1) else 1

    above = [[(upper, strength(upper, lower)) for upper in uppers] for lower, uppers in enumerate(layers.above)]
    below = [[(lower, strength(upper, lower)) for lower in lowers] for upper, lowers in enumerate(layers.below)]
    return above, below


def _weighed(pulls: Sequence[tuple[int, int]], middles: Sequence[float], default: float) -> float:
    return sum(middles[n] * w for n, w in pulls) / sum(w for _, w in pulls) if pulls else default


def _spread(row: Sequence[int], widths: Sequence[float], wanted: Sequence[float]) -> list[float]:
    """The positions nearest to the wanted ones at which neighbours keep their distance: blocks of touching boxes."""
    offsets, offset = [], 0.0
    for position, number in enumerate(row):
        if position:
            offset += (widths[row[position - 1]] + widths[number]) / 2 + GAP
        offsets.append(offset)
    blocks: list[tuple[float, int]] = []  # the mean of each block, and how many are in it
    for want, offset in zip(wanted, offsets, strict=True):
        mean, count = want - offset, 1
        while blocks and blocks[-1][0] > mean:
            before, number = blocks.pop()
            mean = (before * number + mean * count) / (number + count)
            count += number
        blocks.append((mean, count))
    starts = [mean for mean, count in blocks for _ in range(count)]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]


def _routes(
    layers: _Layers,
    corners: Sequence[Point],
    sizes: Sequence[Point],
    middles: Sequence[float],
    tops: Sequence[float],
    heights: Sequence[float],
) -> list[list[Point]]:
    """The points of each edge. Those that end at one box do so side by side, in the order in which they come."""
    ends: dict[int, list[int]] = {}
    for number, chain in enumerate(layers.chains):
        ends.setdefault(chain[-1], []).append(number)
    port: dict[int, float] = {}
    for box, numbers in ends.items():
        numbers.sort(key=lambda number: middles[layers.chains[number][-2]])
        width = min(sizes[box][0] * 0.6, 16.0 * (len(numbers) - 1))
        for position, number in enumerate(numbers):
            shift = width * (position / (len(numbers) - 1) - 0.5) if len(numbers) > 1 else 0.0
            port[number] = corners[box][0] + sizes[box][0] / 2 + shift
    routes = []
    for number, chain in enumerate(layers.chains):
        first, end = chain[0], chain[-1]
        points = [(middles[first], corners[first][1] + sizes[first][1])]
        for lane in chain[:-1]:  # straight through the layers, in which other boxes may be taller
            top = tops[layers.layer[lane]]
            points += [(middles[lane], top)] if lane != first else []
            points.append((middles[lane], top + heights[layers.layer[lane]]))
        points += [(port[number], tops[layers.layer[end]]), (port[number], corners[end][1])]
        routes.append([point for at, point in enumerate(points) if not at or point != points[at - 1]])
    return routes
