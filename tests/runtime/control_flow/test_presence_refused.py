"""Keys, members and attributes that are there in some runs only: what the run raises, and what is refused."""

from __future__ import annotations

import inspect

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same
from tests.runtime.control_flow.test_presence import Node, copies

# -- what is raised


def attribute(x):
    o = Node()
    if x > 0:
        o.cache = x
    return o.cache  # here


def key(x):
    d = {}
    if x > 0:
        d["cache"] = x
    return d["cache"]  # here


@pytest.mark.parametrize(
    ("program", "error", "message"),
    [(attribute, AttributeError, "'Node' object has no attribute 'cache'"), (key, KeyError, "'cache'")],
)
def test_the_run_raises_what_python_raises(program, error, message):
    staged = tf.function(program)
    assert staged(tf.constant(1)).numpy() == 1
    with pytest.raises(error) as caught:
        staged(tf.constant(-1))
    assert str(caught.value) == message
    lines, first = inspect.getsourcelines(program)
    line = first + next(i for i, text in enumerate(lines) if "# here" in text)
    assert f"test_presence_refused.py:{line} in" in "\n".join(caught.value.__notes__)


# -- what the caller has


def test_the_caller_s_object_has_the_attribute_after_the_runs_that_make_it():
    @tf.function
    def step(o, x):
        if x > 0:
            o.cache = x * 2
        return x

    step.get_concrete_function(node := Node(), tf.constant(1))
    for x in (-1, 1, -2, 3):
        before = "cache" in vars(node)
        step(node, tf.constant(x))
        assert type(node) is Node
        assert ("cache" in vars(node)) is (before or x > 0)
    assert node.cache.numpy() == 6


def test_an_object_that_only_some_runs_make_is_in_the_caller_s_object_after_these():
    @tf.function
    def step(o, x):
        if x > 0:
            o.cache = Node()
            o.cache.x = x
        return x

    step.get_concrete_function(node := Node(), tf.constant(1))
    seen = []
    for x in (-1, 2, -3, 5):
        step(node, tf.constant(x))
        seen.append(int(node.cache.x) if "cache" in vars(node) else None)
    assert seen == [None, 2, 2, 5] and type(node) is Node and type(node.cache) is Node


def test_nothing_is_left_of_a_trace_that_fails():
    def failing(o, x):
        if x > 0:
            o.cache = x
        raise StagingError("no")

    node = Node()
    with pytest.raises(StagingError, match="no"):
        tf.function(failing)(node, tf.constant(1))
    assert type(node) is Node


# -- what is refused, and the remedies


def of_another_class(x):
    class Table(dict):
        pass

    d = Table()
    if x > 0:
        d["a"] = x
    return len(d)


def in_an_order_of_the_run(x):
    d = {"a": 1}
    if x > 0:
        del d["a"]
    d["b"] = 2
    d["a"] = 3
    return list(d)


def as_keywords(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = x
    return dict(**d)


def made_on_the_way(x):
    d = {"a": 1, "b": 2}
    for key in d:
        if x > 5:
            d[key + "c"] = x
    return d


def made_beside_a_list_of_keys(x):
    d = {"a": 1, "b": 2}
    keys = list(d)
    for key in keys:
        if x > 1:
            d[key + "c"] = x
    return d


def looked_at_as_a_dict(x):
    o = Node()
    if x > 0:
        o.a = x
    return len(vars(o))


def a_key_of_the_run(x):
    d = {1: 10}
    if x > 0:
        d[2] = 20
    d[x] = 30
    return d[1]


@pytest.mark.parametrize(
    ("program", "message", "remedy"),
    [
        (of_another_class, r"'d\[\\'a\\'\]'|must also be initialized in the else branch", None),
        (in_an_order_of_the_run, "the dict 'd' is gone through .* the order of its keys depends on a tensor", None),
        (as_keywords, "the dict 'd' is gone through by what is not converted .* whether it has 'b' depends", copies),
        (made_on_the_way, "a loop around goes through it; loop over a list", made_beside_a_list_of_keys),
        (looked_at_as_a_dict, r"an object \(Node\) are looked at as a dict .*`hasattr\(o, 'a'\)`", None),
        (a_key_of_the_run, "a key of the dict 'd' is a tensor .* Use keys that are known", None),
    ],
)  # fmt: skip
def test_refused_with_a_remedy(program, message, remedy):
    with pytest.raises(StagingError, match=message):
        tf.function(program)(tf.constant(1))
    if remedy is not None:
        assert_same(remedy, -1, 0, 1, 2, 3)


def joined_items(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 2
    return len(d.items() - {("a", 1)})


def test_pairs_that_depend_on_a_tensor_are_no_set():
    with pytest.raises(StagingError, match="the dict 'd' is compared"):
        tf.function(joined_items)(tf.constant(1))


def changed_elsewhere(counts, more, marks, found, x, y):
    a = b = 1
    try:
        if x % 2 != 0:
            raise ValueError(b)
    except Exception:
        if y > 3:
            if "r" in counts:
                pass
        elif y % 2 != 1:
            found = [-1] * 2 if x > 3 else None
        elif y % 2 == 0:
            return more.setdefault("r", a)
        else:
            b = (more.pop("r", x) + x) % 97
    else:
        if a % 3 not in marks:
            return 3
    return b


def gone_through_elsewhere(x, y):
    more = {"p": 3, "q": y}
    found = changed_elsewhere({"p": x, "q": 1}, more, {2}, [x, x], x, y)
    keys = []
    for k, _ in more.items():
        keys.append(k + "!")
    return found, keys


def test_a_dict_that_a_handler_of_another_function_changes_is_gone_through():
    assert_same(gone_through_elsewhere, (1, 2), (1, 3), (2, 3), (1, 4), (2, 2))
