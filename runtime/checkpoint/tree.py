"""The tree of objects in a checkpoint: as it is written, and as it is read from a file that nobody vouches for.

    text, values = written_tree(root)
    values                             # {"model/w/.ATTRIBUTES/VARIABLE_VALUE": <tf.Variable>, ...}
    nodes = read_tree(text, set(values), "ckpt-1")
    nodes[0].parts                     # (("model", 1),)

Only what leads to a value is written. The names of values are those of TensorFlow's checkpoints: the path from the
root, and for a slot of an optimizer the path of the variable, ".OPTIMIZER_SLOT", the path of the optimizer, the slot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from runtime.checkpoint.json_text import parsed, written
from runtime.checkpoint.objects import Node, path_text, tree_of
from runtime.errors import FileFormatError
from runtime.state.variable import Variable

__all__ = [
    "SavedNode", "SavedSlot", "has_value", "is_value_of", "named_variables", "path_of", "read_tree", "written_tree",
]  # fmt: skip

ATTRIBUTES: Final = ".ATTRIBUTES/"
_SLOT: Final = ".OPTIMIZER_SLOT"


@dataclass(frozen=True, slots=True)
class SavedSlot:
    """A slot that an optimizer keeps for a variable: that at a place of the tree, or the number-th of its name of those
    that the optimizer knows. node: the place of the slot."""

    variable: int | None
    name: str
    number: int
    slot: str
    node: int


@dataclass(frozen=True, slots=True)
class SavedNode:
    """One object. path: the first one that leads there; value: the name of its value in the file."""

    path: str
    parts: tuple[tuple[str, int], ...]
    value: str | None
    slots: tuple[SavedSlot, ...]


def written_tree(root: Any) -> tuple[str, dict[str, Any]]:
    """The tree below a root as JSON, and what has values by the names of these. Raises as `tree_of`."""
    nodes = tree_of(root, has_value)
    places = {id(node.value): i for i, node in enumerate(nodes)}
    values: dict[str, Any] = {}
    rows: list[dict[str, Any]] = []
    for node in nodes:
        row: dict[str, Any] = {"parts": dict(node.parts)}
        if has_value(node.value):
            row["value"] = f"{path_text((*node.path,))}/{ATTRIBUTES}{_kind(node.value)}".lstrip("/")
            values[row["value"]] = node.value
        rows.append(row)
    for node, row in zip(nodes, rows[: len(nodes)], strict=True):
        _write_slots(node, row, nodes, places, rows, values)
    kept = _leading_to_values(rows)
    numbers = {old: new for new, old in enumerate(kept)}
    return written({"nodes": [_renumbered(rows[i], numbers) for i in kept]}), values


def path_of(name: str) -> str:
    """The path of what has the value of a name."""
    return name.partition(f"/{ATTRIBUTES}")[0]


def is_value_of(name: str, value: Any) -> bool:
    """Whether a value of this name is one for such an object."""
    return has_value(value) and name.endswith(_kind(value))


def has_value(value: Any) -> bool:
    """Whether a value of its own is saved for an object."""
    return isinstance(value, Variable) or hasattr(type(value), "_saved_position")


def _kind(value: Any) -> str:
    return "VARIABLE_VALUE" if isinstance(value, Variable) else "ITERATOR_STATE"


Slot = tuple[Variable, str, Variable]
"""A variable, the name of a slot, and the slot."""


def named_variables(slots: Sequence[Slot]) -> Iterator[tuple[Variable, str, int, str, Variable]]:
    """The slots of an optimizer; of each variable its name and, of those with that name, which one it is."""
    seen: dict[int, int] = {}
    counts: Counter[str] = Counter()
    for variable, slot, kept in slots:
        if id(variable) not in seen:
            seen[id(variable)] = counts[variable.name]
            counts[variable.name] += 1
        yield variable, variable.name, seen[id(variable)], slot, kept


Row = dict[str, Any]


def _write_slots(
    node: Node, row: Row, nodes: Sequence[Node], places: dict[int, int], rows: list[Row], values: dict[str, Any]
) -> None:
    """Adds the slots of an optimizer to its row, and their values behind all others."""
    if not hasattr(type(node.value), "_saved_slots"):
        return
    found = []
    slots = list(named_variables(node.value._saved_slots()))
    slots.sort(key=lambda one: id(one[0]) not in places)
    written_slots = set()
    for variable, name, number, slot, kept in slots:
        if id(kept) in written_slots:  # the copy of an optimizer knows it for the original of the variable, too
            continue
        written_slots.add(id(kept))
        place = places.get(id(variable))
        own = path_text(node.path)
        start = f"{own}/{_SLOT}/{path_text([f'{name}.{number}'])}" if place is None else ""
        start = start or f"{path_text(nodes[place or 0].path)}/{_SLOT}/{own}"
        at = places.get(id(kept))
        if at is None:
            at = len(rows)
            value = f"{start}/{path_text([slot])}/{ATTRIBUTES}{_kind(kept)}"
            rows.append({"parts": {}, "value": value})
            values[value] = kept
        found.append({"variable": place, "name": name, "number": number, "slot": slot, "node": at})
    if found:
        row["slots"] = found


def _leading_to_values(rows: Sequence[dict[str, Any]]) -> list[int]:
    """The places of the root and of all rows from which a value is reached, in order."""
    holders: list[list[int]] = [[] for _ in rows]
    for i, row in enumerate(rows):
        for part in [*row["parts"].values(), *(slot["node"] for slot in row.get("slots", ()))]:
            holders[part].append(i)
    kept = {0} | {i for i, row in enumerate(rows) if "value" in row}
    waiting = list(kept)
    while waiting:
        new = [i for i in holders[waiting.pop()] if i not in kept]
        kept.update(new)
        waiting += new
    return sorted(kept)


def _renumbered(row: dict[str, Any], numbers: dict[int, int]) -> dict[str, Any]:
    made = dict(row, parts={name: numbers[i] for name, i in row["parts"].items() if i in numbers})
    if "slots" in row:
        made["slots"] = [
            dict(slot, node=numbers[slot["node"]], variable=numbers.get(slot["variable"])) for slot in row["slots"]
        ]
    return made


def read_tree(text: bytes, values: Collection[str], where: str) -> tuple[SavedNode, ...]:
    """The tree of a file. values: the names of the values in the file; where: for messages. Raises FileFormatError."""
    found = parsed(text, where)
    rows = found.get("nodes") if isinstance(found, dict) else None
    if not isinstance(rows, list) or not rows:
        _refuse(where, "it has no list of objects")
    paths = [""] * len(rows)
    nodes = [_read_node(row, i, rows, paths, values, where) for i, row in enumerate(rows)]
    return tuple(SavedNode(path, *node) for path, node in zip(paths, nodes, strict=True))


def _refuse(where: str, why: str) -> NoReturn:
    raise FileFormatError(f"{where}: {why}")


def _read_node(
    row: Any, i: int, rows: Sequence[Any], paths: list[str], values: Collection[str], where: str
) -> tuple[tuple[tuple[str, int], ...], str | None, tuple[SavedSlot, ...]]:
    right = isinstance(row, dict) and isinstance(row.get("parts"), dict) and isinstance(row.get("slots", []), list)
    if not right:
        _refuse(where, f"object {i} is not made of parts, a value and slots")
    value = row.get("value")
    if value is not None and (not isinstance(value, str) or value not in values):
        _refuse(where, f"the value {value!r} of object {i} is not in the file")
    parts = tuple((name, _place(part, rows, where)) for name, part in row["parts"].items())
    slots = tuple(_read_slot(slot, rows, where) for slot in row.get("slots", []))
    if value is not None:
        paths[i] = path_of(value)
    return parts, value, slots


def _read_slot(slot: Any, rows: Sequence[Any], where: str) -> SavedSlot:
    if not isinstance(slot, dict) or set(slot) != {"variable", "name", "number", "slot", "node"}:
        _refuse(where, f"{slot!r} is no slot of an optimizer")
    if not (isinstance(slot["name"], str) and isinstance(slot["slot"], str) and type(slot["number"]) is int):
        _refuse(where, f"{slot!r} is no slot of an optimizer")
    variable = None if slot["variable"] is None else _place(slot["variable"], rows, where)
    return SavedSlot(variable, slot["name"], slot["number"], slot["slot"], _place(slot["node"], rows, where))


def _place(number: Any, rows: Sequence[Any], where: str) -> int:
    if type(number) is not int or not 0 <= number < len(rows):
        _refuse(where, f"there is no object {number!r}; there are {len(rows)}")
    return number
