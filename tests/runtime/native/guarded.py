"""Programs with guard pages around every buffer: one element out of bounds ends the process.

    python -m tests.runtime.native.guarded [--all | --break]

Memory that machine code asks for comes from pages of its own, at their end, before a page that nobody may touch, and
so do the arguments of regions. The few bytes between an odd end and the page hold a pattern that is looked at when the
memory is given back. Without --all every third program runs. With --break the check of positions is left out, which
must end the process: so it is known that the pages work.
"""

from __future__ import annotations

import copy
import ctypes
import faulthandler
import mmap
import sys

import numpy as np

import runtime as tf
from runtime.native import compiler, objects
from runtime.native.region import Region
from runtime.native.writer import Writer
from tests.runtime.native import test_lists
from tests.runtime.native.programs import PROGRAMS
from tests.runtime.native.test_programs import of_numbers

PAGE = mmap.PAGESIZE
FILL = 0xA5

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
_libc.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
_libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)

_open: dict[int, tuple[int, int, int]] = {}
counts = {"made": 0, "freed": 0}


def allocated(size: int) -> int:
    """Memory whose end is at most 15 bytes before a page that nobody may touch; another one is before it."""
    rounded = (size + 15) & ~15
    pages = (rounded + PAGE - 1) // PAGE or 1
    base = _libc.mmap(None, (pages + 2) * PAGE, 3, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    assert base not in (None, ctypes.c_void_p(-1).value)
    for guard in (base, base + (pages + 1) * PAGE):
        assert _libc.mprotect(guard, PAGE, 0) == 0
    end = base + (pages + 1) * PAGE
    ctypes.memset(base + PAGE, FILL, pages * PAGE)
    _open[end - rounded] = (base, pages, size)
    counts["made"] += 1
    return end - rounded


def freed(address: int | None) -> None:
    """Gives memory back, after a look at what is before and behind it."""
    if not address:
        return
    base, pages, size = _open.pop(address)
    before = ctypes.string_at(base + PAGE, address - base - PAGE)
    behind = ctypes.string_at(address + size, base + (pages + 1) * PAGE - address - size)
    if (before + behind).strip(bytes([FILL])):
        faulthandler.dump_traceback()
        ctypes.CDLL(None).abort()
    _libc.munmap(base, (pages + 2) * PAGE)
    counts["freed"] += 1


_malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(allocated)
_free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(freed)


def guarded(value: object) -> object:
    """An array in pages of its own; other values as they are."""
    if not isinstance(value, np.ndarray) or not value.flags.c_contiguous:
        return value
    place = allocated(value.nbytes)
    made = np.frombuffer((ctypes.c_char * value.nbytes).from_address(place), value.dtype).reshape(value.shape)
    made[...] = value
    return made


def main() -> None:
    faulthandler.enable()
    places = objects.addresses()
    places |= {"malloc": ctypes.cast(_malloc, ctypes.c_void_p).value, "free": ctypes.cast(_free, ctypes.c_void_p).value}
    compiler.addresses = lambda: places
    tf.config.native_cache(False)
    programs = [*PROGRAMS, *((program, (argument,)) for program, argument in test_lists.PROGRAMS)]
    if "--all" not in sys.argv:
        programs = programs[::3]
    if "--break" in sys.argv:
        Writer.fail_unless = lambda self, *condition: None
        programs = [(beyond, (np.arange(70.0), 71))]
    direct = Region.function.fget
    Region.function = property(lambda region: lambda *values: direct(region)(*map(guarded, values)))
    for function, arguments in programs:
        wanted = None if function is beyond else function(*copy.deepcopy(arguments))
        given = [of_numbers(value) for value in copy.deepcopy(arguments)]
        found = tf.function(function, backend="native")(*given)
        test_lists.same(found, wanted)
    print(f"{len(programs)} programs, {counts['made'] > 100}, {counts['freed'] > 100}")


def beyond(a, n):
    total = 0.0
    for i in range(n):
        total += a[i % n]
    return total


if __name__ == "__main__":
    main()
