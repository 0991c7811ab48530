"""What a handler must not read: variables that are known only when the graph runs.

    total = 0
    try:
        total = total + 1       # `total` in the handler depends on which of the two lines raised
        total = total // n
    except ZeroDivisionError:
        print(total)            # StagingError: 'total' ...
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograph.errors import StagingError

__all__ = ["Uncertain", "stands_for"]


class Uncertain:
    """Stands in the place of a value that is not known; any use other than passing it around raises `error`."""

    __slots__ = ("_error", "_message", "_name")

    def __init__(self, name: str, message: str, error: type[StagingError] = StagingError) -> None:
        object.__setattr__(self, "_name", name)
        object.__setattr__(self, "_message", message)
        object.__setattr__(self, "_error", error)

    def __getattribute__(self, name: str) -> Any:
        if name in ("__class__", "__dict__", "__ag_stager__"):
            return object.__getattribute__(self, name)
        return _refuse(self)

    def __repr__(self) -> str:
        return _refuse(self)


def stands_for(value: Uncertain) -> tuple[str, str]:
    """The variable whose value it is, and what is to be said to those who read it."""
    return object.__getattribute__(value, "_name"), object.__getattribute__(value, "_message")


def _refuse(self: Uncertain, *args: Any, **kwargs: Any) -> NoReturn:
    raise object.__getattribute__(self, "_error")(object.__getattribute__(self, "_message"))


_USES = (
    "bool call iter next len contains getitem setitem delitem enter exit hash eq ne lt le gt ge str format index int "
    "float complex add radd iadd sub rsub isub mul rmul imul truediv rtruediv itruediv floordiv rfloordiv ifloordiv "
    "mod rmod imod pow rpow ipow matmul rmatmul imatmul and rand iand or ror ior xor rxor ixor lshift rlshift ilshift "
    "rshift rrshift irshift neg pos abs invert as_tensor"
)
for _use in _USES.split():
    setattr(Uncertain, f"__{_use}__", _refuse)
