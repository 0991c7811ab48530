"""Objects of libraries whose state is not in attributes: how to read it and put it back; and what is inside of others.

    rng = random.Random(1)
    if x > 0:
        y = rng.random()       # moves the generator while tracing, whichever way the graph goes: it is refused

Files that are written to are none of them: what goes there is, as what is printed, an effect of the trace.
"""

from __future__ import annotations

import array
import contextlib
import copy
import io
import operator
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

__all__ = ["Hidden", "called_inside", "generator_of", "hidden_states"]

_DRAW: Final = (
    "Use the operations of runtime.random, which draw anew in each run; or draw the number outside of the statement."
)
_READ: Final = "Read what is needed, or write it, outside of the statement; runtime.print prints when the graph runs."
_NUMBERS: Final = "Use a list or a tensor instead, or make the change outside of the statement."


@dataclass(frozen=True, slots=True)
class Hidden:
    """A class of such objects. `word`: how messages call it; the rest as in `runtime.heap.kinds`."""

    type: type
    word: str
    read: Callable[[Any], Any]
    write: Callable[[Any, Any], None] | None
    same: Callable[[Any, Any], bool]
    remedy: str


def hidden_states() -> tuple[Hidden, ...]:
    """All such classes."""
    generator = "random number generator"
    return (
        Hidden(random.Random, generator, _state_of_random, random.Random.setstate, operator.eq, _DRAW),
        Hidden(np.random.RandomState, generator, _state_of_old, np.random.RandomState.set_state, _look_alike, _DRAW),
        Hidden(np.random.Generator, generator, _state_of_new, _put_new, _look_alike, _DRAW),
        Hidden(io.StringIO, "text buffer", _state_of_buffer, _put_buffer, operator.eq, _READ),
        Hidden(io.BytesIO, "buffer", _state_of_buffer, _put_buffer, operator.eq, _READ),
        Hidden(io.TextIOBase, "file", _position, None, operator.eq, _READ),
        Hidden(io.BufferedReader, "file", _position, None, operator.eq, _READ),
        Hidden(array.array, "array", array.array.tobytes, _put_array, operator.eq, _NUMBERS),
    )


def generator_of(module: ModuleType, named: tuple[str, ...]) -> Any:
    """The generator behind the functions of a module: `random.random()`, `np.random.rand()`; None for other modules.

    named: the names that the code uses, of which one may be a function of the module.
    """
    if module is random:
        function: Any = random.random
    elif module is np.random or (module is np and "random" in named):
        function = np.random.rand
    else:
        return None
    return function.__self__


def _state_of_random(owner: random.Random) -> Any:
    try:
        return owner.getstate()
    except NotImplementedError:  # SystemRandom has none
        return None


def _state_of_old(owner: np.random.RandomState) -> Any:
    return owner.get_state(legacy=False)


def _state_of_new(owner: np.random.Generator) -> Any:
    return copy.deepcopy(owner.bit_generator.state)


def _put_new(owner: np.random.Generator, state: Any) -> None:
    owner.bit_generator.state = state


def _look_alike(a: Any, b: Any) -> bool:
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_look_alike(a[key], b[key]) for key in a)
    return bool(np.array_equal(a, b))


def _state_of_buffer(owner: Any) -> Any:
    return None if owner.closed else owner.__getstate__()


def _put_buffer(owner: Any, state: Any) -> None:
    if state is not None and not owner.closed:
        owner.__setstate__(state)


def _position(owner: Any) -> Any:
    """Where a file that is read stands; None for one that is written to, and for one that cannot say it."""
    try:
        return None if owner.closed or owner.writable() or not owner.seekable() else owner.tell()
    except (OSError, ValueError):
        return None


def _put_array(owner: array.array[Any], content: bytes) -> None:
    del owner[:]
    owner.frombytes(content)


def called_inside(function: FunctionType) -> Iterator[Any]:
    """What a function of a library calls: what it wraps, and the manager that it was made of (`@manager`)."""
    if "__wrapped__" in function.__dict__:
        yield function.__dict__["__wrapped__"]
        names = function.__code__.co_freevars
        for name, cell in zip(names, function.__closure__ or (), strict=True):
            if name == "self" and isinstance(cell.cell_contents, contextlib.ContextDecorator):
                yield cell.cell_contents
