"""Arrays that a trace leaves in the program, as leaves of what its runs leave there: given ones, new ones and views.

    self.u, self.v = self.v, self.u * 2        # the array that a run finds in `self.v`, and a new one
    self.row = self.u[0]                       # a view of the array that a run finds in `self.u`

What is one array in several places is one leaf, so that runs leave one array there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.traced import TracedArray

__all__ = ["ArrayView", "GivenArray", "NewMemory"]


class GivenArray:
    """An array that a run is given. number: of the input of the graph."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class NewMemory:
    """Memory that each run makes anew. content: what it holds at the end of the trace, then an output of the graph."""

    __slots__ = ("content", "is_read_only", "layout")

    def __init__(self, buffer: Buffer) -> None:
        self.content = buffer.tensor()
        self.layout = None if buffer.layout is None or buffer.layout.flags.c_contiguous else buffer.layout
        self.is_read_only = bool(buffer.refusal)

    def filled(self, content: Any) -> Any:
        """The array of a run, in memory of its own. content: what a run has made, which others may have."""
        is_usual = self.layout is None
        made = np.empty(content.shape, content.dtype) if is_usual else np.empty_like(self.layout, content.dtype)
        made[...] = content
        made.flags.writeable = not self.is_read_only
        return made


class ArrayView:
    """A view of an array that a run leaves or has. base: that, as a leaf; view: a view of it, in the trace."""

    __slots__ = ("base", "view")

    def __init__(self, base: Any, view: TracedArray) -> None:
        self.base = base
        self.view = view

    def of(self, array: Any) -> Any:
        """The view of a run."""
        for step in self.view.steps:
            array = step.known(array)
        return array
