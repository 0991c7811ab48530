"""The names of the engines, and whether what they need is installed.

>>> check_name("nativ")
ValueError: there is no backend 'nativ'; did you mean 'native'?
"""

from __future__ import annotations

import difflib
import functools
import importlib.util
from typing import Any, Final

__all__ = ["LIBRARIES", "check_name", "is_there"]

LIBRARIES: Final = {
    "adaptive": "llvmlite", "interpreter": "numpy", "jax": "jax", "native": "llvmlite", "numpy": "numpy",
}  # fmt: skip
"""By the name of an engine the library that it needs; `runtime.backends` makes them."""

_EXTRAS: Final = {"llvmlite": "native", "jax": "jax"}


def check_name(name: Any, said: str = "") -> str:
    """The name of an engine that can be used here, and what the user said for it, where that is not the name. Raises
    ValueError, with the nearest one, or ImportError."""
    if name not in LIBRARIES:
        close = difflib.get_close_matches(str(name), LIBRARIES, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(map(repr, LIBRARIES))}"
        raise ValueError(f"there is no backend {name!r}; {hint}")
    if not is_there(name):
        asked = said or f"the backend {name!r}"
        library = LIBRARIES[name]
        raise ImportError(f"{asked} needs {library}: pip install 'autograph-runtime[{_EXTRAS[library]}]'")
    return str(name)


@functools.cache
def is_there(name: str) -> bool:
    """Whether what an engine needs is installed."""
    return importlib.util.find_spec(LIBRARIES[name]) is not None
