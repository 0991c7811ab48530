"""Numbers of Python's that are bools on some ways: `v = True if x > 0 else 5`, whose flag is `v.or_bool`.

    f"{v}"                  "True", not "1"
    v is True               where it is a bool that is true
    isinstance(v, bool)     the flag

They compute as numbers, as bools do in Python.
"""

from __future__ import annotations

from typing import Any

from runtime.control_flow.optional.flags import both, either, negated
from runtime.ops.records.record import REGISTRY
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["is_as", "is_exactly", "truth_of"]


def truth_of(number: SymbolicTensor) -> Any:
    """The bool that it is where it is one."""
    return REGISTRY["not_equal"](number, 0)


def is_exactly(number: SymbolicTensor, wanted: bool) -> Any:
    """Whether it is True, or False: of a pattern of `match`."""
    truth = truth_of(number)
    return both(number.or_bool, truth if wanted else negated(truth))


def is_as(flag: Any, of_bool: bool, of_number: bool) -> Any:
    """What holds where it is a bool, and else where it is not."""
    return either(both(flag, of_bool), both(negated(flag), of_number))
