"""Notes the calls of Functions and named parts of a program while it runs, for TensorBoard's profiler.

    runtime.profiler.experimental.start("logs")
    for step, batch in enumerate(batches):
        with runtime.profiler.experimental.Trace("train", step_num=step, _r=1):
            train(batch)
    runtime.profiler.experimental.stop()            # writes logs/plugins/profile/<run>/<host>.xplane.pb

Each call of a Function from the program is one event, with the line of the Function: what runs is the plan, as ever.
`runtime.profiler.profile(...).write_tensorboard(logdir)` has the operations of one call.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Self

from runtime import config
from runtime.library.profiler.spaces import Span, write

__all__ = ["Profile", "ProfilerOptions", "Trace", "start", "stop"]


class ProfilerOptions(NamedTuple):
    """Accepted for programs that give them. host_tracer_level: 0 notes nothing but the parts that are named."""

    host_tracer_level: int = 2
    python_tracer_level: int = 0
    device_tracer_level: int = 1
    delay_ms: int | None = None


class _Recording:
    """What has run since the start, by thread."""

    def __init__(self, logdir: Any) -> None:
        self.logdir = Path(os.fspath(logdir))
        self.began, self._zero = time.time(), time.perf_counter()
        self.threads: dict[str, list[Span]] = {}

    def add(self, name: str, started: float, told: dict[str, Any]) -> None:
        """Something has ended that had started at this `time.perf_counter`."""
        span = Span(name, started - self._zero, time.perf_counter() - started, told)
        self.threads.setdefault(threading.current_thread().name, []).append(span)

    def watch(self, concrete: Any, run: Callable[[], Any]) -> Callable[[], Any]:
        """A call of a Function, noted."""

        def noted() -> Any:
            started = time.perf_counter()
            try:
                return run()
            finally:
                self.add(concrete.name, started, {"operations": len(concrete.graph.operations)})

        return noted


_lock = threading.Lock()
_now: _Recording | None = None


def start(logdir: Any, options: Any = None) -> None:
    """Begins to note. logdir: the folder that TensorBoard looks into; options: `ProfilerOptions`.

    Raises RuntimeError while something is being noted already.
    """
    global _now
    with _lock:
        if _now is not None:
            raise RuntimeError("profiler.experimental.start: it has been started; call stop() first")
        _now = _Recording(logdir)
        if getattr(options, "host_tracer_level", 1):
            config.watch_calls(_now.watch)


def stop(save: bool = True) -> None:
    """Ends it, and writes the file unless save is False. Raises RuntimeError where nothing is being noted."""
    global _now
    with _lock:
        if _now is None:
            raise RuntimeError("profiler.experimental.stop: call start(logdir) first")
        recording, _now = _now, None
        config.watch_calls(recording.watch, ended=True)
    if save:
        write(recording.logdir, recording.threads, recording.began)


class Profile:
    """`with Profile(logdir):` notes what runs inside. See `start`."""

    def __init__(self, logdir: Any, options: Any = None) -> None:
        self._logdir, self._options = logdir, options

    def __enter__(self) -> Self:
        start(self._logdir, self._options)
        return self

    def __exit__(self, *_: object) -> None:
        stop()


class Trace:
    """`with Trace("train", step_num=step):` a part of the program as an event, with what is told of it.

    Does nothing where nothing is being noted. In a Function it is the time of the trace alone.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        self._name, self._told, self._started = name, kwargs, 0.0

    def set_metadata(self, **kwargs: Any) -> None:
        """Tells more of it, within the block."""
        self._told.update(kwargs)

    def __enter__(self) -> Self:
        self._started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        if (recording := _now) is not None:
            recording.add(self._name, self._started, {name: _plain(value) for name, value in self._told.items()})


def _plain(value: Any) -> Any:
    """A tensor as its number."""
    return value.numpy() if hasattr(value, "numpy") else value
