"""What is done with a dict or set as a whole of which a tensor decides what it has: as in Python, order included."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def plain(value: Any) -> Any:
    """What a function gives, with the keys of dicts in their order."""
    if isinstance(value, dict):
        return type(value).__name__, [(key, plain(part)) for key, part in value.items()]
    if isinstance(value, set | frozenset):
        return sorted(plain(part) for part in value)
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    found = np.asarray(value).tolist()
    return found.decode() if isinstance(found, bytes) else found


def table(x):
    d = {"a": 1}
    if x > 0:
        d["c"] = 4
    else:
        d["e"] = 5
    return d


def members(x):
    s = {1, 5}
    if x > 0:
        s.add(3)
    else:
        s.discard(5)
    return s


def displayed(x):
    d = table(x)
    return {**d}, {**d, "z": 1}, {"c": 9, **d}, dict(d), {**{"a": 0}, **d, **{"e": 7}}


def comprehended(x):
    d = table(x)
    return {k: v for k, v in d.items()}, {k: v * 2 for k, v in d.items() if v > 1}, {v: k for k, v in d.items()}


def compared(x):
    d = table(x)
    return d == {"a": 1, "c": 4}, d == {"a": 1}, d != {"a": 1, "e": 5}, {"a": 1, "e": 5} == d, d == 3, d == table(-x)


def compared_in_order(x):
    d = OrderedDict(a=1)
    if x > 0:
        d["b"] = x
    d["c"] = 3
    return d == OrderedDict(a=1, b=x, c=3), d == OrderedDict(a=1, c=3), d == {"c": 3, "a": 1}, d != OrderedDict(c=3)


def compared_with_values_of_the_run(x):
    d = {"n": None, "l": [x, 1]}
    if x > 0:
        d["n"] = x
        d["more"] = (x, 2)
    return d == {"n": 1, "l": [1, 1], "more": (1, 2)}, d == {"n": None, "l": [-1, 1]}


def reversed_(x):
    d = table(x)
    return list(reversed(d)), list(reversed(d.values())), [k for k in reversed(d.items())]


def put_into_another(x):
    d, e = table(x), {"c": 0}
    e.update(d)
    return e, {"q": 1} | d, d | {"q": 1}


def by_keys_of_the_run(x):
    d = table(x)
    t = 0
    for key in sorted(d):
        t += d[key] + d.get(key, 7)
    return t, max(d, key=lambda k: d[k]), min(d, key=d.get), sorted(d, key=d.get), {k: d[k] for k in sorted(d)}


def keys_as_a_set(x):
    d = table(x)
    keys = d.keys()
    return keys == {"a", "c"}, keys & {"c"}, keys <= {"a", "c", "e"}, keys - {"a"}, set(d), keys | {"z"}


def sums(x):
    d = table(x)
    return len(d), sum(d.values()), min(d.values()), max(d), any(v > 4 for v in d.values()), sorted(d.items())


def set_gone_through(x):
    s = members(x)
    t = 0
    for v in s:
        if v > 2:
            t += v * 2
    return t, [v for v in s], sum(s), min(s), max(s), sorted(s), list(s), len(s)


def set_comprehended(x):
    s = members(x)
    return {v * 2 for v in s}, {v: 1 for v in s}, any(v == 3 for v in s), all(v for v in s), frozenset(s)


def set_compared(x):
    s, other = members(x), members(-x)
    return s == {1, 5}, s != {1}, {1, 3, 5} == s, s <= {1, 3, 5}, s < {1, 3, 5}, s >= {1}, s == other, s < other, s == 1


def set_methods(x):
    s = members(x)
    return s.issubset({1, 5}), s.issuperset([3]), s.isdisjoint({3}), s | {7}, s & {1, 3}, s - {1}, s ^ {1, 9}


def set_of_texts(x):
    s = {"a"}
    if x > 0:
        s.add("b")
    return sorted(s), len([v for v in s]), {v + "!" for v in s}, "b" in s


def set_beside_one_of_the_run(x):
    s = members(x)
    other = {x + 2, 1, 5}
    return s == other, other == s, s <= other


def counters(x):
    c = Counter("ab")
    if x > 0:
        c["z"] += 1
    d = c.copy()
    d += Counter("zz")
    return c + Counter("az"), c - Counter("a"), c & Counter("a"), c | Counter("zz"), Counter("az") - c, +c, -c, d


def counters_in_order(x):
    c = Counter("aab")
    if x > 0:
        c["z"] += 5
    return c.most_common(1), c.most_common(), c.total(), sorted(c.elements()), c == Counter("aab")


PROGRAMS = [
    displayed, comprehended, compared, compared_in_order, compared_with_values_of_the_run, reversed_, put_into_another,
    by_keys_of_the_run, keys_as_a_set, sums, set_gone_through, set_comprehended, set_compared, set_methods,
    set_of_texts, set_beside_one_of_the_run, counters, counters_in_order,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_in_python(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for x in (1, -1, 0):
        assert plain(staged(tf.constant(x))) == plain(program(x))


def test_a_key_of_the_run_that_is_not_there() -> None:
    @tf.function
    def staged(x, y):
        d, t = table(x), 0
        for key in sorted(table(y)):
            t += d[key]
        return t

    assert int(staged(tf.constant(-1), tf.constant(-1))) == 6
    with pytest.raises(KeyError):
        staged(tf.constant(1), tf.constant(-1))
