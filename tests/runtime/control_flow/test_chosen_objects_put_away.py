"""One of several objects that a tensor chooses, put into a container by a method in C: it alone, and once."""

from __future__ import annotations

import collections
import queue
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError


class Node:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


class Search:
    def __init__(self) -> None:
        self.left, self.right = Node("left"), Node("right")
        self.waiting: Any = collections.deque([Node("start")])
        self.rows: Any = [["a"]]
        self.more: Any = ["b"]
        self.counts: Any = collections.Counter()
        self.named: Any = collections.OrderedDict()
        self.letters: Any = set()
        self.by_name: Any = collections.defaultdict(list)
        self.queue = queue.SimpleQueue[Any]()


def appended(s: Search, node: Any, row: Any) -> None:
    s.waiting.append(node)


def put_first(s: Search, node: Any, row: Any) -> None:
    s.waiting.appendleft(node)


def inserted(s: Search, node: Any, row: Any) -> None:
    s.waiting.insert(1, node)


def turned(s: Search, node: Any, row: Any) -> None:
    s.waiting.rotate(1)
    s.waiting.append(node)
    s.waiting.popleft()


def extended(s: Search, node: Any, row: Any) -> None:
    s.waiting.extend([node, node])
    s.waiting.extendleft((node,))
    s.waiting += [node]


def replaced(s: Search, node: Any, row: Any) -> None:
    s.waiting[0] = node


def found_again(s: Search, node: Any, row: Any) -> None:
    s.waiting.append(node)
    if s.waiting.count(node) > 0:
        s.waiting.remove(node)


def rows(s: Search, node: Any, row: Any) -> None:
    s.waiting.append(row)


def items_of_rows(s: Search, node: Any, row: Any) -> None:
    s.waiting.extend(row)
    s.counts.update(row)
    s.letters.update(row)


def in_dicts(s: Search, node: Any, row: Any) -> None:
    s.named.setdefault("k", node)
    s.named.update(z=node)
    s.by_name["k"].append(node)


PROGRAMS: tuple[Callable[..., None], ...] = (
    appended, put_first, inserted, turned, extended, replaced, found_again, rows, items_of_rows, in_dicts,
)  # fmt: skip


def shown(s: Search) -> str:
    return repr({name: value for name, value in vars(s).items() if name != "queue"})


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_it_is_there_once(program: Callable[..., None]) -> None:
    def chosen(s: Search, x: Any) -> None:
        program(s, s.left if x > 0 else s.right, s.rows[0] if x > 0 else s.more)

    mine, pythons = Search(), Search()
    staged = tf.function(chosen)
    for x in (1.0, -1.0, 2.0):
        chosen(pythons, x)
        staged(mine, tf.constant(x))
        assert shown(mine) == shown(pythons)


def test_its_attributes_as_a_dict_can_be_read_and_not_written() -> None:
    def read(s: Search, x: Any) -> Any:
        return vars(s.left if x > 0 else s.right)["name"]

    def written(s: Search, x: Any) -> None:
        vars(s.left if x > 0 else s.right)["name"] = "other"

    s = Search()
    assert tf.function(read)(s, tf.constant(-1.0)).numpy() == b"right"
    with pytest.raises(StagingError, match="a tensor decides which of several lists, dicts or objects this is"):
        tf.function(written)(s, tf.constant(1.0))
    assert s.left.name == "left"


def test_all_attributes_of_what_has_an_object_in_c() -> None:
    counted = tf.function(lambda s, x: len(vars(s)) * x)
    s = Search()
    assert counted(s, tf.constant(2.0)).numpy() == 2 * len(vars(s))
    s.queue.put(1)
    assert counted(s, tf.constant(2.0)).numpy() == 2 * len(vars(s))


def test_an_object_in_c_that_would_keep_it_is_refused() -> None:
    def program(s: Search, x: Any) -> None:
        s.queue.put(s.left if x > 0 else s.right)

    s = Search()
    with pytest.raises(StagingError, match=r"an object \(SimpleQueue\) is used by its method 'put'"):
        tf.function(program)(s, tf.constant(1.0))
    assert s.queue.empty()
