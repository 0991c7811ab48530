"""What a function of the library does with the arrays, lists and dicts that it is given: it changes or returns them.

    def fill(v, k):
        if k > 0:
            v[k % 4] += 1.0        # `fill` returns what it returns, and what `v` holds then
            fill(v, k - 1)         # a call, and a write of that to `v`
        return v                   # no result of the graph: what the call was given

The function is traced for arguments that share nothing: a call with some that do is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.replacements import moved_to
from runtime.control_flow.lists.taken_in import grown_in_place, replaced_in_place
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.references import led_to
from runtime.control_flow.objects.watched import watch_parts
from runtime.heap.store import World
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.layout import owner_of
from runtime.ndarrays.overlaps import share
from runtime.ndarrays.traced import TracedArray
from runtime.state.variable import present_value

__all__ = [
    "Changed", "Same", "can_be_written", "check_alone", "from_arguments", "inside", "memory_in", "of_arguments",
    "places_in", "same_in", "values_of", "watch_given", "write_into",
]  # fmt: skip


_ONES: Final = (TracedArray, TensorList, Grown)
"""What one write gives all of its contents."""


class Changed(NamedTuple):
    """A place in the arguments: the parameter, and the keys of lists, tuples and dicts that lead there from it."""

    parameter: str
    way: tuple[Any, ...]


class Same:
    """In a result: the very object that is there in the arguments, or that the function reaches otherwise (`owner`).

    It is no structure, as a dataclass is. key: equal for what is the same.
    """

    __slots__ = ("key", "owner", "place")

    def __init__(self, place: Changed | None, owner: Any = None) -> None:
        self.place = place
        self.owner = owner
        self.key = id(owner) if place is None else place

    def found(self, arguments: Mapping[str, Any]) -> Any:
        """The object, for a call with these arguments."""
        value = self.owner if self.place is None else _at(arguments, self.place)
        return moved if (moved := moved_to(value)) is not None else value


def of_arguments(arguments: Mapping[str, Any], reached: Iterable[Any], result: Any) -> Any:
    """The result with `Same` for each list, dict and array in it that is one of the arguments, or of those reached."""
    given = {id(owner): Same(None, owner) for owner in reached if _is_one(owner)}
    pending = [(Changed(name, ()), value) for name, value in arguments.items()]
    for place, value in pending:
        if _is_one(value):
            given.setdefault(id(value), Same(place))
        if type(value) in (list, tuple, dict):
            pairs = value.items() if type(value) is dict else enumerate(value)
            pending += [(Changed(place.parameter, (*place.way, key)), part) for key, part in pairs]
    return _mapped(result, lambda part: given.get(id(part), part)) if given else result


def _is_one(value: Any) -> bool:
    return isinstance(value, _ONES) or type(value) in (list, dict)


def same_in(result: Any) -> dict[Any, Same]:
    """What is given back in such a result, by key."""
    return {part.key: part for part in inside(result) if type(part) is Same}


def inside(value: Any) -> Iterator[Any]:
    """The value, and what is in it as far as it is made of lists, tuples and dicts."""
    pending = [value]
    for part in pending:
        yield part
        pending += nest.parts_if_plain(part)


def memory_in(value: Any) -> Iterator[Any]:
    """What a function is given another one of: the lists, dicts, other containers and blocks of memory in a value."""
    for part in inside(value):
        if isinstance(part, TracedArray):
            yield from part.buffers
        elif _is_one(part):
            yield part
            if isinstance(part, Grown):
                yield part.rows


def watch_given(title: str, arguments: Mapping[str, Any], given: Iterable[Same], result: Any) -> None:
    """After a call whose result may be, or have in it, these objects or a copy: where the program has names for them,
    neither may change."""
    pairs = [(same, same.found(arguments)) for same in given]
    named = led_to([known for _, known in pairs])
    for same, known in pairs:
        if id(known) in named:
            what = "an object from around it" if same.place is None else f"its argument {same.place.parameter!r}"
            why = f"the recursive function {title!r} returns {what} or another object"
            watch_parts(known, why)
            watch_parts(result, why)


def from_arguments(arguments: Mapping[str, Any], result: Any) -> Any:
    """The result with the objects of a call in the place of each `Same`."""
    return _mapped(result, lambda part: part.found(arguments) if type(part) is Same else part)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    changed = change(value)
    if changed is not value or type(value) not in (list, tuple, dict):
        return changed
    return nest.changed(value, lambda part: _mapped(part, change))


def places_in(arguments: Mapping[str, Any]) -> Iterator[tuple[Changed, Sequence[Any]]]:
    """The elements of lists and dicts, arrays, lists that grow and other structures, each with the tensors and values
    that it holds."""
    for name, value in arguments.items():
        yield from _within(value, name, ())


def _within(value: Any, name: str, way: tuple[Any, ...]) -> Iterator[tuple[Changed, Sequence[Any]]]:
    if isinstance(value, TracedArray):
        yield Changed(name, way), [value.buffer.content]
    elif type(value) in (list, tuple, dict):
        pairs = value.items() if type(value) is dict else enumerate(value)
        for key, part in pairs:
            yield from _within(part, name, (*way, key))
    else:
        yield Changed(name, way), nest.flatten(value)


def can_be_written(arguments: Mapping[str, Any], place: Changed) -> bool:
    """Whether a call can put something else into such a place."""
    own = _at(arguments, place)
    inside = place.way and type(_at(arguments, place, -1)) in (list, dict)
    return isinstance(own, _ONES) or bool(inside and not nest.is_nested(own))


def _at(arguments: Mapping[str, Any], place: Changed, end: int | None = None) -> Any:
    value = arguments[place.parameter]
    for key in place.way[:end]:
        value = value[key]
    return value


def values_of(arguments: Mapping[str, Any], changed: Sequence[Changed]) -> tuple[Any, ...]:
    """What these places hold now; of an array another one."""
    found = [v.copy() if isinstance(v := _at(arguments, place), TensorList | Grown) else v for place in changed]
    return tuple([TracedArray(Buffer(v.value(), v.buffer.label)) if isinstance(v, TracedArray) else v for v in found])


def write_into(arguments: Mapping[str, Any], changed: Sequence[Changed], values: Sequence[Any]) -> None:
    """After a call: these places of its arguments hold this."""
    for place, value in zip(changed, values, strict=True):
        own = _at(arguments, place)
        if isinstance(own, TracedArray):
            own.write(present_value(value))
        elif isinstance(value, TensorList):
            own = grown_in_place(own) if type(own) is list else own
            own.take(value)
        elif isinstance(value, Grown):
            own = own if isinstance(own, Grown) else replaced_in_place(own)
            own.rows.take(value.rows)
        else:
            _at(arguments, place, -1)[place.way[-1]] = value


def check_alone(
    title: str, arguments: Mapping[str, Any], changed: Sequence[Changed], asks_layout: bool, function: Any = None
) -> None:
    """Raises StagingError where what a call changes is known to it under another name. function: that is called."""
    if not changed:
        return
    known = [part for value in arguments.values() for part in inside(value) if _is_one(part)]
    reached = {} if function is None else World(function).by_owner
    for place in changed:
        is_one = isinstance(_at(arguments, place), _ONES) or not place.way
        own = _at(arguments, place, None if is_one else -1)
        owners = [id(owner) for owner in (own.buffers if isinstance(own, TracedArray) else (own,))]
        if any(owner in reached for owner in owners) or sum(_share(own, other) for other in known) > 1:
            raise StagingError(
                f"the argument {place.parameter!r} is changed inside the function {title!r}, which calls itself"
                " depending on a tensor, and has it, or a part of its memory, under another name as well: pass a copy"
            )
        if asks_layout and isinstance(own, TracedArray) and own.steps:
            raise StagingError(
                f"the argument {place.parameter!r} of the function {title!r}, which calls itself depending on a tensor,"
                " is a view that it writes to, and it asks for what may be a view or a copy of that (ravel, reshape):"
                " pass a copy, and write that back"
            )


def _share(a: Any, b: Any) -> bool:
    """Whether they are one container, or arrays that may have an element in common."""
    if not isinstance(a, TracedArray) or not isinstance(b, TracedArray):
        return a is b
    if not any(buffer is other for buffer in a.buffers for other in b.buffers):
        return False
    if a.layout is None or b.layout is None or len(a.buffers) + len(b.buffers) > 2:
        return True
    return owner_of(a.layout) is not owner_of(b.layout) or share(a.layout, b.layout)
