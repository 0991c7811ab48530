"""A graph as one function of arrays, which JAX traces: the inputs in their order, then what the Variables are.

    program = Program(graph, memories, guarded=True)
    with jax_settings():
        outputs, variables, failed = jax.jit(program)(arrays, values)
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.dtypes import resource
from runtime.exits.variables import written
from runtime.exits.xla.library import jax, jnp, wide
from runtime.exits.xla.lowering import Lowering
from runtime.exits.xla.values import Handle, register
from runtime.graph.graph import Graph

__all__ = ["Program", "jax_settings"]


_register = functools.cache(lambda: register(jax))


@contextlib.contextmanager
def jax_settings() -> Iterator[None]:
    """The block in which graphs are traced and run: with 64 bits, and products as exact as the dtype."""
    _register()
    with wide(), jax.default_matmul_precision("highest"):
        yield


class Program:
    """See the module's docstring."""

    def __init__(self, graph: Graph, guarded: bool = False, dropped: bool = False) -> None:
        self.graph, self.guarded, self.dropped = graph, guarded, dropped
        self.handles = [i for i, tensor in enumerate(graph.inputs) if tensor.dtype is resource]
        """Which inputs are Variables."""
        places = written(graph, graph.functions, {})
        self.written = [i for i, place in enumerate(self.handles) if place in places]
        """Which of the Variables it writes to."""

    def __call__(self, arrays: Sequence[Any], variables: Sequence[Any]) -> tuple[list[Any], list[Any], Any]:
        """The outputs, the Variables that were written, and whether something failed. Raises Unlike, Misfit."""
        lowering = Lowering(self.graph.functions, self.guarded, self.dropped)
        rest, values = iter(arrays), []
        for place, tensor in enumerate(self.graph.inputs):
            handle = Handle(place)
            values.append(handle if tensor.dtype is resource else next(rest))
        for place, value in zip(self.handles, variables, strict=True):
            lowering.memory[Handle(place)] = value
        outputs = lowering.run(self.graph, values)
        after = [lowering.memory[Handle(self.handles[i])] for i in self.written]
        return outputs, [jnp.asarray(value) for value in after], jnp.asarray(lowering.failed)
