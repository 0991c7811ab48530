"""Addresses that are given again as soon as their object is gone, to which CPython comes only now and then.

    with reused_ids(seed=3, modules=("runtime.control_flow",)):
        program()        # `id` in these modules gives new objects the numbers of dead ones

What is remembered by the address of an object that nobody keeps is found for another object then, every time.
"""

from __future__ import annotations

import builtins
import random
import sys
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

__all__ = ["reused_ids"]

LONG_LIVED = (
    type, ModuleType, FunctionType, BuiltinFunctionType, CodeType, int, float, complex, str, bytes, type(None)
)  # fmt: skip
"""They may have been met before; there is no point in numbers of their own."""

NEWEST = 4
"""A new object gets the number of one of the objects that died last."""


class _Ids:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._numbers: dict[int, int] = {}
        self._alive: dict[int, Any] = {}
        """By address, the weak reference of an object; the object itself if it can have none."""
        self._free: list[int] = []
        self._made = 0

    def __call__(self, value: Any) -> int:
        address = builtins.id(value)
        if isinstance(value, LONG_LIVED):
            return address
        if address not in self._numbers:
            self._forget_dead()
            self._numbers[address] = self._number()
            try:
                self._alive[address] = weakref.ref(value, lambda _: self._forget(address))
            except TypeError:
                self._alive[address] = value
        return self._numbers[address]

    def _number(self) -> int:
        if self._free:
            return self._free.pop(self._random.randrange(max(0, len(self._free) - NEWEST), len(self._free)))
        self._made += 1
        return self._made

    def _forget_dead(self) -> None:
        for address in list(self._alive):
            if address not in self._alive or isinstance(self._alive[address], weakref.ref):
                continue  # it was part of one before; or it tells us itself
            if sys.getrefcount(self._alive[address]) == _ALONE:
                self._forget(address)

    def _forget(self, address: int) -> None:
        self._free.append(self._numbers.pop(address))
        del self._alive[address]


_PROBE = {0: [0]}
_ALONE = sys.getrefcount(_PROBE[0])
"""What `getrefcount` says of an object that only a dict holds."""


@contextmanager
def reused_ids(seed: int, modules: Sequence[str]) -> Iterator[None]:
    """While code runs: `id` in modules whose names start with these gives numbers as described above."""
    ids = _Ids(seed)
    found = [module for name, module in list(sys.modules.items()) if name.startswith(tuple(modules))]
    patches = [patch.object(module, "id", ids, create=True) for module in found]
    for one in patches:
        one.start()
    try:
        yield
    finally:
        for one in patches:
            one.stop()
