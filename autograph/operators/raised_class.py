"""The class of an exception that is being handled, as `__exit__` and `sys.exc_info()` are given it.

While a stager is tracing, an exception may stand for one that only the run of a graph raises. Where its class is known,
that is what the program gets; where it may be any of several, `UnknownClass` stands in its place.

    def __exit__(self, kind, error, traceback):
        if kind is not None:        # known: there is an exception
            self.depth -= 1
        return kind is Stop         # StagingError, if it may be a Stop or something else
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from autograph.errors import StagingError
from autograph.operators.stager import tracing_stager

__all__ = ["UnknownClass", "check_named", "class_of", "exc_info", "is_same_class"]


def class_of(error: BaseException) -> Any:
    """The class of an exception; of one that stands for what a graph raises, the class that it says, if it can."""
    said = vars(type(error)).get("__ag_class__")
    if said is None:
        return type(error)
    try:
        return said()
    except StagingError as refusal:
        return UnknownClass(str(refusal))


def exc_info() -> tuple[Any, Any, Any]:
    """`sys.exc_info()`."""
    error = sys.exception()
    return (None, None, None) if error is None else (class_of(error), error, error.__traceback__)


class UnknownClass(StagingError):
    """Stands for the class of an exception that only the run of a graph knows: it is no None, and says nothing else.

    It is the refusal itself, so that `raise kind` raises it.
    """

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return type  # what many look at that only pass it on
        return _refuse(self)

    def _refuse_all(self, *given: object) -> NoReturn:
        _refuse(self)

    __eq__ = __ne__ = __hash__ = __repr__ = __str__ = __format__ = __call__ = _refuse_all
    __or__ = __ror__ = __reduce_ex__ = _refuse_all


def _refuse(unknown: UnknownClass) -> NoReturn:
    raise StagingError(*BaseException.__getattribute__(unknown, "args"))


def is_same_class(a: Any, b: Any) -> bool:
    """`a is b`, where one of them is the class of an exception that only the run of a graph knows."""
    if a is b:
        return True
    unknown, other = (a, b) if type(a) is UnknownClass else (b, a)
    if type(other) is UnknownClass or (isinstance(other, type) and issubclass(other, BaseException)):
        _refuse(unknown)
    return False


def check_named(a: type, b: type) -> None:
    """Raises StagingError if a program that is staged asks whether the class of an error of an operation is Python's.

    Python raises ZeroDivisionError itself where an operation raises a class below it.
    """
    if tracing_stager.get() is None:
        return
    for kind, named in ((a, b), (b, a)):
        is_pythons = named.__module__ == "builtins" and named is not Exception and issubclass(named, Exception)
        if not is_pythons or getattr(kind, "__ag_of_operations__", False) is not True:
            continue
        own = [base for base in kind.__mro__ if base.__module__ != "builtins"]
        direct = any(named in base.__bases__ for base in own)
        if direct and named in vars(kind).get("__ag_caught_as__", kind.__mro__):
            raise StagingError(
                f"an operation of the graph raises {kind.__name__}, which is a class below {named.__name__}: ask"
                f" issubclass(kind, {named.__name__}) or isinstance(error, {named.__name__}) in the place of `is` and"
                " `in`"
            )
