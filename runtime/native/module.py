"""One region as the text of an LLVM module: the loop, the functions that it calls, and what they all need.

    text = module_text(graph)           # a graph of one loop
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.dtypes import DType, resource
from runtime.graph.graph import Graph
from runtime.graph.nesting import drive
from runtime.graph.operation import Operation
from runtime.native.build import Build
from runtime.native.expansion import is_expression
from runtime.native.lists import NO_TYPES, Type, Types
from runtime.native.own_functions import is_slow_elsewhere
from runtime.native.prelude import ENTRY, PRELUDE
from runtime.native.rules import Refused, rule_of
from runtime.native.slots import kinds_of, texts_of, value_of
from runtime.native.types import in_memory, is_supported, words
from runtime.native.values import NativeValue
from runtime.native.writer import Writer, function_text
from runtime.ops.flow.core import constant_node, identity
from runtime.ops.records.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["MOST_STACK", "check_types", "module_text", "refusal"]

MOST_STACK = 1 << 17
"""The bytes of the stack that functions of a region may take; deeper ones are left to the plan, which grows its stack.
The stack of a thread may be small, and nobody knows how small."""


class RegionModule:
    """`runtime.native.build.Module`: the text in the making."""

    def __init__(self, graph: Graph, types: Types, exact: bool = True) -> None:
        self.graph, self.types, self.exact = graph, types, exact
        self.declared: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.waiting: list[str] = []
        self.names = 0

    def declare(self, name: str, text: str) -> None:
        self.declared.setdefault(name, text)

    def new_name(self, hint: str) -> str:
        self.names += 1
        return f"{hint}{self.names}"

    def constant(self, array: Array) -> str:
        name = f"@constant{len(self.declared)}"
        data = "".join(f"\\{byte:02X}" for byte in np.ascontiguousarray(array).tobytes())
        self.declare(name, f'{name} = private constant [{array.nbytes} x i8] c"{data}", align 16')
        return name

    def function(self, operation: Operation) -> str:
        name: str = operation.attributes["function"]
        if name not in self.functions:
            self.functions[name] = f"function{len(self.functions)}"
            self.waiting.append(name)
        return self.functions[name]


def module_text(graph: Graph, types: Types = NO_TYPES, exact: bool = True) -> str:
    """The module of a graph. Raises Refused, which names the operation that cannot be compiled. exact: functions are
    numpy's to the last bit."""
    module = RegionModule(graph, types, exact)
    bodies = [_region(module, graph)]
    while module.waiting:
        name = module.waiting.pop()
        bodies.append(_function(module, graph.functions[name], module.functions[name]))
    return "\n".join([PRELUDE, *module.declared.values(), "", *bodies, ENTRY])


def refusal(operation: Operation, types: Types, exact: bool = True) -> Refused | None:
    """Why an operation without graphs inside cannot be compiled, found by writing it; None if it can."""
    build = Build(RegionModule(Graph(operation.name), types, exact))
    try:
        own = not exact and is_slow_elsewhere(operation)
        if operation.op is not constant_node and rule_of(operation) is None and not (own or is_expression(operation)):
            raise Refused(operation, "there is no machine code for it")
        for tensor in (*operation.inputs, *operation.outputs):
            type_ = _checked_type(operation, tensor, types)
            parts = [f"%{number}" for number in range(len(kinds_of(type_)))]
            build.values[id(tensor)] = value_of(type_, parts, False)
        build.operation(operation, [build.values[id(t)] for t in operation.inputs])
        build.fusion.close(build)
    except Refused as reason:
        return reason
    return None


def check_types(graph: Graph, types: Types) -> None:
    """Raises Refused where an input or output of a graph is nothing that machine code can hold."""
    for tensor in (*graph.inputs, *graph.outputs):
        if tensor.dtype is not resource:  # which is asked about where it is read or written to
            _checked_type(tensor.op, tensor, types)


def _checked_type(operation: Operation, tensor: SymbolicTensor, types: Types) -> Type:
    try:
        type_ = types.of(tensor)
    except Refused as reason:
        raise Refused(operation, reason.reason) from None
    if not is_supported(type_.dtype):
        raise Refused(operation, f"values of {type_.dtype.name} are not compiled")
    if type_.shape.dims is None:
        raise Refused(operation, "the number of its axes is not known")
    return type_


def _region(module: RegionModule, graph: Graph) -> str:
    """The function that finds its inputs in an array of words, and leaves its outputs in another one."""
    check_types(graph, module.types)
    build = Build(module)
    build.results = _results(graph)
    w, inputs, place = build.w, list[NativeValue](), 0
    for type_ in map(module.types.of, graph.inputs):
        parts = []
        for kind in kinds_of(type_):
            parts.append(_word(w, "%arguments", place, kind, type_.dtype))
            place += words(kind)
        inputs.append(value_of(type_, parts, type_.shape.rank != 0))
    outputs = drive(build.graph(graph, inputs))
    place = 0
    for tensor, value in zip(graph.outputs, outputs, strict=True):
        type_ = module.types.of(tensor)
        for kind, text in zip(kinds_of(type_), texts_of(value, type_), strict=True):
            address = w.let(f"getelementptr i64, ptr %results, i64 {place}")
            place += words(kind)
            if kind == "i1":
                kind, text = "i8", w.let(f"zext i1 {text} to i8")
            w.do(f"store {kind} {text}, ptr {address}{', align 8' if words(kind) > 1 else ''}")
    w.do("ret i1 false")
    return function_text("region", "ptr %context, ptr %arguments, ptr %results", w)


def _results(graph: Graph) -> set[int]:
    """By their ids the tensors whose arrays the region gives, also under another name."""
    found: set[int] = set()
    for tensor in graph.outputs:
        found.add(id(tensor))
        while tensor.op.op is identity:
            (tensor,) = tensor.op.inputs
            found.add(id(tensor))
    return found


def _word(w: Writer, base: str, place: int, kind: str, dtype: DType) -> str:
    address = w.let(f"getelementptr i64, ptr {base}, i64 {place}")
    stored = in_memory(dtype) if kind == "i1" else kind
    text = w.let(f"load {stored}, ptr {address}{', align 8' if words(kind) > 1 else ''}")
    return text if stored == kind else w.let(f"icmp ne {stored} {text}, 0")


def _function(module: RegionModule, graph: Graph, name: str) -> str:
    """A function of the library: parts of its arguments as parameters, and where the parts of its results go."""
    check_types(graph, module.types)
    build = Build(module)
    w, inputs, parameters = build.w, list[NativeValue](), ["ptr %context"]
    for number, type_ in enumerate(map(module.types.of, graph.inputs)):
        names = [f"%a{number}_{i}" for i in range(len(kinds_of(type_)))]
        parameters += [f"{kind} {text}" for kind, text in zip(kinds_of(type_), names, strict=True)]
        inputs.append(value_of(type_, names, type_.shape.rank != 0))
    base = w.let(f"load i64, ptr {w.let('getelementptr %context_type, ptr %context, i32 0, i32 3')}, !tbaa !11")
    here = w.let(f"ptrtoint ptr {w.let('call ptr @llvm.frameaddress.p0(i32 0)')} to i64")
    w.fail_if(w.let(f"icmp sgt i64 {w.let(f'sub i64 {base}, {here}')}, {MOST_STACK}"))
    w.fail_if(w.let("call i1 @called(ptr %context)"))
    outputs: Sequence[NativeValue] = drive(build.graph(graph, inputs))
    for number, (tensor, value) in enumerate(zip(graph.outputs, outputs, strict=True)):
        type_ = module.types.of(tensor)
        for i, (kind, text) in enumerate(zip(kinds_of(type_), texts_of(value, type_), strict=True)):
            parameters.append(f"ptr %r{number}_{i}")
            w.do(f"store {kind} {text}, ptr %r{number}_{i}")
    w.do("ret i1 false")
    return function_text(name, ", ".join(parameters), w)
