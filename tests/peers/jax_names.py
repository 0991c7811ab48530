"""The few names of `tf` that random programs use, by JAX: what such a program means when JAX runs it.

    tf = JaxNames()
    jax.grad(lambda x: tf.reduce_sum(tf.sin(x)))(numpy.ones(3))

Values are concrete under `jax.grad`, so loops and branches are Python's own, and JAX sees a straight line.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["NAMES", "X64"]

jax.config.update("jax_enable_x64", True)
X64 = True
"""That this module has told JAX to keep float64."""


def _number(value: Any) -> Any:
    return value if isinstance(value, int) else int(value)


NAMES = SimpleNamespace(
    math=SimpleNamespace(log=jnp.log),
    float64=jnp.float64,
    cast=lambda x, dtype: jnp.asarray(x, dtype),
    constant=lambda x, dtype=None: x if dtype is None else jnp.asarray(x, dtype),
    cos=jnp.cos,
    exp=jnp.exp,
    maximum=jnp.maximum,
    range=lambda n: range(_number(n)),
    reduce_mean=jnp.mean,
    reduce_sum=jnp.sum,
    reverse=jnp.flip,
    sigmoid=jax.nn.sigmoid,
    sin=jnp.sin,
    sqrt=jnp.sqrt,
    stack=jnp.stack,
    tanh=jnp.tanh,
    where=jnp.where,
)
