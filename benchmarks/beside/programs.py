"""Forty programs as scientists write them, with the sizes that they use: beside numpy, and beside numba on all cores.

One text for all: `prange` is Python's `range` for numpy and for ours, and numba's own for numba.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from benchmarks.beside import programs_fields, programs_matrices, programs_numbers
from benchmarks.beside.work import Action, Target, Work, ours, written

__all__ = ["SCIENCE", "WORKS"]

SCIENCE = "programs of scientists"


def _numbas(program: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[[], Action]:
    def make() -> Action:
        import numba

        vars(sys.modules[program.__module__])["prange"] = numba.prange
        return written(numba.njit(program, parallel=True), arguments)

    return make


def _numpys(program: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[[], Action]:
    return lambda: written(program, arguments)


WORKS = [
    Work(
        f"{program.__module__.rpartition('_')[2]}: {program.__name__}",
        {"runtime": ours(program, arguments), "numba": _numbas(program, arguments),
         "numpy": _numpys(program, arguments)},
        (Target(("numpy",), 1.0),), group=SCIENCE,
    )
    for module in (programs_fields, programs_matrices, programs_numbers)
    for program, arguments in module.PROGRAMS
]  # fmt: skip
