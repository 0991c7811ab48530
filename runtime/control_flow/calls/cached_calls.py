"""Functions that `functools.lru_cache` or `cache` wraps, called in a trace: what may be kept, and for how long.

    @functools.cache
    def weight(k): ...

    if x > 0:
        y = weight(3) * x      # traced, taken or not: the cache of `weight` must not be filled by that

Outside of staged statements a call of Python values is an effect of the trace, like any other: the cache is asked and
filled. In a branch or loop body that depends on a tensor it is not known whether the call happens. There the function
is called without its cache, and its value is kept for that branch or body alone. That is the same only for a function
that has no effects, reads nothing that changes, and returns what cannot be changed in place: others are refused. With
tensors among the arguments, which no cache can look up while tracing, the function is called in the same way.
"""

from __future__ import annotations

import enum
import functools
import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import NoneType
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from autograph.template import is_artifact
from runtime import structures as nest
from runtime.context import current_recorder, outwards
from runtime.control_flow.optional.values import MaybeNone, MaybeUndefined
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.dtypes import DType
from runtime.graph.graph import Graph
from runtime.graph.location import here
from runtime.graph.nesting import operations_within
from runtime.graph.operation import Operation
from runtime.graph.risks import may_raise
from runtime.heap.store import Holder, World
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.state import READS
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["call_cached"]

Plain = Callable[[], Any]


@dataclass(slots=True)
class _Memory:
    """What is known in one trace. values: by graph, then by the id of the wrapper and the arguments; worlds: what a
    function that was called without its cache could reach then, by the id of its wrapper, which is held, too."""

    values: dict[Graph, dict[Any, tuple[Any, Any]]] = field(default_factory=lambda: defaultdict(dict))
    worlds: dict[int, tuple[Any, World]] = field(default_factory=dict)


_MEMORIES: Final[PerTrace[_Memory]] = PerTrace(_Memory)


def call_cached(wrapper: Any, plain: Plain, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """`wrapper(*args, **kwargs)`; `plain` makes the same call without the cache."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        return wrapper(*args, **kwargs)
    memory = _MEMORIES.of(graph)
    if id(wrapper) in memory.worlds:
        _check_unchanged(wrapper, memory.worlds[id(wrapper)][1].changes(), "since it was called in a staged statement")
    parameters = wrapper.cache_parameters()
    if parameters["maxsize"] == 0:
        return plain()
    if any(isinstance(part, Tensor | MaybeNone | MaybeUndefined) for part in _parts((*args, *kwargs.values()))):
        return _without_cache(wrapper, plain, graph, (args, kwargs))
    key: Any = (id(wrapper), functools._make_key(args, dict(kwargs), parameters["typed"]))
    if graph is graph.recording.root:
        value = _with_cache(wrapper, args, kwargs)
        _remember(wrapper, memory.values[graph], key, value)
        return value
    try:
        kept = (memory.values.get(around, {}) for around in outwards(graph))
        known = next((values[key] for values in kept if key in values), None)
    except TypeError:  # the arguments cannot be hashed
        return wrapper(*args, **kwargs)
    if known is None:
        known = wrapper, _without_cache(wrapper, plain, graph, (args, kwargs))
        memory.values[graph][key] = known
    return known[1]


def _with_cache(wrapper: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    kept = _kept_by(wrapper)
    keys = set(kept)
    value = wrapper(*args, **kwargs)
    code = getattr(wrapper.__wrapped__, "__code__", None)
    made_in_the_program = code is not None and is_artifact(code)
    if not made_in_the_program and any(isinstance(part, SymbolicTensor) for part in _parts([value])):
        for key in [key for key in kept if key not in keys]:
            del kept[key]
        raise StagingError(
            f"{_described(wrapper)} and returns a tensor of this trace{here()}, which the cache would give to other"
            " traces, where it has no value. Return a NumPy array or a Python value from it, or take the cache away"
        )
    return value


def _kept_by(wrapper: Any) -> dict[Any, Any]:
    """What a cache holds, by its keys. A key may be taken away: so says the C code of `functools`, and Python has no
    other way to forget one result."""
    return next(held for held in gc.get_referents(wrapper) if type(held) is dict and held is not vars(wrapper))


def _remember(wrapper: Any, values: dict[Any, tuple[Any, Any]], key: Any, value: Any) -> None:
    """A value that the cache holds now; what it may have lost meanwhile is forgotten."""
    known = [other for other in values if other[0] == id(wrapper)]
    info = wrapper.cache_info()
    if info.currsize == info.maxsize or info.currsize < len(known):
        for other in known:
            del values[other]
    values[key] = wrapper, value


def _without_cache(wrapper: Any, plain: Plain, graph: Graph, given: tuple[Any, ...]) -> Any:
    """Calls the function. Raises StagingError if a second call with these arguments could be told from a look-up."""
    arguments = {f"argument {n} of {_name(wrapper)}": part for n, part in enumerate(given[0])} | dict(given[1])
    world = World(wrapper.__wrapped__, objects=arguments)
    for holder in world.holders:
        if any(map(_is_inner, _contents(holder))):
            raise _refusal(wrapper, f"it can reach {holder.described()}, which the statement around the call changes")
    start = len(graph.operations)
    value = plain()
    changed = world.changes()
    world.restore(changed)
    _check_unchanged(wrapper, changed, "by the call")
    effect = next((o for o in operations_within(graph.operations[start:]) if _acts(o)), None)
    if effect is not None:
        verb = "reads a Variable" if effect.op in READS else f"has an effect, the operation {effect.type!r}"
        raise _refusal(wrapper, f"it {verb} (at {effect.location})")
    changeable = next((part for part in _parts([value]) if not isinstance(part, _FIXED)), None)
    if changeable is not None:
        raise _refusal(wrapper, f"it returns an object that can be changed in place ({type(changeable).__name__})")
    _MEMORIES.of(graph).worlds.setdefault(id(wrapper), (wrapper, world))
    return value


def _check_unchanged(wrapper: Any, changed: Mapping[Holder, Any], when: str) -> None:
    if changed:
        holder = next(iter(changed))
        raise _refusal(wrapper, f"{holder.described()}, which it can reach, was changed {when}")


def _refusal(wrapper: Any, why: str) -> StagingError:
    return StagingError(
        f"{_described(wrapper)} and is called{here()} where a tensor decides whether, or with which values: {why}, so"
        " it matters whether the cache would answer. Call it before the statement, if its arguments are Python values"
        " (the cache answers then), or take the cache away"
    )


_FIXED: Final = (
    NoneType, bool, int, float, complex, str, bytes, Tensor, MaybeNone, np.generic, DType, TensorShape, enum.Enum, type,
    range, frozenset,
)  # fmt: skip
"""What cannot be changed in place."""


def _parts(values: Iterable[Any]) -> Iterable[Any]:
    """The values and what is in them, but for tuples."""
    return (value for value in nest.walked(values) if not isinstance(value, tuple))


def _contents(holder: Holder) -> Iterable[Any]:
    before = holder.before
    return before.values() if isinstance(before, dict) else before if isinstance(before, list | tuple) else (before,)


def _is_inner(value: Any) -> bool:
    """Whether a value is one of a branch or of a loop body."""
    if isinstance(value, MaybeNone | MaybeUndefined):
        return True
    return isinstance(value, SymbolicTensor) and value.op.graph is not value.op.graph.recording.root


def _acts(operation: Operation) -> bool:
    """Whether it does something but compute or raise: an exception is kept by no cache."""
    if operation.op is placeholder:
        return False
    return operation.op in READS or (operation.acts and not may_raise(operation))


def _name(wrapper: Any) -> str:
    return str(getattr(wrapper, "__name__", "the function"))


def _described(wrapper: Any) -> str:
    return f"{_name(wrapper)!r} keeps its results (functools.lru_cache)"
