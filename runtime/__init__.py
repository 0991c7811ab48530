"""Graphs over numpy: tensors, operations and functions under the names of the tf.function guides.

import runtime as tf

@tf.function
def step(x):
    return tf.reduce_sum(tf.maximum(x, 0.0))
"""

from typing import Any

import autograph
from runtime import __internal__, config, dtypes, errors
from runtime.context import executing_eagerly
from runtime.dtypes import (
    DType,
    as_dtype,
    bfloat16,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from runtime.dtypes import bool_ as bool
from runtime.function.decorator import function
from runtime.function.function import Function
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.late import late_name
from runtime.library import bitwise, debugging, nest, types
from runtime.library.arrays import (
    argsort,
    concat,
    einsum,
    eye,
    gather,
    linspace,
    matmul,
    one_hot,
    pad,
    split,
    stack,
    transpose,
    unstack,
    where,
)
from runtime.library.arrays import range_ as range
from runtime.library.debugging import Assert
from runtime.library.printing import print_ as print
from runtime.library.python_functions import numpy_function, py_function
from runtime.names.elsewhere import explain
from runtime.ops.arrays.create import fill, ones, ones_like, zeros, zeros_like
from runtime.ops.arrays.index import boolean_mask, reverse, roll
from runtime.ops.arrays.repeating import broadcast_to, tile
from runtime.ops.arrays.shape import (
    cast,
    expand_dims,
    rank,
    reshape,
    shape,
    size,
    squeeze,
    stop_gradient,
)
from runtime.ops.elementwise.arithmetic import abs_ as abs
from runtime.ops.elementwise.arithmetic import (
    add,
    add_n,
    divide,
    multiply,
    negative,
    sign,
    square,
    subtract,
)
from runtime.ops.elementwise.arithmetic import pow_ as pow
from runtime.ops.elementwise.arithmetic import round_ as round
from runtime.ops.elementwise.compare import equal, greater, greater_equal, less, less_equal, not_equal
from runtime.ops.elementwise.functions import (
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    exp,
    floor,
    sigmoid,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from runtime.ops.elementwise.limits import clip_by_value, maximum, minimum
from runtime.ops.elementwise.logic import logical_and, logical_not, logical_or
from runtime.ops.flow import control
from runtime.ops.flow.core import identity
from runtime.ops.kernels.freed import keep_freed_memory
from runtime.ops.linear.products import norm, tensordot
from runtime.ops.reductions.order import sort
from runtime.ops.reductions.positions import argmax, argmin
from runtime.ops.reductions.reduce import (
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from runtime.ops.reductions.scan import cumsum
from runtime.shapes import TensorShape
from runtime.state.module import Module
from runtime.state.parameters import VariableSpec
from runtime.state.scopes import control_dependencies, device, group, init_scope, name_scope, no_op
from runtime.state.slices import IndexedSlices
from runtime.state.tensor_array import TensorArray
from runtime.state.variable import Variable
from runtime.tensor.composites import is_tensor
from runtime.tensor.convert import constant, convert_to_tensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.tensor import Tensor

__version__ = autograph.__version__
"""Both packages are one distribution and have one version."""

keep_freed_memory()


def __getattr__(name: str) -> Any:
    value = globals()[name] = late_name(name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


explain(
    "runtime.config", "runtime.library.bitwise", "runtime.library.debugging", "runtime.library.nest",
    "runtime.library.types",
)  # fmt: skip

newaxis = None
"""`x[runtime.newaxis]` adds a dimension of size 1, as in numpy."""

truediv = divide

__all__ = [
    "Assert", "ConcreteFunction", "DType", "Function", "GradientTape", "Graph", "IndexedSlices", "Module",
    "Operation", "RaggedTensor", "RaggedTensorSpec", "SparseTensor", "SparseTensorSpec", "Tensor", "TensorArray",
    "TensorShape", "TensorSpec",
    "UnconnectedGradients", "Variable", "VariableSpec", "__internal__", "__version__", "abs", "acos", "add",
    "add_n", "argmax", "argmin", "argsort", "as_dtype", "asin", "atan", "atan2", "autodiff", "autograph", "bfloat16",
    "bitwise", "bool", "boolean_mask", "broadcast_dynamic_shape", "broadcast_static_shape", "broadcast_to", "case",
    "cast",
    "clip_by_global_norm", "clip_by_norm", "clip_by_value", "complex", "complex64", "complex128", "concat", "cond",
    "config", "constant", "control", "control_dependencies", "convert_to_tensor", "cos", "cosh", "cumsum",
    "custom_gradient", "data", "debugging", "device", "distribute",
    "divide", "dtypes", "einsum", "ensure_shape", "equal",
    "errors", "executing_eagerly", "exp", "expand_dims", "experimental", "export", "eye", "fill", "float16",
    "float32", "float64",
    "floor",
    "foldl", "foldr", "function", "gather", "gather_nd", "gradients", "greater", "greater_equal", "group",
    "histogram_fixed_width", "identity", "image",
    "init_scope", "int8", "int16", "int32", "int64", "io", "is_tensor", "keras", "layers", "less", "less_equal",
    "linalg", "linspace", "load_onnx", "logical_and", "logical_not", "logical_or", "losses", "map_fn", "math",
    "matmul", "maximum",
    "meshgrid", "metrics", "minimum", "multiply", "name_scope", "negative", "nest", "newaxis", "nn", "no_op",
    "norm", "not_equal", "numpy", "numpy_function", "one_hot", "ones", "ones_like", "optimizers", "pad", "pow", "print",
    "profiler", "progress", "py_function", "ragged", "random", "range", "rank", "recompute_grad", "reduce_all",
    "reduce_any",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum",
    "register_tensor_conversion_function", "repeat", "reshape",
    "reverse", "roll", "round", "saved_model", "scan", "scatter_nd", "searchsorted", "sequence_mask", "sets", "shape",
    "shape_n", "sigmoid",
    "sign", "signal", "sin", "sinh", "size", "slice", "sort", "sparse", "split", "sqrt", "square", "squeeze", "stack",
    "stop_gradient",
    "strided_slice", "string", "strings", "subtract", "summary", "switch_case", "tan", "tanh",
    "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min", "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update", "tensordot", "test",
    "tile", "to_jax", "train", "transpose", "truediv", "type_spec_from_value", "types", "uint8", "uint16", "uint32",
    "uint64", "unique", "unique_with_counts", "unstack", "vectorized_map", "where", "while_loop", "zeros", "zeros_like",
]  # fmt: skip
