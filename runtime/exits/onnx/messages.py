"""Nodes as the messages of a file: the one place that makes objects of the library `onnx`.

    model = model_of(build, graph, opset=21)
    model.SerializeToString(deterministic=True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.dtypes import from_numpy
from runtime.exits.onnx.build import Build
from runtime.exits.onnx.library import onnx_library
from runtime.exits.onnx.nodes import Node, Subgraph, Value, type_of
from runtime.exits.onnx.writing import DOMAIN
from runtime.ops.records.record import Array

__all__ = ["Port", "model_of"]

TURN: Final = 2
"""Bodies of loops begin with so many inputs that are scalars: the number of the turn, and whether there is one."""

IR_VERSIONS: Final = {17: 8, 18: 8, 19: 9, 20: 9, 21: 10, 22: 10, 23: 11}
"""The version of the format that belongs to a set of operators."""


@dataclass(frozen=True)
class Port:
    """An input or an output of the model: dims are sizes, names of sizes, or None where even their number is open."""

    value: Value
    dims: Sequence[int | str] | None


def model_of(
    build: Build, inputs: Sequence[Port], outputs: Sequence[Port], weights: Mapping[str, Array], version: str
) -> Any:
    """The message of the whole model. weights: values of Variables, by the names that nodes have for them."""
    onnx = onnx_library()
    main = build.scope
    graph = onnx.GraphProto(name=main.name)
    graph.node.extend(_node(onnx, node) for node in main.nodes)
    arrays = {**weights, **main.constants}
    graph.initializer.extend(_tensor(onnx, array, name) for name, array in arrays.items())
    graph.input.extend(_port(onnx, port) for port in inputs)
    graph.output.extend(_port(onnx, port) for port in outputs)
    model = onnx.ModelProto(
        ir_version=IR_VERSIONS[build.opset], producer_name="autograph-runtime", producer_version=version, graph=graph
    )
    opsets = [onnx.OperatorSetIdProto(domain="", version=build.opset)]
    if build.functions:
        opsets.append(onnx.OperatorSetIdProto(domain=DOMAIN, version=1))
    model.opset_import.extend(opsets)
    for name, body in build.functions.items():
        made = onnx.FunctionProto(name=name, domain=DOMAIN)
        made.input.extend(v.name for v in body.inputs)
        made.output.extend(v.name for v in body.outputs)
        made.node.extend(_constant(onnx, array, name) for name, array in body.constants.items())
        made.node.extend(_node(onnx, node) for node in body.nodes)
        made.opset_import.extend(opsets)
        model.functions.append(made)
    return model


def _node(onnx: Any, node: Node) -> Any:
    made = onnx.NodeProto(op_type=node.type, name=node.outputs[0], domain=node.domain, doc_string=node.line)
    made.input.extend(node.inputs)
    made.output.extend(node.outputs)
    for name, value in node.attributes.items():
        made.attribute.append(_attribute(onnx, name, value))
    return made


def _attribute(onnx: Any, name: str, value: Any) -> Any:
    if isinstance(value, Subgraph):
        return onnx.AttributeProto(name=name, type=onnx.AttributeProto.GRAPH, g=_subgraph(onnx, value))
    if isinstance(value, np.ndarray):
        return onnx.AttributeProto(name=name, type=onnx.AttributeProto.TENSOR, t=_tensor(onnx, value, name))
    return onnx.helper.make_attribute(name, value)


def _subgraph(onnx: Any, body: Subgraph) -> Any:
    made = onnx.GraphProto(name=body.name)
    made.node.extend(_node(onnx, node) for node in body.nodes)
    made.input.extend(_port(onnx, Port(v, () if place < TURN else None)) for place, v in enumerate(body.inputs))
    made.output.extend(_port(onnx, Port(v, None)) for v in body.outputs)
    return made


def _constant(onnx: Any, array: Array, name: str) -> Any:
    made = onnx.NodeProto(op_type="Constant", name=name)
    made.output.append(name)
    made.attribute.append(_attribute(onnx, "value", np.asarray(array)))
    return made


def _tensor(onnx: Any, array: Array, name: str) -> Any:
    array = np.asarray(array)
    dtype = from_numpy(array.dtype)
    assert dtype is not None
    made = onnx.TensorProto(name=name, data_type=type_of(dtype))
    made.dims.extend(array.shape)
    made.raw_data = array.astype(array.dtype.newbyteorder("<")).tobytes()
    return made


def _port(onnx: Any, port: Port) -> Any:
    element = onnx.TypeProto.Tensor(elem_type=type_of(port.value.dtype))
    if port.dims is not None:
        element.shape.SetInParent()
        for dim in port.dims:
            made = element.shape.dim.add()
            if isinstance(dim, str):
                made.dim_param = dim
            else:
                made.dim_value = dim
    kind = onnx.TypeProto(tensor_type=element)
    if port.value.is_list:
        kind = onnx.TypeProto(sequence_type=onnx.TypeProto.Sequence(elem_type=kind))
    return onnx.ValueInfoProto(name=port.value.name, type=kind)
