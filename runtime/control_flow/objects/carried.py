"""Variables of a loop that iterations bind to other arrays, lists, dicts or objects: which one each is, is carried.

    for i in range(n):
        v[1:-1] = (u[:-2] + u[2:]) / 2
        u, v = v, u                        # two flags are carried beside the memory of both arrays
        a = a * 2                          # a flag "is no more what it was", and the content of the memory that is made
        rows, others = others, rows        # a number is carried for each, beside what both lists hold

An array of another shape in each iteration is carried as a copy, which may not be written to; so is an object that an
iteration makes (aliases.py).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import zip_longest
from numbers import Number
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.lattice.leaf import zeros_of
from runtime.control_flow.lattice.types import called, is_returned
from runtime.control_flow.objects import chosen_arrays, refs
from runtime.control_flow.objects.chosen_arrays import Base, are_alike, flag_of, source_of
from runtime.control_flow.objects.refs import OneOf, Ref, can_be_chosen, objects_of
from runtime.control_flow.objects.watched import CHOSEN, watch, watch_parts
from runtime.control_flow.optional.flags import both
from runtime.control_flow.optional.values import inside_of, is_there, is_undefined, notice_read, view, with_inside
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.nesting import nested_graphs
from runtime.heap.store import World
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.chosen import BRANCH, ChosenArray, alternatives, any_of
from runtime.ndarrays.parts import arrays_behind
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["CarriedArrays", "CarriedRefs"]


_MOST: Final = 12
"""So many arrays one variable may be."""


class CarriedArrays:
    """The array variables of a loop that are bound to another array after an iteration.

    Memory that iterations make is carried by the first variable that is bound to it, those that are arrays before the
    loop coming first: its content is one of the parts. Which one that is may depend on the run, too.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.choices: dict[str, chosen_arrays.Choice] = {}
        self._kept: dict[Any, Base] = {}
        self._made: dict[str, Base] = {}
        self._users: dict[int, dict[str, Any]] = {}
        self._ends: dict[str, Any] = {}

    def holds(self, name: str, value: Any) -> bool:
        """Whether it is the value of one of these variables; what memory holds has the name, too."""
        return name in self.choices and isinstance(inside_of(value), TracedArray)

    def find(self, rows: Sequence[tuple[str, Any, Any]], given: Sequence[tuple[str, Any]]) -> bool:
        """Finds what the variables may be: each with its value before the loop and after an iteration.

        Whether there is anything new. A variable that cannot be carried so is none of `choices`.
        given: the variables with their values when the iteration begins.
        """
        self._ends = {name: new for name, _, new in rows}
        ends = [(name, inside_of(old), inside_of(new)) for name, old, new in rows]
        for name, old, new in ends:
            self._check_number(name, old, new)
        arrays = [row for row in ends if isinstance(row[2], TracedArray) and _may_become_an_array(row[1])]
        arrays = [(name, old, new) for name, old, new in arrays if name in self.choices or old is not new]
        there = {(name, id(new)): isinstance(old, TracedArray) for name, old, new in arrays}
        users = [(name, new) for name, _, new in rows if (name, id(inside_of(new))) in there]
        self._users = self._users_of_memory(sorted(users, key=lambda row: not there[row[0], id(inside_of(row[1]))]))
        shared = {name for names in self._users.values() if len(names) > 1 for name in names}
        for name, value in given:
            if name in shared and not is_returned(name):
                notice_read(value)  # what an earlier iteration has bound it to has another name, too
        return self._take_in(arrays)

    def _check_number(self, name: str, before: Any, after: Any) -> None:
        """Raises StagingError where a number becomes a view of an array: after the loop it is a tensor, and no view."""
        if not isinstance(after, TracedArray) or not isinstance(before, Tensor | Number):
            return
        if any(self.world.knows(buffer) for buffer in after.buffers):
            raise StagingError(
                f"{called(name)} is no array before a loop that depends on a tensor, and after an iteration it is one"
                " that has another name, too, or a view of one: bind a copy (array.copy())"
            )

    def watch(self, names: Sequence[str], final: Sequence[Any]) -> None:
        """After the loop: a copy of an array that is there under another name, too, may not be written to."""
        pending = [(self._ends.get(name), value) for name, value in zip(names, final, strict=True)]
        while pending:
            end, value = map(inside_of, pending.pop())
            if isinstance(end, np.ndarray) and end is not value:
                watch_parts(end, CHOSEN)
            elif isinstance(end, TracedArray):
                self._watch_copy(end, value)
            elif isinstance(value, TracedArray) and (arrays := arrays_behind(end)):
                value.buffer.copy_of = arrays
            elif type(end) is Ref and type(value) is not Ref:
                known = [part for part in end._ag_objects if self.world.knows(part)]
                for part in (value, *known) if known else ():
                    watch_parts(part, CHOSEN)
            elif end is not value and isinstance(end, tuple | list | dict) and type(end) is type(value):
                pending += zip(*(nest.parts(whole) for whole in (end, value)), strict=False)

    def _watch_copy(self, end: TracedArray, value: Any) -> None:
        if isinstance(value, SymbolicTensor):
            value.was_array = True
        if isinstance(value, TracedArray) and not isinstance(value, ChosenArray):
            shared = [buffer for buffer in end.buffers if self.world.knows(buffer)]
            is_copy = bool(shared) and value.buffer not in shared
            inner = next((buffer.copy_of for buffer in end.buffers if buffer.copy_of is not None), None)
            value.buffer.copy_of = () if is_copy else inner  # which a loop in this one has put there
            for array in (value, *map(TracedArray, shared)) if value.buffer.copy_of is not None else ():
                watch(array, CHOSEN)

    def check_copies(self, rows: Sequence[tuple[str, Any, Any]], ends: Sequence[Any], changed: Container[int]) -> None:
        """Raises StagingError for a variable that is carried as a copy and read, where iterations write to the array.

        rows: of each its value before the loop, and when an iteration begins; ends: after it; changed: ids of memory.
        """
        for (name, before, given), end in zip(rows, ends, strict=False):
            if name in self.choices or is_returned(name):
                continue
            stays = is_undefined(given) and view(end).defined is not True  # what an earlier iteration has left
            for copy, arrays in self._copies(before, given, end):
                buffers = [buffer for array in arrays for buffer in array.buffers]
                written = any(id(b) in changed and self.world.knows(b) for b in buffers)
                if written and (stays if copy is None else _is_read(copy.buffer.given)):
                    raise StagingError(
                        f"{called(name)} is one of several arrays in a loop that depends on a tensor, of which the"
                        " graph has a copy, and an iteration writes to one of them: bind copies (array.copy()), or give"
                        " them one shape"
                    )

    def _copies(self, *values: Any) -> Iterator[tuple[TracedArray | None, list[TracedArray]]]:
        """The arrays in a variable that are carried as copies, each with what it is a copy of. values: what it is
        before the loop, when an iteration begins (None: it may be undefined then), and after it."""
        pending = [values]
        while pending:
            before, given, end = map(inside_of, pending.pop())
            arrays = [value for value in (before, end) if isinstance(value, TracedArray)]
            if isinstance(given, TracedArray):
                if not self.world.knows(given.buffer):
                    yield given, arrays
            elif arrays:
                yield None, [array for array in arrays if not self.world.knows(array)]
            elif isinstance(end, tuple | list | dict):
                pending += zip_longest(*(_parts(whole, end) for whole in (before, given, end)))

    def _take_in(self, rows: Sequence[tuple[str, Any, TracedArray]]) -> bool:
        found = False
        for name, before, after in rows:
            choice = self.choices.get(name)
            known = 0 if choice is None else len(choice.sources)
            choice = chosen_arrays.Choice() if choice is None else choice
            for value in (before, after):
                for _, array in alternatives(value) if isinstance(value, TracedArray) else ():
                    for _, base in self._bases(name, array):
                        source_of(choice, array, base)
            if len(choice.sources) > _MOST:
                raise StagingError(
                    f"{called(name)} is another view of an array after each iteration of a loop (`a = a[::-1]`), and a"
                    " graph has to know them all: bind a copy (a[::-1].copy())"
                )
            if are_alike(choice.sources):
                self.choices[name] = choice
                found |= len(choice.sources) > known
            else:
                self.choices.pop(name, None)
        for name, base in self._made.items():
            base.carrier = self.choices.get(name)
        for name, choice in list(self.choices.items()):
            if any(s.base.made_in is not None and s.base.carrier is None for s in choice.sources):
                del self.choices[name]
        return found

    def _users_of_memory(self, ends: Sequence[tuple[str, Any]]) -> dict[int, dict[str, Any]]:
        """By the id of memory that iterations have made, the variables that may be bound to it; whether they are."""
        users: dict[int, dict[str, Any]] = {}
        for name, end in ends:
            there = is_there(end)
            for flag, array in alternatives(inside_of(end)):
                if not self.world.knows(array.buffer):
                    own = users.setdefault(id(array.buffer), {})
                    flags = [own[name]] if name in own else []
                    own[name] = any_of([*flags, both(there, flag)])
        return users

    def _bases(self, name: str, array: TracedArray) -> Iterator[tuple[Any, Base]]:
        """The bases that an array of a variable may be of, each with whether it is that one."""
        if self.world.knows(array.buffer):
            yield True, self._kept.setdefault(id(array.buffer), Base(array.buffer))
            return
        rest: Any = True
        for user, flag in self._users[id(array.buffer)].items():
            base = self._made.setdefault(user, Base(array.buffer, 0))
            if user == name or flag is True:
                yield rest, base
                return
            yield both(rest, flag), base
            rest = both(rest, REGISTRY["logical_not"](flag))

    def end(self, name: str, value: Any) -> Any:
        """What a variable is when the loop begins, or after an iteration."""
        choice = self.choices[name]
        row: list[Any] = []
        held: dict[Base, list[tuple[Any, Buffer]]] = {}
        for flag, array in alternatives(inside_of(value)):
            for own, base in self._bases(name, array):
                row.append((both(flag, own), *source_of(choice, array, base)))
                held.setdefault(base, []).append((flag, array.buffer))
        parts: list[Any] = [flag_of(row, source) for source in choice.sources[1:]]
        for source in choice.sources:
            own = [holes for _, known, holes in row if known is source]
            parts += own[-1] if own else [0] * source.holes
        parts += [_content_of(base, held.get(base, ())) for base in choice.carried]
        return with_inside(value, OneOf(choice, parts))


class CarriedRefs:
    """The variables of a loop that are one of several objects after an iteration; `choices`: these, by the name."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.choices: dict[str, refs.Choice] = {}

    def holds(self, name: str, value: Any) -> bool:
        """Whether it is the value of one of these variables; what a list that grows holds may have the name, too."""
        return name in self.choices and can_be_chosen(inside_of(value)) and self._is_known(inside_of(value))

    def _is_known(self, value: Any) -> bool:
        return all(can_be_chosen(inner) and self.world.knows(inner) for inner in objects_of(value))

    def find(self, rows: Sequence[tuple[str, Any, Any]]) -> bool:
        """Finds what the variables may be: each with its value before the loop and after an iteration.

        Whether there is anything new. A variable that cannot be carried so is none of `choices`.
        """
        found = False
        for name, old, new in rows:
            if inside_of(old) is inside_of(new) and (name not in self.choices or not can_be_chosen(inside_of(old))):
                continue
            if can_be_chosen(inside_of(old)) and not self._is_known(inside_of(old)):
                continue
            values = [value for value in (inside_of(old), inside_of(new)) if value is not None]
            values = [value for value in values if not is_undefined(value)]
            objects = [inner for value in values for inner in objects_of(value)]
            if not values or not all(map(self._is_known, values)):
                self.choices.pop(name, None)
                continue
            choice = self.choices.setdefault(name, refs.Choice(by_number=True))
            known = len(choice.sources)
            for inner in objects:
                choice.position(inner)
            found |= len(choice.sources) > known
        return found

    def end(self, name: str, value: Any) -> Any:
        """What a variable is when the loop begins, or after an iteration."""
        choice = self.choices[name]
        return with_inside(value, OneOf(choice, [choice.number(inside_of(value))]))


def _may_become_an_array(value: Any) -> bool:
    return value is None or isinstance(value, TracedArray) or is_undefined(value)


def _parts(whole: Any, model: Any) -> list[Any]:
    """The parts of a structure like this one; none of what is no such."""
    return nest.parts(whole) if type(whole) is type(model) else []


def _is_read(tensor: Any) -> bool:
    """Whether the body of the loop that is recorded now reads what it is given."""
    inside = nested_graphs(current_graph())
    return any(t is tensor for graph in inside for o in graph.operations for t in o.inputs)


def _content_of(base: Base, held: Sequence[tuple[Any, Buffer]]) -> Any:
    """What memory holds that is one of several buffers; nothing at the beginning."""
    if not held:
        tensor = base.buffer.tensor()
        return zeros_of(tensor.dtype, tensor.shape)
    if len(held) == 1:
        return held[0][1].content
    made = held[0][1].tensor()
    for flag, buffer in held[1:]:
        if buffer is not held[0][1]:
            made = _selected(flag, buffer.tensor(), made)
    return made


def _selected(flag: Any, a: Any, b: Any) -> Any:
    """`a if flag else b`: in a branch where they may have several shapes, for a select makes one of them."""
    if a.shape.is_fully_defined() and a.shape.dims == b.shape.dims:
        return REGISTRY["where"](flag, a, b)
    return BRANCH[0](flag, lambda: a, lambda: b)
