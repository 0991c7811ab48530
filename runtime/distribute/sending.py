"""Calls of one function for the parts of data: traced and checked first, then sent, all of them.

    sending = Sending(strategy, "run", function)
    sending.add([part], {})                      # for each part
    strategy.workers.results(sending.start())    # the arrays of the outputs, call by call
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from runtime.context import current_recorder
from runtime.distribute.shards import Workers
from runtime.distribute.strategies import Place, ReduceOp, ReplicaContext, Strategy, entered
from runtime.dtypes import as_dtype
from runtime.errors import ShapeMismatchError, UnimplementedError
from runtime.exits.dask.sent import Sent, sent
from runtime.exits.traces import as_function
from runtime.function.concrete import ConcreteFunction
from runtime.library import nest
from runtime.ops.records.record import Array
from runtime.state.variable import Variable
from runtime.tensor.spec import TensorSpec

__all__ = ["Later", "Sending", "ShardContext", "added", "spec_of"]


class ShardContext(ReplicaContext):
    """Where a function stands that computes one shard: nothing of the others can be seen from there."""

    def _refuse(self, name: str) -> NoReturn:
        raise UnimplementedError(
            f"{name} would have to wait for other shards, which a graph on a worker cannot: return the value, and call"
            " strategy.reduce or strategy.gather on what run gives"
        )

    def all_reduce(self, reduce_op: ReduceOp | str, value: Any, options: Any = None) -> Any:
        """Raises UnimplementedError."""
        self._refuse("all_reduce")

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """Raises UnimplementedError."""
        self._refuse("all_gather")

    def merge_call(self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None) -> Any:
        """Raises UnimplementedError."""
        self._refuse("merge_call")


def computed(one: Sent, values: Sequence[Array], arrays: Sequence[Array]) -> list[Array]:
    """The outputs of what was sent, where that is now."""
    return one.compute(values, arrays)


class Later:
    """An array that Dask makes when its turn comes, and what is known of it: a leaf of structures."""

    __slots__ = ("part", "spec")

    def __init__(self, part: Any, spec: TensorSpec) -> None:
        self.part, self.spec = part, spec


class Sharded(Strategy):
    """A strategy whose parts are computed by workers."""

    workers: Workers


class Sending:
    """Calls of one function for several parts: traced and checked as they are added, and then sent, all of them."""

    def __init__(self, strategy: Sharded, what: str, function: Any) -> None:
        if current_recorder() is not None:
            name = f"{type(strategy).__name__}.{what}"
            raise RuntimeError(f"{name} waits for workers, which a graph cannot: call it outside of Functions")
        if not callable(function):
            raise TypeError(f"a strategy runs a function; got {function!r}")
        self._strategy, self._what = strategy, what
        self._function = as_function(what, function)
        self.traces: list[ConcreteFunction] = []
        self.sent: dict[int, Sent] = {}
        self._kept: dict[int, Any] = {}
        self._arrays: list[Sequence[Any]] = []

    def add(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """A call. args, kwargs: values, delayed arrays, or specs for the trace alone. Raises NotExportableError."""
        specs = nest.map_structure(spec_of, (list(args), dict(kwargs)))
        with entered(Place(self._strategy, ShardContext(self._strategy))):
            trace = self._function.get_concrete_function(*specs[0], **specs[1])
        if id(trace) not in self.sent:
            self.sent[id(trace)] = sent(self._what, trace)
        leaves = nest.flatten((list(args), dict(kwargs)))
        if any(isinstance(leaf, Later) for leaf in leaves):
            arrays = [x.part if isinstance(x, Later) else np.asarray(x) for x in leaves if _is_tensor(x)]
        else:
            arrays = self.sent[id(trace)].arrays(args, kwargs) if not _has_specs(leaves) else []
        self.traces.append(trace)
        self._arrays.append(arrays)

    def drop(self) -> None:
        """Forgets the calls, and keeps the traces that are known and checked."""
        self.traces, self._arrays = [], []

    def start(self, compute: Callable[..., Any] = computed) -> list[Any]:
        """What stands for the results of the calls. compute: of what is sent, its Variables and its arrays."""
        workers = self._strategy.workers
        used = {id(trace) for trace in self.traces}
        kept = {}
        for key in used:
            if key not in self._kept:
                self._kept[key] = workers.keep(self.sent[key])
            kept[key] = self._kept[key], workers.keep(self.sent[key].values())
        pairs = zip(self.traces, self._arrays, strict=True)
        return [workers.call(compute, *kept[id(trace)], arrays) for trace, arrays in pairs]


def spec_of(leaf: Any) -> Any:
    """What a leaf is traced with: a tensor or array as any of its dtype and shape, a value of Python as itself."""
    if isinstance(leaf, Later):
        return leaf.spec
    if isinstance(leaf, TensorSpec | Variable) or not _is_tensor(leaf):
        return leaf
    return TensorSpec(leaf.shape, as_dtype(leaf.dtype))


def _is_tensor(leaf: Any) -> bool:
    return isinstance(leaf, Later) or (hasattr(leaf, "shape") and hasattr(leaf, "dtype"))


def _has_specs(leaves: Sequence[Any]) -> bool:
    return any(isinstance(leaf, TensorSpec) for leaf in leaves)


def added(a: Sequence[Array], b: Sequence[Array]) -> list[Array]:
    """Sums one by one. Raises ShapeMismatchError: nothing is broadcast."""
    for one, other in zip(a, b, strict=True):
        if one.shape != other.shape:
            raise ShapeMismatchError(f"results of the shapes {one.shape} and {other.shape} have no sum")
    return [np.asarray(np.add(one, other)) for one, other in zip(a, b, strict=True)]
