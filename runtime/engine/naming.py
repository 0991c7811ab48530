"""What generated code calls things: kernels and constants are globals (`add`, `c0`), values are locals (`v0`, `v1`).

    names = Names()
    names.bind(np.add, "add")         # "add": the generated function finds np.add under this global name
    registers = Registers()
    registers.take()                  # "v0", free again after release("v0")

A local is reused once its value is dead, so that a chain of operations needs a handful of locals and frees each
buffer at its last use.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Sequence
from typing import Any

__all__ = ["Names", "RegisterState", "Registers", "identifier"]

RegisterState = tuple[dict[str, None], int]
"""The free registers, and how many there are."""

_OWN_NAMES = re.compile(
    r"[avcn]\d+$|block_\d+$|silence$|restore$|explain$|error$|quiet$|frames$|raise_limit$|restore_limit$"
)


def identifier(text: str) -> str:
    """The text as a Python identifier that hides no builtin and no name that generated code uses itself."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    if not name or name[0].isdigit():
        name = f"_{name}"
    taken = keyword.iskeyword(name) or hasattr(builtins, name) or _OWN_NAMES.match(name)
    return f"{name}_" if taken else name


class Names:
    """The globals of a generated function: objects under readable names, each object once."""

    def __init__(self) -> None:
        self.globals: dict[str, Any] = {}
        self._names: dict[int, str] = {}
        self._constants = 0

    def bind(self, value: Any, hint: str) -> str:
        """The name under which the generated code finds this very object."""
        name = self._names.get(id(value))
        if name is None:
            name = self._names[id(value)] = self.reserve(hint)
            self.globals[name] = value
        return name

    def reserve(self, hint: str) -> str:
        """A name for what the generated code defines itself."""
        base = name = identifier(hint)
        number = 2
        while name in self.globals:
            name = f"{base}_{number}"
            number += 1
        self.globals[name] = None
        return name

    def bind_constant(self, value: Any) -> str:
        """The name of a constant: `c0`, `c1`, ..."""
        name = f"c{self._constants}"
        self._constants += 1
        self.globals[name] = value
        return name


class Registers:
    """The local variables `v0`, `v1`, ...: which are free."""

    def __init__(self) -> None:
        self._free: dict[str, None] = {}
        self._made = 0
        self._pool: list[str] = []

    def take(self) -> str:
        """A free register, or a new one."""
        if self._free:
            return self._free.popitem()[0]
        name = self.fresh()
        self._pool.append(name)
        return name

    def take_exactly(self, name: str) -> bool:
        """Takes this register if it is free."""
        if name in self._free:
            del self._free[name]
            return True
        return False

    def fresh(self) -> str:
        """A register that no code written so far has touched."""
        name = f"v{self._made}"
        self._made += 1
        return name

    def release(self, names: Sequence[str]) -> None:
        self._free.update(dict.fromkeys(names))

    def snapshot(self) -> RegisterState:
        """The state at the start of a block, for `reset`."""
        return dict(self._free), len(self._pool)

    def reset(self, state: RegisterState) -> None:
        """The end of a block: everything that was taken inside of it is free again."""
        free, count = state
        self._free = free | dict.fromkeys(self._pool[count:])
