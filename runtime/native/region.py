"""A region of a graph at work: machine code where that comes to its end, the plan over numpy where it gives up.

    region = Region(graph)              # raises Refused
    region(array, number)               # arrays and numbers for the outputs
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.native.builtin import builtin_text
from runtime.native.compiler import Code, compile_module
from runtime.native.module import module_text

__all__ = ["Region"]


class Region:
    """`runtime.engine.called.Target`: see the module's docstring."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.text = module_text(graph) + builtin_text(graph)
        self._code: Code | None = None
        self.given_up = 0
        """How many runs the machine code did not bring to an end."""
        self._fallback = compile_plan(graph).function  # now, as settings say it now

    def prepare(self) -> Code:
        """Makes the machine code, if there is none yet."""
        if self._code is None:
            self._code = compile_module(self.text)
        return self._code

    @property
    def function(self) -> Callable[..., Any]:
        """The machine code, as a plan calls it."""
        found: Callable[..., Any] = self.prepare().call
        return found

    def again(self, *values: Any) -> tuple[Any, ...]:
        """What a plan calls where machine code has given None: what the plan over numpy makes of it, or raises."""
        self.given_up += 1
        arrays = [np.asarray(v, t.dtype.numpy) for v, t in zip(values, self.graph.inputs, strict=True)]
        made = zip(self._fallback(*arrays), self.graph.outputs, strict=True)
        return tuple([array if t.shape.dims else np.asarray(array).item() for array, t in made])

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """The results for arrays, of rank 0 for numbers."""
        given = [
            v.item() if not t.shape.dims and isinstance(v, np.ndarray | np.generic) else v
            for v, t in zip(values, self.graph.inputs, strict=True)
        ]
        made: tuple[Any, ...] | None = self.function(*given)
        return made or self.again(*given)
