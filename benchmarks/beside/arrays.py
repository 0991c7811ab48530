"""Operations on whole arrays: one text for numpy, for JAX, and for Functions of the runtime, which take ndarrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.beside.work import Action, Target, Work, called

__all__ = ["WORKS"]


def plus_one(xp: Any) -> Callable[..., Any]:
    return lambda x: x + 1


def ten_cheap(xp: Any) -> Callable[..., Any]:
    def run(x: Any, y: Any) -> Any:
        z = x * 2.0 + y
        z = z * z - x
        z = xp.abs(z) * y + x
        return ((z - y) * 0.5 + 1.0) * x

    return run


def exponentials(xp: Any) -> Callable[..., Any]:
    def run(x: Any) -> Any:
        return xp.tanh(xp.exp(-x * x) * 0.5 + x)

    return run


def hundred_small(xp: Any) -> Callable[..., Any]:
    def run(x: Any, y: Any) -> Any:
        for _ in range(25):
            x = x * 0.5 + y
            y = xp.maximum(y - x * 0.25, x)
        return x, y

    return run


def squares(xp: Any) -> Callable[..., Any]:
    return lambda x, y: xp.mean((x - y) ** 2)


def spread(xp: Any) -> Callable[..., Any]:
    return lambda x: xp.var(x)


def softmax(xp: Any) -> Callable[..., Any]:
    def run(x: Any) -> Any:
        e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
        return e / xp.sum(e, axis=-1, keepdims=True)

    return run


Program = Callable[[Any], Callable[..., Any]]


def _given(shapes: tuple[Any, ...]) -> list[Any]:
    drawn = np.random.default_rng(0)
    return [drawn.normal(size=shape) for shape in shapes]


def _work(name: str, program: Program, shapes: tuple[Any, ...], targets: tuple[Target, ...] = (), **more: Any) -> Work:
    def ours() -> Action:
        import runtime

        return called(runtime.function(program(np), jit_compile=True), _given(shapes))

    def numpys() -> Action:
        return called(program(np), _given(shapes))

    def jaxs() -> Action:
        import jax

        run = jax.jit(program(jax.numpy))
        return called(lambda *given: jax.block_until_ready(run(*given)), [jax.numpy.asarray(a) for a in _given(shapes)])

    return Work(name, {"runtime": ours, "numpy": numpys, "jax": jaxs, **more}, targets)


def _ten_cheap_by_numba() -> Action:
    import numba

    @numba.njit(parallel=True)
    def run(x: Any, y: Any) -> Any:
        result = np.empty_like(x)
        for i in numba.prange(len(x)):
            z = x[i] * 2.0 + y[i]
            z = z * z - x[i]
            z = np.abs(z) * y[i] + x[i]
            result[i] = ((z - y[i]) * 0.5 + 1.0) * x[i]
        return result

    return called(run, _given((10_000_000, 10_000_000)))


def _special(name: str) -> Work:
    """A function of float32 numbers, which the runtime and TensorFlow have by the same name."""

    def by(library: str) -> Callable[[], Action]:
        def make() -> Action:
            import importlib

            module = importlib.import_module(library)
            function = module.nn.gelu if name == "gelu" else getattr(module.math, name)
            given = module.constant(np.random.default_rng(0).uniform(0.1, 5, 1_000_000).astype(np.float32))
            return called(module.function(lambda x: function(x), jit_compile=library == "runtime"), [given])

        return make

    libraries = {library: by(library) for library in ("runtime", "tensorflow")}
    return Work(f"{name} of 1M float32", libraries, (Target(("tensorflow",), 1.0),))


JAX, NUMPY = ("jax",), ("numpy",)
WORKS = [
    _work("x + 1 on [2, 2]", plus_one, ((2, 2),), (Target(NUMPY, 1.0),)),
    _work("100 operations on 4 float64", hundred_small, (4, 4), (Target(JAX, 8.0), Target(NUMPY, 15.0))),
    _work("10 cheap operations on 10M float64", ten_cheap, (10_000_000, 10_000_000),
          (Target(JAX, 3.0), Target(("numba",), 1.2)), numba=_ten_cheap_by_numba),
    _work("10 cheap operations on 10,000 float64", ten_cheap, (10_000, 10_000), (Target(JAX, 1.0),)),
    _work("exp and tanh of 1M float64", exponentials, (1_000_000,), (Target(JAX, 1.0),)),
    _work("mean squared difference of 1M float64", squares, (1_000_000, 1_000_000), (Target(JAX, 1.0),)),
    _work("variance of 1M float64", spread, (1_000_000,), (Target(JAX, 1.0),)),
    _work("softmax of 1M float64", softmax, (1_000_000,), (Target(JAX, 1.0),)),
    _work("softmax of rows of 100,000 x 32", softmax, ((100_000, 32),), (Target(JAX, 1.0),)),
    *map(_special, ("erf", "lgamma", "digamma", "gelu")),
]  # fmt: skip
