"""One function, all the way: source, tree, converters, code; remembered for as long as the function's code lives.

Example:
    template = template_of(fn, STANDARD_OPTIONS)
    text = converted_text(fn, STANDARD_OPTIONS)
"""

from __future__ import annotations
import __future__

from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from autograph import logs
from autograph.cache import IdentityCache
from autograph.options import ConversionOptions
from autograph.template import Template

if TYPE_CHECKING:
    import gast

    from autograph import source

__all__ = ["converted_text", "converted_tree", "generator_template_of", "manager_template_of", "template_of"]

_templates: dict[ConversionOptions, IdentityCache[CodeType, Template]] = {}
_generators: dict[tuple[ConversionOptions, bool | None], IdentityCache[CodeType, Template]] = {}


def template_of(function: FunctionType, options: ConversionOptions) -> Template:
    """The converted form of the code of `function`, converted now if it has not been. Raises ConversionError."""
    known = _templates.get(options)
    if known is None:
        known = _templates.setdefault(options, IdentityCache())
    return known.get_or_make(function.__code__, lambda: _convert(function, options))


def manager_template_of(function: FunctionType, options: ConversionOptions) -> Template:
    """The form of a generator under `contextlib.contextmanager` that runs the body of the `with` where it yields."""
    return generator_template_of(function, options, None)


def generator_template_of(function: FunctionType, options: ConversionOptions, stoppable: bool | None) -> Template:
    """The form of a generator that hands items to a consumer (converters/generator.py). Raises ConversionError."""
    known = _generators.get((options, stoppable))
    if known is None:
        known = _generators.setdefault((options, stoppable), IdentityCache())
    return known.get_or_make(function.__code__, lambda: _convert_generator(function, options, stoppable))


def _convert_generator(function: FunctionType, options: ConversionOptions, stoppable: bool | None) -> Template:
    from autograph import pipeline, source, syntax, trails
    from autograph.loader import load

    logs.log(1, "converting the generator %s", function.__qualname__)
    with syntax.paused_collection():
        definition = source.find_definition(function, generator=True)
        node, with_trails = syntax.to_gast(definition.node), trails.are_wanted()
        if with_trails:
            trails.mark(node, function.__code__)
        tree = pipeline.convert_generator(
            node,
            options=options,
            filename=definition.filename,
            qualname=function.__code__.co_qualname,
            stoppable=stoppable,
            reserved=_reserved(function),
            text_annotations=_has_text_annotations(function),
        )
        if with_trails:
            trails.write_out(tree, function.__code__)
        return load(tree, function.__code__)


def _reserved(function: FunctionType) -> frozenset[str]:
    """The names around a function that fresh names avoid, and that hide builtins."""
    from autograph.pipeline import SPELLED_BUILTINS

    return SPELLED_BUILTINS & function.__globals__.keys() | set(function.__code__.co_freevars)


def _has_text_annotations(function: FunctionType) -> bool:
    return bool(function.__code__.co_flags & __future__.annotations.compiler_flag)


def converted_text(function: FunctionType, options: ConversionOptions) -> str:
    """The generated code of `function`, for people. Raises ConversionError."""
    from autograph.syntax import unparse

    return unparse(converted_tree(function, options)[1])


def converted_tree(function: FunctionType, options: ConversionOptions) -> tuple[source.Definition, gast.AST]:
    """Where `function` is defined, and its converted tree, with the user's lines. Raises ConversionError."""
    from autograph import source

    definition = source.find_definition(function)
    return definition, _converted_tree(function, definition, options)


def _convert(function: FunctionType, options: ConversionOptions) -> Template:
    from autograph import source, trails
    from autograph.loader import load
    from autograph.syntax import paused_collection

    logs.log(1, "converting %s", function.__qualname__)
    if logs.enabled(3):
        logs.log(3, "source of %s:\n%s", function.__qualname__, _source_text(function))
    if logs.enabled(2):
        logs.log(2, "generated code of %s:\n%s", function.__qualname__, converted_text(function, options))
    with paused_collection():
        definition = source.find_definition(function)
        tree = _converted_tree(function, definition, options, trails.are_wanted())
        return load(tree, function.__code__, definition.node)


def _source_text(function: FunctionType) -> str:
    from autograph import source, syntax

    return syntax.unparse(syntax.to_gast(source.find_definition(function).node))


def _converted_tree(
    function: FunctionType, definition: source.Definition, options: ConversionOptions, with_trails: bool = False
) -> gast.FunctionDef | gast.Assign:
    # The parser and the converters are imported with the first conversion: `import autograph` stays quick.
    from autograph import pipeline, syntax, trails

    code = function.__code__
    node = syntax.to_gast(definition.node)
    if with_trails:
        trails.mark(node, code)
    tree: gast.FunctionDef | gast.Assign = pipeline.convert_function(
        node,
        options=options,
        filename=definition.filename,
        qualname=code.co_qualname,
        reserved=_reserved(function),
        text_annotations=_has_text_annotations(function),
    )
    if with_trails:
        trails.write_out(tree, code)
    return tree
