"""The toolkit for people who write source-to-source transformers of their own: parse, analyse, rewrite, run.

Example:
    from autograph.pyct import transformer, transpiler

    class Doubler(transformer.Base):
        def visit_Constant(self, node):
            return templates.replace_as_expression("2 * value", value=node)

    class Doubling(transpiler.PyToPy):
        def transform_ast(self, node, ctx):
            return Doubler(ctx).visit(node)

    new_fn, module, source_map = Doubling().transform(fn, None)

Names and signatures are those that such transformers know from other implementations of AutoGraph. autograph's own
conversion does not use this package; `import autograph` does not load it (docs/toolkit.md).
"""

from autograph.pyct import (
    anno,
    ast_util,
    cache,
    cfg,
    common_transformers,
    errors,
    inspect_utils,
    loader,
    naming,
    origin_info,
    parser,
    positions,
    pretty_printer,
    qual_names,
    static_analysis,
    templates,
    transformer,
    transpiler,
)
from autograph.pyct.transpiler import GenericTranspiler, PyToPy

__all__ = [
    "GenericTranspiler",
    "PyToPy",
    "anno",
    "ast_util",
    "cache",
    "cfg",
    "common_transformers",
    "errors",
    "inspect_utils",
    "loader",
    "naming",
    "origin_info",
    "parser",
    "positions",
    "pretty_printer",
    "qual_names",
    "static_analysis",
    "templates",
    "transformer",
    "transpiler",
]
