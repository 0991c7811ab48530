"""Control flow, written as Python's own: `cond` is an `if`, `switch` an `if`/`elif`, `while` a `while`.

    while v1 < v2:                    # the condition graph, when it is one expression
        v0 = v0 + v1                  # the body; the state lives in v0 and v1
        v1 = v1 + 1

The state of a loop has fixed registers. An operation of the body that computes the next state writes straight into
its register if the old value is dead by then; what is left over is moved at the end, all at once, so that a swap is
a swap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from runtime.engine.blocks import (
    all_exclusive,
    define_results,
    escape,
    hand_on,
    hints,
    lend,
    nested,
    repeated,
    reserve,
)
from runtime.engine.guarded import emit_try
from runtime.engine.lists import held
from runtime.engine.naming import RegisterState
from runtime.engine.values import Block, Storage, Value, is_scalar
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task
from runtime.graph.operation import Operation
from runtime.ops.control import cond_node, switch_node, try_node, while_node
from runtime.ops.core import placeholder
from runtime.ops.record import Op
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["CONTROL"]

# -- cond and switch ----------------------------------------------------------------------------------------------


def _branches(emitter: Emitter, operation: Operation) -> Task:
    """`if` over all graphs of a cond or switch; the first input chooses."""
    graphs, tests = _choices(emitter, operation)
    before = emitter.block
    values = [emitter.values[id(t)] for t in operation.inputs[1:]]
    registers = [reserve(emitter, t) for t in operation.outputs]
    shared = {id(v) for v in repeated([emitter.values[id(t)] for t in operation.inputs])}
    handed = [v in emitter.dying and id(v) not in shared and v.outer is None for v in values]
    free = emitter.registers.snapshot()
    blocks: list[Block] = []
    ends: list[list[Value]] = []
    at_end: list[RegisterState] = []
    for graph in graphs:
        emitter.block = Block(before.depth + 1, before.loops)
        emitter.held.update(registers)
        inputs = [lend(emitter, t, v, own) for t, v, own in zip(graph.inputs, values, handed, strict=True)]
        ends.append((yield emitter.graph(graph, inputs, hints(graph, registers))))
        blocks.append(emitter.block)
        at_end.append(emitter.registers.snapshot())
        emitter.held.difference_update(registers)
        emitter.registers.reset(free)
    forms = [
        is_scalar(t) and any(end[i].scalar is not None or end[i].constant is not None for end in ends)
        for i, t in enumerate(operation.outputs)
    ]
    for block, end, state in zip(blocks, ends, at_end, strict=True):
        emitter.block = block
        emitter.registers.reset(state)
        hand_on(emitter, end, registers, forms, operation)
    emitter.registers.reset(free)
    emitter.block = before
    for test, block in zip(tests, blocks, strict=True):
        before.emit(test, operation)
        before.lines += block.lines or [(block.depth, "pass", None)]
    for value, own in zip(values, handed, strict=True):
        if own:
            value.array = None if value.array in value.registers else value.array
    fresh = [all_exclusive(ends, i) for i in range(len(registers))]
    for end in ends:
        escape(end)
    define_results(emitter, operation, registers, forms, fresh)


def _choices(emitter: Emitter, operation: Operation) -> tuple[list[Graph], list[str]]:
    """The graphs of a cond or switch and the line that opens each."""
    chosen = emitter.scalar_of(operation.inputs[0])
    if operation.op is cond_node:
        graphs = [operation.attributes["then_graph"], operation.attributes["else_graph"]]
        return graphs, [f"if {chosen}:", "else:"]
    graphs = list(operation.attributes["branches"])
    if len(graphs) == 1:
        return graphs, ["if True:"]
    tests = [f"{'elif' if i else 'if'} {chosen} == {i}:" for i in range(len(graphs) - 1)]
    return graphs, [*tests, "else:"]


# -- while --------------------------------------------------------------------------------------------------------


def _while(emitter: Emitter, operation: Operation) -> Task:
    body, condition = operation.attributes["body_graph"], operation.attributes["cond_graph"]
    before, count = emitter.block, len(body.outputs)
    operands = [emitter.values[id(t)] for t in operation.inputs]
    forms = [is_scalar(t) for t in body.inputs[:count]]
    registers, taken = _initial_state(emitter, operation, operands, forms)
    owned = [own and fresh for own, fresh in zip(taken, _fresh_at_end(body, emitter.holding), strict=True)]
    limit = operation.attributes["maximum_iterations"]
    free = emitter.registers.snapshot()

    emitter.block = Block(before.depth + 1, before.loops + 1)
    values = _loop_values(emitter, condition, operands, registers, forms, None)
    (end,) = yield emitter.graph(condition, values, {})
    predicate = emitter.scalar(end)
    test = emitter.block
    emitter.registers.reset(free)

    emitter.block = Block(before.depth + 1, before.loops + 1)
    values = _loop_values(emitter, body, operands, registers, forms, owned)
    ends = yield emitter.graph(body, values, hints(body, registers))
    hand_on(emitter, ends, registers, forms, operation)
    escape(ends)
    inside = emitter.block
    emitter.registers.reset(free)

    emitter.block = before
    expression = _only_expression(test, predicate)
    if limit is not None:
        before.emit(f"for _ in range({max(limit, 0)}):", operation)
    else:
        before.emit(f"while {expression or 'True'}:", test.lines[0][2] if expression and test.lines else operation)
    if limit is not None or expression is None:
        before.lines += test.lines
        before.lines.append((before.depth + 1, f"if not {predicate}: break", operation))
    before.lines += inside.lines or [(before.depth + 1, "pass", None)]
    define_results(emitter, operation, registers, forms, owned)


def _initial_state(
    emitter: Emitter, operation: Operation, operands: Sequence[Value], forms: Sequence[bool]
) -> tuple[list[str], list[bool]]:
    """Puts the first state into registers: the operand's own where it dies here, else a new one.

    Also returns which buffers the loop takes over for itself: nothing else sees them, not even as an invariant.
    """
    registers: list[str] = []
    taken: list[bool] = []
    shared = {id(v) for v in repeated(operands)}
    for value, scalar, output in zip(operands, forms, operation.outputs, strict=False):
        text = emitter.scalar(value) if scalar else emitter.array(value)
        mine = text in value.registers and value in emitter.dying and id(value) not in shared
        taken.append(mine and value.exclusive)
        if mine:
            value.registers = tuple(r for r in value.registers if r != text)
            registers.append(text)
        else:
            registers.append(reserve(emitter, output))
            emitter.block.emit(f"{registers[-1]} = {text}", operation)
        if not taken[-1] and not scalar:
            value.storage.escape()  # after no iteration at all, the result is this very buffer
    return registers, taken


def _loop_values(
    emitter: Emitter,
    graph: Graph,
    operands: Sequence[Value],
    registers: Sequence[str],
    forms: Sequence[bool],
    owned: Sequence[bool] | None,
) -> list[Value]:
    """The values of a loop's graph: its state, which the body (`owned` given) may use up, and what it only reads."""
    values: list[Value] = []
    for i, (tensor, operand) in enumerate(zip(graph.inputs, operands, strict=True)):
        if i >= len(registers):
            values.append(lend(emitter, tensor, operand, False))
            continue
        array, scalar = (None, registers[i]) if forms[i] else (registers[i], None)
        own = owned is not None
        storage = Storage(own and owned is not None and owned[i])
        mine = (registers[i],) if own else ()
        values.append(
            Value(tensor, emitter.block, storage, array=array, scalar=scalar, registers=mine, root=storage.owned)
        )
    return values


def _fresh_at_end(body: Graph, holding: frozenset[int]) -> list[bool]:
    """For each state, whether every iteration leaves a buffer of its own there, seen through nothing else."""
    roots = [_root(t) for t in body.outputs]
    counts = Counter(map(id, roots))
    if any(root.op.subgraphs for root in roots):
        return [False] * len(roots)  # what a branch hands on may be any of the others
    in_lists = {id(_root(t)) for o in body.operations for t in held(o, holding)} if id(body) in holding else ()
    return [
        t is r and counts[id(r)] == 1 and id(r) not in in_lists and (r.op.op.ufunc or r.op.op.float_ufunc) is not None
        for t, r in zip(body.outputs, roots, strict=True)
    ]


def _root(tensor: SymbolicTensor) -> SymbolicTensor:
    """The tensor whose buffer this one may show."""
    while tensor.op.op.view and tensor.op.inputs and tensor.op.op is not placeholder:
        tensor = tensor.op.inputs[0]
    return tensor


def _only_expression(test: Block, predicate: str) -> str | None:
    """The condition as one expression, if the condition graph came to that."""
    if not test.lines:
        return predicate
    text = test.lines[0][1]
    return text.removeprefix(f"{predicate} = ") if len(test.lines) == 1 and text.startswith(f"{predicate} = ") else None


def _cond_or_switch(emitter: Emitter, operation: Operation) -> Task:
    return nested(emitter, operation, _branches)


def _while_loop(emitter: Emitter, operation: Operation) -> Task:
    return nested(emitter, operation, _while)


CONTROL: Final[dict[Op, Callable[[Emitter, Operation], Task]]] = {
    cond_node: _cond_or_switch,
    switch_node: _cond_or_switch,
    while_node: _while_loop,
    try_node: emit_try,
}
"""How each operation of control flow is written."""
