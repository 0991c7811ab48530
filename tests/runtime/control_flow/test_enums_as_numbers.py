"""Members of IntEnum, IntFlag, StrEnum and their like that a tensor chooses, where a number or text is wanted."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain
from tests.runtime.control_flow.valued_enums import Color, Heat, Size, color_of, size_of, values_of


def arithmetic(n: Any) -> Any:
    size = size_of(n)
    of_one = size + 1, 1 + size, size * 2.5, size / 2, -size, abs(size), size << 2, size**2, size % 2, size // 2, ~size
    return of_one, size < 2, size * n, n * size, divmod(size, 2), 2**size, size.bit_length(), size.real


def two_of_them(n: Any) -> Any:
    size, other = size_of(n), Size.LARGE if n > 1 else Size.SMALL
    asked = size == other, size is other, size < other, (size, other) == (other, size), not size
    return asked, size + other, max(size, other), size and 5, size or 6, 0 if size == 1 else 8


def counted(n: Any) -> Any:
    size, total, turns = size_of(n), 0, 0
    for i in range(size):
        total += i + 1
    for i in range(0, size, 1):
        total += i
    while turns < size:
        turns += 1
    return total, turns


def returned(n: Any) -> Any:
    if n > 2:
        return Size.LARGE
    return Size.SMALL


def returned_in_structures(n: Any) -> Any:
    return [size_of(n), (size_of(n), {"a": color_of(n)})]


ROWS = [Size.SMALL, 2], [Size.LARGE, 3]


def returned_in_chosen_lists(n: Any) -> Any:
    return [ROWS[0] if n > 2 else ROWS[1], [Size.SMALL, n] if n > 2 else [Size.LARGE, n]]


def numpys(n: Any) -> Any:
    size = size_of(n)
    made = np.array([size, 1, 2]), np.full(2, size), np.zeros(5)[size:]
    return made, np.sqrt(size), np.arange(4) * size, np.arange(4)[size], np.add(size, 1), np.zeros(3) + size


def tensors(n: Any) -> Any:
    size = size_of(n)
    xs = tf.constant([1.0, 2.0, 3.0])
    return tf.cast(size, tf.float32), xs[size], xs[:size], tf.square(size), tf.gather([3, 4, 5], size), xs * size


def mathematics(n: Any) -> Any:
    size = size_of(n)
    ordered = max(size, 1), min(size, 5), sum([size, size]), sorted([size, 1, 0])
    return ordered, math.sqrt(size), int(size), float(size), round(size), bool(size)


def positions(n: Any) -> Any:
    size, items = size_of(n), [10, 20, 30]
    items[size] = 99
    return items[size], items[:size], (4, 5, 6)[size], "abc"[size], items, [0] * size


def keys(n: Any) -> Any:
    size, counts = size_of(n), {Size.SMALL: 1.5, Size.LARGE: 2.5}
    counts[size] += 1
    of_sizes = counts[size], counts.get(size), size in counts, {1: 5, 2: 6}[size]
    return of_sizes, list(counts.values()), {Color.RED: 1, Color.BLUE: 2}[color_of(n)], {"red": 5, "bl": 6}[color_of(n)]


def texts(n: Any) -> Any:
    color = color_of(n)
    asked = color == "red", color is Color.RED, color.startswith("r"), color in "a red"
    return asked, color.upper(), color + "x", len(color), color[0]


def text_in_texts(n: Any) -> Any:
    color = color_of(n)
    return "-".join([color, "a", color.name]), color.value.upper(), color * 2, color > "c", sorted([color, Color.BLUE])


def new_keys(n: Any) -> Any:
    counts, totals, seen = Counter(), defaultdict(int), {}
    totals[size_of(n)] += 5
    for i in range(n):
        size = Size.SMALL if i % 2 else Size.LARGE
        counts[size] += 1
        seen[size] = seen.get(size, 0) + i
    found = counts[Size.SMALL], counts[Size.LARGE], totals[Size.SMALL], totals[Size.LARGE], len(seen), seen[Size.LARGE]
    return found, [key.name for key in seen]


def members_of_sets(n: Any) -> Any:
    size = size_of(n)
    return size in {Size.SMALL, Size.HUGE}, size in [1, 5], size in (Size.LARGE,), size in {1, 2}, 2 in [size]


def compared_with_others(n: Any) -> Any:
    size = size_of(n)
    return size == 1.0, size == True, size is None, size == "x", 1 == size, 1.0 < size


def arrays(n: Any) -> Any:
    a, x = np.zeros(4, int), tf.constant([1, 2, 3])
    for i in range(4):
        a[i] = size_of(n + i)
    return a, a == size_of(n), np.where(a == Size.LARGE, 1, 0), x == size_of(n), x - size_of(n), size_of(n) == x


@dataclass
class Part:
    size: Size
    x: Any = 0


def dataclasses(n: Any) -> Any:
    part = Part(Size.SMALL)
    if n > 2:
        part.size, part.x = Size.LARGE, 4
    other = Part(size_of(n), n) if n > 1 else Part(Size.HUGE, 2)
    return part.size.name, part.x, other.size.name, other.x + other.size


def loops_with_else(n: Any) -> Any:
    for size in Size:
        if size > n:
            break
    found = Size.SMALL
    for i in range(10):
        if i > n:
            found = Size.LARGE
            break
    else:
        found = Size.HUGE
    return size.name, found.name


def floats(n: Any) -> Any:
    heat = Heat.LOW if n > 2 else Heat.HIGH
    return heat * 2, heat.name, math.floor(heat), heat + n, heat is Heat.LOW, n > heat


def becomes_a_number(n: Any) -> Any:
    size, total, either = Size.SMALL, Size.SMALL, Size.SMALL
    for i in range(n):
        size = size + i
        total += Size.LARGE
    if n > 2:
        either = 5
    return size, total * 2, either + 1


@pytest.mark.parametrize("program", [
    arithmetic, two_of_them, counted, returned, returned_in_structures, returned_in_chosen_lists,
    numpys, tensors, mathematics, positions, keys,
    texts, text_in_texts, new_keys, members_of_sets, compared_with_others, arrays, dataclasses, loops_with_else, floats,
    becomes_a_number,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (1, 3, 4):
        assert alike(plain(staged(tf.constant(n))), plain(values_of(program(n))))


def test_a_returned_dataclass_holds_the_number() -> None:
    part = tf.function(lambda n: Part(size_of(n), n))(tf.constant(3))
    assert (int(part.size), int(part.x)) == (2, 3)
