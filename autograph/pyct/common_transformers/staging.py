"""Control flow as calls of operators: autograph's own conversion, for clients with operators of their own.

Example:
    class MyCompiler(transpiler.PyToPy):
        def get_extra_locals(self):
            return {"ag__": my_operators}      # if_stmt, while_stmt, for_stmt, converted_call, ld, FunctionScope, ...

        def transform_ast(self, node, ctx):
            return staging.transform(node, ctx)

What the operators are given is told in autograph/operators/; a client may take over those that it does not change.
"""

from __future__ import annotations

from typing import Any, Final

import gast

from autograph import pipeline
from autograph.errors import ConversionError
from autograph.naming import identifiers
from autograph.options import STANDARD_OPTIONS, ConversionOptions
from autograph.pyct import transformer

__all__ = ["transform"]

_NAMESPACE: Final = "ag__"


def transform(node: Any, ctx: transformer.Context, options: ConversionOptions | None = None) -> Any:
    """A function or lambda in the form that `autograph.to_code` shows; its tree is used up.

    options: the ConversionOptions that generated code hands to the operators; those of a recursive conversion if not
    given. Raises UnsupportedSyntaxError for what cannot be staged, ConversionError if the function uses the name `ag__`
    for something of its own.
    """
    place = f"{ctx.info.source_file}:{node.lineno}"
    if _NAMESPACE in identifiers(node):
        raise ConversionError(
            f"{place}: the name {_NAMESPACE!r} is that of the operators in generated code, and the function has it for "
            "something else. Give that another name"
        )
    hidden = pipeline.SPELLED_BUILTINS & ctx.info.namespace.keys()
    converted = pipeline.convert_function(
        node,
        options=STANDARD_OPTIONS if options is None else options,
        filename=ctx.info.source_file,
        qualname=ctx.info.name,
        reserved=hidden,
    )
    return converted.value if isinstance(converted, gast.Assign) else converted
