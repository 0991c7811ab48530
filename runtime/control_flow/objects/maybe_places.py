"""Keys and attributes that are there in some runs only: what it is to read, to ask for and to delete one.

    if x > 0: self.cache = x      # `cache` holds MaybeUndefined(x, defined=x > 0)
    self.cache                    # a check that it is there, which raises Python's AttributeError; then x
    hasattr(self, "cache")        # the tensor `x > 0`
    getattr(self, "cache", y)     # x if x > 0 else y
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import MemberDescriptorType
from typing import Any, Final, NoReturn

from autograph.errors import StagingError
from autograph.rules import is_user_code, users_frame
from autograph.template import is_made
from runtime.as_python import raise_as_python
from runtime.control_flow.branches.if_statement import one_of
from runtime.control_flow.branches.known import is_known
from runtime.control_flow.branches.values import cond_values
from runtime.control_flow.optional.values import MaybeUndefined, is_state_access
from runtime.control_flow.statement.reaching import Reaching, given
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.location import here
from runtime.heap.code import in_class
from runtime.heap.open_objects import USES, if_there, is_maybe, own_class
from runtime.heap.placeholders import Absent
from runtime.ops.records.record import REGISTRY

__all__ = ["read_place", "read_where", "there"]

Thunk = Callable[[], Any]


# -- of any place


def there(value: Any) -> Any:
    """Whether what a place holds is there: a bool where that is known here, else a tensor."""
    if not is_maybe(value):
        return type(value) is not Absent
    for known in (True, False):
        if is_known(value.defined, known):
            return known
    return value.defined


def read_place(value: Any, error: Exception) -> Any:
    """The value, after a check that it is there, which raises `error`."""
    defined = there(value)
    if defined is True:
        return if_there(value)
    if defined is False:
        raise_as_python(error)
    _refuse_in_library(error)
    if isinstance(error, KeyError):  # whose argument is the key itself
        cond_values(in_graph(defined), list, lambda: raise_as_python(error), [])
    else:
        REGISTRY["check"](defined, message=str(error), exception=type(error).__name__)
    return value.value


def _refuse_in_library(error: Exception) -> None:
    """Code that is not converted has handlers of its own, which do not take what the run raises."""
    frame = users_frame(sys._getframe())
    code = frame.f_code
    if is_user_code(code.co_filename) or is_made(code):
        return
    while not is_user_code(frame.f_code.co_filename) and frame.f_back is not None:
        frame = frame.f_back
    raise StagingError(
        f"whether {error.args[0]!r} is there depends on a tensor, and {code.co_name!r}, which is not converted, reads"
        f" it (at {frame.f_code.co_filename}:{frame.f_lineno}). Give it a value before the statement, or read it in the"
        " branches"
    )


def read_where(value: Any, otherwise: Thunk, name: str, *operands: Any) -> Any:
    """The value, and where it is not there that of `otherwise()`. operands: what that may reach."""
    defined = there(value)
    if isinstance(defined, bool):
        return if_there(value) if defined else otherwise()
    return one_of(in_graph(defined), (given(value.value), Reaching(otherwise, operands)), name, WHERE)


WHERE: Final = "an operation on what is there in some runs only"


def in_graph(flag: Any) -> Any:
    return current_graph().recording.localize(flag, "whether it is there")


# -- attributes


def _read(owner: Any, name: str, value: MaybeUndefined) -> Any:
    """`owner.name`; where the attribute is not there, that of the class, or what `__getattr__` gives."""
    if is_state_access():
        return value
    if (otherwise := _in_class(owner, name)) is not None:
        return read_where(value, otherwise, f".{name}", owner)
    return read_place(value, _error(owner, name))


def _error(owner: Any, name: str) -> AttributeError:
    return AttributeError(f"{own_class(owner).__name__!r} object has no attribute {name!r}")


def _in_class(owner: Any, name: str) -> Thunk | None:
    """What reads an attribute that the object itself has not; None where there is no such."""
    kind = own_class(owner)
    found = in_class(kind, name)
    if found is not None and not isinstance(found, MemberDescriptorType):
        bind = getattr(type(found), "__get__", None)
        return lambda: found if bind is None else bind(found, owner, kind)
    if (missing := getattr(kind, "__getattr__", None)) is not None:
        return lambda: missing(owner, name)
    return None


def _ask(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """`hasattr(owner, name)`, `getattr(owner, name, default)` and their like."""
    owner, *rest = args
    held = _held(owner, rest[0]) if function in (hasattr, getattr) and rest and isinstance(rest[0], str) else None
    if function is type:
        return own_class(owner)
    if held is None or (function is getattr and len(rest) == 1):
        return function(*args)
    name = rest[0]
    otherwise = _in_class(owner, name)
    if function is getattr:
        return read_where(held, (lambda: rest[1]) if otherwise is None else otherwise, f".{name}", owner, rest[1])
    return there(held) if otherwise is None else True


def _find(owner: Any, name: str) -> tuple[Any, Any]:
    """Whether an attribute is there, and its value where it is."""
    held = _held(owner, name)
    if held is not None and _in_class(owner, name) is None:
        flag = there(held)
        return (flag if isinstance(flag, bool) else in_graph(flag)), held.value
    try:
        return True, getattr(owner, name)
    except AttributeError:
        return False, None


def _held(owner: Any, name: str) -> MaybeUndefined | None:
    """What an object holds as an attribute that is there in some runs only."""
    try:
        kind: Any = own_class(owner)
        found = kind.__getattribute__(owner, name)
    except AttributeError:
        return None
    return found if is_maybe(found) else None


def _refuse(owner: Any, name: str) -> NoReturn:
    raise StagingError(
        f"the attributes of an object ({own_class(owner).__name__}) are looked at as a dict{here()}, and whether it"
        f" has the attribute {name!r} depends on a tensor. Ask for that one (`hasattr(o, {name!r})`, `o.{name}`), or"
        " give it a value before the statement that makes it"
    )


USES.update(
    read=_read, delete=lambda owner, name, value: read_place(value, _error(owner, name)), ask=_ask, find=_find,
    refuse=_refuse,
)  # fmt: skip
