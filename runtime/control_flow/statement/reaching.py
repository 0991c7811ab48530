"""Code of ours as a branch of a statement: it says itself what of the program it reaches, for it closes over that.

    if_exp(better, given(row), given(best), "the comparison")   # the objects themselves, which were there before
    one_of(flag, (Reaching(change, (self,)), ...), ...)         # `change` writes to what `self` leads to
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Reaching", "given"]


class Reaching:
    """Code of ours that reads or changes objects which these functions or objects of the program lead to."""

    __slots__ = ("_code", "_functions")

    def __init__(self, code: Callable[[], Any], functions: Sequence[Any]) -> None:
        self._code = code
        self._functions = functions

    def __call__(self) -> Any:
        return self._code()

    def __ag_watched__(self) -> Sequence[Any]:
        return self._functions


def given(value: Any) -> Reaching:
    """A branch that gives a value of the program's, and no copy of it."""
    return Reaching(lambda: value, (value,))
