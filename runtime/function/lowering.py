"""`Function.lower`: what a call would run, as text and as objects, without running it.

lowered = step.lower(runtime.TensorSpec([None], runtime.float32))
print(lowered.as_text())               # the graph as it was traced
print(lowered.as_text("plan"))         # the Python code over numpy
print(lowered.as_text("native"))       # with its loops as machine code
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from runtime.backends import compile_graph
from runtime.errors import NotCompiledError
from runtime.function.concrete import ConcreteFunction
from runtime.graph.graph import Graph

__all__ = ["Lowered"]


@dataclass(frozen=True, slots=True)
class Lowered:
    """The stages of one trace."""

    concrete_function: ConcreteFunction

    @property
    def graph(self) -> Graph:
        """The graph as it was traced."""
        return self.concrete_function.graph

    @property
    def optimized_graph(self) -> Graph:
        """The graph after all passes."""
        return self.concrete_function.optimized_graph

    def as_text(self, stage: str = "graph") -> str:
        """The text of a stage: "graph", "optimized", "plan", or "native", where loops are LLVM's
        assembly. The first two parse back (`Graph.from_text`)."""
        if stage not in _STAGES:
            raise ValueError(f"there is no stage {stage!r} to show; stages are {', '.join(map(repr, _STAGES))}")
        return _STAGES[stage](self)

    def compile(self) -> ConcreteFunction:
        """The trace, with its plan made: what a call runs."""
        _ = self.concrete_function.plan
        return self.concrete_function

    def __str__(self) -> str:
        return self.as_text()


def _native_text(lowered: Lowered) -> str:
    """What runs under jit_compile=True, if it does; else what would run with machine code, and what would not."""
    concrete = lowered.concrete_function
    if concrete.whole:
        with contextlib.suppress(NotCompiledError):
            return concrete.plan.source
    return compile_graph(lowered.optimized_graph, "native").source


_STAGES: Final[dict[str, Callable[[Lowered], str]]] = {
    "graph": lambda lowered: lowered.graph.as_text(),
    "optimized": lambda lowered: lowered.optimized_graph.as_text(),
    "plan": lambda lowered: lowered.concrete_function.plan.source,
    "native": _native_text,
}
