"""The stager that autograph's operators call for tensors: `if`, `while`, `for`, `and` become graph operations.

    ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)     ->  cond, and y is its output

State goes in and out through `get_state` and `set_state`: each branch and body starts from the same state, with the
loop's variables as inputs of the body's graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import FunctionType
from typing import Any

import runtime.control_flow.lists.changes
import runtime.control_flow.lists.rows  # noqa: F401 - which give lists that grow the rest of their methods
from autograph.operators.builtins import ASKS_FOR_KIND, call_builtin
from autograph.operators.consumer import Consumer
from autograph.operators.handlers import run_try
from autograph.operators.loop import for_stmt
from autograph.operators.membership import in_
from autograph.operators.stager import Handlers
from autograph.operators.variables import set_variables, variables_in
from runtime.context import current_recorder
from runtime.control_flow.branches import operands
from runtime.control_flow.branches.assertions import stage_assert
from runtime.control_flow.branches.if_statement import one_of, stage_if
from runtime.control_flow.builtins import comparisons, formatting, membership, number_library, numpy_functions, pieces
from runtime.control_flow.builtins import table as builtins
from runtime.control_flow.calls.cached_calls import call_cached
from runtime.control_flow.calls.chosen import ChosenFunction
from runtime.control_flow.calls.recursion import call_function
from runtime.control_flow.lists import data_structures, keyed_calls, of_arrays
from runtime.control_flow.lists.collecting import Collector
from runtime.control_flow.lists.keyed_sets import members_of
from runtime.control_flow.loops import arrays, iteration, known
from runtime.control_flow.loops.staging import stage_while
from runtime.control_flow.objects import elements, maybe_dicts, ref_calls, ref_uses, unpacking
from runtime.control_flow.objects.ref_each import each
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.optional import none_uses
from runtime.control_flow.optional.bools import is_exactly
from runtime.control_flow.optional.flags import both
from runtime.control_flow.optional.values import (
    MaybeNone,
    MaybeUndefined,
    is_none,
    is_undefined,
    maybe_none,
    presence,
    take,
)
from runtime.control_flow.outside import impure, instead
from runtime.control_flow.outside.foreign_calls import foreign_call
from runtime.control_flow.outside.moved import check_moved
from runtime.control_flow.statement.set_up import staged
from runtime.control_flow.statement.state import State
from runtime.control_flow.statement.subgraph import as_bool_scalar
from runtime.control_flow.tries.statement import Guarded
from runtime.control_flow.tries.unguarded import (
    Mark,
    check_unguarded,
    effect_since,
    forget_effects,
    raises_since,
    unguarded,
)
from runtime.dtypes import bool_
from runtime.graph.graph import Graph
from runtime.heap.code import calls_functions
from runtime.heap.store import World
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.state.variable import present_value
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["STAGER", "RuntimeStager"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised

Thunk = Callable[[], Any]


class RuntimeStager:
    """Implements `autograph.operators.stager.Stager` by recording into the graph of this context."""

    name = "runtime"

    def if_stmt(
        self,
        cond: Any,
        body: Thunk,
        orelse: Thunk,
        get_state: Thunk,
        set_state: Callable[[Any], None],
        symbol_names: Sequence[str],
        nouts: int,
    ) -> None:
        predicate = as_bool_scalar(cond, "condition of if statement")
        _stage_branches(predicate, (body, orelse), get_state, set_state, symbol_names, nouts)

    def while_stmt(
        self,
        test: Thunk,
        body: Thunk,
        get_state: Thunk,
        set_state: Callable[[Any], None],
        symbol_names: Sequence[str],
        opts: Mapping[str, Any],
        mark: Any,
    ) -> None:
        forget_effects(mark)
        stage_while(test, body, _settled(get_state, set_state, symbol_names), opts)

    def for_stmt(
        self,
        iter_: Any,
        extra_test: Thunk | None,
        body: Callable[[Any], Any],
        get_state: Thunk,
        set_state: Callable[[Any], None],
        symbol_names: Sequence[str],
        opts: Mapping[str, Any],
    ) -> None:
        if isinstance(iter_, MaybeNone):
            iterated = take(iter_, "'NoneType' object is not iterable")
            for_stmt(iterated, extra_test, body, get_state, set_state, tuple(symbol_names), opts)
            return
        if isinstance(iter_, Ref | ref_calls.Items):
            loop = extra_test, body, get_state, set_state, symbol_names, opts
            ref_calls.for_each_ref(iter_, loop, _stage_branches)
            return
        _settled(get_state, set_state, symbol_names)
        consumer = Consumer(body, extra_test, get_state, set_state, tuple(symbol_names), opts)
        arrays.for_each(iteration.items_of(iter_), [0], consumer)

    for_known = staticmethod(known.for_known)
    is_long, moves = staticmethod(known.is_long), staticmethod(check_moved)
    unrolled, prints = staticmethod(known.note_unrolled), staticmethod(known.prints)

    def if_exp(self, cond: Any, if_true: Thunk, if_false: Thunk, expr_repr: str) -> Any:
        predicate = as_bool_scalar(cond, f"condition {expr_repr!r} of conditional expression")
        return staged(lambda: one_of(predicate, (if_true, if_false), expr_repr, "a conditional expression"))

    def and_(self, a_value: Any, b_thunk: Thunk) -> Any:
        return staged(lambda: operands.and_(a_value, b_thunk))

    def or_(self, a_value: Any, b_thunk: Thunk) -> Any:
        return staged(lambda: operands.or_(a_value, b_thunk))

    def not_(self, value: Any) -> Any:
        return REGISTRY["logical_not"](as_bool_scalar(value, "operand of `not`"))

    eq, not_eq = staticmethod(comparisons.equal), staticmethod(comparisons.not_equal)
    ordered = staticmethod(comparisons.ordered)

    def contains(self, item: Any, container: Any) -> Any:
        if ref_calls.refs_in((item, container), {}):
            return ref_calls.call_with_refs(lambda args, _: in_(*args), (item, container), {})
        return membership.contains(present_value(item), container)

    def is_bool(self, value: Any, expected: bool) -> Any:
        if isinstance(value, MaybeNone):
            seen = presence(value)
            return both(seen.present, self.is_bool(seen.value, expected))
        if getattr(value, "or_bool", None) is not None:
            return is_exactly(value, expected)
        if getattr(value, "dtype", None) != bool_:
            return value is expected
        return value if expected else REGISTRY["logical_not"](value)

    is_same = staticmethod(none_uses.is_same)
    is_none = staticmethod(is_none)

    def format_value(self, value: Any, conversion: str, spec: Any) -> Any:
        if isinstance(value, Ref):
            return each(value, lambda inner: formatting.format_value(inner, conversion, spec))
        return formatting.format_value(value, conversion, spec)

    join_strings = staticmethod(formatting.join_strings)
    stack = staticmethod(data_structures.stack)
    tensor_list = staticmethod(data_structures.tensor_list)
    set_element_type = staticmethod(data_structures.set_element_type)

    def get_item(self, x: Any, k: Any) -> Any:
        holder = none_uses.taken(x, none_uses.UNARY["getitem"][0])
        return elements.get_item(holder, none_uses.taken(k, none_uses.NO_KEY))

    def set_item(self, x: Any, k: Any, v: Any) -> Any:
        container = none_uses.taken(x, none_uses.UNARY["setitem"][0])
        result = elements.set_item(container, none_uses.taken(k, none_uses.NO_KEY), v)
        return x if result is container else result

    item_state = staticmethod(elements.item_state)

    def unpack(self, value: Any, count: int, starred: bool) -> Any:
        return unpacking.unpacked(none_uses.taken(value, none_uses.NOT_UNPACKED), count, starred)

    assert_stmt = staticmethod(stage_assert)

    def try_stmt(
        self,
        body: Thunk,
        handlers: Handlers,
        orelse: Thunk | None,
        cleanup: Thunk | None,
        get_state: Thunk,
        set_state: Callable[[Any], None],
        symbol_names: Sequence[str],
        nouts: int,
        jumps: Sequence[str],
    ) -> None:
        if not isinstance(current_recorder(), Graph):
            run_try(body, handlers, orelse, cleanup)
            return

        def if_(flag: Any, first: Thunk, second: Thunk, over: State, outputs: int) -> None:
            self.if_stmt(flag, first, second, over.get, over.put, over.names, outputs)

        state = State(get_state, set_state, tuple(symbol_names))
        Guarded(body, handlers, orelse, cleanup, state, nouts, jumps, if_).run()

    def spread(
        self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Callable[[Any, Any], Any]
    ) -> Any:
        made = maybe_dicts.made_of(function, args, kwargs)
        return ref_calls.spread_call(function, args, kwargs, call) if made is NotImplemented else made

    def builtin(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if ref_calls.refs_in(args, kwargs):
            return ref_calls.builtin_with_refs(function, args, kwargs)
        if function in builtins.OF_LISTS:
            return builtins.OF_LISTS[function](*args, **kwargs)
        if any(isinstance(arg, MaybeNone) for arg in args):
            if function in ASKS_FOR_KIND:
                return self._of_kind(function, args, kwargs)
            return none_uses.call_builtin_of_values(function, args, kwargs)
        builtins.check_element(function, args)
        args = members_of(function, args, kwargs)
        overload = builtins.OVERLOADS.get(function)
        if overload is None:
            return NotImplemented
        if function in builtins.COLLECT and args and (parts := _parts_of(args[0])) is not args[0]:
            return call_builtin(function, (parts, *args[1:]), kwargs, None, True)
        values = args if function in builtins.HAND_ON else tuple(map(present_value, args))
        try:
            return builtins.of_items(function, args, overload(*values, **kwargs))
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                return NotImplemented  # it takes other arguments: Python says so in its own words
            raise

    def _of_kind(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """`isinstance(x, T)` and its like, where x may be None: as Python says it of None, or of the value."""

        def of(value: Any) -> Any:
            return call_builtin(function, (value, *args[1:]), kwargs, None, True)

        seen = presence(args[0])
        absent = is_none(args[0])
        if isinstance(absent, bool):
            return of(None if absent else seen.value)
        what = f"the value of {function.__name__}()"
        return self.if_exp(seen.present, lambda: of(seen.value), lambda: of(None), what)

    def collector(self) -> Collector:
        return Collector()

    def load(self, value: Any, name: str | None, free: bool = False) -> Any:
        if isinstance(value, MaybeNone):
            return take(value, "None where a value was expected")
        return value.read(name, free) if isinstance(value, MaybeUndefined) else value

    def call(
        self, function: Callable[..., Any], original: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        graph = current_recorder()
        if not isinstance(graph, Graph):
            return function(*args, **kwargs)
        with graph.recording.tracing.writes.of_call(graph):
            return call_function(function, original, args, kwargs)

    foreign, call_cached = staticmethod(foreign_call), staticmethod(call_cached)

    def ret(self, value: Any, did_return: Any, function_name: str) -> Any:
        """Where no `return` was reached the function falls off its end, and returns None."""
        if isinstance(value, MaybeUndefined):  # what was returned is there where `did_return`, of which more is known
            return maybe_none(value.value, did_return)
        return None if is_undefined(value) else value  # each `return` in it raises

    def name_scope(self, name: str) -> AbstractContextManager[Any]:
        graph = current_recorder()
        return graph.recording.name_scope(name) if isinstance(graph, Graph) else nullcontext()

    def mark(self, *probed: Thunk) -> Mark | None:
        graph = current_recorder()
        if not isinstance(graph, Graph):
            return None
        return graph, len(graph.operations), World(*probed) if any(map(calls_functions, probed)) else None

    def check_unguarded(self, mark: Mark | None, what: str) -> None:
        if mark is not None:
            check_unguarded(mark[0], mark[1], what)

    def unguarded(self, where: str, matters: Callable[[], bool] | None = None) -> AbstractContextManager[None]:
        graph = current_recorder()
        return unguarded(graph, where, matters) if isinstance(graph, Graph) else nullcontext()

    def effect_since(self, mark: Mark | None) -> str | None:
        return None if mark is None else effect_since(*mark)

    def raises_since(
        self, mark: Mark | None, kind: type[BaseException] = BaseException, perhaps: bool = False
    ) -> bool:
        return mark is not None and raises_since(mark[0], mark[1], kind, perhaps)


def _parts_of(value: Any) -> Any:
    """A list of the rows of an array, which are views of it; everything else as it is."""
    parts = value.__ag_parts__() if isinstance(value, TracedArray) else None
    return value if parts is None else list(parts)


def _stage_branches(
    selector: Any, branches: Sequence[Thunk], get_state: Thunk, set_state: Callable[[Any], None], names: Sequence[str],
    nouts: int,
) -> None:  # fmt: skip
    state = _settled(get_state, set_state, names)
    staged(lambda: stage_if(selector, branches, state, nouts))


def _settled(get_state: Thunk, set_state: Callable[[Any], None], names: Sequence[str]) -> State:
    """The state of a statement. A row of a list, another one each time it is read, is a list of its own now."""
    state = State(get_state, set_state, tuple(names))
    set_variables(variables_in(state.get), lambda: tuple(get_state()), set_state)
    return state


STAGER = RuntimeStager()
SymbolicTensor.__ag_stager__ = STAGER
TracedArray.__ag_stager__ = STAGER
ChosenFunction.stager = STAGER
MaybeUndefined.__ag_stager__ = STAGER
MaybeNone.__ag_stager__ = STAGER
Ref.__ag_stager__ = ref_calls.Items.__ag_stager__ = STAGER
for room in (
    none_uses, ref_uses, maybe_dicts, numpy_functions, number_library, of_arrays, pieces, keyed_calls, impure, instead
):  # fmt: skip
    room.install()
