"""The kinds of variables: of closures, of modules, and the names that a library's module gives to code of the user's.

    CELL.read(cell)           {None: 3}: a variable is a dict with one key, an empty one where it has no value
"""

from __future__ import annotations

from types import BuiltinFunctionType, CellType, FunctionType, ModuleType
from typing import Any, Final

from autograph.cache import kept_by_identity
from runtime.heap.kind import PLAIN, Kind

__all__ = ["CELL", "GLOBAL", "MODULE", "NAMESPACE"]


def _read_cell(cell: CellType) -> dict[Any, Any]:
    try:
        return {None: cell.cell_contents}
    except ValueError:
        return {}


def _write_cell(cell: CellType, contents: dict[Any, Any]) -> None:
    if contents:
        cell.cell_contents = contents[None]
    elif _read_cell(cell):
        del cell.cell_contents


def _read_global(owner: tuple[dict[str, Any], str]) -> dict[Any, Any]:
    namespace, name = owner
    return {None: namespace[name]} if name in namespace else {}


def _write_global(owner: tuple[dict[str, Any], str], contents: dict[Any, Any]) -> None:
    namespace, name = owner
    if contents:
        namespace[name] = contents[None]
    else:
        namespace.pop(name, None)


_MADE_BY_PYTHON: Final = ("__warningregistry__", "__annotations__", "__pdb_convenience_variables")
"""What Python keeps in modules by itself; the last is pdb's, from 3.12 on, in the module whose code it stops in."""

Namespace = tuple[dict[str, Any], frozenset[str]]
"""The variables of a module, and the names of those that are looked at by themselves."""


def _read_namespace(owner: Namespace) -> dict[str, Any]:
    found = owner[0].copy()
    for name in (*owner[1], *_MADE_BY_PYTHON):
        found.pop(name, None)
    return found


def _write_namespace(owner: Namespace, contents: dict[str, Any]) -> None:
    """Writes only what is another value: other threads may be using the module."""
    namespace = owner[0]
    for name, value in _read_namespace(owner).items():
        if name not in contents:
            del namespace[name]
        elif contents[name] is not value:
            namespace[name] = contents[name]
    namespace.update((name, value) for name, value in contents.items() if name not in namespace)


Named = tuple[ModuleType, tuple[str, ...]]
"""A module of a library, and the names that code of the user's uses."""


def _read_module(owner: Named) -> dict[str, Any]:
    """What a module loads when it is first asked for it is not looked at."""
    held = vars(owner[0])
    found = {name: held[name] for name in (*_values_of(owner[0]), *owner[1]) if name in held}
    return {name: value for name, value in found.items() if not isinstance(value, _LOADED)}


_LOADED: Final = (ModuleType, FunctionType, BuiltinFunctionType, type)


@kept_by_identity
def _values_of(module: ModuleType) -> tuple[str, ...]:
    """The public names of a module that stood for numbers, texts and such when it was first looked at."""
    return tuple(name for name, value in vars(module).items() if type(value) in PLAIN and not name.startswith("_"))


def _write_module(owner: Named, contents: dict[str, Any]) -> None:
    held = vars(owner[0])
    for name in _read_module(owner):
        if name not in contents:
            del held[name]
    held.update(contents)


CELL: Final = Kind("variable", "keys", _read_cell, _write_cell)
GLOBAL: Final = Kind("global", "keys", _read_global, _write_global)
NAMESPACE: Final = Kind("global", "keys", _read_namespace, _write_namespace, "{}", is_closed=True)
MODULE: Final = Kind("module", "keys", _read_module, _write_module, ".{}", is_closed=True)
