"""Random expressions: numbers and conditions, with effects inside (`note(a)`, calls, walrus) so that order shows.

Everything is a table of weighted writers; a writer takes the author and the depth left.  Example: `number(author, 2)`
may give `((a * 3) % 97 if note(b) < 5 <= c else box.v)`.
"""

from __future__ import annotations

from collections.abc import Callable

from .author import Author, Menu

__all__ = ["condition", "number", "numbers_iterable"]

Writer = Callable[[Author, int], str]


def number(author: Author, depth: int = 2) -> str:
    """Text of an expression whose value is a number."""
    menu = DEEP_NUMBERS if depth > 0 else SIMPLE_NUMBERS
    return menu.pick(author.rng)(author, depth - 1)


def condition(author: Author, depth: int = 2) -> str:
    """Text of an expression that is used for its truth."""
    menu = DEEP_CONDITIONS if depth > 0 else SIMPLE_CONDITIONS
    return menu.pick(author.rng)(author, depth - 1)


def numbers_iterable(author: Author) -> str:
    """Text of an iterable of at most four numbers."""
    return ITERABLES.pick(author.rng)(author, 1)


def _name(author: Author, depth: int) -> str:
    return author.readable()


def _literal(author: Author, depth: int) -> str:
    return author.literal()


def _place(author: Author, depth: int) -> str:
    if author.chance(0.012):
        return author.choose(("box.u", "items[4]", "table['r']"))  # there only if the program made it
    return author.choose(("box.v", "box.w", "items[0]", "items[1]", "items[-1]", "table['p']", "table['q']"))


def _extra(author: Author, depth: int) -> str:
    return author.choose(author.scope.extras) if author.scope.extras else author.readable()


def _arithmetic(author: Author, depth: int) -> str:
    left, right = number(author, depth), number(author, depth)
    if author.chance(0.02):
        return f"({left} {author.choose(('//', '%'))} {right})"
    return f"(({left} {author.choose('+-*+-')} {right}){author.family.wrap})"


def _noted(author: Author, depth: int) -> str:
    return f"note({number(author, depth)})"


def _ternary(author: Author, depth: int) -> str:
    return f"({number(author, depth)} if {condition(author, depth)} else {number(author, depth)})"


def _and_or(author: Author, depth: int) -> str:
    return f"({number(author, depth)} {author.choose(('and', 'or'))} {number(author, depth)})"


def _negated(author: Author, depth: int) -> str:
    return f"(-{number(author, depth)})"


def _call(author: Author, depth: int) -> str:
    callees = author.scope.callees
    if not callees:
        return f"box.bump({number(author, depth)})"
    name = author.choose(tuple(callees))
    form = author.choose(callees[name].formats)
    return form.format(number(author, depth), number(author, depth), f=name)


def _builtin(author: Author, depth: int) -> str:
    left, right = number(author, depth), number(author, depth)
    form = author.choose(("abs({0})", "min({0}, {1})", "max([{0}, {1}])", "len(items)", "len(str({0}))", "sum(items[:2])",
                          "int({0})", "(lambda t: t + {1})({0})", "len({{{0}, {1}}})", "table.get('r', {0})"))  # fmt: skip
    return form.format(left, right)


def _comprehension(author: Author, depth: int) -> str:
    t = author.fresh("t")
    source = author.choose(("items", "range(3)", "[1, 2]", "(4, 5, 6)"))
    author.bind(t)
    item, test = number(author, depth), condition(author, depth) if author.chance(0.5) else ""
    author.unbind(t)
    tail = f" if {test}" if test else ""
    form = author.choose(("sum([{0}])", "sum({0})", "len({{{0}}})", "max([0, *[{0}]])"))
    return form.format(f"{item} for {t} in {source}{tail}")


def _walrus(author: Author, depth: int) -> str:
    return f"({author.choose(author.scope.own)} := {number(author, depth)})"


def _lambda_value(author: Author, depth: int) -> str:
    t = author.fresh("t")
    argument = number(author, depth)
    author.bind(t)
    body = number(author, depth)
    author.unbind(t)
    return f"(lambda {t}, d={author.literal()}: {body})({argument})"


def _fixed_index(author: Author, depth: int) -> str:
    return f"items[int({number(author, depth)}) % 3]"


def _compare(author: Author, depth: int) -> str:
    left, right = number(author, depth), number(author, depth) if author.chance(0.5) else author.choose(author.family.middles)
    return f"{left} {author.choose(('<', '<=', '>', '>=', '<', '>', '==', '!='))} {right}"


def _telling(author: Author) -> str:
    """A value that depends on the input, often; other names may hold constants, and then a branch never happens."""
    if author.chance(0.5):
        return author.choose(("x", "y", "x", "y", "items[0]") if "x" in author.scope.known else ("items[0]", "box.v", "table['p']"))
    return author.readable()


def _parity(author: Author, depth: int) -> str:
    return f"{_telling(author)} % {author.choose('223')} {author.choose(('==', '!='))} {author.choose('011')}"


def _sign(author: Author, depth: int) -> str:
    return f"{_telling(author)} {author.choose('<>')} {author.choose(author.family.middles)}"


def _chain(author: Author, depth: int) -> str:
    operators = ("<", "<=", ">", "!=", "==")
    parts = [number(author, depth), author.choose(operators), number(author, depth)]
    for _ in range(author.choose((1, 1, 2))):
        parts += [author.choose(operators), number(author, depth)]
    return " ".join(parts)


def _logic(author: Author, depth: int) -> str:
    left, right = condition(author, depth), condition(author, depth)
    return f"({left}) {author.choose(('and', 'or'))} ({right})"


def _long_logic(author: Author, depth: int) -> str:
    word = author.choose((" and ", " or "))
    return word.join([f"({condition(author, depth)})" for _ in range(3)])


def _not(author: Author, depth: int) -> str:
    return f"not ({condition(author, depth)})"


def _member(author: Author, depth: int) -> str:
    return f"{number(author, depth)} {author.choose(('in', 'not in'))} {author.choose(('items', '(0, 1, 2, 3)', 'table'))}"


def _truth(author: Author, depth: int) -> str:
    return number(author, depth)


def _walrus_compare(author: Author, depth: int) -> str:
    return f"{_walrus(author, depth)} {author.choose('<>')} {number(author, depth)}"


def _range(author: Author, depth: int) -> str:
    return author.choose(("range(3)", "range(4)", "range(1, 3)", "range(0)", "range(2, 0, -1)"))


def _counted(author: Author, depth: int) -> str:
    return f"range(int(abs({number(author, depth)})) % 4)"


def _listed(author: Author, depth: int) -> str:
    return f"[{number(author, depth)}, {number(author, depth)}]"


def _items(author: Author, depth: int) -> str:
    return author.choose(("items", "items[:2]", "reversed(items)", "tuple(items)", "[]", "list(table.values())"))


def _lazy(author: Author, depth: int) -> str:
    t = author.fresh("t")
    author.bind(t)
    item = number(author, depth)
    author.unbind(t)
    return f"({item} for {t} in items[:3])"


SIMPLE_NUMBERS: Menu[Writer] = Menu(((50, _name), (14, _literal), (14, _place), (4, _extra)))
DEEP_NUMBERS: Menu[Writer] = Menu((
    (24, _name), (8, _literal), (10, _place), (4, _extra), (26, _arithmetic), (9, _noted), (4, _ternary), (3, _and_or),
    (2, _negated), (7, _call), (4, _builtin), (2.5, _comprehension), (1.5, _walrus), (1.5, _lambda_value), (2, _fixed_index),
))  # fmt: skip
SIMPLE_CONDITIONS: Menu[Writer] = Menu(((10, _compare), (10, _parity), (10, _sign), (2, _truth)))
DEEP_CONDITIONS: Menu[Writer] = Menu((
    (14, _compare), (14, _parity), (14, _sign), (7, _chain), (7, _logic), (2, _long_logic), (4, _not), (2, _member),
    (3, _truth), (2, _walrus_compare),
))  # fmt: skip
ITERABLES: Menu[Writer] = Menu(((30, _range), (20, _counted), (12, _listed), (20, _items), (5, _lazy)))
