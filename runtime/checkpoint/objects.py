"""The tree of objects below a root: what a checkpoint or a saved model is made of.

    nodes = tree_of(model)
    nodes[0].value is model
    nodes[0].parts                     # (("bias", 1), ("layers", 2)): names, and places in `nodes`
    nodes[2].path                      # ("layers",)

Parts are the attributes of Modules and of other objects that say what of them is saved (`_saved_parts`), the items of
lists, tuples, dicts and dataclasses; Variables are leaves. An object that is reached in several ways is there once, so
cycles are no matter; the nearer to the root, the earlier, and parts of one object in the order of their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from runtime import structures as nest
from runtime.state.module import Module
from runtime.state.variable import Variable

__all__ = ["Node", "has_parts", "part_of", "parts_of", "path_text", "tree_of"]

Test = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Node:
    """One object. path: the names that lead to it first; parts: the name of each part, and its place in the tree."""

    value: Any
    path: tuple[str, ...]
    parts: tuple[tuple[str, int], ...]


def tree_of(root: Any, is_leaf: Test | None = None) -> tuple[Node, ...]:
    """The objects below a root and the root itself, which comes first. is_leaf: says which other values are listed,
    without parts. Raises ValueError for a set with Modules and for two keys of a dict with one name."""
    found: list[tuple[Any, tuple[str, ...]]] = [(root, ())]
    places = {id(root): 0}
    nodes: list[Node] = []
    while len(nodes) < len(found):
        value, path = found[len(nodes)]
        row: list[tuple[str, int]] = []
        for name, part in _parts(value, path, is_leaf).items():
            place = places.setdefault(id(part), len(found))
            if place == len(found):
                found.append((part, (*path, name)))
            row.append((name, place))
        nodes.append(Node(value, path, tuple(row)))
    return tuple(nodes)


def parts_of(value: Any, is_leaf: Test | None = None) -> dict[str, Any]:
    """The parts of one object by name. Raises as `tree_of`."""
    return _parts(value, (), is_leaf)


def part_of(value: Any, name: str, is_leaf: Test | None = None) -> Any:
    """One part of an object by its name, or None, without a look at the others."""
    if hasattr(type(value), "_saved_parts"):
        part = value._saved_parts().get(name)
    elif type(value) is list or type(value) is tuple:
        number = int(name) if name.isdecimal() and len(name) < 10 else len(value)
        part = value[number] if number < len(value) and str(number) == name else None
    elif type(value) is dict and name in value:
        part = value[name]
    else:
        return parts_of(value, is_leaf).get(name)
    return part if _counts(part, is_leaf) else None


def path_text(path: Iterable[str]) -> str:
    """A path as one text: "layers/0/kernel". A slash in a name is ".S" there, and a dot ".."."""
    return "/".join(name.replace(".", "..").replace("/", ".S") for name in path)


def has_parts(value: Any) -> bool:
    """Whether a value may be a node of a tree: a Variable, a Module, a list, ..."""
    return isinstance(value, Variable) or hasattr(type(value), "_saved_parts") or _is_container(value)


def _is_container(value: Any) -> bool:
    return nest.is_plain(value) or isinstance(value, set | frozenset)


_BARE: Final = frozenset({int, float, complex, bool, str, bytes, type(None)})
"""What is most of the items of long lists, and no part of a tree."""


def _parts(value: Any, path: tuple[str, ...], is_leaf: Test | None) -> dict[str, Any]:
    if isinstance(value, Variable) or (is_leaf is not None and is_leaf(value)):
        return {}
    if hasattr(type(value), "_saved_parts"):
        pairs: Iterable[tuple[str, Any]] = sorted(value._saved_parts().items())
    elif isinstance(value, set | frozenset):
        _check_set(value, path, is_leaf)
        return {}
    elif not _is_container(value):
        return {}
    elif isinstance(value, Mapping):
        pairs = _items(value, path, is_leaf)
    elif isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        pairs = ((str(i), item) for i, item in enumerate(value) if type(item) not in _BARE)
    else:
        pairs = ((step.strip(".[]'"), item) for step, item in nest.children(value))
    return {name: part for name, part in pairs if _counts(part, is_leaf)}


def _counts(part: Any, is_leaf: Test | None) -> bool:
    return type(part) not in _BARE and (has_parts(part) or (is_leaf is not None and is_leaf(part)))


def _items(mapping: Mapping[Any, Any], path: tuple[str, ...], is_leaf: Test | None) -> list[tuple[str, Any]]:
    """The items of a dict, by the names of their keys, which must be different."""
    found: dict[str, Any] = {}
    for key, item in mapping.items():
        if not _counts(item, is_leaf):
            continue
        name = key if isinstance(key, str) else repr(key)
        if name in found:
            raise ValueError(
                f"the dict at {path_text(path) or 'the root'!r} has two keys that are written as {name!r}: what is"
                " saved under them could not be told apart. Use other keys"
            )
        found[name] = item
    return sorted(found.items())


def _check_set(value: Sequence[Any] | Any, path: tuple[str, ...], is_leaf: Test | None) -> None:
    inside = next((item for item in value if isinstance(item, Variable | Module) or _counts(item, is_leaf)), None)
    if inside is not None:
        raise ValueError(
            f"the set at {path_text(path) or 'the root'!r} holds {type(inside).__name__} objects: a set has no order,"
            " so what is saved could not be found again. Use a list or a dict"
        )
