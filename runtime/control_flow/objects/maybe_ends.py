"""What is taken out of a dict of which a tensor decides what keys it has: its last item, or that of a key of the run.

    k, v = d.popitem()        # the last key that is there: one of the run, where a tensor decides which
    d.pop(t); del d[t]        # what is equal to t is not there any more
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from runtime.as_python import raise_as_python
from runtime.control_flow.objects.maybe_contents import MaybeDict
from runtime.control_flow.objects.maybe_places import read_place, read_where, there
from runtime.control_flow.objects.maybe_views import check_order, equal_to, looked_up
from runtime.control_flow.optional.flags import any_of, both, negated
from runtime.control_flow.optional.values import MaybeUndefined
from runtime.heap.open_objects import if_there
from runtime.heap.placeholders import Absent
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["forget", "popitem"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


def popitem(self: MaybeDict, last: bool = True) -> tuple[Any, Any]:
    """Takes out the last item, or the first one. Raises KeyError, perhaps when the graph runs, where there is none."""
    check_order(self)
    known = [(key, value) for key, value in self.contents.items() if there(looked_up(self, key)) is not False]
    if last:
        known.reverse()
    flags = [there(value) for _, value in known]
    certain = next((place for place, flag in enumerate(flags) if flag is True), len(flags))
    known, flags = known[: certain + 1], flags[: certain + 1]  # none after the first that is there for sure
    error = KeyError("popitem(): dictionary is empty")
    if not known:
        raise_as_python(error)
    read_place(MaybeUndefined(None, any_of(flags), Absent(error)), error)
    found = _first(self, flags, [(key, if_there(value)) for key, value in known])
    is_free: Any = True
    for (key, _), flag in zip(known, flags, strict=True):
        _leave(self, key, both(flag, negated(is_free)))
        is_free = both(is_free, negated(flag))
    return found[0], found[1]


def forget(self: MaybeDict, key: SymbolicTensor) -> None:
    """Takes out what is under a key of the run."""
    for own, value, is_equal in equal_to(self, key):
        _leave(self, own, both(there(value), negated(is_equal)))


def _first(self: MaybeDict, flags: Sequence[Any], items: Sequence[tuple[Any, Any]]) -> Any:
    """The first of the items whose flag holds; the last one is not asked."""

    def otherwise() -> Any:
        return items[-1]

    for flag, item in reversed(list(zip(flags, items, strict=True))[:-1]):
        maybe = MaybeUndefined(item, flag, Absent(KeyError(item[0])))
        otherwise = partial(read_where, maybe, otherwise, f"{self.called}.popitem()", self)
    return otherwise()


def _leave(self: MaybeDict, key: Any, defined: Any) -> None:
    """What is under a key is there where this holds."""
    value = self.contents[key]
    if defined is False:
        del self.contents[key]
    elif defined is not there(value):
        self.contents[key] = MaybeUndefined(if_there(value), defined, Absent(KeyError(key)))
