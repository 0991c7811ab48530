"""`TextLineDataset`: the lines of text files, as strings without their ends (a line feed, perhaps after a return)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from runtime.library.data.blocks import Block
from runtime.library.data.files import pieces
from runtime.ops.records.record import Array

__all__ = ["LineReader", "texts"]


@dataclass(frozen=True)
class LineReader:
    """Reads the lines of a file."""

    compression: str = ""

    def __call__(self, path: str) -> Iterator[Block]:
        begun: list[bytes] = []
        for data in pieces(path, self.compression):
            first, *others = data.split(b"\n")
            begun.append(first)
            if others:
                lines = [b"".join(begun), *others]
                begun = [lines.pop()]
                yield _block(lines)
        last = b"".join(begun)
        if last:
            yield _block([last])


def _block(lines: list[bytes]) -> Block:
    if any(line.endswith(b"\r") for line in lines):
        lines = [line.removesuffix(b"\r") for line in lines]
    return Block([texts(lines)], len(lines))


def texts(items: list[bytes]) -> Array:
    """A vector of strings."""
    made = np.empty(len(items), object)
    made[:] = items
    return made
