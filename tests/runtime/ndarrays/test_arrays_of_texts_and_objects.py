"""Arrays that can be no memory of a graph, of texts, objects, dates and fields: a tensor decides which one it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError

FIELDS = np.dtype([("x", "i4"), ("y", "f8")])

KINDS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "texts": lambda: (np.array(["a", "b"]), np.array(["c", "d"])),
    "bytes": lambda: (np.array([b"a", b"b"]), np.array([b"c", b"d"])),
    "objects": lambda: (np.array([1, None], object), np.array([3, 4], object)),
    "dates": lambda: (np.array(["2020-01-01"], "M8[D]"), np.array(["2021-01-01"], "M8[D]")),
    "fields": lambda: (np.array([(1, 2.0)], FIELDS), np.array([(3, 4.0)], FIELDS)),
}


class Model:
    def __init__(self, kind: str) -> None:
        self.a, self.b = KINDS[kind]()
        self.extra: Any = self.a
        self.pair: Any = (self.a, self.b)


def on_both_ways(m, n):
    if n % 2 == 0:
        m.extra = m.b
    else:
        m.extra = m.a
    return n


def on_one_way(m, n):
    if n % 2 == 0:
        m.extra = m.b
    return n


def in_a_loop(m, n):
    for i in range(n):
        m.extra = m.b if i % 2 == 0 else m.a
    return n


def exchanged(m, n):
    if n % 2 == 0:
        m.a, m.b = m.b, m.a
    return n


def in_a_tuple(m, n):
    if n % 2 == 0:
        m.pair = (m.b, m.pair[0])
        m.extra = m.pair[1]
    return n


def or_none(m, n):
    m.extra = None if n % 2 == 0 else m.a
    return n


def of_a_list(m, n):
    arrays = [m.a, m.b]
    m.extra = arrays[n % 2]
    return n


def of_a_dict(m, n):
    d = {"x": m.a}
    if n % 2 == 0:
        d["x"] = m.b
    m.extra = d["x"]
    return n


def after_a_loop_of_both(m, n):
    best = m.a
    for i in range(n):
        if i == 2:
            best = m.b
    m.extra = best
    return n


def its_size(m, n):
    y = m.b if n % 2 == 0 else m.a
    return len(y) + y.shape[0] + y.size


def which_one_it_is(m, n):
    y = m.b if n % 2 == 0 else m.a
    return n + (y is m.b)


PROGRAMS = [
    on_both_ways, on_one_way, in_a_loop, exchanged, in_a_tuple, or_none, of_a_list, of_a_dict, its_size,
    which_one_it_is, after_a_loop_of_both,
]  # fmt: skip


def history(function: Callable[..., Any], number: Callable[[int], Any], kind: str) -> list[Any]:
    m = Model(kind)
    known = [m.a, m.b]
    found = []
    for n in (2, 1, 4, 3):
        result = int(function(m, number(n)))
        held = [m.a, m.b, m.extra, *m.pair]
        found.append(
            (result, [[value is other for other in known] for value in held], [array.tolist() for array in known])
        )
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_plain_python(program: Callable[..., Any], kind: str) -> None:
    assert history(tf.function(program), tf.constant, kind) == history(program, int, kind)


def test_texts_made_in_branches() -> None:
    def made(m: Model, n: Any) -> Any:
        if n % 2 == 0:
            m.extra = np.array(["new", "ones"])
        else:
            m.extra = m.a.copy()
        return n

    mine, pythons = Model("texts"), Model("texts")
    function = tf.function(made)
    for n in (2, 1, 4):
        made(pythons, n)
        function(mine, tf.constant(n))
        assert type(mine.extra) is np.ndarray
        assert mine.extra.dtype == pythons.extra.dtype and mine.extra.tolist() == pythons.extra.tolist()


def test_texts_are_tensors_where_they_are_used_and_returned() -> None:
    @tf.function
    def chosen(names: Any, others: Any, n: Any) -> Any:
        y = NAMES if n > 0 else OTHERS
        return y, y[0], tf.strings.upper(y)

    for n, wanted in ((1, NAMES), (-1, OTHERS)):
        whole, first, upper = chosen(0, 0, tf.constant(n))
        assert whole.numpy().tolist() == [text.encode() for text in wanted]
        assert first.numpy() == wanted[0].encode()
        assert upper.numpy().tolist() == [text.upper().encode() for text in wanted]


NAMES, OTHERS = np.array(["a", "b"]), np.array(["c", "d"])


def a_view(m, n):
    if n % 2 == 0:
        m.a = m.b[::-1]


def after_a_loop(m, n):
    best = m.a
    for _ in range(n):
        best = np.array(["c", "d"])
    m.extra = best


def written(m, n):
    y = m.b if n % 2 == 0 else m.a
    y[0] = "z"


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (a_view, "'m.a' is left with what cannot be made anew in each run"),
        (after_a_loop, "'m.extra' is left with an array of texts that a tensor decides about"),
        (written, "an array is changed inside an operation on one of several"),
    ],
)
def test_what_is_refused_leaves_all_as_it_was(program: Callable[..., Any], says: str) -> None:
    m = Model("texts")
    before = dict(vars(m))
    with pytest.raises(StagingError, match=says):
        tf.function(program)(m, tf.constant(2))
    assert all(vars(m)[name] is value for name, value in before.items())
    assert m.a.tolist() == ["a", "b"] and m.b.tolist() == ["c", "d"]
