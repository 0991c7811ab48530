"""All works, by their names."""

from __future__ import annotations

from typing import Final

from benchmarks.beside import arrays, networks, programs, scalars
from benchmarks.beside.work import Work

__all__ = ["WORKS"]

WORKS: Final[dict[str, Work]] = {
    work.name: work for module in (arrays, scalars, networks, programs) for work in module.WORKS
}
