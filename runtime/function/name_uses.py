"""Where functions use a name: found in their code, since they are not to run again for it.

place_of_change("calls", [f])        Place("model.py", 12, "f"): the line of `calls.append(x)`
place_of_use("RATE", [f])            the line where it is looked up first
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType, FunctionType
from typing import Final

from autograph.operators.observation import Place

__all__ = ["place_of_change", "place_of_use"]

_MUTATORS: Final = frozenset(
    {
        "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "insert",
        "intersection_update", "move_to_end", "pop", "popitem", "popleft", "remove", "reverse", "rotate", "send",
        "setdefault", "sort", "subtract", "symmetric_difference_update", "update", "write", "__setitem__",
    }
)  # fmt: skip

_WRITES: Final = frozenset({"STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "FOR_ITER"})


def place_of_change(name: str, functions: Sequence[FunctionType]) -> Place:
    """The first line of these functions that rebinds a name or changes what it stands for."""
    return _first(functions, lambda instructions: _changes(name, instructions))


def place_of_use(name: str, functions: Sequence[FunctionType]) -> Place:
    """The first line of these functions that looks a name up."""
    return _first(functions, lambda instructions: any(i.argval == name for i in instructions))


def _first(functions: Sequence[FunctionType], is_wanted: Callable[[list[dis.Instruction]], bool]) -> Place:
    """The first line that is wanted; if there is none, that of the first function's definition."""
    for function in functions:
        for code in _codes(function.__code__):
            for line, instructions in _lines(code):
                if is_wanted(instructions):
                    return Place(code.co_filename, line, code.co_qualname)
    if not functions:
        return Place("<unknown>", 0, "")
    code = functions[0].__code__
    return Place(code.co_filename, code.co_firstlineno, code.co_qualname)


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
