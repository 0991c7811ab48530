"""Pairs of constructs on purpose: one that is rare by chance inside another that is rare by chance.

Random programs put a `with` into an `if` often, and an assertion into the `else` of a loop hardly ever.  A row of
OUTER writes a compound statement around what a row of INNER writes.  Example of `continue` in `except`:

    for t7 in range(3):
        try:
            if x > 3:
                raise Stop(x)
        except Stop:
            if a % 2 == 0:
                continue
            log(a)
"""

from __future__ import annotations

from collections.abc import Callable

from . import statements as s
from .author import Author, Menu
from .compounds import write_if, write_while
from .expressions import condition, number, numbers_iterable
from .functions import write_function, write_lambda
from .staged_exceptions import raise_sometimes, write_check, write_staged_try, write_staged_with

__all__ = ["AROUND_YIELD", "INNER", "OUTER", "write_pair"]

Body = Callable[[], bool]


def _quietly(author: Author, body: Body) -> None:
    """A block that runs in some cases only: what it binds is not known after it."""
    author.branch(body)


def in_for_else(author: Author, body: Body) -> None:
    t = author.fresh("t")
    author.emit(f"for {t} in {numbers_iterable(author)}:")
    author.emit(f"    if {t} % 3 == 1 and {condition(author, 0)}:")
    author.emit("        break")
    author.emit("else:")
    _quietly(author, body)


def in_while(author: Author, body: Body) -> None:
    _counter(author)
    author.scope.loops += 1
    _quietly(author, body)
    author.scope.loops -= 1


def _counter(author: Author) -> str:
    """The head of a loop that ends, and the step of its counter."""
    n = author.fresh("n")
    author.emit(f"{n} = 0")
    author.emit(f"while {n} < {author.choose(('3', f'abs({author.readable()}) % 4'))}:")
    author.emit(f"    {n} += 1")
    return n


def in_while_else(author: Author, body: Body) -> None:
    n = _counter(author)
    author.emit(f"    if {n} == 2 and {condition(author, 0)}:")
    author.emit("        break")
    author.emit("else:")
    _quietly(author, body)


def in_for(author: Author, body: Body) -> None:
    t = author.fresh("t")
    author.emit(f"for {t} in {numbers_iterable(author)}:")
    author.scope.loops += 1
    _quietly(author, body)
    author.scope.loops -= 1


def in_else(author: Author, body: Body) -> None:
    author.emit(f"if {condition(author, 1)}:")
    author.emit(f"    log({number(author, 0)})")
    author.emit("else:")
    _quietly(author, body)


def in_match(author: Author, body: Body) -> None:
    author.emit(f"match {author.choose(('{0} % 3', '({0}, {1})', 'abs({0}) % 2')).format(*'xy')}:")
    with author.indented():
        author.emit(author.choose(("case 0:", "case 1 | 2:", "case (0 | 1, _) | (_, 2):", "case -1 | 0 | 3:")))
        _quietly(author, body)
        author.emit("case _:")
        author.emit(f"    log({number(author, 0)})")


def in_try(author: Author, body: Body) -> None:
    author.emit("try:")
    _quietly(author, body)
    if author.chance(0.7):
        author.emit("except (Stop, AssertionError) as error:")
        author.emit("    show(str(error))")
    else:
        author.emit("finally:")
        author.emit(f"    log({author.readable()})")


def _try_that_raises(author: Author) -> None:
    author.emit("try:")
    with author.indented():
        raise_sometimes(author, "Stop")
        s.assign(author)


def in_except(author: Author, body: Body) -> None:
    start = list(author.scope.known)
    _try_that_raises(author)
    author.scope.known = start
    author.emit(author.choose(("except Stop:", "except Stop as error:", "except Exception:")))
    author.scope.handlers += 1
    _quietly(author, body)
    author.scope.handlers -= 1


def in_try_else(author: Author, body: Body) -> None:
    start = list(author.scope.known)
    _try_that_raises(author)
    author.emit("except Stop as error:")
    author.emit("    log(error.code)")
    author.emit("else:")
    _quietly(author, body)
    author.scope.known = start


def in_finally(author: Author, body: Body) -> None:
    start = list(author.scope.known)
    _try_that_raises(author)
    author.scope.known = start
    if author.chance(0.4):
        author.emit("except Stop:")
        author.emit(f"    log({author.readable()})")
    author.emit("finally:")
    _quietly(author, body)


def in_with(author: Author, body: Body) -> None:
    author.emit(author.choose(("with Block({0}, True):", "with span({0}):", "with span({0}) as e:")).format("x"))
    _quietly(author, body)


OUTER: Menu[Callable[[Author, Body], None]] = Menu(
    (
        (1, in_for),
        (3.5, in_for_else),
        (1.5, in_while),
        (3, in_while_else),
        (1, in_else),
        (1.5, in_match),
        (2, in_try),
        (3, in_except),
        (4.5, in_try_else),
        (3.5, in_finally),
        (1.5, in_with),
    )
)

AROUND_YIELD: Menu[Callable[[Author, Body], None]] = Menu(
    [(weight, outer) for weight, outer in OUTER.rows if outer not in (in_try, in_except, in_try_else, in_finally)]
)
"""What a generator has around a `yield` where a loop takes it in; see pairs.py about `try`."""

LINES = (
    "log(sum([{0} + t for t in (1, 2)]))",
    "log(sum(t for t in vec if t > {1}))",
    "log({0} if {2} else {1})",
    "log(1 if ({2}) and {0} < {1} else 0)",
    "log(1 if not ({2}) else 0)",
    "log(1 if 0 < {0} <= {1} else 0)",
    "log((e := {0}), e)",
    "show(f'{{{1}}} and {{{1}:>4}}')",
    "d, e = {0}, {1}; log(d - e)",
    "log(items[1], items[abs({0}) % 3])",
    "log(vec[abs({0}) % 3])",
    "items[2] = {0}; log(items[2])",
    "vec[abs({1}) % 3] = {0}",
    "box.w = {0}; log(box.w)",
    "box.v += {1}",
    "grown = []; grown.append({0}); grown.append({1}); log(len(grown), grown[-1])",
    "log(max({0}, {1}), abs({1}), len(vec))",
    "log((lambda t: t + {0})({1}))",
    "e = {0}; e += {1}; log(e)",
    "log(max(*[{0}, {1}]))",
    "e = None; log(-1 if e is None else 0)",
)
"""Simple statements: {0} is a number, {1} a name, {2} a condition."""


def _line(author: Author) -> bool:
    missing = [] if author.scope.places else ["items", "box"]
    missing += [] if author.scope.vectors else ["vec"]
    form = author.choose([line for line in LINES if not any(word in line for word in missing)])
    for line in form.format(number(author, 0), author.readable(), condition(author, 0)).split("; "):
        author.emit(line)
    return True


def _set_or_none(author: Author) -> bool:
    """None, unless a condition holds."""
    best = author.fresh("best")
    author.emit(f"{best} = None")
    author.emit(f"if {condition(author, 1)}:")
    author.emit(f"    {best} = {number(author, 0)}")
    author.emit(f"log(-1 if {best} is None else {best})")
    return True


def _short_for(author: Author) -> bool:
    t = author.fresh("t")
    author.emit(f"for {t} in {numbers_iterable(author)}:")
    author.emit(f"    log({t}, {author.readable()})")
    return True


def _grown(author: Author) -> bool:
    """A list that grows in a loop."""
    name, t = author.fresh("grown"), author.fresh("t")
    author.emit(f"{name} = []")
    author.emit(f"for {t} in {numbers_iterable(author)}:")
    author.emit(f"    {name}.append({t} + {author.readable()})")
    author.emit(f"log(len({name}), sum({name}))")
    return True


def _matched(author: Author) -> bool:
    author.emit(f"match {author.readable()}:")
    author.emit(f"    case 0 | 1:\n{author.indent}        log({number(author, 0)})")
    author.emit(f"    case t if t > 3:\n{author.indent}        log(t)")
    return True


INNER: Menu[Callable[[Author], bool]] = Menu(
    (
        (15, _line),
        (1, s.write_break),
        (1, s.write_continue),
        (0.5, s.write_return),
        (1, s.write_raise),
        (1.5, write_check),
        (1, _set_or_none),
        (1, _short_for),
        (1, _grown),
        (2.5, _matched),
        (0.5, write_if),
        (1, write_while),
        (1.5, write_staged_try),
        (2, write_staged_with),
        (1.2, write_function),
        (1.2, write_lambda),
    )
)

JUMPS = (s.write_break, s.write_continue, s.write_return, s.write_raise)


def write_pair(author: Author) -> bool:
    """One construct inside another, with simple statements around it."""
    outer, inner = OUTER.pick(author.rng), INNER.pick(author.rng)

    def body() -> bool:
        if author.chance(0.3):
            _line(author)
        author.budget, saved = min(author.budget, 2), author.budget
        if inner in JUMPS:
            author.emit(f"if {condition(author, 1)}:")
            author.branch(lambda: inner(author))
        reachable = inner in JUMPS or inner(author)
        author.budget = max(0, saved - 1)
        if reachable and author.chance(0.5):
            _line(author)
        return reachable

    def statement() -> bool:
        outer(author, body)
        if author.chance(0.5):
            _line(author)
        return True

    if inner not in JUMPS[:2] or author.scope.loops:
        return statement()
    author.emit(f"for {author.fresh('t')} in {numbers_iterable(author)}:")
    author.scope.loops += 1
    author.branch(statement)
    author.scope.loops -= 1
    return True
