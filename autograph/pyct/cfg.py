"""From trees to control flow graphs: every statement of Python, with the edges that exceptions take.

Example:
    graphs = build(function)                  # one for it, and for each function, lambda and class in it
    graph = graphs[function]
    graph.index[function.body[0]].next        # the nodes that may run after the first statement

Where control goes is seen from the nodes:
- `for` has three: the iterated value, the loop itself (is there another item?), and the target.
- `with` has its items, and at its end itself: where all ways out of the body meet, for it may swallow an exception.
- `try` has itself at its start. Each node in its body leads to the handlers; each handler has its type and itself.
- `match` has its subject, and for each case the pattern, the case (where names are bound) and the guard.
- a function, class or lambda in a statement is part of that statement, and has a graph of its own.
An exception that no `try` or `with` in the function sees ends the function, and has no edge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from autograph.pyct import anno
from autograph.pyct.cfg_graph import Graph, GraphVisitor, Node, Span, borders
from autograph.syntax import children, deep_recursion

__all__ = ["Graph", "GraphVisitor", "Node", "build"]

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


def build(node: Any) -> dict[Any, Graph]:
    """The graphs of a function, class or module, and of each function, lambda and class in it, by their trees."""
    graphs: dict[Any, Graph] = {}
    pending = [node]
    with deep_recursion():
        while pending:
            current = pending.pop()
            if isinstance(current, (*_FUNCTIONS, gast.ClassDef, gast.Module)):
                graphs[current] = _Builder().build(current)
            pending += children(current)
    if not graphs:
        raise TypeError(f"a graph is made of a function, class or module, found {type(node).__name__}")
    return graphs


@dataclass(eq=False)
class _Loop:
    """A loop around the place: the nodes that leave it by `break`, and that go on by `continue`."""

    breaks: list[Node] = field(default_factory=list)
    continues: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class _Leaving:
    """Code that runs on every way out: a `finally`, or the end of a `with`.

    raising: the nodes that come by an exception. jumping: those that come by a jump. jumps: what goes on after it.
    """

    raising: list[Node] = field(default_factory=list)
    jumping: list[Node] = field(default_factory=list)
    jumps: set[tuple[str, _Loop | None]] = field(default_factory=set)


class _Builder:
    """Goes through the statements in order. `ends`, `raising`: the nodes that the next one comes after."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.index: dict[Any, Node] = {}
        self.ends: list[Node] = []
        self.raising: list[Node] = []
        self.frames: list[_Loop | _Leaving] = []
        self.landings: list[list[Node]] = []
        self.exits: list[Node] = []
        self.errors: list[Node] = []
        self.spans: list[Span] = []
        self.span = -1
        self.home: list[int] = []  # the innermost statement of each node

    def build(self, root: Any) -> Graph:
        entry = self.add(root.args if isinstance(root, _FUNCTIONS) else root)
        if isinstance(root, gast.Lambda):
            self.add(root.body)
        else:
            self.block(root.body)
        exits = _live([*self.exits, *self.ends])
        previous, following = borders(self.nodes, self.spans, self.home)
        for node in self.nodes:
            node.freeze()
        return Graph(
            entry,
            frozenset(exits),
            frozenset(self.errors),
            self.index,
            previous,
            following,
            {span.statement: range(span.first, span.end) for span in self.spans},
            tuple(self.nodes),
        )

    # -- nodes and edges

    def add(self, tree: Any, raises: bool = True) -> Node:
        """A node after all that ends here."""
        before, raisers = _live(self.ends), _live(self.raising)
        reachable = any(node.reachable for node in before + raisers) or not self.nodes
        node = Node(tree, len(self.nodes), reachable)
        self.nodes.append(node)
        self.home.append(self.span)
        self.index[tree] = node
        self.connect(before, node)
        for raiser in raisers:
            if raiser.reachable or not reachable:
                _edge(raiser, node)
                _raise_edge(raiser, node)
        self.ends, self.raising = [node], []
        if raises and self.landings:
            self.landings[-1].append(node)
        return node

    def connect(self, before: Iterable[Node], node: Node) -> None:
        for each in before:
            if each.reachable or not node.reachable:
                _edge(each, node)

    def jump(self, kind: str, target: _Loop | None) -> None:
        """What ends here goes to the loop `target`, or out of the function, by way of all that runs on the way out."""
        for frame in reversed(self.frames):
            if isinstance(frame, _Leaving):
                frame.jumping += self.ends
                frame.jumps.add((kind, target))
                break
            if frame is target:
                (frame.breaks if kind == "break" else frame.continues).extend(self.ends)
                break
        else:
            self.exits += self.ends
        self.ends = []

    # -- statements

    def block(self, statements: Sequence[Any]) -> None:
        for statement in statements:
            around, self.span = self.span, len(self.spans)
            self.spans.append(Span(statement, len(self.nodes), 0, around))
            _STATEMENTS.get(type(statement), _Builder.add)(self, statement)
            self.spans[self.span] = self.spans[self.span]._replace(end=len(self.nodes))
            self.span = around

    def quiet(self, node: Any) -> None:
        self.add(node, raises=False)

    def if_(self, node: Any) -> None:
        test = self.add(node.test)
        self.block(node.body)
        ends, self.ends = self.ends, [test]
        self.block(node.orelse)
        self.ends = ends + self.ends

    def while_(self, node: Any) -> None:
        test = self.add(node.test)
        self._loop(node, test, [test])

    def for_(self, node: Any) -> None:
        self.add(node.iter)
        head = self.add(node)
        leaving = [head]
        extra = anno.getanno(node, anno.Basic.EXTRA_LOOP_TEST, None)
        if extra is not None:
            leaving.append(self.add(extra))
        self.add(node.target)
        self._loop(node, head, leaving)

    def _loop(self, node: Any, head: Node, leaving: list[Node]) -> None:
        loop = _Loop()
        self.frames.append(loop)
        self.block(node.body)
        self.frames.pop()
        self.connect(_live(self.ends + loop.continues), head)
        self.ends = leaving
        self.block(node.orelse)
        self.ends = self.ends + loop.breaks

    def break_(self, node: Any) -> None:
        self.add(node, raises=False)
        self.jump("break", self._innermost())

    def continue_(self, node: Any) -> None:
        self.add(node, raises=False)
        self.jump("continue", self._innermost())

    def _innermost(self) -> _Loop | None:
        return next((frame for frame in reversed(self.frames) if isinstance(frame, _Loop)), None)

    def return_(self, node: Any) -> None:
        self.add(node)
        self.jump("return", None)

    def raise_(self, node: Any) -> None:
        raised = self.add(node)
        if not self.landings:
            self.errors.append(raised)
        self.ends = []

    def match(self, node: Any) -> None:
        self.add(node.subject)
        ends: list[Node] = []
        for case in node.cases:
            missing = [] if _always_matches(case.pattern) else [case.pattern]
            self.add(case.pattern)
            self.add(case)
            if case.guard is not None:
                self.add(case.guard)
                missing.append(case.guard)
            self.block(case.body)
            ends += self.ends
            self.ends = [self.index[each] for each in missing]
        self.ends = ends + self.ends

    def with_(self, node: Any) -> None:
        first = self.add(node.items[0])
        leaving = self._enter()
        leaving.raising.append(first)  # what it binds may fail after it was entered
        for item in node.items[1:]:
            self.add(item)
        self.block(node.body)
        self._leave(leaving)
        self.ends, self.raising = self.ends + leaving.jumping, leaving.raising
        self.add(node)
        self._go_on(leaving, self.ends)

    def try_(self, node: Any) -> None:
        leaving = self._enter() if node.finalbody else None
        caught: list[Node] = []
        if node.handlers:
            self.landings.append(caught)
        self.add(node)
        self.block(node.body)
        if node.handlers:
            self.landings.pop()
        self.block(node.orelse)
        if node.handlers:
            ends, self.ends, self.raising = self.ends, [], caught
            (self._star_handlers if isinstance(node, gast.TryStar) else self._handlers)(node.handlers, ends)
        if leaving is not None:
            self._leave(leaving)
            falls_through = any(end.reachable for end in self.ends)
            self.ends, self.raising = self.ends + leaving.jumping, leaving.raising
            self.block(node.finalbody)
            if self.landings and leaving.raising:
                self.landings[-1].extend(self.ends)  # the exception goes on
            ends = self.ends
            self._go_on(leaving, ends)
            self.ends = ends if falls_through else []

    def _handlers(self, handlers: Sequence[Any], ends: list[Node]) -> None:
        """One of the handlers runs, or the exception goes on."""
        for handler in handlers:
            missing = [] if handler.type is None else [self.add(handler.type)]
            self.add(handler)
            self.block(handler.body)
            ends += self.ends
            self.ends = missing
        if self.landings:
            self.landings[-1].extend(self.ends)
        self.ends = ends

    def _star_handlers(self, handlers: Sequence[Any], ends: list[Node]) -> None:
        """Each of the handlers may run, one after another; what they raise goes on at the end."""
        for handler in handlers:
            missing = self.add(handler.type)
            raising: list[Node] = []
            self.landings.append(raising)
            self.add(handler)
            self.block(handler.body)
            self.landings.pop()
            self.ends, self.raising = [*self.ends, missing], raising
        if self.landings:
            self.landings[-1].extend([*self.ends, *self.raising])
        self.ends, self.raising = ends + self.ends, []

    def _enter(self) -> _Leaving:
        leaving = _Leaving()
        self.frames.append(leaving)
        self.landings.append(leaving.raising)
        return leaving

    def _leave(self, leaving: _Leaving) -> None:
        self.frames.pop()
        self.landings.pop()

    def _go_on(self, leaving: _Leaving, ends: list[Node]) -> None:
        """Each jump that passed goes on from here; `ends` stays."""
        for kind, target in sorted(leaving.jumps, key=lambda jump: jump[0]):
            self.ends = list(ends)
            self.jump(kind, target)
        self.ends = ends


def _live(nodes: list[Node]) -> list[Node]:
    """Those that control can come to; all, if there is none: then it cannot come here either."""
    return [node for node in nodes if node.reachable] or nodes


def _edge(before: Node, after: Node) -> None:
    before.next.add(after)  # type: ignore[union-attr]
    after.prev.add(before)  # type: ignore[union-attr]


def _raise_edge(before: Node, after: Node) -> None:
    before.handlers.add(after)  # type: ignore[union-attr]
    after.raisers.add(before)  # type: ignore[union-attr]


def _always_matches(pattern: Any) -> bool:
    if isinstance(pattern, gast.MatchOr):
        return any(_always_matches(each) for each in pattern.patterns)
    return isinstance(pattern, gast.MatchAs) and (pattern.pattern is None or _always_matches(pattern.pattern))


_STATEMENTS: dict[type, Callable[[_Builder, Any], object]] = {
    gast.If: _Builder.if_,
    gast.While: _Builder.while_,
    gast.For: _Builder.for_,
    gast.AsyncFor: _Builder.for_,
    gast.With: _Builder.with_,
    gast.AsyncWith: _Builder.with_,
    gast.Try: _Builder.try_,
    gast.TryStar: _Builder.try_,
    gast.Match: _Builder.match,
    gast.Return: _Builder.return_,
    gast.Raise: _Builder.raise_,
    gast.Break: _Builder.break_,
    gast.Continue: _Builder.continue_,
    gast.Pass: _Builder.quiet,
    gast.Global: _Builder.quiet,
    gast.Nonlocal: _Builder.quiet,
}
