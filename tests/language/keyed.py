"""Rows of the language table: dicts, sets and deques of which only the run knows what they hold, and itertools."""

from __future__ import annotations

from collections import Counter, deque
from functools import partial
from itertools import groupby, takewhile

from tests.language import construct

staged = partial(construct.staged, "Containers and objects")


@staged("`d[t] = v`, `d.get(t)`, `t in d`", "The keys are a list that grows, which is searched as a whole.", 7, 2,
        graph="while")
def counted(n):
    counts = {}
    for i in range(n):
        counts[i % 3] = counts.get(i % 3, 0) + i
    return list(counts.items())


@staged("`seen.add(t)`, `t in seen`", "As the keys of a dict; a loop over `seen` has the order of Python's.",
        5, 3, graph="while")
def rounds(n):
    seen = set()
    while n not in seen:
        seen.add(n)
        n = (n * n + 1) % 97
    return len(seen)


@staged("`Counter(items)`", "With `most_common`, `total`, and 0 for what is not there.", 12, 3, graph="list_get")
def most_common(n):
    counts = Counter([n % 2, n % 3, n % 4])
    return counts[0], counts.most_common(1)[0]


@staged("`q.popleft()` of a deque", "A list that grows.", 17, 1, graph="while")
def halvings(n):
    queue, steps = deque([n]), 0
    while queue:
        v = queue.popleft()
        steps += 1
        if v > 1:
            queue.append(v // 2)
    return steps


@staged("`takewhile`, `dropwhile`, `filterfalse`, `compress`, `islice`", "No item is taken before it is wanted.", 4, 1,
        graph="while")
def as_far_as(n):
    return sum(takewhile(lambda v: v * v < n, range(n)))


@staged("`groupby`", "Each group is a list.", 10, 3, graph="while")
def groups(n):
    return [(k, len(list(g))) for k, g in groupby(i // 3 for i in range(n))]
