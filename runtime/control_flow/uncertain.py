"""What a handler must not read: variables and exceptions that are known only when the graph runs.

    total = 0
    try:
        total = total + 1       # `total` in the handler depends on which of the two lines raised
        total = total // n
    except ZeroDivisionError:
        print(total)            # StagingError: 'total' ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from autograph.errors import StagingError
from runtime.ops.exceptions import make_error
from runtime.ops.raising import raise_
from runtime.ops.terms import Term

if TYPE_CHECKING:
    from runtime.control_flow.regions import Risk

__all__ = ["Uncertain", "UncertainRead", "stand_in", "stands_for"]


class UncertainRead(StagingError):
    """A handler reads what depends on where the exception was raised."""


class Uncertain:
    """Stands in the place of a value that is not known; any use other than passing it around raises UncertainRead."""

    __slots__ = ("_message", "_name")

    def __init__(self, name: str, message: str) -> None:
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_message", message)

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "__dict__", "__ag_stager__"):
            return object.__getattribute__(self, name)
        raise UncertainRead(object.__getattribute__(self, "_message"))

    def __repr__(self) -> str:
        return _refuse(self)


def stands_for(value: Uncertain) -> tuple[str, str]:
    """The variable whose value it is, and what is to be said to those who read it."""
    return object.__getattribute__(value, "_name"), object.__getattribute__(value, "_message")


def _refuse(self: Uncertain, *args: Any, **kwargs: Any) -> NoReturn:
    raise UncertainRead(object.__getattribute__(self, "_message"))


_USES = (
    "bool call iter next len contains getitem setitem delitem enter exit hash eq ne lt le gt ge str format index int "
    "float complex add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv "
    "mod rmod imod pow rpow ipow matmul rmatmul imatmul and rand iand or ror ior xor rxor ixor lshift rlshift ilshift "
    "rshift rrshift irshift neg pos abs invert as_tensor"
)
for _use in _USES.split():
    setattr(Uncertain, f"__{_use}__", _refuse)


def _caught_as(kinds: tuple[type[BaseException], ...], where: str) -> BaseException:
    """An exception of one of several classes, of which the program may know no more than that it is handled.

    It can be raised again and be the cause of another one. All else that is asked of it raises UncertainRead.
    """
    names = ", ".join(dict.fromkeys(kind.__name__ for kind in kinds))
    message = (
        f"the exception that is caught {where} is known only when the graph runs: it may be any of {names}. Its class,"
        " arguments and text cannot be asked for in the handler; raise it again, or write a handler for each class"
    )

    def refuse(self: Any, *args: Any) -> NoReturn:
        raise UncertainRead(message)

    def attribute(self: Any, name: str) -> Any:
        if name in _FREE:
            return object.__getattribute__(self, name)
        raise UncertainRead(message)

    namespace: dict[str, Any] = dict.fromkeys(("__str__", "__repr__", "__reduce_ex__"), refuse)
    namespace["__getattribute__"] = attribute
    make: Callable[..., type[BaseException]] = type
    base = kinds[0] if len(set(kinds)) == 1 else BaseException
    kind = make(base.__name__, (base,), namespace)
    return base.__new__(kind)


_FREE = frozenset({"__class__", "__traceback__", "__cause__", "__context__", "__suppress_context__", "with_traceback"})


def stand_in(risks: Sequence[Risk]) -> BaseException:
    """What the program sees of the exception in a handler."""
    where = f"by a handler of the `try` at {risks[0].operation.location or 'an unknown line'}"
    kinds = tuple(kind for risk in risks for kind in risk.kinds)
    terms = {repr(r.operation.attributes["error"]): r.operation.attributes["error"] for r in risks if _raises(r)}
    if len(terms) == 1 and all(map(_raises, risks)):
        (term,) = terms.values()
        if _is_static(term):
            return make_error(term, ())
    return _caught_as(kinds, where)


def _raises(risk: Risk) -> bool:
    return risk.operation.op is raise_


def _is_static(term: Any) -> bool:
    """Whether an exception can be made without the values of a run."""
    if isinstance(term, Term):
        return term.head != "hole" and all(map(_is_static, term.parts))
    return not isinstance(term, tuple) or all(map(_is_static, term))
