"""What a stager implements: the meaning of control flow over its own values.

Which stager owns a value is asked of `autograph.operators.stager`. The runtime's builds a graph, the Python stager just
runs (python_stager.py); docs/architecture.md shows the smallest one in full.

Example:
    class TextStager:
        name = "text"

        def if_exp(self, cond, if_true, if_false, expr_repr):
            return Symbol(f"where({cond.text}, {if_true().text}, {if_false().text})")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import CodeType, FunctionType
from typing import Any, Protocol

__all__ = ["Collector", "GetState", "Handlers", "Names", "Options", "SetState", "Stager", "State", "Thunk"]

Thunk = Callable[[], Any]
State = tuple[Any, ...]
GetState = Callable[[], State]
SetState = Callable[[State], None]
Names = tuple[str, ...]
Options = Mapping[str, Any]
Handlers = tuple[tuple[Thunk | None, Callable[..., Any], str | None], ...]


class Collector(Protocol):
    """What a list comprehension puts its elements into. `names`, `get_state`, `set_state`: what changes by that."""

    names: Names

    def put(self, item: Any) -> None:
        """One more element."""

    def get_state(self) -> State: ...

    def set_state(self, values: State) -> None: ...

    def staging(self, run: Thunk) -> None:
        """Run staged code, which puts elements."""

    def result(self) -> Any:
        """The list, when all elements are put."""


class Stager(Protocol):
    """What a library implements so that control flow over its values can be staged.

    `body`, `orelse`, `test` and the other callables close over the variables of the converted function; the variables
    that they change are read with `get_state` and written with `set_state`, in the order of `symbol_names`.
    """

    name: str

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
        """Stage `if cond: body() else: orelse()`; the first `nouts` symbols are read after it, the rest only inside."""

    def while_stmt(
        self,
        test: Thunk,
        body: Thunk,
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Options,
        mark: Any,
    ) -> None:
        """Stage `while test(): body()`.

        The operator has already called `test()` once, to learn who owns its value. `mark` is what `mark()` returned
        before that call, so that what the probe recorded can be thrown away (None if this stager was not tracing).
        """

    def for_stmt(
        self,
        iter_: Any,
        extra_test: Thunk | None,
        body: Callable[[Any], Any],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Options,
    ) -> None:
        """Stage `for item in iter_: body(item)`, which stops after an iteration that leaves `extra_test()` false."""

    def for_known(
        self,
        iter_: Any,
        extra_test: Thunk | None,
        body: Callable[[Any], Any],
        get_state: GetState,
        set_state: SetState,
        symbol_names: Names,
        opts: Options,
        before: int,
        times: int,
        since: Any = None,
        /,
    ) -> str | None:
        """Stage a loop over an iterable of Python's, which this stager does not own, while it is tracing.

        before: how many iterations of the same loop have been unrolled in the loops around it. times: how often each
        of its iterations counts: as often as the loops around it go round, or those in it do. since: where these are
        the iterations that are left, the `mark` before the last one. None: it is staged; a text, why it is to be
        unrolled ("" if it is short).
        """

    def is_long(self, iter_: Any) -> bool:
        """Whether an iterable of Python's has so many items that this stager, which is tracing, tries `for_known`."""
        ...

    def unrolled(self, mark: Any, body: CodeType, why: str) -> None:
        """Take note that a loop of Python, with no other around it, has been unrolled since `mark`. body: its code.
        why: what `for_known` has said of it."""

    def prints(self) -> None:
        """Take note that the program prints while this stager is tracing."""

    def moves(self, iterator: Any) -> None:
        """An iterator of Python is about to give an item. Raises where it may not, for nothing takes that back."""

    def if_exp(self, cond: Any, if_true: Thunk, if_false: Thunk, expr_repr: str) -> Any:
        """Stage `if_true() if cond else if_false()`; `expr_repr` is the text of the condition, for messages."""

    def and_(self, a_value: Any, b_thunk: Thunk) -> Any:
        """Stage `a_value and b_thunk()`; the first operand has been evaluated."""

    def or_(self, a_value: Any, b_thunk: Thunk) -> Any:
        """Stage `a_value or b_thunk()`; the first operand has been evaluated."""

    def not_(self, value: Any) -> Any:
        """Stage `not value`."""

    def eq(self, a: Any, b: Any) -> Any:
        """Stage `a == b`."""

    def not_eq(self, a: Any, b: Any) -> Any:
        """Stage `a != b`."""

    def ordered(self, order: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        """Stage `a < b` (`<=`, `>`, `>=`) of what may hold values of this stager; order: one of the module operator."""

    def contains(self, item: Any, container: Any) -> Any:
        """Stage `item in container`; one of them, or an element of a Python container, is owned by this stager."""

    def is_same(self, a: Any, b: Any) -> Any:
        """Stage `a is b`, neither of them None nor a plain value; False for what are two objects for this stager.

        It is asked for values of types marked `__ag_maybe_none__ = True`, and for all while it records.
        """

    def is_none(self, value: Any) -> Any:
        """Stage `value is None`, for a value of a type marked `__ag_maybe_none__ = True`."""

    def format_value(self, value: Any, conversion: str, spec: Any) -> Any:
        """Stage the text of `{value!conversion:spec}`, or with the conversion "%" that of `spec % value`.

        Python's str where neither depends on staged values, also within objects: this stager is asked for all of them.
        """

    def join_strings(self, separator: Any, pieces: Sequence[Any]) -> Any:
        """Stage `separator.join(pieces)`; some of these texts, or all pieces as one value, are owned by this stager."""

    def is_bool(self, value: Any, expected: bool) -> Any:
        """Stage `value is True` or `value is False`, as `match` asks: for a value that stands for a bool, its truth."""

    def get_item(self, x: Any, k: Any) -> Any:
        """Stage `x[k]`; this stager owns the key, or a part of it."""

    def set_item(self, x: Any, k: Any, v: Any) -> Any:
        """Stage `x[k] = v`; returns what x is after it: x itself, or the value that takes its place."""

    def item_state(self, x: Any, name: str) -> Any:
        """The value that stands for x where a statement writes its elements: x, if such a write replaces it.

        NotImplemented if a write changes x itself. `name`: the variable, for messages.
        """

    def unpack(self, value: Any, count: int, starred: bool) -> Any:
        """An iterable of the parts of `value`, for `count` targets and perhaps one starred one."""

    def stack(self, value: Any, element_dtype: Any, strict: bool) -> Any:
        """The elements of a list as one value of this stager; see `autograph.stack`."""

    def tensor_list(self, elements: Any, element_dtype: Any, element_shape: Any) -> Any:
        """A list that may grow in what is staged; see `autograph.tensor_list`."""

    def set_element_type(self, entity: Any, dtype: Any, shape: Any) -> None:
        """Take note of what the elements of a list are. shape: None if it is not said."""

    def assert_stmt(self, test: Any, message: Thunk | None) -> None:
        """Stage `assert test, message()`; `message` is None where the statement has no message."""

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
        """Stage `try: body() except ...: else: orelse() finally: cleanup()` while this stager is tracing.

        handlers: (function that gives the class or classes, or None; the handler; the exception's name, or None) in
        order; a handler takes the exception if it has a name. jumps: the symbols that are the flags and values of
        `return`: an exception leaves them as they were before the statement.
        """

    def builtin(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Stage a call of the Python builtin `function`, or return NotImplemented to let Python's own run."""

    def collector(self) -> Collector:
        """What the elements of a comprehension go into whose iteration or conditions this stager may own."""
        ...

    def call(self, function: Any, original: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of one of the program's functions while this stager is tracing: `function(*args, **kwargs)`.

        function: the converted one. original: as it was written, the same object for each call of it but for what is
        bound anew (defaults, closures).
        """

    def foreign(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> AbstractContextManager[Any]:
        """Around a call of what is not converted, while tracing. It may give a function that takes the result."""
        ...

    def spread(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Callable[..., Any]) -> Any:
        """A call of what is not converted by calls `call(args, kwargs)` with other arguments, or NotImplemented."""

    def call_cached(self, wrapper: Any, plain: Thunk, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function under `functools.lru_cache` while this stager is tracing; `plain()` passes the cache."""

    def load(self, value: Any, name: str | None, free: bool = False) -> Any:
        """Read a value of a type marked `__ag_maybe_undefined__ = True`: return it, or raise UnboundLocalError.

        A value of a type marked `__ag_maybe_none__ = True` is read where it surely is not None.
        """

    def ret(self, value: Any, did_return: Any, function_name: str) -> Any:
        """The result of a function whose value, or the fact whether it returned, is owned by this stager."""

    def name_scope(self, name: str) -> AbstractContextManager[Any]:
        """Entered around a converted function with Feature.NAME_SCOPES: what it records is named after it."""
        ...

    def mark(self, *probed: Thunk) -> Any:
        """The present position in what is recorded, and what else `probed`, a loop test, may change when it runs."""

    def check_unguarded(self, mark: Any, what: str) -> None:
        """Raise StagingError if something recorded since `mark` may raise when it runs, which `what` would not see."""

    def unguarded(self, where: str, matters: Callable[[], bool] | None = None) -> AbstractContextManager[Any]:
        """Entered around code: raises StagingError if what it records may raise when it runs, as it must not there.

        matters: asked when the code has ended; False: it may raise.
        """
        ...

    def effect_since(self, mark: Any) -> str | None:
        """What was recorded since `mark` and has an effect or may raise, or what `probed` has changed, in words.

        That an iterator among `probed` has moved on is no effect.
        """

    def raises_since(self, mark: Any, kind: type[BaseException] = BaseException, perhaps: bool = False) -> bool:
        """Whether a `raise` of that kind, or what takes the next element of data or of a list, was recorded since
        `mark`: it may end a loop. perhaps: whether whatever may raise counts."""
        ...
