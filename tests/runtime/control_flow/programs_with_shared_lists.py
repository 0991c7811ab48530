"""Programs with variables that have one list for a while: a change under one name is seen under the other one."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROGRAMS"]


@dataclass
class Best:
    items: list
    spare: list


def kept_and_changed(xs):
    a = []
    b = a
    for v in xs:
        if v == 0:
            a = []
        a.append(v)
        if v == 3:
            b = a
    return a, b


def kept_and_changed_by_its_name(xs):
    cur, kept = [0], [0]
    for v in xs:
        cur[0] += v
        if v > 2:
            kept = cur
        if v == 0:
            cur = [v]
        kept[0] += 10
    return cur, kept


def three_names(xs):
    a, b, c = [1], [2], [3]
    for v in xs:
        a[0] += v
        if v > 1:
            a, b = b, a
        elif v == 0:
            c = a
            a = [0]
        c[0] += 100
    return a, b, c


def three_that_become_one(xs):
    a, b, c = [], [], []
    for v in xs:
        a.append(v)
        b.append(v + 10)
        c.append(v + 20)
        if v == 3:
            b = a
        elif v == 0:
            c = b
        elif v == 1:
            a = [7]
    return a, b, c


def begun_as_one(xs):
    a = b = [0, 0]
    for v in xs:
        a[0] += v
        b[1] += 1
        if v == 0:
            a = [5, 5]
    return a, b


def one_that_others_keep(xs):
    kept = [1]
    held = (kept, 0)
    cur = kept
    for v in xs:
        cur[0] += v
        if v == 0:
            cur = [0]
    return held[0], cur, kept


def records(xs):
    cur = best = {"n": 0, "last": 0}
    for v in xs:
        cur["n"] += 1
        cur["last"] = v
        if v > best["last"]:
            best = cur
        if v == 0:
            cur = {"n": 0, "last": 0}
    best["n"] += 100
    return best, cur


def objects(xs):
    best, cur = Best([0], [1]), Best([2], [3])
    for v in xs:
        cur.items[0] += v
        if v == 0:
            best = cur
            cur = Best([v], [v])
    return best.items, cur.items, best.spare


def attributes(xs):
    state = Best([], [])
    for v in xs:
        if v > 0:
            state.spare.append(v)
        else:
            if len(state.spare) > len(state.items):
                state.items = state.spare
            state.spare = []
    return state.items, state.spare


def attributes_that_are_one(xs):
    state = Best([0], [0])
    for v in xs:
        state.spare[0] += v
        if v > 1:
            state.items = state.spare
        if v == 0:
            state.spare = [0]
    return state.items, state.spare


def perhaps_none(xs):
    best, cur = None, [0]
    for v in xs:
        cur[0] += v
        if best is None or cur[0] > best[0]:
            best = cur
        if v == 0:
            cur = [1]
    return best, cur


def perhaps_undefined(xs):
    cur = []
    for v in xs:
        if v == xs[0]:
            last = cur
            cur = []
        cur.append(v)
    return last, cur


def swapped(xs):
    a, b = [], []
    for v in xs:
        a.append(v)
        if v > 0:
            a, b = b, a
    return a, b


def moved_on(xs):
    before, cur, total = [], [], 0
    for v in xs:
        cur.append(v)
        if v % 2 == 0:
            total += len(before)
            before, cur = cur, []
    return before, cur, total


def three_moved_on(xs):
    a, b, c = [0], [0], [0]
    for v in xs:
        c[0] += v
        a, b, c = b, c, [v]
    return a, b, c


def two_rows(xs):
    before = [0, 0, 0, 0]
    for v in xs:
        row = [0, 0, 0, 0]
        for j in range(1, 4):
            row[j] = max(row[j - 1], before[j - 1] + v)
        before = row
    return before


def two_rows_in_turn(xs):
    cur, following = [1, 0, 0], [0, 0, 0]
    for v in xs:
        for i in range(3):
            following[i] = cur[i] + v * i
        cur, following = following, cur
    return cur, following


def longest_common(xs):
    ys = [1, 2, 3, 0, 1]
    before = [0] * 6
    for a in xs:
        cur = [0]
        for j in range(5):
            cur.append(before[j] + 1 if a == ys[j] else max(before[j + 1], cur[-1]))
        before, cur = cur, before
    return before[-1]


def changed_after_the_loop(xs):
    best, cur = [], [0]
    for v in xs:
        cur.append(v)
        if v > 1:
            best = cur
        if v == 0:
            cur = [1]
    best.append(9)
    return best, cur


def in_a_while_loop(xs):
    best, cur, i = [], [], 0
    while i < len(xs):
        if xs[i] < 3:
            cur.append(xs[i])
        else:
            best, cur = cur, []
        i += 1
        if i == 4:
            cur = best
    return best, cur


def returned_in_between(xs):
    best, cur = [], []
    for v in xs:
        if v == 0:
            if len(cur) > 2:
                return cur, best
            best = cur
            cur = []
        cur.append(v)
    return best, cur


def in_loops_in_loops(xs):
    best, cur = [0], [0]
    for v in xs:
        if v > 1:
            best = cur
        for w in xs:
            cur[0] += w
            if w == 0:
                cur = [v]
        best[0] += 1
    return best, cur


def begun_anew_by_a_handler(xs):
    best, cur = [], []
    for v in xs:
        try:
            if v == 0:
                raise ValueError
            cur.append(v)
        except ValueError:
            best = cur
            cur = []
    return best, cur


def by_a_helper(xs):
    def closed(best, cur):
        return (cur, []) if len(cur) > len(best) else (best, [])

    best, cur = [], []
    for v in xs:
        if v == 0:
            best, cur = closed(best, cur)
        else:
            cur.append(v)
    return best, cur


def rows_in_lists(xs):
    best, cur = [[0]], [[0]]
    for v in xs:
        cur[0][0] += v
        if v == 3:
            best = cur
        if v == 0:
            cur = [[0]]
    return best, cur


def put_before_a_loop(xs):
    rows, cur = [], [0]
    for v in xs:
        if v > 1:
            rows.append(cur)
            cur = [0]
        for w in xs:
            cur[0] += w
    return rows, cur


def put_and_moved_on(xs):
    rows, a, b = [], [0], [0]
    for v in xs:
        if v == 0:
            rows.append(a)
            a, b = b, [0]
        a[0] += v
    return rows, a, b


SAMPLES = [
    ([1, 1, 2, 2, 2, 3, 1],), ([5],), ([0, 0, 0],), ([0, 1, 0, 3, 0, 0, 4],), ([9, 8, 7],), ([3, 4, 3, 1, 3, 3, 2],),
    ([1, 2, -1, 3, 4, -2, 1],), ([1, 2, 3, 1, 2, 3, 4, 0, 0, 5, 6, 0],),
]

PROGRAMS = [
    ([
        kept_and_changed, kept_and_changed_by_its_name, three_names, three_that_become_one, begun_as_one,
        one_that_others_keep, records, objects, attributes, attributes_that_are_one, perhaps_none,
        perhaps_undefined, swapped, moved_on, three_moved_on, two_rows, two_rows_in_turn, longest_common,
        changed_after_the_loop, in_a_while_loop, returned_in_between, in_loops_in_loops, begun_anew_by_a_handler,
        by_a_helper, rows_in_lists, put_before_a_loop, put_and_moved_on,
    ], SAMPLES),
]  # fmt: skip
