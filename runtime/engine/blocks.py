"""What all control flow in generated code needs: registers for results, operands for nested graphs, ends of blocks.

    written = yield write_blocks(emitter, operation, graphs, operands, handed, blocks)      # one of which will run
    before.lines += ["if v0:", *written.blocks[0].lines, "else:", *written.blocks[1].lines]
    define_joined(emitter, operation, written)

A loop does the same by itself, whose graphs run one after another:

    registers = [reserve(emitter, t) for t in operation.outputs]       # before any of the blocks is written
    ends = yield emitter.graph(graph, [lend(emitter, t, v, False) for ...], hints(graph, registers))
    hand_on(emitter, ends, registers, forms, operation)                # the last statement of each block
    define_results(emitter, operation, registers, forms, owned)        # after all of them
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from runtime.engine.ranges import Range
from runtime.engine.values import Block, Storage, Value, is_scalar
from runtime.graph.graph import Graph
from runtime.graph.nesting import Task
from runtime.graph.operation import Operation
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.engine.emitter import Emitter
    from runtime.engine.naming import RegisterState

__all__ = [
    "Written", "all_exclusive", "define_joined", "define_results", "escape", "hand_on", "hints", "lend", "nested",
    "repeated", "reserve", "write_blocks",
]  # fmt: skip

MOST_LOOPS: Final = 15
"""Python nests 20 loops and try blocks; the plan has a `try` of its own around everything."""

MOST_INDENTATION: Final = 85

MOST_AT_ONCE: Final = 3
"""More moves than these make Python build a tuple."""


def nested(emitter: Emitter, operation: Operation, write: Callable[[Emitter, Operation], Task]) -> Task:
    """Writes control flow here, or in a function of its own where Python would refuse to nest it so deeply."""
    block = emitter.block
    if block.loops < MOST_LOOPS and block.depth < MOST_INDENTATION:
        yield write(emitter, operation)
        return
    # The function receives what it reads and frees none of it: its caller still holds the values.
    inner = Block(1, 0)
    operands = [emitter.values[id(t)] for t in operation.inputs]
    dying, emitter.dying = emitter.dying, []
    emitter.block = inner
    yield write(emitter, operation)
    emitter.block, emitter.dying = block, dying
    read = {name: None for v in operands for name in _names_of(v)}
    results = [emitter.values[id(t)] for t in operation.outputs]
    registers = ", ".join(r for v in results for r in v.registers)
    for value in results:
        value.block = block
    name = f"block_{len(emitter.functions)}"
    header = f"def {name}({', '.join(read)}):"
    if registers:
        inner.emit(f"return {registers}", operation)
    elif not inner.lines:
        inner.emit("pass")
    emitter.functions.append((header, inner))
    block.emit(f"{registers} = {name}({', '.join(read)})" if registers else f"{name}({', '.join(read)})", operation)


def _names_of(value: Value) -> list[str]:
    """The local names of a value, here or where it was borrowed from."""
    if value.constant is not None:
        return []
    return [t for t in (value.array, value.scalar) if t is not None]


@dataclass(frozen=True, slots=True)
class Written:
    """Blocks of which one runs, their last values, and where these are then: the registers, and which hold numbers."""

    blocks: Sequence[Block]
    ends: Sequence[Sequence[Value]]
    registers: Sequence[str]
    forms: Sequence[bool]


def write_blocks(
    emitter: Emitter, operation: Operation, graphs: Sequence[Graph], operands: Sequence[Value], handed: Sequence[bool],
    blocks: Sequence[Block],
) -> Task:  # fmt: skip
    """Writes graphs into blocks, whose last statements hand the results on. handed: which operands they may use up."""
    before = emitter.block
    places = _places(emitter, operation, graphs, operands, handed)
    registers = [place or reserve(emitter, t) for place, t in zip(places, operation.outputs, strict=True)]
    apart = {r for r, place in zip(registers, places, strict=True) if place is None}
    free = emitter.registers.snapshot()
    ends: list[list[Value]] = []
    at_end: list[RegisterState] = []
    for graph, block in zip(graphs, blocks, strict=True):
        emitter.block = block
        emitter.held.update(apart)
        inputs = [lend(emitter, t, v, own) for t, v, own in zip(graph.inputs, operands, handed, strict=True)]
        ends.append((yield emitter.graph(graph, inputs, hints(graph, registers))))
        at_end.append(emitter.registers.snapshot())
        emitter.held.difference_update(apart)
        emitter.registers.reset(free)
    forms = [
        is_scalar(t)
        and (id(t) in emitter.lists or any(e[i].scalar is not None or e[i].constant is not None for e in ends))
        for i, t in enumerate(operation.outputs)
    ]
    for block, end, state in zip(blocks, ends, at_end, strict=True):
        emitter.block = block
        emitter.registers.reset(state)
        hand_on(emitter, end, registers, forms, operation)
    emitter.registers.reset(free)
    emitter.block = before
    for value in operands:
        value.registers = tuple(r for r in value.registers if r not in places)
    return Written(blocks, ends, registers, forms)


def _places(
    emitter: Emitter, operation: Operation, graphs: Sequence[Graph], operands: Sequence[Value], handed: Sequence[bool]
) -> list[str | None]:
    """For each result the register of an operand that is used up here, if it can go there: that in which what follows
    looks for it, else that of what a block hands on as it is."""
    free = {r for value, own in zip(operands, handed, strict=True) if own for r in value.registers}
    places: list[str | None] = []
    for i, output in enumerate(operation.outputs):
        wanted = emitter.hints.get(id(output))
        ends = [position for g in graphs for position, t in enumerate(g.inputs) if t is g.outputs[i]]
        names = [wanted] if wanted is not None else [operands[p].scalar or operands[p].array for p in ends]
        places.append(next((name for name in names if name in free), None))
        free.discard(places[-1] or "")
    return places


def define_joined(
    emitter: Emitter, operation: Operation, written: Written, ranges: Sequence[Range | None] | None = None
) -> None:
    """The results of an operation that has run one of the blocks."""
    fresh = [all_exclusive(written.ends, i) for i in range(len(written.registers))]
    for end in written.ends:
        escape(end)
    define_results(emitter, operation, written.registers, written.forms, fresh, ranges)


def all_exclusive(ends: Sequence[Sequence[Value]], position: int) -> bool:
    """Whether the output is a buffer of the plan's own in every branch, that nothing else holds."""
    return all(end[position].exclusive and sum(v is end[position] for v in end) == 1 for end in ends)


def repeated(values: Sequence[Value]) -> list[Value]:
    seen: set[int] = set()
    return [v for v in values if id(v) in seen or seen.add(id(v))]  # type: ignore[func-returns-value]


def reserve(emitter: Emitter, output: SymbolicTensor) -> str:
    """A register for a result of control flow: never one of a dying operand, which the blocks still read."""
    wanted = emitter.hints.get(id(output))
    return wanted if wanted is not None and emitter.take_hinted(wanted) else emitter.registers.take()


def lend(emitter: Emitter, tensor: SymbolicTensor, value: Value, hand_over: bool) -> Value:
    """An operand as a nested graph sees it: borrowed, or handed over because nothing reads it afterwards.

    A buffer that is handed over whole is seen by nothing outside any more, whatever becomes of it inside.
    """
    if value.constant is not None:
        return Value(tensor, emitter.block, Storage(False), constant=value.constant)
    if not hand_over:
        return Value(tensor, emitter.block, Storage(False, value.storage), outer=value, range=value.range)
    return Value(
        tensor,
        emitter.block,
        Storage(True) if value.exclusive else Storage(False, value.storage),
        array=value.array,
        scalar=value.scalar,
        registers=value.registers,
        root=value.exclusive,
        range=value.range,
    )


def escape(ends: Sequence[Value]) -> None:
    """Operands that a block hands on as its outputs: their buffers have two names from now on."""
    for value in ends:
        if value.storage.source is not None:
            value.storage.source.escape()


def hints(graph: Graph, registers: Sequence[str]) -> dict[int, str]:
    hints: dict[int, str] = {}
    for tensor, register in zip(graph.outputs, registers, strict=True):
        hints.setdefault(id(tensor), register)
    return hints


def hand_on(
    emitter: Emitter, ends: Sequence[Value], registers: Sequence[str], forms: Sequence[bool], operation: Operation
) -> None:
    """The end of a block: its outputs go to the registers in which what follows looks for them."""
    texts = [emitter.scalar(v) if scalar else emitter.array(v) for v, scalar in zip(ends, forms, strict=True)]
    moves = [(r, t) for r, t in zip(registers, texts, strict=True) if r != t]
    if len(moves) > MOST_AT_ONCE:
        moves = _one_by_one(emitter, moves, operation)
    if moves:
        targets, sources = zip(*moves, strict=True)
        emitter.block.emit(f"{', '.join(targets)} = {', '.join(sources)}", operation)
    stale = {r: None for v in ends if not v.small for r in v.registers if r == v.array and r not in registers}
    if stale:
        emitter.block.emit(f"del {', '.join(stale)}")


def _one_by_one(emitter: Emitter, moves: list[tuple[str, str]], operation: Operation) -> list[tuple[str, str]]:
    """Writes the moves into registers that no other move reads, each by itself; returns those that go round."""
    while True:
        read = {text for _, text in moves}
        free = [move for move in moves if move[0] not in read]
        if not free:
            return moves
        for target, text in free:
            emitter.block.emit(f"{target} = {text}", operation)
        moves = [move for move in moves if move not in free]


def define_results(
    emitter: Emitter, operation: Operation, registers: Sequence[str], forms: Sequence[bool], owned: Sequence[bool],
    ranges: Sequence[Range | None] | None = None,
) -> None:  # fmt: skip
    results = zip(operation.outputs, registers, forms, owned, strict=True)
    for i, (tensor, register, is_number, own) in enumerate(results):
        array, scalar = (None, register) if is_number else (register, None)
        emitter.values[id(tensor)] = Value(
            tensor, emitter.block, Storage(own), array=array, scalar=scalar, registers=(register,), root=own,
            range=ranges[i] if ranges is not None else None,
        )  # fmt: skip
