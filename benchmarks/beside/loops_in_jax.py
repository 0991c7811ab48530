"""The programs of benchmarks/loops.py, but the sieve, in JAX's words: the same loops over scalars and elements."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax.lax import fori_loop, while_loop


def longest_collatz(n: Any) -> Any:
    def steps_of(i: Any) -> Any:
        def turn(state: Any) -> Any:
            k, steps = state
            return jnp.where(k % 2 == 0, k // 2, 3 * k + 1), steps + 1

        return while_loop(lambda state: state[0] != 1, turn, (i, 0))[1]

    return fori_loop(1, n, lambda i, most: jnp.maximum(most, steps_of(i)), 0)


def sum_with_if(n: Any) -> Any:
    return fori_loop(0, n, lambda i, total: total + jnp.where((i % 3 == 0) | (i % 5 == 0), i, 0), 0)


def fizz_buzz(n: Any) -> Any:
    def turn(i: Any, counts: Any) -> Any:
        fizz, buzz, both = counts
        by_15, by_5, by_3 = i % 15 == 0, i % 5 == 0, i % 3 == 0
        return fizz + (by_3 & ~by_5), buzz + (by_5 & ~by_15), both + by_15

    fizz, buzz, both = fori_loop(0, n, turn, (0, 0, 0))
    return fizz * 1_000_000 + buzz * 1_000 + both


def newton_roots(n: Any) -> Any:
    def root(i: Any) -> Any:
        return fori_loop(0, 80, lambda _, x: 0.5 * (x + i / x), 1.0 * i)

    return fori_loop(1, n, lambda i, total: total + root(i), 0.0)


def mandelbrot(n: Any, most: Any) -> Any:
    def turns_at(i: Any, j: Any) -> Any:
        re, im = -2.0 + 2.5 * i / n, -1.25 + 2.5 * j / n

        def turn(state: Any) -> Any:
            x, y, turns = state
            return x * x - y * y + re, 2.0 * x * y + im, turns + 1

        def inside(state: Any) -> Any:
            x, y, turns = state
            return (turns < most) & (x * x + y * y <= 4.0)

        return while_loop(inside, turn, (0.0, 0.0, 0))[2]

    def row(i: Any, total: Any) -> Any:
        return fori_loop(0, n, lambda j, total: total + turns_at(i, j), total)

    return fori_loop(0, n, row, 0)


def edit_distance(a: Any, b: Any) -> Any:
    table = jnp.zeros((len(a) + 1, len(b) + 1), int)
    table = table.at[:, 0].set(jnp.arange(len(a) + 1)).at[0].set(jnp.arange(len(b) + 1))

    def row(i: Any, table: Any) -> Any:
        def column(j: Any, table: Any) -> Any:
            changed = table[i - 1, j - 1] + (a[i - 1] != b[j - 1])
            return table.at[i, j].set(jnp.minimum(changed, jnp.minimum(table[i - 1, j], table[i, j - 1]) + 1))

        return fori_loop(1, len(b) + 1, column, table)

    return fori_loop(1, len(a) + 1, row, table)[len(a), len(b)]


def floyd_warshall(d: Any) -> Any:
    n = d.shape[0]

    def over(body: Any) -> Any:
        return lambda index, d: fori_loop(0, n, lambda inner, d: body(*index, inner, d), d)

    def turn(k: Any, i: Any, j: Any, d: Any) -> Any:
        return d.at[i, j].set(jnp.minimum(d[i, j], d[i, k] + d[k, j]))

    def middle(k: Any, i: Any, d: Any) -> Any:
        return over(turn)((k, i), d)

    return fori_loop(0, n, lambda k, d: over(middle)((k,), d), d)


def bodies(x: Any, v: Any, m: Any, steps: Any) -> Any:
    n = x.shape[0]

    def force(i: Any, x: Any) -> Any:
        def add(j: Any, f: Any) -> Any:
            fx, fy = f
            dx, dy = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1]
            square = dx * dx + dy * dy + 0.01
            weight = jnp.where(i != j, m[j] / (square * jnp.sqrt(square)), 0.0)
            return fx + weight * dx, fy + weight * dy

        return fori_loop(0, n, add, (0.0, 0.0))

    def step(_: Any, state: Any) -> Any:
        x, v = state

        def push(i: Any, v: Any) -> Any:
            fx, fy = force(i, x)
            return v.at[i, 0].add(0.001 * fx).at[i, 1].add(0.001 * fy)

        v = fori_loop(0, n, push, v)
        return fori_loop(0, n, lambda i, x: x.at[i].add(0.001 * v[i]), x), v

    return fori_loop(0, steps, step, (x, v))[0]
