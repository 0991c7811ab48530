"""What a program gives as plain Python, whichever module ran it: dtypes, lists of elements, and classes of errors.

    plain(runtime.constant([1, 2]))                 # ("int32", [1, 2])
    run(lambda m: m.strings.upper("a"), runtime)    # ("string", b"A"), or ("raises", "InvalidArgumentError")
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime

__all__ = ["agree", "plain", "run"]


def plain(value: Any) -> Any:
    """Dtype and elements; those of each part of a value made of several tensors."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if hasattr(value, "to_list"):
        return "ragged", value.dtype.name, value.to_list()
    if hasattr(value, "dense_shape"):
        return "sparse", *(plain(part) for part in (value.indices, value.values, value.dense_shape))
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if hasattr(value, "numpy"):
        return value.dtype.name, np.asarray(value.numpy()).tolist()
    return value


def run(program: Callable[[Any], Any], module: Any) -> Any:
    try:
        return plain(program(module))
    except Exception as error:
        return "raises", type(error)


def agree(found: Any, wanted: Any) -> bool:
    """Whether both are the same, up to rounding; an error must be caught here by the name that catches it there."""
    if isinstance(wanted, tuple) and wanted[:1] == ("raises",):
        name = wanted[1].__name__
        caught = getattr(runtime.errors, name, None) or getattr(builtins, name, None)
        return isinstance(found, tuple) and found[:1] == ("raises",) and caught and issubclass(found[1], caught)
    if isinstance(wanted, float) and isinstance(found, float):
        return bool(np.isclose(found, wanted, rtol=1e-5, atol=1e-6, equal_nan=True))
    if isinstance(wanted, dict) and isinstance(found, dict):
        return found.keys() == wanted.keys() and all(agree(found[name], part) for name, part in wanted.items())
    if isinstance(wanted, tuple | list) and isinstance(found, tuple | list):
        return len(found) == len(wanted) and all(map(agree, found, wanted))
    return type(found) is type(wanted) and bool(found == wanted)
