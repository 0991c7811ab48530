"""`Consumer`: the body of a `for` as something that is handed one item after another.

Most things that a `for` runs over say how many items they have and which is where. What a generator yields, or what
`filter` lets through, is only found by going on; so such a thing is *pushed*: it runs its own code, and hands each item
over by `consumer.take(item)`. Whatever control flow it needs for that is staged by methods of the consumer, because the
variables that the body changes are then changed inside of that control flow, and are state of it.

Example:
    def push_positive(numbers, consumer):          # for x in filter(lambda x: x > 0, numbers): body(x)
        consumer.each(numbers, lambda x: consumer.when(x > 0, lambda: consumer.take(x), x))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from autograph.errors import StagingError
from autograph.operators.branch import if_stmt
from autograph.operators.loop import for_stmt, while_stmt
from autograph.operators.stager import PYTHON, GetState, Handlers, Names, SetState, Thunk, stager_of
from autograph.operators.try_statement import try_stmt

__all__ = ["Consumer", "refusal_in_its_loop"]


@dataclass(frozen=True, slots=True, eq=False)
class Consumer:
    """Takes items one by one.

    body: what happens to an item. extra_test: what must hold for another item, None where all are taken. get_state,
    set_state, names: the variables that the body changes. options: those of the loop. watched: the user's functions
    that run for an item (the body of the loop among them), for stagers that look at what these can reach.
    staging: runs a piece of staged code, for a body that has to get ready for it. jumps: see `Stager.try_stmt`.
    """

    body: Callable[[Any], Any]
    extra_test: Thunk | None
    get_state: GetState
    set_state: SetState
    names: Names
    options: Mapping[str, Any]
    watched: tuple[Any, ...] = ()
    staging: Callable[[Thunk], None] | None = None
    jumps: Names = ()

    def __ag_watched__(self) -> tuple[Any, ...]:
        return self.watched or tuple(code for code in (self.body, self.extra_test) if code is not None)

    def take(self, item: Any) -> Any:
        """Hand over one item. The result says whether that was the last one wanted: a bool, or a stager's value."""
        self.body(item)
        if self.extra_test is None:
            return False
        go_on = self.extra_test()
        return stager_of(go_on).not_(go_on)

    def wants_more(self) -> Any:
        """Whether it wants another item: a bool, or a stager's value."""
        return True if self.extra_test is None else self.extra_test()

    def mapped(self, body: Callable[[Any], Any], *watched: Any) -> Consumer:
        """A consumer with another body, which hands to this one what it makes of each item."""
        return replace(self, body=body, options={}, watched=(*self.__ag_watched__(), *watched))

    def with_state(self, get_state: GetState, set_state: SetState, names: Names) -> Consumer:
        """A consumer whose body changes these variables too."""
        get_all, set_all, all_names = self._joined(get_state, set_state, names)
        return replace(self, get_state=get_all, set_state=set_all, names=all_names)

    def each(self, items: Any, body: Callable[[Any], Any], target: str = "") -> None:
        """`for target in items: body(item)`, until no more are wanted."""
        part = _Part(body, self.__ag_watched__())
        options = {"iterate_names": target}
        try:
            self._for(items, self.extra_test, part, self.get_state, self.set_state, self.names, options)
        finally:
            del items  # see PythonStager.for_stmt: no reference outlives the loop

    def when(self, condition: Any, body: Thunk, *watched: Any) -> None:
        """`if condition: body()`. watched: what of the program the body reaches, the item among it."""
        part = _Part(body, (*self.__ag_watched__(), *watched))
        self._run(
            condition,
            lambda: if_stmt(condition, part, _do_nothing, self.get_state, self.set_state, self.names, len(self.names)),
        )

    # -- the statements of a generator: what they carry, and what this consumer's body changes

    def if_stmt(
        self, cond: Any, body: Thunk, orelse: Thunk, get_state: GetState, set_state: SetState, names: Names, nouts: int
    ) -> None:
        state = self._joined(get_state, set_state, names)
        outputs = len(self.names) + nouts
        self._run(cond, lambda: if_stmt(cond, body, orelse, *state, outputs))

    def while_stmt(
        self, test: Thunk, body: Thunk, get_state: GetState, set_state: SetState, names: Names, opts: Mapping[str, Any]
    ) -> None:
        state = self._joined(get_state, set_state, names)
        staging = self.staging

        def ready_test() -> Any:
            value = test()
            if staging is not None and stager_of(value) is not PYTHON:
                staging(_do_nothing)
            return value

        while_stmt(test if staging is None else ready_test, body, *state, opts)

    def for_stmt(
        self,
        iter_: Any,
        extra_test: Thunk | None,
        body: Callable[[Any], Any],
        get_state: GetState,
        set_state: SetState,
        names: Names,
        opts: Mapping[str, Any],
    ) -> None:
        try:
            self._for(iter_, extra_test, body, *self._joined(get_state, set_state, names), opts)
        finally:
            del iter_

    def try_stmt(
        self,
        body: Thunk,
        handlers: Handlers,
        orelse: Thunk | None,
        cleanup: Thunk | None,
        get_state: GetState,
        set_state: SetState,
        names: Names,
        nouts: int,
        jumps: Names = (),
    ) -> None:
        state, outputs = self._joined(get_state, set_state, names), len(self.names) + nouts
        try_stmt(body, handlers, orelse, cleanup, *state, outputs, self._all_jumps(names, jumps))

    def with_stmt(
        self,
        manager: Any,
        body: Callable[[Any], Any],
        get_state: GetState,
        set_state: SetState,
        names: Names,
        nouts: int,
        scope: Any,
        jumps: Names = (),
    ) -> None:
        from autograph.operators.with_statement import with_stmt

        state, outputs = self._joined(get_state, set_state, names), len(self.names) + nouts
        with_stmt(manager, body, *state, outputs, scope, self._all_jumps(names, jumps))

    def _all_jumps(self, names: Names, jumps: Names) -> Names:
        called = dict(zip(self.names, _of_the_body(self.names, names), strict=True))
        return (*(called[name] for name in self.jumps), *jumps)

    def _for(
        self,
        iter_: Any,
        extra_test: Thunk | None,
        body: Callable[[Any], Any],
        get_state: GetState,
        set_state: SetState,
        names: Names,
        opts: Mapping[str, Any],
    ) -> None:
        try:
            if hasattr(type(iter_), "__ag_push__") and stager_of(iter_) is not PYTHON:
                # what it stages, if anything, shows later
                iter_.__ag_push__(Consumer(body, extra_test, get_state, set_state, names, opts, (), self.staging))
            else:
                if self.staging is not None and stager_of(iter_) is PYTHON:
                    opts = {**opts, "staging": self.staging}
                self._run(iter_, lambda: for_stmt(iter_, extra_test, body, get_state, set_state, names, opts))
        finally:
            iter_ = None

    def _run(self, decided_by: Any, statement: Thunk) -> None:
        is_staged = self.staging is not None and stager_of(decided_by) is not PYTHON
        del decided_by
        if is_staged and self.staging is not None:
            self.staging(statement)
        else:
            statement()

    def _joined(self, get_state: GetState, set_state: SetState, names: Names) -> tuple[GetState, SetState, Names]:
        """The state of the body and that of a statement of the generator. No name is in it twice."""
        size, get_own, set_own = len(self.names), self.get_state, self.set_state
        if not size:
            return get_state, set_state, names

        def set_all(values: tuple[Any, ...]) -> None:
            set_own(tuple(values[:size]))
            set_state(tuple(values[size:]))

        return lambda: (*get_own(), *get_state()), set_all, (*_of_the_body(self.names, names), *names)


def _of_the_body(names: Names, taken: Names) -> list[str]:
    """The names of a body's variables in code that has names of its own, where `o.v` means something else."""
    used, found = set(taken), []
    for name in names:
        name = name.replace(".", "\N{RIGHTWARDS ARROW}").replace("[", "\N{RIGHTWARDS ARROW}").replace("]", "")
        while name in used:
            name += " of the loop"
        used.add(name)
        found.append(name)
    return found


class _Part:
    """A function that is run for items, together with the user's functions that it leads to."""

    __slots__ = ("_code", "_watched")

    def __init__(self, code: Callable[..., Any], watched: tuple[Any, ...]) -> None:
        self._code = code
        self._watched = watched

    def __call__(self, *args: Any) -> Any:
        return self._code(*args)

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self._code, *self._watched)


def _do_nothing() -> None:
    return None


def refusal_in_its_loop(what: str) -> StagingError:
    """The error for taking an item of a generator in the body of the staged loop that goes through it."""
    return StagingError(
        f"{what} is gone through by a loop that is staged, and its body takes items from it, too: make a list of the"
        " items first, and go through that by position"
    )
