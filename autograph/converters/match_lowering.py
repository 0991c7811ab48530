"""match: turned into a chain of `if`s over tests that may be symbolic, before jumps are lowered.

    match x:                        if x == 0:
        case 0:                         a()
            a()                     elif x == 1 or x == 2:
        case 1 | 2:          --->       b()
            b()                     elif (case_ := ag__.match_case(x)).test:
        case [y, *_]:                   y = case_['y']
            c(y)                        c(y)

What a pattern compares with the subject itself becomes an ordinary comparison. A pattern that looks inside stays beside
the tree (`Jumps.patterns`) and is written out later, as a value that `ag__.match_case` interprets (patterns.py).
Choices:
- Names are bound as Python binds them: once the whole pattern matches, before the guard, and they stay bound when the
  guard fails. With a guard, they are bound again in the body, so that nothing has to be carried from the test to it.
- The subject gets a variable of its own unless it is a local variable that the patterns and guards leave alone.
- The body of a class and functions that stay Python keep their `match`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from autograph.converters.logic import binds_names
from autograph.syntax import At, children

if TYPE_CHECKING:
    from autograph.converters.jumps import Lowering

__all__ = ["lower_match"]

_NESTING = 16  # so many cases stand each in the `else` of the one before; then the chain goes on behind, under a flag


def lower_match(lowering: Lowering, node: Any) -> list[Any]:
    """The statements that stand for a `match`; their jumps are still to be lowered."""
    names = {name for case in node.cases for name in _bound(case.pattern, case.guard)}
    at = At(node.subject)
    result: list[Any] = []
    subject = node.subject
    if not _stays(lowering, subject, names):
        variable = lowering.flag("subject")
        result.append(at.assign(variable, subject))
        subject = at.name(variable)
    parts = [node.cases[start : start + _NESTING] for start in range(0, len(node.cases), _NESTING)]
    flag: str | None = None
    for part in parts:
        start = At.start_of(part[0].pattern)
        more = lowering.flag("more_") if part is not parts[-1] else None
        following = [] if more is None else [start.assign(more, start.constant(True))]
        for case in reversed([_Case(lowering, case, subject) for case in part]):
            following = case.statements(following)
        if more is not None:
            result.append(start.assign(more, start.constant(False)))
        result += following if flag is None else [start.if_(start.name(flag), following)]
        flag = more
    return result


def _stays(lowering: Lowering, subject: Any, bound: set[str]) -> bool:
    """Whether the subject can be read again for each case."""
    scope = lowering.scopes.table[lowering.frame.function]
    if not isinstance(subject, gast.Name) or subject.id not in scope.own or subject.id in bound:
        return False
    return subject.id not in lowering.rebound


def _bound(*nodes: Any) -> Iterator[str]:
    """The names that patterns and guards bind."""
    pending = [node for node in nodes if node is not None]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.MatchAs | gast.MatchStar) and node.name is not None:
            yield node.name
        elif isinstance(node, gast.MatchMapping) and node.rest is not None:
            yield node.rest
        elif isinstance(node, gast.NamedExpr):
            yield node.target.id
        pending += children(node)


def _captures(pattern: Any) -> list[str]:
    return sorted(set(_bound(pattern)))


@dataclass(slots=True)
class _Case:
    """One case: its test (None if every subject matches), and what it binds."""

    lowering: Lowering
    case: Any
    subject: Any
    at: At = field(init=False)
    test: Any = None
    bindings: list[tuple[str, Any]] = field(default_factory=list)
    matched: str | None = None

    def __post_init__(self) -> None:
        self.at, guard = At(self.case.pattern), self.case.guard
        self._read(self.case.pattern)
        if guard is not None and self.test is not None and (self.bindings or binds_names(guard)):
            self.matched = self.lowering.flag("matched")

    def statements(self, following: list[Any]) -> list[Any]:
        """The case in front of what is tried when it does not match."""
        body, guard = self.case.body, self.case.guard
        if guard is None:
            body = [*self._bind(), *body]
            return body if self.test is None else [self._if(self.test, body, following)]
        if self.test is None:
            return [*self._bind(), self._if(guard, body, following)]
        if self.matched is None:
            both = At(self.test, guard).put(gast.BoolOp(gast.And(), [self.test, guard]))
            return [self._if(both, body, following)]
        at = At.start_of(self.case.pattern)
        guarded = At(guard).if_(guard, [at.assign(self.matched, at.constant(True))])
        tried = [at.assign(self.matched, at.constant(False)), self._if(self.test, [*self._bind(), guarded], [])]
        again = [] if binds_names(guard) or self._is_shared() else self._bind()
        return [*tried, self._if(at.name(self.matched), [*again, *body], following)]

    def _is_shared(self) -> bool:
        """Whether code that the guard calls may bind a captured name."""
        own = self.lowering.scopes.table[self.lowering.frame.function].own
        return any(name not in own or name in self.lowering.rebound for name, _ in self.bindings)

    def _if(self, test: Any, body: list[Any], orelse: list[Any]) -> Any:
        return self.at.put(gast.If(test, body, orelse))

    def _bind(self) -> list[Any]:
        found = []
        for name, value in self.bindings:
            captured = self._again(value) if isinstance(value, gast.Name) else _item(value, self.at)
            found.append(self.at.assign(name, captured))
        return found

    def _again(self, name: Any) -> Any:
        return self.at.name(name.id)

    # -- patterns

    def _read(self, pattern: Any) -> None:
        while isinstance(pattern, gast.MatchAs):
            if pattern.name is not None:
                self.bindings.insert(0, (pattern.name, self.subject))
            pattern = pattern.pattern
        if pattern is None:
            return
        self.test = self._plain(pattern)
        if self.test is None:
            self._structured(pattern)

    def _plain(self, pattern: Any) -> Any:
        """The test of a pattern that compares the subject itself; None for any other."""
        at = At(pattern)
        if isinstance(pattern, gast.MatchValue):
            return at.put(gast.Compare(self._again(self.subject), [gast.Eq()], [pattern.value]))
        if isinstance(pattern, gast.MatchSingleton):
            subject, expected = self._again(self.subject), at.constant(pattern.value)
            if pattern.value is None:
                return at.put(gast.Compare(subject, [gast.Is()], [expected]))
            return at.operator(self.lowering.ag, "is_singleton", subject, expected)
        if isinstance(pattern, gast.MatchOr):
            tests = [self._plain(alternative) for alternative in pattern.patterns]
            return None if None in tests else at.put(gast.BoolOp(gast.Or(), tests))
        return None

    def _structured(self, pattern: Any) -> None:
        at, variable = At(pattern), self.lowering.flag("case_")
        call = at.operator(self.lowering.ag, "match_case", self._again(self.subject))
        self.lowering.jumps.patterns[call] = pattern
        self.test = at.attribute(at.put(gast.NamedExpr(at.store(variable), call)), "test")
        self.bindings = [*((name, _Captured(variable, name)) for name in _captures(pattern)), *self.bindings]


@dataclass(frozen=True, slots=True)
class _Captured:
    """What a pattern that looks inside has captured under a name."""

    variable: str
    name: str


def _item(captured: _Captured, at: At) -> Any:
    return at.put(gast.Subscript(at.name(captured.variable), at.constant(captured.name), gast.Load()))
