"""The names of the engines, and whether what they need is installed.

>>> check_name("nativ")
ValueError: there is no backend 'nativ'; did you mean 'native'?

Other packages bring more: an entry point of the group `runtime.backends` is a name and what makes the engine. They are
looked up when a name is asked for that is none of ours.
"""

from __future__ import annotations

import difflib
import functools
import importlib.util
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

__all__ = ["LIBRARIES", "brought", "check_name", "is_there"]

LIBRARIES: Final = {
    "adaptive": "llvmlite", "interpreter": "numpy", "jax": "jax", "native": "llvmlite", "numpy": "numpy",
}  # fmt: skip
"""By the name of an engine the library that it needs; `runtime.backends` makes them."""

_EXTRAS: Final = {"llvmlite": "native", "jax": "jax"}


def check_name(name: Any, said: str = "") -> str:
    """The name of an engine that can be used here, and what the user said for it, where that is not the name. Raises
    ValueError, with the nearest one, or ImportError."""
    if name not in LIBRARIES:
        others = brought().names
        if name in others:
            return str(name)
        known = [*LIBRARIES, *sorted(others)]
        close = difflib.get_close_matches(str(name), known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(map(repr, known))}"
        raise ValueError(f"there is no backend {name!r}; {hint}")
    if not is_there(name):
        asked = said or f"the backend {name!r}"
        library = LIBRARIES[name]
        raise ImportError(f"{asked} needs {library}: pip install 'autograph-runtime[{_EXTRAS[library]}]'")
    return str(name)


def brought() -> EntryPoints:
    """The engines of other packages."""
    from importlib.metadata import entry_points  # which takes longer to import than all of this

    return entry_points(group="runtime.backends")


@functools.cache
def is_there(name: str) -> bool:
    """Whether what an engine needs is installed."""
    return importlib.util.find_spec(LIBRARIES[name]) is not None
