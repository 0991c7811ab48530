"""Rows of algebra: a pattern of operations, and what stands in its place.

    Row("add(x, negative(y))", "subtract(x, y)", FLOATS)

A name stands for any tensor, the same name for the same one; a number or bool for a constant all of whose elements are
that, down to the sign of zero. Patterns are read once, when they are first used.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, bool_
from runtime.graph.operation import Operation
from runtime.graph.overflow import may_leave
from runtime.graph.rebuild import Rebuild
from runtime.ops.flow.core import constant_node
from runtime.ops.records.record import REGISTRY, Op
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Made", "Row", "Term", "is_filled", "stands_for"]

Names = dict[str, SymbolicTensor]

_BOOLS: Final = frozenset({bool_})
"""Conditions, whatever dtype the rest has."""


@dataclass(frozen=True, slots=True)
class Term:
    """An operation on terms, names (str) and literals (int, float, bool)."""

    op: Op
    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """What stands in the place of an operation: another one, on tensors that there are."""

    op: Op
    inputs: tuple[Any, ...]
    """Tensors; arrays are constants that there are not yet."""
    attributes: Mapping[str, Any]

    def in_graph(self, build: Rebuild) -> Made:
        """The same with its constants in the graph."""
        if not any(isinstance(value, np.ndarray) for value in self.inputs):
            return self
        inputs = [build.new_constant(v) if isinstance(v, np.ndarray) else v for v in self.inputs]
        return Made(self.op, tuple(inputs), self.attributes)


@dataclass(frozen=True)
class Row:
    """pattern -> replacement, for operands of these dtypes. exact: whether the results are the same to the last bit."""

    pattern: str
    replacement: str
    dtypes: frozenset[DType]
    exact: bool = True

    @cached_property
    def patterns(self) -> list[Term]:
        """The pattern with the operands of commutative operations in either order."""
        return list(_orders(_read(self.pattern)))

    @cached_property
    def _made(self) -> Any:
        return _read(self.replacement)

    def apply(self, inputs: Sequence[SymbolicTensor], result: SymbolicTensor) -> SymbolicTensor | Made | None:
        """What stands for the result of the pattern's operation on these operands; None if the row does not fit."""
        for pattern in self.patterns:
            names: Names = {}
            if len(inputs) == len(pattern.parts) and all(map(_fits, pattern.parts, inputs, itertools.repeat(names))):
                tensors = names.values()
                return self._replacement(names, result) if {t.dtype for t in tensors} <= self.dtypes | _BOOLS else None
        return None

    def _replacement(self, names: Names, result: SymbolicTensor) -> SymbolicTensor | Made | None:
        if isinstance(self._made, str):
            found = names[self._made]
            return found if stands_for(found, result) else None
        parts = self._made.parts
        return Made(self._made.op, tuple([names[part] for part in parts]), dict(self._made.op.attributes))


def stands_for(tensor: SymbolicTensor, result: SymbolicTensor) -> bool:
    """Whether a tensor may take the place of a result that has its values: the types are the same.

    An operand of a statically known shape is no larger than the result, for all there is in a row broadcasts.
    """
    return (
        tensor.dtype is result.dtype
        and tensor.weak == result.weak
        and tensor.shape.dims == result.shape.dims
        and (tensor.shape.rank == 0 or tensor.shape.is_fully_defined())
    )


def _read(text: str) -> Any:
    return _term(ast.parse(text, mode="eval").body)


def _term(node: ast.expr) -> Any:
    if isinstance(node, ast.Call):
        assert isinstance(node.func, ast.Name)
        return Term(REGISTRY[node.func.id], tuple(map(_term, node.args)))
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def _orders(term: Any) -> Iterator[Any]:
    if not isinstance(term, Term):
        yield term
        return
    for parts in itertools.product(*(list(_orders(part)) for part in term.parts)):
        yield Term(term.op, parts)
        if term.op.facts.commutes and parts[0] != parts[1]:
            yield Term(term.op, parts[::-1])


def _fits(part: Any, tensor: SymbolicTensor, names: Names) -> bool:
    """Whether a tensor is what a part of a pattern asks for; takes note of what names stand for."""
    if isinstance(part, str):
        return names.setdefault(part, tensor) is tensor
    operation: Operation = tensor.op
    if isinstance(part, Term):
        if operation.op is not part.op or may_leave(operation) or not _is_plain(operation):
            return False
        return all(map(_fits, part.parts, operation.inputs, itertools.repeat(names)))
    return operation.op is constant_node and is_filled(operation.attributes["value"], part)


def _is_plain(operation: Operation) -> bool:
    return all(value == operation.op.attributes[name] for name, value in operation.attributes.items())


def is_filled(array: Any, number: Any) -> bool:
    """Whether all elements of an array are this number, with its sign."""
    if array.dtype.kind not in "biuf" or array.size == 0 or (first := array.item(0)) != number:
        return False
    if isinstance(first, bool) != isinstance(number, bool) or math.copysign(1.0, first) != math.copysign(1.0, number):
        return False
    return array.size == 1 or bool(array.tobytes() == array.flat[0].tobytes() * array.size)
