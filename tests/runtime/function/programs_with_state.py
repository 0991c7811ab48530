"""Programs that leave tensors and numbers in a model and in globals; test_state.py runs them as Functions."""

from __future__ import annotations

import collections
from typing import Any, NamedTuple

import runtime as tf

t = tf.constant


class Pair(NamedTuple):
    h: Any
    c: Any


class Slotted:
    __slots__ = ("__weakref__", "total")

    def __init__(self) -> None:
        self.total = t(0.0)


class Model:
    shared = t(0.0)

    def __init__(self) -> None:
        self.total = t(1.0)
        self.other = t(5.0)
        self.count = 0
        self.seen = False
        self.rate = 0.5
        self.cache: Any = None
        self.pair: Any = (t(0.0), t(1.0))
        self.named = Pair(t(0.0), (1, t(2.0)))
        self.state: Any = [t(0.0), t(0.0)]
        self.first = self.alias = [t(0.0)]
        self.table: Any = {"a": t(1.0), "n": 0, "lr": 0.5}
        self.items: Any = [t(1.0), 2, 3.0]
        self.queue = collections.deque([t(1.0), t(2.0)])
        self.latest = collections.deque([1.0, 2.0, 3.0], maxlen=3)
        self.ordered = collections.OrderedDict(a=t(1.0))
        self.counter = collections.Counter(a=1)
        self.inner = Slotted()
        self.other_table = self.table
        self.tables: Any = {"x": {}, "y": [{"k": 1}]}
        self.members = {1, 2}


def replaced(m: Model, x: Any) -> Any:
    m.total = x * 2
    return m.total + 1


def added_up(m: Model, x: Any) -> Any:
    m.total = m.total + x
    return m.total


def on_one_way(m: Model, x: Any) -> Any:
    if x > 0:
        m.total = m.total + x
    return m.total


def on_both_ways(m: Model, x: Any) -> Any:
    if x > 0:
        m.total, m.other = m.other, m.total
    else:
        m.other = x
    return m.total - m.other


def in_a_loop(m: Model, x: Any) -> Any:
    i = 0
    while i < x:
        m.total += x
        i += 1
    return i


def a_number(m: Model, x: Any) -> Any:
    if x > 0:
        m.count += 1
        m.seen = True
        m.rate *= 0.5
    return x * m.count + m.rate


def made(m: Model, x: Any) -> Any:
    is_new = not hasattr(m, "fresh")
    m.fresh = x * 2
    return x if is_new else -x


def made_on_one_way(m: Model, x: Any) -> Any:
    if x > 0:
        m.fresh = x * 2
    return getattr(m, "fresh", x)


def deleted_on_one_way(m: Model, x: Any) -> Any:
    if not hasattr(m, "fresh"):
        m.fresh = x
    elif x < 0:
        del m.fresh
    return x


def set_up_by_the_first_call(m: Model, x: Any) -> Any:
    if m.cache is None:
        m.cache = x
    m.cache = m.cache * 2
    return m.cache


def none_on_one_way(m: Model, x: Any) -> Any:
    if x > 0:
        m.cache = x
    else:
        m.cache = None
    return x


def none_again(m: Model, x: Any) -> Any:
    y = x if m.cache is None else m.cache
    m.cache = x
    if x > 2:
        m.cache = None
    return y


def delayed(m: Model, x: Any) -> Any:
    """Each attribute gets what the next one had: which of them are state is found from the last one on."""
    m.count, m.seen, m.rate = m.seen, m.rate, x
    return x


def moved_along(m: Model, x: Any) -> Any:
    m.items[0], m.items[1], m.items[2] = m.items[1], m.items[2], x
    m.latest.append(x)
    return x + m.latest[0]


def reset(m: Model, x: Any) -> Any:
    m.total = 0.0
    return x


def tuples(m: Model, x: Any) -> Any:
    h, c = m.pair
    m.pair = (h + x, c * 2)
    m.named = Pair(m.named.h + x, (m.named.c[0], m.named.c[1] + h))
    return m.pair[0] + m.named.h


def a_new_list(m: Model, x: Any) -> Any:
    h, c = m.state
    m.state = [h + x, h + c]
    return m.state[1]


def a_new_list_beside_an_alias(m: Model, x: Any) -> Any:
    y = m.first[0] + m.alias[0]
    if m.first is m.alias:
        y = y + 10
    m.first = [m.first[0] + x]
    return y


def a_new_structure(m: Model, x: Any) -> Any:
    m.state = {"h": [x, 3, "text", None]}
    return x


def keys(m: Model, x: Any) -> Any:
    m.table["a"] = m.table["a"] + x * m.table["lr"]
    if x > 0:
        m.table["n"] += 1
    return m.table["a"]


def a_new_key(m: Model, x: Any) -> Any:
    m.table["b"] = m.table.get("b", x) + x
    return m.table["b"]


def elements(m: Model, x: Any) -> Any:
    m.items[0] = m.items[0] + x
    if x > 0:
        m.items[-1] = x
    m.items[1] = m.items[1] + x
    return m.items[0]


def a_new_list_on_one_way(m: Model, x: Any) -> Any:
    if x > 0:
        m.state = [m.state[1], x]
    return m.state[0]


def one_of_several_objects(m: Model, x: Any) -> Any:
    first, second = m.first, m.state
    m.cache = first if x > 0 else second
    m.pair = (x, m.cache)
    return m.cache[0]


def a_new_list_in_each_iteration(m: Model, x: Any) -> Any:
    for y in (tf.stack([x, x + 1]) if isinstance(x, tf.Tensor) else (x, x + 1)):
        h, c = m.state
        m.state = [h + y, h + c]
    return m.state[1]


def other_containers(m: Model, x: Any) -> Any:
    m.queue[0] += x
    m.ordered["a"] += x
    if x > 0:
        m.counter["a"] += 1
        m.ordered["b"] = x
    else:
        m.ordered["b"] = t(1.0)
    return m.queue[0]


def an_object_inside(m: Model, x: Any) -> Any:
    inner = m.inner
    if x > 0:
        inner.total += x
    return inner.total


def a_class(m: Model, x: Any) -> Any:
    Model.shared = Model.shared + x
    return m.shared


def plain_and_staged(m: Model, x: Any) -> Any:
    m.total = m.total * m.rate
    return m.total + x


TOTAL = t(0.0)
COUNT = 0


def a_global(m: Model, x: Any) -> Any:
    global TOTAL, COUNT
    TOTAL = TOTAL + x
    if x > 0:
        COUNT += 1
    return TOTAL + COUNT


def through_a_helper(m: Model, x: Any) -> Any:
    def add() -> None:
        m.total = m.total + x

    for _ in range(2):
        add()
    return added_up(m, x)


def a_grown_list(m: Model, x: Any) -> Any:
    found = []
    for i in tf.range(3):
        found.append(x * tf.cast(i, tf.float32))
    m.state = found
    return x


def keys_on_one_way(m: Model, x: Any) -> Any:
    if x > 0:
        m.table["new"] = x
    if x > 2:
        m.table["a"] = x
    return m.table["new"] if "new" in m.table else x


def keys_removed_on_one_way(m: Model, x: Any) -> Any:
    if x < 0:
        m.table.pop("a", None)
    else:
        m.table["n"] = m.table["n"] + 1
    if "b" not in m.table:
        m.table["b"] = x
    return m.other_table.get("a", x)


def keys_in_a_loop(m: Model, x: Any) -> Any:
    table = m.table
    i = 0
    while i < x:
        table["last"] = x * 2
        i += 1
    return table.get("last", 0.0) + len(m.other_table)


def tables_in_tables(m: Model, x: Any) -> Any:
    if x > 0:
        m.tables["x"]["k"] = x
        m.tables["y"][0]["l"] = 1
        TABLE["k"] = x
    return len(m.tables["x"]) + TABLE.get("k", 0.0)


def members_of_a_set(m: Model, x: Any) -> Any:
    if x > 0:
        m.members.add(3)
    else:
        m.members.discard(1)
    return len(m.members) + x


TABLE: Any = {}


def a_table_around(m: Model, x: Any) -> Any:
    table = m.table

    def note() -> None:
        if x > 1:
            table["noted"] = x

    note()
    return x


PROGRAMS = [
    replaced, added_up, on_one_way, on_both_ways, in_a_loop, a_number, made, made_on_one_way, deleted_on_one_way,
    set_up_by_the_first_call, none_on_one_way, none_again, reset, tuples, a_new_list, a_new_list_beside_an_alias,
    a_new_list_on_one_way, a_new_list_in_each_iteration,
    one_of_several_objects, a_new_structure, keys, a_new_key, elements, other_containers,
    an_object_inside, a_class, plain_and_staged, a_global, through_a_helper, a_grown_list, keys_on_one_way,
    keys_removed_on_one_way, keys_in_a_loop, tables_in_tables, members_of_a_set, a_table_around, delayed, moved_along,
]  # fmt: skip
