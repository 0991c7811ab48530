"""The graphs of Functions that are called, kept while the program runs, and with them times where they are asked for.

    begin(graphs=True, logdir=None)
    step(x)
    end(save=True)                # [the graph of step]
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from runtime import config
from runtime.graph.graph import Graph
from runtime.library.profiler import experimental

__all__ = ["begin", "end", "is_on"]

_traces: list[Any] = []
_timed: Final = threading.Event()
"""Whether `begin` has started the profiler."""


def _note(concrete: Any, run: Callable[[], Any]) -> Callable[[], Any]:
    _traces.append(concrete)
    return run


def is_on() -> bool:
    """Whether anything is kept."""
    return _note in config.watchers or _timed.is_set()


def begin(graphs: bool, logdir: Any) -> None:
    """Begins anew. graphs: whether they are kept; logdir: the folder for the file with times, None for no times."""
    end(save=False)
    if logdir is not None:
        experimental.start(logdir)
        _timed.set()
    if graphs:
        config.watch_calls(_note)


def end(save: bool) -> list[Graph]:
    """Ends it. save: whether times are written. Returns the graphs, each once."""
    config.watch_calls(_note, ended=True)
    kept = {id(trace.graph): trace.graph for trace in _traces}
    _traces.clear()
    if _timed.is_set():
        _timed.clear()
        experimental.stop(save)
    return [*kept.values()]
