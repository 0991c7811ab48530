"""A value of a graph in machine code: a number in a register, or an array in memory with a count of its holders.

    Number("%v3", float64)
    Memory("%v4", "%v5", ("%v6", "8"), float64)         # data, header, dims

Arrays lie in C order without gaps. The header begins with the number of holders (an int64): who holds the only one
writes to the array in place, everybody else to a copy. This is reference counting with reuse, as in Reinking, Xie,
de Moura and Leijen, "Perceus: Garbage Free Reference Counting with Reuse" (PLDI 2021).
"""

from __future__ import annotations

from dataclasses import dataclass

from runtime.dtypes import DType
from runtime.engine.ranges import Range

__all__ = ["Memory", "NativeValue", "Number"]


@dataclass(slots=True)
class Number:
    """A scalar: the register or the literal that it is."""

    text: str
    dtype: DType
    range: Range | None = None
    """Between what an integer lies, where that is known (runtime.engine.ranges)."""

    @property
    def constant(self) -> int | None:
        """The integer that it is, where it is a literal."""
        return int(self.text) if self.dtype.is_integer and self.text.lstrip("-").isdecimal() else None


@dataclass(slots=True)
class Memory:
    """An array. `owned`: whether the graph that is being written has a count for it to give away. `fixed`: it is
    written to in place without a question, and stays where it is (runtime.native.in_place). `scattered`: a copy of what
    numpy has as a view with gaps, for which its loops may round in another way: it is read element by element only.
    `turned`: one with axes that are in another order in numpy's memory, which keeps that order where it makes new
    arrays of it."""

    data: str
    header: str
    dims: tuple[str, ...]
    dtype: DType
    owned: bool = False
    fixed: bool = False
    scattered: bool = False
    turned: bool = False

    constant = range = None

    def lies_as(self, array: Memory, gaps: bool = False, turned: bool = False) -> Memory:
        """The array itself, a new one, which is marked as what numpy makes of `array` or shows of it. gaps: it is a
        view; turned: it changes the order of axes."""
        self.turned = (array.turned or turned) and len(self.dims) > 1
        self.scattered = self.turned or gaps
        return self


NativeValue = Number | Memory
