"""SciPy's functions that operations stand for, as far as the program has imported them. SciPy is never imported here.

    imported()                            # {scipy.linalg.inv: ..., scipy.special.softmax: ...}
    scipy_name(scipy.linalg.inv)          # "scipy.linalg.inv"
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls import scipy_linear, special

__all__ = ["MODULES", "imported", "instead_of", "public", "scipy_name"]

MODULES: Final[Mapping[str, Mapping[str, Callable[..., Any]]]] = {
    "scipy.special": special.FUNCTIONS, "scipy.linalg": scipy_linear.FUNCTIONS,
}  # fmt: skip
"""For each module the functions in Python that operations stand for."""


def scipy_name(function: Any) -> str:
    """The name of one of SciPy's functions, with its module; the empty text for others."""
    name = getattr(function, "__name__", "")
    found = (module for module in MODULES if getattr(sys.modules.get(module), name, None) is function)
    module = next(found, None) if name else None
    return "" if module is None else f"{module}.{name}"


def instead_of(name: str) -> str:
    """What to take in the place of one of SciPy's functions, of which a call has no operation."""
    module, _, own = name.rpartition(".")
    if own in MODULES[module] or (module == "scipy.special" and own in special.UFUNC_ROWS):
        return f"{name} with other arguments is recorded"
    table = special.INSTEAD if module == "scipy.special" else scipy_linear.INSTEAD
    return table.get(own, "runtime.py_function calls it with values in each run")


def imported() -> Mapping[Any, Callable[..., Any]]:
    """The functions in Python that the program has imported, and what they are made of."""
    rows = ((sys.modules.get(module), name, made) for module, table in MODULES.items() for name, made in table.items())
    named = ((getattr(module, name, None), made) for module, name, made in rows if module is not None)
    return {function: made for function, made in named if function is not None}


def public() -> Iterator[Any]:
    """All functions in Python of those modules that the program has imported."""
    for module in map(sys.modules.get, MODULES):
        for name in getattr(module, "__all__", ()):
            function = getattr(module, name, None)
            if callable(function) and not isinstance(function, np.ufunc | type):
                yield function
