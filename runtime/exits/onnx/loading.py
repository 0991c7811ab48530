"""A file of ONNX as a Function of the operations that there are here.

    function = load_onnx("model.onnx")
    function(x)["output_0"]                 # its parameters are the inputs of the file, its result has the outputs

The whole file is read and written as one graph while it is loaded: what is damaged, or none of ours, is an error then.
Nothing is run, and no other file is opened but one of weights that lies beside it.
"""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.control_flow.functions import cond, while_loop
from runtime.errors import FileFormatError, NotFoundError, OpError
from runtime.exits.onnx import readings as _fill_table
from runtime.exits.onnx.library import onnx_library
from runtime.exits.onnx.nodes import ELEMENT_TYPES
from runtime.exits.onnx.reading import READINGS, NodeView, Unreadable, dtype_of
from runtime.function.decorator import function as staged
from runtime.function.function import Function
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec

__all__ = ["load_onnx"]

del _fill_table

LARGEST: Final = 1 << 40
"""No array of a file has more bytes."""
DEEPEST: Final = 60
"""So many functions may call each other."""

BROKEN: Final = (
    ArithmeticError, AttributeError, LookupError, OpError, OSError, MemoryError, RecursionError, TypeError, ValueError,
    Unreadable,
)  # fmt: skip
"""What a file that is damaged, or made to do harm, leads to."""


def load_onnx(path: str | os.PathLike[str]) -> Function[..., Any]:
    """The graph of a file of ONNX, as a Function; its result is a dict of tensors by the names of the outputs.

    Inputs that have values in the file keep those. Raises FileFormatError, one for the whole file, if it is damaged, or
    has nodes that are no operations here; NotFoundError where there is no file; ImportError where the extra `onnx` is
    not installed. Nothing of the file is run by loading it.
    """
    place, onnx = os.fspath(path), onnx_library()
    if not os.path.isfile(place):
        raise NotFoundError(f"load_onnx: there is no file {place!r}")
    try:
        with open(place, "rb") as file:
            model = onnx.ModelProto.FromString(file.read())
    except Exception as error:  # the classes of the library's errors depend on how it was built
        raise FileFormatError(f"{place}: it is no file of ONNX, or a damaged one ({error})") from None
    try:
        return _Loaded(onnx, model, os.path.dirname(place)).function()
    except BROKEN as error:
        raise FileFormatError(f"{place}: {error or type(error).__name__}") from None


class _Loaded:
    """A model on its way in."""

    def __init__(self, onnx: Any, model: Any, folder: str) -> None:
        self.onnx, self.folder, self.graph = onnx, folder, model.graph
        self.opset = next((int(o.version) for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
        self.functions = {(f.domain, f.name): f for f in model.functions}
        if not model.graph.output:
            raise Unreadable("it is no file of ONNX, or a damaged one: it has no graph with results")
        if not 13 <= self.opset <= 26:
            raise Unreadable(f"its set of operators, {self.opset}, is not known; 13 to 26 are")
        self._check_types(model)
        self.weights = {t.name: self.array(t) for t in model.graph.initializer}
        if model.graph.sparse_initializer:
            raise Unreadable("it has sparse weights")

    def _check_types(self, model: Any) -> None:
        """All types that are not known at once."""
        found: set[str] = set()
        work = [*model.graph.node, *(node for f in model.functions for node in f.node)]
        while work:
            node = work.pop()
            own = node.domain in ("", "ai.onnx") and (node.op_type in READINGS or node.op_type in ("If", "Loop"))
            if not own and (node.domain, node.op_type) not in self.functions:
                found.add(f"{node.domain}.{node.op_type}" if node.domain else node.op_type)
            work += [inner for attribute in node.attribute for inner in attribute.g.node]
        if found:
            raise Unreadable(f"it has nodes that are no operations here: {', '.join(sorted(found))}")

    # -- arrays ----------------------------------------------------------------------------------------------------

    def array(self, tensor: Any) -> Array:
        """The value of a tensor. Its bytes must be as many as its shape says."""
        dtype, dims = dtype_of(tensor.data_type), [int(d) for d in tensor.dims]
        size = math.prod(dims) * dtype.size
        if any(d < 0 for d in dims) or size > LARGEST:
            raise Unreadable(f"the tensor {tensor.name!r} has the shape {dims}")
        if tensor.data_location == self.onnx.TensorProto.EXTERNAL:
            content = self._beside(tensor, size)
        elif tensor.raw_data or not size:
            content = tensor.raw_data
        else:
            array = np.asarray(self.onnx.numpy_helper.to_array(tensor))
            if array.dtype != dtype.numpy or list(array.shape) != dims:
                raise Unreadable(f"the tensor {tensor.name!r} is not what its shape {dims} says")
            return array
        if len(content) != size:
            raise Unreadable(f"the tensor {tensor.name!r} of shape {dims} has {len(content)} bytes, not {size}")
        array = np.frombuffer(content, dtype.numpy.newbyteorder("<")).astype(dtype.numpy)
        return array.reshape(dims)

    def _beside(self, tensor: Any, size: int) -> bytes:
        """Bytes of a file in the same directory, and of no other."""
        given = {entry.key: entry.value for entry in tensor.external_data}
        name = given.get("location", "")
        place = os.path.join(self.folder, name)
        if not name or os.path.basename(name) != name or name in (".", "..") or os.path.islink(place):
            raise Unreadable(f"the weights {tensor.name!r} are said to be in {name!r}, which is no file beside it")
        start, length = int(given.get("offset", 0)), int(given.get("length", size))
        if start < 0 or length != size or not os.path.isfile(place):
            raise Unreadable(f"the weights {tensor.name!r} are not where the file says: {name!r} from {start} on")
        with open(place, "rb") as file:
            file.seek(start)
            return file.read(size)

    # -- the function ------------------------------------------------------------------------------------------------

    def function(self) -> Function[..., Any]:
        """The Function, whose one trace is made already."""
        ports = [port for port in self.graph.input if port.name not in self.weights]
        names = _parameters([port.name for port in ports])
        specs = [_spec(port, name) for port, name in zip(ports, names, strict=True)]

        def program(*tensors: Any) -> dict[str, Any]:
            known = {name: convert_to_tensor(array) for name, array in self.weights.items()}
            known.update(zip((port.name for port in ports), tensors, strict=True))
            found = self.run(self.graph.node, known, 0)
            return {port.name: _named(found, port.name) for port in self.graph.output}

        parameters = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
        program.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        program.__name__ = program.__qualname__ = self.graph.name if self.graph.name.isidentifier() else "model"
        made: Function[..., Any] = staged(program, autograph=False, input_signature=specs)
        made.get_concrete_function()
        return made

    def run(self, nodes: Sequence[Any], known: dict[str, Any], depth: int) -> dict[str, Any]:
        """The values after all nodes; `known` are those before, also of the graphs around."""
        values = dict(known)
        for node in nodes:
            try:
                made = self._node(node, values, depth)
            except BROKEN as error:
                shown = f"the node {node.name!r} ({node.op_type})" if node.name else f"a node {node.op_type}"
                if str(error).startswith("the node") or str(error).startswith("a node"):
                    raise
                raise Unreadable(f"{shown}: {error}") from None
            results = made if isinstance(made, list | tuple) else (made,)
            if len(results) < len(node.output):
                raise Unreadable(f"the node {node.name!r} ({node.op_type}) has {len(node.output)} results")
            values.update((name, value) for name, value in zip(node.output, results, strict=False) if name)
        return values

    def _node(self, node: Any, values: dict[str, Any], depth: int) -> Any:
        operands = [_named(values, name) if name else None for name in node.input]
        if node.op_type == "If" and not node.domain:
            return self._if(node, operands, values, depth)
        if node.op_type == "Loop" and not node.domain:
            return self._loop(node, operands, values, depth)
        called = self.functions.get((node.domain, node.op_type))
        if called is not None:
            if depth > DEEPEST:
                raise Unreadable("its functions call each other without end")
            inner = self.run(called.node, dict(zip(called.input, operands, strict=True)), depth + 1)
            return [_named(inner, name) for name in called.output]
        view = NodeView(node.op_type, self._attributes(node), len(node.output))
        return READINGS[node.op_type](view, *operands)

    def _attributes(self, node: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for attribute in node.attribute:
            if attribute.type == self.onnx.AttributeProto.TENSOR:
                found[attribute.name] = self.array(attribute.t)
                continue
            value = self.onnx.helper.get_attribute_value(attribute)
            found[attribute.name] = value.decode() if isinstance(value, bytes) else value
        return found

    def _graph(self, node: Any, name: str) -> Any:
        for attribute in node.attribute:
            if attribute.name == name and attribute.type == self.onnx.AttributeProto.GRAPH:
                return attribute.g
        raise Unreadable(f"it has no graph {name!r}")

    def _inner(self, graph: Any, values: dict[str, Any], depth: int) -> list[Any]:
        """The results of a graph inside of a node, which sees what is around it."""
        known = {**values, **{t.name: convert_to_tensor(self.array(t)) for t in graph.initializer}}
        found = self.run(graph.node, known, depth)
        return [_named(found, port.name) for port in graph.output]

    def _if(self, node: Any, operands: Sequence[Any], values: dict[str, Any], depth: int) -> Any:
        then, otherwise = self._graph(node, "then_branch"), self._graph(node, "else_branch")
        return cond(
            operands[0], lambda: self._inner(then, values, depth), lambda: self._inner(otherwise, values, depth)
        )

    def _loop(self, node: Any, operands: Sequence[Any], values: dict[str, Any], depth: int) -> Any:
        body = self._graph(node, "body")
        limit, goes_on, *state = (*operands, None, None)[: max(len(operands), 2)]
        names = [port.name for port in body.input]
        if len(body.output) != 1 + len(state) or len(names) != 2 + len(state):
            raise Unreadable("its body gives other results than the state; what it gathers is not read")

        def turn(number: Any, again: Any, *state: Any) -> tuple[Any, ...]:
            inner = {**values, **dict(zip(names, (number, again, *state), strict=True))}
            return (number + np.int64(1), *self._inner(body, inner, depth))

        def wanted(number: Any, again: Any, *state: Any) -> Any:
            return again if limit is None else (number < limit) & again

        start = convert_to_tensor(True) if goes_on is None else goes_on
        return list(while_loop(wanted, turn, (convert_to_tensor(np.int64(0)), start, *state)))[2:]


def _named(values: dict[str, Any], name: str) -> Any:
    if name not in values:
        raise Unreadable(f"nothing is called {name!r}")
    return values[name]


def _parameters(names: Sequence[str]) -> list[str]:
    """Names of parameters, as near to those of the file as Python allows."""
    found: list[str] = []
    for place, name in enumerate(names):
        made = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
        made = made if made.isidentifier() else f"input_{place}"
        while made in found:
            made += "_"
        found.append(made)
    return found


def _spec(port: Any, name: str) -> TensorSpec:
    kind = port.type.tensor_type
    if not port.type.HasField("tensor_type") or kind.elem_type not in ELEMENT_TYPES.values():
        raise Unreadable(f"the input {port.name!r} is no tensor of numbers or bools")
    dims = [int(d.dim_value) if d.HasField("dim_value") and d.dim_value >= 0 else None for d in kind.shape.dim]
    return TensorSpec(TensorShape(dims if kind.HasField("shape") else None), dtype_of(kind.elem_type), name)
