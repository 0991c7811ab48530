"""Code of the texts that are written here, compiled once for those that are the same.

Plans and guards of one function for several types often differ in nothing but the objects that they hold.

Example:
    exec(code_of("def plan(x):\\n    return multiply(x, x)", "<plan of f>"), {"multiply": np.multiply})
"""

from __future__ import annotations

import marshal
from functools import lru_cache
from types import CodeType
from typing import Final

LONGEST: Final = 10_000
"""A longer text is not kept."""


def code_of(text: str, filename: str) -> CodeType:
    """A code object of its own each time: what the interpreter learns of the names and types in it is not shared."""
    if len(text) > LONGEST:
        return compile(text, filename, "exec")
    return marshal.loads(_compiled(text, filename))


@lru_cache(maxsize=256)
def _compiled(text: str, filename: str) -> bytes:
    return marshal.dumps(compile(text, filename, "exec"))
