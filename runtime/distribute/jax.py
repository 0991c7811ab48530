"""`JaxStrategy`: shards computed by programs of XLA, on the devices that JAX has.

    strategy = runtime.distribute.JaxStrategy()                  # all of jax.local_devices()
    strategy.fit(model, images, labels, epochs=3)

Each device has a thread that gives it shards, one after the other in turns. Sums are made here, in the order of the
tree, so eight devices have the bits of one of their kind. Where `jax.distributed` has joined several processes, all run
the same program, each computes its turns of the shards, and they tell each other the results before these are summed.
"""

from __future__ import annotations

import contextlib
import itertools
import pickle
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from runtime.distribute.sharded import ShardedStrategy
from runtime.exits.dask.sent import Sent
from runtime.exits.xla.library import jax_library
from runtime.ops.records.record import Array
from runtime.saved_model.pickled import by_graph

__all__ = ["JaxStrategy"]


class JaxStrategy(ShardedStrategy):
    """See the module's docstring. devices: those of this process, or some of them; shards: see `ShardedStrategy`.

    Functions are compiled for the shapes of the shards. Raises NotCompiledError for operations that have no rule, with
    all lines and reasons; ValueError for no devices, ImportError without the extra `jax`.
    """

    def __init__(self, devices: Sequence[Any] | None = None, shards: int = 8) -> None:
        super().__init__(shards)
        found = jax_library().local_devices() if devices is None else list(devices)
        if not found:
            raise ValueError("JaxStrategy: there are no devices")
        self.workers = OnDevices(found)


class OnDevices:
    """The devices of JAX in turns. What it hands out are futures."""

    def __init__(self, devices: Sequence[Any]) -> None:
        self._threads = [(device, ThreadPoolExecutor(1, "device")) for device in devices]
        self._turns = itertools.cycle(self._threads)
        self._hosts = jax_library().process_count()
        self._host = jax_library().process_index()
        self.writes = self._host == 0
        self._calls: list[Future[Any]] = []
        """What has been called since the processes last told each other, in the order of the program."""

    def keep(self, value: Any) -> Any:
        """The value; a trace as one that XLA compiles."""
        return _Compiled(value) if isinstance(value, Sent) else value

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """On the next device; what has results as arguments is computed here, when they are there."""
        if any(isinstance(argument, Future) for argument in arguments):
            return _Later(function, arguments)
        if len(self._calls) % self._hosts == self._host:
            device, thread = next(self._turns)
            self._calls.append(thread.submit(_on, device, function, arguments))
        else:
            self._calls.append(Future())
        return self._calls[-1]

    def results(self, standing: Sequence[Any]) -> list[Any]:
        """Waits for them."""
        calls, self._calls = self._calls, []
        if self._hosts > 1:
            own = [_outcome(call) for call in calls[self._host :: self._hosts]]
            for host, outcomes in enumerate(_told(own)):
                for call, (value, error) in zip(calls[host :: self._hosts], outcomes, strict=True):
                    if host != self._host:
                        call.set_result(value) if error is None else call.set_exception(error)
        return [_result(one) for one in standing]


class _Later(Future[Any]):
    """A call that waits for its arguments, made when its result is asked for."""

    def __init__(self, function: Callable[..., Any], arguments: Sequence[Any]) -> None:
        super().__init__()
        self._call = function, arguments

    def result(self, timeout: float | None = None) -> Any:
        """The result."""
        function, arguments = self._call
        return function(*map(_result, arguments))


def _result(value: Any) -> Any:
    return value.result() if isinstance(value, Future) else value


def _outcome(call: Future[Any]) -> tuple[Any, BaseException | None]:
    error = call.exception()
    return (call.result(), None) if error is None else (None, error)


def _told(own: Any) -> list[Any]:
    """What each process has to tell, which they all know then."""
    gather = jax_library("jax.experimental.multihost_utils").process_allgather
    data = np.frombuffer(pickle.dumps(own), np.uint8)
    sizes = np.asarray(gather(np.asarray(len(data), np.int32))).reshape(-1)
    whole = np.asarray(gather(np.pad(data, (0, int(sizes.max()) - len(data)))))
    return [pickle.loads(row[:size].tobytes()) for row, size in zip(whole, sizes, strict=True)]


def _on(device: Any, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    with jax_library().default_device(device):
        return function(*arguments)


class _Compiled:
    """A trace as `Sent` is, by XLA."""

    def __init__(self, one: Sent) -> None:
        make, arguments = by_graph(one.trace)
        trace = make(*arguments)
        trace.backend = "jax"
        self._sent = Sent(trace)
        self._known: set[Any] = set()
        self._lock = threading.Lock()

    def compute(self, values: Sequence[Array], arrays: Sequence[Array]) -> list[Array]:
        """See `Sent.compute`. Of the first call of its shapes others learn what has to be known of the arguments."""
        key = tuple((array.dtype, array.shape) for array in arrays)
        with contextlib.nullcontext() if key in self._known else self._lock:
            found = self._sent.compute(values, arrays)
        self._known.add(key)
        return found
