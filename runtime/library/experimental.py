"""Classes of values that are made of tensors, `runtime.experimental.ExtensionType`; and NumPy on tensors, `numpy`.

class Masked(runtime.experimental.ExtensionType):
    values: runtime.Tensor
    mask: runtime.Tensor
"""

from runtime.composite.extension_type import BatchableExtensionType, ExtensionType
from runtime.library import numpy

__all__ = ["BatchableExtensionType", "ExtensionType", "numpy"]
