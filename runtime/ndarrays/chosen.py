"""One of several arrays, and only the graph knows which: a write is a conditional write to each, a read a select.

    first = a if x > 0 else b          # ChosenArray((a, b), (not x > 0,))
    first[0] = 7.0                     # a[0] = 7.0 if first is a, b[0] = 7.0 if it is b

Parts are taken before one is selected: an element costs what an element costs. All have one shape and one dtype.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime.context import current_recorder, recording
from runtime.dtypes import DType
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.keys import layout_at
from runtime.ndarrays.steps import Step
from runtime.ndarrays.traced import TracedArray, as_value, home_of
from runtime.shapes import TensorShape
from runtime.tensor.numpy_calls.operands import call

__all__ = ["ChosenArray", "alternatives", "any_of"]


class ChosenArray(TracedArray):
    """See the module's docstring. flags: for each of the sources but the first, whether it is this one."""

    __slots__ = ("_read", "flags", "sources")

    def __init__(self, sources: Sequence[TracedArray], flags: Sequence[Any]) -> None:
        self.sources = tuple(sources)
        self.flags = tuple(flags)
        self._read: tuple[Any, Any, Any] | None = None
        super().__init__(_Memory(self), max((source.steps for source in sources), key=len), _common_layout(sources))

    def note_known(self) -> None:
        """Which array it is only the graph knows, whatever they hold."""

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """The memory that a write may change."""
        return tuple(buffer for source in self.sources for buffer in source.buffers)

    @property
    def dtype(self) -> DType:  # type: ignore[override]
        """The dtype of all of them."""
        return self.sources[0].dtype

    @property
    def shape(self) -> TensorShape:  # type: ignore[override]
        """The shape of all of them."""
        return self.sources[0].shape

    @property
    def layout(self) -> Any:
        """As that of the arrays, where it is the same for all."""
        return self._layout

    def value(self) -> Any:
        """The tensor of what it holds now."""
        contents = tuple(buffer.tensor() for buffer in self.buffers)
        homes = [home_of(part) for part in (*contents, *self.flags)]
        current = current_recorder()
        recorder = next((home for home in homes if home is not current), current)
        seen = self._read
        if seen is None or seen[1] is not recorder or any(a is not b for a, b in zip(seen[0], contents, strict=True)):
            with recording(recorder):
                made = self.sources[0].value()
                for flag, source in zip(self.flags, self.sources[1:], strict=True):
                    made = call("where", flag, source.value(), made)
            self._read = seen = contents, recorder, made
        return seen[2]

    __as_tensor__ = value

    def __ag_present__(self) -> Any:
        return self.value()

    def known(self) -> Any:
        """Nothing of it is known."""
        return None

    def through(self, *steps: Step, layout: Any = None) -> TracedArray:
        """A view of it: of each of the arrays."""
        return ChosenArray([source.through(*steps, layout=layout) for source in self.sources], self.flags)

    def _at(self, key: Any, layout: Any = None) -> TracedArray:
        parts = [source._at(key, layout_at(source.layout, key)) for source in self.sources]
        return ChosenArray(parts, self.flags)

    def _is_at(self, other: TracedArray, key: Any) -> bool:
        if not isinstance(other, ChosenArray) or other.flags != self.flags:
            return False
        return all(a._is_at(b, key) for a, b in zip(self.sources, other.sources, strict=True))

    def write(self, value: Any) -> None:
        """Writes it to the array that it is."""
        given = as_value(value, self.dtype)
        for is_it, source in alternatives(self):
            source.write(call("where", is_it, given, source.value()))

    def with_contents(self, read: Any) -> TracedArray:
        """An array of its own with what it shows where the buffers hold what `read` says."""
        shown = [source.with_contents(read) for source in self.sources]
        return ChosenArray(shown, self.flags).__copy__()


class _Memory(Buffer):
    """Stands for the memory of what is one of several arrays."""

    __slots__ = ("_array",)

    def __init__(self, array: ChosenArray) -> None:
        super().__init__(None, array.sources[0].buffer.label)
        self._array = array

    def tensor(self) -> Any:
        """What the array shows."""
        return self._array.value()

    content = property(tensor)

    def check(self) -> None:
        """Raises ValueError where one of them must not be written to."""
        for buffer in self._array.buffers:
            buffer.check()


def _common_layout(sources: Sequence[TracedArray]) -> Any:
    layouts = [source.layout for source in sources]
    if any(layout is None for layout in layouts):
        return None
    return layouts[0] if all(layout.strides == layouts[0].strides for layout in layouts) else None


def alternatives(array: TracedArray) -> Iterator[tuple[Any, TracedArray]]:
    """The arrays that an array may be, each with whether it is that one: True, where there is just one."""
    if not isinstance(array, ChosenArray):
        yield True, array
        return
    rows = zip((_logical("logical_not", any_of(array.flags)), *array.flags), array.sources, strict=True)
    for flag, source in rows:
        for inner, found in alternatives(source):
            yield (flag if inner is True else _logical("logical_and", flag, inner)), found


def any_of(flags: Sequence[Any]) -> Any:
    """Whether one of them is true; they may be those of a branch that is over."""
    made = flags[0]
    for flag in flags[1:]:
        made = _logical("logical_or", made, flag)
    return made


def _logical(name: str, *flags: Any) -> Any:
    homes = [home_of(flag) for flag in flags]
    current = current_recorder()
    with recording(next((home for home in homes if home is not current), current)):
        return call(name, *flags)
