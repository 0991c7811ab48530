"""Random expressions: numbers and conditions, with effects inside (`note(a)`, calls, walrus) so that order shows.

Everything is a table of weighted writers; a writer takes the author and the depth left.  Example: `number(author, 2)`
may give `((a * 3) % 97 if note(b) < 5 <= c else box.v)`.
"""

from __future__ import annotations

from .author import Author


def number(author: Author, depth: int = 2) -> str:
    """Text of an expression whose value is a number."""
    grammar = author.grammar
    menu = grammar.numbers if depth > 0 else grammar.simple_numbers
    return menu.pick(author.rng)(author, depth - 1)


def condition(author: Author, depth: int = 2) -> str:
    """Text of an expression that is used for its truth."""
    grammar = author.grammar
    menu = grammar.conditions if depth > 0 else grammar.simple_conditions
    return menu.pick(author.rng)(author, depth - 1)


def numbers_iterable(author: Author) -> str:
    """Text of an iterable of at most four numbers."""
    return author.grammar.iterables.pick(author.rng)(author, 1)


def name(author: Author, depth: int) -> str:
    return author.readable()


def literal(author: Author, depth: int) -> str:
    return author.literal()


def place(author: Author, depth: int) -> str:
    places = author.scope.places
    if not places:
        return author.readable()
    if author.grammar.shares and author.chance(0.012):
        return author.choose(("box.u", "items[4]", "table['r']"))  # there only if the program made it
    return author.choose(places)


def extra(author: Author, depth: int) -> str:
    return author.choose(author.scope.extras) if author.scope.extras else author.readable()


def arithmetic(author: Author, depth: int) -> str:
    left, right = number(author, depth), number(author, depth)
    if author.grammar.shares and author.chance(0.02):
        return f"({left} {author.choose(('//', '%'))} {right})"
    return f"(({left} {author.choose('+-*+-')} {right}){author.family.wrap})"


def noted(author: Author, depth: int) -> str:
    return f"note({number(author, depth)})"


def ternary(author: Author, depth: int) -> str:
    return f"({number(author, depth)} if {condition(author, depth)} else {number(author, depth)})"


def and_or(author: Author, depth: int) -> str:
    return f"({number(author, depth)} {author.choose(('and', 'or'))} {number(author, depth)})"


def negated(author: Author, depth: int) -> str:
    return f"(-{number(author, depth)})"


def call(author: Author, depth: int) -> str:
    callees = author.scope.callees
    if not callees:
        return f"box.bump({number(author, depth)})"
    name = author.choose(tuple(callees))
    form = author.choose(callees[name].formats)
    return form.format(number(author, depth), number(author, depth), f=name)


def builtin(author: Author, depth: int) -> str:
    left, right = number(author, depth), number(author, depth)
    form = author.choose(
        (
            "abs({0})",
            "min({0}, {1})",
            "max([{0}, {1}])",
            "len(items)",
            "len(str({0}))",
            "sum(items[:2])",
            "int({0})",
            "(lambda t: t + {1})({0})",
            "len({{{0}, {1}}})",
            "table.get('r', {0})",
        )
    )
    return form.format(left, right)


def comprehension(author: Author, depth: int) -> str:
    t = author.fresh("t")
    source = author.choose(("items", "range(3)", "[1, 2]", "(4, 5, 6)"))
    author.bind(t)
    item, test = number(author, depth), condition(author, depth) if author.chance(0.5) else ""
    author.unbind(t)
    tail = f" if {test}" if test else ""
    form = author.choose(("sum([{0}])", "sum({0})", "len({{{0}}})", "max([0, *[{0}]])"))
    return form.format(f"{item} for {t} in {source}{tail}")


def walrus(author: Author, depth: int) -> str:
    return f"({author.choose(author.scope.own)} := {number(author, depth)})"


def lambda_value(author: Author, depth: int) -> str:
    t = author.fresh("t")
    argument = number(author, depth)
    author.bind(t)
    body = number(author, depth)
    author.unbind(t)
    return f"(lambda {t}, d={author.literal()}: {body})({argument})"


def fixed_index(author: Author, depth: int) -> str:
    return f"items[int({number(author, depth)}) % 3]"


def compare(author: Author, depth: int) -> str:
    left, right = (
        number(author, depth),
        number(author, depth) if author.chance(0.5) else author.choose(author.family.middles),
    )
    return f"{left} {author.choose(('<', '<=', '>', '>=', '<', '>', '==', '!='))} {right}"


def _telling(author: Author) -> str:
    """A value that depends on the input, often; other names may hold constants, and then a branch never happens."""
    if author.chance(0.75):
        return author.choose(("x", "y") if "x" in author.scope.known else author.scope.places or ("p",))
    return author.readable()


def parity(author: Author, depth: int) -> str:
    return f"{_telling(author)} % {author.choose('223')} {author.choose(('==', '!='))} {author.choose('011')}"


def sign(author: Author, depth: int) -> str:
    return f"{_telling(author)} {author.choose('<>')} {author.choose(author.family.middles)}"


def chain(author: Author, depth: int) -> str:
    operators = ("<", "<=", ">", "!=", "<", ">=")
    parts = [number(author, depth), author.choose(operators), number(author, depth)]
    for _ in range(author.choose((1, 1, 2))):
        parts += [author.choose(operators), number(author, depth)]
    return " ".join(parts)


def logic(author: Author, depth: int) -> str:
    left, right = condition(author, depth), condition(author, depth)
    return f"({left}) {author.choose(('and', 'or'))} ({right})"


def long_logic(author: Author, depth: int) -> str:
    word = author.choose((" and ", " or "))
    return word.join([f"({condition(author, depth)})" for _ in range(3)])


def negation(author: Author, depth: int) -> str:
    return f"not ({condition(author, depth)})"


def member(author: Author, depth: int) -> str:
    return (
        f"{number(author, depth)} {author.choose(('in', 'not in'))} {author.choose(('items', '(0, 1, 2, 3)', 'table'))}"
    )


def truth(author: Author, depth: int) -> str:
    return number(author, depth)


def walrus_compare(author: Author, depth: int) -> str:
    return f"{walrus(author, depth)} {author.choose('<>')} {number(author, depth)}"


def fixed_range(author: Author, depth: int) -> str:
    return author.choose(("range(3)", "range(4)", "range(1, 3)", "range(0)", "range(2, 0, -1)"))


def counted(author: Author, depth: int) -> str:
    return f"range(int(abs({number(author, depth)})) % 4)"


def listed(author: Author, depth: int) -> str:
    return f"[{number(author, depth)}, {number(author, depth)}]"


def items(author: Author, depth: int) -> str:
    return author.choose(("items", "items[:2]", "reversed(items)", "tuple(items)", "[]", "list(table.values())"))


def lazy(author: Author, depth: int) -> str:
    t = author.fresh("t")
    author.bind(t)
    item = number(author, depth)
    author.unbind(t)
    return f"({item} for {t} in items[:3])"
