"""In which order the keys of a dict came, where a tensor decides it: the turn of each key, a number.

    if x > 0: d["a"] = 1      # {"a": 0, NEXT: 1 if x > 0 else 0}
    d["b"] = 2                # {"a": 0, "b": 1 if x > 0 else 0, NEXT: ...}
    d["a"] = 3                # {"a": 0 if x > 0 else 1, "b": ..., NEXT: ...}

What comes later has a higher turn, and a key that is there keeps its own. A result of the graph is put in order by them
when the run is over. Only a trace that leaves such a dict keeps them; it begins again for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from typing import Any, Final

from autograph.contexts import binding
from runtime.control_flow.optional.values import inside_of
from runtime.dtypes import int32
from runtime.heap.holder import Turn
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = [
    "KeepsTurns", "Turns", "in_order", "in_turn", "keeping_turns", "known", "move_turn", "new_turns", "put_turn",
    "turns_of", "without_turns",
]  # fmt: skip

Turns = dict[Any, Any]
"""By each key its turn, and that of the next key under NEXT."""

NEXT: Final = object()

_KEPT: Final = ContextVar("runtime_dicts_keep_turns", default=False)


class KeepsTurns:
    """What a Restart has learnt: the trace leaves a dict of which a tensor decides the order of the keys."""


def keeping_turns(kept: bool) -> binding[bool]:
    """A trace in which dicts keep turns, or do not."""
    return binding(_KEPT, kept)


def new_turns(keys: Iterable[Any]) -> Turns | None:
    """Those of keys that came in this order; None where the trace keeps none."""
    return in_order(keys) if _KEPT.get() else None


def in_order(keys: Iterable[Any]) -> Turns:
    found: Turns = {key: i for i, key in enumerate(keys)}
    return {**found, NEXT: len(found)}


def put_turn(turns: Turns, key: Any, defined: Any) -> None:
    """Notes that a value is put under a key. defined: whether it was there."""
    if defined is True:
        return
    following = _number(turns[NEXT])
    own = following
    if defined is not False:
        own = REGISTRY["where"](defined, _number(turns.get(key, 0)), following)
    turns[key], turns[NEXT] = own, following + 1


def move_turn(turns: Turns, key: Any, last: bool) -> None:
    """Notes that a key goes to the end, or to the beginning."""
    following = _number(turns[NEXT])
    turns[key], turns[NEXT] = following if last else 0 - following, following + 1


def known(turn: Any) -> Any:
    """A turn; any number for that of a key that is not there."""
    turn = inside_of(turn)
    return 0 if turn is None else turn


def _number(turn: Any) -> Any:
    turn = known(turn)
    return REGISTRY["cast"](turn, int32) if isinstance(turn, Tensor) else turn


def in_turn(turns: Turns, keys: Iterable[Any]) -> list[Any]:
    """Keys in the order of their turns, when a run is over."""
    return sorted(keys, key=lambda key: int(known(turns[key])))


# -- among the contents of a holder


def turns_of(keys: Iterable[Any], turns: Turns | None) -> dict[Any, Any]:
    """Those of keys, as contents that the program does not see."""
    return {} if turns is None else {Turn(key): turns.get(key, 0) for key in (*keys, NEXT)}


def without_turns(contents: Mapping[Any, Any]) -> tuple[dict[Any, Any], Turns]:
    """Contents and turns apart."""
    keys = {key: value for key, value in contents.items() if type(key) is not Turn}
    return keys, {key.key: value for key, value in contents.items() if type(key) is Turn}
