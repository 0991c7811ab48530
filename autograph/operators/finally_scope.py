"""A `finally` that jumps: break, continue or return in it drop the exception that is on its way.

Example (generated, for `try: a() / finally: return 1`):
    with ag__.FinallyScope() as finally_:
        try:
            ag__.converted_call(a, (), None, fscope)
        finally:
            do_return_1 = True
            retval_1 = 1
            finally_.jumped = do_return_1
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

__all__ = ["FinallyScope"]


class FinallyScope:
    """Entered around a try statement; on its way out an exception is dropped if `jumped` is true."""

    __slots__ = ("jumped",)

    def __init__(self) -> None:
        self.jumped: Any = False

    def __enter__(self) -> FinallyScope:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        return error is not None and bool(self.jumped)
