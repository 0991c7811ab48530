"""The objects of a saved model as a list of nodes, which name each other by their numbers; the root is number 0.

    {"kind": "module", "class": "Model", "name": "model", "attributes": [["w", {"object": 1}], ["size", 3]], ...}
    {"kind": "variable", "name": "w:0", "dtype": "float32", "shape": [3], "trainable": true, "array": "arrays/0"}
    {"kind": "function", "name": "step", "signature": 0, "traces": [0, 1]}

What Python code refers to twice is one node. Attributes are plain values, tensors, Variables, Functions, traces, and
other objects, lists and dicts; for the others there is a note of what they were.
"""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from types import FunctionType, MethodType
from typing import Any, Final

import numpy as np

from runtime.dtypes import from_numpy
from runtime.function.concrete import ConcreteFunction
from runtime.function.function import Function
from runtime.function.signature import Signature
from runtime.graph.graph import Graph
from runtime.graph.literals import print_array, print_type
from runtime.heap.code import is_user_class
from runtime.ops.records.record import Array
from runtime.saved_model.arrays import Memories, describe_view
from runtime.saved_model.functions import current_traces
from runtime.saved_model.graphs import describe_graph
from runtime.saved_model.loaded_objects import NotSaved, is_loaded, kind_of, origin_of
from runtime.saved_model.rules import with_rules
from runtime.saved_model.signatures import describe_signature, describe_spec
from runtime.saved_model.traces import COMPOSITES, Writing, describe_trace
from runtime.saved_model.values import NotSavable, describe, described_dims
from runtime.shapes import TensorShape
from runtime.state.module import Module
from runtime.state.variable import Variable
from runtime.tensor.eager import EagerTensor

__all__ = ["Tree", "is_savable_object"]

CONTAINERS: Final = frozenset({list, dict, OrderedDict})
"""What several attributes may share, and change."""

LEFT_OUT: Final = frozenset({"_module_name", "_module_scope"})
"""Attributes that a node has in other places."""

OTHERS: Final = (
    type, FunctionType, MethodType, BaseException, Enum, int, float, complex, str, bytes, bytearray, list, tuple,
    Mapping, set, frozenset, np.ndarray,
)  # fmt: skip
"""Objects that are more than their attributes."""

LARGE: Final = 64
"""Arrays with more elements are kept beside the text of a graph."""


def is_savable_object(value: Any) -> bool:
    """Whether it is an object whose attributes are saved: a module, or one of a class of the program."""
    if isinstance(value, Module):
        return True
    return hasattr(value, "__dict__") and not isinstance(value, OTHERS) and is_user_class(type(value))


class Tree:
    """The nodes of a saved model, its traces, and the arrays of both; built from the root on."""

    def __init__(self, root: Any, rules: bool = True) -> None:
        """rules: whether those of custom gradients are saved."""
        self.root = root
        self._with_rules = rules
        self.arrays: dict[str, Array] = {}
        self.nodes: list[Any] = []
        self.traces: list[Any] = []
        self.signatures: list[Any] = []
        self.graphs: list[Any] = []
        self._numbers: dict[Any, int] = {}
        self._objects: list[Any] = []
        self._found: dict[int, tuple[Function[..., Any], list[ConcreteFunction]]] = {}
        self._memories = Memories()
        self._kept: dict[int, tuple[Any, Any]] = {}
        """By its id: an object that must live while its id stands for it, and what was made of it."""

    # -- what there is ---------------------------------------------------------------------------------------------

    def collect(self) -> None:
        """Numbers all objects. Functions with an input_signature that have no trace are traced, and stale ones again.

        What that creates is found, too.
        """
        while True:
            self._numbers, self._objects = {}, []
            self._number(self.root)
            position, before = 0, (len(self._found), len(self._memories))
            while position < len(self._objects):
                for part in self._parts(self._objects[position]):
                    self._refer(part)
                position += 1
            for value in self._objects:
                if isinstance(value, Function):
                    self.traces_of(value)
            self._memories.note([v for v in self._objects if isinstance(v, np.ndarray)], self._all_traces())
            if (len(self._found), len(self._memories)) == before:
                return

    def _all_traces(self) -> Iterator[ConcreteFunction]:
        for _, traces in self._found.values():
            yield from traces
        yield from (value for value in self._objects if isinstance(value, ConcreteFunction))

    def traces_of(self, function: Function[..., Any]) -> list[ConcreteFunction]:
        """The traces of a Function, as they would serve a call now."""
        known = self._found.get(id(function._traces))
        if known is None:
            traces = current_traces(function)
            known = self._found[id(function._traces)] = function, traces
        return known[1]

    def _parts(self, value: Any) -> Iterator[Any]:
        """What is reached from an object at once."""
        if isinstance(value, list):
            yield from value
        elif isinstance(value, dict):
            yield from (*value.keys(), *value.values())
        elif isinstance(value, np.ndarray):
            memory = self._memories.of(value)
            yield from () if memory is None or memory is value else (memory,)
        elif not isinstance(value, Function | ConcreteFunction | Variable | EagerTensor | np.generic):
            yield from dict(self.attributes(value)).values()

    def attributes(self, value: Any) -> list[tuple[str, Any]]:
        """The attributes of an object that are its own, then its methods that are Functions, then what it says."""
        found = {name: part for name, part in vars(value).items() if _is_attribute(name)}
        if value is self.root:
            found.pop("signatures", None)  # those of the model; `save` does not allow another attribute of that name
        for name, function in _methods(value):
            found.setdefault(name, function)
        more = getattr(type(value), "__saved_functions__", None)
        if more is not None:
            for name, function in self._once(value, lambda: more(value)).items():
                found.setdefault(name, function)
        return list(found.items())

    def _refer(self, value: Any) -> Any:
        """The value as a part of another one."""
        try:
            return describe(value, self._leaf, own=CONTAINERS)
        except NotSavable:  # it is nested too deep
            return {"lost": _words(value)}

    def _leaf(self, value: Any) -> Any:
        if _has_node(value):
            return {"object": self._number(value)}
        for head, kind in COMPOSITES.items():
            if isinstance(value, kind):
                return {head: [describe(part, self._leaf) for _, part in value._nest_parts()]}
        try:
            return describe_spec(value)
        except NotSavable:
            return {"lost": value.what if isinstance(value, NotSaved) else _words(value)}

    def _number(self, value: Any) -> int:
        key = _identity(value)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._objects)
            self._objects.append(value)
        return number

    def number_of(self, value: Any) -> int | None:
        """The number of an object; None if it is none of this tree."""
        return self._numbers.get(_identity(value))

    def number_of_memory(self, array: Array) -> int | None:
        """The number of what has the memory of an array; None if it is none of this tree."""
        memory = self._memories.of(array)
        return None if memory is None else self.number_of(memory)

    # -- as JSON ---------------------------------------------------------------------------------------------------

    def describe(self) -> None:
        """Fills `nodes`, `traces`, `signatures` and `arrays`. Raises NotSavable."""
        self.nodes += map(self._node, self._objects)

    def trace(self, trace: ConcreteFunction) -> int:
        """The number of a trace among those that are saved. Raises NotSavable."""

        def make() -> int:
            writing = Writing(self.number_of, self.number_of_memory, self._signature, self._graph)
            try:
                self.traces.append(describe_trace(trace, writing))
            except NotSavable as problem:
                raise NotSavable(f"{trace.header} cannot be saved: {problem}") from None
            return len(self.traces) - 1

        return self._once(trace, make)

    def _signature(self, signature: Signature) -> int:
        def make() -> int:
            self.signatures.append(describe_signature(signature, self._known))
            return len(self.signatures) - 1

        return self._once(signature, make)

    def _graph(self, graph: Graph) -> int:
        def make() -> int:
            self.graphs.append(describe_graph(with_rules(graph) if self._with_rules else graph, self.keep))
            return len(self.graphs) - 1

        return self._once(graph, make)

    def _known(self, value: Any) -> Any:
        number = self.number_of(value)
        if number is None or isinstance(value, Function | ConcreteFunction):
            raise NotSavable("it is no part of what is saved")
        return {"object": number}

    def keep(self, array: Array) -> str:
        """What stands for an array in the text of a graph."""
        dtype = from_numpy(array.dtype)
        if dtype is None or array.size <= LARGE or dtype.family in ("string", "variant"):
            return print_array(array)
        return f'array {print_type(dtype, TensorShape(array.shape))} @"{self._array(array)}"'

    def _array(self, array: Array) -> str:
        """The name of an array, of which there is one in the file."""

        def make() -> str:
            name = f"arrays/{len(self.arrays)}"
            self.arrays[name] = array
            return name

        return self._once(array, make)

    def _once(self, value: Any, make: Callable[[], Any]) -> Any:
        found = self._kept.get(id(value))
        if found is None:
            found = self._kept[id(value)] = value, make()
        return found[1]

    def _node(self, value: Any) -> Any:
        if isinstance(value, Variable):
            memory = value._memory
            return {
                "kind": "variable", "name": memory.name, "dtype": memory.dtype.name,
                "shape": described_dims(memory.shape), "trainable": memory.trainable,
                "array": self._array(memory.read()),
            }  # fmt: skip
        if isinstance(value, np.ndarray) and (owner := self._memories.of(value)) is not None and owner is not value:
            return describe_view(value, owner, self._number(owner))
        if isinstance(value, EagerTensor | np.ndarray):
            kind, array = ("tensor", value._array) if isinstance(value, EagerTensor) else ("array", np.asarray(value))
            return {"kind": kind, "array": self._array(array)}
        if isinstance(value, np.generic):
            return {"kind": "number", "array": self._array(np.asarray(value))}
        if isinstance(value, Function):
            traces = [self.trace(trace) for trace in self.traces_of(value)]
            signature = self._signature(value._tracer.signature)
            return {"kind": "function", "name": value._name, "signature": signature, "traces": traces}
        if isinstance(value, ConcreteFunction):
            return {"kind": "trace", "trace": self.trace(value)}
        if isinstance(value, list):
            return {"kind": "list", "items": [self._refer(item) for item in value]}
        if isinstance(value, dict):
            kind = "ordered" if isinstance(value, OrderedDict) else "dict"
            return {"kind": kind, "items": [[self._refer(k), self._refer(v)] for k, v in value.items()]}
        return self._object(value)

    def _object(self, value: Any) -> Any:
        loaded = is_loaded(value)
        node: dict[str, Any] = {
            "kind": kind_of(value),
            "class": origin_of(value).class_name if loaded else type(value).__name__,
            "attributes": [[name, self._refer(part)] for name, part in self.attributes(value)],
        }
        if loaded:
            node["attributes"] += [[name, {"lost": what}] for name, what in origin_of(value).lost.items()]
        if isinstance(value, Module):
            node |= {
                "name": value.name, "by_name": value._listed_by_name, "freezes": getattr(value, "_freezes", False),
            }  # fmt: skip
        return node


def _is_attribute(name: Any) -> bool:
    return type(name) is str and name not in LEFT_OUT and (name == "__call__" or not name.startswith("__"))


def _methods(value: Any) -> Iterator[tuple[str, Function[..., Any]]]:
    """The Functions among the attributes of the class. Nothing else of the class is asked for."""
    for name in sorted(dir(type(value))):
        found = inspect.getattr_static(type(value), name, None)
        if isinstance(found, staticmethod):
            found = found.__func__
        if isinstance(found, Function):
            yield name, getattr(value, name)


def _has_node(value: Any) -> bool:
    if isinstance(value, list | dict | Variable | Function | ConcreteFunction):
        return True
    if isinstance(value, EagerTensor):
        return value.dtype.family not in ("variant", "resource")
    if isinstance(value, np.ndarray | np.generic):
        return from_numpy(value.dtype) is not None and value.dtype.names is None
    return is_savable_object(value)


def _identity(value: Any) -> Any:
    if isinstance(value, Variable):
        return "variable", id(value._memory)
    if isinstance(value, Function):
        return "function", id(value._traces)
    return "object", id(value)


def _words(value: Any) -> str:
    name = getattr(value, "__qualname__", None)
    kind = type(value).__name__
    return f"{kind} {name}" if isinstance(name, str) else f"object of type {kind}"
