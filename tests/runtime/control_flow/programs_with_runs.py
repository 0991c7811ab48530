"""Programs that collect runs, parts and groups: a list is kept, or put into another list, and a new one is begun."""

from __future__ import annotations

from collections import deque

__all__ = ["PROGRAMS"]


def longest_run(xs):
    best, cur = [], []
    for v in xs:
        if v > 0:
            cur.append(v)
        else:
            if len(cur) > len(best):
                best = cur
            cur = []
    if len(cur) > len(best):
        best = cur
    return best


def longest_run_so_far(xs):
    best, cur = [], []
    for v in xs:
        if v > 0:
            cur.append(v)
            if len(cur) > len(best):
                best = cur
        else:
            cur = []
    return best, cur


def longest_increasing_run(xs):
    best, cur = [], []
    for v in xs:
        if not cur or v > cur[-1]:
            cur.append(v)
        else:
            cur = [v]
        if len(cur) > len(best):
            best = cur
    return best


def longest_increasing_run_at_its_end(xs):
    best, cur = [], []
    for v in xs:
        if cur and v <= cur[-1]:
            if len(cur) > len(best):
                best = cur
            cur = []
        cur.append(v)
    return best if len(best) >= len(cur) else cur


def longest_with_distinct_elements(xs):
    best, cur = [], []
    for v in xs:
        if v in cur:
            if len(cur) > len(best):
                best = cur
            cur = cur[cur.index(v) + 1:]
        cur.append(v)
    return best if len(best) > len(cur) else cur


def largest_sum(xs):
    best, best_sum = [], -1000
    cur, cur_sum = [], 0
    for v in xs:
        if cur_sum < 0:
            cur, cur_sum = [], 0
        cur.append(v)
        cur_sum += v
        if cur_sum > best_sum:
            best_sum = cur_sum
            best = list(cur)
    return best, best_sum


def best_counts(xs):
    best, cur = [0, 0], [0, 0]
    for v in xs:
        if v == 0:
            if cur[1] > best[1]:
                best = cur
            cur = [0, 0]
        else:
            cur[0] += 1
            cur[1] += v
    return best, cur


def best_record(xs):
    best, cur = {"n": 0, "s": 0}, {"n": 0, "s": 0}
    for v in xs:
        if v == 0:
            if cur["s"] > best["s"]:
                best = cur
            cur = {"n": 0, "s": 0}
        else:
            cur["n"] += 1
            cur["s"] += v
    return best, cur


def most_members(xs):
    best, cur = set(), set()
    for v in xs:
        if v in cur:
            if len(cur) > len(best):
                best = cur
            cur = set()
        cur.add(v)
    return sorted(best if len(best) > len(cur) else cur)


def most_keys(xs):
    best, cur = {}, {}
    for v in xs:
        if v == 0:
            if len(cur) > len(best):
                best = cur
            cur = {}
        else:
            cur[v] = cur.get(v, 0) + 1
    return list(best.items()), list(cur.items())


def longest_queue(xs):
    best, cur = deque(), deque()
    for v in xs:
        if v == 0:
            if len(cur) > len(best):
                best = cur
            cur = deque()
        else:
            cur.append(v)
    return list(best), list(cur)


def split(xs):
    parts, cur = [], []
    for v in xs:
        if v == 0:
            parts.append(cur)
            cur = []
        else:
            cur.append(v)
    parts.append(cur)
    return parts


def chunks(xs):
    out, cur = [], []
    for v in xs:
        cur.append(v)
        if len(cur) == 3:
            out.append(cur)
            cur = []
    if cur:
        out.append(cur)
    return out


def pages(xs):
    out, page, used = [], [], 0
    for v in xs:
        if used + v > 5 and page:
            out.append(page)
            page, used = [], 0
        page.append(v)
        used += v
    if page:
        out.append(page)
    return out


def groups_of_equal(xs):
    groups, cur = [], []
    for v in xs:
        if cur and cur[-1] != v:
            groups.append(cur)
            cur = []
        cur.append(v)
    if cur:
        groups.append(cur)
    return groups


def positive_runs(xs):
    runs, cur = [], []
    for v in xs:
        if v > 0:
            cur.append(v)
        elif cur:
            runs.append(cur)
            cur = []
    if cur:
        runs.append(cur)
    return runs


def run_lengths(xs):
    out, cur = [], [0, 0]
    for v in xs:
        if v == cur[0]:
            cur[1] += 1
        else:
            out.append(cur)
            cur = [v, 1]
    out.append(cur)
    return out


def records(xs):
    rows, cur = [], {"n": 0}
    for v in xs:
        if v > 1:
            rows.append(cur)
            cur = {"n": 0}
        cur["n"] += v
    return rows, cur


def begun_anew_where_it_was_put(xs):
    rows, cur = [], [0]
    for v in xs:
        full = v > 1
        if full:
            rows.append(cur)
        if full:
            cur = [0]
        cur[0] += v
    return rows, cur


def one_of_three(xs):
    rows, cur = [], []
    for v in xs:
        if v == 0:
            rows.append(cur)
            cur = []
        elif v == 1:
            cur = [v]
        else:
            cur.append(v)
        cur.append(7)
    return rows, cur


def blocks_between(xs):
    blocks, cur, inside = [], [], False
    for v in xs:
        if v == 3:
            if inside:
                blocks.append(cur)
            cur, inside = [], not inside
        elif inside:
            cur.append(v)
    return blocks, cur


def levels(xs):
    out, level = [], [0]
    for v in xs:
        following = [c + v for c in level]
        out.append(level)
        level = following
    return out


def windows(xs):
    out, window = [], []
    for v in xs:
        window = [*window, v]
        if len(window) > 3:
            window = window[1:]
        if len(window) == 3:
            out.append(window)
    return out


def run_of_each_row(xs):
    best, total = [], 0
    for k in range(3):
        cur = []
        for v in xs:
            if v > k:
                cur.append(v)
            else:
                if len(cur) > len(best):
                    best = cur
                cur = []
        total += len(best)
        best = [k] if total > 9 else best
    return best, total


SAMPLES = [
    ([1, 1, 2, 2, 2, 3, 1],), ([5],), ([0, 0, 0],), ([0, 1, 0, 3, 0, 0, 4],), ([9, 8, 7],), ([3, 4, 3, 1, 3, 3, 2],),
    ([1, 2, -1, 3, 4, -2, 1],), ([-1, -1, -1],), ([1, 2, 3, 1, 2, 3, 4, 0, 0, 5, 6, 0],),
]

PROGRAMS = [
    ([
        longest_run, longest_run_so_far, longest_increasing_run, longest_increasing_run_at_its_end,
        longest_with_distinct_elements, largest_sum, best_counts, best_record, most_members, most_keys, longest_queue,
        split, chunks, pages, groups_of_equal, positive_runs, run_lengths, records, begun_anew_where_it_was_put,
        one_of_three, blocks_between, levels, windows, run_of_each_row,
    ], SAMPLES),
]  # fmt: skip
