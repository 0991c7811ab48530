"""Steps that work in threads: `prefetch` makes elements ahead, `map(num_parallel_calls=4)` makes several at once.

A thread refers to what it shares with its consumer, not to the consumer: when that is gone the pipeline is closed, the
thread sees it and ends. Errors wait in the place of their element, and are raised where the consumer asks for it, with
the traceback of the thread.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from time import perf_counter
from typing import Any, Final, TypeVar

from runtime.library.data.blocks import Block, Row
from runtime.library.data.functions import Runner
from runtime.library.data.node import Node, Puller
from runtime.library.data.structure import Structure

__all__ = ["Workers", "mapped_in_parallel", "prefetched"]

T = TypeVar("T")

LARGEST: Final = 256
"""Elements that a thread pulls at once, at most."""

LONGEST: Final = 0.0005
"""Seconds that this may take before no more are pulled at once."""


def prefetched(source: Node, size: int) -> Node:
    """The same elements; up to `size` of them are made ahead, by a thread."""
    together = LARGEST if source.steady else 1
    return replace(source, open=lambda: _Prefetching(source.open(), size, together))


class _Shared:
    """What thread and consumer share: the elements, and the errors in their places."""

    def __init__(self, puller: Puller, size: int, together: int) -> None:
        self.puller, self.size = puller, size
        self.together, self.step = together, 1
        self.ready: deque[Block | BaseException] = deque()
        self.count = 0
        self.closed = self.ended = False
        self.changed = threading.Condition()

    def work(self) -> None:
        """What the thread does."""
        try:
            while (room := self._room()) and self._put(self._made(room)):
                pass
        finally:
            self.puller.close()

    def _made(self, room: int) -> Block | BaseException | None:
        """The next elements; more of them the next time, if they come so fast that nobody waits for the first."""
        start = perf_counter()
        try:
            made = self.puller.pull(room)
        except BaseException as error:  # sys.exit in a generator, too: the consumer waits for something
            return error
        if room == self.step and perf_counter() - start < LONGEST:
            self.step = min(2 * self.step, self.together)
        return made

    def _room(self) -> int:
        """How many elements are wanted, once some are; 0 when it is closed."""
        with self.changed:
            while not self.closed and self.count >= self.size:
                self.changed.wait()
            return 0 if self.closed else min(self.size - self.count, self.step)

    def _put(self, made: Block | BaseException | None) -> bool:
        with self.changed:
            if made is None:
                self.ended = True
            else:
                self.ready.append(made)
                self.count += made.count if isinstance(made, Block) else 1
            self.changed.notify_all()
            return made is not None

    def take(self, n: int) -> Block | None:
        """For the consumer: at most n elements as soon as there is one."""
        with self.changed:
            while not self.ready and not self.ended:
                self.changed.wait()
            if not self.ready:
                return None
            made = self.ready.popleft()
            if isinstance(made, Block):
                made, rest = made.split(n)
                if rest is not None:
                    self.ready.appendleft(rest)
            self.count -= made.count if isinstance(made, Block) else 1
            self.changed.notify_all()
        if isinstance(made, BaseException):
            raise made
        return made

    def close(self) -> None:
        with self.changed:
            self.closed = self.ended = True
            self.ready.clear()
            self.changed.notify_all()


class _Prefetching:
    def __init__(self, puller: Puller, size: int, together: int) -> None:
        self._shared = _Shared(puller, size, together)
        self._thread: threading.Thread | None = None

    def pull(self, n: int) -> Block | None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._shared.work, name="runtime.data prefetch", daemon=True)
            self._thread.start()
        return self._shared.take(n)

    def close(self) -> None:
        self._shared.close()
        if self._thread is None:
            self._shared.puller.close()


class Workers:
    """A pool of threads that ends with what it is used for."""

    def __init__(self, number: int) -> None:
        self._pool = ThreadPoolExecutor(number, thread_name_prefix="runtime.data worker")

    def submit(self, function: Callable[..., T], *args: Any) -> Future[T]:
        """Starts a call as soon as a thread is free."""
        return self._pool.submit(function, *args)

    def close(self) -> None:
        """Drops what has not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def mapped_in_parallel(source: Node, function: Runner, calls: int, structure: Structure) -> Node:
    """`function` of each element, of up to `calls` elements at the same time, in the order of the elements."""
    return Node(
        structure,
        source.cardinality,
        source.steady and function.steady,
        lambda: _MappingInParallel(source.open(), function, calls, len(structure.leaves)),
        source.repeats and function.steady,
    )


class _MappingInParallel:
    def __init__(self, source: Puller, function: Runner, calls: int, width: int) -> None:
        self._source, self._function, self._calls, self._width = source, function, calls, width
        self._workers: Workers | None = None
        self._coming: deque[Future[Row]] = deque()
        self._ended = False

    def pull(self, n: int) -> Block | None:
        if self._workers is None:
            self._workers = Workers(self._calls)
        self._fill(self._workers)
        return Block.of_rows([self._coming.popleft().result()], self._width) if self._coming else None

    def _fill(self, workers: Workers) -> None:
        """Starts as many calls as may run. What the source raises comes in its turn."""
        failed = False
        while not (failed or self._ended) and len(self._coming) < self._calls:
            try:
                block = self._source.pull(1)
            except Exception as error:
                late: Future[Row] = Future()
                late.set_exception(error)
                self._coming.append(late)
                failed = True  # and no more is asked of it for now
                continue
            if block is None:
                self._ended = True
            else:
                (row,) = block.rows()
                self._coming.append(workers.submit(self._function.row, row))

    def close(self) -> None:
        self._ended = True
        self._coming.clear()
        if self._workers is not None:
            self._workers.close()
        self._source.close()
