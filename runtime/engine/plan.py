"""Plans: a graph as one generated Python function over numpy kernels.

    >>> plan = compile_plan(graph)          # s = 0; for i in range(n): s += i
    >>> print(plan.source)
    def triangle(a0):
        v0 = a0.item()
        v1 = 0
        v2 = 0
        for v2 in range(v2, v0):  # while
            v1 = v1 + v2  # add
            ...
    >>> plan.run([np.array(4, np.int32)])
    [array(6, dtype=int32)]

A graph is not walked node by node when it runs: each operation is a statement, loops are Python loops, scalars are
Python numbers. The code is made as text, not as a tree, because it is meant to be read as well as run: what is printed
is what runs, and a line number is all that an error needs to find its operation. The text holds only names and
literals that this package writes itself; nothing of a graph's strings gets into it unquoted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from autograph.depth import raise_limit, restore_limit
from runtime.dtypes import resource
from runtime.engine.calls import Callee, write_function
from runtime.engine.emitter import Emitter
from runtime.engine.failures import explainer
from runtime.engine.handing_over import Begin, nothing
from runtime.engine.lists import as_value
from runtime.engine.made_code import code_of
from runtime.engine.naming import identifier
from runtime.engine.own_lists import own_lists
from runtime.engine.ownership import ownerships
from runtime.engine.values import Block, Storage, Value
from runtime.graph.graph import Graph
from runtime.graph.nesting import drive, nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.kernels.list_value import boxed
from runtime.ops.records.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["NumpyBackend", "Plan", "compile_plan"]

RECURSION: Final = 3
"""How many times as many frames as usual a plan may use that calls functions: the program itself could use them all."""


class Plan:
    """A graph ready to run. It holds no state: it may run in several threads at once, and again after any error."""

    __slots__ = ("_lines", "_operations", "function")

    def __init__(
        self, function: Callable[..., tuple[Array, ...]], lines: Sequence[str], operations: Sequence[Operation | None]
    ) -> None:
        self.function = function
        """The generated function itself: an array for each input, in order; returns a tuple of arrays."""
        self._lines = lines
        self._operations = operations

    def run(self, arrays: Sequence[Array]) -> list[Array]:
        """Runs the plan on an array for each input of the graph; they must have its dtypes and fit its shapes.

        The arrays are never written to. A result may be one of them, or a view of one.
        """
        return list(self.function(*arrays))

    @property
    def source(self) -> str:
        """The generated code, each line with the name of the operation that it runs."""
        shown = [
            f"{line}  # {operation.name}" if operation is not None else line
            for line, operation in zip(self._lines, self._operations, strict=True)
        ]
        return "\n".join(shown) + "\n"


class NumpyBackend:
    """`runtime.backends.Backend`: what is always there. It refuses nothing."""

    def refuses(self, graph: Graph) -> list[tuple[Operation, str]]:
        return []

    def compile(self, graph: Graph, whole: bool = False) -> Plan:
        return compile_plan(graph)


def compile_plan(graph: Graph, begin_of: Callable[[Operation], Begin | None] = nothing) -> Plan:
    """The plan of a graph; time and memory grow linearly with the number of operations. begin_of: for a loop what may
    take it over (runtime.engine.handing_over)."""
    emitter = _emitter_of(graph)
    emitter.begin_of = begin_of
    block = emitter.block = Block(2, 0)
    inputs = [_input(t, block, f"a{i}") for i, t in enumerate(graph.inputs)]
    outputs = drive(emitter.graph(graph, inputs, {}))
    results = [_result(emitter, t, value) for t, value in zip(graph.outputs, outputs, strict=True)]
    block.emit(f"return ({', '.join(results)}{',' if len(results) == 1 else ''})")
    name = identifier(graph.name)
    while name in emitter.names.globals:
        name += "_"
    for callee in emitter.library.values():
        _write_callee(emitter, callee)
    lines, operations = _assemble(emitter, name, len(inputs), block)
    filename = f"<plan of {graph.name}>"
    callees = {callee.name: function for function, callee in emitter.library.items()}
    namespace: dict[str, Any] = emitter.names.globals
    namespace |= {"silence": silence, "restore": restore, "raise_limit": raise_limit, "restore_limit": restore_limit}
    namespace["__name__"] = __name__  # debuggers skip it by the pattern `runtime.*`
    namespace["explain"] = explainer(filename, lines, operations, callees)
    exec(code_of("\n".join(lines), filename), namespace)
    return Plan(namespace.pop(name), lines, operations)


def _input(tensor: SymbolicTensor, block: Block, name: str) -> Value:
    """A parameter of the plan: an array, or the memory of a Variable."""
    if tensor.dtype is resource:
        return Value(tensor, block, Storage(False), scalar=name)
    return Value(tensor, block, Storage(False), array=name)


def _result(emitter: Emitter, tensor: SymbolicTensor, value: Value) -> str:
    kind = emitter.lists.get(id(tensor))
    if kind is None:
        return emitter.array(value)
    return f"{emitter.names.bind(boxed, 'boxed')}({as_value(emitter, emitter.scalar(value), kind)})"


def _emitter_of(graph: Graph) -> Emitter:
    inner = [g for root in (graph, *graph.functions.values()) for g in nested_graphs(root)]
    library: dict[str, Callee] = {}
    emitter = Emitter(ownerships(inner), own_lists(graph), library)
    for name, function in graph.functions.items():
        library[name] = Callee(emitter.names.reserve(name), function)
    return emitter


def _write_callee(emitter: Emitter, callee: Callee) -> None:
    own = Emitter(emitter.ownership, emitter.lists, emitter.library)
    own.names, own.functions = emitter.names, emitter.functions
    write_function(own, callee)
    emitter.can_warn |= own.can_warn


def _assemble(emitter: Emitter, name: str, arity: int, block: Block) -> tuple[list[str], list[Operation | None]]:
    """The lines of the whole program: the function of the graph, then the blocks that it calls."""
    program: list[tuple[int, str, Operation | None]] = [
        (0, f"def {name}({', '.join(f'a{i}' for i in range(arity))}):", None)
    ]
    if emitter.can_warn:
        program.append((1, "quiet = silence()", None))
    if emitter.library:
        program.append((1, f"frames = raise_limit(times={RECURSION})", None))
    program += [
        (1, "try:", None),
        *block.lines,
        (1, "except (Exception, KeyboardInterrupt) as error:", None),
        (2, "explain(error)", None),
        (2, "raise", None),
    ]
    if emitter.can_warn or emitter.library:
        program.append((1, "finally:", None))
    if emitter.library:
        program.append((2, "restore_limit(frames)", None))
    if emitter.can_warn:
        program.append((2, "restore(quiet)", None))
    for header, inner in emitter.functions:
        program += [(0, "", None), (0, header, None), *inner.lines]
    return ["    " * depth + text for depth, text, _ in program], [operation for _, _, operation in program]
