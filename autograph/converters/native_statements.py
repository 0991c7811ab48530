"""Some try and with statements, class and import: they stay Python statements around converted parts.

The call that makes a context manager is left as it was written (its arguments are converted). An exception's name
(`except E as e`) belongs to its handler; where the name is used elsewhere too, the handler gets one of its own:

    except E as e:       except E as e_1:
        use(e)               try:
                  --->           e = e_1
                                 use(e)
                             finally:
                                 e = ag__.Undefined('e')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autograph.analysis.reader import is_made_as_written, lets_pass
from autograph.converters.annotations import late_in_class
from autograph.converters.rewriter import Rewriter
from autograph.converters.unpacking import needs_statements
from autograph.syntax import At

__all__ = ["convert_class", "convert_class_in_class", "drop", "keep", "keep_try", "keep_with"]


def keep_with(rewriter: Rewriter, node: Any) -> list[Any]:
    node = _with_elements(rewriter, node)
    for item in node.items:
        made = item.context_expr
        item.context_expr = rewriter.parts(made) if is_made_as_written(made) else rewriter.expression(made)
        if lets_pass(item) and node not in rewriter.jumps.native:
            item.context_expr = At(made).operator(rewriter.ag, "passing", item.context_expr)
        if item.optional_vars is not None:
            item.optional_vars = rewriter.expression(item.optional_vars)
    node.body = _block(rewriter, node.body, node)
    return [node]


def _with_elements(rewriter: Rewriter, node: Any) -> Any:
    """`with m as x[i]: body` as `with m as target: x[i] = target; body`, also for the items before the last one."""
    for place, item in enumerate(node.items):
        if item.optional_vars is None or not needs_statements(item.optional_vars):
            continue
        at, target = At(item.optional_vars), item.optional_vars
        item.optional_vars = at.store(rewriter.namer.fresh("target"))
        rest = node.items[place + 1 :]
        body = [At(node).put(gast.With(rest, node.body, None))] if rest else node.body
        node.items, node.body = node.items[: place + 1], [at.assign(target, at.name(item.optional_vars.id)), *body]
        break
    return node


def keep_try(rewriter: Rewriter, node: Any) -> list[Any]:
    start, ends = _marks(rewriter, node) if isinstance(node, gast.TryStar) else ([], lambda at: [])
    node.body = _block(rewriter, node.body, node)
    node.body += ends(At.start_of(node.body[-1]))
    for handler in node.handlers:
        if handler.type is not None:
            handler.type = rewriter.expression(handler.type)
        handler.body = _block(rewriter, handler.body, handler)
        handler.body[:0] = ends(At.start_of(handler.body[0]))
        if handler in rewriter.facts.renamed:
            _rename(rewriter, handler)
    node.orelse = rewriter.block(node.orelse)
    node.finalbody = rewriter.block(node.finalbody)
    return [*start, node]


def _marks(rewriter: Rewriter, node: Any) -> tuple[list[Any], Callable[[At], list[Any]]]:
    """The statement before an `except*`, and those at each end of its body: nothing staged in it may raise."""
    at, name = At.start_of(node), rewriter.namer.fresh("start")

    def ends(at: At) -> list[Any]:
        return [at.expression(at.operator(rewriter.ag, "end_of_try", at.name(name)))]

    return [at.assign(name, at.operator(rewriter.ag, "start_of_try"))], ends


def _rename(rewriter: Rewriter, handler: Any) -> None:
    at, shared = At.start_of(handler), handler.name.id
    own = rewriter.namer.fresh(shared)
    handler.name = at.store(own)
    body = [at.assign(shared, at.name(own)), *handler.body]
    handler.body = [at.put(gast.Try(body, [], [], rewriter.forgotten(at, shared, handler)))]


def convert_class(rewriter: Rewriter, node: Any) -> list[Any]:
    node.decorator_list = [rewriter.expression(decorator) for decorator in node.decorator_list]
    node.decorator_list += late_in_class(rewriter, node)
    # Between type parameters and the body Python 3.12 allows no lambda inside of a class.
    convert = rewriter.native if node.type_params else rewriter.expression
    node.bases = [convert(base) for base in node.bases]
    node.keywords = [convert(keyword) for keyword in node.keywords]
    with rewriter.using(rewriter.tables.in_class):
        node.body = [rewriter.expression(statement) for statement in node.body]
    return [node]


def convert_class_in_class(rewriter: Rewriter, node: Any) -> Any:
    return convert_class(rewriter, node)[0]


def keep(rewriter: Rewriter, node: Any) -> list[Any]:
    """A statement that has nothing to convert in it."""
    return [node]


def drop(rewriter: Rewriter, node: Any) -> list[Any]:
    """global and nonlocal statements: converters/function.py declares the names at the top of the function."""
    return []


def _block(rewriter: Rewriter, statements: list[Any], holder: Any) -> list[Any]:
    at = At(statements[0]) if statements or not hasattr(holder, "lineno") else At(holder)
    return rewriter.block(statements) or [at.pass_()]
