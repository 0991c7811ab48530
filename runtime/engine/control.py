"""Control flow, written as Python's own: `cond` is an `if`, `switch` an `if`/`elif`, `while` a `while` or `for`.

    while v1 != v2:                   # the condition graph, when it is one expression
        v0 = v0 + v1                  # the body; the state lives in v0 and v1
        v1 = v1 * 2
    for v1 in range(v1, v2): ...      # what counts: engine.counted

The state of a loop has fixed registers. An operation of the body that computes the next state writes straight into
its register if the old value is dead by then; what is left over is moved at the end, all at once, so that a swap is
a swap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from runtime.engine.blocks import (
    all_exclusive,
    define_joined,
    define_results,
    escape,
    hand_on,
    hints,
    lend,
    nested,
    repeated,
    reserve,
    write_blocks,
)
from runtime.engine.counted import Counted, counted
from runtime.engine.guarded import emit_try
from runtime.engine.handing_over import open_loop, pass_on
from runtime.engine.ranges import Range, joined_ranges, loop_ranges
from runtime.engine.values import Block, Storage, Value, is_scalar
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task
from runtime.graph.operation import Operation
from runtime.graph.risks import may_raise
from runtime.ops.flow.control import cond_node, switch_node, try_node, while_node
from runtime.ops.records.record import Op

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter

__all__ = ["CONTROL"]

# -- cond and switch ----------------------------------------------------------------------------------------------


def _branches(emitter: Emitter, operation: Operation) -> Task:
    """`if` over all graphs of a cond or switch; the first input chooses."""
    before = emitter.block
    graphs, tests, asked = _choices(emitter, operation)
    values = [emitter.values[id(t)] for t in operation.inputs[1:]]
    shared = {id(v) for v in repeated([emitter.values[id(t)] for t in operation.inputs])}
    handed = [v in emitter.dying and id(v) not in shared and v.outer is None for v in values]
    blocks = [Block(before.depth + 1, before.loops) for _ in graphs]
    written = yield write_blocks(emitter, operation, graphs, values, handed, blocks)
    if not blocks[-1].lines:
        tests = tests[:-1]
    elif not blocks[0].lines and tests[1:] == ["else:"]:
        tests, blocks = [f"if {_negated(tests[0][3:-1])}:"], blocks[1:]
    for test, block in zip(tests, blocks, strict=False):
        before.emit(test, asked)
        before.lines += block.lines or [(block.depth, "pass", None)]
    for value, own in zip(values, handed, strict=True):
        if own:
            value.array = None if value.array in value.registers else value.array
    define_joined(emitter, operation, written, joined_ranges(operation, written.ends))


def _choices(emitter: Emitter, operation: Operation) -> tuple[list[Graph], list[str], Operation]:
    """The graphs of a cond or switch, the line that opens each, and the operation that these lines run."""
    predicate = operation.inputs[0]
    chosen = emitter.scalar_of(predicate)
    if operation.op is cond_node:
        graphs = [operation.attributes["then_graph"], operation.attributes["else_graph"]]
        asked = operation
        if emitter.values[id(predicate)] in emitter.dying and not any(t is predicate for t in operation.inputs[1:]):
            chosen, asked = _expression(emitter.block, chosen, operation)
        return graphs, [f"if {chosen}:", "else:"], asked
    graphs = list(operation.attributes["branches"])
    if len(graphs) == 1:
        return graphs, ["if True:"], operation
    tests = [f"{'elif' if i else 'if'} {chosen} == {i}:" for i in range(len(graphs) - 1)]
    return graphs, [*tests, "else:"], operation


def _expression(block: Block, name: str, operation: Operation) -> tuple[str, Operation]:
    """What a name was given by the last line, which is taken away, and the operation of that line; the name itself if
    that line does something else. For a condition that nothing else reads."""
    depth, text, made = block.lines[-1] if block.lines else (0, "", None)
    if depth != block.depth or not text.startswith(f"{name} = "):
        return name, operation
    block.lines.pop()
    return text.removeprefix(f"{name} = "), made or operation


# -- while --------------------------------------------------------------------------------------------------------


def _while(emitter: Emitter, operation: Operation) -> Task:
    body, condition = operation.attributes["body_graph"], operation.attributes["cond_graph"]
    before, count = emitter.block, len(body.outputs)
    operands = [emitter.values[id(t)] for t in operation.inputs]
    forms = [is_scalar(t) for t in body.inputs[:count]]
    ownership = emitter.ownership[id(body)]
    registers, taken = _initial_state(emitter, operation, operands, forms, ownership.to_copy())
    kept = ownership.kept(frozenset(i for i, own in enumerate(taken) if own))
    owned = [i in kept and not forms[i] for i in range(count)]
    limit, read = operation.attributes["maximum_iterations"], emitter.read
    within, around = loop_ranges(operation, operands)
    counts = counted(operation) if limit is None else None
    if counts is not None and within[counts.state] is None:  # it might wrap around
        counts = None
    turns = open_loop(emitter, operation)
    head = None if counts is None else _counting_head(emitter, counts, operands, registers, turns)
    if head is None and (turns is not None or limit is not None):
        head = f"for _ in {f'range({max(limit or 0, 0)})' if turns is None else f'{turns}.turns()'}:"
    free = emitter.registers.snapshot()

    emitter.block = test = Block(before.depth + 1, before.loops + 1)
    rest = condition if counts is None else counts.rest
    predicate = "" if rest is None else (yield _test(emitter, rest, operands, registers, forms, around))
    emitter.registers.reset(free)

    body = body if counts is None else counts.body
    emitter.block = Block(before.depth + 1, before.loops + 1)
    values = _loop_values(emitter, body, operands, registers, forms, within, owned)
    ends = yield emitter.graph(body, values, hints(body, registers))
    ends = _own(emitter, operation, ends, owned)
    hand_on(emitter, ends, registers, forms, operation)
    escape(ends)
    inside = emitter.block
    emitter.registers.reset(free)

    emitter.block = before
    expression = _only_expression(test, predicate)
    if head is not None:
        before.emit(head, operation)
    else:
        before.emit(f"while {expression or 'True'}:", test.lines[0][2] if expression and test.lines else operation)
    if expression is None or (head is not None and predicate):
        asked, made = _expression(test, predicate, operation)
        before.lines += test.lines
        before.lines.append((before.depth + 1, f"if {_negated(asked)}: break", made))
    before.lines += inside.lines or [(before.depth + 1, "pass", None)]
    if counts is not None and (turns is not None or id(operation.outputs[counts.state]) in read):
        _count_on(emitter, operation, counts, operands, registers)
    pass_on(emitter, operation, turns, registers)
    define_results(emitter, operation, registers, forms, owned, around)


def _test(
    emitter: Emitter, graph: Graph, operands: Sequence[Value], registers: Sequence[str], forms: Sequence[bool],
    around: Sequence[Range | None],
) -> Task:  # fmt: skip
    """Writes what a loop asks before each turn; returns the answer, a name or an expression."""
    values = _loop_values(emitter, graph, operands, registers, forms, around, None)
    (end,) = yield emitter.graph(graph, values, {})
    return _folded(emitter.block, emitter.scalar(end))


def _counting_head(
    emitter: Emitter, counts: Counted, operands: Sequence[Value], registers: Sequence[str], turns: str | None
) -> str:
    register, step = registers[counts.state], f", {counts.step}" if counts.step != 1 or turns is not None else ""
    numbers = "range" if turns is None else f"{turns}.count"
    return f"for {register} in {numbers}({register}, {_end(emitter, counts, operands)}{step}):"


def _end(emitter: Emitter, counts: Counted, operands: Sequence[Value]) -> str:
    """The first number that a loop does not count to."""
    if counts.stop is None:
        return str(counts.end)
    text = emitter.scalar(operands[counts.stop])
    return f"{text} {'+' if counts.end > 0 else '-'} {abs(counts.end)}" if counts.end else text


def _count_on(
    emitter: Emitter, operation: Operation, counts: Counted, operands: Sequence[Value], registers: Sequence[str]
) -> None:
    """Behind a loop that counts and was not left early: its state is one step further, if there was a turn."""
    register, end = registers[counts.state], _end(emitter, counts, operands)
    line = f"if {register} {'<' if counts.step > 0 else '>'} {end}: {register} += {counts.step}"
    if counts.rest is not None:
        emitter.block.emit("else:", operation)
    emitter.block.lines.append((emitter.block.depth + (counts.rest is not None), line, operation))


def _initial_state(
    emitter: Emitter, operation: Operation, operands: Sequence[Value], forms: Sequence[bool], to_copy: frozenset[int]
) -> tuple[list[str], list[bool]]:
    """Puts the first state into registers: the operand's own where it dies here, else a new one.

    Also returns which buffers the loop takes over for itself: nothing else sees them, not even as an invariant. Of
    those in `to_copy` it makes a copy where somebody does.
    """
    registers: list[str] = []
    taken: list[bool] = []
    shared = {id(v) for v in repeated(operands)}
    for i, (value, scalar, output) in enumerate(zip(operands, forms, operation.outputs, strict=False)):
        text = emitter.scalar(value) if scalar else emitter.array(value)
        mine = text in value.registers and value in emitter.dying and id(value) not in shared
        copied = i in to_copy and not scalar and not (mine and value.exclusive)
        taken.append(copied or (mine and value.exclusive))
        if mine:
            value.registers = tuple(r for r in value.registers if r != text)
            registers.append(text)
        else:
            registers.append(reserve(emitter, output))
        if copied or not mine:
            emitter.block.emit(f"{registers[-1]} = {text}{'.copy()' if copied else ''}", operation)
        if not taken[-1] and not scalar:
            value.storage.escape()  # after no iteration at all, the result is this very buffer
    return registers, taken


def _own(emitter: Emitter, operation: Operation, ends: Sequence[Value], owned: Sequence[bool]) -> list[Value]:
    """The ends of a loop's body; what is to be the loop's own is copied where something else could see it."""
    found: list[Value] = []
    for i, (value, own, output) in enumerate(zip(ends, owned, operation.outputs, strict=True)):
        if own and not all_exclusive([ends], i):
            register = emitter.registers.take()
            emitter.block.emit(f"{register} = {emitter.array(value)}.copy()", operation)
            value = Value(output, emitter.block, Storage(True), array=register, registers=(register,), root=True)
        found.append(value)
    return found


def _loop_values(
    emitter: Emitter,
    graph: Graph,
    operands: Sequence[Value],
    registers: Sequence[str],
    forms: Sequence[bool],
    ranges: Sequence[Range | None],
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
            Value(
                tensor, emitter.block, storage, array=array, scalar=scalar, registers=mine, root=storage.owned,
                range=ranges[i],
            )
        )  # fmt: skip
    return values


def _folded(test: Block, predicate: str) -> str:
    """The answer of a test, with what its last lines compute in the place of names that it reads once."""
    while test.lines:
        depth, text, operation = test.lines[-1]
        name, _, value = text.partition(" = ")
        parts = re.split(rf"\b{re.escape(name)}\b", predicate)
        if not value or depth != test.depth or len(parts) != 2 or (operation is not None and may_raise(operation)):
            break
        predicate = value if predicate == name else f"({value})".join(parts)
        test.lines.pop()
    return predicate


def _negated(expression: str) -> str:
    if re.fullmatch(r"\w+", expression):
        return f"not {expression}"
    return expression.removeprefix("not ") if re.fullmatch(r"not \w+", expression) else f"not ({expression})"


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
