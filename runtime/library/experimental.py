"""Classes of values that are made of tensors, `ExtensionType`, and what operations do with them; NumPy, `numpy`.

class Masked(runtime.experimental.ExtensionType):
    values: runtime.Tensor
    mask: runtime.Tensor
"""

from runtime.composite.dispatched import (
    dispatch_for_api,
    dispatch_for_binary_elementwise_apis,
    dispatch_for_unary_elementwise_apis,
    unregister_dispatch_for,
)
from runtime.composite.extension_type import BatchableExtensionType, ExtensionType
from runtime.composite.ragged_shape import DynamicRaggedShape
from runtime.library import numpy

__all__ = [
    "BatchableExtensionType", "DynamicRaggedShape", "ExtensionType", "dispatch_for_api",
    "dispatch_for_binary_elementwise_apis", "dispatch_for_unary_elementwise_apis", "numpy", "unregister_dispatch_for",
]  # fmt: skip
