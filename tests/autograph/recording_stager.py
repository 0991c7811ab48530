"""A stager of a few lines that writes down what it is asked to stage: proof that autograph needs no runtime.

Example:
    stager = RecordingStager()
    x = stager.symbol("x")
    converted(x)
    stager.lines  # ['if (x > 0)', '  then y = (x * 2)', '  else y = 0']
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from autograph.operators.handlers import run_try
from autograph.operators.list_collector import ListCollector
from autograph.operators.variables import Undefined, UndefinedReturnValue

BINARY = {"add": "+", "sub": "-", "mul": "*", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "mod": "%"}


class Symbol:
    """A value that is known only by its text; it cannot be used as a Python bool or be iterated."""

    __ag_stager__: RecordingStager

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        raise TypeError(f"{self.text} is symbolic and has no truth value")


for _name, _sign in BINARY.items():

    def _operator(self: Symbol, other: Any, sign: str = _sign) -> Symbol:
        return type(self)(f"({self} {sign} {other})")

    setattr(Symbol, f"__{_name}__", _operator)


class Recorded(ListCollector):
    """The elements of a comprehension, of which one line each is written down."""

    def __init__(self, stager: RecordingStager) -> None:
        super().__init__()
        self.stager = stager

    def put(self, item: Any) -> None:
        self.stager.lines.append(f"element {item}")

    def result(self) -> Any:
        return self.stager.symbol("[...]")


class RecordingStager:
    """Each body is run once; a variable that differs between two paths becomes a symbol of its own name."""

    def __init__(self, name: str = "recording") -> None:
        self.name = name
        self.lines: list[str] = []
        self.kind = type("Symbol", (Symbol,), {"__ag_stager__": self})

    def symbol(self, text: str) -> Symbol:
        return self.kind(text)

    def run(
        self, head: str, body: Callable[[], Any], get_state: Callable[[], tuple[Any, ...]], names: Any
    ) -> tuple[Any, ...]:
        """Run a body with its own records indented below `head`; the state after it."""
        outer, self.lines = self.lines, []
        body()
        values = get_state()
        changes = [f"{name} = {value}" for name, value in zip(names, values, strict=True)]
        inner, self.lines = self.lines, outer
        self.lines += [head, *("  " + line for line in inner + changes)]
        return values

    def if_stmt(self, cond, body, orelse, get_state, set_state, symbol_names, nouts) -> None:
        before = get_state()
        then = self.run(f"if {cond}", body, get_state, symbol_names)
        set_state(before)
        otherwise = self.run("else", orelse, get_state, symbol_names)
        set_state(tuple(self.join(*each) for each in zip(symbol_names, then, otherwise, strict=True)))

    def join(self, name: str, left: Any, right: Any) -> Any:
        return left if left is right else self.symbol(name)

    def while_stmt(self, test, body, get_state, set_state, symbol_names, opts: Mapping[str, Any], mark) -> None:
        if mark is not None:
            del self.lines[mark:]
        set_state(tuple(self.symbol(name) for name in symbol_names))
        self.run(f"while {test()} {dict(opts)}", body, get_state, symbol_names)
        set_state(tuple(self.symbol(name) for name in symbol_names))

    def for_stmt(self, iter_, extra_test, body, get_state, set_state, symbol_names, opts) -> None:
        set_state(tuple(self.symbol(name) for name in symbol_names))
        item = self.symbol(str(opts["iterate_names"]))
        self.run(f"for {item} in {iter_}", lambda: body(item), get_state, symbol_names)
        if extra_test is not None:
            self.lines.append(f"  until not {extra_test()}")
        set_state(tuple(self.symbol(name) for name in symbol_names))

    def if_exp(self, cond, if_true, if_false, expr_repr) -> Symbol:
        return self.symbol(f"({if_true()} if {expr_repr} else {if_false()})")

    def and_(self, a_value: Any, b_thunk: Callable[[], Any]) -> Symbol:
        return self.symbol(f"({a_value} and {b_thunk()})")

    def or_(self, a_value: Any, b_thunk: Callable[[], Any]) -> Symbol:
        return self.symbol(f"({a_value} or {b_thunk()})")

    def not_(self, value: Any) -> Symbol:
        return self.symbol(f"(not {value})")

    def eq(self, a: Any, b: Any) -> Symbol:
        return self.symbol(f"({a} == {b})")

    def not_eq(self, a: Any, b: Any) -> Symbol:
        return self.symbol(f"({a} != {b})")

    def ordered(self, order: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
        return order(a, b)

    def contains(self, item: Any, container: Any) -> Symbol:
        return self.symbol(f"({item} in {container})")

    def is_same(self, a: Any, b: Any) -> Symbol:
        return self.symbol(f"({a} is {b})")

    def is_none(self, value: Any) -> Symbol:
        return self.symbol(f"({value} is None)")

    def format_value(self, value: Any, conversion: str, spec: Any) -> Symbol:
        return self.symbol(f"text({value}, {conversion!r}, {str(spec)!r})")

    def join_strings(self, separator: Any, pieces: Any) -> Symbol:
        return self.symbol(f"join({separator!r}, [{', '.join(map(str, pieces))}])")

    def is_bool(self, value: Any, expected: bool) -> Symbol:
        return self.symbol(f"({value} is {expected})")

    def get_item(self, x: Any, k: Any) -> Symbol:
        return self.symbol(f"{x}[{k}]")

    def set_item(self, x: Any, k: Any, v: Any) -> Any:
        return self.symbol(f"{x} with [{k}] = {v}")

    def item_state(self, x: Any, name: str) -> Any:
        return x if isinstance(x, Symbol) else NotImplemented

    def unpack(self, value: Any, count: int, starred: bool) -> list[Symbol]:
        return [self.symbol(f"{value}[{place}]") for place in range(count)]

    def stack(self, value: Any, element_dtype: Any, strict: bool) -> Symbol:
        return self.symbol(f"stack({value})")

    def tensor_list(self, elements: Any, element_dtype: Any, element_shape: Any) -> Symbol:
        return self.symbol(f"list({elements})")

    def set_element_type(self, entity: Any, dtype: Any, shape: Any) -> None:
        self.lines.append(f"elements of {entity} are {dtype}")

    def assert_stmt(self, test: Any, message: Callable[[], Any] | None) -> None:
        self.lines.append(f"assert {test}, {message() if message else None}")

    def try_stmt(self, body, handlers, orelse, cleanup, get_state, set_state, symbol_names, nouts, jumps) -> None:
        run_try(body, handlers, orelse, cleanup)

    def builtin(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if function not in (len, abs, range, print):
            return NotImplemented
        call = f"{function.__name__}({', '.join([*map(str, args), *(f'{k}={v}' for k, v in kwargs.items())])})"
        self.lines.append(call)
        return self.symbol(call)

    def collector(self) -> Recorded:
        return Recorded(self)

    def call(self, function: Any, original: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return function(*args, **kwargs)

    def foreign(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return contextlib.nullcontext()

    def spread(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Any) -> Any:
        return NotImplemented

    def call_cached(self, wrapper: Any, plain: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return wrapper(*args, **kwargs)

    def load(self, value: Any, name: str | None, free: bool = False) -> Any:
        self.lines.append(f"load {value} as {name}")
        return value

    def ret(self, value: Any, did_return: Any, function_name: str) -> Any:
        missing = isinstance(value, (Undefined, UndefinedReturnValue))
        return None if missing else value

    def name_scope(self, name: str) -> AbstractContextManager[None]:
        return nullcontext()

    def mark(self, *probed) -> int:
        return len(self.lines)

    def check_unguarded(self, mark: int, what: str) -> None:
        return None

    def unguarded(self, where: str, matters: Callable[[], bool] | None = None) -> AbstractContextManager[Any]:
        return nullcontext()

    def effect_since(self, mark: int) -> str | None:
        return None

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

    def raises_since(self, mark: Any, kind: type[BaseException] = BaseException, perhaps: bool = False) -> bool:
        return False
