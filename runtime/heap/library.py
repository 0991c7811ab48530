"""The kinds of objects of libraries whose state is not in attributes: how to read it and put it back.

    rng = random.Random(1)
    if x > 0:
        y = rng.random()       # moves the generator while tracing, whichever way the graph goes: it is refused

    with open("log.txt", "w") as log:
        if x > 0:
            log.write("pos")   # refused, and what was written is cut off again

What goes to the terminal is none of them: it is an effect of the trace, as what `print` shows.
"""

from __future__ import annotations

import array
import copy
import ctypes
import io
import logging
import mmap
import operator
import random
import sys
import threading
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from runtime.heap.kind import Kind

__all__ = ["CONTEXT_VARIABLE", "LIBRARY_KINDS"]

_DRAW: Final = (
    "Use the operations of runtime.random (uniform for random.random, normal for gauss, ...) or a"
    " runtime.random.Generator, which draw anew in each run; or draw the number outside."
)
_READ: Final = "Read what is needed, or write it, outside of the statement; runtime.print prints when the graph runs."
_NUMBERS: Final = "Use a list or a tensor instead, or make the change outside of the statement."
_RUN: Final = (
    "Do it outside of the statement, or in a function that runs with the graph (runtime.py_function, runtime.print)."
)


# -- generators of random numbers


def _state_of_random(owner: random.Random) -> Any:
    try:
        return owner.getstate()
    except NotImplementedError:  # SystemRandom has none
        return None


def _state_of_bits(owner: np.random.BitGenerator) -> Any:
    return copy.deepcopy(owner.state)


def _put_bits(owner: np.random.BitGenerator, state: Any) -> None:
    owner.state = state


def _look_alike(a: Any, b: Any) -> bool:
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_look_alike(a[key], b[key]) for key in a)
    return bool(np.array_equal(a, b))


# -- files and buffers


def _state_of_buffer(owner: Any) -> Any:
    return None if owner.closed else owner.__getstate__()


def _put_buffer(owner: Any, state: Any) -> None:
    if state is not None and not owner.closed:
        owner.__setstate__(state)


def _is_terminal(owner: Any) -> bool:
    return any(owner is stream for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__))


@dataclass(frozen=True, eq=False, slots=True)
class _FileState:
    """What a file says of itself; two files, or ends of branches, with the same state may hold other texts."""

    is_closed: bool
    position: int | None = None
    end: int | None = None


def _state_of_file(owner: Any) -> _FileState:
    if _is_terminal(owner):
        return _FileState(False)
    try:
        if owner.closed or not owner.seekable():
            return _FileState(owner.closed)
        position = owner.tell()
        if not owner.writable():
            return _FileState(False, position)
        end = owner.seek(0, io.SEEK_END)
        owner.seek(position)
        return _FileState(False, position, end)
    except (OSError, ValueError):
        return _FileState(False)


def is_written(value: Any) -> bool:
    """Whether it is a file that can be written to: what is overwritten in it, or cut off, nobody can put back."""
    if not isinstance(value, io.IOBase) or isinstance(value, io.StringIO | io.BytesIO) or _is_terminal(value):
        return False
    return not value.closed and value.writable()


def _same_file(a: _FileState, b: _FileState) -> bool:
    return (a.is_closed, a.position, a.end) == (b.is_closed, b.position, b.end)


def _put_file(owner: Any, state: _FileState) -> None:
    """Cuts off what was written at the end, and goes back to the place. What is closed, or overwritten, stays so."""
    if not owner.closed and state.position is not None:
        if state.end is not None:
            owner.truncate(state.end)
        owner.seek(state.position)


def _put_array(owner: array.array[Any], content: bytes) -> None:
    del owner[:]
    owner.frombytes(content)


def _state_of_view(owner: memoryview) -> Any:
    try:
        return owner.tobytes()
    except ValueError:  # released
        return None


def _put_view(owner: memoryview, content: Any) -> None:
    try:
        if content is None or owner.readonly:
            return
    except ValueError:  # released meanwhile
        return
    held: Any = owner.cast("B") if owner.contiguous else None
    if held is not None:
        held[:] = content


def _state_of_mapped(owner: Any) -> tuple[bytes, int] | None:
    return None if owner.closed else (owner[:], owner.tell())


def _put_mapped(owner: Any, state: tuple[bytes, int] | None) -> None:
    if state is not None and not owner.closed:
        owner[:] = state[0]
        owner.seek(state[1])


# -- locks, context variables, loggers


def _put_lock(owner: Any, is_locked: bool) -> None:
    if is_locked and not owner.locked():
        owner.acquire(blocking=False)
    elif owner.locked() and not is_locked:
        owner.release()


def _state_of_reentrant(owner: Any) -> int:
    count: int = owner._recursion_count()
    return count


def _put_reentrant(owner: Any, count: int) -> None:
    while owner._recursion_count() > count:
        owner.release()
    while owner._recursion_count() < count:
        owner.acquire(blocking=False)


def _value_in_context(owner: ContextVar[Any]) -> dict[Any, Any]:
    try:
        return {None: owner.get()}
    except LookupError:
        return {}


def _put_in_context(owner: ContextVar[Any], contents: dict[Any, Any]) -> None:
    """A variable that had no value cannot be made so again: that is refused before (`runtime.heap.opaque`)."""
    if contents and (not (now := _value_in_context(owner)) or now[None] is not contents[None]):
        owner.set(contents[None])


_OF_LOGGERS: Final = ("level", "disabled", "propagate", "parent")


def _state_of_logger(owner: logging.Logger) -> Any:
    settings = [vars(owner).get(name) for name in _OF_LOGGERS]
    return settings, [*owner.filters], [*owner.handlers], getattr(owner, "manager", None) and owner.manager.disable


def _put_logger(owner: logging.Logger, state: Any) -> None:
    for name, value in zip(_OF_LOGGERS, state[0], strict=True):
        setattr(owner, name, value)
    owner.filters[:], owner.handlers[:] = state[1], state[2]
    owner.setLevel(state[0][0])  # which forgets what was found out with the other one


def _whole(word: str, read: Any, write: Any, remedy: str, is_value: bool = False) -> Kind:
    return Kind(word, "whole", read, write, same=operator.eq, remedy=remedy, is_value=is_value)


def _momentary(word: str, read: Any, write: Any, remedy: str, same: Any = operator.eq) -> Kind:
    return Kind(word, "whole", read, write, same=same, remedy=remedy, is_momentary=True)


def _drawing(read: Any, write: Any, same: Any = operator.eq) -> Kind:
    kind = _momentary("random number generator", read, write, _DRAW, same)
    return replace(kind, happens="numbers are drawn")


_CDATA: Final[Any] = ctypes.c_int.__mro__[2]
_FILES: Final = (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.BufferedRandom, io.FileIO)
_FILE: Final = _momentary("file", _state_of_file, _put_file, _READ, _same_file)

CONTEXT_VARIABLE: Final = Kind("context variable", "keys", _value_in_context, _put_in_context)

LIBRARY_KINDS: Final[tuple[tuple[type, Kind], ...]] = (
    (random.Random, _drawing(_state_of_random, random.Random.setstate)),
    (np.random.RandomState, _drawing(
        lambda owner: owner.get_state(legacy=False), np.random.RandomState.set_state, _look_alike
    )),
    (np.random.Generator, _drawing(
        lambda owner: _state_of_bits(owner.bit_generator), lambda owner, state: _put_bits(owner.bit_generator, state),
        _look_alike,
    )),
    (np.random.BitGenerator, _drawing(_state_of_bits, _put_bits, _look_alike)),
    (io.StringIO, _momentary("text buffer", _state_of_buffer, _put_buffer, _READ)),
    (io.BytesIO, _momentary("buffer", _state_of_buffer, _put_buffer, _READ)),
    *((kind, _FILE) for kind in _FILES),
    (array.array, _whole("array", array.array.tobytes, _put_array, _NUMBERS, is_value=True)),
    (memoryview, _whole("memoryview", _state_of_view, _put_view, _NUMBERS, is_value=True)),
    (mmap.mmap, _whole("memory map", _state_of_mapped, _put_mapped, _RUN)),
    (_CDATA, _whole("object of C", bytes, lambda o, held: ctypes.memmove(ctypes.byref(o), held, len(held)), _NUMBERS)),
    (type(threading.Lock()), _momentary("lock", lambda owner: owner.locked(), _put_lock, _RUN)),
    (type(threading.RLock()), _momentary("lock", _state_of_reentrant, _put_reentrant, _RUN)),
    (ContextVar, CONTEXT_VARIABLE),
    (logging.Logger, _whole("logger", _state_of_logger, _put_logger, _RUN)),
)
"""By class, in the order in which they are looked for."""
