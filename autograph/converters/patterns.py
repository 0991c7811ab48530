"""Patterns that look inside their subject, written out as values for `ag__.match_case`.

    case Point(x=0, y=t)    --->    ag__.pattern.instance(lambda: Point, (), {'x': ag__.pattern.constant(0),
                                                                              'y': ag__.pattern.capture('t')})

Names of classes, dotted values and keys are looked up when it is their turn, so they stand in lambdas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["convert_match_case"]


def convert_match_case(rewriter: Rewriter, node: Any) -> Any:
    """`ag__.match_case(subject)` with its pattern."""
    node.args = [rewriter.expression(node.args[0]), _pattern(rewriter, rewriter.jumps.patterns[node])]
    return node


def _pattern(rewriter: Rewriter, node: Any) -> Any:
    return _PATTERNS[type(node)](rewriter, node)


def _made(rewriter: Rewriter, node: Any, name: str, *arguments: Any) -> Any:
    """`ag__.pattern.name(arguments)`."""
    at = At(node)
    return at.call(_named(rewriter, at, name), arguments)


def _named(rewriter: Rewriter, at: At, name: str) -> Any:
    end = At.start_of(at)
    return end.attribute(end.attribute(end.name(rewriter.ag), "pattern"), name)


def _value(rewriter: Rewriter, node: Any) -> Any:
    if not isinstance(node.value, gast.Attribute):
        return _made(rewriter, node, "constant", node.value)
    return _made(rewriter, node, "value", At(node).thunk(rewriter.expression(node.value)))


def _singleton(rewriter: Rewriter, node: Any) -> Any:
    return _made(rewriter, node, "singleton", At(node).constant(node.value))


def _as(rewriter: Rewriter, node: Any) -> Any:
    if node.name is None:
        return _named(rewriter, At(node), "wildcard")
    name = At(node).constant(node.name)
    if node.pattern is None:
        return _made(rewriter, node, "capture", name)
    return _made(rewriter, node, "named", _pattern(rewriter, node.pattern), name)


def _star(rewriter: Rewriter, node: Any) -> Any:
    return _made(rewriter, node, "rest", *([] if node.name is None else [At(node).constant(node.name)]))


def _or(rewriter: Rewriter, node: Any) -> Any:
    return _made(rewriter, node, "alternatives", *(_pattern(rewriter, item) for item in node.patterns))


def _sequence(rewriter: Rewriter, node: Any) -> Any:
    return _made(rewriter, node, "sequence", *(_pattern(rewriter, item) for item in node.patterns))


def _mapping(rewriter: Rewriter, node: Any) -> Any:
    at = At(node)
    keys = at.thunk(at.tuple([rewriter.expression(key) for key in node.keys]))
    patterns = at.tuple([_pattern(rewriter, item) for item in node.patterns])
    rest = [] if node.rest is None else [at.constant(node.rest)]
    return _made(rewriter, node, "mapping", keys, patterns, *rest)


def _class(rewriter: Rewriter, node: Any) -> Any:
    at = At(node)
    arguments = [At(node.cls).thunk(rewriter.expression(node.cls))]
    if node.patterns or node.kwd_attrs:
        arguments.append(at.tuple([_pattern(rewriter, item) for item in node.patterns]))
    if node.kwd_attrs:
        values = [_pattern(rewriter, item) for item in node.kwd_patterns]
        arguments.append(at.put(gast.Dict([at.constant(name) for name in node.kwd_attrs], values)))
    return _made(rewriter, node, "instance", *arguments)


_PATTERNS: dict[type, Callable[[Rewriter, Any], Any]] = {
    gast.MatchValue: _value,
    gast.MatchSingleton: _singleton,
    gast.MatchAs: _as,
    gast.MatchStar: _star,
    gast.MatchOr: _or,
    gast.MatchSequence: _sequence,
    gast.MatchMapping: _mapping,
    gast.MatchClass: _class,
}
