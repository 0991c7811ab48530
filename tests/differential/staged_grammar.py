"""Programs that can be staged: what a graph of int32 tensors is expected to express.

The same text runs three ways: on Python numbers, converted on Python numbers, and staged on tensors.  So it keeps to
integers that fit int32, to truth values where Python has truth values, and to effects that a graph can order: `log` and
`note`.  Exceptions, `del`, and changes of outer names by inner functions belong to the Python grammar.  Example:

    print(staged_program(5).text)
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from . import expressions as e
from . import staged_expressions as se
from . import statements as s
from .author import INTEGERS, LOCAL_NAMES, Author, Callee, Family, Grammar, Menu, Scope
from .block import write_block
from .compounds import loop_body, loop_else, write_if, write_while
from .expressions import number
from .functions import Signature, write_body, write_function, write_lambda
from .grammar import CANDIDATES, Program
from .staged_language import language

__all__ = ["LANGUAGE", "STAGED", "staged_program"]

SIGNATURES = (
    Signature("p, q", ("{f}({0}, {1})", "{f}(q={0}, p={1})", "{f}(*[{0}, {1}])"), "pq"),
    Signature("p, q=3", ("{f}({0})", "{f}({0}, {1})"), "pq"),
)


def write_staged_for(author: Author) -> bool:
    """A loop over a range, of Python or of a tensor, or over a list of tensors."""
    name = author.assignable()
    source = e.numbers_iterable(author)
    author.emit(f"for {name} in {source}:")

    def body() -> bool:
        author.bind(name)
        return loop_body(author, name)

    author.branch(body)
    loop_else(author)
    return True


def write_finally(author: Author) -> bool:
    """A try statement whose body does not raise: jumps leave it through `finally`."""
    author.emit("try:")
    author.scope.cleanups += 1
    reachable, known = author.branch(lambda: write_block(author, 0.25))
    author.scope.cleanups -= 1
    author.emit("finally:")
    author.branch(lambda: write_log_only(author))
    author.scope.known = known
    return reachable


def write_log_only(author: Author) -> bool:
    author.emit(f"log({number(author, 1)})")
    return True


def write_staged_with(author: Author) -> bool:
    author.emit(f"with Block({number(author, 1)}, False):")
    reachable, known = author.branch(lambda: write_block(author, 0.2))
    author.scope.known = known
    return reachable


def write_staged_log(author: Author) -> bool:
    author.emit(author.choose(("log({0})", "log({0}, {1})")).format(number(author), number(author)))
    return True


def assign_staged_place(author: Author) -> bool:
    if not author.scope.places:
        return s.assign(author)
    author.emit(f"{author.choose(author.scope.places)} {author.choose(('=', '=', '+=', '-='))} {number(author)}")
    return True


def assign_pair(author: Author) -> bool:
    first, second = author.scope.own[0], author.scope.own[1]
    author.emit(f"{first}, {second} = {number(author)}, {number(author)}")
    author.bind(first)
    author.bind(second)
    return True


def log_a_condition(author: Author) -> bool:
    """A truth value in a variable of its own, used at once and in a later branch."""
    name = author.fresh("flag")
    author.emit(f"{name} = {e.condition(author)}")
    author.emit(f"log(1 if {name} else 0)")
    return True


def staged_call(author: Author, depth: int) -> str:
    callees = author.scope.callees
    if not callees:
        return f"abs({number(author, depth)})"
    name = author.choose(tuple(callees))
    return author.choose(callees[name].formats).format(number(author, depth), number(author, depth), f=name)


def staged_count(author: Author, depth: int) -> str:
    return f"range(abs({number(author, depth)}) % 4)"


STAGED = Grammar(
    numbers=Menu(
        (
            (26, e.name),
            (8, e.literal),
            (6, e.place),
            (26, e.arithmetic),
            (7, e.noted),
            (5, e.ternary),
            (2, e.negated),
            (6, staged_call),
            (1.5, e.lambda_value),
            (3, se.staged_walrus),
        )
    ),
    simple_numbers=Menu(((50, e.name), (14, e.literal), (8, e.place))),
    conditions=Menu(
        (
            (12, e.compare),
            (20, e.parity),
            (18, e.sign),
            (6, e.chain),
            (7, e.logic),
            (2, e.long_logic),
            (4, e.negation),
            (4, se.staged_member),
            (3, se.staged_text),
        )
    ),
    simple_conditions=Menu(((10, e.compare), (10, e.parity), (10, e.sign))),
    iterables=Menu(((20, e.fixed_range), (40, staged_count), (12, e.listed))),
    simple=Menu(
        (
            (28, s.assign),
            (5, assign_staged_place),
            (3, assign_pair),
            (9, s.augment),
            (12, write_staged_log),
            (2, log_a_condition),
        )
    ),
    compound=Menu(
        (
            (36, write_if),
            (18, write_while),
            (22, write_staged_for),
            (4, write_finally),
            (4, write_staged_with),
            (4, write_function),
            (2, write_lambda),
        )
    ),
    jumps_in_loop=Menu(((38, s.write_break), (38, s.write_continue), (20, s.write_return))),
    jumps_outside=Menu(((1, s.write_return),)),
    skips=0.4,
    shares=False,
)

OPENING = "box, items, table = Box(x, 2), [y, 1, x, 3], {'p': x, 'q': y}"


EXTENDED = replace(STAGED, compound=STAGED.compound.extended(((3, write_finally), (3, write_staged_with))))
LANGUAGE = language(EXTENDED)


def staged_program(seed: int, family: Family = INTEGERS, grammar: Grammar = STAGED) -> Program:
    """The staged program of a seed; `program(x, y)` takes two numbers."""
    rng = Random(f"staged {seed}")
    author = Author(rng, family, grammar)
    callees: dict[str, Callee] = {}
    for _ in range(int(rng.random() * 2.2)):
        signature = author.choose(SIGNATURES)
        name = author.fresh("helper")
        author.emit(f"def {name}({signature.parameters}):")
        scope = Scope(1, list(signature.numbers), LOCAL_NAMES[1], dict(callees), places=())
        write_body(author, scope, 2 + int(rng.random() * 4))
        callees[name] = Callee(signature.calls)
    author.emit("def program(x, y):")
    with author.indented():
        author.emit(OPENING)
        if grammar is not STAGED:
            author.emit("vec = vector(x, 2, y)")
    scope = Scope(0, ["x", "y", "a", "b"], LOCAL_NAMES[0], callees)
    scope.vectors = () if grammar is STAGED else ("vec",)
    write_body(author, scope, 5 + int(rng.random() * 12), "a = b = 1")
    pools = ((-97, 97), (0, 97), (-3, 6))
    inputs = tuple(tuple(rng.randint(*author.choose(pools)) for _ in "xy") for _ in range(CANDIDATES))
    return Program(seed, "\n".join(author.lines) + "\n", inputs)
