"""Arguments whose order is another one after a call, or from one call to the next: keys of dicts, arrays, Variables."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

import runtime as tf

t = tf.constant


def goes_through(d: Any, x: Any) -> Any:
    return [key + "!" for key in d], [value * x for value in d.values()]


def reads_the_first(d: Any, x: Any) -> Any:
    return x * d[next(iter(d))]


def moves_to_the_end(d: Any, x: Any) -> Any:
    d.move_to_end("a")
    return x


def pops_the_first(d: Any, x: Any) -> Any:
    key, value = d.popitem(last=False)
    d[key] = value * x
    return x


def puts_behind(d: Any, x: Any) -> Any:
    d["a"] = d.pop("a") * x
    return x


def adds(d: Any, x: Any) -> Any:
    d["n"] = x
    d["a"] += x
    return x


def turned(make: Any, *values: Any) -> list[Any]:
    a, b = values
    return [lambda: make({"a": a, "b": b}), lambda: make({"b": a, "a": b})]


DICTS = [
    (goes_through, turned(dict, t(1.0), t(2.0))),
    (goes_through, turned(OrderedDict, 1.0, 2.0)),
    (reads_the_first, turned(OrderedDict, t(1.0), t(2.0))),
    (moves_to_the_end, turned(OrderedDict, t(1.0), t(2.0))),
    (moves_to_the_end, turned(OrderedDict, 1, 2)),
    (pops_the_first, turned(OrderedDict, t(1.0), t(2.0))),
    (puts_behind, turned(dict, t(1.0), t(2.0))),
    (puts_behind, turned(dict, 1, 2)),
    (adds, turned(Counter, 1, 2)),
    (adds, turned(lambda held: defaultdict(int, held), t(1.0), t(2.0))),
]


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, plain(part)) for key, part in value.items()]
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    found = value if isinstance(value, str) else np.asarray(value).tolist()
    return found.decode() if isinstance(found, bytes) else found


@pytest.mark.filterwarnings("error::runtime.errors.TraceEffectWarning")
@pytest.mark.parametrize(("program", "makes"), DICTS)
def test_the_order_of_keys_is_pythons(program: Any, makes: Any) -> None:
    staged = tf.function(program)
    for make in [*makes, *makes]:
        for x in (2.0, 3.0):
            mine, pythons = make(), make()
            assert plain(staged(mine, t(x))) == plain(program(pythons, t(x)))
            assert plain(mine) == plain(pythons)


def swaps(parts: Any) -> Any:
    parts[0], parts[1] = parts[1], parts[0]
    return parts[0] * 2


def turns_and_writes(parts: Any) -> Any:
    parts.reverse()
    parts[0] += 7
    return parts[0] * 2


def gets_one_more(parts: Any) -> Any:
    parts.append(parts[0])
    return parts[-1] * 2


def loses_one(parts: Any) -> Any:
    parts.pop(0)
    return parts[0] * 2


MEMORIES: list[Any] = [
    lambda: [np.ones(2), np.zeros(2)],
    lambda: [np.ones(2), t([3.0, 4.0], tf.float64)],
    lambda: [np.ones(3), np.zeros(2), np.arange(4.0)],
]


@pytest.mark.filterwarnings("error::runtime.errors.TraceEffectWarning")
@pytest.mark.parametrize("program", [swaps, turns_and_writes, gets_one_more, loses_one])
@pytest.mark.parametrize("make", MEMORIES)
def test_arrays_of_a_list_are_where_numpy_has_them(program: Any, make: Any) -> None:
    staged = tf.function(program)
    for _ in range(2):
        mine, pythons = make(), make()
        own, others = [*mine], [*pythons]
        assert plain(staged(mine)) == plain(program(pythons))
        assert plain(mine) == plain(pythons) and plain(own) == plain(others)
        arrays = [part for part in pythons if isinstance(part, np.ndarray)]
        found = [next(i for i, part in enumerate(others) if part is array) for array in arrays]
        mine = [part for part in mine if isinstance(part, np.ndarray)]
        assert [next(i for i, part in enumerate(own) if part is array) for array in mine] == found


@pytest.mark.filterwarnings("error::runtime.errors.TraceEffectWarning")
@pytest.mark.parametrize("program", [swaps, gets_one_more, loses_one])
def test_variables_of_a_list_are_the_objects_that_they_are(program: Any) -> None:
    staged = tf.function(program)
    for _ in range(2):
        own = [tf.Variable(1.0), tf.Variable(2.0)]
        mine, pythons = [*own], [*own]
        assert plain(staged(mine)) == plain(program(pythons))
        assert len(mine) == len(pythons) and all(a is b for a, b in zip(mine, pythons, strict=True))


@pytest.mark.filterwarnings("error::runtime.errors.TraceEffectWarning")
def test_arrays_that_are_made_in_the_function_are_others_in_each_call() -> None:
    @tf.function
    def f(parts: Any, x: Any) -> Any:
        parts.append(np.zeros(2))
        return x

    first, second = [np.ones(2)], [np.ones(2)]
    f(first, t(1.0))
    first[1][0] = 5.0
    f(second, t(1.0))
    assert plain(first) == [[1.0, 1.0], [5.0, 0.0]] and plain(second) == [[1.0, 1.0], [0.0, 0.0]]


def test_arrays_that_a_tensor_swaps_are_swapped_in_each_run() -> None:
    def swaps_if(parts: Any, x: Any) -> Any:
        if x > 1:
            parts[0], parts[1] = parts[1], parts[0]
        parts[0][0] += x
        return parts[0]

    staged = tf.function(swaps_if)
    mine, numpys = [np.ones(2), np.zeros(2)], [np.ones(2), np.zeros(2)]
    first, other = mine[0], numpys[0]
    for x in (2.0, 0.5, 3.0, 2.0, 0.1):
        assert plain(staged(mine, t(x, tf.float64))) == plain(swaps_if(numpys, x))
        assert plain(mine) == plain(numpys)
        assert (mine[0] is first) == (numpys[0] is other)
    returned = tf.function(lambda parts, x: (swaps_if(parts, x), parts)[1])
    assert plain(returned([np.ones(2), np.zeros(2)], t(2.0, tf.float64))) == [[2.0, 0.0], [1.0, 1.0]]


class Account:
    def __init__(self) -> None:
        self.total: Any = t(0.0)
        self.rows = np.zeros(2)

    def adds(self, items: Any, x: Any) -> Any:
        items[0] += x
        return items[0]

    def leaves_tensors(self, items: Any, x: Any) -> Any:
        self.total = self.total + x
        self.rows += x
        items[0] += x
        return items[0]

    def appends(self, items: Any, x: Any) -> Any:
        items.append(x)
        return len(items)

    def sorts(self, items: Any, x: Any) -> Any:
        items[-1], items[0] = items[0] + x, items[-1]
        return items[0]


def adds_to_a_key(account: Account, items: Any, x: Any) -> Any:
    items[0]["n"] = items[0].get("n", 0.0) + x
    return items[0]["n"]


@pytest.mark.parametrize(
    ("name", "items"),
    [
        ("adds", [1.0, 2.0]), ("adds", [t(1.0), 2.0]), ("appends", []), ("appends", [1.0, t(2.0)]),
        ("leaves_tensors", [1.0, 2.0]), ("leaves_tensors", [t(1.0), 2.0]), ("sorts", [1.0, 2.0]), ("sorts", [1.0, 1.0]),
        ("adds_to_a_key", [{}]),
    ],
)  # fmt: skip
def test_a_call_with_what_another_has_left_is_another_call(name: str, items: list[Any]) -> None:
    program = getattr(Account, name, adds_to_a_key)
    plain, staged = (deepcopy(items), Account()), (deepcopy(items), Account())
    for call, (held, account) in ((program, plain), (tf.function(program), staged)):
        results = [float(call(account, held, x)) for x in (2.0, 2.0, 2.0, 3.0)]
        held.append(results)
    assert numbers(staged[0]) == numbers(plain[0])
    assert float(staged[1].total) == float(plain[1].total)


def numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: numbers(part) for key, part in value.items()}
    return [numbers(part) for part in value] if isinstance(value, list) else float(value)
