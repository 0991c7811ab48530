"""The variables of a running function, read without leaving anything in its frame.

    variables_of(sys._getframe(1))        # {"x": 1, "items": [...]}

Before Python 3.13 `frame.f_locals` of a function is a dict that its frame keeps, as it was when somebody looked: what
the function forgets lives until it returns. A large array, a Function or a model would.
"""

from __future__ import annotations

import sys
from inspect import CO_OPTIMIZED
from types import FrameType
from typing import Any, Final

__all__ = ["variables_of"]


def variables_of(frame: FrameType) -> dict[str, Any]:
    """A dict from the names of the variables that have values to these, for the caller to keep or to drop."""
    kept = frame.f_locals
    found = dict(kept)
    if _IS_KEPT and frame.f_code.co_flags & CO_OPTIMIZED and not _is_debugged() and sys.getrefcount(kept) <= _ALONE:
        kept.clear()  # else somebody else uses it: `locals()` of the user's, a debugger
    return found


def _is_debugged() -> bool:
    """Whether CPython may write that dict back into the variables when a trace function returns."""
    return sys.gettrace() is not None or sys.getprofile() is not None


def _references() -> int:
    """How often the dict is referred to by its frame, and by a function that looks at it."""
    kept = sys._getframe().f_locals
    return sys.getrefcount(kept)


_IS_KEPT: Final = sys.version_info < (3, 13)
_ALONE: Final = _references()
