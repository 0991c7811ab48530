"""`VariableReference`: what `Variable.ref()` gives, a key for dicts and sets.

>>> v.ref() == v.ref(), v.ref() == runtime.Variable(v).ref()
(True, False)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from runtime.state.variable import Variable

__all__ = ["VariableReference"]


class VariableReference:
    """A hashable handle of a Variable; `deref()` gives the Variable back."""

    __slots__ = ("_variable",)

    def __init__(self, variable: Variable) -> None:
        self._variable = variable

    def deref(self) -> Variable:
        return self._variable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariableReference) and other._variable._memory is self._variable._memory

    def __hash__(self) -> int:
        return id(self._variable._memory)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._variable!r}>"
