"""Exceptions and managers of the staged family: try with all its parts, raise, assert, with.

Example of what `write_staged_try` may emit:

    try:
        if a > b:
            raise Stop(a)
        c = 3
    except (TypeError, Stop) as error4:
        show(f'{error4.code}')
        raise
    else:
        log(c)
    finally:
        log(b)
"""

from __future__ import annotations

from . import statements as s
from .author import Author
from .block import write_block
from .expressions import condition, number

__all__ = ["write_check", "write_staged_raise", "write_staged_try", "write_staged_with"]

RAISED = ("Stop", "Stop", "Halt", "ValueError")
CAUGHT = ("{0}", "{0}", "{0}", "(TypeError, {0})", "Exception", "KeyError", "(KeyError, IndexError)", "Stop", "Halt")
SHOWN = ("show(str({0}))", "show(f'{{{0}}}')")
# What can be asked for only where one class is caught, and no operation of a graph raises that.
PARTS = (
    "show(type({0}).__name__)", "log({0}.code)", "log({0}.args[0])", "log(len({0}.args))",
    "log(1 if exc_info()[0] is Stop else 0)", "log(1 if isinstance({0}, Halt) else 0)",
)  # fmt: skip


def raise_sometimes(author: Author, raised: str) -> None:
    author.emit(f"if {condition(author, 0)}:")
    author.emit(f"    raise {raised}({author.readable()})")


def write_handler(author: Author, kinds: str, raised: str) -> tuple[bool, list[str]]:
    """An except clause; its body looks at the exception, if that has a name."""
    name = author.fresh("error") if author.chance(0.5) else ""
    author.emit(f"except {kinds} as {name}:" if name else f"except {kinds}:")

    def body() -> bool:
        author.scope.handlers += 1
        author.budget, saved = min(author.budget, 3), author.budget
        if name:
            forms = (*SHOWN, *PARTS) if kinds in ("Stop", "Halt") and raised in ("Stop", "Halt") else SHOWN
            author.emit(author.choose(forms).format(name))
        reachable = write_block(author, 0.15)
        author.budget = max(0, saved - 2)
        author.scope.handlers -= 1
        return reachable

    return author.branch(body)


def write_staged_try(author: Author) -> bool:
    """A body that raises under a condition, handlers that often fit, `else`, `finally`."""
    scope, start = author.scope, list(author.scope.known)
    raised = author.choose(RAISED)
    author.emit("try:")

    def body() -> bool:
        if author.chance(0.7):
            raise_sometimes(author, raised)
        return write_block(author, 0.12)

    ends = [author.branch(body)]
    handled = author.chance(0.85)
    if handled:
        ends.append(write_handler(author, author.choose(CAUGHT).format(raised), raised))
        if author.chance(0.2):
            ends.append(write_handler(author, "Exception", raised))
        if author.chance(0.3):
            scope.known, known = ends[0][1], scope.known
            author.emit("else:")
            ends[0] = author.branch(lambda: write_block(author, 0.12))
            scope.known = known
    reachable = author.join(*ends)
    if not handled or author.chance(0.3):
        known, scope.known = scope.known, start
        author.emit("finally:")
        finished, _ = author.branch(lambda: write_block(author, 0.05))
        scope.known = known
        reachable = reachable and finished
    return reachable


def write_staged_with(author: Author) -> bool:
    """A manager that shows its exits and may swallow `Stop`, one made of a generator, or one that does nothing."""
    swallows, start = author.chance(0.3), list(author.scope.known)
    name = author.fresh("entered")
    form = author.choose(
        (
            "with Block({0}, {2}):",
            "with Block({0}, {2}) as {1}:",
            "with Block({0}, {2}) as {1}, span({3}):",
            "with span({0}) as {1}:",
            "with span({3}), Block({0}, {2}) as {1}:",
            "with nullcontext({0}) as {1}:",
            "with Quiet() as {1}:",
            "with closing(Held({0})):",
        )
    )
    author.emit(form.format(number(author, 1), name, swallows, author.readable()))

    def body() -> bool:
        if "{1}" in form:
            author.bind(name)
        if author.chance(0.3):
            raise_sometimes(author, author.choose(RAISED))
        return write_block(author, 0.2)

    reachable, known = author.branch(body)
    if swallows:
        author.scope.known = start
        return True
    author.scope.known = [each for each in known if each != name]
    return reachable


def write_staged_raise(author: Author) -> bool:
    """An exception, inside of a branch mostly."""
    return s.write_raise(author)


def write_check(author: Author) -> bool:
    """An assert that mostly holds."""
    message = author.choose(("", ", 'no'", f", f'is {{{author.readable()}}}'"))
    test = author.choose((f"{number(author)} > -10000", f"{author.readable()} != 12345", f"{author.readable()} != 3"))
    author.emit(f"assert {test}{message}")
    return True
