"""Classes of values that are made of tensors: `runtime.experimental.ExtensionType`.

class Masked(runtime.experimental.ExtensionType):
    values: runtime.Tensor
    mask: runtime.Tensor
"""

from runtime.composite.extension_type import BatchableExtensionType, ExtensionType

__all__ = ["BatchableExtensionType", "ExtensionType"]
