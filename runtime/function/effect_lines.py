"""Where a function changes something that goes by a name: found in its code, since it is not to run again.

line_that_changes("calls", [f])        ("model.py", 12): the line of `calls.append(x)`
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType, FunctionType
from typing import Final

__all__ = ["line_that_changes"]

_MUTATORS: Final = frozenset(
    {
        "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "insert",
        "intersection_update", "move_to_end", "pop", "popitem", "popleft", "remove", "reverse", "rotate", "send",
        "setdefault", "sort", "subtract", "symmetric_difference_update", "update", "write", "__setitem__",
    }
)  # fmt: skip

_WRITES: Final = frozenset({"STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "FOR_ITER"})


def line_that_changes(name: str, functions: Sequence[FunctionType]) -> tuple[str, int]:
    """File and line of the first statement of these functions that rebinds a name or changes what it stands for.

    If there is none, the line of the first function's definition.
    """
    for function in functions:
        for code in _codes(function.__code__):
            for line, instructions in _lines(code):
                if _changes(name, instructions):
                    return code.co_filename, line
    if not functions:
        return "<unknown>", 0
    return functions[0].__code__.co_filename, functions[0].__code__.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _lines(code: CodeType) -> Iterator[tuple[int, list[dis.Instruction]]]:
    by_line: dict[int, list[dis.Instruction]] = {}
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else None
        if line is not None:
            by_line.setdefault(line, []).append(instruction)
    yield from sorted(by_line.items())


def _changes(name: str, instructions: Iterable[dis.Instruction]) -> bool:
    loaded = called_next = False
    for instruction in instructions:
        if instruction.argval == name:
            if instruction.opname.startswith(("STORE_", "DELETE_")) or called_next:
                return True
            loaded = loaded or instruction.opname.startswith("LOAD_")
        elif loaded and (instruction.argval in _MUTATORS or instruction.opname in _WRITES):
            return True
        called_next = called_next or instruction.argval == "next"
    return False
