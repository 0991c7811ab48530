"""Elementwise operations that follow each other become one kernel: each element is read once, and what only the
kernel itself reads is never in memory.

    result = build.fusion.add(build, operation, operands)       # a Memory that has no data yet
    build.fusion.close(build)                                    # writes the kernel; now it has

A group takes elementwise operations whose results have one shape, until something else than a kernel wants to read or
write arrays. Only then it is known which of its results are read elsewhere, and thus stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from runtime.native.elementwise import broadcast_dims
from runtime.native.kernel_body import Step, fits
from runtime.native.kernels import write_kernel
from runtime.native.values import Memory, NativeValue

if TYPE_CHECKING:
    from runtime.native.build import Build

__all__ = ["Fusion"]

MOST_STEPS: Final = 200
MOST_ARRAYS: Final = 24
"""What one kernel may read: more would not stay in registers."""
MOST_CALLS: Final = 12
"""How many of numpy's loops one kernel calls: each has a buffer of its own."""


@dataclass(slots=True)
class Group:
    """The operations of a kernel, in program order."""

    dims: tuple[str, ...]
    steps: list[Step] = field(default_factory=list)
    read: dict[int, Memory] = field(default_factory=dict)
    """By their ids the arrays from outside."""
    done_with: list[Memory] = field(default_factory=list)
    """Arrays that nobody reads after the kernel."""
    own: set[int] = field(default_factory=set)
    """The ids of the results."""
    calls: int = 0

    def append(self, step: Step) -> None:
        arrays = [o for o in step.operands if isinstance(o, Memory)]
        self.read.update((id(o), o) for o in arrays if id(o) not in self.own)
        self.steps.append(step)
        self.own.add(id(step.result))
        self.calls += step.loop is not None

    def takes(self, dims: tuple[str, ...], step: Step) -> bool:
        """Whether an operation may be one of them."""
        calls = self.calls + (step.loop is not None)
        arrays = len(self.read) + len(step.operands)
        return dims == self.dims and len(self.steps) < MOST_STEPS and arrays <= MOST_ARRAYS and calls <= MOST_CALLS


class Fusion:
    """The group that is open in one function, if any."""

    def __init__(self) -> None:
        self.group: Group | None = None

    def add(self, build: Build, step: Step) -> Memory:
        """The result of an operation on arrays. Raises Refused."""
        dims = broadcast_dims(build, step.operands)
        step.result.dims, step.result.dtype = dims, step.operation.outputs[0].dtype
        for operand in step.operands:
            if isinstance(operand, Memory) and operand.turned:
                step.result.lies_as(operand)
        if self.group is not None and not self.group.takes(dims, step):
            self.close(build)
        if self.group is None:
            self.group = Group(dims)
        self.group.append(step)
        return step.result

    def keeps(self, value: Memory) -> bool:
        """Whether an array that its graph is done with is still to be read by the kernel, which releases it then."""
        if self.group is None:
            return False
        if id(value) in self.group.read:
            self.group.done_with.append(value)
            return True
        return id(value) in self.group.own

    def is_pending(self, value: NativeValue) -> bool:
        """Whether it is an array that the open group computes."""
        return self.group is not None and id(value) in self.group.own

    def is_flat(self) -> bool:
        """Whether no array that the open group reads is broadcast."""
        return self.group is not None and all(fits(array, self.group.dims) for array in self.group.read.values())

    def taken(self, build: Build, apart: Memory | None = None) -> Group:
        """The open group, for a kernel that is written now. What its graph still holds of the results has memory, apart
        from this one."""
        group, self.group = self.group, None
        assert group is not None
        for step in group.steps:
            if step.result.owned and step.result is not apart:
                made = build.new_result(step.operation.outputs[0], group.dims)
                step.result.data, step.result.header = made.data, made.header
        return group

    def close(self, build: Build) -> None:
        """Writes the kernel of the operations so far."""
        if self.group is None:
            return
        group = self.taken(build)
        write_kernel(build, group.dims, group.steps)
        for value in group.done_with:
            build.drop(value)
