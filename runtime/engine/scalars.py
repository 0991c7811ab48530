"""Scalar arithmetic as Python expressions: `v1 = v1 + v2` instead of a kernel on arrays of rank 0, ten times faster.

An operation's record may have a `scalar` expression, e.g. "{0} + {1}". Here it is decided where it may be used and what
must surround it, so that the result is bit for bit that of the kernel:

- integers are wrapped to their width after operators that can leave it, as far as is known of the operands: `v1 & 255`,
  or for signed ones `if v1 > 127: v1 -= 256` or `if not -128 <= v1 <= 127: v1 = (v1 + 128 & 255) - 128`;
- Python raises on a division by zero where IEEE has inf and nan: such a divisor takes the kernel;
- float32 and the other numpy scalars only take part in operators that numpy itself defines on them.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from runtime.dtypes import DType, bool_, complex128, float32, float64
from runtime.engine.ranges import MOST, MOST_EXACT, Range, keeps_all, range_of, result_range, whole, within, wrapping
from runtime.engine.values import Value, is_python_number, is_scalar
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.overflow import is_checked, too_large
from runtime.ops.arrays.shape import cast
from runtime.ops.elementwise.arithmetic import add, floordiv, floormod, multiply, negative, square, subtract
from runtime.ops.elementwise.bitwise import left_shift, right_shift
from runtime.ops.elementwise.compare import equal, greater, greater_equal, less, less_equal, not_equal
from runtime.ops.elementwise.logic import where
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["as_integers", "emit_integer", "emit_scalar", "has_scalar_form", "scalar_text", "waiting"]

_NUMPY_OPERATOR = re.compile(r"\{0\} (\+|-|\*|/|<|<=|>|>=|==|!=) \{1\}|\{0\} \* \{0\}|-\{0\}|abs\(\{0\}\)|\{0\}")
_CHOICE = "{1} if {0} else {2}"
_AS_FLOAT32 = "{float32}({0})"
_WRAPPED = "+{0}"
"""An integer in a dtype that may be too narrow for it."""
_FLOAT64_KEEPS = -(1 << 53), 1 << 53
"""Integers that are exact as floats of Python's."""
_KEEPS: Final = {float32: (-(1 << 24), 1 << 24), float64: _FLOAT64_KEEPS}
_BESIDE: Final = frozenset({add, subtract, multiply, less, less_equal, greater, greater_equal, equal, not_equal})
"""Operators that take an exact integer beside a float as that float."""
_BUILTINS = frozenset(function.__name__ for function in (abs, min, max, int, float, bool, complex))
_REFUSED = (ast.Pow, ast.LShift)  # they raise, or build huge integers, on ordinary operands
_KEEP_RANGE = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Mod, ast.RShift)
_OF_COMPLEX: Final = frozenset({add, subtract, multiply, negative, square, equal, not_equal, where, cast})
"""What Python computes of complex numbers as numpy does; it divides in another way."""
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)
_RING = frozenset({add, subtract, multiply, negative, square})
"""What gives the same, wrapped around at the end, whether or not the operands have been."""


_TAKE_LARGE: Final = {
    floordiv: 1, floormod: 1, less: 2, less_equal: 2, greater: 2, greater_equal: 2, equal: 2, not_equal: 2,
}  # fmt: skip
"""Operations that are exact on Python's integers of any size, and how many operands of theirs may be so."""


@dataclass(frozen=True, slots=True)
class Expression:
    """What the text of a `scalar` expression says about itself."""

    usable: bool
    divisor: int | None
    """The operand that must not be zero, unless the expression has a condition of its own."""
    true_division: bool
    may_leave_range: bool


@lru_cache(maxsize=1024)
def analyse(text: str) -> Expression:
    """Reads a `scalar` expression of a record."""
    tree = ast.parse(re.sub(r"\{(\w+)\}", r"_\1", text), mode="eval").body
    nodes = list(ast.walk(tree))
    names = {n.id for n in nodes if isinstance(n, ast.Name) and not re.fullmatch(r"_(\d+|float32)", n.id)}
    operators = [n for n in nodes if isinstance(n, ast.BinOp)]
    guarded = any(isinstance(n, ast.IfExp) for n in nodes)
    divisions = [n for n in operators if isinstance(n.op, _DIVISIONS)]
    usable = names <= _BUILTINS and not any(isinstance(n.op, _REFUSED) for n in operators)
    divisor = None
    if divisions and not guarded:
        right = divisions[0].right
        plain = len(divisions) == 1 and isinstance(right, ast.Name) and right.id not in _BUILTINS
        usable = usable and plain
        divisor = int(right.id[1:]) if isinstance(right, ast.Name) and plain else None
    leaves = any(not isinstance(n.op, _KEEP_RANGE) for n in operators)
    leaves = leaves or any(isinstance(n, ast.UnaryOp) and not isinstance(n.op, ast.Not) for n in nodes)
    leaves = leaves or bool(names & {"abs", "int"})
    return Expression(usable, divisor, any(isinstance(n.op, ast.Div) for n in divisions), leaves)


def scalar_text(operation: Operation) -> str | None:
    """The record's expression for operands of this dtype."""
    if operation.op is cast:
        if operation.attributes["exact"] and not operation.outputs[0].dtype.is_integer:
            return None
        return _cast_text(operation.inputs[0].dtype, operation.outputs[0].dtype)
    if operation.op in (left_shift, right_shift):
        return _shift_text(operation)
    return operation.op.int_scalar if operation.inputs[0].dtype.is_integer else operation.op.scalar


def _shift_text(operation: Operation) -> str | None:
    """Shifts by a known number of bits that is smaller than the width; numpy shifts by others, too, Python does not."""
    bits, dtype = operation.inputs[1].value, operation.inputs[0].dtype
    if bits is None or bits.ndim or not 0 <= int(bits) < 8 * dtype.size:
        return None
    return f"{{0}} >> {int(bits)}" if operation.op is right_shift else f"{{0}} * {1 << int(bits)}"


def _cast_text(source: DType, target: DType) -> str | None:
    """`cast`, whose expression depends on both dtypes. From floats to integers C decides what is out of range."""
    if source is target or keeps_all(source, target):
        return "{0}"
    if source.is_complex or target.is_complex:
        return "complex({0})" if target is complex128 and is_python_number(source) else None
    if not is_python_number(source):
        return "float({0})" if source is float32 and target is float64 else None
    if target is float32:
        return _AS_FLOAT32
    if target is bool_:
        return "{0} != 0"
    if target is float64:
        return "float({0})"
    if not target.is_integer or source is float64:
        return None
    return _WRAPPED if source.is_integer else "int({0})"


def has_scalar_form(operation: Operation) -> bool:
    """Whether the operation can be written as a Python expression on scalars."""
    if len(operation.outputs) != 1 or not operation.inputs:
        return False
    text = scalar_text(operation)
    if text is None or not all(map(is_scalar, (*operation.inputs, operation.outputs[0]))):
        return False
    if not analyse(text).usable:
        return False
    if operation.inputs[0].dtype is complex128 and operation.op not in _OF_COMPLEX:
        return False
    python = [is_python_number(t.dtype) for t in operation.inputs]
    if text == _CHOICE or operation.op is cast or (all(python) and is_python_number(operation.outputs[0].dtype)):
        return True
    same = len({t.dtype for t in operation.inputs}) == 1 and not any(python)
    return same and _NUMPY_OPERATOR.fullmatch(text) is not None and not operation.inputs[0].dtype.is_complex


def emit_scalar(emitter: Emitter, operation: Operation) -> None:
    """Writes the statement, and the one that wraps an integer."""
    result = operation.outputs[0]
    expression = scalar_text(operation)
    assert expression is not None
    facts = analyse(expression)
    operands = [emitter.scalar_of(t) for t in operation.inputs]
    texts = [f"({t})" if t.startswith("-") else t for t in operands]
    python = is_python_number(operation.inputs[0].dtype)
    if python and facts.true_division and operation.inputs[0].dtype is not float64:
        texts = [f"float({t})" for t in texts]
    single = emitter.names.bind(np.float32, "float32") if "{float32}" in expression else ""
    text = expression.format(*texts, float32=single)
    first = emitter.values[id(operation.inputs[0])]
    if (id(result) in emitter.integers and within(range_of(first), _KEEPS[result.dtype])) or expression == _WRAPPED:
        text = operands[0]
    elif expression == _AS_FLOAT32 and not _is_exact(first):  # Python rounds twice
        least, greatest = _FLOAT64_KEEPS
        text = f"{text} if {least} <= {operands[0]} <= {greatest} else {emitter.kernel_on_scalars(operation)}"
    if python and facts.divisor is not None and not _never_zero(operands[facts.divisor]):
        text = f"{text} if {operands[facts.divisor]} else {emitter.kernel_on_scalars(operation)}"
    if not result.dtype.is_integer:
        emitter.define(operation, text, scalar=True)
        return
    found = result_range(expression, [emitter.values[id(t)] for t in operation.inputs])
    emit_integer(emitter, operation, text, found, facts.may_leave_range)


def emit_integer(
    emitter: Emitter, operation: Operation, text: str, found: Range | None = None, may_leave_range: bool = True
) -> None:
    """Writes the statement of an integer, and what wraps or refuses one that leaves its dtype. found: its range."""
    result = operation.outputs[0]
    safe = not may_leave_range or (found is not None and within(found, whole(result.dtype)))
    refuses = is_checked(result) or operation.attributes.get("exact") is True
    most = MOST_EXACT if refuses else MOST
    waits = not safe and id(result) in emitter.waiting and found is not None and within(found, most)
    if result.dtype.is_unsigned and not safe and not waits and not refuses:
        text, found = f"({text}) & {_modulus(result.dtype) - 1}", None
    register = emitter.define(operation, text, scalar=True)
    if not safe and not waits and (refuses or not result.dtype.is_unsigned):
        refusal = f"{emitter.names.bind(too_large, 'too_large')}({register}, {result.dtype.name!r})" if refuses else ""
        statement, found = wrapping(register, found, result.dtype, refusal)
        emitter.block.emit(statement, operation)
    emitter.values[id(result)].range = found


def _is_exact(value: Value) -> bool:
    """Whether a number is an integer that a float of Python's holds, or a float."""
    return not value.dtype.is_integer or within(range_of(value), _FLOAT64_KEEPS)


def as_integers(graph: Graph) -> set[int]:
    """The ids of floats that are made of integers and are read beside other floats alone: there the integer will do,
    if the float holds it."""

    def is_made(tensor: SymbolicTensor) -> bool:
        operation = tensor.op
        return operation.op is cast and tensor.dtype in _KEEPS and operation.inputs[0].dtype.is_integer

    casts = [o for o in graph.operations if o.op is cast and is_made(o.outputs[0]) and has_scalar_form(o)]
    found = {id(o.outputs[0]) for o in casts}
    found.difference_update(map(id, graph.outputs))
    for operation in graph.operations if found else ():
        made = [is_made(tensor) for tensor in operation.inputs]
        if not (operation.op in _BESIDE and sum(made) == 1 and has_scalar_form(operation)):
            found.difference_update(map(id, operation.inputs))
    return found


def waiting(graph: Graph) -> set[int]:
    """The ids of the tensors that only sums and products of the same graph read: they are wrapped around with those.

    Numbers that must not wrap around wait for what is divided, too: `a * b % m` is exact, however large the product is.
    Where only one of two must not wrap around, each is looked at by itself.
    """
    made, read = set(), set(map(id, graph.outputs))
    for operation in graph.operations:
        scalar = bool(operation.inputs) and operation.inputs[0].dtype.is_integer and has_scalar_form(operation)
        if scalar and operation.op in _RING:
            made.add(id(operation.outputs[0]))
            refuses = is_checked(operation.outputs[0])
            read.update(id(t) for t in operation.inputs if is_checked(t) != refuses)
        elif scalar and operation.op in _TAKE_LARGE and all(map(is_checked, operation.inputs)):
            read.update(map(id, operation.inputs[_TAKE_LARGE[operation.op] :]))
        else:
            read.update(map(id, operation.inputs))
    return made - read


def _never_zero(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", text) is not None and float(text) != 0


def _modulus(dtype: DType) -> int:
    return 1 << (8 * dtype.size)
