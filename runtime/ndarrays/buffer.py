"""`Buffer`: the memory of an ndarray while a function is traced; all views of the array are views of one buffer.

    buffer = Buffer(x, "a")            # x: the tensor that the argument `a` is
    buffer.content                     # what is in the memory now: a tensor that never changes itself
    buffer.write(y)                    # from now on all views see y

A write gives the buffer another tensor, so that staged branches and loops carry it as they carry any variable: the
effects of statements know a buffer as one place with one value (`runtime.heap`).
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime.context import current_recorder, outwards
from runtime.ndarrays.layout import same_bits
from runtime.ndarrays.restart import restart
from runtime.tensor.eager import EagerTensor

__all__ = ["READ_ONLY", "REGION", "Buffer", "graph_of", "home_of", "made_elsewhere"]

IS_PYTHON: Final = True  # what numpy says of its arrays: see runtime.control_flow.tries.raised

READ_ONLY: Final = "assignment destination is read-only"

REGION: Final[ContextVar[object]] = ContextVar("runtime_region_of_arrays", default=None)
"""Stands for the function that is called by an operation, see `runtime.ndarrays.callbacks`; None outside of them."""


class Buffer:
    """One block of memory. content: a tensor, or an ndarray as long as all that was written to it is known."""

    __slots__ = (
        "__weakref__", "_constant", "_content", "_views", "copy_of", "given", "home", "is_argument", "label",
        "layout", "lost", "memory", "plain", "refusal", "region",
    )  # fmt: skip

    def __init__(
        self, content: Any, label: str = "", layout: Any = None, refusal: str = "", plain: Any = None
    ) -> None:
        """label: how the user calls the array. layout: an ndarray laid out as this one; contiguous by default.
        refusal: why nothing may be written to it, if nothing may. plain: an array of numpy's with this memory, which
        the program has beside the views, and which would not see what only the graph knows."""
        self._content = self.given = content
        self._views: list[weakref.ref[Any]] = []
        self.memory = content if isinstance(content, np.ndarray) else None
        """Where all that Python knows is written, which code that is not converted may have a view of."""
        self._constant: EagerTensor | None = None
        self.label = label
        self.layout = layout
        self.refusal = refusal
        self.plain = plain
        self.is_argument = False
        """Whether it is the memory of an argument."""
        self.copy_of: Sequence[Any] | None = None
        """Whether it is a copy, in the graph, of an array of the program that a loop has put elsewhere."""
        self.region = REGION.get()
        self.home: Any = current_recorder()
        """The graph in which it was made."""
        self.lost: Any = None
        """The line that has written to an element of a list, which in Python may be a write to this array."""

    @property
    def content(self) -> Any:
        """What is in it now."""
        return self._content

    @content.setter
    def content(self, content: Any) -> None:
        was_known = self.is_known
        self._content = content
        if was_known != self.is_known:
            for find in self._views:
                if (view := find()) is not None:
                    view.note_known()

    def add_view(self, view: Any) -> None:
        """Will be told, by `note_known`, where the content becomes known or unknown."""
        if self.memory is not None:
            views = self._views
            if len(views) & (len(views) + 1) == 0:  # where their number doubles those that are gone are dropped
                views[:] = [find for find in views if find() is not None]
            views.append(weakref.ref(view))

    @property
    def is_known(self) -> bool:
        """Whether Python knows all that is in it."""
        return isinstance(self._content, np.ndarray)

    @property
    def is_written(self) -> bool:
        """Whether anything was written to it since it was made."""
        return self.content is not self.given

    def read(self) -> Any:
        """The content. Raises StagingError where what the program has here may be another value by now."""
        if self.lost is not None:
            raise StagingError(
                f"an array is read that was put into a list that grows in the graph, and elements of such a list are"
                f" written to (at {self.lost}), where the graph has a copy: put a copy into the list (a.copy())"
            )
        return self.content

    def tensor(self) -> Any:
        """The content as a tensor."""
        content = self.read()
        if not isinstance(content, np.ndarray):
            return content
        known = self._constant
        if known is None or not same_bits(known._array, content):
            self._constant = known = EagerTensor(content.copy())
        return known

    def write(self, content: Any) -> None:
        """Puts another content in its place. Raises ValueError where it must not be written to."""
        self.check()
        if self.plain is not None:
            restart(self.plain)
            raise made_elsewhere(f"the array {self.label!r}" if self.label else "an array")
        if (recorder := current_recorder()) is not None:
            recorder.recording.tracing.writes.to_arrays = True
        self.content = content

    def check(self) -> None:
        """Raises ValueError where it must not be written to, StagingError where a write has no meaning in a graph."""
        if self.refusal:
            raise ValueError(self.refusal)
        if self.region is not REGION.get():
            raise StagingError(
                f"the array {self.label or 'of a variable'!r} is written to in a function that is given to cond,"
                " while_loop, map_fn, Dataset.map or the like, which says by its result what it changes: return the"
                " new elements, or write to the array in an `if` or `for` statement"
            )


def made_elsewhere(array: str) -> StagingError:
    """The refusal of a write to an array that converted code has not made, nor anybody before the trace."""
    return StagingError(
        f"{array}, which code without conversion made, is written to by what only the graph knows: make it in this"
        " function, as np.array(a) does"
    )


def home_of(*tensors: Any) -> Any:
    """What records something about tensors: a branch that is over, if one belongs to that, or what records now."""
    recorder: Any = current_recorder()
    for tensor in tensors:
        owner = graph_of(tensor)
        if owner is not None and owner not in outwards(recorder):
            return owner
    return recorder


def graph_of(tensor: Any) -> Any:
    """The graph that makes a tensor; None for a value."""
    return getattr(getattr(tensor, "op", None), "graph", None)
