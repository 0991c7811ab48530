"""Lists as autograph's public functions see them: `stack`, `tensor_list`, `set_element_type` on values of this package.

stack(TensorList([1, 2]))                 # a tensor of shape (2,)
stack([x, y])                             # the same of a Python list of tensors
set_element_type([], runtime.float32)     # remembered for the list, should it have to grow in the graph
"""

from __future__ import annotations

from typing import Any, Final

from autograph.errors import StagingValueError
from runtime import structures as nest
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.tensor_list import TensorList, add_methods
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.control_flow.optional.values import within
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.dtypes import as_dtype
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["declared_elements", "has_lists", "set_element_type", "stack", "tensor_list", "with_python_lists"]


_DECLARED: Final[PerTrace[dict[int, tuple[list[Any], ElementType]]]] = PerTrace(dict)
"""What the program says of the elements of its lists, by the list's id: (the list, the type)."""


def stack(value: Any, element_dtype: Any, strict: bool) -> Any:
    """The elements of a list as one tensor; a tensor as it is. Raises ValueError for other values if `strict`."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, TensorList):
        if element_dtype is not None and value.elements is None:
            value.set_element_type(element_dtype)
        return value.stack()
    declared = declared_elements(value) if isinstance(value, list) else None
    if declared is not None and element_dtype is None:
        element_dtype = declared.leaves[0].dtype
    if isinstance(value, list | tuple) and (value or element_dtype is not None):
        found = next((item.dtype for item in value if isinstance(item, Tensor)), None)
        if found is not None and element_dtype is not None and found is not as_dtype(element_dtype):
            said = as_dtype(element_dtype).name
            raise StagingValueError(f"incompatible dtype; specified: {said}, inferred from elements: {found.name}")
        return convert_to_tensor(list(value), element_dtype)
    if strict:
        raise StagingValueError(f"{value!r} must be stackable when strict=True: a list of tensors or a tensor")
    return value


Tensor.__ag_stack__ = TensorList.__ag_stack__ = staticmethod(lambda value, dtype: stack(value, dtype, True))


def tensor_list(elements: Any, element_dtype: Any, element_shape: Any) -> TensorList:
    """A list that may grow. Raises ValueError, TypeError."""
    if isinstance(elements, Tensor) and element_shape is not None:
        raise ValueError("element shape may not be specified when creating list from tensor")
    if not isinstance(elements, Tensor | TensorList | list | tuple):
        raise TypeError(f"unknown type for elements: {type(elements).__name__}; give a list or a tensor")
    return TensorList(elements, element_dtype, element_shape)


def set_element_type(entity: Any, dtype: Any, shape: Any) -> None:
    """Says what the elements of a list are; of a tensor, whose type is known, it is only checked."""
    if isinstance(entity, TensorList):
        entity.set_element_type(dtype, shape)
    elif isinstance(entity, Tensor):
        if entity.dtype is not as_dtype(dtype):
            raise ValueError(f"incompatible dtype; specified: {as_dtype(dtype).name}, inferred: {entity.dtype.name}")
    elif isinstance(entity, list):
        known = _DECLARED.of(current_graph())
        wanted = ElementType.declared(as_dtype(dtype), shape)
        _, before = known.setdefault(id(entity), (entity, wanted))
        if before != wanted:
            raise ValueError(f"the list has ambiguous annotations for set_element_type: {before} and {wanted}")
    else:
        raise ValueError(f"set_element_type says what the elements of a list are; got a {type(entity).__name__}")


def _set_element_type(items: TensorList, dtype: Any, shape: Any = None) -> None:
    """Says what the elements are. Raises ValueError where that contradicts the elements that it has."""
    wanted = ElementType.declared(as_dtype(dtype), shape)
    if items.elements is not None:
        items.elements.check_said(wanted)
    items.become(wanted)


add_methods(set_element_type=_set_element_type)


def with_python_lists(value: Any) -> Any:
    """A result of a graph, with containers of Python's in the place of those whose parts depended on the run."""
    if isinstance(value, MaybeContainer | Grown):
        return with_python_lists(value.plain())
    if isinstance(value, TensorList):
        return list(map(with_python_lists, value.to_list()))
    if isinstance(value, TracedArray):  # an element of such a list
        return value.value()
    if not nest.is_nested(value):
        return value
    return nest.rebuild(value, [with_python_lists(part) for _, part in nest.children(value)])


def has_lists(value: Any) -> bool:
    """Whether there is something in a result of a graph that `with_python_lists` replaces."""
    return any(isinstance(part, TensorList | MaybeContainer | Grown) for part in within([value]))


def declared_elements(value: list[Any]) -> ElementType | None:
    """What `set_element_type` said in this trace of the elements of a Python list."""
    found = _DECLARED.here().get(id(value))
    return None if found is None or found[0] is not value else found[1]
