"""Room for recursion: the one place that raises Python's limit on frames, and brings it back.

Two parts of autograph need more frames than the user's program does. A call inside an `if` takes four frames in
converted code where Python takes one (the function, the operator, the body, the call). And trees are walked by
recursion over the depth of the program. Both ask here, from any thread; the limit is the largest that is asked for, and
the old one is back when nobody asks any more. Endless recursion still ends in RecursionError.

Example:
    need = raise_limit(times=5)
    try: ...
    finally: restore_limit(need)
"""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass, field

__all__ = ["raise_limit", "restore_limit"]


@dataclass(slots=True, eq=False)
class _State:
    """usual: the limit when nobody asks. given: the limit that was set here last. needs: how many ask for how much."""

    usual: int = 0
    given: int = 0
    needs: dict[int, int] = field(default_factory=dict)  # of few keys, however many ask


_state = _State()
_lock = threading.Lock()


def raise_limit(*, times: int = 1, frames: int = 0) -> int:
    """Allow `times` as many frames as usual, at least `frames`; the result is what to give to `restore_limit`."""
    with _lock:
        if not _state.needs:
            _state.usual = sys.getrecursionlimit()
        need = max(_state.usual * times, frames)
        _state.needs[need] = _state.needs.get(need, 0) + 1
        if need > sys.getrecursionlimit():
            _state.given = need
            sys.setrecursionlimit(need)
        return need


def restore_limit(need: int) -> None:
    """Take back one `raise_limit`. A limit that somebody else has set meanwhile stays."""
    with _lock:
        _state.needs[need] -= 1
        if not _state.needs[need]:
            del _state.needs[need]
        limit = max(_state.needs, default=_state.usual)
        if limit < _state.given == sys.getrecursionlimit():
            _state.given = limit
            sys.setrecursionlimit(limit)
