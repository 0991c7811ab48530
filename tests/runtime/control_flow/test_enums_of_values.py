"""Members of IntEnum, IntFlag, StrEnum and their like that a tensor chooses: objects, and numbers or texts, too."""

from __future__ import annotations

import enum
import math
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2
    HUGE = 7

    @property
    def double(self) -> int:
        return self * 2

    def other(self) -> Size:
        return Size.LARGE if self is Size.SMALL else Size.SMALL


class Color(str, enum.Enum):
    RED = "red"
    BLUE = "bl"

    @property
    def short(self) -> str:
        return self.value[0]


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2
    RUN = 4


class Heat(float, enum.Enum):
    LOW = 0.5
    HIGH = 2.5


class Card(enum.IntEnum):
    """Its order is its own."""

    ACE = 1
    TWO = 2

    def __lt__(self, other: Any) -> bool:
        return int(self) % 2 < int(other) % 2


def size_of(n: Any) -> Any:
    return Size.LARGE if n > 2 else Size.SMALL


def color_of(n: Any) -> Any:
    return Color.RED if n > 2 else Color.BLUE


# -- as objects


def attributes(n: Any) -> Any:
    size, color = size_of(n), color_of(n)
    return size.name, size.value, size.double, size.other().name, color.name, color.value, color.short


def identity(n: Any) -> Any:
    size = size_of(n)
    asked = size is Size.LARGE, size is not Size.SMALL, size in Size, color_of(n) is Color.RED
    return asked, isinstance(size, Size), isinstance(size, int), type(size) is Size, isinstance(size, float)


def machine(n: Any) -> Any:
    size, turns = Size.SMALL, 0
    while size is not Size.HUGE:
        turns += 1
        if size is Size.SMALL:
            size = Size.LARGE
        elif turns > n:
            size = Size.HUGE
        else:
            size = Size.SMALL
    return turns, size.name, size + 1


def best(n: Any) -> Any:
    found, most = Size.SMALL, 0
    for member in Size:
        if member * n % 5 > most:
            found, most = member, member * n % 5
    return found.name, most


def called(n: Any) -> Any:
    return Size(size_of(n)).name, max(size_of(n), Size.HUGE).name


def elements(n: Any) -> Any:
    sizes = [Size.SMALL, Size.LARGE, Size.HUGE]
    size = sizes[n % 3]
    return size.name, size + 1, sizes.index(Size.LARGE), sizes.count(size)


def perhaps_none(n: Any) -> Any:
    size = None
    if n > 2:
        size = Size.LARGE
    return -1 if size is None else size + 1, "none" if size is None else size.name


def matched(n: Any) -> Any:
    match size_of(n):
        case Size.SMALL:
            found = 1
        case Size.LARGE:
            found = 2
        case _:
            found = 3
    match size_of(n):
        case Size():
            return found, 4
        case _:
            return found, 5


def matched_by_number(n: Any) -> Any:
    match size_of(n):
        case 1:
            return 10
        case 2:
            return 20


def flags(n: Any) -> Any:
    rights = Rights.READ
    if n > 2:
        rights = Rights.READ | Rights.WRITE
    rights |= Rights.RUN
    return bool(rights & Rights.WRITE), rights & Rights.READ, rights.value, Rights.WRITE in rights, ~rights & 3


def flags_of_a_loop(n: Any) -> Any:
    rights = Rights(0)
    for i in range(n):
        rights |= Rights.READ if i % 2 else Rights.WRITE
    return rights.value, rights == 3


def growing(n: Any) -> Any:
    sizes, colors = [], []
    for i in range(n):
        sizes.append(Size.SMALL if i % 2 else Size.HUGE)
        colors.append(Color.RED)
    total = 0
    for size in sizes:
        total += size if size is Size.HUGE else 0
    return len(sizes), sizes[0] + 1, sizes[0].name, sizes[-1].double, colors[0].short, total


def order_of_its_own(n: Any) -> Any:
    card = Card.ACE if n > 2 else Card.TWO
    return card < Card.TWO, card < Card.ACE, card > 1


def written(n: Any) -> Any:
    size, color = size_of(n), color_of(n)
    return f"{size}", str(size), f"{size.name}", f"{color.value}", f"{size:3d}", f"{size!r}", f"{color}", str(color)


# -- as numbers and texts


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
    attributes, identity, machine, best, called, elements, perhaps_none, matched, matched_by_number, flags,
    flags_of_a_loop, growing, order_of_its_own, written, arithmetic, two_of_them, counted, returned,
    returned_in_structures, numpys, tensors, mathematics, positions, keys, texts, text_in_texts, new_keys,
    members_of_sets, compared_with_others, arrays, dataclasses, loops_with_else, floats, becomes_a_number,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (1, 3, 4):
        assert alike(plain(staged(tf.constant(n))), plain(_values(program(n))))


def _values(result: Any) -> Any:
    """What Python's function returns, with the numbers and texts that members are: those of a Function are tensors."""
    if isinstance(result, dict):
        return {key: _values(item) for key, item in result.items()}
    if isinstance(result, list | tuple):
        return type(result)(map(_values, result))
    return result.value if isinstance(result, enum.Enum) else result


def test_a_returned_dataclass_holds_the_number() -> None:
    part = tf.function(lambda n: Part(size_of(n), n))(tf.constant(3))
    assert (int(part.size), int(part.x)) == (2, 3)


class Lamp:
    def __init__(self) -> None:
        self.size, self.color = Size.SMALL, Color.RED
        self.seen: list[Any] = [Size.SMALL]
        self.by_name: dict[str, Any] = {}

    def step(self, x: Any) -> Any:
        if x > 0:
            self.size, self.color = self.size.other(), Color.BLUE
            self.seen[0] = Size.HUGE
            self.by_name["last"] = Size.HUGE
        else:
            self.by_name["last"] = Size.SMALL
        return self.size.value

    def state(self) -> list[Any]:
        return [self.size, self.color, *self.seen, *self.by_name.values()]


def test_members_are_left_as_members() -> None:
    expected, found = Lamp(), Lamp()
    staged = tf.function(found.step)
    for x in (1, -1, 2, 3, -1):
        assert expected.step(x) == int(staged(tf.constant(x)))
        assert len(expected.state()) == len(found.state())
        assert all(a is b for a, b in zip(expected.state(), found.state(), strict=True))


def test_members_in_attributes_are_read_at_each_call() -> None:
    lamp = Lamp()

    @tf.function
    def step(x: Any) -> Any:
        if x > 0:
            lamp.size = lamp.size.other()
        return lamp.size.value

    assert [int(step(tf.constant(x))) for x in (1, -1, 2, 3, -1, 5)] == [2, 2, 1, 2, 2, 1]
    assert step.experimental_get_tracing_count() <= 2


def test_a_loop_that_ends_with_a_member_is_staged() -> None:
    traced = tf.function(machine).get_concrete_function(tf.TensorSpec([], tf.int32))
    assert len(traced.graph.operations) < 100
