"""What a traced function reads from outside of the program: the time, the system's random numbers, its environment.

    def step(x): return x + time.time()                # TraceEffectWarning: the graph keeps the time of the trace
    for _ in range(n): code += secrets.choice("abc")   # n is a tensor, StagingError: one letter, n times

Each value is read once, while the function is traced. That is told once for each trace and function; in a loop of the
graph, where Python reads a value for each iteration, it is refused. Generators that say what state they are in
(`random.random`, numpy's) are known as places that code changes, and need no row here.
"""

from __future__ import annotations

import calendar
import datetime
import decimal
import gc
import locale
import mimetypes
import os
import random
import secrets
import signal
import socket
import sys
import time
import tracemalloc
import uuid
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from autograph.operators.library import register_calls, register_methods
from runtime.context import current_recorder, in_a_loop
from runtime.control_flow.outside.needs_value import needs_value
from runtime.control_flow.outside.process import ON_EVENTS
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.errors import TraceEffectWarning
from runtime.graph.graph import Graph
from runtime.graph.location import Location, user_location
from runtime.state.scopes import note_answer

__all__ = ["install"]

_NUMBERS: Final = "runtime.random.uniform(...), which draws when the graph runs"
_TIME: Final = "runtime.py_function(time.time, [], runtime.float64), which reads the clock when the graph runs"
_ARGUMENT: Final = "an argument of the function, or runtime.py_function"
_WRITER: Final = "runtime.py_function, which does it each time that the graph runs"

_REMEDIES: Final[tuple[tuple[Callable[..., Any], str, str], ...]] = (
    *((function, f"time.{function.__name__}", _TIME) for function in (
        time.time, time.time_ns, time.monotonic, time.monotonic_ns, time.perf_counter, time.perf_counter_ns,
        time.process_time, time.localtime, time.gmtime, time.ctime, time.strftime,
    )),
    *((function, f"secrets.{function.__name__}", _NUMBERS) for function in (
        secrets.randbelow, secrets.token_bytes, secrets.token_hex, secrets.token_urlsafe,
    )),
    (os.urandom, "os.urandom", _NUMBERS),
    *((function, f"uuid.{function.__name__}", _ARGUMENT) for function in (uuid.uuid1, uuid.uuid4)),
    *((function, f"os.{function.__name__}", _ARGUMENT) for function in (os.listdir, os.scandir, os.stat, os.walk)),
    *((function, f"os.path.{function.__name__}", _ARGUMENT) for function in (
        os.path.exists, os.path.getmtime, os.path.getsize, os.path.isdir, os.path.isfile,
    )),
    *((function, f"{Path.__name__}.{function.__name__}", _ARGUMENT) for function in (
        Path.exists, Path.glob, Path.is_dir, Path.is_file, Path.iterdir, Path.stat,
    )),
    (os.getenv, "os.getenv", _ARGUMENT), (os.getcwd, "os.getcwd", _ARGUMENT), (input, "input", _ARGUMENT),
)  # fmt: skip
"""Functions, what they are called, and what to use instead."""

_SETTINGS: Final = (
    calendar.firstweekday, decimal.getcontext, gc.get_threshold, gc.isenabled, locale.getlocale, mimetypes.guess_type,
    np.get_printoptions, np.getbufsize, np.geterr, signal.getsignal, socket.getdefaulttimeout, sys.getrecursionlimit,
    sys.getswitchinterval, tracemalloc.is_tracing,
)  # fmt: skip
"""What tells how the process is set: a trace holds for this answer alone."""

_OF_GENERATORS: Final = tuple(
    method
    for kind in (random.Random, random.SystemRandom)
    for name, method in vars(kind).items()
    if not name.startswith("_") and callable(method) and name not in ("seed", "getstate", "setstate")
)
"""Methods that `random.SystemRandom` has, whose numbers are the system's; `secrets.choice` is one of them."""

_TOLD: Final[PerTrace[set[str]]] = PerTrace(set)


def install() -> None:
    """Lets converted code tell of these calls while it is traced."""
    for function, name, remedy in _REMEDIES:
        register_calls([function], _telling(name, remedy))
    register_methods(type, _dated)
    register_calls(_OF_GENERATORS, _drawn)
    register_calls(_SETTINGS, _asked)
    ON_EVENTS.append(_happened)


def _telling(name: str, remedy: str) -> Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]:
    def call(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        _tell(name, remedy)
        return function(*args, **kwargs)

    return call


def _dated(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`datetime.now()`, `date.today()` and those of classes below them."""
    if issubclass(function.__self__, datetime.date) and function.__name__ in ("now", "utcnow", "today"):
        _tell(f"{function.__self__.__name__}.{function.__name__}", _ARGUMENT)
    return NotImplemented


def _happened(event: str, is_change: bool, place: Location | None) -> None:
    if is_change:
        needs_value(f"it calls {event}, which writes")
    _tell(event, _WRITER if is_change else _ARGUMENT, is_read=not is_change, place=place)


def _asked(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    answer = function(*args, **kwargs)
    note_answer(f"{function.__name__}{args or '()'}", partial(function, *args, **kwargs), answer)
    return answer


def _drawn(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if args and isinstance(args[0], random.SystemRandom):
        _tell(f"SystemRandom.{function.__name__}", _NUMBERS)
    return function(*args, **kwargs)


def _tell(name: str, remedy: str, is_read: bool = True, place: Location | None = None) -> None:
    """Raises StagingError in a loop of the graph, and warns elsewhere in a trace, once for each name. is_read: whether
    it only gives a value; place: where, if not here."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        return
    place = place or user_location()
    where = "" if place is None else f" (at {place})"
    if in_a_loop(graph):
        raise StagingError(
            f"{name!r} is called in the body of a loop that depends on a tensor{where}: it would be read once, while"
            f" the function is traced, and be the same value in each iteration. Use {remedy}"
        )
    told = _TOLD.of(graph)
    if name in told:
        return
    told.add(name)
    what = "is read while the function is traced", "the graph keeps this value for all calls"
    if not is_read:
        what = "writes while the function is traced", "that happens once for each trace, not once for each call"
    text = f"{name!r} {what[0]}{where}: {what[1]}. Use {remedy}"
    warnings.warn_explicit(
        text, TraceEffectWarning, "<unknown>" if place is None else place.filename, 0 if place is None else place.lineno
    )
