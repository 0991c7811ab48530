"""`Signal`: what a stager raises to give up what it is doing, for it will be traced in another way.

    try: fill(table, x)        # which asks that the trace begins again
    except: pass               # no handler sees that
    finally: return table      # and no jump out of `finally` drops it
"""

from __future__ import annotations

__all__ = ["Signal"]


class Signal(BaseException):
    """No exception of the program: it passes all `except` and `finally` of converted code."""
