"""Constructs that the staged family adds to `STAGED`, one row each, with the switch that leaves one out.

Matches, checks, exceptions, tensors that are read and written by index, unpacking, the builtin functions over
tensors, comprehensions, growing lists, None before a loop, helpers that change outer names, generators, recursion.
`vec` is a list of three numbers in Python and a tensor of shape [3] in the graph.  Example:

    LANGUAGE = language(STAGED)          # STAGED and the rows of ROWS that OFF does not name

OFF holds the rows that are refused as a whole, or differ in a way that is known: name of the row -> why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from . import statements as s
from .author import Author, Grammar
from .block import write_block
from .compounds import loop_body, loop_else
from .expressions import condition, number, numbers_iterable
from .staged_exceptions import write_check, write_staged_raise, write_staged_try, write_staged_with
from .staged_helpers import write_generator, write_recursion, write_sharing_helper
from .staged_pairs import write_pair

__all__ = ["OFF", "ROWS", "language"]

OFF: dict[str, str] = {}


@dataclass(frozen=True)
class Row:
    """A writer: the menu of the grammar that it joins, its weight there, and the name that switches it off."""

    name: str
    menu: str
    weight: float
    write: Callable[..., object]


def place_in(author: Author, depth: int) -> str:
    """An index into a vector: constant from either end, or known only in the graph."""
    index = author.choose(("0", "1", "-1", "-3", "abs({0}) % 3", "{0} % 3", "-1 - abs({0}) % 3"))
    return index.format(number(author, depth))


def vector_of(author: Author, depth: int) -> str:
    """Numbers in a row: of the vector, a part of it, or numbers of their own."""
    if not author.scope.vectors:
        return f"[{number(author, depth)}, {author.literal()}]"
    name = author.choose(author.scope.vectors)
    form = author.choose(("{0}", "{0}", "{0}", "{0}[1:]", "{0}[::-1]", "{0}[:-1]", "[{1}, {2}]"))
    return form.format(name, number(author, depth), author.literal())


def read_vector(author: Author, depth: int) -> str:
    if not author.scope.vectors:
        return author.readable()
    return f"{author.choose(author.scope.vectors)}[{place_in(author, depth)}]"


def folded(author: Author, depth: int) -> str:
    """A builtin function that makes one number of several."""
    form = author.choose(
        (
            "sum({0})",
            "min({0})",
            "max({0})",
            "len({0})",
            "sorted({0})[0]",
            "sorted({0}, reverse=True)[-1]",
            "min({1}, {2})",
            "max({1}, {2}, 3)",
            "sum({0}, {1})",
            "abs({1})",
            "divmod({1}, 7)[1]",
        )
    )
    return form.format(vector_of(author, depth), number(author, depth), number(author, depth))


def comprehended(author: Author, depth: int) -> str:
    t = author.fresh("t")
    source = author.choose(("range(3)", "(4, 5, 6)", "{0}", "{0}", "range(abs({1}) % 4)")).format(
        vector_of(author, 0), author.readable()
    )
    author.bind(t)
    item = number(author, depth)
    test = f" if {condition(author, depth)}" if author.chance(0.4) else ""
    author.unbind(t)
    form = author.choose(("sum([{0}])", "sum({0})", "len([{0}])"))
    return form.format(f"{item} for {t} in {source}{test}")


def any_or_all(author: Author, depth: int) -> str:
    t = author.fresh("t")
    source = vector_of(author, 0)  # no walrus: Python forbids it there
    author.bind(t)
    test = condition(author, depth)
    author.unbind(t)
    return f"{author.choose(('any', 'all'))}({test} for {t} in {source})"


def walrus_compare(author: Author, depth: int) -> str:
    return f"({author.choose(author.scope.own)} := {number(author, depth)}) {author.choose('<>')} {author.readable()}"


def write_vector(author: Author) -> bool:
    """A write by index, alone or with arithmetic."""
    if not author.scope.vectors:
        return s.assign(author)
    name = author.choose(author.scope.vectors)
    form = author.choose(("{0}[{1}] = {2}", "{0}[{1}] = {2}", "{0}[{1}] += {2}", "{0}[{1}] -= {2}"))
    author.emit(form.format(name, place_in(author, 1), number(author)))
    return True


def unpack(author: Author) -> bool:
    first, second, third = author.scope.own[:3]
    rest = author.fresh("rest")
    source = author.choose(author.scope.vectors) if author.scope.vectors else f"({number(author)}, 2, 3)"
    form = author.choose(
        ("{0}, {1}, {2} = {4}", "{0}, *{3} = {4}", "*{3}, {0} = {4}", "{0}, ({1}, {2}) = {4}[0], {4}[1:]")
    )
    if not author.scope.vectors and form.endswith("[1:]"):
        form = "{0}, {1}, {2} = {4}"
    author.emit(form.format(first, second, third, rest, source))
    author.bind(first)
    if "{2}" in form:
        author.bind(second)
        author.bind(third)
    else:
        author.emit(f"log(sum({rest}))")
    return True


def show_text(author: Author) -> bool:
    form = author.choose(
        ("f'{{{0}}}'", "f'is {{{0}}} and {{{1}:>4}}'", "'%d and %d' % ({0}, {1})", "'{{}}'.format({0})")
    )
    author.emit(f"show({form.format(author.readable(), author.readable())})")
    return True


def write_match(author: Author) -> bool:
    """Cases of numbers, alternatives, a guard, a capture; the last one takes all, sometimes."""
    t = author.fresh("t")
    author.emit(f"match {author.choose(('{0} % 4', '{0}', 'abs({0}) % 3')).format(author.readable())}:")
    ends = []
    cases = ["case 0:", "case 1 | 2:", f"case -1 | {author.literal()}:", f"case {t} if {t} > {author.readable()}:"]
    total = author.chance(0.5)
    with author.indented():
        for case in [*cases[: 1 + int(author.rng.random() * 4)], *(["case _:"] if total else [])]:
            author.emit(case)
            ends.append(author.branch(lambda: write_block(author, 0.2)))
    if not total:
        ends.append((True, list(author.scope.known)))
    return author.join(*ends)


def write_for_pairs(author: Author) -> bool:
    """A loop with two targets, or over a vector from its end or in order."""
    first, second = author.scope.own[:2]
    source = vector_of(author, 1)
    forms = (
        ("{0}, {1}", "enumerate({2})"),
        ("{0}, {1}", "enumerate({2}, 1)"),
        ("{0}, {1}", "zip({2}, {2})"),
        ("{0}, {1}", "zip({2}, range(2))"),
        ("{0}", "reversed({2})"),
        ("{0}", "sorted({2})"),
        ("{0}", "{2}"),
    )
    target, iterable = author.choose(forms)
    author.emit(f"for {target.format(first, second)} in {iterable.format(first, second, source)}:")

    def body() -> bool:
        author.bind(first)
        if "{1}" in target:
            author.bind(second)
        kept, author.scope.vectors = author.scope.vectors, ()  # a list shows writes to its walker, a tensor does not
        reachable = loop_body(author)
        author.scope.vectors = kept
        return reachable

    author.branch(body)
    loop_else(author)
    return True


def write_growing(author: Author) -> bool:
    """A list that grows in a loop, measured, summed and walked after it."""
    name, t = author.fresh("grown"), author.fresh("t")
    author.emit(f"{name} = []")
    author.emit(f"for {t} in {numbers_iterable(author)}:")

    def body() -> bool:
        author.bind(t)
        if author.chance(0.4):
            author.emit(f"if {condition(author, 1)}:")
            author.emit(f"    {name}.append({number(author, 1)})")
        else:
            author.emit(f"{name}.append({number(author, 1)})")
        return loop_body(author)

    author.branch(body)
    author.emit(author.choose(("log(len({0}))", "log(sum({0}))", "for {1} in {0}: log({1})")).format(name, t))
    return True


def write_best(author: Author) -> bool:
    """None before a loop, a number after it if the loop found one."""
    best, t = author.fresh("best"), author.fresh("t")
    author.emit(f"{best} = None")
    author.emit(f"for {t} in {numbers_iterable(author)}:")
    author.emit(f"    if {best} is None or {t} {author.choose('<>')} {best}:")
    author.emit(f"        {best} = {t}")
    author.emit(f"log(-1 if {best} is None else {best})")
    return True


def write_class_value(author: Author) -> bool:
    """An attribute write in a branch of its own."""
    if not author.scope.places:
        return s.assign(author)
    author.emit(f"if {condition(author, 1)}:")
    author.emit(f"    box.v = {number(author, 1)}")
    if author.chance(0.5):
        author.emit(f"else:\n{author.indent}    box.w = {number(author, 1)}")
    return True


def called_sharing(author: Author) -> bool:
    return write_sharing_helper(author)


ROWS = (
    Row("vector read", "numbers", 6, read_vector),
    Row("builtin functions", "numbers", 5, folded),
    Row("comprehension", "numbers", 4, comprehended),
    Row("any and all", "conditions", 2, any_or_all),
    Row("walrus in a test", "conditions", 2, walrus_compare),
    Row("vector write", "simple", 5, write_vector),
    Row("unpacking", "simple", 3, unpack),
    Row("text", "simple", 3, show_text),
    Row("assert", "simple", 1, write_check),
    Row("match", "compound", 5, write_match),
    Row("try", "compound", 8, write_staged_try),
    Row("with", "compound", 4, write_staged_with),
    Row("pair", "compound", 30, write_pair),
    Row("loop over a vector", "compound", 7, write_for_pairs),
    Row("growing list", "compound", 5, write_growing),
    Row("None before a loop", "compound", 2, write_best),
    Row("attribute write", "compound", 2, write_class_value),
    Row("nonlocal helper", "compound", 2, called_sharing),
    Row("generator", "compound", 6, write_generator),
    Row("recursion", "compound", 1, write_recursion),
    Row("raise", "jumps_in_loop", 4, write_staged_raise),
    Row("raise", "jumps_outside", 0.08, write_staged_raise),
)


def language(base: Grammar, off: frozenset[str] | None = None) -> Grammar:
    """The base with every row that is not off."""
    left_out = frozenset(OFF) if off is None else off
    menus = {row.menu for row in ROWS}
    rows = {
        menu: [(row.weight, row.write) for row in ROWS if row.menu == menu and row.name not in left_out]
        for menu in menus
    }
    return replace(base, else_share=0.4, **{menu: getattr(base, menu).extended(more) for menu, more in rows.items()})
