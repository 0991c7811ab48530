"""Random compound statements: if, loops, try, with.  Loops are bounded by construction.

A while loop has a counter of its own which nothing else assigns to, so it ends whatever its body does.  Example:

    n4 = 0
    while (n4 := n4 + 1) < 4 and a < note(b):
        if c % 2 == 0:
            continue
    else:
        log(a)
"""

from __future__ import annotations

from .author import Author
from .block import write_block
from .expressions import condition, number, numbers_iterable
from .statements import jump, write_return

__all__ = ["loop_body", "loop_else", "write_for", "write_if", "write_try", "write_while", "write_with"]

RAISED = ("Stop", "Stop", "ValueError", "KeyError")
CAUGHT = (
    "Stop",
    "ValueError",
    "(Stop, ValueError)",
    "Exception",
    "NameError",
    "(ZeroDivisionError, LookupError)",
    "AttributeError",
)


def write_if(author: Author) -> bool:
    author.emit(f"if {condition(author)}:")
    ends = [author.branch(lambda: write_block(author, 0.22))]
    while author.chance(0.18):
        author.emit(f"elif {condition(author)}:")
        ends.append(author.branch(lambda: write_block(author, 0.2)))
    if author.chance(0.45):
        author.emit("else:")
        ends.append(author.branch(lambda: write_block(author, 0.15)))
    else:
        ends.append((True, list(author.scope.known)))
    return author.join(*ends)


def write_while(author: Author) -> bool:
    counter = author.fresh("n")
    author.emit(f"{counter} = 0")
    author.bind(counter)
    bound = author.choose("234")
    if not author.grammar.shares and author.chance(0.3):
        bound = f"abs({author.readable()}) % 4"
    stepped_in_test = bound.isdigit() and author.chance(0.3 if author.grammar.shares else 0.06)
    test = author.choose(
        ("{0}", "{0}", "{0} and ({1})", "({1}) and {0}", "not ({0} and ({1}))" if stepped_in_test else "{0}")
    )
    limit = f"({counter} := {counter} + 1) < {bound}" if stepped_in_test else f"{counter} < {bound}"
    if test.startswith("not"):
        limit = limit.replace("<", ">=")
        test = "not ({0} or ({1}))"
    forever = not stepped_in_test and author.chance(0.12)
    author.emit("while True:" if forever else f"while {test.format(limit, condition(author, 1))}:")

    def body() -> bool:
        if not stepped_in_test:
            author.emit(f"{counter} += 1")
        if forever:
            author.emit(f"if {counter} > {bound}:")
            author.emit(f"    {author.choose(('break', 'break', f'return {counter}'))}")
        return loop_body(author, counter)

    author.branch(body)
    loop_else(author)
    return True


def write_for(author: Author) -> bool:
    scope = author.scope
    kind = author.rng.random()
    bound: tuple[str, ...] = ()
    if kind < 0.78:
        name = author.assignable()
        target, source, bound = name, numbers_iterable(author), (name,)
    elif kind < 0.88:
        first, second = scope.own[0], scope.own[1]
        target, bound = f"{first}, {second}", (first, second)
        source = author.choose(("enumerate(items[:3])", "zip(items, [1, 2])", "[(1, 2), (3, 4)]"))
    elif kind < 0.94:
        target, source = author.choose(("box.v", "items[0]", "table['p']")), "range(3)"
    else:
        target, source, bound = "_, (*_, " + scope.own[0] + ")", "enumerate([(1, 2, 3), (4, 5)])", (scope.own[0],)
    author.emit(f"for {target} in {source}:")

    def body() -> bool:
        for name in bound:
            author.bind(name)
        return loop_body(author)

    author.branch(body)
    loop_else(author)
    return True


def loop_body(author: Author, counter: str = "") -> bool:
    """Statements; some of them behind a jump, so that a jump which does not skip them shows."""
    author.scope.loops += 1
    if author.chance(author.grammar.skips):
        _skip(author, counter)
    reachable = write_block(author, 0.08)
    author.scope.loops -= 1
    return reachable


def _skip(author: Author, counter: str) -> None:
    """A jump in some iterations, then statements that show whether it came.

    Mostly the jump stands in a branch of a branch: then what follows cannot simply become the other branch.
    """
    author.emit(f"if {_turn(author, counter)}:")

    def inner() -> bool:
        if author.chance(0.4):
            author.grammar.simple.pick(author.rng)(author)
        return write_return(author) if author.chance(0.2) else jump(author)

    def outer() -> bool:
        if author.chance(0.25):
            return inner()
        author.emit(f"if {_turn(author, counter)}:")
        author.branch(inner)
        if author.chance(0.5):
            author.grammar.simple.pick(author.rng)(author)
        return True

    author.branch(outer)
    name = author.choose(author.scope.known)
    author.emit(author.choose(("log({0}, {1})", "note({0})", "log({1})")).format(name, number(author, 1)))
    if name in author.scope.own:
        author.emit(f"{name} = ({name} + {number(author, 1)}){author.family.wrap}")


def _turn(author: Author, counter: str) -> str:
    """A condition that often differs from one iteration to the next."""
    if counter and author.chance(0.4):
        return f"{counter} % 2 == {author.choose('01')}"
    return condition(author, 1)


def loop_else(author: Author) -> None:
    if author.chance(author.grammar.else_share):
        author.emit("else:")
        author.branch(lambda: write_block(author, 0.1))


def write_try(author: Author) -> bool:
    """All forms of try; a handler often fits what the body raises, so that it runs."""
    scope = author.scope
    start = list(scope.known)
    author.emit("try:")
    raised = author.choose(RAISED) if author.chance(0.6) else ""
    ends = [author.branch(lambda: _tried(author, raised))]
    handled = author.chance(0.75)
    if handled:
        ends.append(_handler(author, raised if author.chance(0.8) else ""))
        if author.chance(0.2):
            ends.append(_handler(author, ""))
        if author.chance(0.15):
            author.emit("except:")
            ends.append(_handler_body(author, ""))
        if author.chance(0.45):
            scope.known, known = ends[0][1], scope.known
            author.emit("else:")
            ends[0] = author.branch(lambda: write_block(author, 0.1))
            scope.known = known
    reachable = author.join(*ends) if handled else author.join(ends[0])
    if not handled or author.chance(0.3):
        known, scope.known = scope.known, start
        author.emit("finally:")
        finished, _ = author.branch(lambda: write_block(author, 0.06))
        scope.known = known
        reachable = reachable and finished
    return reachable


def _tried(author: Author, raised: str) -> bool:
    """The body of a try statement, with something in it that raises under a condition."""
    if raised:
        author.emit(f"if {condition(author, 0)}:")
        author.emit(f"    raise {raised}({author.readable()})")
    reachable = write_block(author, 0.12)
    if raised and reachable and author.chance(0.4):
        author.emit(f"raise {raised}")
        return False
    return reachable


def _handler(author: Author, raised: str) -> tuple[bool, list[str]]:
    kinds = author.choose((raised, f"(TypeError, {raised})", "Exception")) if raised else author.choose(CAUGHT)
    name = author.fresh("error") if author.chance(0.5) else ""
    author.emit(f"except {kinds} as {name}:" if name else f"except {kinds}:")
    return _handler_body(author, name)


def _handler_body(author: Author, name: str) -> tuple[bool, list[str]]:
    def body() -> bool:
        author.scope.handlers += 1
        author.budget, saved = min(author.budget, 3), author.budget
        if name and author.chance(0.8):
            author.emit(f"log(type({name}).__name__)")
        reachable = write_block(author, 0.2)
        author.budget = max(0, saved - 2)
        author.scope.handlers -= 1
        return reachable

    return author.branch(body)


def write_with(author: Author) -> bool:
    swallows = author.chance(0.3)
    start = list(author.scope.known)
    manager = f"Block({number(author)}, {swallows})"
    name = author.fresh("entered")
    form = author.choose(
        (
            "with {0}:",
            "with {0} as {1}:",
            "with {0} as {1}, Block('inner', False):",
            "with Block(7, False), {0} as {1}:",
            "with {0} as box.w:",
        )
    )
    author.emit(form.format(manager, name))

    def body() -> bool:
        if form.find("{1}") > 0:
            author.bind(name)
        return write_block(author, 0.2)

    reachable, known = author.branch(body)
    if swallows:
        author.scope.known = start
        return True
    author.scope.known = known
    return reachable
