"""The tree of objects: what is a part of what, under which name, in an order that only the objects decide."""

from __future__ import annotations

import collections
import dataclasses
import sys
from typing import Any

import pytest

import runtime as tf
from runtime.checkpoint.objects import parts_of, path_text, tree_of


class Net(tf.Module):
    def __init__(self, **parts: Any) -> None:
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)


def paths(root: Any) -> dict[str, Any]:
    return {path_text(node.path): node.value for node in tree_of(root)}


def test_attributes_lists_tuples_dicts_and_dataclasses_have_parts() -> None:
    @dataclasses.dataclass
    class Pair:
        left: Any
        right: Any

    Named = collections.namedtuple("Named", "w size")
    v = [tf.Variable(float(i)) for i in range(8)]
    net = Net(
        one=v[0], many=[v[1], 3, (v[2], None)], by_name={"b": v[3], "a": v[4], 3: v[5]}, pair=Pair(v[6], "text"),
        named=Named(v[7], 5), number=7, text="x",
    )  # fmt: skip
    found = paths(net)
    leaves = {path: value for path, value in found.items() if isinstance(value, tf.Variable)}
    assert list(leaves) == [
        "one", "by_name/3", "by_name/a", "by_name/b", "many/0", "named/w", "pair/left", "many/2/0",
    ]  # fmt: skip
    assert [leaves[path] is v[i] for path, i in zip(leaves, [0, 5, 4, 3, 1, 7, 6, 2], strict=True)] == [True] * 8


def test_the_order_is_that_of_names_not_that_in_which_they_came() -> None:
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    assert list(paths(Net(a=a, b={"x": a, "y": b}))) == list(paths(Net(b={"y": b, "x": a}, a=a)))


def test_what_is_reached_twice_is_there_once_and_cycles_end() -> None:
    shared = tf.Variable(1.0)
    inner = Net(w=shared)
    net = Net(first=inner, second=inner, w=shared)
    inner.back = net
    nodes = tree_of(net)
    assert [path_text(n.path) for n in nodes] == ["", "first", "w"]
    assert nodes[0].parts == (("first", 1), ("second", 1), ("w", 2))
    assert nodes[1].parts == (("back", 0), ("w", 2))


def test_a_tree_may_be_deeper_than_the_recursion_limit() -> None:
    inner: Any = tf.Variable(1.0)
    for _ in range(3 * sys.getrecursionlimit()):
        inner = Net(inner=inner)
    assert len(tree_of(inner)) == 3 * sys.getrecursionlimit() + 1


def test_names_with_slashes_and_dots_stay_apart() -> None:
    v = [tf.Variable(float(i)) for i in range(3)]
    found = paths({"a/b": v[0], "a": {"b": v[1]}, "a.Sb": v[2]})
    assert found["a.Sb"] is v[0] and found["a/b"] is v[1] and found["a..Sb"] is v[2]


def test_what_has_no_name_of_its_own_is_refused() -> None:
    with pytest.raises(ValueError, match="the set at 'parts' holds Net objects: a set has no order"):
        tree_of(Net(parts={Net()}))
    with pytest.raises(ValueError, match="the dict at 'by_name' has two keys that are written as '1'"):
        tree_of(Net(by_name={1: tf.Variable(0.0), "1": tf.Variable(0.0)}))
    assert paths(Net(numbers={1, 2}, by_name={1: 2, "1": 3})).keys() == {"", "numbers", "by_name"}


def test_other_leaves_may_be_asked_for() -> None:
    net = Net(x=tf.constant(1), f=abs)
    assert parts_of(net) == {}
    assert list(parts_of(net, lambda value: value is abs)) == ["f"]


def test_optimizers_name_their_state() -> None:
    w = tf.Variable([1.0], name="w")
    optimizer = tf.optimizers.Momentum(0.1)
    optimizer.apply_gradients([(tf.constant([1.0]), w)])
    assert sorted(parts_of(optimizer)) == ["iterations", "learning_rate"]
    ((variable, name, slot),) = optimizer._saved_slots()
    assert variable is w and name == "momentum" and slot is optimizer.get_slot(w, "momentum")
    assert sorted(parts_of(tf.optimizers.SGD(lambda step: 0.1))) == ["iterations"]
    schedule = Net(scale=tf.Variable(0.1))
    schedule.__class__ = type("Schedule", (Net,), {"__call__": lambda self, step: self.scale})
    assert tree_of(tf.optimizers.SGD(schedule))[-1].path == ("learning_rate", "scale")


def test_a_compiled_model_has_its_optimizer() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    assert sorted(parts_of(model)) == ["layers"]
    model.compile("adam", "mse")
    assert sorted(parts_of(model)) == ["layers", "optimizer"]
