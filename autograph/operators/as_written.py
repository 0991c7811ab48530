"""Whether a converted function may run as the user wrote it: nothing is being staged, so no statement will be.

    def f(x):                   def f(x):
        if x > 0:    compiled       if ag__.runs_as_written(x):
            x = -x    ----->            if x > 0:       # the user's own statements
        return x                            x = -x
                                        return x
                                    else:
                                        with ag__.FunctionScope(...):    # the converted ones

Plain values need no operators, and what the user's statements call then runs as plain Python, too. That nothing is
being staged is known from three facts: no stager is tracing; no class has been registered whose values may be staged at
any time; and no argument is of a class that knows stagers. A `with` may begin a trace in the middle of a function (a
graph that is the default one inside of it), so a function that has one is always converted (autograph/as_written.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograph.operators.stager import any_is_registered, tracing_stager
from autograph.template import NAMESPACE

__all__ = ["converted_statements", "never", "runs_as_written"]


def runs_as_written(*values: Any) -> bool:
    """Whether a call with these arguments may run the user's own statements."""
    if tracing_stager.get() is not None or any_is_registered():
        return False
    # Those that nobody stages at present count, too: converted code writes to the elements of a tensor.
    return not any(getattr(type(value), "__ag_stager__", None) is not None for value in values)


def never(*values: Any) -> bool:
    """In the place of `runs_as_written` where the converted statements are wanted."""
    return False


@contextmanager
def converted_statements() -> Iterator[None]:
    """In the block all threads run the converted statements, whatever functions are called with; for tests of them."""
    operators = NAMESPACE.cell_contents
    before = operators.runs_as_written
    operators.runs_as_written = never
    try:
        yield
    finally:
        operators.runs_as_written = before
