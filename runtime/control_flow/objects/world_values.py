"""Values of variables and places at the end of a branch or an iteration, with what stays the same object kept apart.

    a = [1, 2]; b = a
    if x > 0: a[0] = 5          a is the same list in both branches: Same(a); its contents are merged in place
    if x > 0: a = [3, 4]        a is one list or another: a new list whose elements are merged

What may be None or undefined is looked into: `if d is None: d = {'n': 0}` and, where it is something, `d['n'] += 1`.
The merger and the loops build structures anew from their leaves. `Same` is a leaf for them: an object that is passed
through, whatever happens to its contents.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from enum import Enum
from typing import Any, Final

import runtime.heap.arrays  # noqa: F401 - which knows arrays as things that can change
from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.branches.values import cond_values, switch_values
from runtime.control_flow.lists.kind import TENSOR_LIST
from runtime.control_flow.objects.chosen_arrays import Bases, chosen_arrays
from runtime.control_flow.objects.made import Made, NewItems
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.optional.values import MaybeNone, MaybeUndefined, inside_of, is_undefined, with_inside
from runtime.control_flow.statement.subgraph import current_graph
from runtime.heap.store import Contents, Holder, World
from runtime.ndarrays.parts import arrays_behind
from runtime.ndarrays.restart import restart_for
from runtime.ndarrays.traced import TracedArray, fresh
from runtime.state.variable import present_value
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Reader", "Same", "joined", "kept", "rebuilt", "unwrapped"]

Reader = Callable[[Holder], Contents]
"""The contents of a holder at the end of a branch."""


class Same:
    """An object that existed before the statement, as a leaf. Equal to what stands for the same object."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)

    def __repr__(self) -> str:
        return f"Same({self.value!r})"


def kept(
    value: Any, world: World, read: Reader | None = None, refs: Container[int] = (), name: str = "the object"
) -> Any:
    """The value with a `Same` in the place of each object that existed before.

    read: the contents that objects show which did not exist before; refs: the ids of each `Ref` that did; name: that of
    the variable, for messages.
    """
    if isinstance(value, _MAYBE):
        return with_inside(value, kept(inside_of(value), world, read, refs, name))
    if type(value) is Ref and read is not None and id(value) not in refs:
        return _merged_copy(value, world, read, name)
    if isinstance(value, Tensor) or not nest.is_nested(value):
        return value
    if _is_kept(value, world):
        return Same(value)
    if isinstance(value, TracedArray):
        return value if read is None else _copy_of(value, world, read)
    return nest.changed(value, lambda part: kept(part, world, read, refs, name))


def rebuilt(value: Any, world: World, read: Reader, name: str = "the object") -> Any:
    """A copy of the value, with the contents that `read` gives in the place of those of objects that existed before.

    name: that of the variable, for messages. Raises StagingError for what contains itself.
    """
    try:
        return _rebuilt(value, world, read, name)
    except RecursionError:
        raise _endless(value) from None


def _rebuilt(value: Any, world: World, read: Reader, name: str = "the object") -> Any:
    if isinstance(value, _MAYBE):
        return with_inside(value, _rebuilt(inside_of(value), world, read, name))
    if type(value) is Ref:
        return _merged_copy(value, world, read, name)
    if isinstance(value, Tensor) or not nest.is_nested(value):
        return value
    if isinstance(value, TracedArray):
        return _copy_of(value, world, read)
    if not _is_kept(value, world):
        return nest.changed(value, lambda part: _rebuilt(part, world, read))
    model = _with_contents(value, world, read)
    return nest.rebuild(model, [_rebuilt(part, world, read) for part in nest.parts(model)])


def _each_of(value: Any) -> list[Any]:
    """The objects that it may be."""
    if type(value) is Ref:
        return [one for inner in value._ag_objects for one in _each_of(inner)]
    return [value, *arrays_behind(value)]


def _merged_copy(ref: Ref, world: World, read: Reader, name: str) -> Any:
    """A copy of the object that it is; members of enumerations hold nothing that changes."""
    if all(isinstance(inner, Enum) for inner in ref._ag_objects):
        return ref
    numbers = range(len(ref._ag_objects))
    parts = [lambda n=n: [rebuilt(ref._ag_objects[n], world, read)] for n in numbers]
    selector = current_graph().recording.localize(ref._ag_selector, "the object")
    if len(parts) == 2:
        return cond_values(selector, parts[1], parts[0], [name])[0]
    return switch_values(selector, parts, [name], in_range=True)[0]


def joined(
    values: Sequence[Any], world: World, readers: Sequence[Reader], made: Made, bases: Bases | None = None
) -> list[Any]:
    """What a variable is at the end of each branch, for the merger. See the module's docstring.

    made: the objects that the branches have made. bases: the memory of arrays that they have made, as far as it is
    known; None where arrays are to be copied.
    """
    there = [inside_of(v) for v in values if v is not None and not is_undefined(v)]
    if any(isinstance(v, _MAYBE) for v in values) or (there and len(there) < len(values)):
        return _joined_inside_of(values, world, readers, made, bases)
    arrays = sum(isinstance(v, TracedArray) for v in values)
    if arrays == len(values) and bases is not None and not _are_same(values, world):
        if (chosen := chosen_arrays(values, world, bases, made.is_shared_array)) is not None:
            return list(chosen)
    elif 0 < arrays < len(values):
        restart_for(*(one for value in values for one in _each_of(value)))
        return _arrays_or_tensors([rebuilt(v, world, read) for v, read in zip(values, readers, strict=True)])
    if (items := made.items_of(values)) is not None:
        rows = [joined(column, world, readers, made, bases) for column in zip(*items, strict=True)]
        return [NewItems(value, [row[i] for row in rows]) for i, value in enumerate(values)]
    if (chosen := made.choice(values)) is not None:
        return chosen
    first = values[0]
    if isinstance(first, Tensor) or not nest.is_nested(first):
        return [rebuilt(v, world, read) for v, read in zip(values, readers, strict=True)]
    if _are_same(values, world):
        return [Same(first)] * len(values)
    if any(type(v) is not type(first) for v in values):
        return [rebuilt(v, world, read) for v, read in zip(values, readers, strict=True)]
    models = [
        _with_contents(v, world, read) if _is_kept(v, world) else v
        for v, read in zip(values, readers, strict=True)
    ]
    steps = [[step for step, _ in nest.children(model)] for model in models]
    if any(s != steps[0] for s in steps) or hasattr(type(first), "_nest_parts"):
        return [rebuilt(v, world, read) for v, read in zip(values, readers, strict=True)]
    columns = zip(*(nest.parts(model) for model in models), strict=True)
    rows = [joined(column, world, readers, made, bases) for column in columns]
    return [nest.rebuild(model, [row[i] for row in rows]) for i, model in enumerate(models)]


def _arrays_or_tensors(values: Sequence[Any]) -> list[Any]:
    """Arrays of their own where the others are tensors with axes; tensors where there are numbers."""
    if all(isinstance(v, TracedArray) or (isinstance(v, Tensor) and v.shape.rank != 0) for v in values):
        return [v if isinstance(v, TracedArray) else fresh(v) for v in values]
    found = [present_value(v) for v in values]
    for value, tensor in zip(values, found, strict=True):
        if isinstance(value, TracedArray) and isinstance(tensor, SymbolicTensor):
            tensor.was_array = True
    return found


def _joined_inside_of(
    values: Sequence[Any], world: World, readers: Sequence[Reader], made: Made, bases: Bases | None
) -> list[Any]:
    """`joined` for what is there; None and placeholders stay."""
    there = [i for i, v in enumerate(values) if v is not None and not is_undefined(v)]
    known = None if bases is None else bases.some(there)
    own = [readers[i] for i in there]
    inner = joined([inside_of(values[i]) for i in there], world, own, made, known) if there else []
    found = list(values)
    for i, part in zip(there, inner, strict=True):
        found[i] = with_inside(values[i], part)
    return found


_MAYBE: Final = (MaybeNone, MaybeUndefined)


def unwrapped(value: Any) -> Any:
    """The value with the objects themselves where `Same` stands for them."""
    if type(value) is Same:
        return value.value
    if isinstance(value, _MAYBE):
        return with_inside(value, unwrapped(inside_of(value)))
    if isinstance(value, Tensor) or not nest.is_nested(value):
        return value
    try:
        return nest.changed(value, unwrapped)
    except RecursionError:
        raise _endless(value) from None


def _endless(value: Any) -> StagingError:
    return StagingError(
        f"an object of the class {type(value).__name__!r} contains itself where a tensor decides which one it is:"
        " the graph takes structures apart, and this one has no end. Make it an object of a class that is no"
        " dataclass, list, tuple or dict"
    )


def _is_kept(value: Any, world: World) -> bool:
    holder = world.find(value)
    return holder is not None and holder.kind.form != "whole"


def _are_same(values: Sequence[Any], world: World) -> bool:
    return all(v is values[0] for v in values) and _is_kept(values[0], world)


def _copy_of(array: TracedArray, world: World, read: Reader) -> TracedArray:
    """An array of its own with what an array shows at the end of a branch."""

    def content(buffer: Any) -> Any:
        holder = world.find(buffer)
        return buffer.content if holder is None else read(holder)[None]

    return array.with_contents(content)


def _with_contents(value: Any, world: World, read: Reader) -> Any:
    """A new object like `value` with the contents that it had at another time."""
    if isinstance(value, TracedArray):
        return _copy_of(value, world, read)
    holder = world.by_owner[id(value)]
    contents = read(holder)
    if holder.kind is TENSOR_LIST:
        held = contents[None]
        return held.like(held.elements, held.handles)
    if isinstance(value, MaybeContainer):
        return value.with_contents(contents)
    if isinstance(value, list | dict):
        beside = world.attributes_of(value) if nest.attributes(value) else None
        return nest.like(value, contents, () if beside is None else read(beside).items())
    return nest.rebuild(value, [contents.get(step[1:], part) for step, part in nest.children(value)])
