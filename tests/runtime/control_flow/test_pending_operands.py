"""Lists that grow while an expression has evaluated them already: each program does what Python does, or is refused.

`[len(t) for t in [a, grow(a, x), a]]` has the first `a` before `grow` makes it longer, and in Python that is one list.
What is written out, or given to a function, has the new list when it is complete; another operand is refused.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable
from typing import Any

import pytest

import runtime
from autograph.errors import StagingError

Pair = collections.namedtuple("Pair", "first second")


class Box:
    """Something that holds a list."""

    def __init__(self, items: Any) -> None:
        self.items = items


def grow(a: Any, x: Any) -> Any:
    if x > 0:
        a.append(x)
    return a


def same(a: Any) -> Any:
    return a


def sizes(*lists: Any, **more: Any) -> Any:
    return [len(t) for t in lists] + [len(t) for t in more.values()]


def display(a, x):
    return [len(t) for t in [a, grow(a, x), a]]


def argument(a, x):
    return sizes(a, grow(a, x))


def keyword_argument(a, x):
    return sizes(first=a, second=grow(a, x))


def pair(a, x):
    t = a, grow(a, x)
    return len(t[0])


def dict_display(a, x):
    return len({"p": a, "q": grow(a, x)}["p"])


def starred(a, x):
    rows = [a]
    r = [*rows, grow(a, x)]
    return len(r[0])


def added(a, x):
    return len(a + [len(grow(a, x))])


def identity(a, x):
    return 1 if a is grow(a, x) else 0


def compared(a, x):
    return 1 if a == [len(grow(a, x))] else 0


def default_argument(a, x):
    def g(p=a, q=grow(a, x)):
        return len(p), len(q)

    return g()


def default_of_a_lambda(a, x):
    return (lambda p=a, q=grow(a, x): len(p))()


def default_made_before(a, x):
    g = [lambda p=a: len(p)]
    grow(a, x)
    return g[0]()


def result_of_a_call(a, x):
    return [len(t) for t in [same(a), grow(a, x)]]


def inside_of_an_object(a, x):
    r = [Box(a), grow(a, x)]
    return len(r[0].items)


def either_operand(a, x):
    return [len(t) for t in [a or [1], grow(a, x)]]


def later_branch(a, x):
    r = [a, (a.append(x), a)[1] if x > 0 else a]
    return len(r[0])


def comprehension(a, x):
    r = [(grow(a, x) if i else a) for i in (0, 1)]
    return len(r[0])


def items_of_a_comprehension(a, x):
    return [(grow(a, x), len(r))[1] for r in [a, a]]


def items_of_map(a, x):
    return list(map(lambda t: (grow(a, x), len(t))[1], [a, a]))


def items_of_a_generator(a, x):
    return sum((grow(a, x), len(t))[1] for t in [a, a])


def items_of_reduce(a, x):
    return functools.reduce(lambda n, t: (grow(a, x), n * 10 + len(t))[1], [a, a], 0)


def partial(a, x):
    p = functools.partial(len, a)
    grow(a, x)
    return p()


def around_a_call(a, x):
    def g(q):
        return sizes(q, grow(q, x))

    return g(a)


def grown_by_a_loop(a, x):
    def fill():
        for i in runtime.range(x):
            a.append(i)
        return a

    return [len(t) for t in (a, fill())]


def element_written(a, x):
    rows = [a, a]
    rows[len(grow(a, x)) * 0] = a
    return len(rows[0])


def display_in_a_display(a, x):
    return [len(t) for t in [[a], grow(a, x), a][0]]


def builtin_argument(a, x):
    return [len(p[0]) for p in zip([a], [grow(a, x)])]


def method_argument(a, x):
    return a.count(grow(a, x)[0])


def tuple_argument(a, x):
    def g(t, u):
        return len(t[0])

    return g((a, 1), grow(a, x))


REFUSED = (
    pair, dict_display, starred, added, identity, compared, default_argument, default_of_a_lambda, default_made_before,
    result_of_a_call, inside_of_an_object, either_operand, later_branch, comprehension, items_of_a_comprehension,
    items_of_map, items_of_a_generator, items_of_reduce, partial, grown_by_a_loop, element_written,
    display_in_a_display, builtin_argument, method_argument, tuple_argument,
)  # fmt: skip


@pytest.mark.parametrize("program", REFUSED, ids=lambda f: f.__name__)
def test_refuses_to_make_a_list_grow_that_is_in_use(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="it would become a list that grows in the graph, but"):
        runtime.function(lambda x: program([x], x))(runtime.constant(3))


def sizes_in_order(a, x):
    return sizes(grow(a, x), a)


def named_before(a, x):
    grown = grow(a, x)
    return [len(t) for t in [a, grown, a]]


def in_a_named_tuple(a, x):
    pair = Pair(a, 1)
    grow(a, x)
    return len(pair.first)


def numbers_before(a, x):
    return [a[0] + 1, len(a), len(f"{a[0]}"), len(grow(a, x)), len(a)]


def another_list_before(a, x):
    b = [x, x]
    return [len(t) for t in (same(b), grow(a, x), a)]


def truths_before(a, x):
    return 1 if 0 < len(a) < len(grow(a, x)) else 0


def rows_of_a_list(a, x):
    rows = [a, [x, x]]
    return [len(grow(row, x)) for row in rows] + [len(a)]


def arguments_of_a_call(a, x):
    def g(*rows):
        grow(a, x)
        return len(rows[0])

    return g(*[a])


def written_out_of_one_name(a, x):
    return [t is a for t in [a, grow(a, x), a]] + [len(a)]


def pair_of_a_known_list(a, x):
    rows = [*a]
    t = rows, grow(rows, x)
    t[0].append(x)
    return len(t[0]), len(t[1]), len(rows), t[0] is t[1]


def unpacked(a, x):
    rows: Any = [*a]
    p, q = rows, grow(rows, x)
    p.append(x)
    return len(q), p is q


def returned(a, x):
    def g():
        rows = [v for v in a]
        return rows, grow(rows, x), rows

    p, _, q = g()
    q.append(x)
    return len(p), p is q


def dict_of_known_lists(a, x):
    rows = [*a]
    d = {"p": rows, "q": grow(rows, x), "r": rows}
    d["p"].append(x)
    return [len(row) for row in d.values()]


def known_dict(a, x):
    d = {"n": x}

    def put():
        if x > 0:
            d["m"] = x
        return d

    return [len(t) for t in (d, put(), d)]


def grown_by_a_loop_of_a_list(a, x):
    rows = [*a]

    def fill():
        for i in runtime.range(x):
            rows.append(i)
        return rows

    p, q = (rows, fill())
    return len(p), len(q)


def in_a_branch(a, x):
    sizes = [0, 0, 0]
    if x > 1:
        sizes = [len(t) for t in [a, grow(a, x), a]]
    return [*sizes, len(a)]


def in_a_loop(a, x):
    total = 0
    for _ in runtime.range(3):
        for t in [a, grow(a, x), a]:
            total += len(t)
    return total, len(a)


def changed_through_an_argument(a, x):
    def g(p, q):
        p.append(x)
        return p is q, len(q)

    return g(a, grow(a, x)), len(a)


def argument_of_a_method(a, x):
    class Sizes:
        def of(self, p, q):
            return len(p), len(q)

    s = Sizes()
    return s.of(a, grow(a, x)), s.of(q=grow(a, x), p=a)


EXACT = (
    display, argument, keyword_argument, around_a_call, written_out_of_one_name, pair_of_a_known_list, unpacked,
    returned, dict_of_known_lists, known_dict, grown_by_a_loop_of_a_list, in_a_branch, in_a_loop,
    changed_through_an_argument, argument_of_a_method,
    sizes_in_order, named_before, in_a_named_tuple, numbers_before, another_list_before, truths_before, rows_of_a_list,
    arguments_of_a_call,
)  # fmt: skip


@pytest.mark.parametrize("program", EXACT, ids=lambda f: f.__name__)
def test_makes_a_list_grow_that_only_names_refer_to(program: Callable[..., Any]) -> None:
    staged = runtime.function(lambda x: program([x], x))
    for x in (3, -3):
        assert runtime.nest.map_structure(int, staged(runtime.constant(x))) == program([x], x)


def test_says_which_operand_it_is_and_what_to_do() -> None:
    with pytest.raises(StagingError) as caught:
        runtime.function(lambda x: pair([x], x))(runtime.constant(3))
    assert "`a`, which `(a, grow(a, x))` evaluates before `grow(a, x)`, may refer to it too" in str(caught.value)
    assert "Make that call a statement of its own before, whose result has a name" in str(caught.value)
