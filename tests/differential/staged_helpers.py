"""Functions of the staged family that change outer names, yield, or call themselves.

Example of what `write_sharing_helper` may emit:

    def bump4(p):
        nonlocal a
        a = (a + p) % 97
        return a
    log(bump4(b))
"""

from __future__ import annotations

from .author import Author, Callee
from .compounds import loop_body
from .expressions import condition, number
from .functions import Signature, inner_scope, write_lambda
from .staged_pairs import AROUND_YIELD

__all__ = ["write_generator", "write_recursion", "write_sharing_helper"]

WAYS = ("zip([1, 2, 3], {0})", "enumerate({0})")
"""How Python takes the items of a generator together with others."""


def write_sharing_helper(author: Author) -> bool:
    """An inner function that changes a variable of the function around it, called at once and later."""
    outer = author.scope
    shared = [letter for letter in outer.own if letter in outer.known]
    if outer.depth or not shared:
        return write_lambda(author)
    name, letter, p = author.fresh("bump"), author.choose(shared), author.fresh("p")
    author.emit(f"def {name}({p}):")
    author.bind(p)
    with author.indented():
        author.emit(f"nonlocal {letter}")
        change = f"{letter} = ({letter} {author.choose('+-*')} {number(author, 1)}) % 97"
        if author.chance(0.5):
            author.emit(f"if {condition(author, 1)}:")
            author.emit(f"    {change}")
        else:
            author.emit(change)
        author.emit(f"return {author.choose((letter, p))}")
    author.unbind(p)
    author.emit(author.choose(("{0}({1})", "log({0}({1}))")).format(name, number(author, 1)))
    outer.callees[name] = Callee(("{f}({0})",))
    return True


def write_generator(author: Author) -> bool:
    """A generator over a loop, of some yields, or with one in any other statement; consumed by a loop or summed."""
    if author.scope.depth:
        return write_lambda(author)
    name, p, item = author.fresh("many"), author.fresh("p"), author.fresh("t")
    author.emit(f"def {name}({p}):")
    outer, author.scope = author.scope, inner_scope(author, Signature(p, (), ""))
    author.bind(p)
    with author.indented():
        write = author.choose((*[_yield_in_loop] * 2, _yields, *[_yield_in_pair] * 4, _yield_closed))
        write(author, p)
    author.scope = outer
    if author.chance(0.3):
        author.emit(f"log(sum({name}({number(author, 1)})))")
        return True
    called = f"{name}({number(author, 1)})"
    way = author.choose(("{0}", *WAYS)) if write in (_yields, _yield_closed) else "{0}"
    if way == "{0}":
        author.emit(f"for {item} in {called}:")
    else:
        author.emit(f"for {author.fresh('k')}, {item} in {way.format(called)}:")

    def body() -> bool:
        author.bind(item)
        if way == "{0}" and write is not _yield_closed:
            return loop_body(author, item)
        author.emit(f"log({item}, {author.readable()})")  # nothing that leaves the loop, or may raise
        author.emit(f"{item} = {item} {author.choose('+-*')} {author.readable()}")
        author.emit(f"log({item} if {condition(author, 0)} else {author.readable()})")
        return True

    author.branch(body)
    return True


def _yield_closed(author: Author, p: str) -> None:
    """Python runs such a generator, item by item."""
    author.emit("try:")
    author.emit(f"    yield {p} {author.choose('+-*')} 3")
    author.emit(f"    log({p})")
    author.emit(f"    yield {p}")
    author.emit("finally:")
    author.emit(f"    log({p}, 7)")


def _yields(author: Author, p: str) -> None:
    author.emit(f"yield {number(author, 1)}")
    author.emit(f"yield {p}")


def _yield_in_loop(author: Author, p: str) -> None:
    t = author.fresh("t")
    author.emit(f"for {t} in range({author.choose(('3', f'abs({p}) % 4'))}):")

    def body() -> bool:
        author.bind(t)
        if author.chance(0.5):
            author.emit(f"yield {number(author, 1)}")
        else:
            author.emit(f"if {condition(author, 1)}:")
            author.emit(f"    yield {number(author, 1)}")
        return True

    author.branch(body)


def _yield_in_pair(author: Author, p: str) -> None:
    def body() -> bool:
        author.emit(f"yield {number(author, 1)}")
        if author.chance(0.3):
            author.emit(f"log({p})")
        return True

    AROUND_YIELD.pick(author.rng)(author, body)
    if author.chance(0.5):
        author.emit(f"yield {p}")


def write_recursion(author: Author) -> bool:
    """A function that calls itself with a smaller number."""
    if author.scope.depth:
        return write_lambda(author)
    name, p = author.fresh("again"), author.fresh("p")
    author.emit(f"def {name}({p}):")
    author.emit(f"    if {p} <= 0:")
    author.emit(f"        return {author.literal()}")
    author.emit(f"    return ({name}({p} - {author.choose('123')}) {author.choose('+-*')} {p}) % 97")
    author.emit(f"log({name}(abs({number(author, 1)}) % 9))")
    author.scope.callees[name] = Callee(("{f}(abs({0}) % 7)",))
    return True
