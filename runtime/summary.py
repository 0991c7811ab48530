"""`runtime.summary`: numbers of a training, written while it runs.

    writer = summary.create_file_writer("logs/run1")
    with writer.as_default():
        summary.scalar("loss", loss, step=optimizer.iterations)

The file is plain text with one JSON object a line: {"name": "loss", "step": 3, "value": 0.25, "wall_time": ...}.
`create_file_writer(..., format="tensorboard")` writes the event files that TensorBoard shows instead, with the package
`tensorboard` (the extra of that name). In a Function each run writes, to the writer that was the default when it was
traced.
"""

from __future__ import annotations

import contextlib
import contextvars
import importlib
import itertools
import json
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from runtime.dtypes import float64, int64
from runtime.ops.shape import cast
from runtime.python_functions import py_function
from runtime.state.scopes import current_scope
from runtime.tensor.convert import convert_to_tensor, is_tensor

__all__ = ["SummaryWriter", "create_file_writer", "experimental", "flush", "record_if", "scalar"]

MOST_WAITING: Final = 1000
"""As many lines are written at once."""

_numbers = itertools.count()
_default: contextvars.ContextVar[SummaryWriter | None] = contextvars.ContextVar("summary_writer", default=None)
_step: contextvars.ContextVar[Any] = contextvars.ContextVar("summary_step", default=None)
_wanted: contextvars.ContextVar[Any] = contextvars.ContextVar("summary_wanted", default=True)


class _Sink(Protocol):
    """Where numbers go to."""

    def write(self, name: str, value: float, step: int, wall_time: float) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


class _Lines:
    """A file with one JSON object a line."""

    def __init__(self, folder: Path, suffix: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        stem = f"events.{int(time.time())}.{os.getpid()}.{next(_numbers)}"
        self.path = folder / f"{stem}{suffix}.jsonl"
        self.path.touch(exist_ok=False)
        self._waiting: list[str] = []

    def write(self, name: str, value: float, step: int, wall_time: float) -> None:
        record = {"name": name, "step": step, "value": value, "wall_time": wall_time}
        self._waiting.append(json.dumps(record) + "\n")
        if len(self._waiting) >= MOST_WAITING:
            self.flush()

    def flush(self) -> None:
        # Opened for each flush: programs need not close their writers, and no file is left open.
        waiting, self._waiting = self._waiting, []
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(waiting)

    def close(self) -> None:
        self.flush()


class _Events:
    """The event files of TensorBoard, written by its own package."""

    def __init__(self, folder: Path, suffix: str) -> None:
        try:
            event = importlib.import_module("tensorboard.compat.proto.event_pb2")
            summary = importlib.import_module("tensorboard.compat.proto.summary_pb2")
            files = importlib.import_module("tensorboard.summary.writer.event_file_writer")
        except ImportError as error:
            raise ImportError(
                "summary.create_file_writer: format='tensorboard' needs the package tensorboard:"
                " pip install 'autograph-runtime[tensorboard]'"
            ) from error
        self._event, self._summary = event.Event, summary.Summary
        self._writer = files.EventFileWriter(str(folder), filename_suffix=suffix)

    def write(self, name: str, value: float, step: int, wall_time: float) -> None:
        summary = self._summary(value=[self._summary.Value(tag=name, simple_value=value)])
        self._writer.add_event(self._event(wall_time=wall_time, step=step, summary=summary))

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()


_FORMATS: dict[str, Callable[[Path, str], _Sink]] = {"jsonl": _Lines, "tensorboard": _Events}


class SummaryWriter:
    """Writes numbers to files of one folder. Made by `create_file_writer`; threads may share it."""

    def __init__(self, sink: _Sink) -> None:
        self._sink: _Sink | None = sink
        self._lock = threading.Lock()
        self._at_end = weakref.finalize(self, sink.close)

    @contextlib.contextmanager
    def as_default(self, step: Any = None) -> Iterator[SummaryWriter]:
        """`with writer.as_default():` what is written inside goes to this writer. step: the default there."""
        tokens = [(_default, _default.set(self))]
        if step is not None:
            tokens.append((_step, _step.set(step)))
        try:
            yield self
        finally:
            for variable, token in reversed(tokens):
                variable.reset(token)
            if self._sink is not None:
                self.flush()

    def write(self, name: str, value: float, step: int) -> None:
        """Writes one number. Raises RuntimeError if the writer has been closed."""
        with self._lock:
            if self._sink is None:
                raise RuntimeError("the summary writer has been closed")
            self._sink.write(name, value, step, time.time())

    def flush(self) -> None:
        """Hands everything to the file system."""
        with self._lock:
            if self._sink is not None:
                self._sink.flush()

    def close(self) -> None:
        """Flushes and closes the file; nothing more can be written. Done by itself when the writer goes."""
        with self._lock:
            sink, self._sink = self._sink, None
            if sink is not None:
                self._at_end()


def create_file_writer(
    logdir: Any, max_queue: int | None = None, flush_millis: int | None = None, filename_suffix: str | None = None,
    name: str | None = None, format: str = "jsonl",
) -> SummaryWriter:  # fmt: skip
    """A writer of a new file in a folder, which is made if need be.

    logdir: the folder; filename_suffix: is put into the file's name; format: "jsonl" or "tensorboard". max_queue,
    flush_millis, name: accepted, without effect. Raises ImportError where the package tensorboard is missing.
    """
    if format not in _FORMATS:
        raise ValueError(f"format is {' or '.join(map(repr, _FORMATS))}; got {format!r}")
    return SummaryWriter(_FORMATS[format](Path(os.fspath(logdir)), filename_suffix or ""))


def scalar(name: str, data: Any, step: Any = None, description: str | None = None) -> Any:
    """Writes one number to the default writer. Returns whether there is one (and `record_if` lets it).

    name: is put behind the name scopes around it; data: real scalar; step: integer, a tensor or Variable too; by
    default that of `as_default` or `experimental.set_step`. Raises ValueError without a step.
    """
    writer = _default.get()
    wanted = _wanted.get()
    wanted = wanted() if callable(wanted) else wanted
    if writer is None or (not is_tensor(wanted) and not wanted):
        return convert_to_tensor(False)
    step = _step.get() if step is None else step
    if step is None:
        raise ValueError(f"summary.scalar({name!r}): a step is needed; give step=, or set one with as_default(step)")
    data = convert_to_tensor(data, float64 if type(data) is float else None)
    if data.shape.rank not in (0, None) or not (data.dtype.is_floating or data.dtype.is_integer):
        found = f"{data.dtype.name} of shape {data.shape}"
        raise ValueError(f"summary.scalar({name!r}): a real scalar is needed; got {found}")
    full = current_scope() + name

    def write(value: Any, number: Any, condition: Any) -> Any:
        if bool(condition):
            writer.write(full, float(np.asarray(value)), int(np.asarray(number)))
        return condition

    operands = [cast(data, float64), cast(convert_to_tensor(step), int64), convert_to_tensor(wanted)]
    return py_function(write, operands, "bool")


@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """`with summary.record_if(condition):` nothing is written inside where the condition is false.

    condition: a bool, a bool tensor, or a function without arguments that returns one.
    """
    token = _wanted.set(condition)
    try:
        yield
    finally:
        _wanted.reset(token)


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Flushes a writer: the default one unless given."""
    found = _default.get() if writer is None else writer
    if found is not None:
        found.flush()


class experimental:
    """The step that is the default where none is given."""

    @staticmethod
    def set_step(step: Any) -> None:
        """Sets it. step: an integer, a tensor or Variable, or None."""
        _step.set(step)

    @staticmethod
    def get_step() -> Any:
        """The step, or None."""
        return _step.get()
