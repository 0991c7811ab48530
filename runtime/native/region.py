"""A region of a graph at work: machine code where that comes to its end, the plan over numpy where it gives up.

    region = Region(graph)              # raises Refused
    region(array, number)               # arrays and numbers for the outputs
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.dtypes import resource, variant
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.native.builtin import builtin_text
from runtime.native.compiler import Code, compile_module
from runtime.native.lists import Types, as_array, as_list
from runtime.native.module import module_text
from runtime.native.rules import Refused
from runtime.native.variables import exchanged, lift
from runtime.ops.kernels.list_value import boxed, unboxed
from runtime.passes.algebra import simplify
from runtime.passes.constant_state import fix_state
from runtime.passes.cse import merge_common
from runtime.passes.fold import fold_constants
from runtime.passes.prune import drop_dead
from runtime.passes.twins import merge_twins
from runtime.passes.versions import drop_rewrites, split_loops

__all__ = ["Region", "for_machine_code"]


def for_machine_code(graph: Graph) -> Graph:
    """The graph as machine code is made of it: with its loops in versions for what they ask again and again."""
    split = split_loops(merge_twins(graph))
    if split is graph:
        return graph
    known = merge_common(simplify(fold_constants(split)))
    made = drop_dead(fix_state(drop_rewrites(known)))
    made.functions = graph.functions
    return made


class Region:
    """`runtime.engine.called.Target`: see the module's docstring."""

    def __init__(self, graph: Graph, exact: bool = True) -> None:
        self.graph = graph
        types = Types(graph)
        for tensor in (*graph.inputs, *graph.outputs):
            if tensor.dtype is variant and types.is_sized(tensor):
                raise Refused(tensor.op, "a TensorArray is used outside of the loop, too")
        self._lifted = lift(graph, types)
        written = for_machine_code(self._lifted.graph)
        known = Types(written)
        self.text = module_text(written, known, exact) + builtin_text(written, known)
        self._lists = {i: types.of(t) for i, t in enumerate(graph.inputs) if t.dtype is variant}
        self._made = [i for i, t in enumerate(graph.outputs) if t.dtype is variant]
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
        if self._lists or self._made:
            found = functools.partial(self._with_lists, found)
        return functools.partial(self._with_variables, found) if self._lifted.handles else found

    def _with_lists(self, call: Callable[..., Any], *values: Any) -> Any:
        """A call with arrays in the place of lists."""
        given = list(values)
        for i, type_ in self._lists.items():
            if (array := as_array(given[i], type_)) is None:
                return None
            given[i] = array
        result = call(*given)
        if result is not None and self._made:
            result = tuple([as_list(v) if i in self._made else v for i, v in enumerate(result)])
        return result

    def _with_variables(self, call: Callable[..., Any], *values: Any) -> Any:
        return exchanged(call, self._lifted, values, len(self.graph.outputs))

    def again(self, *values: Any) -> tuple[Any, ...]:
        """What a plan calls where machine code has given None: what the plan over numpy makes of it, or raises."""
        self.given_up += 1
        arrays = [
            v if t.dtype is resource else boxed(v) if t.dtype is variant else np.asarray(v, t.dtype.numpy)
            for v, t in zip(values, self.graph.inputs, strict=True)
        ]
        made = zip(self._fallback(*arrays), self.graph.outputs, strict=True)
        return tuple([
            unboxed(array) if t.dtype is variant else array if t.shape.dims else np.asarray(array).item()
            for array, t in made
        ])  # fmt: skip

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """The results for arrays, of rank 0 for numbers."""
        given = [
            v.item() if not t.shape.dims and isinstance(v, np.ndarray | np.generic) else v
            for v, t in zip(values, self.graph.inputs, strict=True)
        ]
        made: tuple[Any, ...] | None = self.function(*given)
        return made or self.again(*given)
