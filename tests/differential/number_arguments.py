"""Programs on numbers, called with Python's numbers: two values get traces of their own, all others one trace.

    check_number_arguments(argument_program(7))     # six calls of one Function beside Python; dtypes, too

What a trace of single values gives is given by the trace of all values: integers as int32 where they fit, floats as
float32, as a literal that is returned.
"""

from __future__ import annotations

import math
import warnings
from random import Random
from typing import Any

import numpy as np

import runtime

from .grammar import Program, Values
from .oracle import Endless, Verdict, limited, loaded
from .staged import DOCUMENTED, TRACING, reason_of
from .values import HEADER, value_program

__all__ = ["argument_program", "check_number_arguments"]

FAMILIES = ("numbers", "numbers", "text", "tables")
CALLS = 6
LARGEST = 1e30
"""Larger floats are no literals of float32."""


def argument_program(seed: int) -> Program:
    """The program of a seed."""
    rng = Random(f"arguments {seed}")
    written = value_program(seed, rng.choice(FAMILIES))
    numbers = (0, 1, -1, 2, 3, 7, -12, 40, 123, 65, 99, 1000)
    values = rng.sample(numbers, CALLS)
    others = rng.sample(numbers, CALLS) if rng.random() < 0.6 else [rng.choice(numbers)] * CALLS
    floats = rng.sample((1.5, -2.25, 0.0, 30.125, 0.1, 7.0), CALLS)
    return Program(seed, written.text, tuple(zip(values, others, floats, strict=True)))


def check_number_arguments(program: Program) -> Verdict:
    """Compares the Function with the function."""
    with loaded(HEADER + program.text, f"<program of arguments {program.seed}>") as names:
        function = runtime.function(names["program"])
        for values in program.candidates:
            verdict = _compare(names["program"], function, values)
            if verdict is not None:
                return verdict
    return Verdict("same")


def _compare(program: Any, function: Any, values: Values) -> Verdict | None:
    wanted: Any = None
    error: BaseException | None = None
    try:
        with limited():
            wanted = program(*values)
    except Endless:
        return None
    except Exception as raised:
        error = raised
    if error is None and not _fits(wanted):
        return None
    try:
        with warnings.catch_warnings(), limited(TRACING):
            warnings.simplefilter("ignore")
            found = function(*values)
    except (Exception, Endless) as raised:
        if error is not None and isinstance(raised, type(error)):
            return None
        if isinstance(raised, Endless):
            return Verdict("refused", "its trace takes too long", values)
        if isinstance(raised, (*DOCUMENTED, TypeError)):
            return Verdict("refused", reason_of(raised), values)
        return Verdict("differs", f"error is {type(raised).__name__}: {raised}, not {error!r}", values)
    if error is not None:
        return Verdict("differs", f"result is {found}, not {error!r}", values)
    return None if _is_same(found, wanted) else Verdict("differs", f"result is {found}, not {wanted}", values)


def _fits(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_fits, value))
    return not isinstance(value, float | int) or (abs(value) < (LARGEST if isinstance(value, float) else 2**31))


def _is_same(found: Any, wanted: Any) -> bool:
    if isinstance(found, runtime.Tensor) and isinstance(wanted, list):  # a list that the graph has made
        found = list(found)
    if isinstance(wanted, list | tuple):
        same = isinstance(found, list | tuple) and len(found) == len(wanted)
        return same and all(map(_is_same, found, wanted))
    value = np.asarray(found).item()
    if isinstance(wanted, float):
        dtypes = (runtime.float32, runtime.float64)
        near = math.isclose(value, wanted, rel_tol=1e-6, abs_tol=1e-6) or (math.isnan(value) and math.isnan(wanted))
        return near and found.dtype in dtypes
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    return bool(value == wanted) and (type(wanted) is not bool or found.dtype is runtime.bool)
