"""Strategies as programs for several devices use them, with the one device that there is.

    strategy = MirroredStrategy()
    with strategy.scope():
        weights = runtime.Variable([1.0, 2.0])
    losses = strategy.run(lambda x: x * weights, args=(3.0,))
    strategy.reduce("SUM", losses, axis=None)

There is one replica: `run` calls the function, a dataset gives its elements to it, and what is reduced over the
replicas is the value itself. A program that is written for many devices gives the same results as on one.

What a Function asks of the place where it is called (`has_strategy()`, `get_strategy()`, `get_replica_context()`) is
answered when it is traced; where the answer is another one, it has another trace.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from autograph.contexts import binding
from runtime.config import CPU_NAME
from runtime.control_flow.loops.folds import converted
from runtime.dtypes import float64
from runtime.errors import InvalidArgumentError, UnimplementedError
from runtime.graph.trace_state import TraceState
from runtime.library import nest
from runtime.library.data import Dataset
from runtime.ops.records.gradients import ops
from runtime.state.scopes import note_answer, trace_around
from runtime.tensor.convert import convert_to_tensor

__all__ = [
    "InputContext", "MirroredStrategy", "OneDeviceStrategy", "Place", "ReduceOp", "ReplicaContext", "Strategy",
    "entered", "get_replica_context", "get_strategy", "has_strategy", "in_cross_replica_context",
]  # fmt: skip


class ReduceOp(enum.Enum):
    """How values are made one. Where one is asked for, its name does, too: "SUM" or "sum"."""

    SUM = "SUM"
    MEAN = "MEAN"

    @classmethod
    def of(cls, value: ReduceOp | str) -> ReduceOp:
        """The one that is named. Raises ValueError for other names."""
        if isinstance(value, cls):
            return value
        names = ", ".join(cls.__members__)
        if not isinstance(value, str) or value.upper() not in cls.__members__:
            raise ValueError(f"values are reduced by one of {names}; got {value!r}")
        return cls[value.upper()]


@dataclass(frozen=True)
class InputContext:
    """What a function that makes a dataset is told of who reads it."""

    num_input_pipelines: int = 1
    input_pipeline_id: int = 0
    num_replicas_in_sync: int = 1

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """How many elements of a batch each replica gets. Raises ValueError where that is no whole number."""
        if global_batch_size % self.num_replicas_in_sync:
            raise ValueError(f"a batch of {global_batch_size} has no equal parts for {self.num_replicas_in_sync}")
        return global_batch_size // self.num_replicas_in_sync


@dataclass(frozen=True)
class ReplicaContext:
    """Where a function that `Strategy.run` calls stands: in the one replica of a strategy."""

    strategy: Strategy
    replica_id_in_sync_group: int = 0

    @property
    def num_replicas_in_sync(self) -> int:
        """1."""
        return self.strategy.num_replicas_in_sync

    @property
    def devices(self) -> tuple[str, ...]:
        """The CPU."""
        return (CPU_NAME,)

    def all_reduce(self, reduce_op: ReduceOp | str, value: Any, options: Any = None) -> Any:
        """The sum or mean over the replicas: the tensors of a structure as they are."""
        ReduceOp.of(reduce_op)
        return nest.map_structure(convert_to_tensor, value)

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """The values of all replicas behind each other: the tensors of a structure as they are."""
        return nest.map_structure(convert_to_tensor, value)

    def merge_call(self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None) -> Any:
        """Calls merge_fn(strategy, *args, **kwargs) in the context of all replicas."""
        with entered(Place(self.strategy, None)):
            return converted(merge_fn)(self.strategy, *args, **(kwargs or {}))


class Strategy:
    """Runs functions on the replicas that it has: one, on the CPU."""

    @property
    def num_replicas_in_sync(self) -> int:
        """1."""
        return 1

    @contextlib.contextmanager
    def scope(self) -> Iterator[Strategy]:
        """In the `with`, `get_strategy()` is this one. Variables are what they are outside of it."""
        with entered(Place(self, None)):
            yield self

    def run(
        self, fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None,
        options: Any = None,
    ) -> Any:  # fmt: skip
        """fn(*args, **kwargs), called in the replica (in a graph: converted); `get_replica_context()` tells of it."""
        if not callable(fn):
            raise TypeError(f"a strategy runs a function; got {fn!r}")
        with entered(Place(self, ReplicaContext(self))):
            return converted(fn)(*args, **(kwargs or {}))

    def reduce(self, reduce_op: ReduceOp | str, value: Any, axis: int | None) -> Any:
        """The sum or mean over the replicas of what `run` returned; with an axis also along that axis.

        value: a structure of tensors; axis=None: the tensors as they are. Means of integers are float64.
        """
        how = ReduceOp.of(reduce_op)
        return nest.map_structure(lambda leaf: _reduced(how, convert_to_tensor(leaf), axis), value)

    def gather(self, value: Any, axis: int) -> Any:
        """The values of all replicas behind each other: the tensors of a structure as they are."""
        return nest.map_structure(convert_to_tensor, value)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """What each replica returned: a tuple of one value."""
        return (value,)

    def experimental_distribute_dataset(self, dataset: Dataset[Any], options: Any = None) -> Dataset[Any]:
        """The dataset itself: its batches belong to the one replica."""
        if not isinstance(dataset, Dataset):
            raise TypeError(f"a runtime.data.Dataset is distributed; got {dataset!r}")
        return dataset

    def distribute_datasets_from_function(self, dataset_fn: Callable[[InputContext], Any], options: Any = None) -> Any:
        """The dataset that dataset_fn(InputContext()) makes."""
        return dataset_fn(InputContext())


class OneDeviceStrategy(Strategy):
    """All on one device. device: its name; others than the CPU are replaced by it, as in `runtime.device`."""

    def __init__(self, device: str = CPU_NAME) -> None:
        self._device = device


class MirroredStrategy(Strategy):
    """Variables mirrored on several devices of one machine: here on one. devices: None, or a list of one name.

    Raises UnimplementedError for more than one device: they would run on one after another.
    """

    def __init__(self, devices: Sequence[str] | None = None, cross_device_ops: Any = None) -> None:
        if isinstance(devices, str):
            raise TypeError(f"devices is a list of names; write [{devices!r}]")
        names = list(devices or ())
        if len(set(names)) < len(names):
            raise InvalidArgumentError(f"a device is given twice: {names}")
        if len(names) > 1:
            raise UnimplementedError(
                f"MirroredStrategy has one device, the CPU; {len(names)} were asked for: {names}. Give one, or none:"
                " the same program runs on it, with num_replicas_in_sync == 1"
            )


@dataclass(frozen=True)
class Place:
    """Where the program stands: replica is None where it speaks of all replicas."""

    strategy: Strategy
    replica: ReplicaContext | None
    trace: TraceState | None = field(default_factory=trace_around, compare=False)
    """The trace that it is a part of."""


_DEFAULT: Final = Strategy()
_OUTSIDE: Final = Place(_DEFAULT, ReplicaContext(_DEFAULT), None)
_place: ContextVar[Place] = ContextVar("_place", default=_OUTSIDE)


def entered(place: Place) -> binding[Any]:
    return binding(_place, place)


def _here() -> Place:
    """The place, which a trace takes note of where it is around that trace."""
    place = _place.get()
    if place.trace is not trace_around():
        note_answer("get_strategy", lambda: _place.get().strategy, place.strategy)
        note_answer("in_cross_replica_context", lambda: _place.get().replica is None, place.replica is None)
    return place


def get_strategy() -> Strategy:
    """The strategy in whose scope or function the program is; outside of all a Strategy with one replica."""
    return _here().strategy


def has_strategy() -> bool:
    """Whether the program is in the scope or function of a strategy."""
    return get_strategy() is not _DEFAULT


def get_replica_context() -> ReplicaContext | None:
    """The replica in which the program runs; None in a scope, where it speaks of all of them."""
    return _here().replica


def in_cross_replica_context() -> bool:
    """Whether the program speaks of all replicas: in a scope, outside of `run`."""
    return get_replica_context() is None


def _reduced(how: ReduceOp, tensor: Any, axis: int | None) -> Any:
    if axis is None:
        return tensor
    if how is ReduceOp.SUM:
        return ops.reduce_sum(tensor, axis=axis)
    exact = tensor if tensor.dtype.is_floating or tensor.dtype.is_complex else ops.cast(tensor, float64)
    return ops.reduce_mean(exact, axis=axis)
