"""Programs that leave arrays in attributes, elements and keys, for `test_arrays_left_in_places`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["PROGRAMS", "Places"]


class Places:
    def __init__(self) -> None:
        self.u, self.v = np.arange(5.0), np.ones(5)
        self.w: Any = None
        self.z: Any = None
        self.best: Any = None
        self.pages = [np.zeros(3), np.ones(3)]
        self.table = {"a": np.zeros(3), "b": np.ones(3)}
        self.t: Any = (np.zeros(2), np.ones(2))
        self.hist: list[Any] = []
        self.grid = np.arange(6.0).reshape(2, 3)  # a view of an array that has no name


def old_name(s: Places, dt: Any, x: Any) -> Any:
    old = s.u
    s.u = s.u + dt
    s.w = old
    return s.u.sum()


def inplace_after(s: Places, dt: Any, x: Any) -> Any:
    old = s.u
    s.u += dt
    return old.sum()


def rebind_then_inplace(s: Places, dt: Any, x: Any) -> Any:
    s.u = s.u * 1.5
    old = s.u
    s.u += dt
    s.u[0] = 7
    return old.sum()


def twice(s: Places, dt: Any, x: Any) -> Any:
    s.u = s.v = np.zeros(5)
    s.u[0] = dt
    return s.v.sum()


def two_new_same(s: Places, dt: Any, x: Any) -> Any:
    y = s.u * dt
    s.u = y
    s.v = y
    s.v[1] += 1
    return s.u.sum()


def keep_arg(s: Places, dt: Any, x: Any) -> Any:
    s.w = x
    return (x * dt).sum()


def keep_arg_write(s: Places, dt: Any, x: Any) -> Any:
    s.w = x
    s.w[0] += dt
    return x.sum()


def prev_arg(s: Places, dt: Any, x: Any) -> Any:
    r = dt * 1.0
    if s.w is not None:
        r = (x - s.w).sum()
    s.w = x
    return r


def arg_view(s: Places, dt: Any, x: Any) -> Any:
    s.w = x[1:]
    s.w[0] = dt
    return x.sum()


def view(s: Places, dt: Any, x: Any) -> Any:
    s.v[1:] = dt
    s.w = s.v[1:]
    return s.w.sum()


def view_of_new(s: Places, dt: Any, x: Any) -> Any:
    s.u = s.u * dt
    s.w = s.u[1:3]
    s.w[0] = 3
    return s.u.sum()


def transposed(s: Places, dt: Any, x: Any) -> Any:
    s.w = (np.outer(s.u, s.v) * dt).T
    s.u = s.w[0]
    return s.w.sum()


def reshaped(s: Places, dt: Any, x: Any) -> Any:
    s.w = (s.u[:4] * dt).reshape(2, 2)
    s.u = s.u + 1
    return s.w.sum()


def double(s: Places, dt: Any, x: Any) -> Any:
    s.v[1:-1] = s.u[1:-1] + dt * (s.u[2:] - 2 * s.u[1:-1] + s.u[:-2])
    s.u, s.v = s.v, s.u
    return s.u.sum()


def delay(s: Places, dt: Any, x: Any) -> Any:
    s.z = s.w
    s.w = s.v
    s.v = s.u
    s.u = s.u * dt + 1
    return s.u.sum()


def chosen(s: Places, dt: Any, x: Any) -> Any:
    s.u = s.u + dt
    if s.u.sum() < 14:
        s.best = s.u
    return s.u.sum()


def chosen_copy(s: Places, dt: Any, x: Any) -> Any:
    s.u += dt
    if s.u.sum() < 14:
        s.best = s.u.copy()
    return s.u.sum()


def hist(s: Places, dt: Any, x: Any) -> Any:
    s.u = s.u * dt
    s.hist.append(s.u)
    return s.u.sum()


def hist_copy(s: Places, dt: Any, x: Any) -> Any:
    s.u *= dt
    s.hist.append(s.u.copy())
    return s.u.sum()


def hist_same(s: Places, dt: Any, x: Any) -> Any:
    s.u += dt
    s.hist.append(s.u)
    return s.u.sum()


def pages(s: Places, dt: Any, x: Any) -> Any:
    s.pages[0], s.pages[1] = s.pages[1] * dt, s.pages[0] + 1
    return s.pages[0].sum()


def pages2(s: Places, dt: Any, x: Any) -> Any:
    s.pages[0] = s.pages[1]
    s.pages[1] = s.pages[1] * dt
    s.pages[0][0] += 1
    return s.pages[0].sum()


def newpages(s: Places, dt: Any, x: Any) -> Any:
    s.pages = [p * dt + 1 for p in s.pages]
    return s.pages[0].sum()


def newpages_alias(s: Places, dt: Any, x: Any) -> Any:
    p = s.pages[1] * dt
    s.pages = [p, p]
    s.pages[0][0] += 1
    return s.pages[1].sum()


def table(s: Places, dt: Any, x: Any) -> Any:
    for k in s.table:
        s.table[k] = s.table[k] * dt + 1
    return s.table["a"].sum()


def table2(s: Places, dt: Any, x: Any) -> Any:
    s.table["a"], s.table["b"] = s.table["b"], s.table["a"] * dt
    s.table["a"] += 1
    return s.table["a"].sum()


def newtable(s: Places, dt: Any, x: Any) -> Any:
    s.table = {k: v * dt + 1 for k, v in s.table.items()}
    return s.table["a"].sum()


def tup(s: Places, dt: Any, x: Any) -> Any:
    a, b = s.t
    s.t = (b, a * dt + 1)
    return s.t[0].sum()


def tup2(s: Places, dt: Any, x: Any) -> Any:
    a, b = s.t
    a += dt
    s.t = (b, a)
    return s.t[0].sum()


def tup3(s: Places, dt: Any, x: Any) -> Any:
    s.t = (s.u, s.v)
    s.u = s.u + dt
    s.t[0][0] += 1
    return s.u.sum()


def loop(s: Places, dt: Any, x: Any) -> Any:
    for i in range(3):
        old = s.u
        s.u = s.u * 0.5 + dt
        s.w = old
    return s.u.sum()


def wloop(s: Places, dt: Any, x: Any) -> Any:
    k = 0
    while s.u.sum() > 3 and k < 5:
        s.u = s.u * 0.5
        k += 1
    s.u += dt
    return s.u.sum()


def ifelse(s: Places, dt: Any, x: Any) -> Any:
    if x.sum() > dt * 4:
        s.u = s.u + x
    else:
        s.u -= x
    return s.u.sum()


def swap_rows(s: Places, dt: Any, x: Any) -> Any:
    if s.w is None:
        s.w = np.arange(6.0).reshape(2, 3) * (x[0] + 1)
    s.z = s.w[0]
    s.w = s.w * dt
    return s.z.sum()


def ints(s: Places, dt: Any, x: Any) -> Any:
    s.w = s.u > dt
    s.z = s.u.astype(int)
    s.u = np.where(s.w, s.u - 1, s.u + 2)
    return s.u.sum()


def grad(s: Places, dt: Any, x: Any) -> Any:
    s.w = x
    g = 2 * (s.u * x - 1) * x
    s.u = s.u - dt * g
    return (s.u * s.w).sum()


def ret_state(s: Places, dt: Any, x: Any) -> Any:
    s.u = s.u + dt
    return s.u


def view_of_nameless_memory(s: Places, dt: Any, x: Any) -> Any:
    s.w = s.grid.T[2]
    s.z = np.rot90(s.grid)[1]
    return s.w.sum()


def view_of_written_nameless_memory(s: Places, dt: Any, x: Any) -> Any:
    s.grid[1, 2] += dt
    s.w = s.grid[:, 1:].T[1]
    return s.w.sum()


def view_of_another_length(s: Places, dt: Any, x: Any) -> Any:
    s.v = s.u[1:]
    return s.u.sum() * dt


def new_key_in_a_loop(s: Places, dt: Any, x: Any) -> Any:
    i = 0.0
    while i < dt:
        s.table["c"] = s.u
        i += 0.5
    s.u[0] += dt
    return s.table["c"].sum()


def one_of_two_in_a_new_key(s: Places, dt: Any, x: Any) -> Any:
    if dt > 0.6:
        s.table["c"] = s.u
    else:
        s.table["c"] = s.v
    s.u[0] += dt
    return s.table["c"].sum()


def none_in_a_loop(s: Places, dt: Any, x: Any) -> Any:
    i = 0.0
    while i < dt:
        s.w = s.v
        i += 0.5
    s.v[0] += dt
    return s.w.sum()


def tup_on_one_way(s: Places, dt: Any, x: Any) -> Any:
    s.t = s.u, s.v
    if dt > 0.6:
        s.t = s.v, s.u * 2
    s.v[0] += dt
    return s.t[0].sum()


PROGRAMS: list[Callable[[Places, Any, Any], Any]] = [
    old_name, inplace_after, rebind_then_inplace, twice, two_new_same, keep_arg, keep_arg_write, prev_arg, arg_view,
    view, view_of_new, transposed, reshaped, double, delay, chosen, chosen_copy, hist, hist_copy, hist_same, pages,
    pages2, newpages, newpages_alias, table, table2, newtable, tup, tup2, tup3, loop, wloop, ifelse, swap_rows, ints,
    grad, ret_state, view_of_nameless_memory, view_of_written_nameless_memory, view_of_another_length,
    new_key_in_a_loop, one_of_two_in_a_new_key, none_in_a_loop, tup_on_one_way,
]  # fmt: skip
