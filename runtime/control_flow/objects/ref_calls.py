"""Calls with a `Ref`: its methods, builtins and other functions that are given one, loops over its items.

    row.append(x)             if <row is first>: first.append(x)  else: second.append(x)
    len(row)                  len(first) if <row is first> else len(second)
    for i, v in enumerate(row): ...       if <row is first>: for i, v in enumerate(first): ...   else: ...
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from types import BuiltinFunctionType, MethodDescriptorType, MethodType, ModuleType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.builtins import ASKS_FOR_KIND, ConvertedWhenCalled, call_builtin
from autograph.operators.call import converted_call
from autograph.operators.loop import for_stmt
from autograph.options import STANDARD_OPTIONS
from runtime.control_flow.builtins.table import ITERATE
from runtime.control_flow.calls.chosen import ChosenFunction
from runtime.control_flow.objects.ref_each import as_now, choice_of, each, each_key, has_refs
from runtime.control_flow.objects.ref_items import READS, items_in_turn, numbers_in, with_contents
from runtime.control_flow.objects.ref_members import as_value
from runtime.control_flow.objects.refs import Ref, known_object, number_of
from runtime.control_flow.objects.watched import CHOSEN, watch_parts
from runtime.control_flow.statement.reaching import Reaching
from runtime.heap.code import is_user_class

__all__ = ["Items", "RefMethod", "builtin_with_refs", "call_with_refs", "for_each_ref", "refs_in", "spread_call"]


class RefMethod:
    """A method of what a Ref is, for a call."""

    __slots__ = ("_name", "_ref")

    __ag_do_not_convert__: Final = True

    def __init__(self, ref: Ref, name: str) -> None:
        self._ref = ref
        self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        def call(value: Any) -> Any:
            given = tuple(map(as_now, args)), {name: as_now(value) for name, value in kwargs.items()}
            return converted_call(getattr(value, self._name), *given, None, options=STANDARD_OPTIONS)

        if self._name in _VIEWS and not args and all(isinstance(value, dict) for value in self._ref._ag_objects):
            return Items(self._ref, call, "")
        if self._name in READS and (read := with_contents(self._ref)) is not self._ref:
            return call(read)
        return each(self._ref, call, *args, *kwargs.values())

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self._ref,)


_VIEWS: Final = frozenset({"items", "keys", "values"})


class Items:
    """What a builtin makes of the items of what a Ref is, as `enumerate(row)`: to be gone through by a `for`, once.

    make: makes it of an object. once: the builtin whose result can be gone through only once, else the empty text.
    """

    __slots__ = ("_is_used", "make", "once", "ref")

    __ag_stager__: Any = None  # set by runtime.control_flow.stager

    def __init__(self, ref: Ref, make: Callable[[Any], Any], once: str) -> None:
        self.ref = ref
        self.make = make
        self.once = once
        self._is_used = False

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self.ref,)

    def take(self) -> Callable[[Any], Any]:
        """What makes the items. Raises StagingError where they have been gone through before."""
        if self.once and self._is_used:
            raise StagingError(
                f"{self.once}() of one of several lists or dicts, of which a tensor decides which one it is, is gone"
                f" through twice. Call {self.once}() in the statement that goes through it"
            )
        self._is_used = True
        return self.make

    def __iter__(self) -> Iterator[Any]:
        raise StagingError(
            "the items of one of several lists or dicts, of which a tensor decides which one it is, are given to what"
            " is not converted. Go through them with a `for`, or do it in the branches"
        )


def refs_in(args: Sequence[Any], kwargs: Any) -> bool:
    """Whether one of the arguments is one of several objects."""
    return any(type(value) in (Ref, Items) for value in (*args, *kwargs.values()))


def call_with_refs(
    call: Callable[[Any, Any], Any], args: tuple[Any, ...], kwargs: dict[str, Any], besides: tuple[Any, ...] = ()
) -> Any:
    """`call(args, kwargs)` with the objects themselves. besides: what else the call may change."""
    names = list(kwargs)
    values = [*args, *kwargs.values()]
    place = next((i for i, value in enumerate(values) if type(value) in (Ref, Items)), None)
    if place is None:
        return call(args, kwargs)

    def with_object(inner: Any) -> Any:
        given = [*map(as_now, values[:place]), inner, *map(as_now, values[place + 1 :])]
        named = dict(zip(names, given[len(args) :], strict=True))
        return call_with_refs(call, tuple(given[: len(args)]), named, besides)

    return _apply(values[place], with_object, (*values, *besides))


def _apply(value: Any, operation: Callable[[Any], Any], operands: tuple[Any, ...]) -> Any:
    if type(value) is Ref:
        return each(value, operation, *operands)
    make = value.take()
    return each(value.ref, lambda inner: operation(make(inner)), *operands)


def builtin_with_refs(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a builtin that looks at what it is given."""
    def call(args: Any, kwargs: Any) -> Any:
        return call_builtin(function, args, kwargs, None, True)

    if function in (operator.getitem, operator.delitem) or function in _TAKE_ANY:  # the objects do these by themselves
        return NotImplemented
    if isinstance(function, MethodDescriptorType):  # of a list, whose bound method comes first
        return call_with_refs(lambda args, kwargs: call_builtin(args[0], args[1:], kwargs, None, True), args, kwargs)
    if function in ASKS_FOR_KIND:
        return _of_kind(function, args, call)
    if function in ITERATE:
        place = next(i for i, value in enumerate(args) if type(value) in (Ref, Items))
        found = args[place]

        def made(value: Any) -> Any:
            inner = found.take()(value) if type(found) is Items else value
            return call((*args[:place], inner, *args[place + 1 :]), kwargs)

        return Items(found if type(found) is Ref else found.ref, made, function.__name__)
    return call_with_refs(call, _as_numbers(function, args), kwargs)


def _as_numbers(function: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a function that reads items is given in the place of one of several: the numbers of a list, or the contents
    of a dict or set; what computes with numbers is given those that members of an enumeration are."""
    if function in _OF_VALUES:
        return tuple(map(as_value, args))
    if function not in _READ or not args or type(args[0]) is not Ref:
        return args
    found = numbers_in(args[0]) if function is not len else None
    return (with_contents(args[0]) if found is None else found, *args[1:])


_READ: Final = frozenset({all, any, len, list, max, min, sorted, sum, tuple})
"""What makes something of the items of its argument, and keeps no hold of that."""

_OF_VALUES: Final = frozenset({abs, bin, bool, chr, complex, divmod, float, hex, int, oct, pow, range, round, slice})
"""What asks for the numbers that members of an enumeration are."""

_TAKE_ANY: Final = frozenset({list.append, list.insert})
"""Methods of lists that put any object into one."""


def _of_kind(function: Callable[..., Any], args: tuple[Any, ...], call: Callable[[Any, Any], Any]) -> Any:
    """`isinstance(row, list)` and its like: known where it is the same of all the objects."""
    ref = args[0]
    if type(ref) is not Ref:
        return function(*args)
    if function is getattr and len(args) < 3:
        return getattr(*args)
    if function is not getattr:  # which may run a property
        answers = [call((value, *args[1:]), {}) for value in ref._ag_objects]
        if all(answer is answers[0] for answer in answers):
            return answers[0]
        if all(type(answer) is bool for answer in answers):
            return number_of(ref, answers)
    return each(ref, lambda value: call((value, *args[1:]), {}))


_CONTAINERS: Final = (list, dict, set, deque)
_KEEPS: Final = frozenset({"add", "append", "appendleft", "get", "insert", "pop", "setdefault"})
"""Methods that take any object as an element."""


_TAKE_A_KEY: Final = frozenset({"get", "pop", "setdefault"})
"""Methods of dicts whose first argument is a key."""


def spread_call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Callable[[Any, Any], Any]) -> Any:
    """A call of what is not converted: with the objects themselves. NotImplemented where it takes one of several."""
    kind = type(function)
    owner: Any = function.__self__ if kind is BuiltinFunctionType else None
    if type(owner) is dict and function.__name__ in _TAKE_A_KEY:
        key, *others = args
        if has_refs(key):
            return each_key(key, lambda inner: call((inner, *others), kwargs), owner, *others)
    if kind in (MethodType, staticmethod, RefMethod, ChosenFunction, ConvertedWhenCalled) or not refs_in(args, kwargs):
        return NotImplemented
    if isinstance(owner, _CONTAINERS) and function.__name__ in _KEEPS:
        return NotImplemented
    if isinstance(function, type) and is_user_class(function) and not issubclass(function, Enum):
        return NotImplemented
    if hasattr(kind, "func"):
        return NotImplemented
    if is_user_class(kind) or function in ASKS_FOR_KIND or function in ITERATE or function is print:
        return NotImplemented
    besides = () if owner is None or isinstance(owner, ModuleType) else (owner,)
    args = _as_numbers(function, args)
    if function in _OF_VALUES and not refs_in(args, kwargs):
        return call_builtin(function, args, kwargs, None, True)
    found = call_with_refs(call, args, kwargs, besides)
    if function is vars:
        watch_parts(found, CHOSEN)  # a copy of the attributes
    return found


def for_each_ref(items: Any, loop: Sequence[Any], stage: Callable[..., None]) -> None:
    """A `for` over one of several objects: a staged `if` with the loop in each branch.

    loop: the arguments of `Stager.for_stmt` after the items. stage: `stage(selector, branches, *state, nouts)`.
    """
    ref, make = (items, lambda value: value) if isinstance(items, Ref) else (items.ref, items.take())
    extra_test, body, get_state, set_state, names, opts = loop

    def over(number: int) -> None:
        for_stmt(make(ref._ag_objects[number]), extra_test, body, get_state, set_state, tuple(names), opts)

    numbers = range(len(ref._ag_objects))
    known = known_object(ref)
    if known is not ref:
        over(next(number for number in numbers if ref._ag_objects[number] is known))
        return
    if isinstance(items, Ref) and (in_turn := items_in_turn(ref)) is not None:
        return for_stmt(in_turn, extra_test, body, get_state, set_state, tuple(names), opts)
    parts = [Reaching(partial(over, number), (ref, body, extra_test)) for number in numbers]
    stage(*choice_of(ref, parts), get_state, set_state, names, len(names))
