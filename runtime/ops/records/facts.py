"""Facts of operations that are yes or no: `@op(..., wraps=True)`, and `multiply.facts.wraps` where one is asked for.

They stand on the record, so that no engine, pass or rule keeps a table of the names of operations.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Facts"]


@dataclass(frozen=True, slots=True)
class Facts:
    """What holds of an operation; see the module's docstring."""

    wraps: bool = False
    """Its kernel wraps integers around. It computes with floats and Python's integers as well."""
    numpy_view: bool = False
    """NumPy's function of this kind gives a view. (Others may share memory in a plan, as `identity` and `cast` do, and
    are copies to the program.)"""
    any_order: bool = False
    """Of integers it gives the same, in whatever order elements are put together."""
    commutes: bool = False
    """Of numbers and bools it gives the same with its operands in either order."""
    runs_code: bool = False
    """It runs Python code of the user, which may read and write any Variable."""
    tame: bool = False
    """Its gradients are zeros wherever the upstream is: no factor of them can be infinite."""
    zeros: bool = False
    """All elements of its result are zeros."""
    of_text: bool = False
    """It does what Python does with a str: where all the texts that it is given are Python's own, its result is one."""
    statement: bool = False
    """It is a statement of the user's program: errors show its line and do not speak of an operation."""
