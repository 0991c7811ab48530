"""From a graph to a picture of it: what is written in the boxes, which arrows there are, and which way is hot.

    read(graph).boxes[1]        # Box("multiply(·, 2.0)", "float32[]", "8  y = 2.0 * x", kind="op")

Constants of one element stand in the boxes that use them. Operations with effects are joined in their order. A graph
with more than `MANY` operations is drawn with a box for each run of operations of the same line.
"""

from __future__ import annotations

import linecache
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from runtime.pictures.model import Arrow, Box, Graph, Operation, Picture, Place, Tensor, Times, Typed

__all__ = [
    "LONGEST", "MANY", "clipped", "heat_of", "is_many", "line_of", "parts_of", "read", "result_names", "type_text",
]  # fmt: skip

MANY: Final = 120
"""The most boxes of a picture."""

LONGEST: Final = 32
"""The most letters of a line in a box."""

_ELEMENTS: Final = 6
_SHORT: Final = 14  # letters
"""The largest constants that are written where they are used."""

_HEATS: Final = (0.01, 0.03, 0.08, 0.2, 0.4)
"""The shares of the whole time at which a box gets the next colour."""


def parts_of(operation: Operation) -> list[tuple[str, Any]]:
    """The graphs inside of an operation, with what each is: `then`, `else`, `cond`, `body`, `branches 0`."""
    inner = {id(graph) for graph in operation.subgraphs}
    found: list[tuple[str, Any]] = []
    for key, value in operation.attributes.items() if inner else ():
        role = key.removesuffix("_graph")
        if isinstance(value, tuple):
            found += [(f"{role} {n}", graph) for n, graph in enumerate(value) if id(graph) in inner]
        elif id(value) in inner:
            found.append((role, value))
    return found


def type_text(tensor: Typed) -> str:
    """As graphs print it: `float32[2,?]`."""
    rank = tensor.shape.rank
    sizes = "*" if rank is None else ",".join("?" if size is None else str(size) for size in tensor.shape.as_list())
    return f"{tensor.dtype.name}[{sizes}]"


def clipped(text: str, longest: int = LONGEST) -> str:
    """The text on one line, or its beginning with an ellipsis."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def line_of(place: Place | None) -> str:
    """The text of a line of the program."""
    return "" if place is None else linecache.getline(place.filename, place.lineno).strip()


def result_names(graph: Graph, role: str) -> list[str]:
    """What the results of a graph are: of the body of a loop the next values of its variables."""
    if role == "body":
        return [f"next {tensor.op.name}" for tensor in graph.inputs[: len(graph.outputs)]]
    return ["result"] if len(graph.outputs) == 1 else [f"result {n}" for n in range(len(graph.outputs))]


def read(
    graph: Graph,
    role: str = "",
    times: Times | None = None,
    total: float = 0.0,
    parts: Mapping[int, Picture] | None = None,
) -> Picture:
    """The picture of a graph. role: what it is in the operation around it. total: what times are shares of.
    parts: by the ids of graphs, the pictures of those to be drawn inside of their operations."""
    if is_many(graph):
        return _by_line(graph, times or {}, total)
    return _Reader(graph, role, times or {}, total, parts).picture()


def is_many(graph: Graph) -> bool:
    """Whether it has too many operations for a box each."""
    return len(graph.operations) > MANY


def heat_of(seconds: float, total: float) -> int:
    """0 to 5, by the share of all."""
    return sum(seconds >= share * total for share in _HEATS) if total > 0 else 0


class _Reader:
    """The boxes and arrows of one graph."""

    def __init__(
        self, graph: Graph, role: str, times: Times, total: float, parts: Mapping[int, Picture] | None
    ) -> None:
        self.graph, self.role, self.times, self.total = graph, role, times, total
        self.parts = parts or {}
        self.boxes: list[Box] = []
        self.seconds: list[float] = []
        self.arrows: dict[tuple[int, int], Arrow] = {}
        self.made: dict[int, int] = {}  # from the id of a tensor to the box that makes it
        self.written: dict[int, str] = {}  # constants, as they are written in other boxes
        self.last_effect: int | None = None

    def picture(self) -> Picture:
        graph = self.graph
        for tensor in graph.inputs:
            self._put(Box(tensor.op.name, type_text(tensor), kind="input"), (tensor,))
        outer = {id(tensor) for tensor in graph.inputs}
        results = {id(tensor) for tensor in graph.outputs}
        for operation in graph.operations:
            if any(id(tensor) in outer for tensor in operation.outputs):
                continue
            if operation.type == "identity" and id(operation.outputs[0]) in results:
                self._stand_in(operation.outputs[0], operation.inputs[0])  # the result is what it was given
                continue
            short = None if any(id(t) in results for t in operation.outputs) else _short(operation)
            if short is None:
                self._operation(operation)
            else:
                self.written[id(operation.outputs[0])] = short
        for name, tensor in zip(result_names(graph, self.role), graph.outputs, strict=True):
            written = self.written.get(id(tensor))
            title = name if written is None else f"{name} = {written}"
            box = self._put(Box(title, type_text(tensor), kind="output"), ())
            self._join(box, (tensor,))
        hot = _hot_arrows(self.seconds, self.arrows) if self.total > 0 else set()
        arrows = tuple(replace(arrow, hot=key in hot) for key, arrow in self.arrows.items())
        return Picture(graph.name, tuple(self.boxes), arrows)

    def _operation(self, operation: Operation) -> None:
        given = [self.written.get(id(tensor), "·") for tensor in operation.inputs]
        title = f"{operation.type}({', '.join(given)})" if any(g != "·" for g in given) else operation.type
        kinds = ", ".join(map(type_text, operation.outputs))
        seconds = self.times.get(operation, 0.0)
        if self.total and seconds:
            share = f" {seconds / self.total:.0%}" if seconds >= 0.01 * self.total else ""
            kinds = f"{_seconds(seconds)}{share}  {kinds}"
        inner = parts_of(operation)
        parts = tuple(
            replace(self.parts[id(graph)], title=role) for role, graph in inner if id(graph) in self.parts
        )
        place = operation.location
        source = "" if place is None else f"{place.lineno}  {line_of(place)}".strip()
        tip = "\n".join((f"{operation.name} = {title}", kinds, "" if place is None else f"{place}\n{line_of(place)}"))
        made = Box(title, kinds, source, tip, "nest" if inner else "op", heat_of(seconds, self.total), parts)
        box = self._put(made, operation.outputs, seconds)
        self._join(box, operation.inputs)
        if operation.acts:
            if self.last_effect is not None and (self.last_effect, box) not in self.arrows:
                self.arrows[self.last_effect, box] = Arrow(self.last_effect, box, order=True)
            self.last_effect = box

    def _stand_in(self, tensor: Tensor, other: Tensor) -> None:
        """Takes a tensor for another one."""
        if id(other) in self.made:
            self.made[id(tensor)] = self.made[id(other)]
        elif id(other) in self.written:
            self.written[id(tensor)] = self.written[id(other)]

    def _put(self, box: Box, makes: Iterable[Tensor], seconds: float = 0.0) -> int:
        self.boxes.append(box)
        self.seconds.append(seconds)
        self.made.update((id(tensor), len(self.boxes) - 1) for tensor in makes)
        return len(self.boxes) - 1

    def _join(self, box: int, takes: Iterable[Tensor]) -> None:
        for tensor in takes:
            start = self.made.get(id(tensor))
            if start is not None:  # None: written in the box
                self.arrows[start, box] = Arrow(start, box)


def _short(operation: Operation) -> str | None:
    """A small constant, as a program writes it; None for all else."""
    value: Any = None if operation.inputs or len(operation.outputs) != 1 else operation.outputs[0].value
    if not 1 <= getattr(value, "size", 0) <= _ELEMENTS or len(value.shape) > 1:
        return None
    elements = [repr(element) if isinstance(element, str | bytes) else str(element) for element in value.reshape(-1)]
    text = ", ".join(elements)
    return None if len(text) > _SHORT else f"[{text}]" if value.shape else text


def _seconds(seconds: float) -> str:
    """`12.5 ms`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _hot_arrows(seconds: Sequence[float], arrows: Mapping[tuple[int, int], Arrow]) -> set[tuple[int, int]]:
    """The arrows of the way through a graph that takes the longest: what can't be made faster by doing two at once."""
    best, before = list(seconds), [-1] * len(seconds)
    for start, end in sorted(arrows, key=lambda key: key[1]):
        if best[start] + seconds[end] > best[end]:
            best[end], before[end] = best[start] + seconds[end], start
    box = max(range(len(best)), key=best.__getitem__, default=-1)
    if box < 0 or best[box] <= 0:
        return set()
    hot = set()
    while before[box] >= 0:
        hot.add((before[box], box))
        box = before[box]
    return hot


def _by_line(graph: Graph, times: Times, total: float) -> Picture:
    """A box for each run of operations that one line made, while there are not too many of those either."""
    runs: list[list[Any]] = []
    for operation in graph.operations:
        same = runs and _line_key(runs[-1][0]) == _line_key(operation)
        runs[-1].append(operation) if same else runs.append([operation])
    boxes: list[Box] = []
    made: dict[int, int] = {}
    arrows: dict[tuple[int, int], Arrow] = {}
    for number, run in enumerate(runs[:MANY] if len(runs) <= MANY else ()):
        kinds = Counter(operation.type for operation in run)
        seconds = sum(times.get(operation, 0.0) for operation in run)
        place = run[0].location
        most = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(3)) + (", …" if len(kinds) > 3 else "")
        source = "" if place is None else f"{place.lineno}  {line_of(place)}"
        boxes.append(Box(f"{len(run)} operations", most, source, most, "group", heat_of(seconds, total)))
        for operation in run:
            for tensor in operation.inputs:
                start = made.get(id(tensor), number)
                if start != number:
                    arrows[start, number] = Arrow(start, number)
            made.update((id(tensor), number) for tensor in operation.outputs)
    return Picture(graph.name, tuple(boxes), tuple(arrows.values()))


def _line_key(operation: Operation) -> tuple[str, int] | None:
    return None if operation.location is None else (operation.location.filename, operation.location.lineno)
