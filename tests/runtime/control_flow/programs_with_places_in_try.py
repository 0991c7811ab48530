"""Programs that change lists, dicts and objects in `try`, `except`, `else`, `finally`, before and after what raises."""

from __future__ import annotations

from typing import Any


class Node:
    """A number and a list, which its methods change."""

    def __init__(self, v, items):
        self.v, self.items = v, items

    def enter(self):
        self.v += 1

    def leave(self):
        self.v -= 1

    def push(self, t):
        self.items.append(t)


def checked(x):
    if x > 2:
        raise ValueError("large")
    return x * 10


def digest(lists, *numbers):
    """One number of what lists and numbers are."""
    total = 7
    for items in lists:
        total = (total * 31 + len(items)) % 9973
        for t in items:
            total = (total * 31 + t) % 9973
    for t in numbers:
        total = (total * 31 + t) % 9973
    return total


def an_element(x):
    items = [x, 2]
    same = items
    try:
        items[0] = x + 5
        y = checked(x)
        items[1] = y
    except ValueError:
        y = items[0]
        items[0] += 100
    return digest([items, same], y)


def appended_in_the_handler(x):
    errors: list[Any] = []
    same = errors
    y = 0
    try:
        y = checked(x)
    except ValueError:
        errors.append(x)
    return digest([same], len(errors), y)


def appended_in_the_body(x):
    done = [0]
    try:
        done.append(checked(x))
    except ValueError:
        pass
    return digest([done])


def appended_to_two(x):
    first, second = [], []
    try:
        first.append(1)
        second.append(2)
        y = checked(x)
        first.append(3)
        second.append(y)
    except ValueError:
        first.append(5)
    return digest([first, second])


def appended_before_it_raises(x):
    done = [0]
    rows = [done]
    try:
        done.append(7)
        done.append(checked(x))
        done.append(8)
    except ValueError:
        done.append(9)
    return digest(rows, len(done))


def put_back_before_the_end(x):
    stack = [1]
    try:
        stack.append(x)
        y = checked(x)
        stack.pop()
    except ValueError:
        y = len(stack)
    return digest([stack], y)


def by_methods(x):
    n = Node(3, [1])
    try:
        n.enter()
        y = checked(x)
        n.push(y)
        n.leave()
    except ValueError:
        y = n.v
        n.push(-1)
        n.push(-2)
    return digest([n.items], n.v, y)


def keys_of_a_dict(x):
    d = {"a": 1, "b": x}
    try:
        d["a"] += 1
        d["b"] = checked(x)
        d["a"] += 10
    except ValueError:
        d["b"] = d["a"] * 2
    return digest([], d["a"], d["b"])


def a_key_made_on_each_way(x):
    d = {}
    try:
        d["a"] = checked(x)
    except ValueError:
        d["a"] = 0
    return d["a"]


def an_attribute_made_on_each_way(x):
    n: Any = Node(1, [])
    try:
        n.w = checked(x)
    except ValueError:
        n.w = 4
    return n.w


def grown_in_else(x):
    items = [x]
    try:
        items.append(1)
        checked(x)
    except ValueError:
        items.append(2)
    else:
        items.append(3)
        items.append(4)
    return digest([items])


def an_element_in_else(x):
    items = [x, 0]
    try:
        items[0] += 1
        checked(x)
    except ValueError:
        items[1] = 2
    else:
        items[1] = items[0] + 3
    return digest([items])


def in_finally(x):
    items = [x, 0]
    n = Node(0, items)
    try:
        try:
            n.enter()
            items[0] += 1
            checked(x)
            n.leave()
        finally:
            items[1] = n.v + 5
            items.append(1)
    except ValueError:
        n.push(9)
    return digest([items], n.v)


def in_finally_that_passes_on(x):
    items = [x, 0]

    def work():
        try:
            items[0] += 1
            checked(x)
            items.append(4)
        finally:
            items[1] += items[0]

    try:
        work()
    except ValueError:
        return digest([items], 1)
    return digest([items], 0)


PROGRAMS = [
    an_element, appended_in_the_handler, appended_in_the_body, appended_to_two, appended_before_it_raises,
    put_back_before_the_end, by_methods, keys_of_a_dict, a_key_made_on_each_way, an_attribute_made_on_each_way,
    grown_in_else, an_element_in_else, in_finally, in_finally_that_passes_on,
]  # fmt: skip
