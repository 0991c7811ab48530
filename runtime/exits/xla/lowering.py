"""A graph on values that JAX traces: operation by operation, each by its rule, with the graphs inside of it.

    lowering = Lowering(graph.functions, guarded=True)
    outputs = lowering.run(graph, values)         # arrays, Rows for lists, Handles for Variables
    lowering.memory, lowering.failed              # what the Variables are now; whether the numpy plan would have raised

What is known while JAX traces (numpy arrays: shapes, constants, and what comes of them) is computed at once by the
kernel of the record, so a program may compute with shapes. XLA raises nothing. A guarded lowering says in one bool
whether it should have: then nothing that it gave counts, and the plan over numpy tells what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import from_numpy, resource, string, variant
from runtime.errors import OpError
from runtime.exits.expanding import alone
from runtime.exits.problems import Problem
from runtime.exits.rules import EXPANSIONS, STAYS, Refused, arguments_of
from runtime.exits.xla import control as _fill_control
from runtime.exits.xla import lowerings as _fill_rules
from runtime.exits.xla import rules
from runtime.exits.xla.failing import python_failures
from runtime.exits.xla.library import jnp
from runtime.exits.xla.rules import CONTROL, FAILURES, ROOM, RULES, is_known, known
from runtime.exits.xla.values import Handle, Row, row_of
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.overflow import checked, may_leave
from runtime.graph.own_numbers import compute_numbers, is_of_numbers, is_shift, refuse_shift
from runtime.graph.risks import exceptions_of
from runtime.ops.elementwise.numerics import check_finite
from runtime.ops.flow.check import check
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.raising import raise_
from runtime.ops.flow.state import READS, WRITES
from runtime.ops.kernels.narrow import widened
from runtime.ops.records.raises import OF_SHAPES
from runtime.ops.records.record import Op, Operand
from runtime.ops.text.output import print_
from runtime.shapes import TensorShape
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Lowering", "Misfit", "Unlike", "needed", "problems_of", "reason_of"]

del _fill_control, _fill_rules

DEEPEST: Final = 60
"""So many branches, loops and calls may stand inside of each other."""
LARGEST: Final = 1 << 14
"""Results of more elements are computed by the program, and do not stand in it."""
TELLING: Final = frozenset({print_, check, check_finite})
"""Operations without a result that tell of values, or stop for some."""


class Misfit(Exception):
    """With operands of these shapes, or with these known values, the program raises: the numpy plan says what."""


class Unlike(Refused):
    """What one operation refuses, with the operation that it is."""

    def __init__(self, operation: Operation, reason: str) -> None:
        super().__init__(reason)
        self.operation = operation


class Lowering:
    """See the module's docstring. guarded: it knows what fails; dropped: checks and prints are left out."""

    def __init__(self, functions: Mapping[str, Graph], guarded: bool = False, dropped: bool = False) -> None:
        self.functions = functions
        self.guarded = guarded
        self.memory: dict[Handle, Any] = {}
        self.failed: Any = np.asarray(False)
        self.calling: tuple[str, ...] = ()
        self.depth = 0
        self.dropped = dropped
        self.written: dict[int, frozenset[int]] = {}

    def inner(self) -> Lowering:
        """The lowering of a graph inside of this one, which may run or not."""
        made = Lowering(self.functions, self.guarded)
        made.memory, made.dropped, made.written = dict(self.memory), self.dropped, self.written
        made.calling, made.depth = self.calling, self.depth + 1
        if made.depth > DEEPEST:
            raise Refused(f"more than {DEEPEST} branches, loops and calls stand inside of each other")
        return made

    def fail(self, wrong: Any) -> None:
        """From now on nothing counts if any of these bools is true."""
        if self.guarded:
            self.failed = jnp.logical_or(self.failed, jnp.any(wrong))

    def run(self, graph: Graph, values: Sequence[Any]) -> list[Any]:
        """The values of the outputs. Raises Unlike, for the first operation that has no rule; Misfit."""
        values_of = {id(tensor): value for tensor, value in zip(graph.inputs, values, strict=True)}
        for operation in needed(graph, self.guarded, self.dropped):
            given = [values_of.get(id(tensor)) for tensor in operation.inputs]
            made = self._carried_out(operation, given)
            for tensor, value in zip(operation.outputs, made, strict=True):
                values_of[id(tensor)] = _as(value, tensor)
        return [values_of[id(tensor)] for tensor in graph.outputs]

    def _carried_out(self, operation: Operation, given: list[Any]) -> Sequence[Any]:
        try:
            made = self._made(operation, given)
        except Unlike:
            raise
        except Refused as reason:
            raise Unlike(operation, str(reason)) from None
        return made if isinstance(made, tuple | list) else (made,)

    def _made(self, operation: Operation, given: list[Any]) -> Any:
        op = operation.op
        control = CONTROL.get(op)
        if control is not None:
            return control(self, operation, given)
        if op in RULES and op in READS | WRITES:
            return RULES[op](self, operation, *given)
        if not operation.acts and all(map(is_known, given)):
            made = self._folded(operation, given)
            if op not in RULES or sum(np.size(part) for part in made) <= LARGEST:
                return made
        reason = reason_of(op)
        if reason and not (self.guarded and op in _TOLD):
            raise Refused(reason)
        self._fit(operation, given)
        if self.guarded:
            self._guard(operation, given)
        elif op in ROOM and operation.attributes.get("dynamic_size", True):
            known(dict(zip(op.tensors, given, strict=True))[ROOM[op]], "how much room a list needs")
        if op in _TOLD:
            return ()
        for tensor in operation.outputs:
            if tensor.dtype is string:
                raise Refused("it is of texts, which XLA has not")
        rule = RULES.get(op)
        return self._by_simpler(operation, given) if rule is None else rule(**arguments_of(rule, operation, given))

    def _folded(self, operation: Operation, given: list[Any]) -> tuple[Any, ...]:
        """The results of an operation on what is known, by its kernel."""
        arrays = [np.asarray(value) for value in given]
        try:
            if is_of_numbers(operation):
                return (compute_numbers(operation, arrays),)
            if is_shift(operation):
                refuse_shift(int(arrays[1]))
            if may_leave(operation) and self.guarded:
                return (checked(operation.op)(*arrays, **operation.attributes),)
            made = operation.op.run(arrays, operation.attributes)
        except Exception as error:
            if self.guarded:
                raise Misfit(str(error)) from error
            raise Refused(f"it raises {type(error).__name__}: {error}") from error
        return made if isinstance(made, tuple) else (made,)

    def _fit(self, operation: Operation, given: list[Any]) -> None:
        """Raises Misfit, or Refused, where the shapes do not fit that have not been known while it was traced."""
        if all(tensor.shape.is_fully_defined() for tensor in operation.inputs):
            return
        operands = [_operand(value, tensor) for value, tensor in zip(given, operation.inputs, strict=True)]
        try:
            operation.op.infer(operands, operation.attributes)
        except OpError as error:
            raise (Misfit if self.guarded else Refused)(str(error)) from error

    def _guard(self, operation: Operation, given: list[Any]) -> None:
        """Says what fails for the values of operands."""
        kinds = exceptions_of(operation)
        rule = FAILURES.get(operation.op)
        if rule is not None and (kinds or operation.op in ROOM):
            self.fail(rule(**arguments_of(rule, operation, given)))
        elif any(kind not in OF_SHAPES for kind in kinds) and not _is_of_python(operation):
            names = " and ".join(sorted({kind.__name__ for kind in kinds}))
            raise Refused(f"it can raise {names}, of which XLA is not told yet")
        for wrong in python_failures(operation, given):
            self.fail(wrong)

    def _by_simpler(self, operation: Operation, given: list[Any]) -> Any:
        """The results by the operations that stand for this one, whose own checks are of values that do not count."""
        attributes: Mapping[str, Any] = operation.attributes
        if not operation.op.narrow and (wide := widened(given, attributes)) is not None:
            given, attributes = wide  # as its kernel is given float32 for bfloat16
        pairs = zip(given, operation.inputs, strict=True)
        specs = [np.asarray(v) if is_known(v) else _spec(v, tensor) for v, tensor in pairs]
        graph = alone(operation, specs, attributes)
        if graph is None:
            raise Refused("there is a rule for other operands alone")
        guarded, self.guarded = self.guarded, False
        try:
            return self.run(graph, [value for value in given if not is_known(value)])
        except Unlike as inner:
            raise Refused(str(inner)) from None
        finally:
            self.guarded = guarded


def problems_of(graph: Graph, guarded: bool, dropped: bool) -> list[Problem]:
    """What has no rule, whatever it is given: all of it, in the order of the program."""
    graphs = [inner for root in (graph, *graph.functions.values()) for inner in nested_graphs(root)]
    operations = [operation for inner in graphs for operation in needed(inner, guarded, dropped)]
    return [Problem(operation, reason) for operation in operations
            if not (guarded and operation.op in _TOLD) and (reason := reason_of(operation.op))]  # fmt: skip


def reason_of(op: Op) -> str:
    """Why there is no rule for an operation; empty if there is."""
    if op in CONTROL or op in RULES or op is placeholder:
        return ""
    if op in rules.STAYS:
        return rules.STAYS[op]
    if op in EXPANSIONS:
        return ""
    groups = [group.allowed for group in op.groups]
    if any(string in allowed and len(allowed) <= 2 for allowed in groups) or op.result is string:
        return "it is of texts, which XLA has not"
    return STAYS.get(op, "")


def _is_of_python(operation: Operation) -> bool:
    return is_of_numbers(operation) or is_shift(operation)


def needed(graph: Graph, guarded: bool, dropped: bool = False) -> list[Operation]:
    """The operations that something depends on, or that have an effect or may raise. What only tells of an error is
    none of them: the numpy plan tells it."""
    used = {id(tensor) for tensor in graph.outputs}
    found = []
    for operation in reversed(graph.operations):
        op = operation.op
        if op is placeholder or (dropped and op in TELLING):
            continue
        acts = operation.stateful or op.nests or (guarded and any(k not in OF_SHAPES for k in exceptions_of(operation)))
        if acts or any(id(tensor) in used for tensor in operation.outputs):
            found.append(operation)
            used.update(map(id, operation.inputs[: _TOLD[op]] if guarded and op in _TOLD else operation.inputs))
    return found[::-1]


_TOLD: Final = {check: 1, check_finite: 1, raise_: 0}
"""How many operands decide whether such an operation raises."""


def _operand(value: Any, tensor: SymbolicTensor) -> Operand:
    if isinstance(value, Handle | Row):
        return tensor.operand
    return Operand(tensor.dtype, TensorShape(np.shape(value)), np.asarray(value) if is_known(value) else None)


def _spec(value: Any, tensor: SymbolicTensor) -> TensorSpec:
    if isinstance(value, Handle | Row):
        return TensorSpec(tensor.shape, tensor.dtype)
    return TensorSpec(value.shape, from_numpy(value.dtype))


def _as(value: Any, tensor: SymbolicTensor) -> Any:
    """A result in the dtype that the graph says."""
    if tensor.dtype is variant and is_known(value):
        return row_of(value)
    if tensor.dtype in (resource, variant) or isinstance(value, Row | Handle):
        return value
    if isinstance(value, int | float | complex) or is_known(value):
        return np.asarray(value, tensor.dtype.numpy)
    return value if value.dtype == tensor.dtype.numpy else value.astype(tensor.dtype.numpy)
