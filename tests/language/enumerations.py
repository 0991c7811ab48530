"""Rows of the language table: members of enumerations that staged code chooses."""

from __future__ import annotations

import enum
from functools import partial

from tests.language import construct

staged = partial(construct.staged, "Containers and objects")


class Mode(enum.Enum):
    IDLE = 1
    RUN = 2


@staged("members of an `Enum`", "One of several objects; also as keys of a dict, and in `match`.", 3, 4, graph="while")
def machine(n):
    mode, after, costs = Mode.IDLE, {Mode.IDLE: Mode.RUN, Mode.RUN: Mode.IDLE}, 0
    for _ in range(n):
        mode = after[mode]
        costs += mode.value if mode is Mode.RUN else 10
    return costs, mode is Mode.RUN


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


@staged("members of an `IntEnum`", "Objects, and the numbers that they are where one is wanted.", 1, 3, graph="while")
def sizes(n):
    size, total = Size.SMALL, 0
    for i in range(n):
        size = Size.LARGE if size is Size.SMALL else Size.SMALL
        total += size * i
    return total, size.name, [10, 20, 30][size]
