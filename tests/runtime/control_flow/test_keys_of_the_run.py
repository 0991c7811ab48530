"""Dicts, sets, Counters and deques of which only the run knows the keys or the length: as in Python."""

from __future__ import annotations

import copy
from collections import Counter, defaultdict, deque

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingTypeError
from tests.algorithms.test_algorithms import alike, plain

WORDS = ([3, 1, 4, 1, 5, 9, 2, 6, 3], [3, 3, 7, 1, 1, 1, 2, 9, 9])


def counted(a):
    d = {}
    for v in a:
        d[v] = d.get(v, 0) + 1
    s = 0
    for k, c in d.items():
        s = s * 7 + k * c
    return s, len(d), max(d.values()), max(d, key=d.get), sorted(d.items(), key=lambda p: (-p[1], p[0])), list(d)


def counted_by_cases(a):
    d = {}
    for v in a:
        if v in d:
            d[v] += 1
        else:
            d[v] = 1
    return [k for k, c in d.items() if c == 1]


def counted_by_default(a):
    d, c = defaultdict(int), Counter()
    for v in a:
        d[v] += 1
        c[v] += 2
    return max(d.values()), c.most_common(2), c[100], len(c), d[100], len(d)


def counted_at_once(a):
    c = Counter(a)
    return c[3], c[77], len(c), c.total(), sum(c.values()), c.most_common(1)[0], c.most_common()[-1], sum(k for k in c)


def buckets(a):
    d, e = defaultdict(list), {}
    for i, v in enumerate(a):
        d[v % 3].append(i)
        e.setdefault(v, []).append(v * 2)
    return [len(d[k]) for k in d], [len(e[k]) for k in e], max(len(x) for x in d.values())


def positions(a):
    d = {v: i for i, v in enumerate(a)}
    e = dict(zip(a, range(len(a)), strict=True))
    return d[a[0]], e[a[1]], d.get(1000) is None, d.get(1000, -5), len(e)


def removed(a):
    d = {}
    for v in a:
        d[v] = 0
    for v in a:
        d[v] += v
    del d[a[0]]
    return len(d), sum(d.values()), d.pop(a[2]), d.pop(-5, 7), d.pop(9, 8), len(d), d.popitem()


def first_repeated(a):
    seen = set()
    for v in a:
        if v in seen:
            return v
        seen.add(v)
    return -1


def repeated(a):
    seen, twice = set(), set()
    for v in a:
        if v in seen:
            twice.add(v)
        else:
            seen.add(v)
    return sorted(twice), len(seen)


def members(a):
    s = set(a)
    s.discard(a[0])
    s.add(100)
    s.update(a[:2])
    s |= {1, 2}
    s -= {1}
    return sorted(s), max(s), min(s), sum(s), 100 in s, len(s), len({v % 3 for v in a}), sum({v * v % 7 for v in a})


def first_of_most(a):
    best, d = None, {}
    for v in a:
        d[v] = d.get(v, 0) + 1
        if best is None or d[v] > d[best]:
            best = v
    return best


def of_generators(a):
    c = Counter(v % 4 for v in a if v > 2)
    s, d = frozenset(v % 3 for v in a if v > 1), {0: 1}
    d.update((v, v + v) for v in a)
    c.update(v % 5 for v in a if v < 4)
    return c.most_common(1)[0], len(c), len(s), len(d), d[3], sum(c.values())


@pytest.mark.parametrize(
    "program",
    [of_generators, counted, counted_by_cases, counted_by_default, counted_at_once, buckets, positions, removed,
     first_repeated, repeated, members, first_of_most],
    ids=lambda p: p.__name__,
)  # fmt: skip
def test_programs_of_one_list(program):
    for tensors in (lambda a: tf.constant(np.asarray(a)), lambda a: [tf.constant(np.asarray(v)) for v in a]):
        staged = tf.function(program)
        for values in WORDS:
            found, wanted = plain(staged(tensors(values))), plain(program(copy.copy(values)))
            assert alike(found, wanted), f"{program.__name__}: {found} and not {wanted}"


def algebra(a, b):
    s, t = set(a), set(b)
    both = (sorted(s & t), sorted(s | t), sorted(s - t), sorted(s ^ t))
    tests = (s == t, s <= t, s < t, s.isdisjoint(b), s.issubset(b), s.union(b) == t.union(a))
    return both, tests, Counter(a) == Counter(b)


def pairs(a, b):
    seen = {(0, 0)}
    for x, y in zip(a, b, strict=True):
        seen.add((x % 2, y % 2))
    return len(seen), (a[0], b[0]) in seen


def two_sum(a, b):
    d = {}
    for i, v in enumerate(a):
        if b[0] + 4 - v in d:
            return [d[b[0] + 4 - v], i]
        d[v] = i
    return [-1, -1]


def of_containers(a, b):
    q, d = deque([a[0], b[0], 3]), {1: a[1], 2: b[1]}
    items = [a[0], b[1]]
    return (
        {v % 3 for v in q}, {v % 4 for v in d.values()}, {v + k for k, v in d.items()},
        {v % 3 for v in reversed(items)}, {v % 3: v for v in q}, {v: k for k, v in d.items()},
        {v % 5 for v in iter(items)},
    )  # fmt: skip


@pytest.mark.parametrize("program", [algebra, of_containers, pairs, two_sum], ids=lambda p: p.__name__)
def test_programs_of_two_lists(program):
    staged = tf.function(program)
    for a, b in (WORDS, WORDS[::-1], (WORDS[0], WORDS[0])):
        found = plain(staged(tf.constant(np.asarray(a)), tf.constant(np.asarray(b))))
        wanted = plain(program(a, b))
        assert alike(found, wanted), f"{program.__name__}: {found} and not {wanted}"


def steps_to_one(n):
    q, seen = deque([(n, 0)]), set()
    while q:
        v, k = q.popleft()
        if v == 1:
            return k
        if v in seen:
            continue
        seen.add(v)
        q.append((v // 2, k + 1))
        q.append((v - 1, k + 1))
    return -1


def last_sums(n):
    q, sums = deque(maxlen=n), []
    for v in [3, 1, 4, 1, 5, 9]:
        q.append(v)
        sums.append(sum(q))
    r = deque([1, 2, 3, 4])
    r.rotate(n)
    r.appendleft(n)
    r.extendleft([7, 8])
    return sums, list(r), r[0], r[-1], len(r), n in r, q == r


def greatest_in_windows(n):
    a = [3, 1, 4, 1, 5, 9, 2, 6]
    q, found = deque(), []
    for i, v in enumerate(a):
        while q and a[q[-1]] <= v * n:
            q.pop()
        q.append(i)
        if q[0] <= i - 3:
            q.popleft()
        found.append(a[q[0]])
    return found


def rounds_of_a_cycle(n):
    seen, x, steps = set(), n, 0
    while x not in seen:
        seen.add(x)
        x = (x * x + 1) % 97
        steps += 1
    return steps


def remembered(n):
    memo = {0: 0, 1: 1}
    for i in range(2, n + 1):
        memo[i] = memo[i - 1] + memo[i - 2]
    return memo[n]


@pytest.mark.parametrize(
    "program", [steps_to_one, last_sums, greatest_in_windows, rounds_of_a_cycle, remembered], ids=lambda p: p.__name__
)
def test_programs_of_a_number(program):
    staged = tf.function(program)
    for n in (1, 3, 10):
        found, wanted = plain(staged(tf.constant(np.asarray(n)))), plain(program(n))
        assert alike(found, wanted), f"{program.__name__}({n}): {found} and not {wanted}"


def test_characters_of_a_text():
    @tf.function
    def program(text):
        d = {}
        for c in text:
            d[c] = d.get(c, 0) + 1
        return max(d.values()), Counter(text).most_common(1)[0][1], len(set(text)) == len(text)

    assert plain(program(tf.constant("hello"))) == [2, 2, False]
    assert plain(program(tf.constant("abc"))) == [1, 1, True]


def test_results_are_pythons():
    @tf.function
    def program(a):
        d = {}
        for v in a:
            d[v] = d.get(v, 0) + 1
        return d, set(a), Counter(a), deque(a, maxlen=a[1] + 2)

    d, s, c, q = program(tf.constant([3, 1, 3], tf.int64))
    assert [(k, int(v)) for k, v in d.items()] == [(3, 2), (1, 1)]
    assert s == {1, 3} and type(c) is Counter and int(c[3]) == 2
    assert [int(v) for v in q] == [3, 1, 3] and q.maxlen == 3


def test_under_all_names_and_in_helpers():
    def put(into, v):
        into[v] = into.get(v, 0) + 1

    @tf.function
    def program(a):
        d = {}
        holder = {"d": d}
        same = d
        for v in a:
            put(holder["d"], v)
        return len(same), same[a[0]]

    assert plain(program(tf.constant([5, 5, 2], tf.int64))) == [2, 2]


def test_a_missing_key_is_the_error_of_the_run():
    @tf.function
    def program(a, k):
        d = {}
        for v in a:
            d[v] = 1
        try:
            found = d[k]
        except KeyError:
            found = -1
        return found, d[a[0]]

    a = tf.constant([1, 2], tf.int64)
    assert plain(program(a, tf.constant(9, tf.int64))) == [-1, 1]

    @tf.function
    def raising(a, k):
        s = set(a)
        s.remove(k)
        return len(s)

    with pytest.raises(KeyError):
        raising(a, tf.constant(9, tf.int64))
    assert int(raising(a, tf.constant(2, tf.int64))) == 1


@pytest.mark.parametrize(
    ("program", "words"),
    [(lambda a: [v for v in {(w, 0.5) for w in a}], "Go through `sorted"), (lambda a: set(a).__len__(), "not known")],
)
def test_what_is_refused_says_why(program, words):
    with pytest.raises(Exception, match=words):
        tf.function(program)(tf.constant([1, 2]))


def test_gradients_go_through_the_values():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)

        @tf.function
        def program(a, x):
            d = {}
            for v in a:
                d[v] = d.get(v, x * 0.0) + x * x
            return d[a[0]] * 3.0

        y = program(tf.constant([1, 2, 1], tf.int64), x)
    assert float(tape.gradient(y, x)) == 24.0


def test_kinds_that_do_not_meet_are_named():
    with pytest.raises(StagingTypeError, match="dtype int64 in the number 0 branch, but dtype float64"):
        tf.function(lambda n: (1, 2.5, "x")[n])(tf.constant(1))


def test_a_list_whose_elements_are_cast_is_left_to_the_plan():
    def program(n):
        d = {0: 1, 1: 1}
        for i in range(n):
            d[i % 3] = d.get(i % 3, 0) + n
        return d

    given = tf.constant(5)
    found = [tf.function(program, backend=name)(given) for name in ("native", "numpy")]
    assert [{k: int(v) for k, v in each.items()} for each in found] == [program(5)] * 2
