"""Graphs over numpy: tensors, operations and functions under the names of the tf.function guides."""

from runtime.graph.graph import Graph
from runtime.ops import arithmetic, control
from runtime.ops.core import identity
from runtime.tensor.convert import constant, convert_to_tensor, is_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__all__ = [
    "Graph",
    "Tensor",
    "TensorSpec",
    "arithmetic",
    "constant",
    "control",
    "convert_to_tensor",
    "identity",
    "is_tensor",
]
