"""Loops of Python, in a trace, over what runs code of the user for each item: what cannot be staged in them.

    for a, b in zip(within_a_span(n), [1, 2, 3]):     # Python runs the code of the generator, item by item
        if a > b:                                     # a tensor: StagingError; that code would run on all the same
            break

Such code is a generator that is not handed to a `for` of converted code (or cannot run in it, see generator.py), alone
or in `zip`, `map`, an iterator of itertools; a function that these call; a class with a `__next__`. It runs while
tracing, so it cannot know where the graph leaves the loop. Refused is, therefore, an exception of the graph in a loop
over a generator with `try` or `with` around a `yield`, for what it does when it is closed would be lost; to leave such
a loop depending on a tensor; and to leave any other one so where the code does something for an item.
"""

from __future__ import annotations

import builtins
import dis
import gc
import inspect
import itertools
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from types import CodeType, FunctionType, GeneratorType
from typing import TYPE_CHECKING, Any, Final

from autograph.cache import IdentityCache
from autograph.errors import StagingError
from autograph.rules import is_users

if TYPE_CHECKING:
    from autograph.operators.stager import Stager

__all__ = ["TAKING", "Pulled", "making", "pulled"]


@dataclass(slots=True, eq=False)
class Pulled:
    """One loop. name: what Python runs, in words. is_closed: whether it does something when it is closed.

    code: a part of it with a `try` or `with`, unless the whole loop is guarded. No iterator is held here: each of them
    ends with its loop.
    """

    tracer: Stager
    name: str
    is_closed: bool
    code: CodeType | None
    left: bool = field(default=False)

    def guard(self) -> AbstractContextManager[Any]:
        """Entered around the loop: refuses what may raise in it when the graph runs."""
        if not self.is_closed:
            return nullcontext()
        return self.tracer.unguarded(
            f"in a loop over {self.name}, which runs as plain Python, item by item: what it does when it is closed"
            f" would be lost. {_REMEDY}"
        )

    def leave(self) -> None:
        """The loop is left depending on a value that is staged."""
        if self.is_closed:
            raise StagingError(
                f"the loop over {self.name} is left depending on a tensor, but it runs as plain Python, item by item,"
                f" so that its code would run on whether the loop was left or not. {_REMEDY}"
            )
        self.left = True

    def items(self, iterator: Iterator[Any]) -> Iterator[Any]:
        """The items; once the loop may have been left nothing may happen where they are made."""
        done = object()
        while True:
            mark = self.tracer.mark(*_watched(iterator)) if self.left else None
            with nullcontext() if self.code is None else making(self.tracer, self.name, self.code):
                item = next(iterator, done)
            effect = None if mark is None else self.tracer.effect_since(mark)
            if effect is not None:
                raise StagingError(
                    f"the loop over {self.name} is left depending on a tensor, but its items are made by plain Python,"
                    f" which would do this whether the loop was left or not: {effect}"
                )
            if item is done:
                return
            yield item


_REMEDY: Final = (
    "A 'yield' in it stands in 'try' or 'with', or the 'for' does not go through it alone: take the 'yield' out of"
    " there, or return a list"
)


def making(tracer: Stager | None, name: str, code: CodeType) -> AbstractContextManager[Any]:
    """Entered while Python runs this code for an item: what may raise when the graph runs is refused beside a `try`."""
    if tracer is None or not _tries(code):
        return nullcontext()
    return tracer.unguarded(f"where {name} makes an item as plain Python: its 'try' or 'with' would not see it")


def pulled(iterator: Any, tracer: Stager) -> Pulled | None:
    """What is to be minded in a loop over an iterator; None where it runs no code of the user."""
    kind = type(iterator)
    if kind not in TAKING and not hasattr(kind, "__ag_pulls__") and not _is_users_iterator(iterator):
        return None
    found = list(running(iterator))
    if not found:
        return None
    generators = [part for part in found if type(part) is GeneratorType]
    closed = [part for part in generators if _closes(part.gi_code)]
    shown = (closed or generators or found)[0]
    name = f"the generator {shown.__name__!r}" if generators else f"what runs {_name_of(shown)!r}"
    trying = [code for code in map(_code_of, found) if code is not None and _tries(code)]
    return Pulled(tracer, name, bool(closed), trying[0] if trying and not closed else None)


def running(iterator: Any) -> Iterator[Any]:
    """The code of the user that runs when Python takes items of an iterator: generators, functions, iterators."""
    pending, seen = [(iterator, False)], set()
    while pending:
        part, is_called = pending.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        kind = type(part)
        if hasattr(kind, "__ag_pulls__"):
            pending.append((part.__ag_pulls__(), False))
        elif kind in TAKING or kind in _SEQUENCES:
            if kind is GeneratorType and is_users(part.gi_code):
                yield part
            pending += [(each, kind in _CALLING) for each in gc.get_referents(part) if type(each) not in _PLAIN]
        elif _is_users_iterator(part) or (is_called and _is_users_function(part)):
            yield part


def _is_users_iterator(value: Any) -> bool:
    step = getattr(type(value), "__next__", None)
    # another function stands in its place while a trace goes on
    return type(step) is FunctionType and is_users(inspect.unwrap(step).__code__)


def _is_users_function(value: Any) -> bool:
    """Whether a value is a function of the user, or stands for one."""
    if type(value) is FunctionType:
        return is_users(value.__code__)
    return hasattr(type(value), "__ag_watched__")


def _watched(iterator: Any) -> Iterator[Any]:
    """What may change where the items of an iterator are made."""
    for part in running(iterator):
        yield part
        if type(part) is GeneratorType:
            yield from (each for each in gc.get_referents(part) if type(each) is FunctionType)


def _name_of(value: Any) -> str:
    watched = value.__ag_watched__()[0] if hasattr(type(value), "__ag_watched__") else value
    return str(getattr(watched, "__name__", type(watched).__name__))


def _code_of(value: Any) -> CodeType | None:
    """The code of what `running` has found, where it runs as it is: methods of classes are converted in a trace."""
    if type(value) is GeneratorType:
        return value.gi_code
    return value.__code__ if type(value) is FunctionType else None


_closing: IdentityCache[CodeType, bool] = IdentityCache()
_trying: IdentityCache[CodeType, bool] = IdentityCache()


def _tries(code: CodeType) -> bool:
    """Whether there is a `try` or `with` in a piece of code."""
    return _trying.get_or_make(code, lambda: any(i.opname == _HANDLER for i in dis.get_instructions(code)))


def _closes(code: CodeType) -> bool:
    """Whether a generator has a `try` or `with` around a `yield`, which sees when it is closed."""
    return _closing.get_or_make(code, lambda: _has_yield_in_try(code))


def _has_yield_in_try(code: CodeType) -> bool:
    instructions = {i.offset: i.opname for i in dis.get_instructions(code)}
    entries: Any = dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]

    def handler(offset: int) -> int | None:
        return next((entry.target for entry in entries if entry.start <= offset < entry.end), None)

    for offset, name in instructions.items():
        at = handler(offset) if name == "YIELD_VALUE" else None
        while at is not None:
            if instructions[at] == _HANDLER:
                return True
            at = handler(at)
    return False


_HANDLER: Final = "PUSH_EXC_INFO"
"""How the handlers of `try` and `with` begin; those that Python adds for StopIteration and `yield from` do not."""

_CALLING: Final = frozenset(
    {
        builtins.map, builtins.filter, type(iter(int, 1)), itertools.accumulate, itertools.dropwhile,
        itertools.filterfalse, itertools.groupby, itertools.starmap, itertools.takewhile,
    }
)  # fmt: skip
"""Python's iterators that call a function."""

TAKING: Final = _CALLING | frozenset(
    {
        builtins.enumerate, builtins.zip, GeneratorType,
        *(kind for kind in vars(itertools).values() if isinstance(kind, type)),
    }
)  # fmt: skip
"""What takes items from other iterators, or makes them."""

_PLAIN: Final = frozenset({int, float, complex, bool, str, bytes, type(None)})
"""What long lists hold, and no iterator is: such lists are looked through at each item."""

_SEQUENCES: Final = frozenset({list, tuple, type(iter([])), type(iter(()))})
"""What may stand between an iterator and those that it takes its items from."""
