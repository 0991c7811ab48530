"""`takewhile`, `dropwhile`, `filterfalse`, `islice`, `compress` and `groupby` of itertools, where a tensor decides.

    for v in takewhile(lambda v: v < x, t): ...      # x is a tensor: one loop of the graph, which ends where x says

Python's code for each is a generator, which is converted where a loop goes through it: no item is taken too early.
Only `groupby` makes all its items before the first is used, and its groups are lists.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.builtins import call_builtin
from autograph.operators.consumer import Consumer
from autograph.operators.generator import call_generator
from autograph.operators.library import register_calls
from autograph.operators.stager import PYTHON, stager_of
from runtime.context import current_recorder
from runtime.control_flow.builtins import in_python, iterables
from runtime.control_flow.builtins.number_items import holds_staged
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from runtime.state.calling import ASKED_FOR, call_converted
from runtime.tensor.tensor import Tensor

__all__ = ["install"]


_GENERATORS: Final[Mapping[Any, Callable[..., Any]]] = {
    itertools.dropwhile: in_python.dropwhile,
    itertools.filterfalse: in_python.filterfalse,
    itertools.takewhile: in_python.takewhile,
}

_KNOWN: Final = frozenset({list, range, str, tuple})


def _call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Those that ask a function of the program: it may give a tensor, whatever the items are."""
    if _is_of_graph(args[-1] if args else None):
        return _generated(function, _GENERATORS[function], args, kwargs, args[-1])
    return call_builtin(function, args, kwargs, None, True)


def _generated(function: Any, made: Any, args: tuple[Any, ...], kwargs: dict[str, Any], items: Any) -> Any:
    """The generator; an iterator that nobody can pull where only the graph can go through the items."""
    called = function.__name__
    given = (*args, *kwargs.values())
    is_known = type(items) in _KNOWN and not any(hasattr(type(value), "__next__") for value in given)
    found = call_generator(made, args, kwargs, ASKED_FOR, called, is_known)
    if is_known or getattr(items, "can_be_pulled", False):
        return found

    def run(consumer: Consumer) -> None:
        if consumer.extra_test is None and called in _WITHOUT_END and _is_endless(items):
            raise StagingError(f"{called}() of an iterator without end has no end: leave the loop by `break`")
        found.__ag_push__(consumer)

    return iterables.PushedIterator(called, run)


_WITHOUT_END: Final = frozenset({"dropwhile", "filterfalse"})


def _is_endless(items: Any) -> bool:
    return isinstance(items, iterables.StagedIterator) and items.items.length is None


def _is_of_graph(items: Any) -> bool:
    is_staged = stager_of(items) is not PYTHON and not getattr(items, "can_be_pulled", False)
    return isinstance(current_recorder(), Graph) and (is_staged or type(items) in _KNOWN)


def _compressed(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if len(args) + len(kwargs) == 2 and holds_staged((*args, *kwargs.values())):
        return _generated(function, in_python.compress, args, kwargs, args[0] if args else None)
    return call_builtin(function, args, kwargs, None, True)


def _sliced(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    is_counted = any(stager_of(bound) is not PYTHON for bound in args[1:])
    if kwargs or len(args) not in (2, 3, 4) or not (is_counted or _has_no_end_yet(args[0])):
        return call_builtin(function, args, kwargs, None, True)
    bounds = (None, args[1]) if len(args) == 2 else args[1:]
    start, stop, step = (*bounds, None)[:3]
    for word, bound, least in (("Indices", start, 0), ("Stop argument", stop, 0), ("Step", step, 1)):
        if bound is not None:
            message = f"{word} for islice() must be None or an integer: {least} <= x <= sys.maxsize."
            REGISTRY["check"](bound >= least, message=message, exception="ValueError")
    start, step = (0 if start is None else start), (1 if step is None else step)
    is_known = type(args[0]) in _KNOWN  # and gone through from its beginning, each time that it is
    items = args[0] if is_known else iterables.iterator(args[0])  # what takes items from one goes on there
    if stop is None or not isinstance(items, iterables.StagedIterator):
        return _generated(function, in_python.islice, (items, start, stop, step), {}, args[0])
    stop = call_builtin(max, (start, stop), {}, None, True)  # Python, too, takes those before the first
    return _generated(function, in_python.islice_counted, (items, start, stop, step), {}, items)


def _has_no_end_yet(items: Any) -> bool:
    """Whether only the run knows how many items there are: Python cannot go through them."""
    if isinstance(items, iterables.StagedIterator):
        return isinstance(items.items.length, Tensor) or isinstance(items.position, Tensor)
    if isinstance(items, Tensor):
        return items.shape.rank is None or (items.shape.rank > 0 and items.shape[0] is None)
    if getattr(items, "is_repeatable", False):  # a generator of this file
        return True
    return stager_of(items) is not PYTHON and not getattr(items, "can_be_pulled", False)


def _grouped(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    items = args[0] if args else None
    if not _is_of_graph(items):
        return call_builtin(function, args, kwargs, None, True)
    if _is_endless(items):
        raise StagingError(
            "groupby() of an iterator without end makes all its groups before the first is used, where a tensor decides"
            " which they are; write the loop, with `break`"
        )
    made = call_converted(in_python.groupby, *args, **kwargs)
    if type(made) is zip:  # how many there are is known
        made = [(name, iterables.iterator(group)) for name, group in made]
    return iterables.iterator(made)


def install() -> None:
    """Converted code asks here from now on."""
    register_calls(_GENERATORS, _call)
    register_calls([itertools.compress], _compressed)
    register_calls([itertools.islice], _sliced)
    register_calls([itertools.groupby], _grouped)
