"""Loops over scalars: with numba, which takes the same text, and in JAX's own words for loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.beside.work import Action, Target, Work, ours, written
from benchmarks.loops import PROGRAMS, primes_below

__all__ = ["GRADIENT_TURNS", "WORKS"]

SCALARS = "loops over scalars"
GRADIENT_TURNS = 100_000


def _numbas(program: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[[], Action]:
    def make() -> Action:
        import numba

        return written(numba.njit(program), arguments)

    return make


def _jaxs(program: Callable[..., Any], arguments: tuple[Any, ...]) -> dict[str, Callable[[], Action]]:
    def make() -> Action:
        import jax

        from benchmarks.beside import loops_in_jax

        run = jax.jit(getattr(loops_in_jax, program.__name__))
        given = [a if isinstance(a, int) else jax.numpy.asarray(a) for a in arguments]
        return lambda: lambda: jax.block_until_ready(run(*given))

    return {} if program is primes_below else {"jax": make}  # XLA copies the sieve in each turn: hours


def _gradient_of_ours() -> Action:
    import runtime

    def program(x: Any, n: Any) -> Any:
        y = x
        for _ in range(n):
            y = y * 0.999 + x * x / (1.0 + y * y)
        return y

    @runtime.function(jit_compile=True)
    def slope(x: Any, n: Any) -> Any:
        with runtime.GradientTape() as tape:
            tape.watch(x)
            y = program(x, n)
        return tape.gradient(y, x)

    return written(slope, (runtime.constant(0.7, runtime.float64), runtime.constant(GRADIENT_TURNS, runtime.int64)))


def _gradient_of_jax(is_compiled: bool) -> Action:
    import jax

    def program(x: Any) -> Any:
        return jax.lax.scan(lambda y, _: (y * 0.999 + x * x / (1.0 + y * y), None), x, None, GRADIENT_TURNS)[0]

    run = jax.jit(jax.grad(program)) if is_compiled else jax.grad(program)
    return lambda: lambda: jax.block_until_ready(run(0.7))


WORKS = [
    Work(
        program.__name__,
        {"runtime": ours(program, arguments), "numba": _numbas(program, arguments), **_jaxs(program, arguments)},
        (Target(("numba",), 0.9),), group=SCALARS,
    )
    for program, arguments in PROGRAMS
] + [
    Work(
        f"the gradient through a loop over scalars of {GRADIENT_TURNS:,} turns",
        {"runtime": _gradient_of_ours, "jax": lambda: _gradient_of_jax(False)}, (Target(("jax",), 20.0),),
    ),
    Work(
        "the same gradient, beside jax.jit of jax.grad",
        {"runtime": _gradient_of_ours, "jax": lambda: _gradient_of_jax(True)}, (Target(("jax",), 1.0),),
    ),
]  # fmt: skip
