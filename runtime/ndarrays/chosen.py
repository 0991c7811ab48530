"""One of several arrays, and only the graph knows which: a write is a conditional write to each, a read a select.

    first = a if x > 0 else b          # ChosenArray((a, b), (not x > 0,))
    first[0] = 7.0                     # a[0] = 7.0 if first is a, b[0] = 7.0 if it is b

Parts are taken before one is selected: an element costs what an element costs. All have one dtype and one rank. Where
they have several shapes, each is read and written to in a branch of its own, for it may lack what another one has; and
so where they are large, for a branch takes the array itself and selects no elements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from runtime.context import recording
from runtime.dtypes import DType
from runtime.ndarrays.buffer import Buffer, home_of
from runtime.ndarrays.guests import check_choice
from runtime.ndarrays.keys import layout_at
from runtime.ndarrays.sizes import sizes_of
from runtime.ndarrays.steps import Step, put_through
from runtime.ndarrays.traced import TracedArray, as_value
from runtime.shapes import TensorShape
from runtime.tensor.numpy_calls.operands import call

__all__ = ["BRANCH", "ChosenArray", "alternatives", "any_of", "view_of_each"]

BRANCH: Final[list[Callable[[Any, Callable[[], Any], Callable[[], Any]], Any]]] = []
"""What stages `then() if flag else orelse()`: `runtime.control_flow.objects.chosen_arrays` gives it."""


_LARGE: Final = 256
_FEW: Final = 8
"""Of so few arrays of more elements than that one is taken in a branch."""


class ChosenArray(TracedArray):
    """See the module's docstring. flags: for each of the sources but the first, whether it is this one."""

    __slots__ = ("_is_uneven", "_read", "flags", "sources")

    def __init__(self, sources: Sequence[TracedArray], flags: Sequence[Any], is_uneven: bool = False) -> None:
        """is_uneven: whether they are parts of arrays of several shapes."""
        check_choice(sources)
        self.sources = tuple(sources)
        self.flags = tuple(flags)
        self._is_uneven = is_uneven or not _are_even(sources)
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
        if not self._is_uneven:
            return self.sources[0].shape
        layouts: list[Any] = [source.layout for source in self.sources]
        if any(layout is None for layout in layouts):
            return sizes_of(self.value())
        sizes = zip(*(layout.shape for layout in layouts), strict=True)
        known = TensorShape([size[0] if len({*size}) == 1 else None for size in sizes])
        return known if known.is_fully_defined() else sizes_of(self.value())

    @property
    def layout(self) -> Any:
        """As that of the arrays, where it is the same for all."""
        return self._layout

    def value(self) -> Any:
        """The tensor of what it holds now."""
        contents = tuple(buffer.tensor() for buffer in self.buffers)
        recorder = home_of(*contents, *self.flags)
        seen = self._read
        if seen is None or seen[1] is not recorder or any(a is not b for a, b in zip(seen[0], contents, strict=True)):
            with recording(recorder):
                made = self._selected()
            self._read = seen = contents, recorder, made
        return seen[2]

    __as_tensor__ = value

    def _selected(self) -> Any:
        read, others = self.sources[0].value, list(zip(self.flags, self.sources[1:], strict=True))
        if self._is_uneven:
            for flag, source in others:
                read = partial(BRANCH[0], flag, source.value, read)
            return read()
        made, by_branches = read(), self._is_large()
        for flag, source in others:
            if by_branches:
                made = BRANCH[0](flag, source.value, partial(_itself, made))
            else:
                made = call("where", flag, source.value(), made)
        return made

    def _is_large(self) -> bool:
        """Whether a branch that takes one of them costs less than a select of elements."""
        layout = self.sources[0].layout
        return layout is not None and layout.size > _LARGE and len(self.sources) <= _FEW

    def __ag_present__(self) -> Any:
        return self.value()

    def known(self) -> Any:
        """Nothing of it is known."""
        return None

    def through(self, *steps: Step, layout: Any = None) -> TracedArray:
        """A view of it: of each of the arrays."""
        return self.of_each([source.through(*steps, layout=layout) for source in self.sources])

    def of_each(self, views: Sequence[TracedArray]) -> ChosenArray:
        """One of these views, each of one of the arrays."""
        return ChosenArray(views, self.flags, self._is_uneven)

    def _at(self, key: Any, layout: Any = None) -> TracedArray:
        parts = [source._at(key, layout_at(source.layout, key)) for source in self.sources]
        return self.of_each(parts)

    def _is_at(self, other: TracedArray, key: Any) -> bool:
        if not isinstance(other, ChosenArray) or other.flags != self.flags:
            return False
        return all(a._is_at(b, key) for a, b in zip(self.sources, other.sources, strict=True))

    def write(self, value: Any) -> None:
        """Writes it to the array that it is."""
        given, by_branches = as_value(value, self.dtype), self._is_uneven or self._is_large()
        for is_it, source in alternatives(self):
            if not by_branches:
                source.write(call("where", is_it, given, source.value()))
                continue
            source.buffer.check()
            content = source.buffer.tensor()
            put = partial(put_through, source.steps, content, given)
            source.buffer.write(BRANCH[0](is_it, put, partial(_itself, content)))

    def with_contents(self, read: Any) -> TracedArray:
        """An array of its own with what it shows where the buffers hold what `read` says."""
        shown = [source.with_contents(read) for source in self.sources]
        return self.of_each(shown).__copy__()


def _itself(value: Any) -> Any:
    return value


class _Memory(Buffer):
    """Stands for the memory of what is one of several arrays."""

    __slots__ = ("_array",)

    def __init__(self, array: ChosenArray) -> None:
        super().__init__(None, array.sources[0].buffer.label)
        self._array = array

    def tensor(self) -> Any:
        """What the array shows."""
        return self._array.value()

    content: Any = property(tensor)

    def check(self) -> None:
        """Raises ValueError where one of them must not be written to."""
        for buffer in self._array.buffers:
            buffer.check()


def _are_even(sources: Sequence[TracedArray]) -> bool:
    shapes = [source.shape for source in sources]
    return all(shape.is_fully_defined() and shape.dims == shapes[0].dims for shape in shapes)


def _common_layout(sources: Sequence[TracedArray]) -> Any:
    first, *others = (source.layout for source in sources)
    if first is None or any(layout is None for layout in others):
        return None
    return first if all((at.shape, at.strides) == (first.shape, first.strides) for at in others) else None


def alternatives(array: TracedArray) -> Iterator[tuple[Any, TracedArray]]:
    """The arrays that an array may be, each with whether it is that one: True, where there is just one."""
    if not isinstance(array, ChosenArray):
        yield True, array
        return
    rows = zip((_logical("logical_not", any_of(array.flags)), *array.flags), array.sources, strict=True)
    for flag, source in rows:
        for inner, found in alternatives(source):
            yield (flag if inner is True else _logical("logical_and", flag, inner)), found


def view_of_each(view: Callable[..., Any], array: ChosenArray, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a function gives of one of several arrays that lie differently: one of their views. Where numpy copies one
    of them, that is one of several, too; where it copies all, a copy."""
    kwargs = {name: value for name, value in kwargs.items() if value is not array}
    found = [view(source, *args, **kwargs) for source in array.sources]
    rows = list(zip(*(part if isinstance(part, list | tuple) else (part,) for part in found), strict=False))
    if not any(_shares(part, source) for row in rows for part, source in zip(row, array.sources, strict=True)):
        return view(array.__copy__(), *args, **kwargs)
    made = [array.of_each(row) for row in rows]
    return type(found[0])(made) if isinstance(found[0], list | tuple) else made[0]


def _shares(part: Any, source: TracedArray) -> bool:
    return isinstance(part, TracedArray) and not {*part.buffers}.isdisjoint(source.buffers)


def any_of(flags: Sequence[Any]) -> Any:
    """Whether one of them is true; they may be those of a branch that is over."""
    made = flags[0]
    for flag in flags[1:]:
        made = _logical("logical_or", made, flag)
    return made


def _logical(name: str, *flags: Any) -> Any:
    with recording(home_of(*flags)):
        return call(name, *flags)
