"""Spans of time as the file that TensorBoard's profiler reads: `plugins/profile/<run>/<host>.xplane.pb`.

    write(logdir, {"main": [Span("step", 0.0, 0.25, {"step_num": 3})]})

It is a message of protocol buffers, an XSpace: planes (here one, of the processor) of lines (threads) of events. Names
stand in tables of the plane. Source: openxla.org, tsl/profiler/protobuf/xplane.proto.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from runtime.ops.kernels import wire

__all__ = ["Span", "write"]

PLANE = "/host:CPU"


@dataclass(frozen=True)
class Span:
    """Something that took time. start: in seconds since that of the recording; told: what is shown with it, integers,
    floats and texts by name."""

    name: str
    start: float
    seconds: float
    told: Mapping[str, Any] = field(default_factory=dict)


def write(logdir: Any, threads: Mapping[str, Sequence[Span]], began: float | None = None) -> Path:
    """Writes spans, by thread, as a new run below a folder; returns the file. began: the time of the start, in seconds
    since 1970; that of now unless given."""
    host = platform.node() or "localhost"
    runs = Path(os.fspath(logdir)) / "plugins" / "profile"
    file = _new_run(runs) / f"{host}.xplane.pb"
    file.write_bytes(wire.field(1, _plane(threads, time.time() if began is None else began)) + _text(4, host))
    return file


def _new_run(runs: Path) -> Path:
    """A new folder, named by the time as TensorFlow does; with a number behind it where that is taken."""
    now, number = time.strftime("%Y_%m_%d_%H_%M_%S"), 0
    while True:
        folder = runs / (f"{now}_{number}" if number else now)
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
        else:
            return folder


class _Names(dict[str, int]):
    """Numbers of names, from 1, in the order in which they are asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self) + 1
        return number

    def written(self, tag: int) -> bytes:
        """The table: a map from the number to a message of number and name."""
        entries = ((n, _number(1, n) + _text(2, name)) for name, n in self.items())
        return b"".join(wire.field(tag, _number(1, n) + wire.field(2, entry)) for n, entry in entries)


def _plane(threads: Mapping[str, Sequence[Span]], began: float) -> bytes:
    names, told = _Names(), _Names()
    lines = [
        wire.field(3, _line(i, thread, spans, began, names, told))
        for i, (thread, spans) in enumerate(threads.items(), 1)
    ]
    return b"".join([_number(1, 1), _text(2, PLANE), *lines, names.written(4), told.written(5)])


def _line(number: int, thread: str, spans: Iterable[Span], began: float, names: _Names, told: _Names) -> bytes:
    events = (wire.field(4, _event(span, names, told)) for span in sorted(spans, key=lambda s: (s.start, -s.seconds)))
    return b"".join([_number(1, number), _text(2, thread), _number(3, round(began * 1e9)), *events])


def _event(span: Span, names: _Names, told: _Names) -> bytes:
    stats = (wire.field(4, _number(1, told[name]) + _value(value)) for name, value in span.told.items())
    times = _number(2, max(0, round(span.start * 1e12))) + _number(3, round(span.seconds * 1e12))
    return _number(1, names[span.name]) + times + b"".join(stats)


def _value(value: Any) -> bytes:
    """What is told: an integer, a float, or its text."""
    if isinstance(value, str | bytes) or not hasattr(value, "__float__"):
        return _text(5, str(value))
    if hasattr(value, "__index__"):
        return _number(4, value.__index__())
    return wire.varint(2 << 3 | wire.FIXED64) + np.float64(value).tobytes()


def _number(tag: int, number: int) -> bytes:
    return wire.varint(tag << 3 | wire.VARINT) + wire.varint(number & 0xFFFFFFFFFFFFFFFF)


def _text(tag: int, text: str) -> bytes:
    return wire.field(tag, text.encode("utf-8", "replace"))
