"""`profile`: one run of a Function, operation by operation, and what it tells of the lines of the program.

    found = runtime.profiler.profile(step, x, y)
    print(found)                        # the lines that take most, with their times, shares and the bytes they make
    print(found.source())               # the program, with the share of each line before it
    found.write_flame("step.folded")    # for flamegraph.pl, speedscope, inferno: stacks of lines, with microseconds
    found.write_trace("step.json")      # for Perfetto and chrome://tracing: when each operation ran
    found.write_tensorboard("logs")     # the same for TensorBoard
    found                               # in a notebook: the graph with its hot path in colour

The graph is run once, operation by operation, as the backend "interpreter" does; what is measured are its kernels. What
plans and machine code join or leave out costs less there, so the shares tell where to look, not what a call takes. The
bytes are those of the arrays that a line makes, in all turns of its loops; plans use memory again where they can.
"""

from __future__ import annotations

import json
import linecache
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runtime.graph.location import Location
from runtime.graph.operation import Operation
from runtime.library.profiler.spaces import Span, write
from runtime.ops.flow.control import call_node

if TYPE_CHECKING:
    from runtime.graph.graph import Graph

__all__ = ["LineTime", "Profile", "profile"]

_UNITS = ("B  ", "KiB", "MiB", "GiB", "TiB")


@dataclass(frozen=True)
class LineTime:
    """A line of the program. seconds: those of its operations; operations: how many of them the graph has; bytes: of
    the arrays that they make."""

    filename: str
    lineno: int
    function: str
    seconds: float
    operations: int
    bytes: int

    @property
    def text(self) -> str:
        """The line itself."""
        return linecache.getline(self.filename, self.lineno).strip()


@dataclass(frozen=True)
class Profile:
    """What one run of a graph took. times: seconds by operation; bytes: of the arrays that each made."""

    graph: Graph
    times: Mapping[Operation, float]
    bytes: Mapping[Operation, int]
    spans: Sequence[tuple[Operation, float, float]]
    """When each operation ran, for the first 200,000: the start, and how long it took, in seconds."""

    @property
    def seconds(self) -> float:
        """All of it."""
        return sum(self.times.values())

    def lines(self) -> Sequence[LineTime]:
        """The lines of the program, the one that takes most first."""
        seconds: Counter[Location] = Counter()
        operations: Counter[Location] = Counter()
        made: Counter[Location] = Counter()
        for operation, taken in self.times.items():
            if operation.location is not None:
                seconds[operation.location] += taken  # type: ignore[assignment]  # a Counter of floats
                operations[operation.location] += 1
                made[operation.location] += self.bytes.get(operation, 0)
        ranked = sorted(seconds, key=lambda place: (-seconds[place], place.filename, place.lineno))
        return [LineTime(at.filename, at.lineno, at.function, seconds[at], operations[at], made[at]) for at in ranked]

    def __str__(self) -> str:
        whole = self.seconds or 1.0
        rows = [
            f"{line.seconds * 1e3:10.3f} ms {line.seconds / whole:6.1%} {_size(line.bytes)}"
            f"  {Path(line.filename).name}:{line.lineno} in {line.function}  {line.text}"
            for line in self.lines()
        ]
        head = f"{self.seconds * 1e3:10.3f} ms 100.0% {_size(sum(self.bytes.values()))}  {self.graph.name}"
        return "\n".join([head, *rows])

    def source(self) -> str:
        """The functions of the program that were run, line by line, each with its share of the time before it."""
        taken: dict[str, dict[int, float]] = {}
        for line in self.lines():
            taken.setdefault(line.filename, {})[line.lineno] = line.seconds / (self.seconds or 1.0)
        parts = []
        for filename, shares in taken.items():
            parts.append(filename)
            for number in range(min(shares), max(shares) + 1):
                share = f"{shares[number]:6.1%}" if number in shares else " " * 6
                parts.append(f"{share} {number:5}  {linecache.getline(filename, number).rstrip()}".rstrip())
        return "\n".join(parts)

    def write_flame(self, path: str | Path) -> None:
        """Writes stacks of lines, outermost first, with their microseconds: the folded form that flame graphs take."""
        stacks: Counter[str] = Counter()
        for operation, taken in self.times.items():
            if operation.location is not None:
                calls = [f"{at.function} ({Path(at.filename).name}:{at.lineno})" for at in operation.location.lines()]
                stacks[";".join([*calls, operation.op.name]).replace(" ", "_")] += round(taken * 1e6)
        lines = [f"{stack} {count}\n" for stack, count in sorted(stacks.items())]
        Path(path).write_text("".join(lines), encoding="utf-8")

    def write_trace(self, path: str | Path) -> None:
        """Writes when each operation ran as trace events in JSON, which Perfetto and chrome://tracing show."""
        events = [
            {
                "name": operation.op.name, "ph": "X", "pid": 0, "tid": 0, "ts": start * 1e6, "dur": taken * 1e6,
                "args": {"line": str(operation.location or ""), "name": operation.name},
            }
            for operation, start, taken in self.spans
        ]  # fmt: skip
        Path(path).write_text(json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}), encoding="utf-8")

    def write_tensorboard(self, logdir: str | Path) -> None:
        """Writes when each operation ran as a new run below a folder, for TensorBoard's profiler."""
        spans = [
            Span(operation.op.name, start, taken, {"line": str(operation.location or ""), "name": operation.name})
            for operation, start, taken in self.spans
        ]
        write(logdir, {self.graph.name: spans})

    def _repr_html_(self) -> str:
        return self.graph._as_html(self.times)


def profile(function: Any, *args: Any, **kwargs: Any) -> Profile:
    """Runs a Function, or a ConcreteFunction, once with these arguments. Variables are written as in a call.

    Raises what a call raises.
    """
    concrete = function if hasattr(function, "operation_times") else function.get_concrete_function(*args, **kwargs)
    times = concrete.operation_times(*args, **kwargs)
    own = {op: seconds for op, seconds in times.items() if op.op is not call_node}
    spans = [span for span in times.spans if span[0] in own]
    return Profile(concrete.graph, own, {op: times.bytes[op] for op in own}, spans)


def _size(count: int) -> str:
    """Bytes, in the unit that fits, ten characters wide."""
    exponent = max(0, min(4, (count.bit_length() - 1) // 10))
    number = count / 1024**exponent
    return f"{number:6.0f} {_UNITS[exponent]}" if exponent == 0 else f"{number:6.1f} {_UNITS[exponent]}"
