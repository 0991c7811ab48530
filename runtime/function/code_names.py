"""Which names a function's code uses, for what, and on which lines: read from its code, which is not to run for it.

    names_in(f.__code__).globals        {"RATE", "helper"}: read from the module
    names_in(f.__code__).attributes     {"weights", "append"}: what follows a dot
    Lines([f]).changing("calls")        Place("model.py", 12, "f"): the line of `calls.append(x)`
    Lines([f]).using("RATE")            the line where it is looked up first
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

from autograph.cache import kept_by_identity
from autograph.code_names import codes_in
from autograph.operators.observation import Place
from runtime.heap.code import names_by_text

__all__ = ["CHANGING", "Lines", "Names", "may_name", "may_read", "names_in", "only_grown"]

_GLOBALS: Final = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_ATTRIBUTES: Final = frozenset({"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM"})
_OUTER: Final = _GLOBALS | {"LOAD_DEREF", "IMPORT_NAME"}
"""What gives a module, among others."""
_ASSIGNS: Final = frozenset(
    f"{verb}_{what}" for verb in ("STORE", "DELETE") for what in ("ATTR", "GLOBAL", "NAME", "DEREF")
)

_BY_TEXT: Final = frozenset({"getattr", "hasattr", "setattr", "delattr", "attrgetter", "methodcaller"})
"""Functions that take an attribute's name as text."""

_ALL: Final = frozenset({"vars", "__dict__", "__getstate__"})
"""What looks at all attributes of an object."""

_ALL_BY_MODULES: Final = frozenset({"asdict", "astuple", "fields", "replace", "copy", "deepcopy"})
"""The same as functions of modules; methods of these names are others: `array.copy()`."""

CHANGING: Final = frozenset({"setattr", "delattr", "__setattr__", "__dict__", "vars", "globals", "exec", "update"})
"""What changes attributes and variables whose names do not show in the code."""

_MUTATORS: Final = frozenset(
    {
        "add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft", "insert",
        "intersection_update", "move_to_end", "pop", "popitem", "popleft", "put", "remove", "reverse", "rotate", "send",
        "setdefault", "sort", "subtract", "symmetric_difference_update", "update", "write", "__setitem__",
    }
)  # fmt: skip

_WRITES: Final = frozenset({"STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE", "FOR_ITER"})


@dataclass(frozen=True, slots=True)
class Names:
    """The names that code uses. all_attributes: it uses something that may look at any attribute."""

    globals: frozenset[str]
    attributes: frozenset[str]
    assigned: frozenset[str]
    """Those that it assigns or deletes: variables and attributes."""
    used: frozenset[str]
    """All of variables and attributes."""
    all_attributes: bool
    read_first: frozenset[str]
    """Those that a function in it reads before it assigns them, as its code names them in order, or by text."""
    asks: bool
    """Whether it may ask if an attribute is there."""


@kept_by_identity
def names_in(code: CodeType) -> Names:
    """The names that a code object and the functions and classes inside of it use."""
    read: set[str] = set()
    attributes: set[str] = set()
    assigned: set[str] = set()
    texts: set[str] = set()
    used: set[str] = set()
    named: set[str] = set()
    read_first: set[str] = set()
    every = False
    for current in codes_in(code):
        matches, last, modules = False, None, {"copy", "dataclasses"}
        reads: dict[str, bool] = {}  # by name, whether its first use is one
        for instruction in _steps(current):
            if isinstance(instruction.argval, str):
                reads.setdefault(instruction.argval, instruction.opname not in _ASSIGNS)
                if instruction.opname not in _ASSIGNS:
                    named.add(instruction.argval)
            if instruction.opname in _GLOBALS:
                read.add(instruction.argval)
            elif instruction.opname in _ATTRIBUTES:
                attributes.add(instruction.argval)
                may_be_module = last is not None and (last.opname in _OUTER or last.argval in modules)
                every = every or (instruction.argval in _ALL_BY_MODULES and may_be_module)
            elif instruction.opname in _ASSIGNS:
                assigned.add(instruction.argval)
            if last is not None and last.opname == "IMPORT_NAME":
                modules.add(instruction.argval)
            matches, last = matches or instruction.opname == "MATCH_CLASS", instruction
        read_first.update(name for name, is_first in reads.items() if is_first)
        used.update(current.co_names)
        texts.update(constant for constant in current.co_consts if isinstance(constant, str))
        if matches:  # the names of a class pattern
            patterns = [constant for constant in current.co_consts if isinstance(constant, tuple)]
            attributes.update(name for pattern in patterns for name in pattern if isinstance(name, str))
    looked_up = read | attributes
    if looked_up & _BY_TEXT:
        attributes |= {text for text in texts if text.isidentifier()}
    by_text = names_by_text(code)
    read |= by_text
    read_first |= (attributes | by_text) - named
    asks = bool(looked_up & {"hasattr", "getattr", "AttributeError", "Exception"})
    every = every or bool(looked_up & _ALL or read & _ALL_BY_MODULES)
    return Names(
        frozenset(read), frozenset(attributes), frozenset(assigned), frozenset(used), every, frozenset(read_first), asks
    )  # fmt: skip


def may_name(attribute: str, function: FunctionType) -> bool:
    """Whether a function may look at an attribute, or bind it, as far as names tell."""
    return may_read(attribute, function) or attribute in names_in(function.__code__).assigned


def may_read(attribute: str, function: FunctionType) -> bool:
    """Whether a function may look at an attribute, as far as names tell."""
    names = names_in(function.__code__)
    return names.all_attributes or attribute in names.attributes


_GROW: Final = frozenset({"append", "extend"})


def only_grown(name: str, functions: Iterable[FunctionType]) -> bool:
    """Whether functions do nothing else to what an attribute holds than to append to it, as far as names tell."""
    return all(_only_grows(name, function.__code__) for function in functions)


def _only_grows(name: str, code: CodeType) -> bool:
    names = names_in(code)
    if name not in names.used:
        return not names.all_attributes and not any(name in current.co_consts for current in codes_in(code))
    for current in codes_in(code):
        steps = [*_steps(current)]
        for step, following in zip(steps, [*steps[1:], None], strict=True):
            if step.argval == name and not (
                step.opname in _ATTRIBUTES and following is not None
                and following.opname in _ATTRIBUTES and following.argval in _GROW
            ):
                return False
    return not names.all_attributes


# -- where names are used


class Lines:
    """The lines of functions, by the names on them: read once, when they are first asked for."""

    def __init__(self, functions: Iterable[FunctionType]) -> None:
        self._functions = list(functions)

    def changing(self, name: str) -> Place:
        """The first line that rebinds a name or changes what it stands for; else that of the first definition."""
        return self._first(place for place, steps in self._by_name.get(name, ()) if _changes(name, steps))

    def using(self, name: str) -> Place:
        """The first line that looks a name up; else that of the first function's definition."""
        return self._first(place for place, _ in self._by_name.get(name, ()))

    def _first(self, found: Iterator[Place]) -> Place:
        code = self._functions[0].__code__ if self._functions else None
        default = Place(code.co_filename, code.co_firstlineno, code.co_qualname) if code else Place("<unknown>", 0, "")
        return next(found, default)

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[Place, list[_Step]]]]:
        found: dict[str, list[tuple[Place, list[_Step]]]] = {}
        for function in self._functions:
            for code in codes_in(function.__code__):
                for line, steps in _lines(code):
                    place = Place(code.co_filename, line, code.co_qualname)
                    for name in {step.argval for step in steps if isinstance(step.argval, str)}:
                        found.setdefault(name, []).append((place, steps))
        return found


class _Step(NamedTuple):
    """What an instruction does with one name, constant or other argument."""

    opname: str
    argval: Any
    line: int | None


def _steps(code: CodeType) -> Iterator[_Step]:
    """The instructions. Those for two local variables (`LOAD_FAST_LOAD_FAST` of Python 3.13) are two."""
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else None
        opname, argval = instruction.opname, instruction.argval
        if type(argval) is tuple and "_FAST_" in opname:
            yield _Step(f"{opname.partition('_')[0]}_FAST", argval[0], line)
            opname, argval = "STORE_FAST" if opname.endswith("STORE_FAST") else "LOAD_FAST", argval[1]
        yield _Step(opname, argval, line)


def _lines(code: CodeType) -> Iterator[tuple[int, list[_Step]]]:
    by_line: dict[int, list[_Step]] = {}
    for step in _steps(code):
        if step.line is not None:
            by_line.setdefault(step.line, []).append(step)
    yield from sorted(by_line.items())


def _changes(name: str, instructions: Iterable[_Step]) -> bool:
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
