"""Comprehensions and generator expressions.

    [f(x) for x in xs]     --->    ag__.list_comp(xs, lambda items: [f(x) for x in items],
                                                  lambda into, items: into.each(items, lambda x: into.take(f(x))))

The first form is Python's own, and runs wherever nothing is staged; the second says the same by calls that a stager can
give a meaning (autograph.operators.comprehension). A target that is no plain name is bound by a loop over one item:

    lambda itr: [into.take(a + b) for a, b in [itr]]

Kept as they are: comprehensions over what is plainly Python's (`range(3)`, `[1, 2]`) with nothing in them that could be
staged; those with `await`. What a walrus in them binds, a name of the function, is state (converters/binding.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.converters.binding import bound_by_walrus, can_move, state_arguments
from autograph.converters.rewriter import Rewriter
from autograph.syntax import At, children, unparse

__all__ = ["convert_comprehension"]

SHORT = 16

_OPERATORS: dict[type, str] = {
    gast.DictComp: "dict_comp",
    gast.GeneratorExp: "generator_exp",
    gast.ListComp: "list_comp",
    gast.SetComp: "set_comp",
}


_HASHED = (gast.SetComp, gast.DictComp)
"""What asks its items for their hash, which those that are staged do not have."""


def convert_comprehension(rewriter: Rewriter, node: Any) -> Any:
    first = node.generators[0]
    inner = _has_inner_parts(node)
    parts = _moving_parts(node)
    for generator in node.generators:
        for test in generator.ifs:
            rewriter.asked_for_truth(test)
    stays = any(generator.is_async for generator in node.generators) or not can_move(rewriter, *parts)
    hashed = type(node) in _HASHED or type(first.iter) is gast.Set
    asks = (hashed and _holds_variables(first.iter)) or _hashes_other_values(node)
    is_plain = not asks and _is_plain(rewriter, first.iter)
    if stays or (not inner and not bound_by_walrus(*parts) and is_plain):
        return rewriter.parts(node)
    at, state = At(node), state_arguments(rewriter, bound_by_walrus(*parts), At(node))
    into, items = rewriter.namer.shared("into"), rewriter.namer.shared("items")
    predicated = inner and not _keeps_variables(node)  # asked before its parts are rewritten, some in place
    iterated = rewriter.expression(first.iter)
    with rewriter.moving():
        native = _native(rewriter, node, items)
        staged = _staged(rewriter, node, into, items)
    arguments = [iterated, At(node).thunk(native, [items]), At(node).thunk(staged, [into, items])]
    if state or predicated:
        arguments.append(at.constant(predicated))
    return at.operator(rewriter.ag, _OPERATORS[type(node)], *arguments, *state)


def _moving_parts(node: Any) -> list[Any]:
    """All but the first iterable."""
    tests = [test for generator in node.generators for test in generator.ifs]
    return [*_elements(node), *tests, *node.generators[1:]]


def _elements(node: Any) -> list[Any]:
    return [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]


def _has_inner_parts(node: Any) -> bool:
    """Whether something besides the first iterable may turn out to be staged."""
    if len(node.generators) > 1 or node.generators[0].ifs:
        return True
    return any(_contains(element, lambda inner: type(inner) in _OPERATORS) for element in _elements(node))


def _contains(node: Any, test: Callable[[Any], bool]) -> bool:
    """Whether a node, or one in it that runs with it, passes the test."""
    pending = [node]
    while pending:
        node = pending.pop()
        if test(node):
            return True
        if not isinstance(node, gast.Lambda):
            pending += children(node)
    return False


def _keeps_variables(node: Any) -> bool:
    """Whether lambdas in it may outlive the iteration: all of Python's share a variable, those of calls would not.

    One that is called at once does not.
    """
    pending = _elements(node)
    while pending:
        inner = pending.pop()
        if isinstance(inner, gast.Lambda):
            return True
        parts = list(children(inner))
        if isinstance(inner, gast.Call) and isinstance(inner.func, gast.Lambda):
            parts.remove(inner.func)
            parts += children(inner.func)
        pending += parts
    return False


def _is_plain(rewriter: Rewriter, iterated: Any) -> bool:
    """Whether an iterable is surely one of Python's, and short: a display, a text, or a small `range` of constants."""
    if isinstance(iterated, gast.List | gast.Tuple | gast.Set):
        return not any(isinstance(item, gast.Starred) for item in iterated.elts)
    if isinstance(iterated, gast.Call):
        is_range = isinstance(iterated.func, gast.Name) and iterated.func.id == "range"
        return is_range and "range" not in rewriter.bound_names and _is_short(iterated.args)
    return isinstance(iterated, gast.Constant | gast.Dict)


def _holds_variables(display: Any) -> bool:
    return any(not isinstance(item, gast.Constant) for item in getattr(display, "elts", ()))


def _hashes_other_values(node: Any) -> bool:
    """Whether what is asked for its hash may be something else than an item, or made of more than of items."""
    if type(node) not in _HASHED:
        return False
    items = {name.id for name in _names(node.generators[0].target)}
    return any(name.id not in items for name in _names(_elements(node)[0]))


def _names(node: Any) -> list[Any]:
    return [inner for inner in gast.walk(node) if isinstance(inner, gast.Name)]


def _is_short(arguments: list[Any]) -> bool:
    """Whether `range` of these goes over a few numbers, as far as can be read; a loop over many may be staged."""
    values: list[Any] = [argument.value for argument in arguments if isinstance(argument, gast.Constant)]
    if len(values) < len(arguments):
        return False
    return not all(type(value) is int for value in values) or max(map(abs, values), default=0) <= SHORT


def _native(rewriter: Rewriter, node: Any, items: str) -> Any:
    """The comprehension itself, over `items`; its parts are converted, but for comprehensions in it."""
    copied = rewriter.twin(node)
    copied.generators[0].iter = At(copied.generators[0].iter).name(items)
    table = {kind: convert for kind, convert in rewriter.table.items() if kind not in _OPERATORS}
    with rewriter.using(table):
        return rewriter.parts(copied)


def _staged(rewriter: Rewriter, node: Any, into: str, items: str) -> Any:
    """The calls on the consumer `into` that say the same, built from the inside: element, then each `if` and `for`."""
    elements = [rewriter.expression(element) for element in _elements(node)]
    at = At(elements[0], elements[-1])
    taken = elements[0] if len(elements) == 1 else at.tuple(elements)
    body = _call(at, into, "take", taken)
    for position in range(len(node.generators) - 1, -1, -1):
        generator = node.generators[position]
        for test in reversed(generator.ifs):
            condition = rewriter.expression(test)
            body = _call(At(condition), into, "when", condition, At(condition).thunk(body))
        at = At(generator.target)
        iterated = at.name(items) if position == 0 else rewriter.expression(generator.iter)
        body = _call(at, into, "each", iterated, *_over(rewriter, generator.target, body))
    return body


def _over(rewriter: Rewriter, target: Any, body: Any) -> list[Any]:
    """The function of an item, and the text of a target that unpacks it."""
    at = At(target)
    if isinstance(target, gast.Name):
        return [at.thunk(body, [target.id])]
    item = rewriter.namer.shared("itr")
    text = unparse(target)
    bound = at.put(gast.ListComp(body, [gast.comprehension(target, at.put(_list(at.name(item))), [], 0)]))
    return [at.thunk(bound, [item]), at.constant(text)]


def _list(item: Any) -> Any:
    return gast.List([item], gast.Load())


def _call(at: At, into: str, method: str, *arguments: Any) -> Any:
    return at.call(at.attribute(at.name(into), method), arguments)
