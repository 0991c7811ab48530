"""`Build`: where lowerings write nodes. It keeps names apart, writes constants once, and casts for kernels.

    value = build.node("Unsqueeze", x, build.integers([0]))
    same = build.node("Where", mask, x, y, typed=(1, 2))           # its dtype is that of the operands 1 and 2
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, bool_, from_numpy, int64
from runtime.exits.onnx.kernels import TYPES, wider
from runtime.exits.onnx.list_kinds import Kind
from runtime.exits.onnx.nodes import ELEMENT_TYPES, Handle, Node, Subgraph, Value, type_of
from runtime.exits.onnx.rules import Refused
from runtime.graph.operation import Operation
from runtime.ops.records.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Build", "dims_of", "rank_of", "safe_name"]

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.]")

NO_RANK: Final = "the number of its dimensions is not known; give the function an input_signature that says it"


def safe_name(name: str) -> str:
    """A name without what could mean something to other programs: letters, digits, `_` and `.` stay."""
    return _UNSAFE.sub(lambda found: f"_{ord(found.group()):x}_" if found.group() not in "/: -" else "_", name) or "_"


class Build:
    """One model in the making. `scope` is the graph that nodes are added to."""

    def __init__(self, opset: int) -> None:
        self.opset = opset
        self.scope = Subgraph("main")
        self.functions: dict[str, Subgraph] = {}
        self.line = ""
        """The user's line, for the nodes that are written now."""
        self._names: dict[str, int] = {}
        self._constants: dict[tuple[Any, ...], Value] = {}
        self._holder = self.scope
        self.hint = ""
        """How values are called that are made now."""
        self.handles: dict[Handle, Value] = {}
        """What each Variable is now."""
        self.kinds: Mapping[int, Kind] = {}
        """What is in lists, by the ids of their handles."""

    # -- names ---------------------------------------------------------------------------------------------------

    def unique(self, name: str) -> str:
        """A name that no value of the model has."""
        name = safe_name(name)
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        if not count:
            return name
        return self.unique(f"{name}_{count}")

    @contextmanager
    def inside(self, scope: Subgraph) -> Iterator[Subgraph]:
        """Nodes are added to a graph that sees what is around it."""
        outer, self.scope = self.scope, scope
        try:
            yield scope
        finally:
            self.scope = outer

    @contextmanager
    def apart(self, scope: Subgraph) -> Iterator[Subgraph]:
        """Nodes are added to a function, which sees nothing but its inputs, and has its constants inside."""
        outer, self.scope = self.scope, scope
        holder, self._holder = self._holder, scope
        constants, self._constants = self._constants, {}
        try:
            yield scope
        finally:
            self.scope, self._holder, self._constants = outer, holder, constants

    # -- nodes ---------------------------------------------------------------------------------------------------

    def node(
        self,
        type: str,
        *operands: Value | None,
        dtype: DType | None = None,
        typed: Sequence[int] | None = None,
        **attributes: Any,
    ) -> Value:
        """Adds a node with one result.

        dtype: that of the result, by default that of the first operand. typed: the operands that share the dtype which
        the kernels depend on; by default all that have the dtype of the first one.
        """
        (value,) = self.nodes(type, operands, [dtype], typed, **attributes)
        return value

    def nodes(
        self,
        type: str,
        operands: Sequence[Value | None],
        dtypes: Sequence[DType | None],
        typed: Sequence[int] | None = None,
        **attributes: Any,
    ) -> list[Value]:
        """Adds a node with several results; None among `dtypes` is the dtype of the operands."""
        given = list(operands)
        lead = next((v for v in (given if typed is None else [given[i] for i in typed]) if v is not None), None)
        wide = narrow = None if lead is None else lead.dtype
        if lead is not None and narrow is not None and type in TYPES:
            wide = wider(type, narrow)
            if wide is None:
                raise Refused(f"onnxruntime has no {type} of {narrow.name}")
            if wide is not narrow:
                places = typed if typed is not None else [i for i, v in enumerate(given) if v and v.dtype is narrow]
                for i in places:
                    value = given[i]
                    given[i] = None if value is None else self.cast(value, wide)
        made = []
        for dtype in dtypes:
            computed = wide if dtype is None or dtype is narrow else dtype
            assert computed is not None
            made.append(Value(self.unique(self.hint or type), computed))
        self._add(type, given, made, attributes)
        return [
            self.cast(value, narrow) if narrow is not None and value.dtype is wide and wide is not narrow
            and (dtype is None or dtype is narrow) else value
            for value, dtype in zip(made, dtypes, strict=True)
        ]  # fmt: skip

    def _add(self, type: str, operands: Sequence[Value | None], made: Sequence[Value], attributes: Any) -> None:
        names = ["" if v is None else v.name for v in operands]
        while names and not names[-1]:
            names.pop()
        self.scope.nodes.append(Node(type, names, [v.name for v in made], dict(attributes), self.line))

    def add(self, node: Node) -> None:
        """Adds a node as it is."""
        node.line = self.line
        self.scope.nodes.append(node)

    def list_node(self, type: str, operands: Sequence[Value], element: DType, /, **attributes: Any) -> Value:
        """Adds a node whose result is a list of tensors of a dtype."""
        value = Value(self.unique(self.hint or type), element, True)
        self._add(type, operands, [value], attributes)
        return value

    def cast(self, value: Value, dtype: DType) -> Value:
        """The value in another dtype."""
        if value.dtype is dtype:
            return value
        made = Value(self.unique(f"{self.hint or 'value'}_{dtype.name}"), dtype)
        self._add("Cast", [value], [made], {"to": type_of(dtype)})
        return made

    # -- constants -----------------------------------------------------------------------------------------------

    def constant(self, array: Any, dtype: DType | None = None) -> Value:
        """A constant of the model; the same array is written once."""
        array = np.asarray(array) if dtype is None else np.asarray(array, dtype.numpy)
        kind = from_numpy(array.dtype)
        if kind is None or kind not in ELEMENT_TYPES:
            raise Refused(f"ONNX has no constants of {array.dtype}")
        key = (array.dtype.str, array.shape, array.tobytes())
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = Value(self.unique("const"), kind)
            self._holder.constants[found.name] = array
        return found

    def integers(self, numbers: Iterable[int] | int) -> Value:
        """A vector (or a scalar) of int64, as most operands that are shapes and axes are."""
        return self.constant(np.array(numbers if isinstance(numbers, int) else list(numbers), np.int64))

    def number(self, like: Value | DType, number: Any) -> Value:
        """A scalar of the dtype of a value."""
        return self.constant(np.asarray(number, (like.dtype if isinstance(like, Value) else like).numpy))

    # -- what many rules write ------------------------------------------------------------------------------------

    def shape(self, value: Value) -> Value:
        """The shape as a vector of int64."""
        return self.node("Shape", value, dtype=int64)

    def concat(self, parts: Sequence[Value], axis: int = 0) -> Value:
        """The parts one after the other."""
        return parts[0] if len(parts) == 1 else self.node("Concat", *parts, axis=axis)

    def reshape(self, value: Value, dims: Value | Sequence[int]) -> Value:
        """The same elements in another shape."""
        shape = dims if isinstance(dims, Value) else self.integers(dims)
        return self.node("Reshape", value, self.cast(shape, int64), typed=(0,), allowzero=1)

    def where(self, mask: Value, x: Value, y: Value) -> Value:
        """x where the mask is true, else y."""
        if x.dtype is bool_:
            picked = self.node("And", mask, x), self.node("And", self.node("Not", mask), y)
            return self.node("Or", *picked)
        return self.node("Where", mask, x, y, typed=(1, 2), dtype=x.dtype)


def rank_of(tensor: SymbolicTensor | Operation) -> int:
    """The rank of a tensor. Raises Refused where it is not known."""
    shape = (tensor.inputs[0] if isinstance(tensor, Operation) else tensor).shape
    if shape.rank is None:
        raise Refused(NO_RANK)
    return int(shape.rank)


def dims_of(tensor: SymbolicTensor) -> tuple[int, ...]:
    """The dimensions of a tensor. Raises Refused where not all are known."""
    if not tensor.shape.is_fully_defined():
        raise Refused(f"its shape {tensor.shape} has to be known")
    return tuple(tensor.shape.as_tuple())


Arrays = Sequence[Array]
