"""Which names a function's code looks up: globals, and attributes of whatever they are looked up on.

    names_in(f.__code__).globals        {"RATE", "helper"}: read from the module
    names_in(f.__code__).attributes     {"weights", "append"}: what follows a dot
"""

from __future__ import annotations

import dis
from dataclasses import dataclass
from types import CodeType
from typing import Final

from autograph.cache import kept_by_identity

__all__ = ["Names", "names_in"]

_GLOBALS: Final = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"})
_ATTRIBUTES: Final = frozenset({"LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM"})

_BY_TEXT: Final = frozenset({"getattr", "hasattr", "attrgetter", "methodcaller"})
"""Functions that take an attribute's name as text."""

_ALL: Final = frozenset(
    {"vars", "__dict__", "asdict", "astuple", "fields", "replace", "copy", "deepcopy", "__getstate__"}
)
"""What looks at all attributes of an object."""


@dataclass(frozen=True, slots=True)
class Names:
    """The names that code looks up. all_attributes: it uses something that may look at any attribute."""

    globals: frozenset[str]
    attributes: frozenset[str]
    all_attributes: bool
    asks: bool
    """Whether it may ask if an attribute is there."""


@kept_by_identity
def names_in(code: CodeType) -> Names:
    """The names that a code object and the functions and classes inside of it look up."""
    read: set[str] = set()
    attributes: set[str] = set()
    texts: set[str] = set()
    pending = [code]
    while pending:
        current = pending.pop()
        matches = False
        for instruction in dis.get_instructions(current):
            if instruction.opname in _GLOBALS:
                read.add(instruction.argval)
            elif instruction.opname in _ATTRIBUTES:
                attributes.add(instruction.argval)
            matches = matches or instruction.opname == "MATCH_CLASS"
        for constant in current.co_consts:
            if isinstance(constant, CodeType):
                pending.append(constant)
            elif isinstance(constant, str):
                texts.add(constant)
            elif matches and isinstance(constant, tuple):  # the names of a class pattern
                attributes.update(name for name in constant if isinstance(name, str))
    used = read | attributes
    if used & _BY_TEXT:
        attributes |= {text for text in texts if text.isidentifier()}
    asks = bool(used & {"hasattr", "getattr", "AttributeError", "Exception"})
    return Names(frozenset(read), frozenset(attributes), bool(used & _ALL), asks)
