"""Random simple statements, and the table from which a block is written.

A writer emits lines and says whether the statement after it can be reached.  The compound statements are in
compounds.py and functions.py; they join the table in grammar.py.  Example of what `assign` may emit:

    a, box.v = note(b), (a + 3) % 97
"""

from __future__ import annotations

from .author import Author
from .expressions import condition, number


def assign(author: Author) -> bool:
    value = number(author)
    name = author.assignable()
    author.emit(f"{name} = {value}")
    author.bind(name)
    return True


def assign_place(author: Author) -> bool:
    place = author.choose(
        (
            "box.v",
            "box.w",
            "box.u",
            "items[0]",
            "items[-1]",
            "table['p']",
            "table['r']",
            f"items[int({number(author, 1)}) % 3]",
            "items[note(1)]",
        )
    )
    author.emit(f"{place} = {number(author)}")
    return True


def assign_many(author: Author) -> bool:
    first, second = author.assignable(), author.assignable()
    left, right = number(author), number(author)
    form = author.choose(
        (
            "{0}, {1} = {2}, {3}",
            "{0} = {1} = {2}",
            "({0}, ({1}, box.v)) = ({2}, ({3}, 1))",
            "{0}, *{1} = [{2}, {3}, 4]; {1} = len({1})",
            "{0}, items[0] = {2}, {3}; {1} = {0}",
            "[{0}, {1}] = [{2}, {3}]",
            "{0} = box.w = {2}; {1} = {3}",
        )
    )
    for line in form.format(first, second, left, right).split("; "):
        author.emit(line)
    author.bind(first)
    author.bind(second)
    return True


def annotate(author: Author) -> bool:
    name = author.choose(author.scope.own)
    author.emit(f"{name}: int = {number(author)}")
    author.bind(name)
    return True


def augment(author: Author) -> bool:
    name = author.assignable()
    if name not in author.scope.known and author.chance(0.95):
        return assign(author)
    author.emit(f"{name} {author.choose(('+=', '-=', '*='))} {number(author)}")
    author.emit(f"{name} %= {author.family.wrap[3:]}")
    return True


def augment_place(author: Author) -> bool:
    place = author.choose(
        ("box.v", "box.w", "items[0]", "table['p']", "items[note(2)]", "note(box).v", "note(items)[-1]")
    )
    author.emit(f"{place} {author.choose(('+=', '-='))} {number(author)}")
    return True


def write_log(author: Author) -> bool:
    form = author.choose(
        (
            "log({0})",
            "log({0}, {1})",
            "log('here', {0})",
            "log(*[{0}, {1}])",
            "log(items, table)",
            "log(box)",
            "log({0}, *(({1}),))",
            "log([{0}, {1}])",
        )
    )
    author.emit(form.format(number(author), number(author)))
    return True


def write_call(author: Author) -> bool:
    author.emit(
        author.choose(
            (
                "box.bump({0})",
                "note({0})",
                "table.update(r={0})",
                "items.append(note({0})); items.pop(0)",
                "items.reverse()",
            )
        ).format(number(author))
    )
    return True


def write_bare_expression(author: Author) -> bool:
    author.emit(condition(author))
    return True


def write_assert(author: Author) -> bool:
    message = author.choose(("", f", note({number(author, 1)})", ", 'no'"))
    test = author.choose(
        (
            f"{number(author)} > -1000",
            f"note({author.literal()}) != 12345",
            f"{number(author, 1)} != 3",
            condition(author, 1),
        )
    )
    author.emit(f"assert {test}{message}")
    return True


def delete(author: Author) -> bool:
    if author.chance(0.5) and len(author.scope.known) > 3:
        name = author.choose(author.scope.own)
        if name in author.scope.known:
            author.emit(f"del {name}")
            author.unbind(name)
            return True
    author.emit(author.choose(("box.u = 1", "table['r'] = 2")))
    author.emit(author.choose(("del box.u", "del table['r']")) if author.chance(0.05) else "box.u = 4; del box.u")
    return True


def use_thunks(author: Author) -> bool:
    """Functions made in a loop see the last value of what they captured."""
    scope = author.scope
    if not scope.thunks:
        scope.thunks = author.fresh("thunks")
        author.emit(f"{scope.thunks} = []")
    author.emit(f"{scope.thunks}.append(lambda: {number(author, 1)})")
    if author.chance(0.6):
        author.emit(f"log([thunk() for thunk in {scope.thunks}])")
    return True


def write_return(author: Author) -> bool:
    bare = author.grammar.shares and author.scope.depth == 0 and author.chance(0.1)
    author.emit("return" if bare else f"return {number(author)}")
    return False


def write_raise(author: Author) -> bool:
    forms = [
        "raise Stop({0})",
        "raise Stop({0})",
        "raise Stop({0}) from None",
        "raise ValueError({0})",
        "raise KeyError",
    ]
    if author.scope.handlers:
        forms += ["raise", "raise"]
    author.emit(author.choose(forms).format(number(author, 1)))
    return False


def write_break(author: Author) -> bool:
    author.emit("break")
    return False


def write_continue(author: Author) -> bool:
    author.emit("continue")
    return False


def jump(author: Author) -> bool:
    """Leave: in a loop mostly by `break` or `continue`."""
    grammar = author.grammar
    return (grammar.jumps_in_loop if author.scope.loops else grammar.jumps_outside).pick(author.rng)(author)
