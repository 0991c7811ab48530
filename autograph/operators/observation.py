"""Watching converted code run: which functions it meets, which statements are staged. `autograph.explain` uses it.

    with observed(observer):        # an Observer
        converted_function(x)

Nothing is watched, and nothing costs anything, outside of such a block: inside of it the operators that generated code
finds in its namespace are exchanged for ones that tell the observer of this context, and what to do with a function is
decided anew at each call.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import CodeType
from typing import Any, Final, NamedTuple, Protocol

from autograph.operators.as_written import never
from autograph.operators.stager import stager_of
from autograph.template import NAMESPACE

__all__ = ["Observer", "Place", "is_observed", "observed", "on_observation", "tell_function", "tell_guard"]


class Place(NamedTuple):  # which is made in a fifth of the time of an ordered dataclass, at each import
    """A line of the user's code."""

    filename: str
    lineno: int
    function: str


class Observer(Protocol):
    """What is told while converted code runs in this context."""

    def function(self, code: CodeType, reason: str | None) -> None:
        """A Python function is called: converted, or as it is for a reason."""

    def statement(self, kind: str, place: Place, first: str, last: str, rounds: int) -> None:
        """A statement has run. first, last: the stagers of its first and last condition; rounds: of its body."""

    def guard(self, words: str, place: Place) -> None:
        """What was traced holds as long as what stands in `words` is as it was. place: where it is looked up."""


_observer: ContextVar[Observer | None] = ContextVar("autograph.observer", default=None)
_lock: Final = threading.Lock()
_blocks: Final[list[int]] = [0]
"""How many blocks of all threads are open."""

_originals: Final[dict[str, Any]] = {}
_listeners: Final[list[Callable[[], None]]] = []


def on_observation(listener: Callable[[], None]) -> None:
    """Call `listener` when somebody begins to watch; for those who remember decisions that are to be told."""
    _listeners.append(listener)


def is_observed() -> bool:
    """Whether anybody watches, in any thread."""
    return _blocks[0] > 0


def tell_function(code: CodeType, reason: str | None) -> None:
    """Tell the observer of this context of a call."""
    observer = _observer.get()
    if observer is not None:
        observer.function(code, reason)


def tell_guard(words: str, place: Place) -> None:
    """Tell the observer of this context of something that a trace took from Python."""
    observer = _observer.get()
    if observer is not None:
        observer.guard(words, place)


@contextmanager
def observed(observer: Observer) -> Iterator[None]:
    """Tell `observer` what converted code does in this block, in this context."""
    namespace = NAMESPACE.cell_contents
    with _lock:
        _blocks[0] += 1
        if _blocks[0] == 1:
            for listener in _listeners:
                listener()
            for name, watched in _WATCHED.items():
                _originals[name] = getattr(namespace, name)
                setattr(namespace, name, watched(_originals[name]))
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)
        with _lock:
            _blocks[0] -= 1
            if _blocks[0] == 0:
                for name, original in _originals.items():
                    setattr(namespace, name, original)


class _Statement:
    """One run of one statement."""

    def __init__(self, kind: str) -> None:
        frame = sys._getframe(2)
        self.kind = kind
        self.place = Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname)
        self.first: str | None = None
        self.last = "python"
        self.rounds = 0

    def condition(self, value: Any) -> Any:
        self.last = stager_of(value).name
        self.first = self.first or self.last
        return value

    def body(self, code: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any) -> Any:
            self.rounds += 1
            return code(*args)

        # A stager that looks into the functions of a statement, for what they can change, finds the user's.
        counted.__code__ = counted.__code__.replace(co_filename=code.__code__.co_filename)
        return counted

    def over(self) -> None:
        observer = _observer.get()
        if observer is not None:
            observer.statement(self.kind, self.place, self.first or self.last, self.last, self.rounds)


def _if_stmt(original: Callable[..., Any]) -> Callable[..., Any]:
    def if_stmt(cond: Any, *rest: Any) -> None:
        seen = _Statement("if")
        seen.condition(cond)
        try:
            original(cond, *rest)
        finally:
            seen.over()

    return if_stmt


def _if_exp(original: Callable[..., Any]) -> Callable[..., Any]:
    def if_exp(cond: Any, *rest: Any) -> Any:
        seen = _Statement("conditional expression")
        seen.condition(cond)
        try:
            return original(cond, *rest)
        finally:
            seen.over()

    return if_exp


def _for_stmt(original: Callable[..., Any]) -> Callable[..., Any]:
    def for_stmt(iter_: Any, extra_test: Any, body: Any, *rest: Any) -> None:
        seen = _Statement("for")
        seen.condition(iter_)
        test = None if extra_test is None else lambda: seen.condition(extra_test())
        try:
            original(iter_, test, seen.body(body), *rest)
        finally:
            seen.over()

    return for_stmt


def _while_stmt(original: Callable[..., Any]) -> Callable[..., Any]:
    def while_stmt(test: Any, body: Any, *rest: Any) -> None:
        seen = _Statement("while")
        try:
            original(lambda: seen.condition(test()), seen.body(body), *rest)
        finally:
            seen.over()

    return while_stmt


_WATCHED: Final[dict[str, Callable[[Any], Any]]] = {
    "runs_as_written": lambda original: never,
    "if_stmt": _if_stmt,
    "if_exp": _if_exp,
    "for_stmt": _for_stmt,
    "while_stmt": _while_stmt,
}
