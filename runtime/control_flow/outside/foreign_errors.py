"""What code that is not converted raises since it is given what only the graph knows: an error of the trace.

    try:
        y = x + float(Fraction(x))      # x is a tensor, which `Fraction` does not take; it does take the number ...
    except TypeError:
        y = -x                          # ... so that the handler would not run in Python

So is what makes a text of it that has no value in it: `pprint.pformat([x])`.
"""

from __future__ import annotations

import inspect
from collections import abc
from collections.abc import Mapping, Sequence
from itertools import islice
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any, Final

from autograph.errors import StagingError, StagingTypeError
from autograph.operators.as_it_is import hands_on
from autograph.operators.stager import PYTHON, stager_of
from autograph.rules import is_own_code, is_user_code
from runtime.array_errors import OF_ARRAYS
from runtime.context import current_recorder
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.control_flow.objects.maybe_views import certain, named
from runtime.control_flow.outside.needs_value import needs_value
from runtime.control_flow.tries.unguarded import raises_since
from runtime.errors import of_the_trace
from runtime.graph.graph import Graph
from runtime.graph.location import here
from runtime.structures import parts_if_plain, walked
from runtime.tensor.text import noting, plain

__all__ = ["Given"]

_OF_CONTENTS: Final = (LookupError, AttributeError, StopIteration)
"""What is raised for what is not there, whichever values the containers given have in them."""

_MOST: Final = 1_000


class Given:
    """Around a call that may be made where it stands: notes what it raises. Raises StagingError where it may have to
    catch what only some runs raise."""

    __slots__ = ("args", "function", "kwargs", "noting", "shown", "start")

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs

    def __enter__(self) -> None:
        graph = current_recorder()
        self.start = len(graph.operations) if isinstance(graph, Graph) else 0
        self.shown: list[tuple[Any, CodeType]] = []
        self.noting = noting(self.shown)
        self.noting.__enter__()

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        self.noting.__exit__(kind, error, traceback)
        if error is None and self.shown:
            _check_shown(self.function, self.shown)
        if isinstance(error, TypeError):
            self._check_contents(error)
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


    def _check_contents(self, error: TypeError) -> None:
        """Raises StagingError where a function takes a dict or name of Python's, and is given what stands for one."""
        name = next(iter(self.args[1:]), None)
        if any(self.function is known for known in _BY_NAME) and stager_of(name) is not PYTHON:
            raise StagingTypeError(
                f"the name that is given to {_name(self.function)} depends on a tensor{here()}, and which attribute is"
                " meant has to be known while tracing: write an `if` with one attribute in each branch, or keep what"
                " is there in a dict (`d[name]`)"
            ) from error
        for value in (*self.args, *self.kwargs.values()):
            if isinstance(value, MaybeContainer):
                certain(value, f"given to {_name(self.function)}, which is not converted")
                raise StagingError(
                    f"{named(value)} is given to {_name(self.function)}, which is not converted{here()}: it takes one"
                    f" of Python's ({error}), and a tensor decides what this one has. Write what it does in the"
                    " program, or give it a new one of what it needs"
                ) from error


_BY_NAME: Final = (getattr, setattr, hasattr, delattr)

_SHOWING: Final = frozenset({"bdb", "logging", "pdb", "traceback", "warnings"})
"""The modules whose functions show things to people: as for `print`, that is an effect of the trace."""


def _check_shown(function: Any, shown: Sequence[tuple[Any, CodeType]]) -> None:
    """Raises StagingError where a call has made text of tensors: what is none of ours has asked for it."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    is_users = code is not None and is_user_code(code.co_filename)
    if is_users or (getattr(function, "__module__", None) or "").partition(".")[0] in _SHOWING:
        return
    asked = [tensor for tensor, asking in shown if not is_own_code(asking.co_filename) or hands_on(asking)]
    if not asked:
        return
    name = _name(function)
    needs_value(f"text of a number that comes from it is made by {name}, which is not converted")
    raise StagingError(
        f"{name}, which is not converted, makes text of {plain(asked[0])}{here()}, which has no value while the"
        " function is traced: the text would have none in any run. Call it in a function that is given to"
        " runtime.py_function, or return the value and call it then"
    )


def _name(function: Any) -> str:
    return repr(getattr(function, "__qualname__", type(function).__name__))


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
        of_the_trace(error).add_note(
            f"{_name(function)} is not converted, and was given what only the graph knows. If it takes values, call it"
            " in a function that is given to runtime.py_function"
        )


def _is_staged_in(values: tuple[Any, ...], directly: bool) -> bool:
    """Whether one of some values, or a part of one unless `directly`, belongs to a stager."""
    found = walked(values, lambda value: () if directly else parts_if_plain(value))
    return any(stager_of(value) is not PYTHON for value in islice(found, _MOST))


def _raising_code(error: Exception) -> CodeType | None:
    """The code of a library in which an exception was raised, or what called it where it is in C; None for our own."""
    traceback = error.__traceback__
    if traceback is None:
        return None
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code
    return code if not is_own_code(code.co_filename) or hands_on(code) else None
