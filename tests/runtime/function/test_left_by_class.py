"""What runs leave in the program is of the class that Python would leave there: texts, NumPy's numbers, sets, classes.

Each program is called several times, with tensors and plain; after each call all that its object holds has one text.
"""

from __future__ import annotations

import collections
import enum
import functools
import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError

CALLS = ((1.0, 1), (-1.0, 2), (2.0, 0), (-2.0, 3), (6.0, 2), (3.0, 1))


class Size(enum.IntEnum):
    BIG = 1
    SMALL = 2


class Holder:
    """What the programs change. `b` is None before."""

    def __init__(self) -> None:
        self.a = np.arange(3.0)
        self.b: Any = None
        self.v: Any = 0
        self.s: Any = "s"
        self.items: Any = [1, 2]
        self.d: Any = {"k": 1}
        self.q: Any = collections.deque([1])
        self.total: Any = 0.0


Program = Callable[[Holder, Any, Any], Any]


def on_its_own(name: str, text: str) -> Program:
    """A function of `o`, `x`, `n` with this line as its body, in a file of its own."""
    made: dict[str, Any] = {"collections": collections, "functools": functools, "np": np, "tf": tf, "Size": Size}
    source = f"def program(o, x, n):\n    {text}\n"
    filename = f"<left {name}>"
    import linecache

    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), made)
    program: Program = made["program"]
    return program


def seen(holder: Holder, before: Holder | None = None) -> dict[str, str]:
    """The text of all that it holds, and which of it are the objects that were there before."""
    found = {name: repr(value) for name, value in vars(holder).items()}
    if before is not None:
        found["same"] = repr([getattr(before, name) is value for name, value in vars(holder).items() if name != "v"])
    return found


def copy_of_names(holder: Holder) -> Holder:
    made = Holder.__new__(Holder)
    made.__dict__.update(vars(holder))
    return made


def compare(text: str, most_traces: int | None = None) -> None:
    program = on_its_own(text, text)
    mine, pythons = Holder(), Holder()
    staged = tf.function(program)
    for x, n in CALLS if most_traces is not None else CALLS[:5]:  # those that are replaced have a trace each
        program(pythons, np.float64(x), n)
        staged(mine, tf.constant(x, tf.float64), tf.constant(n, tf.int64))
        gc.collect()  # what a trace refers to weakly is gone
        assert seen(mine) == seen(pythons), (text, x, n)
    if most_traces is not None:
        assert staged.experimental_get_tracing_count() <= most_traces


TEXTS = (
    "o.v = f'{x}'", "o.s = f'{x:.2f} of {n}'", "o.s = str(x)", "o.s = 'v' + str(n)", "o.s = '%s' % x",
    "o.s = '{} and {}'.format(x, n)", "o.s = o.s + str(n)", "o.s = str(n).zfill(5)", "o.v = (str(n), 1)",
    "o.v = [str(n)]", "o.d['q'] = str(n)", "o.items.append(f'{n}')", "o.v = str(x).split('.')", "o.v = str(n)[0]",
    "o.v = [c for c in str(x)]", "o.v = ','.join([str(n), 'b'])", "o.v = ','.join(str(n + i) for i in range(3))",
    "o.v = str(n) if x > 0 else 'none'", "o.v = isinstance(f'{x}', str), type(str(n)).__name__",
    "o.v = repr([n, str(n)])", "o.v = str(x).partition('.')", "o.v = 'abc'[n % 3]", "o.v = 'abc'[:n]",
    "o.v = o.s[n % 1]",
    "o.v = ' '.join(p + '!' for p in (str(n) + ' a').split())", "o.v = 'a-b'.replace('a', str(n))",
    "o.v = 'a1b'.split(str(n))",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_texts(text: str) -> None:
    compare(text)


@pytest.mark.parametrize("text", ["o.s = f'{x}'", "o.s = o.s + str(n)", "if x > 0: o.s = f'{x}'", "o.b = str(x)"])
def test_texts_have_one_trace(text: str) -> None:
    compare(text, most_traces=3)


IN_STRUCTURES = (
    "o.v = [str(n)]", "o.v = (str(n), 1)", "o.v = {'k': str(n)}", "o.d = {'k': str(n)}", "o.d['k'] = str(n)",
    "o.d = {**o.d, 'z': f'{x}'}", "o.v = [o.s, 1]; o.s = str(n)",
    "o.v = {'at': {'name': f'step {n}', 'more': [1, str(x)]}}",
    "o.v = {'last': o.v['name'] if isinstance(o.v, dict) else '', 'name': str(n)}",
)  # fmt: skip


@pytest.mark.parametrize("text", IN_STRUCTURES)
def test_texts_in_structures_have_one_trace(text: str) -> None:
    compare(text, most_traces=3)


def test_texts_of_a_dict_that_choose_what_is_done_are_as_the_program_has_them() -> None:
    def program(o: Holder, x: Any) -> Any:
        return x * 2 if o.d["mode"] == "twice" else {"other": x}

    mine = Holder()
    staged = tf.function(program)
    for mode in ("twice", "once", "twice", "never"):
        mine.d = {"mode": mode}
        found = staged(mine, tf.constant(1.0))
        assert (float(found) == 2.0) if mode == "twice" else float(found["other"]) == 1.0


NUMBERS = (
    "o.v = o.a[0] if x > 0 else o.a[1]", "o.v = np.int8(3) if x > 0 else np.int8(4)", "o.a[0] = x; o.v = o.a[0]",
    "o.a[0] += 1; o.total = o.total + o.a.sum()", "o.a[0] += x; o.v = o.a[0]", "o.a[0] += 1; o.v = (o.a[0], 1)",
    "o.a[0] += 1; o.items.append(o.a[0])", "o.a[0] += x; o.b = o.a.max() if o.b is None else max(o.b, o.a[0])",
    "o.v = int(x)", "o.b = int(x)", "o.b = 5 if x > 0 else 6",
    "o.v = round(x) + len(o.items)", "o.d['q'] = int(x) // 2",
)  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_of_arrays_are_numpys(text: str) -> None:
    compare(text, most_traces=3)


def test_numbers_in_lists_that_a_loop_makes_longer() -> None:
    def program(o: Holder, n: Any) -> None:
        for _ in tf.range(n) if isinstance(n, tf.Tensor) else range(n):
            o.items.append(np.float32(1))

    mine, pythons = Holder(), Holder()
    mine.items, pythons.items = [], []
    staged = tf.function(program)
    for n in (2, 0, 3):
        program(pythons, n)
        staged(mine, tf.constant(n))
        assert repr(mine.items) == repr(pythons.items)


MADE = ("collections.deque([1])", "{1, 2}", "frozenset({3})", "bytearray(b'q')", "[{1}, 2]", "({1}, [2])")
PUT = ("o.b = {}", "o.d['q'] = {}", "o.d.update(q={})", "o.d.setdefault('q', {})")


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("put", PUT)
def test_containers_that_a_run_makes_stay_where_no_run_replaces_them(put: str, made: str) -> None:
    compare(f"if x > 0:\n        {put.format(made)}")


CHOSEN = (
    "o.items.insert(0, [{1, 2}, o.d][n % 2])", "o.q.appendleft([int, None][n % 2])",
    "o.items.append([len, None][n % 2])",
    "o.v = [{0: o.d, 1: {1, 2}}[n % 2] for _ in range(2)]", "o.v = [collections.deque([9]), o.q][n % 2]",
    "o.v = {0: {3}, 1: {4}}[n % 2]",
)  # fmt: skip


@pytest.mark.parametrize("text", CHOSEN)
def test_one_of_several_is_left_as_itself(text: str) -> None:
    compare(text)


CHANGED_AND_HELD = {
    "if x > 0: o.q.append(7)\n    o.v = [o.q]": "o.v[0] is o.q",
    "o.v = (o.items, [o.items])\n    if x > 0: o.items.append(3)": "o.v[0] is o.v[1][0] is o.items",
    "o.v = {'d': o.d}\n    if x > 0: o.d['z'] = 1": "o.v['d'] is o.d",
    "if x > 0: o.items.append(3)\n    o.d['q'] = [o.items]": "o.d['q'][0] is o.items",
    "o.v = [o.q, str(n)]\n    for _ in range(n): o.q.append(1)": "o.v[0] is o.q",
}


@pytest.mark.parametrize("text", CHANGED_AND_HELD)
def test_containers_that_a_tensor_changes_are_themselves_in_what_is_left(text: str) -> None:
    program = on_its_own(text, text)
    mine, pythons = Holder(), Holder()
    staged = tf.function(program)
    for x, n in CALLS[:4]:
        program(pythons, x, n)
        staged(mine, tf.constant(x), tf.constant(n))
        gc.collect()
        assert seen(mine) == seen(pythons)
        assert eval(CHANGED_AND_HELD[text], {"o": mine})


def test_an_object_or_none_of_a_list_is_left_as_itself() -> None:
    def program(o: Holder, n: Any) -> None:
        u = [None, o.items, o.q][n % 3]
        o.v = [u for _ in range(2)]

    mine = Holder()
    staged = tf.function(program)
    for n in (1, 0, 2, 4):
        staged(mine, tf.constant(n))
        assert all(part is [None, mine.items, mine.q][n % 3] for part in mine.v)


def test_an_object_that_is_left_must_be_the_very_one_that_a_trace_has_found() -> None:
    def program(o: Holder, x: Any) -> None:
        if x > 0:
            o.b = o.q

    mine = Holder()
    staged = tf.function(program)
    for x in (1.0, -1.0, 2.0):
        before, mine.q = mine.b, collections.deque([1])
        staged(mine, tf.constant(x))
        gc.collect()
        assert mine.b is (mine.q if x > 0 else before)


PARTIAL = "u = functools.partial(len)\n    for _ in tf.range(n): u = functools.partial(len)\n    o.v = u"
REFUSED = {
    "if n > 0: o.v, o.s = np.zeros(2), 'c'": "'o.v' is left with an array, or with what is none",
    PARTIAL: "'o.v' is left with what cannot be made anew",
    "for _ in tf.range(n): o.v = np.zeros(2)": "'o.v' is left with an array, or with what is none",
    "for _ in tf.range(n): o.v, o.s = o.a * 2, 'c'": "'o.v' is left with an array, or with what is none",
    "o.v = [round(x), o.a][n % 2]": "'o.v' is left with an array, or with what is none",
    "o.b = [1, o.a][n % 2]": "'o.b' is left with an array, or with what is none",
    "o.v = (1, [round(x), o.a][n % 2])": "'o.v' is left with an array, or with what is none",
    "o.d['q'] = [round(x), o.a][n % 2]": "is left with an array, or with what is none",
    "o.items.append([1, o.a][n % 2])": "'o.items' is left with an array, or with what is none",
    "o.v = [Size.BIG, x][n % 2]": "'o.v' is left with a member of Size, or with a number",
    "o.items.append([Size.BIG, 5][n % 2])": "'o.items' is left with a member of Size, or with a number",
    "o.v = [[lambda: n, None][n % 2]]": "'o.v' is left with what cannot be made anew",
    "o.items.append([lambda: n, None][n % 2])": "'o.items' is left with what cannot be made anew",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_no_run_can_leave_is_refused(text: str) -> None:
    mine = Holder()
    before = seen(mine, copy_of_names(mine))
    with pytest.raises(StagingError, match=REFUSED[text]):
        tf.function(on_its_own(text, text))(mine, tf.constant(1.0, tf.float64), tf.constant(1, tf.int64))
    assert seen(mine, copy_of_names(mine)) == before


LISTS_REFUSED = {
    "o.items += [(1, 2)]": "others|and one is a tuple",
    "o.items.insert(n % 2, [1, 2])": "and one is a list",
    "o.items.insert(0, Size.SMALL)": "are members of Size, and others are none",
    "o.items.append(o.q)": "got a value of type deque",
}


def test_a_dict_that_would_contain_itself_is_refused() -> None:
    def program(o: Holder, x: Any) -> None:
        if x > 0:
            o.d["k"] = o.d

    with pytest.raises(StagingError, match="contains itself where a tensor decides"):
        tf.function(program)(Holder(), tf.constant(1.0))


@pytest.mark.parametrize("text", LISTS_REFUSED)
def test_what_lists_on_one_way_cannot_take_is_refused(text: str) -> None:
    mine = Holder()
    before = seen(mine)
    with pytest.raises(StagingError, match=LISTS_REFUSED[text]):
        tf.function(on_its_own(text, f"for _ in tf.range(n):\n        {text}"))(
            mine, tf.constant(1.0, tf.float64), tf.constant(1, tf.int64)
        )
    assert seen(mine) == before


def test_an_array_that_a_loop_in_a_loop_puts_beside_another_is_refused() -> None:
    def program(o: Holder, n: Any) -> None:
        for _ in range(n):
            for row in o.total:
                row[0] -= 2.0
                o.b = (o.v, o.a - 0.25)

    mine = Holder()
    mine.v, mine.total = np.ones(2), np.zeros((2, 3))
    staged = tf.function(program)
    with pytest.raises(StagingError, match="'o.b' is left with an array that has another name, too"):
        for _ in range(3):
            staged(mine, tf.constant(2))
            assert mine.b[0] is mine.v
