"""Containers of objects that get longer, or another order, while a function is traced: each call does that to them."""

from __future__ import annotations

import collections
import copy
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import TraceEffectWarning

t = tf.constant


class Item:
    def __init__(self, value: Any) -> None:
        self.value = value


class Slotted:
    __slots__ = ("inner", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.inner = [value]


class Node:
    def __init__(self, value: Any, following: Any) -> None:
        self.value = value
        self.following = following
        self.own = self


@dataclass
class Pair:
    first: Any
    second: Any


class Model:
    shared: Any = []

    def __init__(self) -> None:
        Model.shared = []
        self.losses: Any = []
        self.other = self.losses
        self.only: Any = []
        self.rows: Any = [[], []]
        self.table: Any = {"a": t(1.0), "b": t(2.0), "l": []}
        self.order: Any = collections.OrderedDict(a=t(1.0), b=t(2.0))
        self.last: Any = collections.deque([t(0.0), t(1.0)], maxlen=3)
        self.items: Any = [Item(t(1.0)), Item(t(2.0))]
        self.head: Any = None
        self.best: Any = None

    def note(self, x: Any) -> None:
        self.only.append(x)

    @property
    def count(self) -> int:
        return len(self.only)


def plain(value: Any, around: tuple[int, ...] = ()) -> Any:
    if id(value) in around:
        return "itself"
    around = (*around, id(value))
    if isinstance(value, dict):
        return [(key, plain(part, around)) for key, part in value.items()]
    if isinstance(value, list | tuple | collections.deque):
        return [plain(part, around) for part in value]
    if isinstance(value, Slotted):
        return "slots", plain(value.value), plain(value.inner)
    if isinstance(value, Item | Node | Pair):
        return type(value).__name__, plain(vars(value), around)
    return value if value is None else np.asarray(value).tolist()


def appends(m: Any, x: Any) -> Any:
    m.only.append(x * 2)
    return x


def extends(m: Any, x: Any) -> Any:
    m.only.extend([x, x + 1, 7])
    return x


def by_a_method(m: Any, x: Any) -> Any:
    m.note(x)
    return x


def in_an_unrolled_loop(m: Any, x: Any) -> Any:
    for i in range(3):
        m.only.append(x * i)
    return x


def to_a_deque(m: Any, x: Any) -> Any:
    m.last.append(x)
    return x


def new_objects(m: Any, x: Any) -> Any:
    m.only.append(Item(x))
    return x


def objects_with_slots_and_structures(m: Any, x: Any) -> Any:
    m.only.append(Pair(Slotted(x), [Item(x + 1), x]))
    return x


ONE_TRACE = [
    appends, extends, by_a_method, in_an_unrolled_loop, to_a_deque, new_objects, objects_with_slots_and_structures,
]  # fmt: skip


def augments(m: Any, x: Any) -> Any:
    m.only += [x]
    return x


def has_two_names(m: Any, x: Any) -> Any:
    m.losses.append(x)
    return x + len(m.other)


def is_read_by_a_property(m: Any, x: Any) -> Any:
    m.only.append(x)
    return x + m.count


def is_read_in_the_dict_of_the_object(m: Any, x: Any) -> Any:
    m.only.append(x)
    return x + len([*vars(m).values()][2])


def is_read_in_a_copy_of_the_object(m: Any, x: Any) -> Any:
    m.only.append(x)
    return x + len(copy.copy(m).only)


def is_read_by_text(m: Any, x: Any) -> Any:
    m.only.append(x)
    return x + len(getattr(m, "on" + "ly"))


def in_a_helper(m: Any, x: Any) -> Any:
    def note(items: Any) -> None:
        items.append(x)

    note(m.only)
    return x


def row(m: Any, x: Any) -> Any:
    m.rows[-1].append(x)
    m.rows.append([x])
    return x


def under_a_key(m: Any, x: Any) -> Any:
    m.table["l"].append(x)
    return x


def keeps_two(m: Any, x: Any) -> Any:
    m.only.append(x)
    if len(m.only) > 2:
        m.only.pop(0)
    return x + m.only[0]


def inserts(m: Any, x: Any) -> Any:
    m.only.insert(0, x)
    return x


def extends_by_itself(m: Any, x: Any) -> Any:
    m.only.append(x)
    m.only.extend(m.only[:2])
    return x


def reads_a_deque(m: Any, x: Any) -> Any:
    m.last.appendleft(x)
    return x + m.last[-1]


def rotates(m: Any, x: Any) -> Any:
    m.last.rotate(1)
    return x + m.last[0]


def another_order(m: Any, x: Any) -> Any:
    m.order["b"] = m.order.pop("a") * x
    m.order.move_to_end("b", last=False)
    m.order["a"] = x
    return x


def in_front(m: Any, x: Any) -> Any:
    m.table = {"new": x, **m.table}
    return x


def moves_objects(m: Any, x: Any) -> Any:
    m.items.append(m.items.pop(0))
    return x + m.items[0].value


def replaces_objects(m: Any, x: Any) -> Any:
    m.items.append(Item(x))
    m.items.pop(0)
    return x + m.items[0].value


def known_objects(m: Any, x: Any) -> Any:
    m.items[0].value = x
    m.only.append(m.items[0])
    return x


def one_object_in_three_places(m: Any, x: Any) -> Any:
    item = Item(x)
    m.only.append(item)
    m.losses.append(item)
    m.best = item
    return x


def linked(m: Any, x: Any) -> Any:
    m.head = Node(x, m.head)
    total, node = x, m.head
    while node is not None:
        total, node = total + node.value, node.following
    return total


def best_so_far(m: Any, x: Any) -> Any:
    if m.best is None or x > m.best.value:
        m.best = Item(x)
    return x


def of_the_class(m: Any, x: Any) -> Any:
    type(m).shared.append(x)
    return x + len(m.shared)


PROGRAMS = [
    augments, has_two_names, is_read_by_a_property, is_read_in_the_dict_of_the_object, is_read_in_a_copy_of_the_object,
    is_read_by_text, in_a_helper, row, under_a_key, keeps_two, inserts, extends_by_itself, reads_a_deque,
    rotates, another_order, in_front, moves_objects, replaces_objects, known_objects, one_object_in_three_places,
    linked, best_so_far, of_the_class,
]  # fmt: skip


def between_calls(m: Any, call: int) -> None:
    if call == 2:
        m.only = []
    if call == 3:
        m.only.clear()
        m.last.append(t(9.0))


def history(function: Any) -> list[Any]:
    m, found = Model(), []
    with warnings.catch_warnings():
        warnings.simplefilter("error", TraceEffectWarning)
        for call, value in enumerate((1.0, 2.0, -1.0, 3.0, 2.0)):
            between_calls(m, call)
            result = function(m, t(value))
            found.append((plain(result), plain(vars(m)), plain(m.shared), m.best in m.only))
    return found


@pytest.mark.parametrize("program", [*ONE_TRACE, *PROGRAMS])
def test_each_call_does_what_python_does(program: Any) -> None:
    assert history(tf.function(program)) == history(program)


@pytest.mark.parametrize("program", ONE_TRACE)
def test_what_is_only_appended_to_has_one_trace_for_all_lengths(program: Any) -> None:
    staged, m = tf.function(program), Model()
    for value in (1.0, 2.0, 3.0):
        staged(m, t(value))
    assert staged.experimental_get_tracing_count() == 1


def test_what_another_function_reads_there_is_what_the_runs_have_left() -> None:
    m = Model()
    append, total = tf.function(lambda x: appends(m, x)), tf.function(lambda x: sum(m.only) + x)
    found = [(append(t(value)), float(total(t(0.0))))[1] for value in (1.0, 2.0, 3.0)]
    assert found == [2.0, 6.0, 12.0]


def test_tensors_that_stay_are_the_objects_that_they_are() -> None:
    m, staged = Model(), tf.function(inserts)
    staged(m, t(1.0))
    first = m.only[0]
    staged(m, t(2.0))
    assert m.only[1] is first


def test_a_run_that_raises_appends_nothing() -> None:
    @tf.function
    def f(m: Any, x: Any) -> Any:
        m.only.append(x)
        m.last.append(Item(x))
        if x > 2:
            raise ValueError("too large")
        return x

    m = Model()
    f(m, t(1.0))
    with pytest.raises(ValueError, match="too large"):
        f(m, t(3.0))
    assert plain(m.only) == [1.0] and len(m.last) == 3


def test_gradients_go_on_through_what_is_appended() -> None:
    m, x = Model(), t(3.0)
    staged = tf.function(lambda x: m.only.append(Item(x * x)))
    with tf.GradientTape() as tape:
        tape.watch(x)
        staged(x)
        y = m.only[0].value * 2
    assert float(tape.gradient(y, x)) == 12.0


def test_a_list_that_is_the_value_of_a_variable_is_appended_to_once_for_each_trace() -> None:
    seen: list[Any] = []
    staged = tf.function(lambda x: (seen.append(x), x)[1])
    with pytest.warns(TraceEffectWarning, match="'seen' is changed"):
        staged(t(1.0))
    staged(t(2.0))
    assert len(seen) == 1
