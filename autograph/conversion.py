"""One function, all the way: source, tree, converters, code; remembered for as long as the function's code lives.

Example:
    template = template_of(fn, STANDARD_OPTIONS)
    text = converted_text(fn, STANDARD_OPTIONS)
"""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from autograph import logs
from autograph.cache import IdentityCache
from autograph.options import ConversionOptions
from autograph.template import Template

if TYPE_CHECKING:
    import gast

__all__ = ["converted_text", "template_of"]

_templates: dict[ConversionOptions, IdentityCache[CodeType, Template]] = {}


def template_of(function: FunctionType, options: ConversionOptions) -> Template:
    """The converted form of the code of `function`, converted now if it has not been. Raises ConversionError."""
    known = _templates.get(options)
    if known is None:
        known = _templates.setdefault(options, IdentityCache())
    return known.get_or_make(function.__code__, lambda: _convert(function, options))


def converted_text(function: FunctionType, options: ConversionOptions) -> str:
    """The generated code of `function`, for people. Raises ConversionError."""
    from autograph.syntax import unparse

    return unparse(_converted_tree(function, options))


def _convert(function: FunctionType, options: ConversionOptions) -> Template:
    from autograph.loader import load
    from autograph.syntax import paused_collection

    logs.log(1, "converting %s", function.__qualname__)
    if logs.enabled(3):
        logs.log(3, "source of %s:\n%s", function.__qualname__, _source_text(function))
    if logs.enabled(2):
        logs.log(2, "generated code of %s:\n%s", function.__qualname__, converted_text(function, options))
    with paused_collection():
        return load(_converted_tree(function, options), function.__code__)


def _source_text(function: FunctionType) -> str:
    from autograph import source, syntax

    return syntax.unparse(syntax.to_gast(source.find_definition(function).node))


def _converted_tree(function: FunctionType, options: ConversionOptions) -> gast.FunctionDef | gast.Assign:
    # The parser and the converters are imported with the first conversion: `import autograph` stays quick.
    from autograph import pipeline, source, syntax

    code = function.__code__
    definition = source.find_definition(function)
    node = syntax.to_gast(definition.node)
    return pipeline.convert_function(
        node,
        options=options,
        filename=definition.filename,
        qualname=code.co_qualname,
        reserved=pipeline.SPELLED_BUILTINS & function.__globals__.keys() | set(code.co_freevars),
    )
