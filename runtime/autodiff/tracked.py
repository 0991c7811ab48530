"""What a tape has recorded: `EagerTracks` of operations that have run, `GraphTracks` of those of a graph.

A tensor is known by its id; in a graph what captures it counts as the tensor itself. A Variable is known by its memory,
in a graph by its handle. What does not come from something that is watched is not kept.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from autograph.errors import StagingError
from runtime.autodiff.handlers import unknown_reads, why_unknown
from runtime.autodiff.places import capture_key, chain_of_graphs, loop_states
from runtime.autodiff.rules import Recorded, carries
from runtime.context import current_recorder, outwards
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.state import read_variable
from runtime.state.variable import Variable
from runtime.tensor.convert import as_operand
from runtime.tensor.eager import EagerTensor
from runtime.tensor.leaks import leak
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.taping import Record
from runtime.tensor.tensor import Tensor

__all__ = ["EagerTracks", "GraphTracks", "refuse_within"]

Loose = tuple[Any, str]
"""A tensor whose origin is not known where a gradient is asked for, and what to say if the gradient flows there."""


class EagerTracks:
    """Operations that have run on what is watched, and on what came of it."""

    graph = None

    def __init__(self) -> None:
        self.paused = False
        self.clear()

    def goes_on_in(self, graph: Any) -> bool:
        """Whether what is recorded there belongs to this, too. Raises StagingError if what is known would be lost."""
        if graph is not None and self._records:
            refuse_within("with", "open another one there")
        return graph is None

    def clear(self) -> None:
        """Forgets everything."""
        self.variables: dict[int, Variable] = {}
        self.release()

    def release(self) -> None:
        """Forgets what was recorded, but not which Variables were met."""
        self._known: dict[int, Any] = {}
        self._records: list[Recorded] = []

    def note(self, record: Record) -> None:
        """An operation has run."""
        known = self._known
        if record.op.no_gradient is None and any(id(t) in known for t in record.inputs):
            carried = [t for t in record.outputs if carries(t)]
            if carried:
                known.update((id(t), t) for t in carried)
                self._records.append(record)

    def note_read(self, variable: Variable, tensor: Tensor, watch: bool) -> None:
        """A Variable was read; `watch`: and is watched from now on."""
        if type(tensor) is not EagerTensor:
            return
        memory = variable._memory
        if watch:
            self.watch(variable)
        if id(memory) in self._known:
            self.note(Record(read_variable, (memory,), {}, (tensor,)))

    def watch(self, value: Tensor | Variable) -> None:
        """From now on what depends on it is kept."""
        if isinstance(value, SymbolicTensor):
            raise leak(value, "watched")
        if isinstance(value, Variable):
            self.variables.setdefault(id(value._memory), value)
        source = self.source(value)
        self._known[id(source)] = source

    def knows(self, value: Any) -> bool:
        """Whether a tensor, or the memory of a Variable, is watched or came from what is."""
        return id(value) in self._known

    def source(self, value: Tensor | Variable) -> Any:
        """What stands for it in the records."""
        return value._memory if isinstance(value, Variable) else value

    def target(self, value: Any, watch: bool) -> Any:
        """The tensor of which a gradient is wanted; `watch`: a Variable counts as one that was read before."""
        if isinstance(value, Variable):
            tensor = value.value()
            self.note_read(value, tensor, watch)
            return tensor
        return _tensor(value)

    def key(self) -> Callable[[Any], int]:
        """What identifies tensors."""
        return id

    def records(self) -> tuple[Sequence[Recorded], set[int], list[Loose]]:
        """What was kept, the keys of all that is watched or came from what is, and what is loose: nothing."""
        return list(self._records), set(self._known), []


class GraphTracks:
    """Operations that were recorded in a graph, and the graphs inside of it that are being traced.

    home: the graph in which a tape was made that keeps what it has recorded, else this one.
    """

    def __init__(self, graph: Any, home: Any) -> None:
        self.graph: Graph = graph
        self._opened: Graph = graph
        self._home = home
        self.paused = False
        self.clear()

    def goes_on_in(self, graph: Any) -> bool:
        """Whether what is recorded there belongs to this, too: in the same graph, or one that is traced within it."""
        return any(outer is self.graph for outer in chain_of_graphs())

    def clear(self) -> None:
        """Forgets everything."""
        self.variables: dict[int, Variable] = {}
        self.release()

    def release(self) -> None:
        """Forgets what was recorded, but not which Variables were met."""
        self._events: list[Operation | SymbolicTensor] = []  # what is recorded, and what is watched from there on

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """The graph that records tells of its operations inside the block, and so do those that are traced within."""
        graph: Any = current_recorder()
        self._opened, graph.recording.guards = graph, (*graph.recording.guards, self)
        try:
            yield
        finally:
            graph.recording.guards = tuple(guard for guard in graph.recording.guards if guard is not self)

    def __call__(self, operation: Operation) -> None:
        """An operation is recorded: `runtime.graph.recording.Guard`."""
        if not self.paused and operation.op is not placeholder:
            self._events.append(operation)

    def note_read(self, variable: Variable, tensor: Tensor, watch: bool) -> None:
        """A Variable was read; `watch`: and is watched from now on."""
        if watch and isinstance(tensor, SymbolicTensor):
            known = self.variables.setdefault(id(variable._memory), variable)
            if known is variable:  # the read has just been recorded
                self._events.insert(-1, variable._handle(self.graph))

    def watch(self, value: Tensor | Variable) -> None:
        """From now on what depends on it is kept."""
        if isinstance(value, Variable):
            self.variables.setdefault(id(value._memory), value)
        if isinstance(value, EagerTensor):
            self.graph.recording.lift(value)
        source = self.source(value)
        assert source is not None
        if source.op.graph is not self._opened and self._opened in outwards(source.op.graph):
            refuse_within("watch", "watch what the statement starts from, before it")
        self._events.append(source)

    def source(self, value: Tensor | Variable) -> SymbolicTensor | None:
        """What stands for it in the graph; None for a value that the graph has not met."""
        if isinstance(value, Variable):
            return value._handle(self.graph)
        if isinstance(value, EagerTensor):
            return self.graph.recording.lifted(value)
        assert isinstance(value, SymbolicTensor)
        return value

    def target(self, value: Any, watch: bool) -> Any:
        """The tensor of which a gradient is wanted; `watch`: a Variable counts as one that was read before."""
        if isinstance(value, Variable):
            tensor: Any = value.value()
            if tensor.op not in self._events[-1:]:
                self._events.append(tensor.op)
            self.note_read(value, tensor, watch)
            return tensor
        tensor = _tensor(value)
        return self.graph.recording.lifted(tensor) if isinstance(tensor, EagerTensor) else tensor

    def key(self) -> Callable[[Any], int]:
        """What identifies tensors: an input that captures a tensor stands for that one."""
        return capture_key()

    def records(self) -> tuple[Sequence[Recorded], set[int], list[Loose]]:
        """The operations that depend on what was watched before, the keys of all that does, and what is loose."""
        key, chain = self.key(), set(map(id, chain_of_graphs()))
        loose = self._loose()
        known: set[int] = {key(t) for t, _ in loose}
        kept: list[Recorded] = []
        for event in self._events:
            if isinstance(event, SymbolicTensor):
                known.add(key(event))
            elif id(event.graph) in chain and event.op.no_gradient is None:
                carried = [t for t in event.outputs if carries(t)]
                if carried and any(key(t) in known for t in event.inputs):
                    known.update(map(key, carried))
                    kept.append(event)
        return kept, known, loose

    def _loose(self) -> list[Loose]:
        """The state of loops that are being traced and began after the tape, and what a handler has from the body."""
        chain = chain_of_graphs()
        states = loop_states(chain, self._home)
        reads = unknown_reads(self._events, chain, states)
        return [*((t, _LOOP) for t in states), *((read.outputs[0], why_unknown(read)) for read in reads)]


def refuse_within(what: str, remedy: str) -> None:
    """Raises StagingError: what would hold for some iterations or one branch, of a tape that is open around them."""
    raise StagingError(
        f"{what}: the tape was opened before a staged loop or branch (or Function), and records that as a whole; open"
        f" the tape inside of it, or {remedy}"
    )


_LOOP: Final = (
    "gradient: the target depends on a variable that a staged loop changes, and the tape was opened before the loop, or"
    " made before it and keeps what it records: the gradient would flow through earlier iterations, which are not there"
    " while the loop's body is traced. Make the tape inside of the loop, or ask for the gradient after the loop"
)


def _tensor(value: Any) -> Tensor:
    value = as_operand(value)  # what may be None in the program's eyes is taken as the tensor that it is
    if not isinstance(value, Tensor):
        raise TypeError(f"gradient: a target is a tensor or a Variable; got {value!r}")
    return value

