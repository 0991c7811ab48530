"""Files of TensorBoard's profiler, read field by field: `read_space(path)` gives the events of each line."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from runtime.ops.kernels import wire

__all__ = ["read_space"]


def _parts(text: bytes) -> list[tuple[int, Any]]:
    """The fields of a message: numbers as integers, all others as their bytes."""
    found = []
    for number, kind, start, stop in wire.fields(text):
        content = text[start:stop]
        found.append((number, sum((b & 0x7F) << 7 * i for i, b in enumerate(content)) if kind == 0 else content))
    return found


def _table(plane: list[tuple[int, Any]], number: int) -> dict[int, str]:
    entries = [dict(_parts(entry)) for n, entry in plane if n == number]
    return {entry[1]: dict(_parts(entry[2]))[2].decode() for entry in entries}


def _told(stat: dict[int, Any]) -> Any:
    if 2 in stat:
        return struct.unpack("<d", stat[2])[0]
    return stat[5].decode() if 5 in stat else stat[4]


def read_space(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Name, start, seconds and what is told of each event, by the name of its line."""
    (plane,) = (_parts(content) for number, content in _parts(path.read_bytes()) if number == 1)
    names, told = _table(plane, 4), _table(plane, 5)
    lines: dict[str, list[dict[str, Any]]] = {}
    for line in (_parts(content) for number, content in plane if number == 3):
        events = lines.setdefault(dict(line)[2].decode(), [])
        for fields in (_parts(content) for number, content in line if number == 4):
            one = dict(fields)
            stats = (dict(_parts(content)) for number, content in fields if number == 4)
            events.append(
                {"name": names[one[1]], "start": one[2] / 1e12, "seconds": one[3] / 1e12}
                | {told[stat[1]]: _told(stat) for stat in stats}
            )
    return lines
