"""Python loops in a trace: each iteration is recorded anew. One that goes on and on is worth a word.

    for i in range(100_000):    # UnrolledLoopWarning, once, at iteration 1,000: the graph grows with each
        total = total + x[i]
"""

from __future__ import annotations

import gc
import operator
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextvars import ContextVar, Token
from types import CodeType, FunctionType, GeneratorType, MethodType, NoneType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from autograph.contexts import binding
from autograph.errors import StagingError, UnrolledLoopWarning
from autograph.line_tables import statement_line
from autograph.operators.left import left_by
from autograph.rules import is_user_code

if TYPE_CHECKING:
    from autograph.operators.stager import Stager

__all__ = ["MOST_ROUNDS", "Rounds", "counted", "no_loops_around", "staged", "unrolled_before"]

Item = TypeVar("Item")

MOST_ROUNDS: Final = 1_000
"""A loop that records something more often than this is warned of."""


MOST_ITEMS: Final = 100_000
"""As many items of a list are gone through at most where only the graph knows which is the last."""

_AROUND_OTHERS: Final = frozenset({enumerate, filter, map, zip})
_EMPTY: Final[tuple[Any, ...]] = ([], (), "", b"", set(), {}, {}.items(), {}.values(), range(0), range(1 << 70))
_SEQUENCES: Final = frozenset(type(iter(each)) for each in _EMPTY) | {type(reversed(_EMPTY[0]))}


_OF_TESTS: Final = frozenset({"ag__", "and_", "eq", "ld", "not_", "not_eq", "or_"})
"""What a test may call and ask for its variables alone."""

_PLAIN: Final = frozenset({bool, int, float, str, NoneType})

_NEST: Final[ContextVar[tuple[dict[Any, int], int] | None]] = ContextVar("autograph_unrolled_loops", default=None)
"""By the code of a body its iterations since the outermost loop of Python began; how often the innermost one around
goes round in all of these."""

_OF_A_BRANCH: Final = 8
"""An iteration under a condition of the graph carries all variables through a branch: it counts so often."""


class Rounds:
    """Counts the iterations of one Python loop in a trace, and warns when they have become many."""

    __slots__ = (
        "_at_last", "_before", "_count", "_counts", "_has_warned", "_held", "_latest", "_length",
        "_most", "_name", "_pulled", "_test", "_times", "_token", "_tracer", "_why", "body", "is_left",
    )  # fmt: skip

    def __init__(
        self,
        tracer: Stager,
        body: Callable[..., Any],
        test: Callable[[], Any] | None = None,
        items: Iterator[Any] | None = None,
        why: str = "",
    ) -> None:
        """test: of a `while`. items: what a `for` goes through. why: the tracer has not made it one loop, in words."""
        self._tracer, self.body = tracer, body
        self._before = self._latest = self._pulled = tracer.mark()
        self._test, self._held = test, None if test is None else _held(test)
        self._count = 0
        self._has_warned = False
        self._why = why
        self.is_left = False
        self._counts, self._times = _NEST.get() or ({}, 1)
        self._at_last = self._counts.copy()
        self._name = type(items).__name__
        self._length = None if items is None else _length(items)
        self._most = MOST_ROUNDS if self._length is None else MOST_ITEMS

    def __enter__(self) -> None:
        """Around the loop: the loops in it count their iterations together."""
        self._token = _NEST.set((self._counts, self._times * max(1, self._length or 1)))

    def __exit__(self, *error: object) -> None:
        _NEST.reset(self._token)
        if self._token.old_value in (None, Token.MISSING) and self._count and not self._has_warned:
            self._tracer.unrolled(self._before, _code_of(self.body), self._why)

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing to count: the loop is to be unrolled, and is not worth a warning by itself."""
        settled = bool(self._why) and self._length is not None and self._length <= MOST_ROUNDS
        self._count = self._length or 0 if settled else self._count
        return settled

    def next(self) -> None:
        """One more iteration begins."""
        self._count += 1
        code = getattr(self.body, "__code__", None)
        self._counts[code] = self._counts.get(code, 0) + 1
        self._latest, self._at_last = self._tracer.mark(), self._counts.copy()
        if self._count == MOST_ROUNDS + 1 and self._tracer.mark() != self._before:
            code, self._has_warned = _code_of(self.body), True
            warnings.warn_explicit(
                f"a loop in {code.co_qualname!r} has been unrolled {MOST_ROUNDS:,} times while the function is traced,"
                f" and goes on: the graph grows with each iteration.{self._reason()} Loop over a tensor"
                " (runtime.range(n) for range(n), a condition on a tensor for `while`) to make it one loop of the"
                " graph.",
                UnrolledLoopWarning,
                code.co_filename,
                statement_line(code),
            )

    def _reason(self) -> str:
        return f" It is not one loop of the graph because {self._why}." if self._why else ""

    def stages_the_rest(self, stage: Callable[[int, Any], str | None]) -> bool:
        """After an iteration, which has shown how large it is: whether those that are left are staged by `stage`, which
        gets how often each of them counts, and the position before that one."""
        if self._why:
            return False
        own = getattr(self.body, "__code__", None)
        within = [n - self._at_last.get(code, 0) for code, n in self._counts.items() if code is not own]
        with binding(_NEST, (self._counts, self._times)):
            times = max(1, *within) * self._times if within else self._times
            why = stage(times * (_OF_A_BRANCH if self.is_left else 1), self._latest)
            self._why, self.is_left = why or "", self.is_left or why is None
            return why is None

    def leave(self) -> None:
        """The loop is left depending on what only the graph knows, so that Python never sees its end."""
        self.is_left = True
        if self._count < self._most:
            return
        raise StagingError(
            f"a loop over items of Python (of a {self._name!r} object) is left depending on a tensor, and after"
            f" {self._most:,} iterations that were unrolled while the function is traced nothing says that it ends"
            " soon. Go through itertools.count() or cycle(...) that is made in this function, write `while` with a"
            " condition on the tensor, or loop over a tensor or a list"
        )

    def check_end(self) -> None:
        """After an iteration of a `for`. Raises StagingError where only what the graph raises will end the loop, and
        Python pulls its items from a function: `for item in iter(items.pop, None)`."""
        if self._name != type(iter(int, None)).__name__:
            return
        if self._count >= MOST_ROUNDS and self._tracer.raises_since(self._pulled):
            raise StagingError(
                f"a loop over `iter(function, last)` has been unrolled {MOST_ROUNDS:,} times while the function is"
                " traced, and goes on until something raises, which only the run knows. Write `while` around a call of"
                " the function"
            )
        self._pulled = self._tracer.mark()

    def end_by_exception(self) -> bool:
        """Whether what the graph raises when it runs ends the loop: `while True: total += next(iterator)`.

        When it has gone round often, that holds for all tests, and where the test asks for what the loop does not
        change, what may raise for any reason (`total += items[i]`) is taken to be its end, too.
        """
        often, held = self._count >= MOST_ROUNDS, self._held
        if self._test is None or not (often or held is not None):
            return False
        if held and self._count >= MOST_ROUNDS - 1:
            self._held = _held(self._test)
        is_same = held is not None and self._held is not None and all(map(operator.is_, held, self._held))
        if held and not often:
            return False
        return self._tracer.raises_since(self._latest, perhaps=often and is_same)


def _held(test: Callable[[], Any]) -> list[Any] | None:
    """What the variables of a test hold, if it asks for nothing else and none of that can change in its place."""
    codes = [test.__code__]
    for code in codes:  # which grows
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
    if {name for code in codes for name in code.co_names} - _OF_TESTS:
        return None
    cells = zip(test.__code__.co_freevars, test.__closure__ or (), strict=True)
    try:
        held = [cell.cell_contents for name, cell in cells if name not in _OF_TESTS]
    except ValueError:  # a variable that has no value yet
        return None
    return held if all(type(value) in _PLAIN for value in held) else None


def unrolled_before(body: Callable[..., Any]) -> tuple[int, int]:
    """How many iterations of a loop with this body were unrolled in the loops of Python around it, and how often it
    stands in these."""
    counts, times = _NEST.get() or ({}, 1)
    return counts.get(getattr(body, "__code__", None), 0), times


def staged(items: Any, body: Callable[..., Any], may_be_left: bool = False) -> None:
    """A loop is staged: it counts for those around it, and has gone through an iterator that others may have, too."""
    counts, _ = _NEST.get() or ({}, 1)
    code = getattr(body, "__code__", None)
    counts[code] = counts.get(code, 0) + (_length(iter(items)) or 0)
    if hasattr(type(items), "__next__"):
        deque(items, maxlen=0)
    left_by(items, may_be_left)


def no_loops_around() -> binding[Any]:
    """Around a trace that is another graph: the loops around it go round without it."""
    return binding(_NEST, None)


def _length(items: Iterator[Any]) -> int | None:
    """How many items an iterator of Python has, where that is known and no more than what can be unrolled."""
    inner = gc.get_referents(items) if type(items) in _AROUND_OTHERS else [items]
    if isinstance(items, GeneratorType) and items.gi_frame is not None:  # `.0` is what it goes through
        inner = [items.gi_frame.f_locals.get(".0")]
    lengths = [operator.length_hint(part, -1) for part in inner if type(part) in _SEQUENCES]
    return min((length for length in lengths if 0 <= length <= MOST_ITEMS), default=None)


def _code_of(body: Any) -> CodeType:
    """The user's code that runs for an item: the function itself, the first one that leads to it, or what called."""
    pending: list[Any] = [body]
    for part in pending:  # which grows
        if isinstance(part, FunctionType) and is_user_code(part.__code__.co_filename):
            return part.__code__
        if isinstance(part, MethodType):
            pending.append(part.__func__)
        elif (watched := getattr(type(part), "__ag_watched__", None)) is not None:
            pending += watched(part)
    frame = sys._getframe(1)
    while not is_user_code(frame.f_code.co_filename) and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code


def counted(
    items: Iterator[Item], rounds: Rounds, stage: Callable[[int, Any], str | None] | None = None
) -> Iterator[Item]:
    """The items, each counted as an iteration, until `stage` stages what is left of the loop."""
    return items if stage is not None and rounds.is_settled else _counted(items, rounds, stage)


def _counted(items: Iterator[Item], rounds: Rounds, stage: Any) -> Iterator[Item]:
    for item in items:
        rounds.next()
        yield item
        rounds.check_end()
        if stage is not None and rounds.stages_the_rest(stage):
            return staged(items, rounds.body)
