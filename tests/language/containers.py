"""Rows of the language table: lists, dicts and objects that staged code changes."""

from __future__ import annotations

import collections
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from tests.language import construct

staged = partial(construct.staged, "Containers and objects")


class Account:
    """An object of the user with state of its own."""

    def __init__(self, balance: Any) -> None:
        self.balance = balance

    def pay(self, amount: Any) -> None:
        self.balance = self.balance - amount


@dataclass
class Span:
    """A dataclass: each field is a variable."""

    low: Any
    high: Any


class Point(NamedTuple):
    """A named tuple: each field is a variable."""

    x: Any
    y: Any


@staged("tuples, lists and dicts as variables", "Structures of a known form: each part is a variable.", 4, -4,
        graph="while")
def fibonacci(n):
    pair = (0, 1)
    seen = {"steps": 0}
    for _ in range(n):
        pair = (pair[1], pair[0] + pair[1])
        seen = {"steps": seen["steps"] + 1}
    return pair[0], seen


@staged("named tuples as variables", "Each field is a variable.", 3, -3, graph="cond", uses=(Point,))
def mirrored(x):
    p = Point(x, 0)
    if x < 0:
        p = Point(-p.x, p.y + 1)
    return p.x, p.y


@staged("dataclasses as variables", "Each field is a variable.", 3, graph="while", uses=(Span,))
def bisected(n):
    span = Span(0, 64)
    for _ in range(n):
        span = Span(span.low, (span.low + span.high) // 2)
    return span.low, span.high


@staged("`append` in a loop", "The list grows in the graph; it has one type of element.", 4, 0, graph="while")
def squares(n):
    found = []
    for i in range(n):
        found.append(i * i)
    return found


@staged("a list that grows by `+`", "A new list in each iteration; the variable holds one that grows.", 4, 0,
        graph="while")
def concatenated(n):
    items = []
    for i in range(n):
        items = items + [i]
    return items


@staged("a list that a function appends to", "The list of the caller grows, under all its names.", 4, -4, graph="cond")
def appended_by_a_function(x):
    def put(them, k):
        if k > 0:
            them.append(k)

    items = [0]
    put(items, x)
    return items, len(items)


@staged("`+=`, slices and `*` of lists that grow", "As in Python: all names of a list see what it takes in.", 4, -4,
        graph="cond")
def taken_in(x):
    found = [x]
    if x > 0:
        found.append(x * 10)
    items = same = [0, 1, 2]
    items += found
    items[1:2] = found * 2
    del items[-1]
    return same


@staged("a key on one way only", "Whether it is there is a bool of the run; where it is not, to read it raises Python's"
        " `KeyError`.", 3, -3, graph="cond")
def key_of_one_branch(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = x
        del d["a"]
    total = len(d)
    for key in d:
        total += d[key]
    return total, "b" in d, d.get("a", 7), d["b"]


@staged("a memo", "A key that an iteration or call makes is there for the next one.", 3, 0)
def memoized(n):
    memo = {}
    for i in range(n):
        for k in (1, 2):
            if k not in memo:
                memo[k] = i * 10 + k
    return len(memo), memo


@staged("a member of a set on one way only", "As a key of a dict.", 3, -3)
def visited(x):
    seen = set()
    if x > 0:
        seen.add("a")
    first = "a" in seen
    seen.discard("a")
    return first, len(seen)


@staged("an attribute on one way only", "As a key of a dict, with Python's `AttributeError`, or what the class says.",
        3, 0, -3, uses=(Account,), graph="cond")
def attribute_of_one_branch(x):
    account = Account(x)
    if x > 0:
        account.last = x
        if x > 5:
            del account.balance
    return hasattr(account, "balance"), getattr(account, "last", 0), account.last


@staged("`append` under a condition", "Both branches start from the same contents.", [1, -2, 3], [-1, -2, -3],
        graph="while")
def positives(values):
    found = []
    for v in values:
        if v > 0:
            found.append(v)
    return len(found), found


@staged("`append` in one branch", "A list whose length depends on the run.", 1, -1, graph="cond")
def maybe_longer(x):
    items = [x, x]
    if x > 0:
        items.append(x * 10)
    return len(items), items[-1]


@staged("`pop`, `insert`, `extend`", "As Python does them.", [1, 2, 3])
def rearranged(values):
    items = []
    for v in values:
        items.append(v)
    last = items.pop()
    items.insert(0, last)
    items.extend([7, 8])
    return items


@staged("`[*items, x]`", "A list that grows, where the length of `items` depends on the run.", 4, -4, graph="cond")
def displayed(x):
    found = [x]
    if x > 0:
        found.append(x * 10)
    return [0, *found, *found, 1]


@staged("`index`, `count`, `remove`, `sort`, `in`, `==`", "Of lists that grow, too; ValueError when the graph runs.",
        [3, 1, 3, 2], [1, 2, 1, 5], graph="while")
def searched(values):
    items = [v for v in values if v > 1]
    place = items.index(2)
    twos = items.count(2)
    items.remove(2)
    items.sort()
    if 3 in items:
        place += 10
    return place, twos, items, items == [3, 3]


@staged("`pop`, `insert`, `del` at a position of the run", "The list grows from then on.", 1, 2, -1)
def at_positions(n):
    items = [1, 2, 3]
    taken = items.pop(n)
    items.insert(n, 9)
    del items[n]
    return taken, items


@staged("lists in a list that grows", "Each has a length of its own; it is read and changed where it is.",
        [1, -1, 2, 3], [-1, -1, 4, -2], graph="while")
def runs(values):
    rows = [[]]
    for v in values:
        if v < 0:
            rows.append([])
        else:
            rows[-1].append(v)
    return rows, [len(row) for row in rows]


@staged("`counts[-1][1] += 1`", "Lists of one length, of which elements are written, become lists of their own, too.",
        [3, 3, 4], [5, 6, 6], graph="while")
def run_lengths(values):
    counts = []
    for v in values:
        if counts and counts[-1][0] == v:
            counts[-1][1] += 1
        else:
            counts.append([v, 1])
    return counts


@staged("`buckets[i].append(x)` at a position of the run", "The list of lists becomes one that grows.",
        [3, 1, 4, 6], [2, 2, 5, 2], graph="while")
def sorted_into_buckets(values):
    buckets = [[] for _ in range(3)]
    for v in values:
        buckets[v % 3].append(v)
    return buckets


@staged("elements of a list, written in a branch", "A list of a known length is a structure.", 1, -1, graph="cond")
def swapped(x):
    items = [x, 5]
    if x > 0:
        items[0], items[1] = items[1], items[0]
    return items


@staged("values of a dict, written in a loop", "A dict with known keys is a structure.", 5, 0, graph="while")
def counted(n):
    counts = {"even": 0, "odd": 0}
    for i in range(n):
        if i % 2 == 0:
            counts["even"] += 1
        else:
            counts["odd"] += 1
    return counts


@staged("elements of lists and dicts, written by a tensor", "Each that may be meant is set, or keeps its value.", 5, 2)
def written_by_a_tensor(x):
    counts = {0: 0, 1: 0, 2: 0}
    grid = [[0, 0], [0, 0], [0, 0]]
    for k in (x, x + 1, 4):
        counts[k % 3] += 1
        grid[k % 3][k % 2] = k
    return counts, grid


@staged("attributes, written in a branch", "The attribute is a variable of the statement.", 1, -1, graph="cond",
        uses=(Account,))
def taxed(x):
    account = Account(100)
    if x > 0:
        account.balance = account.balance - x
    return account.balance


@staged("attributes, written in a loop", "The attribute is a variable of the loop.", 3, 0, graph="while",
        uses=(Account,))
def saved(n):
    account = Account(100)
    for i in range(n):
        account.balance += i
    return account.balance


@staged("attributes, written by a method", "Effects of what a branch or loop calls are seen, too.", 3, 0,
        graph="while", uses=(Account,))
def spent(n):
    account = Account(100)
    for i in range(n):
        account.pay(i)
    return account.balance


@staged("`+=` of a list in a loop", "As `extend`.", 3, 0, graph="while")
def extended(n):
    items = [7]
    for i in range(n):
        items += [i, -i]
    return items


@staged("a key that both branches make", "A dict may get the same new keys in both branches.", 3, -3, graph="cond")
def new_key(x):
    d = {}
    if x > 0:
        d["size"] = x
    else:
        d["size"] = -x
    return d["size"]


@staged("`for k, v in d.items()`", "Unrolled: a dict is a Python value; what it holds may be tensors.", 3, -3,
        graph="cond")
def sum_of_large(x):
    total = 0
    for key, value in {"a": x, "b": 2, "c": 5}.items():
        if value > 1 and key != "c":
            total += value
    return total


@staged("`collections.deque` with a `maxlen`", "A structure of a known length.", 3, 0, graph="while")
def last_two(n):
    kept = collections.deque([0, 0], maxlen=2)
    for i in range(n):
        kept.append(i)
    return list(kept)
