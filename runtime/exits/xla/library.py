"""The library of the extra `jax`, imported when it is first used, so that the tables of rules can be read without it.

    jnp.exp(x)                      # jax.numpy.exp
    with wide(): ...                # integers and floats of 64 bits, for as long as the block runs

JAX makes 32 bits of every number by default, which would be silently wrong here. Its switch for that is global; `wide`
turns it for a block and this thread alone, so a program that uses JAX for itself keeps its own setting.
"""

from __future__ import annotations

import contextlib
from typing import Any, Final

from runtime.extras import extra

__all__ = ["jax", "jax_library", "jnp", "lax", "wide"]


def jax_library(name: str = "jax") -> Any:
    """The library `jax`, or a module of it. Raises ImportError, which names the extra."""
    return extra(name, "jax", "programs of XLA need")


class _Late:
    """A module of JAX: its names, once they are asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(jax_library(self._name), name)
        setattr(self, name, found)
        return found


jax: Final[Any] = _Late("jax")
jnp: Final[Any] = _Late("jax.numpy")
lax: Final[Any] = _Late("jax.lax")


def wide() -> contextlib.AbstractContextManager[Any]:
    """The block in which JAX has 64 bits."""
    library = jax_library()
    if hasattr(library, "enable_x64"):
        made: contextlib.AbstractContextManager[Any] = library.enable_x64(True)
    else:
        made = jax_library("jax.experimental").enable_x64()
    return made
