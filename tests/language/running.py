"""What a program of the language table gives, as text: the page prints it and the tests compare it.

>>> outcome(abs, (-3,))
'gives `3`'
"""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import Tensor, nest

__all__ = ["outcome"]


def outcome(program: Callable[..., Any], given: tuple[Any, ...]) -> str:
    """What one run prints and returns or raises; the arguments are copied, because a program may write into them."""
    arguments = [a if isinstance(a, Tensor) else copy.deepcopy(a) for a in given]
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            result = nest.map_structure(value, program(*arguments))
    except Exception as error:
        ends = f"raises `{type(error).__name__}: {error}`"
    else:
        ends = f"gives `{result!r}`"
    lines = "".join(f"prints `{line}`, " for line in output.getvalue().splitlines())
    return lines + ends


def value(leaf: Any) -> Any:
    """A Python value for a tensor, an array or a number of numpy."""
    if isinstance(leaf, Tensor):
        leaf = leaf.numpy()
    if isinstance(leaf, np.ndarray | np.generic):
        leaf = leaf.tolist()
    return leaf.decode() if isinstance(leaf, bytes) else leaf
