"""A hundred ordinary small programs over plain values: each takes a size, and runs for some milliseconds in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from benchmarks.plain import (
    containers,
    dynamic,
    functions,
    graphs,
    matrices,
    numbers,
    objects,
    recursion,
    sorting,
    texts,
)  # fmt: skip

__all__ = ["PROGRAMS"]

PROGRAMS: Final[dict[Callable[[int], Any], int]] = {
    program: size
    for module in (
        containers, dynamic, functions, graphs, matrices, numbers, objects, recursion, sorting, texts,
    )
    for program, size in module.PROGRAMS.items()
}  # fmt: skip
"""Each program, and the size at which it is measured."""
