"""Arguments and what is asked of them, in words for messages.

in_words(TensorSpec([None], int32))      # "an int32 tensor of shape (None,)"
in_words(numpy.zeros(3))                 # "a float64 array of shape (3,)"
in_words("fast")                         # "the str 'fast'"
"""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.function.leaves import VARIABLES
from runtime.function.trace_protocol import Typed
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["a_tensor", "in_words"]

LITERALS = (bool, int, float, complex, str, bytes)


def in_words(value: Any) -> str:
    """What a value is, or what a spec asks for."""
    if isinstance(value, Tensor | TensorSpec):
        return f"{a_tensor(value)} {_of_shape(value)}"
    if isinstance(value, VARIABLES):
        fixed = "" if value.trainable else ", not trainable"
        return f"{_article(value.dtype.name)} Variable {_of_shape(value)}{fixed}"
    if isinstance(value, np.ndarray | np.generic):
        return f"{_article(str(value.dtype))} array of shape {value.shape}"
    if value is None or isinstance(value, Typed):
        return repr(value)
    if isinstance(value, (*LITERALS, list, tuple, Mapping)):
        return f"the {type(value).__name__} {reprlib.repr(value)}"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"{_article(type(value).__name__)} object" + (f": {reprlib.repr(value)}" if nest.is_nested(value) else "")


def a_tensor(like: Any) -> str:
    """A tensor, by its dtype alone."""
    return f"{_article(like.dtype.name)} tensor"


def _of_shape(value: Any) -> str:
    shape = value._shape if isinstance(value, SymbolicTensor) else value.shape
    return "of any shape" if shape.rank is None else f"of shape {shape}"


def _article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeio' else 'a'} {word}"
