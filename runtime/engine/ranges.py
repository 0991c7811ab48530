"""Which integers a scalar can be: an addition that cannot leave its dtype needs no test for it.

    while v1 < v2:                    # v1 counts from 0 and is below v2 here, so v1 + 1 is at most v2:
        v0 = v0 + v1                  # this may be too large, but never too small
        if v0 > 2147483647: v0 -= 4294967296
        v1 = v1 + 1                   # no test at all (and the loop counts: engine.counted)

A range is `(least, greatest)`, and true of the number as the plan holds it. That may lie outside of its dtype where
only sums and products read it, which give the same for a number that is wrapped around later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from runtime.dtypes import DType
from runtime.engine.values import is_scalar
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked
from runtime.ops.arrays.shape import cast
from runtime.ops.elementwise.arithmetic import add, subtract
from runtime.ops.elementwise.compare import greater, greater_equal, less, less_equal
from runtime.ops.elementwise.logic import logical_and
from runtime.ops.flow.core import constant_node
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.ops.records.record import Op

__all__ = [
    "MOST", "MOST_EXACT", "SIDES", "Range", "Ranged", "joined_ranges", "keeps_all", "loop_ranges", "range_of",
    "result_range", "step_of", "whole", "within", "wrapping",
]  # fmt: skip

Range = tuple[int, int]


class Ranged(Protocol):
    """A value of which a range may be known: a constant, what an engine has found out, or all of its dtype."""

    @property
    def dtype(self) -> DType: ...

    @property
    def constant(self) -> Any: ...

    @property
    def range(self) -> Range | None: ...



MOST: Final[Range] = -(1 << 80), 1 << 80
"""What waits to be wrapped stays within: Python's integers get slower with their size."""

MOST_EXACT: Final[Range] = -(1 << 130), 1 << 130
"""The same for what may not be wrapped: a product of two of 64 bits, and a sum with it."""


def whole(dtype: DType) -> Range:
    """All integers of a dtype."""
    return int(dtype.min), int(dtype.max)


def keeps_all(source: DType, target: DType) -> bool:
    """Whether both are integers, and each of one dtype is one of the other."""
    return source.is_integer and target.is_integer and within(whole(source), whole(target))


def within(inner: Range, outer: Range) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def range_of(value: Ranged) -> Range:
    """What is known of a scalar of an integer dtype."""
    if value.constant is not None:
        number = int(value.constant)
        return number, number
    return value.range or whole(value.dtype)


# -- results ------------------------------------------------------------------------------------------------------


def _product(a: Range, b: Range) -> Range:
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _square(a: Range) -> Range:
    least = 0 if a[0] <= 0 <= a[1] else min(a[0] * a[0], a[1] * a[1])
    return least, max(a[0] * a[0], a[1] * a[1])


def _quotient(a: Range, b: Range) -> Range | None:
    if b[0] <= 0:
        return None  # zero, or -1, which leaves the dtype
    corners = [x // y for x in a for y in b]
    return min(corners), max(corners)


def _remainder(a: Range, b: Range) -> Range | None:
    if b[0] <= 0:
        return None
    return (a if a[0] >= 0 and a[1] < b[0] else (0, b[1] - 1 if a[0] < 0 else min(a[1], b[1] - 1)))


def _magnitude(a: Range) -> Range:
    return (0 if a[0] <= 0 <= a[1] else min(abs(a[0]), abs(a[1]))), max(abs(a[0]), abs(a[1]))


def _common_bits(a: Range, b: Range) -> Range | None:
    """`a & b`, where one of them is not negative: no more than that one."""
    ends = [r[1] for r in (a, b) if r[0] >= 0]
    return (0, min(ends)) if ends else None


def _other_bits(a: Range, b: Range) -> Range | None:
    """`a | b` and `a ^ b` of numbers that are not negative: no more bits than they have."""
    return (0, (1 << max(a[1], b[1]).bit_length()) - 1) if a[0] >= 0 and b[0] >= 0 else None


_RULES: Final[dict[str, Callable[..., Range | None]]] = {
    "{0} + {1}": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "{0} - {1}": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "{0} * {1}": _product,
    "{0} * {0}": _square,
    "{0} // {1}": _quotient,
    "{0} % {1}": _remainder,
    "-{0}": lambda a: (-a[1], -a[0]),
    "~{0}": lambda a: (~a[1], ~a[0]),
    "abs({0})": _magnitude,
    "max({0}, {1})": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    "min({0}, {1})": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "{0} & {1}": _common_bits,
    "{0} | {1}": _other_bits,
    "{0} ^ {1}": _other_bits,
    "{0} >> {1}": lambda a, b: (a[0] >> b[0], a[1] >> b[0]) if b[0] == b[1] >= 0 else None,
    "{0}": lambda a: a,
    "+{0}": lambda a: a,
    "int({0})": lambda a: a,
}
"""By the expression of a record, the range of what it gives before that is wrapped; None: nothing is known."""

_BY_NUMBER: Final = re.compile(r"(\{0\} (?:\*|>>) )(\d+)")
"""The expression of a shift by a known number of bits."""


def result_range(expression: str, operands: Sequence[Ranged]) -> Range | None:
    """The range of an expression over integers, before it is wrapped around."""
    if not all(v.dtype.is_integer for v in operands):
        return None
    ranges = [*map(range_of, operands)]
    if (by_number := _BY_NUMBER.fullmatch(expression)) is not None:
        expression, number = by_number[1] + "{1}", int(by_number[2])
        ranges[1:] = [(number, number)]
    rule = _RULES.get(expression)
    return None if rule is None else rule(*ranges)


def wrapping(register: str, found: Range | None, dtype: DType, refusal: str = "") -> tuple[str, Range]:
    """The statement that wraps a number of a signed dtype around, and the range afterwards. refusal: what is done
    instead, of any dtype."""
    least, greatest = limits = whole(dtype)
    size = greatest - least + 1
    wrapped = f"{register} = ({register} + {-least} & {size - 1}) - {-least}"
    if found is not None and found[0] >= least:
        once = found[1] <= greatest + size
        return f"if {register} > {greatest}: {refusal or (f'{register} -= {size}' if once else wrapped)}", limits
    if found is not None and found[1] <= greatest:
        once = found[0] >= least - size
        return f"if {register} < {least}: {refusal or (f'{register} += {size}' if once else wrapped)}", limits
    return f"if not {least} <= {register} <= {greatest}: {refusal or wrapped}", limits


def joined_ranges(operation: Operation, ends: Sequence[Sequence[Ranged]]) -> list[Range | None]:
    """The range of each result of branches, of which `ends` are the values at their ends."""
    found: list[Range | None] = []
    for i, tensor in enumerate(operation.outputs):
        ranges = [range_of(end[i]) for end in ends] if is_scalar(tensor) and tensor.dtype.is_integer else []
        found.append((min(r[0] for r in ranges), max(r[1] for r in ranges)) if ranges else None)
    return found


# -- loops --------------------------------------------------------------------------------------------------------


def loop_ranges(
    operation: Operation, operands: Sequence[Ranged]
) -> tuple[list[Range | None], list[Range | None]]:
    """For each state of a loop its range in the body, and its range before each test and after the loop.

    Known of what only counts: it starts somewhere, each turn adds the same constant, and the test keeps it on one side
    of something that the loop does not change.
    """
    test, body = operation.attributes["cond_graph"], operation.attributes["body_graph"]
    inside: list[Range | None] = [None] * len(body.outputs)
    around: list[Range | None] = list(inside)
    limits = _limits(test, operands, len(body.outputs))
    for i, (state, following, operand) in enumerate(zip(body.inputs, body.outputs, operands, strict=False)):
        if not is_scalar(state) or not state.dtype.is_integer:
            continue
        step = step_of(state, following)
        start, (least, greatest) = range_of(operand), limits.get(i, (None, None))
        if following is state:
            inside[i] = around[i] = start
        elif (grows := _growth(body, state, following, operands)) is not None:
            most = int(state.dtype.max) if greatest is None else greatest
            inside[i] = min(start[0], most), most
            around[i] = start[0], max(start[1], min(int(state.dtype.max), most + grows))
        elif step is not None and step > 0 and greatest is not None and greatest + step <= int(state.dtype.max):
            inside[i] = min(start[0], greatest), greatest
            around[i] = start[0], max(start[1], greatest + step)
        elif step is not None and step < 0 and least is not None and least + step >= int(state.dtype.min):
            inside[i] = least, max(start[1], least)
            around[i] = min(start[0], least + step), start[1]
    return inside, around


def _growth(
    body: Graph, state: SymbolicTensor, following: SymbolicTensor, operands: Sequence[Ranged]
) -> int | None:
    """The most that a turn adds to a state, if that is an operand of the loop that is never negative, and the sum never
    wraps around."""
    if following.op.op is not add or not is_checked(following):
        return None
    for first, second in (following.op.inputs, following.op.inputs[::-1]):
        place = next((i for i, t in enumerate(body.inputs) if t is second), 0)
        if first is state and place >= len(body.outputs):
            least, most = range_of(operands[place])
            return most if least >= 0 else None
    return None


def step_of(state: SymbolicTensor, following: SymbolicTensor) -> int | None:
    """What each turn adds to a state, if that is a constant."""
    operation = following.op
    if operation.op is not add and operation.op is not subtract:
        return None
    a, b = operation.inputs
    if a is state and b.op.op is constant_node and is_scalar(b):
        number = int(b.op.attributes["value"])
        return number if operation.op is add else -number
    if b is state and operation.op is add and a.op.op is constant_node and is_scalar(a):
        return int(a.op.attributes["value"])
    return None


_Limit = tuple[int | None, int | None]
SIDES: Final[dict[Op, tuple[bool, int]]] = {
    less: (True, -1), less_equal: (True, 0), greater: (False, 1), greater_equal: (False, 0),
}  # fmt: skip
"""By comparison: whether its left operand lies below the right one, and the distance that it keeps."""


def _limits(test: Graph, operands: Sequence[Ranged], states: int) -> dict[int, _Limit]:
    """By the number of a state, between what the test of a loop lets it be while the body runs."""
    positions = {id(t): i for i, t in enumerate(test.inputs)}
    found: dict[int, _Limit] = {}

    def known(tensor: SymbolicTensor) -> Range | None:
        """The range of what no turn of the loop changes."""
        while tensor.op.op is cast and keeps_all(tensor.op.inputs[0].dtype, tensor.dtype):
            (tensor,) = tensor.op.inputs
        position = positions.get(id(tensor))
        if position is not None:
            return range_of(operands[position]) if position >= states else None
        if tensor.op.op is constant_node and is_scalar(tensor):
            number = int(tensor.op.attributes["value"])
            return number, number
        return None

    def limit(tensor: SymbolicTensor, other: SymbolicTensor, below: bool, distance: int) -> None:
        position, reach = positions.get(id(tensor)), known(other)
        if position is None or position >= states or reach is None:
            return
        least, greatest = found.get(position, (None, None))
        if below:
            bound = reach[1] + distance
            found[position] = least, bound if greatest is None else min(greatest, bound)
        else:
            bound = reach[0] + distance
            found[position] = bound if least is None else max(least, bound), greatest

    for comparison in _conditions(test):
        below, distance = SIDES[comparison.op]
        a, b = comparison.inputs
        limit(a, b, below, distance)
        limit(b, a, not below, -distance)
    return found


def _conditions(test: Graph) -> Iterable[Operation]:
    """The comparisons of integers that all hold where the test of a loop does."""
    pending = list(test.outputs)
    while pending:
        operation = pending.pop().op
        if operation.op is logical_and:
            pending += operation.inputs
        elif operation.op in SIDES and all(is_scalar(t) and t.dtype.is_integer for t in operation.inputs):
            yield operation
