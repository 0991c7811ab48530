"""Functions and lambdas: the scope around the body, and what happens at its start and end.

    def f(x):            def tf__f(x):
        return x             with ag__.FunctionScope('f', 'fscope', ag__.STD) as fscope:
                  --->           do_return = False
                                 retval_ = ag__.UndefinedReturnValue()
                                 ...
                                 return fscope.ret(retval_, do_return)

A nested function keeps its name and gets the innermost decorator `@ag__.autograph_artifact`, which says that it is
converted already; its decorators and defaults, which run where it is defined, are converted too. Generators, async
functions and what is marked do_not_convert stay as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from autograph.analysis.scopes import Kind, mark_in
from autograph.converters.annotations import convert_annotations
from autograph.converters.rewriter import Expressions, Place, Rewriter
from autograph.options import STANDARD_OPTIONS, ConversionOptions
from autograph.syntax import At

__all__ = ["convert_body", "convert_definition", "convert_lambda", "convert_method", "convert_top_lambda"]


def convert_body(rewriter: Rewriter, node: Any, options: ConversionOptions) -> None:
    """Convert the body of a function in place."""
    unit = rewriter.units[node]
    at = _header(node)
    fscope = rewriter.namer.fresh("fscope")
    returns = rewriter.jumps.returns.get(node)
    first = [name for name in (*node.args.posonlyargs, *node.args.args) if name.id != rewriter.consumer]
    place = Place(unit, fscope, first_parameter=first[0].id if first else None)
    with rewriter.at(place), rewriter.using(rewriter.tables.full):
        docstring, statements = _split_docstring(node.body)
        body = [*_returning(rewriter, returns, at), *rewriter.starting(at, (node, "body"))]
        body += rewriter.block(statements)
    if returns is not None:
        did_return = at.constant(True) if node in rewriter.jumps.always_return else at.name(returns[0])
        result = at.call(at.attribute(at.name(fscope), "ret"), [at.name(returns[1]), did_return])
        body.append(at.returns(result))
    scope = at.operator(
        rewriter.ag,
        "FunctionScope",
        at.constant(node.name),
        at.constant(fscope),
        options_code(rewriter.ag, options, at),
    )
    item = gast.withitem(scope, at.store(fscope))
    node.body = [*docstring, *_declarations(unit, at), at.put(gast.With([item], body or [at.pass_()], None))]


def _header(node: Any) -> At:
    """The position of the `def` line, of which nothing but the name is sure to be there."""
    at = At(node)
    at.end_lineno, at.end_col_offset = at.lineno, at.col_offset + len("def")
    return at


def _split_docstring(body: list[Any]) -> tuple[list[Any], list[Any]]:
    first = body[0] if body else None
    if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant) and isinstance(first.value.value, str):
        return body[:1], body[1:]
    return [], body


def _returning(rewriter: Rewriter, returns: tuple[str, str] | None, at: At) -> list[Any]:
    if returns is None:
        return []
    nothing = at.operator(rewriter.ag, "UndefinedReturnValue")
    return [at.assign(returns[0], at.constant(False)), at.assign(returns[1], nothing)]


def _declarations(unit: Any, at: At) -> list[Any]:
    found = []
    if unit.scope.globals:
        found.append(at.put(gast.Global(sorted(unit.scope.globals))))
    if unit.scope.nonlocals:
        found.append(at.put(gast.Nonlocal(sorted(unit.scope.nonlocals))))
    return found


def options_code(ag: str, options: ConversionOptions, at: At) -> Any:
    """The expression for conversion options: `ag__.STD`, or a call that spells them out."""
    if options == STANDARD_OPTIONS:
        return at.attribute(at.name(ag), "STD")
    features = [at.attribute(at.attribute(at.name(ag), "Feature"), feature.name) for feature in options.features]
    values = [
        ("recursive", at.constant(options.recursive)),
        ("user_requested", at.constant(options.user_requested)),
        ("optional_features", at.tuple(features)),
        ("internal_convert_user_code", at.constant(options.internal_convert_user_code)),
        *[(k, _names(v, at)) for k, v in (("include", options.include), ("exclude", options.exclude)) if v],
    ]
    keywords = [at.keyword(name, value) for name, value in values]
    return at.call(at.attribute(at.name(ag), "ConversionOptions"), [], keywords)


def _names(rules: tuple[str, ...], at: At) -> Any:
    return at.tuple([at.constant(rule) for rule in rules])


def convert_definition(rewriter: Rewriter, node: Any) -> list[Any]:
    """A function inside a converted function."""
    node.decorator_list = [_decorator(rewriter, decorator) for decorator in node.decorator_list]
    _defaults(rewriter, node.args)
    node.decorator_list += convert_annotations(rewriter, node)
    if rewriter.scopes.table[node].kind is Kind.FUNCTION:
        convert_body(rewriter, node, rewriter.options.call_options())
        at = _header(node)
        node.decorator_list.append(at.attribute(at.name(rewriter.ag), "autograph_artifact"))
    else:
        node.body = [rewriter.native(statement) for statement in node.body]
    return [node]


def _decorator(rewriter: Rewriter, node: Any) -> Any:
    return rewriter.native(node) if mark_in(node) else rewriter.expression(node)


def convert_method(rewriter: Rewriter, node: Any) -> Any:
    """A function in the body of a class."""
    return convert_definition(rewriter, node)[0]


def _defaults(rewriter: Rewriter, arguments: Any) -> None:
    arguments.defaults = [rewriter.expression(default) for default in arguments.defaults]
    arguments.kw_defaults = [None if value is None else rewriter.expression(value) for value in arguments.kw_defaults]


def convert_lambda(rewriter: Rewriter, node: Any) -> Any:
    """A lambda inside a converted function."""
    _defaults(rewriter, node.args)
    first = [*node.args.posonlyargs, *node.args.args]
    place = replace(rewriter.place, first_parameter=first[0].id if first else None)
    with rewriter.at(place), rewriter.using(_table_for(rewriter, node)):
        node.body = rewriter.expression(node.body)
    return At(node).operator(rewriter.ag, "autograph_artifact", node)


def _table_for(rewriter: Rewriter, node: Any) -> Expressions:
    """Full conversion, but where a walrus makes a variable of the lambda: in a thunk that would be someone else's."""
    scope = rewriter.scopes.table[node]
    binds = scope.own - set(scope.parameters)
    return rewriter.tables.in_lambda if binds else rewriter.tables.full


def convert_top_lambda(rewriter: Rewriter, node: Any, name: str) -> Any:
    """`name = lambda x: ag__.with_function_scope(lambda lscope: <body>, 'lscope', <options>)`."""
    at = At(node)
    with rewriter.using(_table_for(rewriter, node)):
        body = rewriter.expression(node.body)
    fscope = rewriter.place.fscope
    node.body = at.operator(
        rewriter.ag,
        "with_function_scope",
        at.thunk(body, [fscope]),
        at.constant(fscope),
        options_code(rewriter.ag, rewriter.options, at),
    )
    return at.assign(name, node)
