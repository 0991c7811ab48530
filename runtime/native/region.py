"""A region of a graph at work: machine code where that comes to its end, the plan over numpy where it gives up.

    region = Region(graph)              # of one operation; raises Refused
    region(array, number)               # arrays and numbers for the outputs
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, bool_
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.native.builtin import builtin_text, takes_only_numbers
from runtime.native.compiler import Code, compile_module
from runtime.native.module import module_text
from runtime.native.slots import kinds_of
from runtime.ops.control import while_node
from runtime.ops.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Region"]

_HEADER: Final = 4
"""The words of a header: holders, kind, and two that arrays of numpy's do not need."""

_WORD: Final = 8

_BY_WIDTH: Final = {"l": "q", "L": "Q"}
"""How `struct` calls what C calls long, where that has 64 bits."""


class Region:
    """See the module's docstring."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.text = module_text(graph)
        if takes_only_numbers(graph.inputs, graph.outputs):
            self.text += builtin_text(graph.inputs, graph.outputs)
        self._code: Code | None = None
        self.given_up = 0
        """How many runs the machine code did not bring to an end."""
        self._fallback = compile_plan(graph).function  # now, as settings say it now
        self._taken = _taken(graph)
        """For each input whether it is an array that the region writes to, so that it gets a copy."""
        self._given = struct.Struct("=" + "".join(_format(t) for t in graph.inputs))
        self._made = struct.Struct("=" + "".join(_format(t) for t in graph.outputs))
        self._words = self._given.size // _WORD
        self._headers = self._words + self._made.size // _WORD
        self._size = _WORD * (self._headers + _HEADER * sum(self._taken))

    def prepare(self) -> Code:
        """Makes the machine code, if there is none yet."""
        if self._code is None:
            self._code = compile_module(self.text)
        return self._code

    @property
    def function(self) -> Callable[..., Any]:
        """What a plan calls: the machine code itself, where it takes and gives numbers alone."""
        return self.prepare().call or self

    @property
    def again(self) -> Callable[..., Any] | None:
        """What a plan calls where machine code has given None."""
        return self._give_up if self.prepare().call is not None else None

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        code = self._code or self.prepare()
        if code.call is not None:
            numbers = [v.item() if isinstance(v, np.ndarray | np.generic) else v for v in values]
            made: tuple[Any, ...] | None = code.call(*numbers)
            return made or self._give_up(*values)
        if any(isinstance(value, np.ndarray) and not value.flags.c_contiguous for value in values):
            return self._run_by_plan(values)  # numpy's loops may round in another way where elements have gaps
        memory = bytearray(self._size)
        base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        parts, kept = self._parts(values, memory, base)
        self._given.pack_into(memory, 0, *parts)
        if code.entry(base, base + _WORD * self._words):
            return self._give_up(*values)
        return self._results(code, memory, kept)

    def _give_up(self, *values: Any) -> tuple[Any, ...]:
        """What the plan makes of it, or raises."""
        self.given_up += 1
        return self._run_by_plan(values)

    def _parts(self, values: Sequence[Any], memory: bytearray, base: int) -> tuple[list[Any], dict[int, Array]]:
        """The words of the inputs, and the arrays that they lead to by their addresses."""
        parts: list[Any] = []
        kept: dict[int, Array] = {}
        header = self._headers
        for tensor, value, taken in zip(self.graph.inputs, values, self._taken, strict=True):
            if not tensor.shape.dims:
                parts.append(value.item() if isinstance(value, np.ndarray | np.generic) else value)
                continue
            array = value.copy() if taken else np.asarray(value)
            address = array.__array_interface__["data"][0]
            kept[address] = array
            parts += [address, base + _WORD * header if taken else 0]
            if taken:
                struct.pack_into("=qq", memory, _WORD * header, 1, 1)
                header += _HEADER
            parts += [n for n, dim in zip(array.shape, tensor.shape.dims, strict=True) if dim is None]
        return parts, kept

    def _results(self, code: Code, memory: bytearray, kept: dict[int, Array]) -> tuple[Any, ...]:
        words = iter(self._made.unpack_from(memory, _WORD * self._words))
        results: list[Any] = []
        made: dict[int, Array] = {}
        for tensor in self.graph.outputs:
            dims, dtype = tensor.shape.dims, tensor.dtype.numpy
            if not dims:
                results.append(next(words))
                continue
            address, header = next(words), next(words)
            shape = tuple(next(words) if dim is None else dim for dim in dims)
            known = kept.get(address)
            if known is None or known.shape != shape:
                known = _copied(address, shape, dtype)
                if header:
                    made[header] = known
            results.append(known)
        for header in made:
            if ctypes.c_int64.from_address(header + _WORD).value == 0:
                code.dispose(header)
        return tuple(results)

    def _run_by_plan(self, values: Sequence[Any]) -> tuple[Any, ...]:
        arrays = [np.asarray(v, t.dtype.numpy) for v, t in zip(values, self.graph.inputs, strict=True)]
        made = zip(self._fallback(*arrays), self.graph.outputs, strict=True)
        return tuple([array if t.shape.dims else np.asarray(array).item() for array, t in made])


def _copied(address: int, shape: tuple[int, ...], dtype: Any) -> Array:
    """An array with the elements that lie at an address."""
    count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if not count:
        return np.empty(shape, dtype)
    raw = (ctypes.c_char * count).from_address(address)
    return np.frombuffer(raw, dtype).reshape(shape).copy()


def _taken(graph: Graph) -> list[bool]:
    """For each input whether it is the first state of a loop that changes it."""
    changed: set[int] = set()
    for operation in graph.operations:
        if operation.op is while_node:
            body = operation.attributes["body_graph"]
            states = zip(operation.inputs, body.inputs, body.outputs, strict=False)
            changed |= {id(given) for given, before, after in states if before is not after}
    return [bool(t.shape.rank) and id(t) in changed for t in graph.inputs]


def _format(tensor: SymbolicTensor) -> str:
    """The words of a value, as `struct` writes them."""
    return "".join(_of_number(tensor.dtype) if kind not in ("ptr", "i64") or not tensor.shape.dims else "q"
                   for kind in kinds_of(tensor))  # fmt: skip


def _of_number(dtype: DType) -> str:
    """A number at the beginning of a word."""
    kind = "?" if dtype is bool_ else np.dtype(dtype.numpy).char
    return f"{_BY_WIDTH.get(kind, kind)}{_WORD - dtype.size}x"
