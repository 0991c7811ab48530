"""`takewhile`, `dropwhile`, `filterfalse` and `groupby` of itertools, where a tensor decides how far they go.

    for v in takewhile(lambda v: v < x, t): ...      # x is a tensor: a list that grows, of the items so far

Python's code for each, which makes a list of the items, is converted. So all items are taken before the first is used,
and a group of `groupby` is a list.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.builtins import call_builtin
from autograph.operators.call import converted_call
from autograph.operators.library import register_calls
from autograph.operators.stager import PYTHON, stager_of
from autograph.options import ConversionOptions
from runtime.context import current_recorder
from runtime.control_flow.builtins import iterables
from runtime.graph.graph import Graph

__all__ = ["install"]

_OPTIONS: Final = ConversionOptions(recursive=True, user_requested=True)


def _takewhile(predicate: Any, iterable: Any) -> Any:
    taken = []
    for item in iterable:
        if not predicate(item):
            break
        taken.append(item)
    return taken


def _dropwhile(predicate: Any, iterable: Any) -> Any:
    kept = []
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        kept.append(item)
    return kept


def _filterfalse(predicate: Any, iterable: Any) -> Any:
    kept = []
    for item in iterable:
        if predicate is None:
            if not item:
                kept.append(item)
        elif not predicate(item):
            kept.append(item)
    return kept


def _groupby(iterable: Any, key: Any = None) -> Any:
    names: list[Any] = []
    groups: list[Any] = []
    for item in iterable:
        name = item if key is None else key(item)
        if not names or names[-1] != name:
            names.append(name)
            groups.append([])
        groups[-1].append(item)
    return zip(names, groups, strict=True)


_IN_PYTHON: Final[Mapping[Any, Callable[..., Any]]] = {
    itertools.dropwhile: _dropwhile,
    itertools.filterfalse: _filterfalse,
    itertools.groupby: _groupby,
    itertools.takewhile: _takewhile,
}


_KNOWN: Final = frozenset({list, range, str, tuple})


def _call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    items = args[0 if function is itertools.groupby else -1] if args else None
    is_of_graph = stager_of(items) is not PYTHON and not getattr(items, "can_be_pulled", False)
    if not isinstance(current_recorder(), Graph) or not (is_of_graph or type(items) in _KNOWN):
        return call_builtin(function, args, kwargs, None, True)
    if is_of_graph and function is not itertools.takewhile and _is_endless(items):
        raise StagingError(
            f"{function.__name__}() of an iterator without end makes all its items before the first is used, where a"
            " tensor decides which they are; write the loop, with `break`"
        )
    made = converted_call(_IN_PYTHON[function], args, kwargs, None, _OPTIONS)
    if type(made) is zip:  # how many there are is known
        made = [(name, iterables.iterator(group)) for name, group in made]
    return iterables.iterator(made)


def _is_endless(items: Any) -> bool:
    return isinstance(items, iterables.StagedIterator) and items.items.length is None


def install() -> None:
    """Converted code asks here from now on."""
    register_calls(_IN_PYTHON, _call)
