"""Datasets as pictures for notebooks: a box for each step, with the number and the type of its elements.

    html(dataset)      # what `Dataset._repr_html_` gives
"""

from __future__ import annotations

from typing import Any, Final

from runtime.library.data.handles import Pipeline
from runtime.library.data.node import INFINITE, UNKNOWN
from runtime.pictures.model import Arrow, Box, Picture
from runtime.pictures.order import inner_first
from runtime.pictures.reading import MANY, type_text
from runtime.pictures.svg import svg
from runtime.pictures.tables import of_text
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec

__all__ = ["file", "html"]

_COUNTS: Final = {INFINITE: "endless", UNKNOWN: "of unknown length"}


def html(dataset: Any) -> str:
    """The steps of a dataset; of one that a graph will make, what is known of it."""
    picture = _picture(dataset.handle)
    if picture is None:
        return of_text("Dataset", repr(dataset))
    return of_text("Dataset", picture.title, "", f'<div class="wide">{svg(picture)}</div>')


def file(dataset: Any) -> str | None:
    """The steps as a file of SVG; None of a dataset that a graph will make."""
    picture = _picture(dataset.handle)
    return None if picture is None else svg(picture, alone=True)


def _picture(handle: Any) -> Picture | None:
    """The last steps, up to `MANY` of them, each after those from which it takes elements."""
    pipeline = handle._array.item()[0] if isinstance(handle, EagerTensor) else None
    if not isinstance(pipeline, Pipeline):
        return None
    steps = [pipeline]
    places = {id(pipeline)}
    for step in steps:  # which grows
        for source in step.sources:
            if id(source) not in places and len(steps) < MANY:
                places.add(id(source))
                steps.append(source)
    order = inner_first(pipeline, lambda step: [source for source in step.sources if id(source) in places])
    number = {id(step): position for position, step in enumerate(order)}
    arrows = [
        Arrow(number[id(source)], number[id(step)])
        for step in order
        for source in dict.fromkeys(step.sources)
        if id(source) in number
    ]
    return Picture(_count(pipeline), tuple(map(_box, order)), tuple(arrows))


def _box(step: Pipeline) -> Box:
    leaves = [type_text(leaf) if isinstance(leaf, TensorSpec) else repr(leaf) for leaf in step.node.structure.leaves]
    kind = "op" if step.sources else "input"
    tip = repr(step.node.structure.spec)
    return Box(step.kind, ", ".join(leaves), _count(step), tip, kind)


def _count(step: Pipeline) -> str:
    count = step.node.cardinality
    return _COUNTS.get(count, f"{count:,} element{'' if count == 1 else 's'}")
