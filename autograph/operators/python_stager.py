"""The Python stager: control flow over plain values is simply run, exactly as Python runs the original statement.

It owns every value that nobody else claims. It never calls `get_state` or `set_state`: the bodies change the variables
of the converted function themselves.

Example:
    PYTHON.if_stmt(x > 0, if_body, else_body, get_state, set_state, ("y",), 1)  # runs one of the two bodies
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from functools import partial
from types import FunctionType, GeneratorType
from typing import TYPE_CHECKING, Any

from autograph.operators.handlers import run_try
from autograph.operators.left import left_by, take_from
from autograph.operators.list_collector import ListCollector
from autograph.operators.pulled import Pulled, pulled
from autograph.operators.unrolling import Rounds, counted, staged, unrolled_before
from autograph.operators.variables import UndefinedReturnValue, set_variables, variables_in

if TYPE_CHECKING:
    from autograph.operators.stager import GetState, Handlers, Names, SetState, Stager, Thunk

__all__ = ["PythonStager"]

_CONVERSIONS: dict[str, Callable[[Any], str]] = {"s": str, "r": repr, "a": ascii}


class PythonStager:
    """Runs each statement with the meaning that Python gives it. stager_of, tracing_stager: the look-up and the
    recording stager, for a loop that has begun in Python and meets a value of another stager."""

    __slots__ = ("_stager_of", "_tracing_stager", "name")

    def __init__(
        self, stager_of: Callable[[Any], Stager], tracing_stager: ContextVar[Stager | None], name: str = "python"
    ) -> None:
        self._stager_of = stager_of
        self._tracing_stager = tracing_stager
        self.name = name

    def if_stmt(
        self,
        cond: Any,
        body: Thunk,
        orelse: Thunk,
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        nouts: int,
    ) -> None:
        if cond:
            body()
        else:
            orelse()

    def while_stmt(
        self,
        test: Thunk,
        body: Thunk,
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Mapping[str, Any],
        mark: Any,
    ) -> None:
        """Run the loop; `mark` is the value of the first test, for Python cannot take its evaluation back.

        If the test turns into a value of another stager, or only an exception of the run ends the loop, another stager
        gets the rest of the loop from the present state.
        """
        tracer = self._tracing_stager.get()
        rounds = None if tracer is None else Rounds(tracer, body, test)
        value, position = mark, None
        before: tuple[Any, ...] = ()
        with nullcontext() if rounds is None else rounds:
            while value:
                if rounds is None or tracer is None:
                    body()
                else:
                    rounds.next()
                    body()
                    position = tracer.mark(test)
                    before = variables_in(get_state)
                value = test()
                is_plain = type(value) is bool or type(value) is int
                owner = self if is_plain else self._stager_of(value)
                if tracer is not None and rounds is not None and is_plain and value and rounds.end_by_exception():
                    owner = tracer
                if owner is not self:
                    break
            else:
                return
        if before:  # the next owner evaluates the test again
            set_variables(before, get_state, set_state)
        owner.while_stmt(test, body, get_state, set_state, symbol_names, opts, position if owner is tracer else None)

    def for_stmt(
        self,
        iter_: Any,
        extra_test: Thunk | None,
        body: Callable[[Any], Any],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Mapping[str, Any],
    ) -> None:
        """Run the loop: pull an item, run the body, ask `extra_test`.

        If that gives a value of another stager (a `break` under a symbolic condition), each of the remaining iterations
        runs under that condition: `if extra_test: body(item)`. What Python cannot run so is refused (pulled.py).
        """
        tracer, why = self._tracing_stager.get(), ""
        parts = (extra_test, body, get_state, set_state, symbol_names, opts)
        if tracer is not None:
            take_from(iter_)
            found = tracer.for_known(iter_, *parts, *unrolled_before(body))
            if found is None:
                return staged(iter_, body, extra_test is not None)
            why = found
        items, loop, rounds = iter(iter_), None, None
        is_same = items is iter_
        del iter_
        if tracer is not None and not is_same and hasattr(type(items), "__ag_push__"):  # its `__iter__` is a generator
            from autograph.operators.loop import for_stmt
            try:
                return for_stmt(items, *parts)
            finally:
                del items
        taken = None if tracer is None else items
        if tracer is not None:
            loop, rounds = pulled(items, tracer), Rounds(tracer, body, items=items, why=why)
            plain = loop is None and not isinstance(items, GeneratorType)
            stage = partial(tracer.for_known, items, *parts, 0) if plain else None
            items = counted(items if loop is None else loop.items(items), rounds, stage)
        try:
            with nullcontext() if loop is None else loop.guard(), nullcontext() if rounds is None else rounds:
                if extra_test is None:
                    for item in items:
                        body(item)
                else:
                    self._run_until(items, (loop, rounds), *parts)
            if rounds is not None:
                left_by(taken, rounds.is_left and extra_test is not None)
        finally:
            del items, taken  # a generator is closed now, also while an exception keeps this frame alive

    def _run_until(
        self, items: Any, watching: tuple[Pulled | Rounds | None, ...], extra_test: Any, body: Callable[[Any], Any],
        get_state: GetState, set_state: SetState, symbol_names: Names, opts: Mapping[str, Any],
    ) -> None:  # fmt: skip
        staging = opts.get("staging", lambda thunk: thunk())
        go_on: Any = True
        owner: Stager = self
        try:
            for item in items:
                if owner is self:
                    body(item)
                else:
                    once = _Iteration(body, item), _do_nothing, get_state, set_state, symbol_names, len(symbol_names)
                    staging(partial(owner.if_stmt, go_on, *once))
                go_on = extra_test()
                owner = self if type(go_on) is bool else self._stager_of(go_on)
                if owner is self and not go_on:
                    break
                for part in watching if owner is not self else ():
                    if part is not None:
                        part.leave()
        finally:
            del items

    def for_known(self, iter_: Any, *loop: Any) -> str:
        return ""

    def is_long(self, iter_: Any) -> bool:
        return False

    def unrolled(self, mark: Any, body: Any, why: str) -> None:
        return None

    def prints(self) -> None:
        return None

    def moves(self, iterator: Any) -> None:
        return None

    def if_exp(self, cond: Any, if_true: Thunk, if_false: Thunk, expr_repr: str) -> Any:
        return if_true() if cond else if_false()

    def and_(self, a_value: Any, b_thunk: Thunk) -> Any:
        return a_value and b_thunk()

    def or_(self, a_value: Any, b_thunk: Thunk) -> Any:
        return a_value or b_thunk()

    def not_(self, value: Any) -> Any:
        return not value

    def eq(self, a: Any, b: Any) -> Any:
        return a == b

    def not_eq(self, a: Any, b: Any) -> Any:
        return a != b

    def ordered(self, order: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        return order(a, b)

    def contains(self, item: Any, container: Any) -> Any:
        return item in container

    def is_same(self, a: Any, b: Any) -> bool:
        return a is b

    def is_none(self, value: Any) -> bool:
        return value is None

    def format_value(self, value: Any, conversion: str, spec: Any) -> Any:
        if conversion == "%":
            return spec % (value,)
        if conversion:
            value = _CONVERSIONS[conversion](value)
        return format(value, spec) if spec or type(value) is not str else value

    def join_strings(self, separator: Any, pieces: Sequence[Any]) -> Any:
        return separator.join(pieces)

    def is_bool(self, value: Any, expected: bool) -> bool:
        return value is expected

    def get_item(self, x: Any, k: Any) -> Any:
        return x[k]

    def set_item(self, x: Any, k: Any, v: Any) -> Any:
        """The type of a value that never changes says by `__ag_set_item__` what a write makes of it."""
        replace = getattr(type(x), "__ag_set_item__", None)
        if replace is not None:
            return replace(x, k, v)
        x[k] = v
        return x

    def item_state(self, x: Any, name: str) -> Any:
        return x if hasattr(type(x), "__ag_set_item__") else NotImplemented

    def unpack(self, value: Any, count: int, starred: bool) -> Any:
        return value

    def stack(self, value: Any, element_dtype: Any, strict: bool) -> Any:
        kind = type(value[0]) if isinstance(value, list | tuple) and value else type(value)
        stacked = getattr(kind, "__ag_stack__", None)  # values of a runtime that is not tracing
        if stacked is not None:
            return stacked(value, element_dtype)
        if strict:
            raise ValueError(f"{value!r} must be stackable when strict=True: none of its elements is a tensor")
        return value

    def tensor_list(self, elements: Any, element_dtype: Any, element_shape: Any) -> Any:
        return list(elements)

    def set_element_type(self, entity: Any, dtype: Any, shape: Any) -> None:
        return None

    def assert_stmt(self, test: Any, message: Thunk | None) -> None:
        if not test:
            raise AssertionError if message is None else AssertionError(message())

    def try_stmt(
        self,
        body: Thunk,
        handlers: Handlers,
        orelse: Thunk | None,
        cleanup: Thunk | None,
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        nouts: int,
        jumps: Names,
    ) -> None:
        run_try(body, handlers, orelse, cleanup)

    def builtin(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return function(*args, **kwargs)

    def collector(self) -> ListCollector:
        return ListCollector()

    def call(self, function: Any, original: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return function(*args, **kwargs)

    def foreign(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> AbstractContextManager[Any]:
        return nullcontext()

    def spread(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Any) -> Any:
        return NotImplemented

    def call_cached(self, wrapper: Any, plain: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return wrapper(*args, **kwargs)

    def load(self, value: Any, name: str | None, free: bool = False) -> Any:
        return value

    def ret(self, value: Any, did_return: Any, function_name: str) -> Any:
        return None if type(value) is UndefinedReturnValue else value

    def name_scope(self, name: str) -> AbstractContextManager[Any]:
        return nullcontext()

    def mark(self, *probed: Thunk) -> None:
        return None

    def check_unguarded(self, mark: Any, what: str) -> None:
        return None

    def unguarded(self, where: str, matters: Callable[[], bool] | None = None) -> AbstractContextManager[Any]:
        return nullcontext()

    def effect_since(self, mark: Any) -> str | None:
        return None

    def raises_since(self, mark: Any, kind: type[BaseException] = BaseException, perhaps: bool = False) -> bool:
        return False


class _Iteration:
    """The body of a loop bound to one item."""

    __slots__ = ("_body", "_item")

    def __init__(self, body: Callable[[Any], Any], item: Any) -> None:
        self._body = body
        self._item = item

    def __call__(self) -> Any:
        return self._body(self._item)

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self._body, self._item)


def _do_nothing() -> None:
    return None
