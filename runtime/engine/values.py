"""What a plan knows of a value while it writes code: under which names it can be had, and who owns its memory.

A value of rank 0 has two forms. *Array* is what kernels take: an ndarray of the exact dtype. *Scalar* is what Python's
operators take: a Python number for bool, integers, float64 and complex128 (their operators are exact there, once
integers are wrapped), a numpy scalar for the other numbers (whose operators round as the kernels do). A form is made
when first asked for, at the place where the value was made, so that a loop never converts what does not change in it:

    v2 = v0.item()                    # v0 is an array of rank 0
    while v1 < v2:
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from runtime.dtypes import DType, bool_, complex128, float64
from runtime.ops.records.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Block", "Storage", "Value", "is_python_number", "is_scalar", "small"]

SMALL_BYTES = 1024
"""A dead value of at most this size waits for its name to be used again instead of being deleted."""


def is_python_number(dtype: DType) -> bool:
    """Whether scalars of the dtype are held as Python numbers."""
    return dtype is bool_ or dtype is float64 or dtype is complex128 or dtype.is_integer


def is_scalar(tensor: SymbolicTensor) -> bool:
    """Whether the tensor can be held in scalar form: rank 0 for certain, and no string."""
    return tensor.shape.dims == () and tensor.dtype.family != "string"


def small(tensor: SymbolicTensor) -> bool:
    elements = tensor.shape.num_elements()
    return elements is not None and elements * tensor.dtype.size <= SMALL_BYTES


@dataclass(slots=True)
class Block:
    """Lines of generated code: (indentation, text, the operation that the line runs)."""

    depth: int
    loops: int
    lines: list[tuple[int, str, Any]] = field(default_factory=list)

    def emit(self, text: str, operation: Any = None) -> None:
        self.lines.append((self.depth, text, operation))


@dataclass(slots=True)
class Storage:
    """A buffer: whether the plan made it itself, and how many live values share it.

    Inside a nested graph an operand has a storage of its own; `source` is that of the same buffer outside.
    """

    owned: bool
    source: Storage | None = None
    holders: int = 0

    def escape(self) -> None:
        """The buffer may have been handed on under another name: from now on nobody writes to it."""
        storage: Storage | None = self
        while storage is not None:
            storage.owned = False
            storage = storage.source


class Value:
    """A value in generated code. `outer` is the same value outside of the block, for one that is only borrowed."""

    __slots__ = (
        "array", "block", "constant", "dtype", "is_part", "outer", "range", "registers", "root", "scalar", "small",
        "storage",
    )  # fmt: skip

    def __init__(
        self,
        tensor: SymbolicTensor,
        block: Block,
        storage: Storage,
        *,
        array: str | None = None,
        scalar: str | None = None,
        registers: tuple[str, ...] = (),
        root: bool = False,
        outer: Value | None = None,
        constant: Array | None = None,
        range: tuple[int, int] | None = None,
    ) -> None:
        self.dtype = tensor.dtype
        self.small = is_scalar(tensor) or (root and small(tensor))
        self.block = block
        self.storage = storage
        storage.holders += 1
        self.array = array
        self.scalar = scalar
        self.registers = registers
        """The locals that die with the value."""
        self.root = root
        """True: the value is the whole of its buffer and no view."""
        self.is_part = False
        """Whether it is a view of some elements of its buffer, each of them once."""
        self.outer = outer
        self.constant = constant
        self.range = range
        """Between what the integer lies, if it is a scalar and that is known: see engine.ranges."""

    @property
    def exclusive(self) -> bool:
        """Whether nothing else can see the buffer, so that it may be written to when the value dies."""
        return self.root and self.storage.owned and self.storage.holders == 1
