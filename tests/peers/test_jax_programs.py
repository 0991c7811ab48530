"""Whole programs beside JAX: loops and branches as `lax` writes them, jacobians, hessians and products with them.

A program is written twice, here with Python's statements and there with `lax.while_loop`, `lax.cond` and `lax.scan`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import runtime
from tests.peers.jax_names import X64

assert X64

X = np.array([0.7, -1.2, 0.4])
M = np.array([[0.3, -0.5, 0.2], [0.1, 0.4, -0.7], [-0.6, 0.2, 0.5]])


def power(x: Any) -> Any:
    result = x
    for _ in runtime.range(4):
        result = runtime.sin(result) * x + result
    return runtime.reduce_sum(result)


def jax_power(x: Any) -> Any:
    return lax.scan(lambda r, _: (jnp.sin(r) * x + r, None), x, None, length=4)[0].sum()


def branches(x: Any) -> Any:
    total = runtime.reduce_sum(x) * 0
    for value in x:
        if value > 0.5:
            total += value**3
        elif value > 0:
            total += runtime.exp(value)
        else:
            total -= value * total
    return total


def jax_branches(x: Any) -> Any:
    def step(total: Any, value: Any) -> Any:
        otherwise = lambda: lax.cond(value > 0, lambda: total + jnp.exp(value), lambda: total - value * total)
        return lax.cond(value > 0.5, lambda: total + value**3, otherwise), None

    return lax.scan(step, x.sum() * 0, x)[0]


def newton(x: Any) -> Any:
    """A root, by as many steps as it takes: only forwards in JAX."""
    root = runtime.reduce_sum(x * x) + 2.0
    guess = root
    steps = 0
    while runtime.abs(guess * guess - root) > 1e-13 and steps < 50:
        guess = (guess + root / guess) / 2
        steps += 1
    return guess


def jax_newton(x: Any) -> Any:
    root = (x * x).sum() + 2.0
    unfinished = lambda s: (jnp.abs(s[0] * s[0] - root) > 1e-13) & (s[1] < 50)
    return lax.while_loop(unfinished, lambda s: ((s[0] + root / s[0]) / 2, s[1] + 1), (root, 0))[0]


def recurrent(x: Any) -> Any:
    state = runtime.zeros_like(x)
    states = []
    for i in runtime.range(5):
        state = runtime.tanh(runtime.linalg.matvec(M, state) + x * runtime.cast(i, runtime.float64))
        if runtime.reduce_sum(state) < -1.5:
            continue
        states.append(state)
    return runtime.reduce_sum(runtime.stack(states) ** 2)


def jax_recurrent(x: Any) -> Any:
    def step(state: Any, i: Any) -> Any:
        state = jnp.tanh(M @ state + x * i)
        return state, jnp.where(state.sum() < -1.5, 0.0, (state**2).sum())

    return lax.scan(step, jnp.zeros_like(x), jnp.arange(5.0))[1].sum()


def early(x: Any) -> Any:
    total = runtime.constant(0.0, runtime.float64)
    for i in runtime.range(10):
        total += runtime.reduce_prod(x) * runtime.cast(i, runtime.float64) + runtime.sin(x[0])
        if total > 2.0:
            return total * x[1]
    return total * x[2]


def jax_early(x: Any) -> Any:
    def step(carried: Any, i: Any) -> Any:
        total, done = carried
        total = jnp.where(done, total, total + x.prod() * i + jnp.sin(x[0]))
        return (total, done | (total > 2.0)), None

    total, done = lax.scan(step, (jnp.asarray(0.0), False), jnp.arange(10.0))[0]
    return jnp.where(done, total * x[1], total * x[2])


def nested(x: Any) -> Any:
    total = runtime.reduce_sum(x) * 0
    for i in runtime.range(3):
        inner = x[0]
        for j in runtime.range(i + 1):
            inner = runtime.cos(inner) * x[1] + runtime.cast(j, runtime.float64)
        total += inner * x[2]
    return total


def jax_nested(x: Any) -> Any:
    def outer(total: Any, i: Any) -> Any:
        step = lambda inner, j: (jnp.where(j <= i, jnp.cos(inner) * x[1] + j, inner), None)
        return total + lax.scan(step, x[0], jnp.arange(3.0))[0] * x[2], None

    return lax.scan(outer, x.sum() * 0, jnp.arange(3.0))[0]


def solved(x: Any) -> Any:
    matrix = M + 3 * runtime.eye(3, dtype=runtime.float64) * runtime.reduce_sum(x * x)
    solution = runtime.linalg.solve(matrix, x[:, None])[:, 0]
    return runtime.math.log(runtime.linalg.det(matrix)) + runtime.reduce_logsumexp(solution)


def jax_solved(x: Any) -> Any:
    matrix = M + 3 * jnp.eye(3) * (x * x).sum()
    solution = jnp.linalg.solve(matrix, x[:, None])[:, 0]
    return jnp.log(jnp.linalg.det(matrix)) + jax.nn.logsumexp(solution)


PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "power": (power, jax_power), "branches": (branches, jax_branches), "newton": (newton, jax_newton),
    "recurrent": (recurrent, jax_recurrent), "early": (early, jax_early), "nested": (nested, jax_nested),
    "solved": (solved, jax_solved),
}  # fmt: skip
ONLY_FORWARDS = {"newton"}
"""JAX goes through a `while_loop` forwards alone."""

POINTS = (X, -X, X * 0.2, np.array([0.9, 0.8, 1.1]))

each_program = pytest.mark.parametrize("name", PROGRAMS)
each_way = pytest.mark.parametrize("way", [lambda f: f, runtime.function], ids=["eager", "staged"])


def gradient(function: Any, x: Any) -> Any:
    with runtime.GradientTape() as tape:
        tape.watch(x)
        value = function(x)
    return tape.gradient(value, x)


def hessian(function: Any, x: Any) -> Any:
    with runtime.GradientTape() as tape:
        tape.watch(x)
        slope = gradient(function, x)
    return tape.jacobian(slope, x)


def close(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=1e-9, atol=1e-11)


@each_way
@each_program
def test_values_gradients_and_hessians(name: str, way: Any) -> None:
    ours, theirs = PROGRAMS[name]
    reverse = jax.jacfwd if name in ONLY_FORWARDS else jax.jacrev
    value, slope, curve = jax.jit(theirs), jax.jit(reverse(theirs)), jax.jit(jax.jacfwd(reverse(theirs)))
    mine, inside = way(ours), way(lambda x: hessian(ours, x))
    for point in POINTS:
        x = runtime.constant(point)
        close(mine(x), value(point))
        close(gradient(mine, x), slope(point))
        close(inside(x), curve(point))


@each_program
def test_products_with_the_jacobian(name: str) -> None:
    ours, theirs = PROGRAMS[name]
    staged, along = runtime.function(ours), np.array([0.3, -2.0, 1.0])
    for point in POINTS:
        wanted = jax.jvp(theirs, (point,), (along,))[1]
        x = runtime.constant(point)
        with runtime.autodiff.ForwardAccumulator(x, runtime.constant(along)) as forward:
            value = staged(x)
        close(forward.jvp(value), wanted)


@each_way
def test_jacobians_of_vectors(way: Any) -> None:
    def ours(x: Any) -> Any:
        state = x
        for _ in runtime.range(3):
            state = runtime.tanh(runtime.linalg.matvec(M, state)) * x
        return state

    def theirs(x: Any) -> Any:
        return lax.scan(lambda s, _: (jnp.tanh(M @ s) * x, None), x, None, length=3)[0]

    def jacobian(x: Any) -> Any:
        with runtime.GradientTape() as tape:
            tape.watch(x)
            y = ours(x)
        return tape.jacobian(y, x)

    def rows(x: Any) -> Any:
        with runtime.GradientTape() as tape:
            tape.watch(x)
            y = runtime.map_fn(ours, x)
        return tape.batch_jacobian(y, x)

    close(way(jacobian)(runtime.constant(X)), jax.jacrev(theirs)(X))
    batch = np.stack(POINTS)
    close(way(rows)(runtime.constant(batch)), jax.vmap(jax.jacrev(theirs))(batch))
