"""The stager that autograph's operators call for tensors: `if`, `while`, `for`, `and` become graph operations.

    ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)     ->  cond, and y is its output

State goes in and out through `get_state` and `set_state`: each branch and body starts from the same state, with the
loop's variables as inputs of the body's graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograph.errors import StagingError
from runtime.context import current_recorder
from runtime.control_flow import builtins, iteration
from runtime.control_flow.branches import cond_values
from runtime.control_flow.effects import Watch
from runtime.control_flow.loops import while_values
from runtime.control_flow.optional import MaybeUndefined
from runtime.control_flow.subgraph import as_bool_scalar, current_graph
from runtime.graph.graph import Graph
from runtime.ops.record import REGISTRY
from runtime.tensor.convert import adopt
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["STAGER", "RuntimeStager"]

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
        initial = tuple(get_state())
        watch = Watch(body, orelse)

        def branch(code: Thunk) -> Callable[[], Sequence[Any]]:
            def run() -> Sequence[Any]:
                set_state(initial)
                code()
                values = tuple(get_state())[:nouts]
                set_state(initial)
                watch.check("a branch of an `if`")
                return values

            return run

        try:
            outputs = cond_values(predicate, branch(body), branch(orelse), symbol_names[:nouts])
        except BaseException:
            set_state(initial)
            raise
        set_state((*outputs, *initial[nouts:]))

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
        before = tuple(get_state())
        try:
            self._loop(test, body, get_state, set_state, symbol_names, opts, Watch(test, body))
        except _TestAssigns:
            set_state(before)
            self._loop_with_assigning_test(test, body, get_state, set_state, symbol_names, opts)

    def _loop_with_assigning_test(
        self,
        test: Thunk,
        body: Thunk,
        get_state: Thunk,
        set_state: Callable[[Any], None],
        names: Sequence[str],
        opts: Mapping[str, Any],
    ) -> None:
        """`while (x := step(x)) > 0`: the test runs before the loop and after each body, its result is loop state."""
        go_on = [test()]

        def get() -> tuple[Any, ...]:
            return (go_on[0], *get_state())

        def put(state: Sequence[Any]) -> None:
            go_on[0] = state[0]
            set_state(tuple(state[1:]))

        def step() -> None:
            body()
            go_on[0] = test()

        watch = Watch(test, body)
        try:
            self._loop(lambda: go_on[0], step, get, put, ("the condition of the loop", *names), opts, watch)
        except _TestAssigns as error:
            raise error.refusal() from None

    def _loop(
        self,
        test: Thunk,
        body: Thunk,
        get_state: Thunk,
        set_state: Callable[[Any], None],
        names: Sequence[str],
        opts: Mapping[str, Any],
        watch: Watch,
    ) -> None:
        initial = tuple(get_state())

        def staged_test(values: Sequence[Any]) -> Any:
            set_state(tuple(values))
            given = tuple(get_state())
            if twins := _twins(values, given):
                raise _TwoNames(twins)
            value = test()
            changed = [n for n, a, b in zip(names, get_state(), given, strict=True) if a is not b]
            if changed:
                raise _TestAssigns(changed[0])
            set_state(initial)
            watch.check("the condition of a loop")
            return value

        def staged_body(values: Sequence[Any]) -> Sequence[Any]:
            set_state(tuple(values))
            body()
            results = tuple(get_state())
            set_state(initial)
            watch.check("the body of a loop")
            return results

        try:
            final = while_values(
                staged_test,
                staged_body,
                names,
                initial,
                opts.get("shape_invariants") or (),
                opts.get("maximum_iterations"),
            )
        except _TwoNames as found:
            set_state(initial)
            get, put, kept = _without_twins(get_state, set_state, found.twins)
            self._loop(test, body, get, put, [names[i] for i in kept], opts, watch)
            return
        except UnboundLocalError as error:
            set_state(initial)
            error.add_note("In a loop over tensors a variable that an iteration reads must be defined before the loop.")
            raise
        except BaseException:
            set_state(initial)
            raise
        set_state(tuple(final))

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
        length, item = iteration.items_of(iter_)
        target = str(opts.get("iterate_names", ""))
        position = [0 if isinstance(length, int) else adopt(0, length.dtype, "for")]

        def get() -> tuple[Any, ...]:
            return (position[0], *get_state())

        def put(state: Sequence[Any]) -> None:
            position[0] = state[0]
            set_state(tuple(state[1:]))

        def test() -> Any:
            more = REGISTRY["less"](position[0], length)
            return more if extra_test is None else self.and_(more, extra_test)

        def step() -> None:
            body(iteration.unpacked(item(position[0]), target))
            position[0] = REGISTRY["add"](position[0], 1)

        watch = Watch(body) if extra_test is None else Watch(body, extra_test)
        try:
            self._loop(test, step, get, put, ("position in the loop", *symbol_names), opts, watch)
        except _TestAssigns as error:
            raise error.refusal() from None

    def if_exp(self, cond: Any, if_true: Thunk, if_false: Thunk, expr_repr: str) -> Any:
        predicate = as_bool_scalar(cond, f"condition {expr_repr!r} of conditional expression")
        return cond_values(predicate, lambda: [if_true()], lambda: [if_false()], [expr_repr])[0]

    def and_(self, a_value: Any, b_thunk: Thunk) -> Any:
        predicate = as_bool_scalar(a_value, "left operand of `and`")
        return cond_values(predicate, lambda: [b_thunk()], lambda: [False], ["the value of `and`"])[0]

    def or_(self, a_value: Any, b_thunk: Thunk) -> Any:
        predicate = as_bool_scalar(a_value, "left operand of `or`")
        return cond_values(predicate, lambda: [True], lambda: [b_thunk()], ["the value of `or`"])[0]

    def not_(self, value: Any) -> Any:
        return REGISTRY["logical_not"](as_bool_scalar(value, "operand of `not`"))

    def eq(self, a: Any, b: Any) -> Any:
        return a == b

    def not_eq(self, a: Any, b: Any) -> Any:
        return a != b

    def assert_stmt(self, test: Any, message: Thunk | None) -> None:
        text = "" if message is None else str(message())
        REGISTRY["check"](as_bool_scalar(test, "condition of assert"), message=text, exception="AssertionError")

    def builtin(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        overload = builtins.OVERLOADS.get(function)
        return NotImplemented if overload is None else overload(*args, **kwargs)

    def load(self, value: Any, name: str | None) -> Any:
        if not isinstance(value, MaybeUndefined):
            return value
        shown = name or getattr(value.placeholder, "symbol_name", "a variable")
        message = f"cannot access local variable {shown!r} where it is not associated with a value"
        REGISTRY["check"](value.defined, message=message, exception="UnboundLocalError")
        return value.value

    def ret(self, value: Any, did_return: Any, function_name: str) -> Any:
        if not isinstance(value, MaybeUndefined):
            return value
        if did_return is True or value.value is None:  # a value is defined wherever the function has returned
            return value.value
        raise StagingError(
            f"the function {function_name!r} returns a value on some paths and falls off its end on others, depending"
            " on a tensor: there it would return None, which a graph cannot. Return a value on every path."
        )

    def mark(self) -> tuple[Graph, int] | None:
        graph = current_recorder()
        return (graph, len(graph.operations)) if isinstance(graph, Graph) else None


class _TestAssigns(BaseException):
    """The test of a loop assigned to a variable of the loop; no user's `except` is meant to see this."""

    def refusal(self) -> StagingError:
        return StagingError(
            f"{str(self)!r} gives another value each time it is read, so it cannot be state of a staged loop; read it"
            " into a local variable before the loop, and assign it after"
        )


def forget_effects(mark: tuple[Graph, int] | None) -> None:
    """Removes what has an effect, and what depends on it, from the operations recorded since `mark`.

    A loop's test is called once to learn that it is a tensor; its prints and checks belong to the condition only.
    Operations without effects may stay: Python code may have kept their results, and unused ones are pruned.
    """
    if mark is None:
        return
    graph, start = mark
    if graph is not current_graph():
        return
    dropped: set[int] = set()
    kept = graph.operations[:start]
    for operation in graph.operations[start:]:
        depends = any(id(tensor) in dropped for tensor in operation.inputs)
        if operation.type != "placeholder" and (operation.stateful or depends):
            dropped.update(id(tensor) for tensor in operation.outputs)
        else:
            kept.append(operation)
    graph.operations = kept


class _TwoNames(BaseException):
    """Two of the loop's variables are one place, as `a.k` and `b.k` are if a is b. `twins`: which is which."""

    def __init__(self, twins: Mapping[int, int]) -> None:
        super().__init__()
        self.twins = twins


def _twins(values: Sequence[Any], given: Sequence[Any]) -> dict[int, int]:
    """The positions that hold, right after all was set to `values`, what a later position was set to."""
    positions = {id(value): i for i, value in enumerate(values)}
    return {
        i: positions[id(now)]
        for i, (value, now) in enumerate(zip(values, given, strict=True))
        if now is not value and positions.get(id(now), i) > i
    }


def _without_twins(
    get_state: Thunk, set_state: Callable[[Any], None], twins: Mapping[int, int]
) -> tuple[Thunk, Callable[[Any], None], list[int]]:
    """The state with each place once, and the positions of what is left."""
    size = len(get_state())
    kept = [i for i in range(size) if i not in twins]
    place = {i: kept.index(i) for i in kept}

    def get() -> tuple[Any, ...]:
        state = get_state()
        return tuple(state[i] for i in kept)

    def put(state: Sequence[Any]) -> None:
        set_state(tuple(state[place[twins.get(i, i)]] for i in range(size)))

    return get, put, kept


STAGER = RuntimeStager()
SymbolicTensor.__ag_stager__ = STAGER
MaybeUndefined.__ag_stager__ = STAGER
