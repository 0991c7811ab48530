"""Programs that put what a tensor says into dicts and sets of their caller, as keys or members.

Each makes a function of a number, and what gives the containers that it changes.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

__all__ = ["MADE_ANEW", "PROGRAMS", "Made", "of", "program"]

Made = tuple[Callable[[Any], Any], Callable[[], Any]]

PROGRAMS: list[Callable[[], Made]] = []
MADE_ANEW: list[Callable[[], Made]] = []
"""Those that leave another container in each call, which takes a trace for each."""

MEMO: dict[Any, Any] = {}


class Size(IntEnum):
    SMALL = 1
    LARGE = 3


class Counts:
    found: Any = {}


def program(make: Callable[[], Made]) -> Callable[[], Made]:
    PROGRAMS.append(make)
    return make


def of(kept: Any, function: Callable[[Any, Any], Any]) -> Made:
    """The program of a function that takes an object with `kept` in its attribute `k`."""
    owner = SimpleNamespace(k=kept)
    return lambda n: function(n, owner), lambda: owner.k


@program
def put() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k[n] = n * 2
        return len(o.k)

    return of({2**40 + 5: 1}, f)


@program
def beside_numbers_of_python() -> Made:
    def f(n: Any, o: Any) -> Any:
        if n in o.k:
            return o.k[n]
        o.k[n] = n * 3
        return -1

    return of({1: 5, 4: 7}, f)


@program
def counted_with_get() -> Made:
    def count(d: Any, n: Any) -> None:
        d[n] = d.get(n, 0) + 1

    def f(n: Any, o: Any) -> Any:
        while n > 0:
            count(o.k, n % 4)
            n = n - 1
        return len(o.k)

    return of({}, f)


@program
def digits_in_a_counter() -> Made:
    def f(n: Any, o: Any) -> Any:
        n = n * 1231
        while n > 0:
            o.k[n % 10] += 1
            n //= 10
        o.k.update([n, n + 1])
        return o.k.most_common(1)[0][1] + o.k[77]

    return of(Counter({1: 3}), f)


@program
def in_a_defaultdict() -> Made:
    def f(n: Any, o: Any) -> Any:
        for i in range(n):
            o.k[i % 2] += i
        return sum(o.k.values())

    return of(defaultdict(int), f)


@program
def the_last_few() -> Made:
    def f(n: Any, o: Any) -> Any:
        if n in o.k:
            o.k.move_to_end(n)
        else:
            o.k[n] = n * n
            if len(o.k) > 2:
                o.k.popitem(last=False)
        return o.k[n]

    return of(OrderedDict(), f)


@program
def in_a_try() -> Made:
    def f(n: Any, o: Any) -> Any:
        try:
            found = o.k[n]
        except KeyError:
            found = -1
            o.k[n] = n + 1
        return found

    return of({}, f)


@program
def on_one_way() -> Made:
    def f(n: Any, o: Any) -> Any:
        if n > 3:
            o.k[1] = n
            o.k[n] = 3
        return len(o.k)

    return of({}, f)


@program
def popped_and_put() -> Made:
    def f(n: Any, o: Any) -> Any:
        found = o.k.pop(n, -1)
        o.k[n + 1] = found
        a, _ = o.k.popitem()
        o.k[a + 5] = 1
        return found

    return of({3: 1, 5: 2}, f)


@program
def deleted() -> Made:
    def f(n: Any, o: Any) -> Any:
        if n in o.k:
            del o.k[n]
            return 1
        return 0

    return of({i: i for i in range(6)}, f)


@program
def deleted_in_a_try() -> Made:
    def f(n: Any, o: Any) -> Any:
        try:
            del o.k[n]
        except KeyError:
            return -1
        return len(o.k)

    return of({i: i for i in range(4)}, f)


@program
def with_a_default() -> Made:
    def f(n: Any, o: Any) -> Any:
        return o.k.setdefault(n % 3, n) + max(o.k, key=o.k.get)

    return of({}, f)


@program
def cleared() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k[n] = 3
        if n > 4:
            o.k.clear()
        return len(o.k)

    return of({7: 1}, f)


@program
def gone_through() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k[n % 2] = o.k.get(n % 2, 0) + n
        total = 0
        for key in o.k:
            total = total * 10 + key
        for key, value in o.k.items():
            total += key * value
        return total

    return of({}, f)


@program
def updated() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k.update({n: 1, n + 1: 2})
        o.k |= {n + 2: 3}
        return [key for key, value in o.k.items() if value > 1][-1]

    return of({}, f)


@program
def pairs() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k[(n, n + 1)] = (n, 0.5)
        a, b = o.k[(n, n + 1)]
        return a + b

    return of({(1, 2): (4, 2.5)}, f)


@program
def texts() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k[f"{n}!"] = "many" if n > 2 else "few"
        return len(o.k["x"])

    return of({"x": "one"}, f)


@program
def flags() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k[n % 2 == 0] = n > 3
        return len(o.k)

    return of({False: True}, f)


@program
def members() -> Made:
    def f(n: Any, o: Any) -> Any:
        size = Size.LARGE if n > 3 else Size.SMALL
        o.k[size] = o.k.get(size, 0) + 1
        return len(o.k)

    return of({Size.SMALL: 1}, f)


@program
def in_a_dict_of_dicts() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k["a"][n] = n
        o.k["b"][0][n + 1] = 2
        return len(o.k["a"])

    return of({"a": {}, "b": [{}]}, f)


@program
def under_two_names() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k[0][n] = 3
        o.k[1][n + 1] = 4
        return 1 if o.k[0] is o.k[1] else 0

    known = {7: 1}
    return of([known, known], f)


@program
def of_a_class() -> Made:
    Counts.found = {}

    def f(n: Any) -> Any:
        Counts.found[n % 2] = Counts.found.get(n % 2, 0) + n
        return len(Counts.found)

    return f, lambda: Counts.found


@program
def a_global() -> Made:
    MEMO.clear()

    def f(n: Any) -> Any:
        if n > 3:
            MEMO[n] = 1
        else:
            MEMO[-n] = 2
        return sum(MEMO.values())

    return f, lambda: MEMO


def another_one() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k[n] = n
        o.k = dict(sorted(o.k.items()))
        o.k[n + 1] = 5
        return len(o.k)

    return of({}, f)


MADE_ANEW.append(another_one)
