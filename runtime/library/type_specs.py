"""`type_spec_from_value`: the spec that describes a value, whatever it is made of.

>>> type_spec_from_value(runtime.constant([1, 2]))
TensorSpec(shape=(2,), dtype=tf.int32, name=None)
"""

from __future__ import annotations

from typing import Any

from runtime.composite.extension_annotations import SPECS
from runtime.library.data.dataset import Dataset
from runtime.library.data.iterator import Iterator, IteratorSpec
from runtime.library.data.structure import DatasetSpec
from runtime.state.parameters import VariableSpec
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.spec import TensorSpec

__all__ = ["type_spec_from_value"]


def type_spec_from_value(value: Any) -> Any:
    """The spec of a tensor, Variable, ragged or sparse tensor, ExtensionType, Dataset or Iterator; of an array or a
    number, that of the tensor that it becomes. Raises TypeError for anything else."""
    if isinstance(value, Variable):
        return VariableSpec(value.shape, value.dtype, value.trainable)
    if isinstance(value, Dataset | Iterator):
        return (DatasetSpec if isinstance(value, Dataset) else IteratorSpec)(value.element_spec)
    kind: Any = SPECS.get(type(value)) or getattr(type(value), "Spec", None)
    if hasattr(kind, "from_value"):
        return kind.from_value(value)
    try:
        return TensorSpec.from_tensor(convert_to_tensor(value))
    except (TypeError, ValueError) as error:
        raise TypeError(f"type_spec_from_value: nothing describes {value!r}: {error}") from None
