"""What programs say about lists that may grow in a graph: `stack`, `tensor_list`, `set_element_type`.

    squares = tensor_list([], element_dtype=int32)      # a list that may grow where a loop is staged
    for i in range(n):
        squares.append(i * i)
    return stack(squares)                               # its elements as one tensor

While nothing is staged, such a list is a list of Python.
"""

from __future__ import annotations

from typing import Any

from autograph.operators.stager import PYTHON, Stager, stager_of, stager_of_all, tracing_stager

__all__ = ["set_element_type", "stack", "tensor_list"]


def stack(list_or_tensor: Any, element_dtype: Any = None, strict: bool = True) -> Any:
    """The elements of a list as one tensor, with a new first axis. A tensor is returned as it is.

    element_dtype: what the elements are, for a list that may be empty. strict: raise ValueError for what cannot be
    stacked; otherwise it is returned as it is.
    """
    return _owner(list_or_tensor).stack(list_or_tensor, element_dtype, strict)


def tensor_list(
    elements: Any, element_dtype: Any = None, element_shape: Any = None, use_tensor_array: bool = False
) -> Any:
    """A list of these elements (or rows of a tensor) that may grow in a graph; outside of one, a list of Python.

    element_dtype, element_shape: what the elements are, where that cannot be seen from `elements`. use_tensor_array is
    accepted, there is one kind of list. Raises ValueError and TypeError where the elements contradict that.
    """
    return _owner(elements).tensor_list(elements, element_dtype, element_shape)


def set_element_type(entity: Any, dtype: Any, shape: Any = None) -> None:
    """Says which dtype and shape the elements of a list have, or will have. shape None: any.

    Raises ValueError where that contradicts the elements that it has. Where nothing is staged it does nothing.
    """
    _owner(entity).set_element_type(entity, dtype, shape)


def _owner(value: Any) -> Stager:
    """Who owns a list: the owner of the value or of its elements; of a plain one whoever is tracing."""
    owner = stager_of(value)
    if owner is PYTHON and isinstance(value, list | tuple):
        owner = stager_of_all(*value)
    return (tracing_stager.get() or PYTHON) if owner is PYTHON else owner
