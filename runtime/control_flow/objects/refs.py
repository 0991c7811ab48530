"""`Ref`: one of several lists, dicts or objects; which one it is only the graph knows.

    row = first if x > 0 else second     # Ref((second, first), x > 0)
    row[0] = 5                           # `if <it is first>: first[0] = 5 else: second[0] = 5`; see ref_uses.py
    row is first                         # the tensor `x > 0`

The objects are themselves, no copies: what changes one of them under another name is seen here, and the other way
round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.branches.known import is_known
from runtime.control_flow.branches.possible import Condition, can_be
from runtime.control_flow.optional.flags import both, either
from runtime.control_flow.optional.values import inside_of, is_there, within
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.dtypes import int32
from runtime.graph.graph import Graph
from runtime.heap.code import is_user_class
from runtime.heap.kinds import container_kind, object_kinds
from runtime.ndarrays.buffer import home_of
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.array_classes import holds_numbers
from runtime.tensor.convert import constant, convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = [
    "Choice", "OneOf", "Ref", "among", "can_be_chosen", "known_object", "number_of", "objects_of",
    "possible_objects", "refs_in", "replace_in_refs", "same_object", "selected", "ways_to",
]  # fmt: skip

_WORDS: Final = frozenset({"list", "dict", "set", "deque"})

_REFS: Final[PerTrace[list[Ref]]] = PerTrace(list)


class Ref:
    """See the module's docstring. selector: of two objects whether it is the second, of more its number: a tensor.

    All other attributes are those of the object, so what this project asks of it are functions.
    """

    __slots__ = ("_ag_objects", "_ag_selector")

    __ag_maybe_none__ = True
    __ag_do_not_convert__ = True
    __ag_stager__: Any = None  # set by runtime.control_flow.stager
    __hash__ = None  # type: ignore[assignment]
    if TYPE_CHECKING:  # these are given to it by runtime.control_flow.objects.ref_uses

        def __getitem__(self, key: Any) -> Any: ...

        def __setitem__(self, key: Any, item: Any) -> None: ...

        def __iter__(self) -> Iterator[Any]: ...

    def __init__(self, objects: Sequence[Any], selector: Any) -> None:
        self._ag_objects = tuple(objects)
        self._ag_selector = selector
        _REFS.here().append(self)

    def __ag_watched__(self) -> tuple[Any, ...]:
        return self._ag_objects


def can_be_chosen(value: Any) -> bool:
    """Whether it is a list, dict or object that a Ref may stand for: one with an identity, which is not called."""
    kind = type(value)
    if kind is Ref or kind is list or kind is dict:
        return True
    if kind is np.ndarray:
        return not holds_numbers(value)  # of those memory of the graph stands for one of several
    if isinstance(value, Tensor | TracedArray | tuple | type | BaseException):
        return False
    if isinstance(value, Enum):
        return True
    if (known := container_kind(value)) is not None:
        return known.word in _WORDS
    if not is_user_class(kind) or hasattr(kind, "__ag_stager__") or hasattr(kind, "__ag_watched__"):
        return False
    parameters = getattr(kind, "__dataclass_params__", None)
    if hasattr(kind, "_nest_parts") or nest.custom(value) is not None or (parameters and parameters.frozen):
        return False
    return not callable(value) and bool(object_kinds(value))


def objects_of(value: Any) -> tuple[Any, ...]:
    """The objects that a value may be."""
    return value._ag_objects if isinstance(value, Ref) else (value,)


def ways_to(value: Any) -> Iterator[tuple[Any, tuple[Condition, ...]]]:
    """What a value may be where it is something, each with scalars and what they are where it is that."""
    inner, there = inside_of(value), is_there(value)
    known = () if there is True else ((there, True),)
    if not isinstance(inner, Ref):
        yield inner, known
        return
    objects = inner._ag_objects
    for place, one in enumerate(objects):
        conditions = (*known, (inner._ag_selector, place == 1 if len(objects) == 2 else place))
        if can_be(conditions):
            yield one, conditions


def refs_in(values: Sequence[Any]) -> Iterator[Ref]:
    """What is one of several objects, in values and in structures of them."""
    return (value for value in within(values) if type(value) is Ref)


def possible_objects(values: Sequence[Any]) -> list[Any]:
    """The objects that values may be which may be None."""
    return [inner for value in values for inner in objects_of(inside_of(value))]


def known_object(ref: Ref) -> Any:
    """The object that it surely is where code is traced now; the Ref itself where that is not known."""
    objects, selector = ref._ag_objects, ref._ag_selector
    if len(objects) == 2:
        for value in (True, False):
            if is_known(selector, value):
                return objects[value]
    return ref


def among(ref: Ref, flags: Sequence[bool]) -> Any:
    """One of those objects that have a flag, of which there are some; any of them where the Ref is none."""
    fitting = [value for value, flag in zip(ref._ag_objects, flags, strict=True) if flag]
    if len(fitting) == 1:
        return fitting[0]
    if len(fitting) == len(flags):
        return ref
    numbers = [max(count - 1, 0) if flag else 0 for count, flag in zip(accumulate(flags), flags, strict=True)]
    return Ref(fitting, number_of(ref, [number == 1 for number in numbers] if len(fitting) == 2 else numbers))


@dataclass(eq=False)
class Choice:
    """The objects that a variable may be, each once. by_number: whether the part of a `OneOf` is always a number, for
    they may become more; else it is the selector."""

    by_number: bool = False
    sources: list[Any] = field(default_factory=list)
    _places: dict[int, int] = field(init=False)
    """By the id of a source."""

    def __post_init__(self) -> None:
        self._places = {id(source): place for place, source in enumerate(self.sources)}

    def position(self, value: Any) -> int:
        """The place of an object among the sources, where it may be new."""
        place = self._places.setdefault(id(value), len(self.sources))
        if place == len(self.sources):
            self.sources.append(value)
        return place

    def part(self, value: Any) -> Any:
        """The selector of a value, an object or a Ref, when all sources are known."""
        numbers = [self.position(inner) for inner in objects_of(value)]
        two = len(self.sources) == 2
        if not isinstance(value, Ref):
            return numbers[0] == 1 if two else numbers[0]
        return number_of(value, [number == 1 for number in numbers] if two else numbers)

    def number(self, value: Any) -> Any:
        """The number among the sources of a value, an object or a Ref."""
        numbers = [self.position(inner) for inner in objects_of(value)]
        return number_of(value, numbers) if isinstance(value, Ref) else numbers[0]

    def at(self, number: Any) -> Any:
        """The source with a number, which may be a tensor."""
        if isinstance(number, int):
            return self.sources[number]
        if len(self.sources) == 1:
            return self.sources[0]
        two = len(self.sources) == 2
        return Ref(self.sources, REGISTRY["equal"](number, 1) if two else REGISTRY["cast"](number, int32))

    def restored(self, parts: Sequence[Any]) -> Any:
        """The object or Ref of the part of a `OneOf`."""
        (part,) = parts
        if isinstance(part, bool | int):
            return self.at(int(part))
        return self.at(part) if self.by_number else Ref(self.sources, part)


def number_of(ref: Ref, numbers: Sequence[Any]) -> Any:
    """For each of its objects there is a number or bool: the one of the object that it is."""
    selector = ref._ag_selector
    with recording(home_of(selector)):
        if len(numbers) != 2:
            return REGISTRY["gather"](convert_to_tensor(list(numbers)), selector)
        if numbers[0] is False and numbers[1] is True:
            return selector
        if numbers[0] is True and numbers[1] is False:
            return REGISTRY["logical_not"](selector)
        return REGISTRY["where"](selector, constant(numbers[1]), constant(numbers[0]))


class OneOf:
    """What a variable is at the end of a branch, as a structure for the merger and for loops.

    choice: of objects, or of arrays (chosen_arrays.py). parts: the tensors that say which one it is. MISSING stands for
    what this branch has not.
    """

    __slots__ = ("choice", "parts")

    def __init__(self, choice: Any, parts: Sequence[Any]) -> None:
        self.choice = choice
        self.parts = parts

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(f"<{i}>", part) for i, part in enumerate(self.parts)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        return self.choice.restored(parts)

    def _nest_check(self, other: Any) -> None:
        if not isinstance(other, OneOf) or other.choice is not self.choice:
            raise TypeError("another object")


def selected(flag: Any, first: Any, second: Any) -> Any:
    """`first if flag else second`, of objects."""
    choice = Choice()
    for value in (first, second):
        for inner in objects_of(value):
            choice.position(inner)
    if len(choice.sources) == 1:
        return choice.sources[0]
    parts = [convert_to_tensor(choice.part(value)) for value in (first, second)]
    return Ref(choice.sources, REGISTRY["where"](flag, *parts))


def same_object(a: Any, b: Any) -> Any:
    """`a is b`, where at least one of them is a Ref: a bool, or a tensor."""
    others = set(map(id, objects_of(b)))
    common = [value for value in objects_of(a) if id(value) in others]
    found: Any = False
    for value in common:
        found = either(found, both(_is(a, value), _is(b, value)))
    return found


def _is(value: Any, wanted: Any) -> Any:
    if not isinstance(value, Ref):
        return True
    return number_of(value, [inner is wanted for inner in value._ag_objects])


def replace_in_refs(graph: Graph, old: Any, new: Any) -> Iterator[Any]:
    """Puts an object in another one's place; yields what takes that back."""
    for ref in list(_REFS.of(graph)):
        before = ref._ag_objects
        if any(value is old for value in before):
            ref._ag_objects = tuple(new if value is old else value for value in before)
            yield partial(object.__setattr__, ref, "_ag_objects", before)
