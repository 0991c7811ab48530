"""A stager that stages without a graph: it runs every branch, as tracing would, and keeps the state of the one taken.

This tests what Python mode cannot: that `get_state` and `set_state` hold all that a branch or a loop changes, that no
branch reads what the other wrote, and that what is said to be dead after a statement is dead.  It needs no runtime, so
a wrong answer here is the converter's.  Values are integers and truth values in a wrapper that refuses `bool()`:

    staged = shadowed(function)          # calls function with Shadow arguments and unwraps what it returns
    staged(3, 4)
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from autograph.operators import tracing_stager
from autograph.operators.handlers import run_try
from autograph.operators.item_state import ELSEWHERE
from autograph.operators.list_collector import ListCollector
from autograph.operators.stager import PYTHON, Stager
from autograph.operators.variables import Undefined, UndefinedReturnValue

from .grammar import Program
from .oracle import Outcome, Verdict, check, convert
from .world import EVENTS

__all__ = ["Shadow", "ShadowStager", "check_shadowed", "shadowed"]

Thunk = Callable[[], Any]


class StagedTruthError(TypeError):
    """Python asked a staged value for its truth: what a runtime refuses, with an error of its own."""


class Poison:
    """In place of a value that is not to be read after a statement."""

    def __repr__(self) -> str:
        raise AssertionError("a value is read after a statement that does not list it among its outputs")


class ShadowStager:
    """Control flow over Shadow values; every body is run, and what it did is taken back if it should not have."""

    name = "shadow"

    def if_stmt(
        self, cond: Any, body: Thunk, orelse: Thunk, get_state: Any, set_state: Any, symbol_names: Any, nouts: int
    ) -> None:
        before = get_state()
        ends = []
        for wanted, branch in ((True, body), (False, orelse)):
            set_state(before)
            ends.append(self._run(branch, cond.value is wanted, get_state))
        taken, other = ends if cond.value else reversed(ends)
        merged = [merge(value, left) for value, left in zip(taken[:nouts], other[:nouts] or taken[:nouts], strict=True)]
        names = symbol_names[nouts:]
        dead = [Undefined(name) if "." in name or "[" in name else Poison() for name in names]
        set_state((*merged, *[value if isinstance(gone, Undefined) or value is ELSEWHERE else gone
                              for value, gone in zip(taken[nouts:], dead, strict=True)]))  # fmt: skip

    def _run(self, branch: Thunk, is_taken: bool, get_state: Any) -> tuple[Any, ...]:
        position = len(EVENTS)
        try:
            branch()
        except Exception:
            if is_taken:
                raise
        state: tuple[Any, ...] = get_state()
        if not is_taken:
            del EVENTS[position:]
        return state

    def while_stmt(
        self, test: Thunk, body: Thunk, get_state: Any, set_state: Any, symbol_names: Any, opts: Any, mark: Any
    ) -> None:
        del EVENTS[mark:]
        self._rehearse(lambda: (test(), body()), get_state, set_state)
        while self._holds(test()):
            body()
            self._pass_through(get_state, set_state)
        self._pass_through(get_state, set_state)

    def for_stmt(
        self,
        iter_: Any,
        extra_test: Thunk | None,
        body: Any,
        get_state: Any,
        set_state: Any,
        symbol_names: Any,
        opts: Any,
    ) -> None:
        self._rehearse(lambda: body(Shadow(0)), get_state, set_state)
        for item in iter_.values():
            body(item)
            self._pass_through(get_state, set_state)
            if extra_test is not None and not self._holds(extra_test()):
                break
        self._pass_through(get_state, set_state)

    def _rehearse(self, run: Thunk, get_state: Any, set_state: Any) -> None:
        """One round that leaves nothing behind, as tracing the body does."""
        before, position = get_state(), len(EVENTS)
        try:
            run()
        except Exception:  # a round that would not happen may fail
            pass
        set_state(before)
        del EVENTS[position:]

    def _pass_through(self, get_state: Any, set_state: Any) -> None:
        set_state(tuple(stage(value) for value in get_state()))

    def _holds(self, value: Any) -> bool:
        return bool(value.value if isinstance(value, Shadow) else value)

    def if_exp(self, cond: Any, if_true: Thunk, if_false: Thunk, expr_repr: str) -> Any:
        results = [self._value(branch, cond.value is wanted) for wanted, branch in ((True, if_true), (False, if_false))]
        return stage(results[0] if cond.value else results[1])

    def _value(self, thunk: Thunk, is_taken: bool) -> Any:
        result: list[Any] = []
        self._run(lambda: result.append(thunk()), is_taken, tuple)
        return result[0] if result else None

    def and_(self, a_value: Any, b_thunk: Thunk) -> Any:
        right = self._value(b_thunk, a_value.value is True)
        return stage(right if a_value.value else a_value)

    def or_(self, a_value: Any, b_thunk: Thunk) -> Any:
        right = self._value(b_thunk, a_value.value is False)
        return stage(a_value if a_value.value else right)

    def not_(self, value: Any) -> Any:
        return Shadow(not value.value)

    def eq(self, a: Any, b: Any) -> Any:
        return a == b

    def not_eq(self, a: Any, b: Any) -> Any:
        return a != b

    def ordered(self, order: Any, a: Any, b: Any) -> Any:
        return order(a, b)

    def contains(self, item: Any, container: Any) -> Any:
        return Shadow(any(plain(item) == plain(value) for value in container))

    def is_same(self, a: Any, b: Any) -> Any:
        return a is b

    def is_none(self, value: Any) -> Any:
        return value is None

    def is_bool(self, value: Any, expected: bool) -> Any:
        return Shadow(plain(value) is expected)

    def format_value(self, value: Any, conversion: str, spec: Any) -> Any:
        return PYTHON.format_value(plain(value), conversion, plain(spec))

    def join_strings(self, separator: Any, pieces: Any) -> Any:
        return separator.join(pieces)

    def get_item(self, x: Any, k: Any) -> Any:
        return stage(x[plain(k)])

    def set_item(self, x: Any, k: Any, v: Any) -> Any:
        return PYTHON.set_item(x, plain(k), v)

    def item_state(self, x: Any, name: str) -> Any:
        return NotImplemented

    def unpack(self, value: Any, count: int, starred: bool) -> Any:
        return value

    def stack(self, value: Any, element_dtype: Any, strict: bool) -> Any:
        return value

    def tensor_list(self, elements: Any, element_dtype: Any, element_shape: Any) -> Any:
        return list(elements)

    def set_element_type(self, entity: Any, dtype: Any, shape: Any) -> None:
        return None

    def assert_stmt(self, test: Any, message: Thunk | None) -> None:
        assert test.value, message() if message else ""

    def try_stmt(self, body: Thunk, handlers: Any, orelse: Any, cleanup: Any, *rest: Any) -> None:
        run_try(body, handlers, orelse, cleanup)

    def check_unguarded(self, mark: Any, what: str) -> None:
        return None

    def unguarded(self, where: str, matters: Callable[[], bool] | None = None) -> AbstractContextManager[Any]:
        return nullcontext()

    def effect_since(self, mark: Any) -> str | None:
        return None

    def raises_since(self, mark: Any, kind: type[BaseException] = BaseException, perhaps: bool = False) -> bool:
        return False

    def for_known(self, iter_: Any, *loop: Any) -> str:
        return ""

    def is_long(self, iter_: Any) -> bool:
        return False

    def moves(self, iterator: Any) -> None:
        return None

    def unrolled(self, mark: Any, body: Any, why: str) -> None:
        return None

    def prints(self) -> None:
        return None

    def builtin(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return ShadowRange(range(*map(plain, args))) if function is range else NotImplemented

    def collector(self) -> ListCollector:
        return ListCollector()

    def call(self, function: Any, original: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return function(*args, **kwargs)

    def foreign(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return contextlib.nullcontext()

    def spread(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Any) -> Any:
        return NotImplemented

    def call_cached(self, wrapper: Any, plain: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return wrapper(*args, **kwargs)

    def load(self, value: Any, name: str | None, free: bool = False) -> Any:
        return value

    def ret(self, value: Any, did_return: Any, function_name: str) -> Any:
        return None if isinstance(value, UndefinedReturnValue) else value

    def name_scope(self, name: str) -> AbstractContextManager[None]:
        return nullcontext()

    def mark(self, *probed: Thunk) -> int:
        return len(EVENTS)


STAGER: Stager = ShadowStager()


class Shadow:
    """An integer or truth value of which Python control flow cannot see the value."""

    __ag_stager__ = STAGER
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self.value = value

    def __bool__(self) -> bool:
        raise StagedTruthError

    def __repr__(self) -> str:
        return repr(self.value)


class ShadowRange:
    """`range` of a staged number."""

    __ag_stager__ = STAGER

    def __init__(self, numbers: range) -> None:
        self.numbers = numbers

    def values(self) -> Iterator[Shadow]:
        return map(Shadow, self.numbers)


def _binary(function: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    def forward(self: Shadow, other: Any) -> Shadow:
        return Shadow(function(self.value, plain(other)))

    def backward(self: Shadow, other: Any) -> Shadow:
        return Shadow(function(plain(other), self.value))

    return forward, backward


for _name in ("add", "sub", "mul", "mod", "floordiv"):
    _forward, _backward = _binary(getattr(operator, _name))
    setattr(Shadow, f"__{_name}__", _forward)
    setattr(Shadow, f"__r{_name}__", _backward)
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Shadow, f"__{_name}__", _binary(getattr(operator, _name))[0])
for _name in ("neg", "abs"):
    setattr(Shadow, f"__{_name}__", lambda self, function=getattr(operator, _name): Shadow(function(self.value)))


def plain(value: Any) -> Any:
    return value.value if isinstance(value, Shadow) else value


def stage(value: Any) -> Any:
    """Numbers become staged where they pass through a staged statement."""
    return Shadow(value) if isinstance(value, int) else value


def merge(taken: Any, other: Any) -> Any:
    """What a branch leaves in a variable: staged, unless both branches leave the same object."""
    return taken if taken is other else stage(taken)


REFUSALS = {
    "StagedTruthError": "Python asked a staged value for its truth",
    "StagingError(a ternary in a lambda that assigns": "a ternary in a lambda that has variables",
}
"""How the error of a run begins that is no defect, and the reason."""


def refusal(outcome: Outcome) -> str:
    """A staged program may ask for the truth of a staged value; a runtime refuses that, and so do we."""
    return next((reason for start, reason in REFUSALS.items() if outcome.error.startswith(start)), "")


def check_shadowed(program: Program) -> Verdict:
    """Judge a staged program by running both sides of everything."""
    return check(program, lambda function: shadowed(convert(function)), refusal)


def shadowed(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function called with staged arguments, while the stager records."""

    def call(*arguments: Any) -> Any:
        token = tracing_stager.set(STAGER)
        try:
            return plain(function(*map(stage, arguments)))
        finally:
            tracing_stager.reset(token)

    return call
