"""What code that is not converted raises since it is given what only the graph knows: an error of the trace.

    try:
        y = x + float(Fraction(x))      # x is a tensor, which `Fraction` does not take; it does take the number ...
    except TypeError:
        y = -x                          # ... so that the handler would not run in Python
"""

from __future__ import annotations

from collections import abc
from collections.abc import Mapping
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.as_it_is import hands_on
from autograph.operators.stager import PYTHON, stager_of
from autograph.rules import is_own_code, is_user_code
from runtime.array_errors import OF_ARRAYS
from runtime.context import current_recorder
from runtime.control_flow.tries.unguarded import raises_since
from runtime.errors import of_the_trace
from runtime.graph.graph import Graph
from runtime.graph.location import here

__all__ = ["Given"]

_OF_CONTENTS: Final = (LookupError, AttributeError, StopIteration)
"""What is raised for what is not there, whichever values the containers given have in them."""

_MOST: Final = 1_000


class Given:
    """Around a call that may be made where it stands: notes what it raises. Raises StagingError where it may have to
    catch what only some runs raise."""

    __slots__ = ("args", "function", "kwargs", "start")

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    def __enter__(self) -> None:
        graph = current_recorder()
        self.start = len(graph.operations) if isinstance(graph, Graph) else 0

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if isinstance(error, Exception) and not isinstance(error, OF_ARRAYS):
            _note_unfit(error, self.function, self.args, self.kwargs)
        caught = None if error is not None else _caught_by(self.function, len(self.args))
        graph = current_recorder()
        if caught is not None and isinstance(graph, Graph) and raises_since(graph, self.start, caught):
            kind = caught.__name__
            raise StagingError(
                f"a method that {self.function.__qualname__!r} calls raises {kind} in some runs"
                f"{here()}: it is not converted, and would not catch that. Write what"
                f" it does in the program (`try: ... except {kind}: ...`)"
            )


_CATCHES: Final[Mapping[Any, type[Exception]]] = {
    **dict.fromkeys((abc.MutableMapping.pop, abc.MutableMapping.setdefault), KeyError),
    getattr: AttributeError, hasattr: AttributeError,
}  # fmt: skip
"""What functions of Python catch of what the user's methods raise."""


def _caught_by(function: Any, given: int) -> type[Exception] | None:
    if function is getattr and given < 3:
        return None
    return _CATCHES.get(function) if isinstance(function, FunctionType | BuiltinFunctionType) else None


def _note_unfit(error: Exception, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Declares an exception that left a call to be one of the trace, if it may come from a staged argument."""
    given = (*args, *kwargs.values())
    if not _is_staged_in(given, isinstance(error, _OF_CONTENTS)):
        return
    code = _raising_code(error)
    if code is not None and not is_user_code(code.co_filename):
        name = getattr(function, "__qualname__", type(function).__name__)
        of_the_trace(error).add_note(
            f"{name!r} is not converted, and was given what only the graph knows. If it takes values, call it in a"
            " function that is given to runtime.py_function"
        )


def _is_staged_in(values: tuple[Any, ...], directly: bool) -> bool:
    """Whether one of some values, or a part of one unless `directly`, belongs to a stager."""
    pending: list[Any] = list(values)
    seen = 0
    while pending and seen < _MOST:
        value = pending.pop()
        seen += 1
        if stager_of(value) is not PYTHON:
            return True
        if not directly and type(value) in (list, tuple):
            pending += value
        elif not directly and type(value) is dict:
            pending += value.values()
    return False


def _raising_code(error: Exception) -> CodeType | None:
    """The code of a library in which an exception was raised, or what called it where it is in C; None for our own."""
    traceback = error.__traceback__
    if traceback is None:
        return None
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    return code if not is_own_code(code.co_filename) or hands_on(code) else None
