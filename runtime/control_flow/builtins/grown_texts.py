"""The text of lists, dicts and deques that grow: `f"{items}"`, `str(counts)`, where only the run knows what they hold.

    text_of(items)       # "[" + ", ".join([repr(item) for item in items]) + "]", as a loop of the graph
"""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any, Final

from autograph.errors import StagingError
from runtime.control_flow.lists.grown import Grown
from runtime.graph.location import here
from runtime.state.calling import call_converted

__all__ = ["text_of"]


def text_of(value: Any) -> Any:
    """`repr(value)`. Raises StagingError for sets, of which only the run knows in which order Python shows them."""
    kind = type(value.like) if isinstance(value, Grown) else list
    if kind is not defaultdict and kind not in _TEXTS:
        raise StagingError(
            f"the text of a {kind.__name__} is made{here()} whose members are only known when the graph runs, and with"
            " them the order in which Python shows them: write a list of them, sorted(...)"
        )
    if kind is defaultdict:
        return f"defaultdict({value.like.default_factory!r}, " + call_converted(_of_dict, value) + ")"
    return call_converted(_TEXTS[kind], value)


def _of_list(items: Any) -> str:
    return "[" + ", ".join([repr(item) for item in items]) + "]"


def _of_dict(items: Any) -> str:
    return "{" + ", ".join([f"{key!r}: {value!r}" for key, value in items.items()]) + "}"


def _of_counter(counts: Any) -> str:
    if len(counts) == 0:
        return "Counter()"
    return "Counter({" + ", ".join([f"{key!r}: {count!r}" for key, count in counts.most_common()]) + "})"


def _of_ordered_dict(items: Any) -> str:
    if len(items) == 0:
        return "OrderedDict()"
    if sys.version_info >= (3, 12):
        return "OrderedDict({" + ", ".join([f"{key!r}: {value!r}" for key, value in items.items()]) + "})"
    return "OrderedDict([" + ", ".join([f"({key!r}, {value!r})" for key, value in items.items()]) + "])"


def _of_deque(items: Any) -> str:
    end = ")" if items.maxlen is None else f", maxlen={items.maxlen})"
    return "deque([" + ", ".join([repr(item) for item in items]) + "]" + end


_TEXTS: Final[dict[type, Callable[[Any], str]]] = {
    list: _of_list, dict: _of_dict, Counter: _of_counter, OrderedDict: _of_ordered_dict, deque: _of_deque,
}  # fmt: skip
