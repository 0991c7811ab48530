"""Traces, saved models, and Functions that have no name, as pickles: by their graphs, as saved models are.

    pickle.dumps(step.get_concrete_function(spec))        # the graph, and the values of its Variables
    pickle.dumps(saved_model.load("models/1"))

Who loads one needs this package, but not the program's code. As in a file, Variables come as they are now, and belong
to what was loaded: two pickles share none.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from runtime.function.concrete import ConcreteFunction
from runtime.function.function import Function
from runtime.ndarrays.captured import ArrayMemory
from runtime.ops.records.record import Array
from runtime.saved_model.functions import current_traces
from runtime.saved_model.loading import FORMAT, VERSION, read_model
from runtime.saved_model.objects import Tree
from runtime.saved_model.saving import arrays_of
from runtime.saved_model.values import NotSavable
from runtime.state.scopes import init_scope

__all__ = ["by_graph", "unpickled"]

Reduced = tuple[Callable[..., Any], tuple[Any, ...]]


@dataclass(frozen=True)
class Held:
    """The arrays of a model in memory, in the place of a file of them."""

    entries: Mapping[str, Array]
    path: str = "a pickle"
    metadata: Mapping[str, str] = field(default_factory=lambda: {"format": FORMAT, "version": VERSION})

    def array(self, name: str) -> Array:
        """A new array."""
        return self.entries[name].copy()


def by_graph(value: Any) -> Reduced:
    """What `__reduce__` gives of a Function, a trace, or an object of a saved model. Raises PicklingError."""
    traces = _traces(value)
    if isinstance(value, Function) and not traces:
        raise pickle.PicklingError(
            f"the Function {value._name!r} cannot be pickled: no name of a module leads to it, so its graphs are, and"
            " it has none; call it once before, or define it at the top of a module"
        )
    memories = [memory for trace in traces for memory in trace.captured_inputs]
    held = [m.array for m in memories if isinstance(m, ArrayMemory)], [v for trace in traces for v in trace.variables]
    tree = Tree([value, list(held)])
    tree.collect()
    try:
        tree.describe()
    except NotSavable as problem:
        raise pickle.PicklingError(f"{_named(value)} cannot be pickled by its graph: {problem}") from None
    return unpickled, (arrays_of(tree, {}),)


def unpickled(arrays: Mapping[str, Array]) -> Any:
    """What was pickled, from the arrays that describe it. Raises FileFormatError for others."""
    with init_scope():
        return read_model(Held(arrays), True)[0][0]


def _traces(value: Any) -> list[ConcreteFunction]:
    if isinstance(value, ConcreteFunction):
        return [value]
    return current_traces(value) if isinstance(value, Function) else []


def _named(value: Any) -> str:
    return value.header if isinstance(value, ConcreteFunction) else repr(value)
