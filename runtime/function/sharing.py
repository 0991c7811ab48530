"""Arrays of a call that share memory with each other, or with arrays that the function finds in places of the program.

    def f(o, v): v[0] = 5.0; return o.a[0]     # f(o, w): one trace; f(o, o.a), f(o, o.a[1:]): one for each way

A trace is made for arguments that share nothing. It knows what it reads and writes elsewhere; where a call has an
argument that shares memory with that, and some of it is written to, another trace is made, in which all of them are
views of one buffer (`runtime.function.given_places`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from runtime.function.array_arguments import wrong_memory
from runtime.ndarrays.captured import ArrayMemory
from runtime.ndarrays.overlaps import Pattern, Placed, are_apart, groups_of, meets_itself, pattern_of, repeats_of

if TYPE_CHECKING:
    from runtime.function.concrete import ConcreteFunction

__all__ = ["Callers", "Sharing", "are_apart_in", "callers_of", "is_right_for", "sharing_of"]


class Sharing(NamedTuple):
    """How arguments share memory with each other, and with arrays elsewhere: part of the key of a trace. Numbers are
    those of inputs; words are what the user calls the others."""

    same: tuple[tuple[int, str], ...]
    """The arguments that are such an array."""
    groups: tuple[tuple[tuple[Any, int, tuple[int, ...]], ...], ...]
    """As a `Pattern`."""


class Callers(NamedTuple):
    """The arrays of a call that share memory, with the numbers of their inputs. pattern: how they lie, where there are
    but specs of them."""

    arrays: Placed = ()
    pattern: Pattern = ()


def callers_of(sharing: Sharing | None, placed: Placed) -> Callers:
    """For a trace for calls whose arrays share memory in this way. placed: those of one, or specs of them."""
    if sharing is None:
        return Callers()
    if any(isinstance(array, np.ndarray) for _, array in placed):
        return Callers(placed)
    return Callers(pattern=tuple([group for group in sharing.groups if all(type(n) is int for n, *_ in group)]))


class _Other(NamedTuple):
    """An array that runs find elsewhere."""

    array: Any
    words: str
    is_written: bool


def are_apart_in(trace: ConcreteFunction, tensors: Any) -> bool:
    """Whether the arguments of a call share no memory with anything, as is known at a look."""
    arrays = [array for _, array in tensors.arrays]
    if arrays and not are_apart(arrays, (other.array for other in _others(trace, len(tensors)))):
        return False
    return not any(number in trace.uses.written and meets_itself(array) for number, array in tensors.arrays)


def sharing_of(trace: ConcreteFunction, tensors: Any, own: Any) -> Sharing | None:
    """How the arguments of a call share memory, where some of that is written to; None where they do not, and where
    nobody can tell how. tensors: as the trace takes them; own: as one for these arguments alone does."""
    others = {-1 - i: other for i, other in enumerate(_others(trace, len(tensors)))}
    elsewhere = [(number, other.array) for number, other in others.items()]
    written = {*trace.uses.written, *(number for number, other in others.items() if other.is_written)}
    if not _matters(trace.uses.asks_identity, written, [*tensors.arrays, *elsewhere]):
        return None
    rows = [*own.arrays, *elsewhere]
    pattern = pattern_of([group for group in groups_of(rows) if group[-1][0] >= 0])
    if pattern is None:
        return None
    words: dict[int, Any] = {number: other.words for number, other in others.items()}
    same = tuple([(first, words[number]) for number, first in repeats_of(rows) if number < 0 <= first])
    return Sharing(same, tuple([tuple([(words.get(n, n), at, by) for n, at, by in group]) for group in pattern]))


def is_right_for(trace: ConcreteFunction, tensors: Any) -> bool:
    """Whether the arrays of a call, and those that runs find in places now, share memory as in the trace."""
    places = {number: array for number, _, array in trace.state.arrays(len(tensors))}
    return wrong_memory(trace, dict(tensors.arrays) | places) is None


def _matters(asks_identity: bool, written: set[int], rows: Placed) -> bool:
    """Whether something is written to that arguments share with each other or with others, whose numbers are below
    zero; or whether they are one of these, where a trace asks for that."""
    repeats = [pair for pair in repeats_of(rows) if pair[0] < 0 <= pair[1]]
    if repeats and asks_identity:
        return True
    written = written | {first for number, first in repeats if number in written}
    groups = [[number for number, _ in group] for group in groups_of(rows)]
    return any(not written.isdisjoint(group) for group in [*repeats, *groups] if max(group) >= 0)


def _others(trace: ConcreteFunction, first: int) -> Iterator[_Other]:
    """What a trace finds elsewhere. first: the number of its inputs for arguments."""
    for number, words, array in trace.state.arrays(first):
        if number not in trace.uses.unread:
            yield _Other(array, words, number in trace.uses.written)
    for memory in trace.captured_inputs:
        if isinstance(memory, ArrayMemory):
            yield _Other(memory.array, memory.name, True)
    for find, _, name in trace.reads:
        if (array := find()) is not None:
            yield _Other(array, name, False)
