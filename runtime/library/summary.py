"""`runtime.summary`: numbers of a training, written while it runs.

    writer = summary.create_file_writer("logs/run1")
    with writer.as_default():
        summary.scalar("loss", loss, step=optimizer.iterations)

The file is plain text with one JSON object a line: {"name": "loss", "step": 3, "value": 0.25, "wall_time": ...}.
`create_file_writer(..., format="tensorboard")` writes the event files that TensorBoard shows instead, with the package
`tensorboard` (the extra of that name). In a Function each run writes, to the writer that is the default in that run;
where there is none, to the one that was when it was traced. The same holds for the step and for `record_if` around it.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextvars import ContextVar, Token
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from runtime.context import current_recorder
from runtime.dtypes import float64, int64
from runtime.graph.graph import Graph
from runtime.library.profiler import kept
from runtime.library.python_functions import py_function
from runtime.ops.arrays.shape import cast
from runtime.state.scopes import current_scope
from runtime.tensor.convert import convert_to_tensor, is_tensor

__all__ = [
    "SummaryWriter", "create_file_writer", "experimental", "flush", "record_if", "scalar", "trace_export", "trace_off",
    "trace_on",
]  # fmt: skip

MOST_WAITING: Final = 1000
"""As many lines are written at once."""

_numbers = itertools.count()

@dataclass(frozen=True)
class _Setting:
    """What a `with` block has set. staged: within the function that is being traced, for all of its runs; what stands
    around the call of a Function may be another one in each run."""

    value: Any = None
    staged: bool = False


_NOTHING: Final = _Setting()
_ALWAYS: Final = _Setting(True)

_default: ContextVar[_Setting] = ContextVar("summary_writer", default=_NOTHING)
_step: ContextVar[_Setting] = ContextVar("summary_step", default=_NOTHING)
_wanted: ContextVar[_Setting] = ContextVar("summary_wanted", default=_ALWAYS)


def _set(variable: ContextVar[_Setting], value: Any) -> Token[_Setting]:
    return variable.set(_Setting(value, staged=current_recorder() is not None))


def _at_run(variable: ContextVar[_Setting]) -> bool:
    """Whether the setting is to be looked up when the graph runs."""
    return current_recorder() is not None and not variable.get().staged


class _Sink(Protocol):
    """Where numbers go to."""

    def write(self, name: str, value: float, step: int, wall_time: float) -> None: ...

    def draw(self, name: str, graph: Graph, step: int, wall_time: float) -> None: ...

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

    def draw(self, name: str, graph: Graph, step: int, wall_time: float) -> None:
        record = {"name": name, "step": step, "graph": graph.as_text(), "wall_time": wall_time}
        self._waiting.append(json.dumps(record) + "\n")

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

    def draw(self, name: str, graph: Graph, step: int, wall_time: float) -> None:
        definition = importlib.import_module("tensorboard.compat.proto.graph_pb2").GraphDef()
        for operation in graph.operations:
            inputs = [f"{t.op.name}:{t.value_index}" for t in operation.inputs]
            definition.node.add(name=operation.name, op=operation.type, input=inputs)
        self._writer.add_event(self._event(wall_time=wall_time, step=step, graph_def=definition.SerializeToString()))

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
        tokens = [(_default, _set(_default, self))]
        if step is not None:
            tokens.append((_step, _set(_step, step)))
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

    def draw(self, name: str, graph: Graph, step: int) -> None:
        """Writes one graph. Raises RuntimeError if the writer has been closed."""
        with self._lock:
            if self._sink is None:
                raise RuntimeError("the summary writer has been closed")
            self._sink.draw(name, graph, step, time.time())

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
    wanted = True if _at_run(_wanted) else _truth(_wanted.get().value)
    if not is_tensor(wanted) and not wanted:
        return convert_to_tensor(False)
    if _default.get().value is None and not _at_run(_default):
        return convert_to_tensor(False)
    given = step if step is not None or _at_run(_step) else _step.get().value
    if given is None and not _at_run(_step):
        raise _no_step(name)
    data = convert_to_tensor(data, float64 if type(data) is float else None)
    if data.shape.rank not in (0, None) or not (data.dtype.is_floating or data.dtype.is_integer):
        found = f"{data.dtype.name} of shape {data.shape}"
        raise ValueError(f"summary.scalar({name!r}): a real scalar is needed; got {found}")
    steps = [] if given is None else [_whole(given, name)]
    write = _writing(current_scope() + name)
    return py_function(write, [cast(data, float64), convert_to_tensor(wanted), *steps], "bool")


def _writing(name: str) -> Callable[..., bool]:
    """What runs: it takes the number, whether it is wanted, and the step where that is known to the graph."""
    settings = {variable: variable.get() for variable in (_default, _wanted, _step)}
    late = {variable for variable in settings if _at_run(variable)}

    def setting(variable: ContextVar[_Setting]) -> Any:
        now = variable.get().value if variable in late else None
        return settings[variable].value if now is None else now

    def write(value: Any, wanted: Any, *steps: Any) -> bool:
        writer = setting(_default)
        if writer is None or not bool(wanted) or (_wanted in late and not bool(_truth(_wanted.get().value))):
            return False
        step = steps[0] if steps else setting(_step)
        if step is None:
            raise _no_step(name)
        writer.write(name, float(np.asarray(value)), int(np.asarray(_whole(step, name))))
        return True

    return write


def _truth(condition: Any) -> Any:
    return condition() if callable(condition) and not is_tensor(condition) else condition


def _whole(step: Any, name: str) -> Any:
    """The step as int64. Raises ValueError unless it is an integer."""
    step = convert_to_tensor(step)
    if not step.dtype.is_integer or step.shape.rank not in (0, None):
        found = f"{step.dtype.name} of shape {step.shape}"
        raise ValueError(f"summary.scalar({name!r}): a step is an integer; got {found}")
    return cast(step, int64)


def _no_step(name: str) -> ValueError:
    return ValueError(f"summary.scalar({name!r}): a step is needed; give step=, or set one with as_default(step)")


@contextlib.contextmanager
def record_if(condition: Any) -> Iterator[None]:
    """`with summary.record_if(condition):` nothing is written inside where the condition is false.

    condition: a bool, a bool tensor, or a function without arguments that returns one.
    """
    token = _set(_wanted, condition)
    try:
        yield
    finally:
        _wanted.reset(token)


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """From now on the graphs of Functions that are called are kept, for `trace_export`. profiler: whether
    `runtime.profiler.experimental` notes times, too; profiler_outdir: the folder for its file."""
    if profiler and profiler_outdir is None:
        raise ValueError("summary.trace_on: profiler=True needs profiler_outdir, the folder for its file")
    kept.begin(bool(graph), profiler_outdir if profiler else None)


def trace_off() -> None:
    """Graphs are not kept any more; those that were are dropped, and times with them."""
    kept.end(save=False)


def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """Writes the graphs that were kept to the default writer, each once, and ends that. step: as in `scalar`.

    Raises ValueError without `trace_on`, without a step and in a Function.
    """
    if current_recorder() is not None:
        raise ValueError("summary.trace_export is called eagerly, not in a Function")
    if not kept.is_on():
        raise ValueError("summary.trace_export: call summary.trace_on() first, then the Functions")
    given = _step.get().value if step is None else step
    if given is None:
        raise _no_step(name)
    writer = _default.get().value
    for graph in kept.end(save=True):
        if writer is not None:
            writer.draw(name, graph, int(given))


def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Flushes a writer: the default one unless given."""
    found = _default.get().value if writer is None else writer
    if found is not None:
        found.flush()


class experimental:
    """The step that is the default where none is given."""

    @staticmethod
    def set_step(step: Any) -> None:
        """Sets it. step: an integer, a tensor or Variable, or None."""
        _set(_step, step)

    @staticmethod
    def get_step() -> Any:
        """The step, or None."""
        return _step.get().value
