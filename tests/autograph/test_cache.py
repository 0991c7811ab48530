"""What is remembered about functions dies with them, is made once, and survives threads and forks."""

from __future__ import annotations

import gc
import linecache
import os
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import autograph
from autograph import conversion
from autograph.cache import IdentityCache
from autograph.operators import call as call_module

TEXT = """
def made(x):
    total = 0
    for i in range(x):
        if i % 2:
            total += {number}
    return total
"""


class Key:
    """Equal to all others of its kind."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key)

    def __hash__(self) -> int:
        return 1


def make(number: int) -> FunctionType:
    """A new function with a source of its own."""
    name = f"<made {number}>"
    text = TEXT.format(number=number)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {"__name__": "made_here"}
    exec(compile(text, name, "exec"), namespace)
    function: FunctionType = namespace.pop("made")
    return function


def test_keys_count_by_identity() -> None:
    cache: IdentityCache[Key, int] = IdentityCache()
    one, two = Key(), Key()
    cache.put(one, 1)
    assert (cache.get(one), cache.get(two), cache.by_id(id(one)), len(cache)) == (1, None, 1, 1)
    cache.put(two, 2)
    cache.put(one, 11)
    assert (cache.get(one), cache.get(two), len(cache)) == (11, 2, 2)


def test_entries_die_with_their_keys() -> None:
    cache: IdentityCache[Key, str] = IdentityCache()
    keys = [Key() for _ in range(100)]
    for key in keys:
        cache.put(key, "value")
    del keys[50:], key
    assert len(cache) == 50
    cycle = Key()
    cycle.itself = cycle  # type: ignore[attr-defined]
    cache.put(cycle, "value")
    del cycle
    gc.collect()
    assert len(cache) == 50


def test_replacing_a_value_does_not_shorten_its_life() -> None:
    cache: IdentityCache[Key, int] = IdentityCache()
    key = Key()
    for number in range(3):
        cache.put(key, number)
        gc.collect()
    assert cache.get(key) == 2
    del key
    assert len(cache) == 0


def test_a_value_is_made_once_by_many_threads() -> None:
    cache: IdentityCache[Key, object] = IdentityCache()
    key = Key()
    made: list[object] = []
    found: list[object] = []
    barrier = threading.Barrier(8)

    def make_slowly() -> object:
        threading.Event().wait(0.01)
        made.append(object())
        return made[-1]

    def ask() -> None:
        barrier.wait()
        found.append(cache.get_or_make(key, make_slowly))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert found == made * 8


def test_a_failure_is_not_remembered() -> None:
    cache: IdentityCache[Key, int] = IdentityCache()
    key = Key()
    with pytest.raises(ZeroDivisionError):
        cache.get_or_make(key, lambda: 1 // 0)
    assert cache.get_or_make(key, lambda: 3) == 3


def test_making_may_ask_the_same_cache() -> None:
    cache: IdentityCache[Key, int] = IdentityCache()
    one, two = Key(), Key()
    assert cache.get_or_make(one, lambda: cache.get_or_make(two, lambda: 1) + 1) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_can_make_values_although_the_lock_was_held_at_the_fork() -> None:
    cache: IdentityCache[Key, int] = IdentityCache()
    held, release = threading.Event(), threading.Event()

    def hold() -> int:
        held.set()
        release.wait()
        return 1

    first, second = Key(), Key()
    thread = threading.Thread(target=lambda: cache.get_or_make(first, hold))
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        os._exit(7 if cache.get_or_make(second, lambda: 7) == 7 else 1)
    release.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_a_cache_can_die() -> None:
    cache: IdentityCache[Key, int] = IdentityCache()
    gone = weakref.ref(cache)
    del cache
    gc.collect()
    assert gone() is None


def test_threads_convert_one_function_at_the_same_moment() -> None:
    function = make(-1)
    found: list[Any] = []
    barrier = threading.Barrier(16)

    def convert() -> None:
        barrier.wait()
        for _ in range(20):
            converted = autograph.to_graph(function)
            found.append((converted(10), converted.__code__))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=convert) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(found) == 320
    assert {value for value, _ in found} == {function(10)}
    assert len({id(code) for _, code in found}) == 1


def test_functions_die_with_their_last_user() -> None:
    function = make(-2)
    converted = autograph.to_graph(function)
    decorated = autograph.convert(recursive=True)(function)
    assert converted(3) == decorated(3) == function(3)
    watched = [weakref.ref(thing) for thing in (function, converted, function.__code__, converted.__code__)]
    del function, converted, decorated
    gc.collect()
    assert [ref() for ref in watched] == [None] * 4


def sizes() -> dict[str, int]:
    known = {f"templates {options}": len(cache) for options, cache in conversion._templates.items()}
    callees = call_module._callees
    return known | {f"decisions {options}": len(callees[options].decisions) for options in callees}


def rounds(count: int, start: int, use: Callable[[FunctionType], Any]) -> None:
    for number in range(start, start + count):
        use(make(number))
        linecache.cache.pop(f"<made {number}>")


def use(function: FunctionType) -> None:
    assert autograph.to_graph(function)(4) == function(4)
    assert autograph.convert()(function)(4) == function(4)


@pytest.mark.parametrize("count", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_converting_and_dropping_functions_leaves_nothing_behind(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other programs leave theirs in the machine's
    rounds(50, 0, use)
    gc.collect()
    modules, entries = set(sys.modules), sizes()
    lines, objects, blocks = len(linecache.cache), len(gc.get_objects()), sys.getallocatedblocks()
    rounds(count, 50, use)
    gc.collect()
    grown = sys.getallocatedblocks() - blocks
    assert set(sys.modules) == modules
    assert not os.listdir(tempfile.gettempdir())
    assert sizes() == entries
    assert len(linecache.cache) == lines
    assert abs(len(gc.get_objects()) - objects) < count / 2
    assert grown < count * 3 / 2 + 300, "exec itself keeps the file name of each function; nothing else may stay"
