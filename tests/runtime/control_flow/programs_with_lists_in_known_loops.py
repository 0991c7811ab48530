"""Programs in which lists get longer in loops over what Python knows."""

from __future__ import annotations

import itertools

import numpy as np


def step(y):
    return y - y * y * 0.01


def trajectory(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.append(y)
    return ys


def looked_at(y):
    ys = [y]
    for i in range(100):
        y = step(y)
        ys.append((ys[-1] + y) / 2)
    first, second, *others = ys
    return first, second, others[::25], len(ys) * y, sum(ys), ys[-1], ys[2:4]


def two_lists(y):
    ts, ys, t = [], [], 0.0
    for i in range(100):
        y = step(y)
        t += 0.1
        ys.append(y)
        ts.append(t)
    return np.array(ts), np.array(ys)


def every_tenth(y):
    ys, zs = [], []
    for i in range(100):
        y = step(y)
        if i % 10 == 0:
            ys.append(y)
        elif i > 50:
            zs.append(y * i)
    return np.array(ys), zs, len(ys) * y, len(zs) * y


def flat_nest(y):
    ys = []
    for i in range(20):
        for j in range(20):
            y = step(y)
            ys.append(y * j)
    return ys[7], len(ys) * y, np.array(ys)


def table(y):
    rows = []
    for i in range(20):
        row = []
        for j in range(20):
            y = step(y)
            row.append(y * j)
        rows.append(row)
    return np.array(rows), len(rows[3]) * y


def pairs(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.append((i, [y, y * 2]))
    return [inner[1] for _, inner in ys[:3]], ys[5][0] * y


def several_at_once(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.extend([y, 2 * y])
        ys += [3 * y]
    return ys[::50], len(ys) * y


def gone_through(y):
    ys, total = [], 0
    for i in range(100):
        y = step(y)
        ys.append(y)
    for number, value in enumerate(ys):
        total = total + value * number
    return total, list(itertools.accumulate(ys))[-1]


def under_two_names(y):
    ys = []
    same = ys
    for i in range(100):
        y = step(y)
        ys.append(y)
    same.append(y)
    return len(ys) * y, ys[-1], float(same is ys) * y


class History:
    def __init__(self):
        self.states = []

    def add(self, state):
        self.states.append(state)


def in_an_object(y):
    history, named = History(), {"y": []}
    for i in range(100):
        y = step(y)
        history.add(y)
        named["y"].append(y + 1)
    return history.states, named["y"][::30], len(history.states) * y


def changed_behind(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.append(y)
    ys.reverse()
    ys.pop()
    ys.insert(0, y)
    ys[1] = ys[1] + 1
    return ys


def one_loop_after_the_other(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.append(y)
    here = len(ys)
    for i in range(120):
        y = step(y)
        ys.append(-y)
    return ys[here], ys[-1], len(ys) * y


def snapshots(y):
    u, us, firsts = np.zeros(4), [], []
    for k in range(100):
        u[k % 4] += np.sum(y)
        us.append(u.copy())
        firsts.append(u[0])
    return np.array(us), np.array(firsts), us[10]


def in_both_branches(y):
    ys = []
    if np.sum(y) > 0:
        for i in range(100):
            y = step(y)
            ys.append(y)
    else:
        for i in range(100):
            ys.append(-y)
    return ys


STAGED = [
    trajectory, looked_at, two_lists, every_tenth, flat_nest, table, pairs, several_at_once, gone_through,
    under_two_names, in_an_object, changed_behind, one_loop_after_the_other, snapshots, in_both_branches,
]  # fmt: skip


def numbers_beside(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.append(y)
        ys.append(1.5)
    return ys[::2], ys[1] + y


def other_first_element(y):
    ys = [None]
    for i in range(100):
        y = step(y)
        ys.append(y)
    return ys[1:], 1.0 * (ys[0] is None) + y


def window(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.append(y)
        if len(ys) > 5:
            ys.pop(0)
    return ys


def left_early(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.append(y)
        if i == 90:
            break
    return ys


def left_after_a_write(y):
    w, sums = np.zeros(3), []
    for i in range(100):
        w[i % 3] += y[0]
        sums.append(w[0] + w[1])
        if sums[-1] > 3.0:
            break
    return w, np.array(sums)


def whole_numbers_that_grow(y):
    numbers = [0, 1]
    for i in range(100):
        y = step(y)
        numbers.append(numbers[-1] + numbers[-2])
    return y * (numbers[-1] % 1000)


def whole_numbers_behind_it(y):
    squares, product = [], 1
    for i in range(100):
        y = step(y)
        squares.append(i * i)
    for i in range(20):
        product = product * squares[99]
    return y * (product % 1000)


def one_array_in_all_places(y):
    y, ys = y * 1.0, []
    for i in range(100):
        y += 0.5
        ys.append(y)
    return ys[0], ys[-1]


def written_to_behind(y):
    y, ys = y * 1.0, []
    for i in range(100):
        y = y * 0.9
        ys.append(y)
    y[0] = 7.0
    ys[0][1] = 3.0
    return ys, y


def views(y):
    u, us = np.zeros(4), []
    for k in range(100):
        u[k % 4] += np.sum(y)
        us.append(u[:2])
    return np.array(us)


def rows_in_place(y):
    rows = []
    for i in range(100):
        rows.append([])
        for j in range(3):
            rows[i].append(y * j)
    return rows


def unknown_shapes(y):
    ys = []
    for i in range(100):
        y = step(y)
        ys.append(y[: i % 3])
    return ys


UNROLLED = [
    numbers_beside, other_first_element, window, left_early, left_after_a_write, whole_numbers_that_grow,
    whole_numbers_behind_it, one_array_in_all_places, written_to_behind, views, rows_in_place, unknown_shapes,
]  # fmt: skip
"""Where the elements, or how many they are, would not be what they are in Python."""
