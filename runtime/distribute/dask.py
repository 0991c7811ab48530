"""`DaskStrategy`: shards computed by the workers of a Dask cluster.

    with dask.distributed.Client(n_workers=4) as client:
        strategy = runtime.distribute.DaskStrategy(client)
        strategy.map_reduce(lambda x: runtime.reduce_sum(x * x), x)          # x: a dask array

Tasks are pure, and Dask makes again what was on a worker that is gone. Sums are tasks, too: one value comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.distribute.sharded import ShardedStrategy
from runtime.distribute.shards import delayed_in
from runtime.extras import extra

__all__ = ["DaskStrategy"]


class DaskStrategy(ShardedStrategy):
    """See the module's docstring. client: a `dask.distributed.Client`; shards: see `ShardedStrategy`.

    The number of shards is not that of workers, and should be larger. Workers need this package, and no code of the
    program. Raises TypeError for another client, ImportError without the extra `dask`.
    """

    def __init__(self, client: Any, shards: int = 8) -> None:
        super().__init__(shards)
        if not isinstance(client, _distributed().Client) or client.asynchronous:
            raise TypeError(f"DaskStrategy takes a dask.distributed.Client that is not asynchronous; got {client!r}")
        self.workers = OnDask(client)


class OnDask:
    """The workers of a cluster. What it hands out are futures."""

    writes = True

    def __init__(self, client: Any) -> None:
        self._client = client

    def keep(self, value: Any) -> Any:
        """A task that has the value: when the worker that has it is lost, another one is given it."""
        return self.call(_kept, value)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """A task. Delayed arrays among the arguments are computed for it, and freed."""
        try:
            if delayed_in(arguments):
                delayed = extra("dask", "dask", "DaskStrategy needs").delayed
                return self._client.compute(delayed(function, pure=False)(*arguments))
            return self._client.submit(function, *arguments, pure=False)
        except (OSError, _distributed().client.ClosedClientError) as problem:
            raise self._lost(problem) from problem

    def results(self, standing: Sequence[Any]) -> list[Any]:
        """Waits for them. Raises ConnectionError where the cluster is lost."""
        library = _distributed()
        try:
            return list(self._client.gather(list(standing)))
        except (OSError, library.CancelledError, library.KilledWorker, library.client.ClosedClientError) as problem:
            raise self._lost(problem) from problem

    def _lost(self, problem: BaseException) -> ConnectionError:
        return ConnectionError(f"the Dask cluster is lost, or its workers end again and again: {problem}")


def _distributed() -> Any:
    return extra("distributed", "dask", "DaskStrategy needs")


def _kept(value: Any) -> Any:
    return value
