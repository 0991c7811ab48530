"""What is drawn, apart from how: boxes in layers and arrows between them, and what a picture must know of a graph.

    Picture("power", (Box("n", kind="input"), Box("multiply", "float32[]")), (Arrow(0, 1),))

Arrows lead from earlier boxes to later ones. `Graph`, `Operation` and `Tensor` say what is asked of those of
`runtime.graph`, which is above this room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Arrow", "Box", "Graph", "Operation", "Picture", "Place", "Tensor", "Times", "Typed"]


class Place(Protocol):
    """A line of the program."""

    @property
    def filename(self) -> str: ...
    @property
    def lineno(self) -> int: ...


class Typed(Protocol):
    """What has a dtype and a shape."""

    @property
    def dtype(self) -> Any: ...
    @property
    def shape(self) -> Any: ...


class Tensor(Typed, Protocol):
    """A value of a graph."""

    @property
    def op(self) -> Any: ...
    @property
    def value_index(self) -> int: ...
    @property
    def value(self) -> Any: ...


class Operation(Protocol):
    """An operation of a graph."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def inputs(self) -> Sequence[Any]: ...
    @property
    def outputs(self) -> Sequence[Any]: ...
    @property
    def attributes(self) -> Mapping[str, Any]: ...
    @property
    def subgraphs(self) -> Sequence[Any]: ...
    @property
    def acts(self) -> bool: ...
    @property
    def location(self) -> Any: ...


class Graph(Protocol):
    """A graph."""

    @property
    def name(self) -> str: ...
    @property
    def operations(self) -> Sequence[Any]: ...
    @property
    def inputs(self) -> Sequence[Any]: ...
    @property
    def outputs(self) -> Sequence[Any]: ...
    @property
    def functions(self) -> Mapping[str, Any]: ...


Times = Mapping[Any, float]
"""Seconds by operation. Those of an operation with graphs inside are the sum of what is in them."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node. detail, source: its second and third line. tip: shown when one points at it. heat: 0 to 5."""

    title: str
    detail: str = ""
    source: str = ""
    tip: str = ""
    kind: str = "op"
    heat: int = 0
    parts: tuple[Picture, ...] = ()
    """The pictures of the graphs inside of it, where they are drawn there."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """From a box to a later one, by their positions. order: only the order of effects, no value. hot: see `heat`."""

    start: int
    end: int
    order: bool = False
    hot: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A graph to be drawn."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
