"""One of several lists, dicts or objects, as a tensor decides: what is done with it is done with the one that it is."""

from __future__ import annotations

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


class Node:
    def __init__(self, value, items, following=None):
        self.value, self.items, self.following = value, items, following

    def bump(self, by):
        self.value = self.value + by
        return self

    def __len__(self):
        return len(self.items)


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


def methods_of_lists(n):
    a, b = [3, 1, n], [5, 4]
    c = a if n > 1 else b
    c.append(n)
    c.extend([n, 7])
    c.insert(0, 9)
    last = c.pop()
    c.reverse()
    del c[0]
    c += [1]
    c[1:2] = [6, 6]
    return a, b, last, c


def deleted_at_a_place_of_the_run(n):
    a, b = [3, 1, 2], [5, 4, 6]
    c = a if n > 1 else b
    del c[n % 3]
    return a, b


def loop_over_one_of_many(n):
    rows = [[place, place + n] for place in range(40)]
    total = 0
    for value in rows[n]:
        total += value
    return total


def sorted_in_place(n):
    a, b = [3, 1, 2], [5, 4, n]
    (a if n > 1 else b).sort()
    return a, b


def methods_of_dicts(n):
    a, b = {"p": 1, "q": n}, {"p": n}
    d = a if n > 1 else b
    d["p"] += 5
    d.update(p=d["p"] * 2)
    found = d.setdefault("p", 0)
    total = 0
    for key, value in d.items():
        total += value if key == "p" else 2 * value
    return a, b, found, d.get("r", n), "q" in d, len(d), total, sum(d.values())


def a_key_that_one_has(n):
    a, b = {"p": 1, "q": 2}, {"p": 3}
    d = a if n > 1 else b
    try:
        return d["q"]
    except KeyError:
        return -1


def an_index_that_one_has(n):
    return ([1, 2, 3] if n > 1 else [4])[2]


def objects(n):
    a, b = Node(1, [n]), Node(2, [5, 6])
    node = a if n > 1 else b
    node.value += 10
    same = node.bump(n)
    node.items.append(n)
    node.items[0] *= 3
    node.following = a
    return a.value, b.value, a.items, b.items, same is node, len(node), node.following.value


def made_in_a_branch(n):
    a = Node(1, [n])
    if n > 1:
        node = Node(n, [1, 2], a)
        again = node
    else:
        node = again = a
    node.value += 1
    again.items.append(3)
    return a.value, a.items, node.value, node.items, node is again, node is a, -1 if node.following is None else 1


def slots(n):
    a, b = Slotted(1), Slotted(2)
    s = a if n > 1 else b
    s.value = n
    return a.value, b.value


def chosen_twice(n):
    a, b, c = [1], [2], [3]
    d = a if n > 1 else b
    e = d if n > 2 else c
    e[0] = 7
    d.append(5)
    return a, b, c, d is e, e is c, e is a


def in_a_branch(n):
    a, b = [1], [2]
    c = a if n > 1 else b
    if n > 2:
        c[0] += n
        c = [8]
    c.append(4)
    return a, b, c


def in_a_loop(n):
    a, b = [1], [2]
    c = a if n > 1 else b
    for i in range(n):
        c[0] += i
        c, a = a, c
    return a, b, c


def carried_around(n):
    a, b, c = [1], [2], [3]
    t = a
    for i in range(n):
        t[0] += 1
        if i % 3 == 0:
            t = b
        elif i % 3 == 1:
            t = c
        else:
            t = a
    t[0] = 50
    return a, b, c


def found_in_a_loop(n):
    left, right = [1, 2], [3]
    found = None
    for i in range(n):
        left[0] += i
        if i == 1:
            found = left
        if i == 3:
            found = right
        if found is not None:
            found[0] += 5
    return left, right, -1 if found is None else found[0]


def returned_from_a_loop(n):
    left, right = [1, 2], [3]
    for i in range(n):
        left[0] += i
        if i > 2:
            return left, right
        right[0] += left[0]
    return right, left


def gone_through(n):
    a, b = [1, 2, n], [4, 5]
    total = 0
    for i, value in enumerate(a if n > 1 else b):
        if value == 2:
            continue
        total += i * value
    for p, q in zip(a if n > 1 else b, b if n > 2 else a):
        total += p * q
    for value in reversed(a if n > 2 else b):
        total = total * 3 + value
    return total, [v + 1 for v in (a if n > 1 else b)], 4 in (a if n > 2 else b), max(a if n > 1 else b)


def items_changed_on_the_way(n):
    a, b = [1, 2], [4, 5, 6]
    c = a if n > 1 else b
    for i, value in enumerate(c):
        c[i] = value + n
    return a, b


def rows_by_a_tensor(n):
    rows = [[1, 2], [3, 4], [5, 6]]
    row = rows[n % 3]
    rows[n % 3][0] += 10
    rows[(n + 1) % 3].append(n)
    rows[n % 3] = rows[(n + 1) % 3]
    row[1] = 0
    return rows, row is rows[0]


def under_two_names(n):
    a, b = [1], [2]
    pair = [a, b] if n > 1 else [b, a]
    pair[0][0] = 9
    pair[1] += [n]
    return a, b, pair[0] is a


def given_to_functions(n):
    def put(p, q):
        p[0], q[-1] = q[-1], p[0]
        return q

    a, b = [1, 2], [3, 4, 5]
    c = put(a if n > 1 else b, b)
    return a, b, c, tf.reduce_sum(c), tf.stack(c)[0], isinstance(c, list), sorted(c), list(c)


def added_to_a_list(n):
    a, b, c = [1, 2], [3], [0]
    same = c
    c += a if n > 1 else b
    c.extend(a if n > 2 else b)
    return same, [7] + (a if n > 1 else b), (a if n > 1 else b) + [8]


def truth(n):
    a, b = [], [n]
    c = a if n > 1 else b
    return (1 if c else 0), not c, (c or [9])


def made_and_grown_in_a_branch(n):
    a, rows = [1], None
    if n > 0:
        b = a if n > 1 else []
        b.append(n)
        c = b
    else:
        c = [5]
    for i in tf.range(n):
        if rows is None:
            rows = []
        rows.append(i)
    return c, rows


def attributes_that_one_has(n):
    a, b = Node(n, [1]), Node(2, [n])
    b.weight = 7
    c = a if n > 1 else b
    c.value = c.value + getattr(c, "weight", -1)
    longest = getattr(c, "length", None)
    return a.value, b.value, hasattr(c, "weight"), longest is None, getattr(c, "items", None)[0]


PROGRAMS = [
    attributes_that_one_has,
    methods_of_lists, deleted_at_a_place_of_the_run, loop_over_one_of_many, sorted_in_place, methods_of_dicts,
    a_key_that_one_has, an_index_that_one_has, objects, made_in_a_branch, slots, chosen_twice, in_a_branch, in_a_loop,
    carried_around, found_in_a_loop, returned_from_a_loop, gone_through, items_changed_on_the_way, rows_by_a_tensor,
    under_two_names, given_to_functions, added_to_a_list, truth,
    made_and_grown_in_a_branch,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_python(program):
    assert_same(program, -1, 0, 1, 2, 3, 5)


def test_printing_shows_what_it_may_be(capsys):
    @tf.function
    def shown(n):
        print([1] if n > 1 else shared)
        return n

    shared = [2]
    shown(tf.constant(1))
    assert "<one of a list, a list>" in capsys.readouterr().out


def test_an_iterator_over_one_of_several_is_gone_through_once():
    def twice(n):
        a, b = [1, 2], [3]
        pairs = enumerate(a if n > 1 else b)
        total = 0
        for _, value in pairs:
            total += value
        for _, value in pairs:
            total += value
        return total

    with pytest.raises(StagingError, match=r"enumerate\(\) of one of several lists .* is gone through twice"):
        tf.function(twice)(tf.constant(1))
