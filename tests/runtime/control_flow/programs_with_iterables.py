"""Programs whose lists take in what the graph goes through, have slices with steps, and are copied by `copy`."""

from __future__ import annotations

import copy
from collections import deque

__all__ = ["PROGRAMS"]


def counted(n):
    items = []
    for i in range(n):
        items.append(i)
    return items


def extend_by_a_generator(n):
    items = [7]
    same = items
    items.extend(i * 2 for i in range(n))
    items += (i for i in range(n) if i % 2)
    return items, same


def extend_by_iterators(n):
    items = counted(n)
    items.extend(reversed(items[:]))
    items += map(abs, items[:])
    items.extend(range(n))
    return items


def extend_by_pairs(n):
    pairs = []
    pairs.extend(zip(range(n), range(1, n + 1)))
    return pairs


def add_a_range(n):
    items = [5, 5, 5]
    items += range(n)
    return items


def extend_by_keys_and_members(n):
    squares, odd = {}, set()
    for i in range(n):
        squares[i] = i * i
        odd.add(i % 2)
    items = []
    items.extend(squares)
    items += squares.values()
    items.extend(odd)
    return items


def put_a_range_into_a_slice(n):
    items = [5, 6, 7]
    items[1:2] = range(n)
    items[:1] = (i * i for i in range(n))
    return items


def every_second(n):
    items = [1] * n
    items[::2] = [0] * len(items[::2])
    items[::-3] = [5 + i for i in range(len(items[::-3]))]
    return items


def too_few_for_a_slice(n):
    items = [1] * n
    items[::2] = [0, 0]
    return items


def sieve_by_slices(n):
    is_prime = [True] * (n + 1)
    is_prime[0:2] = [False, False]
    for i in range(2, int(n**0.5) + 1):
        if is_prime[i]:
            is_prime[i * i :: i] = [False] * len(is_prime[i * i :: i])
    return [i for i, is_one in enumerate(is_prime) if is_one]


def without_every_second(n):
    items = counted(n)
    del items[1::2]
    rest = counted(n)
    del rest[::-3]
    return items, rest


def rows_by_steps(n):
    rows = [[i] for i in range(n)]
    rows[::2] = [[0, 0] for _ in rows[::2]]
    return rows


def copies_of_a_table(n):
    table = [[0] * n for _ in range(2)]
    same = copy.deepcopy(table)
    rows = []
    for i in range(n):
        rows.append([i] * i)
    others = copy.deepcopy(rows)
    others[-1].append(4)
    table[0][0] = n
    return table, same, rows, others


def copies_of_a_list(n):
    items = counted(n)
    shallow, deep = copy.copy(items), copy.deepcopy(items)
    shallow.append(8)
    deep.append(9)
    return items, shallow, deep


def copies_of_containers(n):
    queue, counts = deque(), {}
    for i in range(n):
        queue.append(i)
        counts[i % 2] = i
    one, two, known = copy.copy(queue), copy.deepcopy(queue), copy.deepcopy(counts)
    one.append(7)
    two.popleft()
    known[0] = 9
    return list(queue), list(one), list(two), sorted(counts.items()), sorted(known.items())


PROGRAMS = [
    ((
        extend_by_a_generator, extend_by_iterators, extend_by_pairs, add_a_range, extend_by_keys_and_members,
        put_a_range_into_a_slice, every_second, too_few_for_a_slice, sieve_by_slices, without_every_second,
        rows_by_steps, copies_of_a_table, copies_of_a_list, copies_of_containers,
    ), ((4,), (7,), (2,))),
]  # fmt: skip
"""Programs that take the same, and what they are called with."""
