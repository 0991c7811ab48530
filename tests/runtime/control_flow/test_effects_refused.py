"""Effects on Python objects that no graph can have: refused at the line that has them, with all objects as before."""

from __future__ import annotations

import array
import contextlib
import inspect
import io
import itertools
import pathlib
import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same
from tests.runtime.control_flow.test_effects_in_branches import Counter


class Table(dict):
    """What the graph has nothing for."""



class Bag(set):
    """A set of a class of the user's."""


def key_in_one_branch(n):
    d = Table()
    if n > 0:
        d["new"] = n  # here
    return n


def attribute_by_a_helper(n):
    class Box:
        """A class, whose attributes are always the same ones."""

    def mark(k):
        Box.extra = k  # here

    if n > 0:
        mark(n)
    return n


def deleted_key(n):
    d = Table(a=1)
    if n > 0:
        d.pop("a")  # here
    return n


def new_key_in_a_loop(n):
    d = Table()
    for i in range(n):
        d[0] = i  # here
    return n


def new_key_beside_other_changes(n):
    c = Counter()
    d = Table()
    for i in range(n):
        c.n += 1
        d["a"] = i  # here
    return n


def removed_in_a_loop(n):
    d = Table(a=1)
    for _ in range(n):
        d.pop("a", 0)  # here
    return n


def set_in_one_branch(n):
    seen = Bag()

    def note(k):
        seen.add(1)  # here

    if n > 0:
        note(n)
    return n


def set_in_a_loop(n):
    seen = Bag()
    for i in range(n):
        if i > 1:
            n += 1
        seen.add("x")  # here
    return n


def bytes_in_one_branch(n):
    data = bytearray(b"ab")
    if n > 0:
        data[0] = 7  # here
    return n


def objects_of_branches(n):
    found = [None]
    if n > 0:
        found[0] = object()
    else:
        found[0] = Counter()
    return n


def iterator_in_a_loop(n):
    numbers = iter([1, 2, 3])
    for _ in range(n):
        next(numbers)  # here
    return n


@pytest.mark.parametrize(
    "program",
    [
        key_in_one_branch, attribute_by_a_helper, deleted_key, new_key_in_a_loop, new_key_beside_other_changes,
        removed_in_a_loop, set_in_one_branch, set_in_a_loop, bytes_in_one_branch, iterator_in_a_loop,
    ],
)  # fmt: skip
def test_refused_at_the_line(program: Callable[..., Any]) -> None:
    lines, first = inspect.getsourcelines(program)
    line = first + next(i for i, text in enumerate(lines) if "# here" in text)
    with pytest.raises(StagingError) as caught:
        tf.function(program)(tf.constant(1))
    assert re.search(rf"test_effects_refused\.py:{line}\b", str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (key_in_one_branch, r"d\['new'\].* must also be initialized in the else branch .* or before the `if`"),
        (attribute_by_a_helper, "'Box.extra' must also be initialized in the else branch .* or before the `if`"),
        (deleted_key, r"d\['a'\].* is removed in the main branch only .* keep it, with a value that stands for"),
        (new_key_in_a_loop, r"'d\[0\]' is made in the body of a loop.* Give it a value before the loop"),
        (removed_in_a_loop, r"d\['a'\].* is removed in the body of a loop.* keep it, with a value that stands for"),
    ],
)
def test_refusals_of_keys_say_what_to_do(program: Callable[..., Any], message: str) -> None:
    with pytest.raises(StagingError, match=message):
        tf.function(program)(tf.constant(1))


def with_a_value_before(n):
    d, c = {"last": None}, Counter()
    c.extra = -1
    for i in range(n):
        d["last"] = i
        if i > 1:
            c.extra = i
    return d["last"] is None, c.extra


def test_the_remedy_works() -> None:
    assert_same(with_a_value_before, 0, 1, 3)


def test_objects_that_differ_are_named() -> None:
    with pytest.raises(StagingError, match=r"'found\[0\]' is a Python object that differs between the branches"):
        tf.function(objects_of_branches)(tf.constant(1))


def test_no_placeholder_is_left_in_objects() -> None:
    c, d = Counter(), {}

    @tf.function
    def program(n):
        if n > 0:
            c.extra = n
            d["k"] = n
        return n

    program.get_concrete_function(tf.constant(1))
    program(tf.constant(0))
    assert not hasattr(c, "extra") and d == {}
    program(tf.constant(1))
    assert (c.extra.numpy(), d["k"].numpy()) == (1, 1)


def test_what_would_be_written_to_a_file_in_a_branch_is_refused_before(tmp_path: pathlib.Path) -> None:
    with open(tmp_path / "log", "w+") as text:
        text.write("before ")

        @tf.function
        def program(n):
            if n > 0:
                text.write("then ")
            else:
                text.write("else ")
            return n

        with pytest.raises(StagingError, match="'text' is changed for good by its method 'write' inside a branch"):
            program(tf.constant(1))
        text.seek(0)
        assert text.read() == "before "


def second_round() -> Any:
    rounds = itertools.cycle([1, 1])
    return [next(rounds) for _ in range(3)] and rounds


HIDDEN: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "random": (lambda: random.Random(1), lambda r: r.random()),
    "a subclass": (lambda: type("Dice", (random.Random,), {})(1), lambda r: r.random()),
    "a method of random": (lambda: random.Random(1).random, lambda draw: draw()),
    "numpy": (lambda: np.random.default_rng(1), lambda r: r.random()),
    "old numpy": (lambda: np.random.RandomState(1), lambda r: r.rand()),
    "text written": (io.StringIO, lambda f: f.write("a")),
    "text read": (lambda: io.StringIO("a\nb\n"), lambda f: f.readline()),
    "bytes": (io.BytesIO, lambda f: f.write(b"a")),
    "file": (lambda: open(__file__), lambda f: f.readline()),
    "binary file": (lambda: open(__file__, "rb"), lambda f: f.read(3)),
    "array": (lambda: array.array("i", [1, 2]), lambda a: a.append(3)),
    "later round of cycle": (second_round, next),
}


@pytest.mark.parametrize(("make", "change"), HIDDEN.values(), ids=HIDDEN)
@pytest.mark.parametrize("statement", ["branch", "loop"])
def test_hidden_state_may_not_change(statement: str, make: Any, change: Any) -> None:
    thing = make()

    def branch(n):
        if n > 0:
            change(thing)
        return n

    def loop(n):
        for _ in range(n):
            change(thing)
        return n

    with contextlib.closing(thing) if hasattr(thing, "close") else contextlib.nullcontext():
        # The second: of iterators of which nothing says where they are, which is so from Python 3.14 on.
        told = r"(?s)'thing.*is changed inside .*test_effects_refused\.py:\d+|'thing' gives another value each time"
        with pytest.raises(StagingError, match=told):
            tf.function({"branch": branch, "loop": loop}[statement])(tf.constant(1))


@pytest.mark.parametrize("draw", [lambda: random.random(), lambda: np.random.rand(), np.random.rand])
def test_the_generators_of_modules_may_not_move(draw: Callable[[], float]) -> None:
    def program(x):
        for _ in range(x):
            draw()
        return x

    with pytest.raises(StagingError, match="generator.*operations of runtime.random"):
        tf.function(program)(tf.constant(1))


def test_state_is_put_back_after_a_refusal() -> None:
    rng, text, numbers, old = random.Random(1), io.StringIO("ab"), np.random.default_rng(1), np.random.RandomState(1)
    values = array.array("i", [1])

    @tf.function
    def program(x):
        if x > 0:
            rng.random(), text.read(1), text.write("c"), numbers.random(), old.rand(), values.append(2)
        return x

    with pytest.raises(StagingError):
        program(tf.constant(1))
    assert (rng.random(), numbers.random()) == (random.Random(1).random(), np.random.default_rng(1).random())
    assert (text.getvalue(), text.tell(), values.tolist()) == ("ab", 0, [1])
    assert old.rand() == np.random.RandomState(1).rand()


def test_one_object_of_many_is_changed() -> None:
    nodes = [Counter(random.randrange(9)) for _ in range(300)]
    for node, following in itertools.pairwise(nodes):
        node.next = following
    first = nodes[0]

    def program(n):
        if n > 0:
            last = first
            for _ in range(299):
                last = last.next
            last.add(n)
        return nodes[-1].n

    before = [node.n for node in nodes]
    assert int(tf.function(program)(tf.constant(2))) == before[-1] + 2
    assert [node.n for node in nodes[:-1]] == before[:-1]


def test_the_first_attribute_of_a_function() -> None:
    def program(x):
        def mark(k):
            mark.seen = k

        if x > 0:
            mark(x)
        return getattr(mark, "seen", 0)

    with pytest.raises(StagingError, match=r"'mark.seen' must also be initialized in the else branch"):
        tf.function(program)(tf.constant(-3))

    def remedy(x):
        def mark(k):
            mark.seen = k

        mark.seen = 0
        if x > 0:
            mark(x)
        return mark.seen

    assert_same(remedy, 3, -3)
