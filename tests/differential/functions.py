"""Random nested functions, lambdas with names, local classes, and the calls that fit their signatures.

Nested functions bind letters of their own depth, read the letters around them, and may declare some of those
nonlocal.  Example:

    def inner7(p, q=2):
        nonlocal a
        a = (a + p) % 97
        return q
"""

from __future__ import annotations

from dataclasses import dataclass

from .author import LOCAL_NAMES, Author, Callee, Scope
from .block import write_block
from .expressions import condition, number

__all__ = ["SIGNATURES", "Signature", "inner_scope", "write_body", "write_class", "write_function", "write_lambda"]


@dataclass(frozen=True)
class Signature:
    """Parameters of a function, how it may be called, which of its names are numbers, and other numbers it sees."""

    parameters: str
    calls: tuple[str, ...]
    numbers: str
    extras: tuple[str, ...] = ()


SIGNATURES = (
    Signature("p, q", ("{f}({0}, {1})", "{f}(q={0}, p={1})", "{f}(*[{0}, {1}])", "{f}({0}, **{{'q': {1}}})"), "pq"),
    Signature("p, q=3", ("{f}({0})", "{f}({0}, {1})", "{f}(q={1}, p={0})"), "pq"),
    Signature(
        "p, *rest", ("{f}({0}, {1})", "{f}({0}, *items[:2])", "{f}(*(1, 2), {0})"), "p", ("len(rest)", "sum(rest)")
    ),
    Signature(
        "p, /, q=1, *, k=2, **more",
        ("{f}({0}, k={1})", "{f}({0}, {1}, z=4)", "{f}({0}, **{{'k': {1}}})"),
        "pqk",
        ("len(more)", "sum(more.values())"),
    ),
    Signature("", ("{f}()",), ""),
)


def write_body(author: Author, scope: Scope, statements: int, opening: str = "") -> None:
    """The body of a function, with a scope of its own; it always ends by returning a number."""
    outer, author.scope = author.scope, scope
    budget, author.budget = author.budget, statements
    with author.indented():
        if opening:
            author.emit(opening)
        if write_block(author, 0) or author.chance(0.1):
            author.emit(f"return {_result(author)}")
    author.scope, author.budget = outer, budget


def _result(author: Author) -> str:
    """A number; of staged programs one that most variables are part of, because they leave nothing else behind."""
    known = [name for name in author.scope.known if name in author.scope.own]
    if author.grammar.shares or len(known) < 2:
        return number(author)
    return f"({' + '.join(f'{name} * {index}' for index, name in enumerate(known, 2))}){author.family.wrap}"


def inner_scope(author: Author, signature: Signature) -> Scope:
    outer = author.scope
    depth = outer.depth + 1
    own = LOCAL_NAMES[depth]
    known = [name for name in outer.known if name not in own and name not in signature.numbers] + list(
        signature.numbers
    )
    places = outer.places if author.grammar.shares else ()
    return Scope(depth, known, own, dict(outer.callees), signature.extras or outer.extras, places=places)


def write_function(author: Author) -> bool:
    outer = author.scope
    if outer.depth >= 2:
        return write_lambda(author)
    signature = author.choose(SIGNATURES)
    parameters, numbers = _rename(signature, outer.depth)
    signature = Signature(parameters, signature.calls, numbers, signature.extras)
    name = author.fresh("inner")
    scope = inner_scope(author, signature)
    shared = [letter for letter in outer.own if letter in outer.known]
    opening = ""
    if shared and author.grammar.shares and author.chance(0.6):
        scope.nonlocals = tuple(shared[:2])
        opening = f"nonlocal {', '.join(scope.nonlocals)}"
    author.emit(f"def {name}({parameters}):")
    write_body(author, scope, min(author.budget, 5), opening)
    outer.callees[name] = Callee(_calls(signature.calls, outer.depth))
    if author.chance(0.5):
        author.emit(f"log({_calls(signature.calls, outer.depth)[0].format(author.readable(), number(author), f=name)})")
    return True


def _rename(signature: Signature, depth: int) -> tuple[str, str]:
    """Deeper functions use their own letters: p, q, k become u, v, w."""
    if depth == 0:
        return signature.parameters, signature.numbers
    table = str.maketrans("pqk", "uvw")
    words = signature.parameters.split(", ")
    renamed = [word if word in ("*rest", "**more", "/", "*") else word.translate(table) for word in words]
    return ", ".join(renamed) if signature.parameters else "", signature.numbers.translate(table)


def _calls(calls: tuple[str, ...], depth: int) -> tuple[str, ...]:
    if depth == 0:
        return calls
    for old, new in (("q=", "v="), ("p=", "u="), ("k=", "w="), ("'q'", "'v'"), ("'k'", "'w'")):
        calls = tuple(call.replace(old, new) for call in calls)
    return calls


def write_lambda(author: Author) -> bool:
    name = author.fresh("f")
    t = author.fresh("t")
    author.bind(t)
    body = author.choose((number(author), f"{number(author)} if {condition(author)} else {number(author)}"))
    author.unbind(t)
    default = author.readable()
    author.emit(f"{name} = lambda {t}={default}: {body}")
    author.scope.callees[name] = Callee(("{f}({0})", "{f}()"))
    return True


def write_class(author: Author) -> bool:
    """A class in a function: its methods have control flow of their own."""
    outer = author.scope
    if outer.depth >= 1:
        return write_lambda(author)
    name, value = author.fresh("Kind"), author.fresh("made")
    signature = Signature("self, p", ("{f}({0})",), "p")
    author.emit(f"class {name}(Box):")
    with author.indented():
        author.emit(author.choose(("def act(self, p):", "def __call__(self, p):")))
        called = author.lines[-1].strip().startswith("def act")
        scope = inner_scope(author, signature)
        scope.extras = ("self.v", "self.w")
        write_body(
            author, scope, min(author.budget, 4), author.choose(("self.w = p", "p = super().bump(p)", "self.__x = p"))
        )
    author.emit(f"{value} = {name}({number(author)}, 2)")
    author.scope.callees[f"{value}.act" if called else value] = Callee(("{f}({0})", "{f}(p={0})"))
    return True
