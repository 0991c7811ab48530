"""Code with placeholders: the quick way to write the tree of a new statement.

Example:
    replace("if not flag:\\n    body", flag="done_", body=node.body)         # a list of statements
    replace_as_expression("ag__.not_(x)", x=node.operand)                   # one expression

A placeholder is a name in the template: of a variable, attribute, parameter, function, keyword argument, or a
statement by itself. It is replaced by a name (a string or a QN), a tree, or a list of trees where several can stand.
What is put in is copied, keeps the user's positions, and is read or written as the place demands. The rest has no
position of its own: it gets that of the node which it replaces (positions.complete).
"""

from __future__ import annotations

import functools
import textwrap
from typing import Any, Final

import gast

from autograph.pyct import anno, ast_util, parser, positions, qual_names

__all__ = ["ContextAdjuster", "ReplaceTransformer", "replace", "replace_as_expression"]

_KEPT: Final = (
    anno.Basic.DIRECTIVES,
    anno.Basic.EXTRA_LOOP_TEST,
    anno.Basic.ORIGIN,
    anno.Basic.SKIP_PROCESSING,
    anno.Static.ORIG_DEFINITIONS,
)


def replace(template: str, **replacements: Any) -> list[Any]:
    """The statements of a template, with its placeholders replaced.

    Raises TypeError for what is no template or replacement, ValueError for a replacement that cannot stand where its
    placeholder does.
    """
    if not isinstance(template, str):
        raise TypeError(f"a template is a text, found {type(template).__name__}")
    transformer = ReplaceTransformer({name: _as_nodes(name, value) for name, value in replacements.items()})
    found: list[Any] = []
    for node in _parsed(template):
        new = transformer.visit(ast_util.copy_clean(node))
        found += new if isinstance(new, list) else [new]
    return found


def replace_as_expression(template: str, **replacements: Any) -> Any:
    """The same for a template that is one expression. Raises ValueError if it is something else."""
    found = replace(template, **replacements)
    if len(found) != 1 or not isinstance(found[0], gast.Expr):
        raise ValueError(f"the template is to be one expression, found {template!r}")
    return found[0].value


@functools.lru_cache(maxsize=512)
def _parsed(template: str) -> tuple[Any, ...]:
    return tuple(positions.strip(node) for node in parser.parse(textwrap.dedent(template), single_node=False))


def _as_nodes(name: str, value: Any) -> Any:
    """A replacement as a tree, or as a list of trees."""
    if isinstance(value, str):
        return gast.Name(value, gast.Load(), None, None)
    if isinstance(value, qual_names.QN):
        return value.ast()
    if isinstance(value, list | tuple):
        return [_as_nodes(name, each) for each in value]
    if isinstance(value, gast.AST):
        return value
    raise TypeError(
        f"{name} is to be replaced by a name, a QN, a tree or a list of them, found {type(value).__name__}; "
        f"write gast.Constant({value!r}, None) for a value"
    )


class ContextAdjuster:
    """Makes an expression one that is read, written or deleted: `a.b, c = ...` writes a.b and c, and reads a."""

    def __init__(self, ctx_type: Any) -> None:
        """ctx_type: gast.Load, gast.Store, gast.Del or gast.Param."""
        self._ctx_type = ctx_type

    def visit(self, node: Any) -> Any:
        """Adjust a tree, and return it."""
        pending = [node]
        while pending:
            current = pending.pop()
            if "ctx" in current._fields:
                current.ctx = self._ctx_type()
            if isinstance(current, gast.Tuple | gast.List):
                pending += current.elts
            elif isinstance(current, gast.Starred):
                pending.append(current.value)
        return node


class ReplaceTransformer(gast.NodeTransformer):
    """Replaces placeholders in a tree that was parsed from a template."""

    def __init__(self, replacements: dict[str, Any]) -> None:
        """replacements: from placeholders to trees, or lists of trees."""
        self.replacements = replacements

    def _new(self, name: str) -> Any:
        return ast_util.copy_clean(self.replacements[name], preserve_annos=_KEPT)

    def _identifier(self, name: str, where: str) -> str:
        """The name that a placeholder becomes where only a name can stand."""
        if name not in self.replacements:
            return name
        new = self.replacements[name]
        if not isinstance(new, gast.Name):
            raise ValueError(f"{name!r} stands for {where}, so a name is to replace it, found {type(new).__name__}")
        return str(new.id)

    def _identifiers(self, names: list[str], where: str) -> list[str]:
        found: list[str] = []
        for name in names:
            new = self.replacements.get(name)
            several = new if isinstance(new, list) else [name if new is None else new]
            strangers = [each for each in several if not isinstance(each, str | gast.Name)]
            if strangers:
                raise ValueError(f"{name!r} stands for {where}, so names are to replace it")
            found += [each if isinstance(each, str) else each.id for each in several]
        return found

    def visit_Name(self, node: Any) -> Any:
        """A placeholder that is read, written or deleted."""
        if node.id not in self.replacements:
            return self.generic_visit(node)
        new = self._new(node.id)
        several = isinstance(new, list)
        for each in new if several else [new]:
            if isinstance(each, gast.expr):
                ContextAdjuster(type(node.ctx)).visit(each)
        return new[0] if several and len(new) == 1 else new

    def visit_Expr(self, node: Any) -> Any:
        """A statement that is only a placeholder may become any statements."""
        self.generic_visit(node)
        value = node.value
        if isinstance(value, list):
            return [each if isinstance(each, gast.stmt) else gast.Expr(each) for each in value]
        return value if isinstance(value, gast.stmt) else node

    def visit_Attribute(self, node: Any) -> Any:
        """The name of an attribute."""
        node.attr = self._identifier(node.attr, "an attribute")
        return self.generic_visit(node)

    def visit_keyword(self, node: Any) -> Any:
        """The name of an argument; a placeholder may become several arguments."""
        new = self.replacements.get(node.arg)
        several = new if isinstance(new, list) else [new]
        if new is not None and all(isinstance(each, gast.keyword) for each in several):
            return self._new(node.arg)
        if node.arg is not None:
            node.arg = self._identifier(node.arg, "the name of an argument")
        return self.generic_visit(node)

    def _visit_definition(self, node: Any) -> Any:
        """The name of a function or class."""
        node.name = self._identifier(node.name, "the name of a definition")
        return self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _visit_definition

    def _visit_declaration(self, node: Any) -> Any:
        """Names that are declared; a placeholder may become several, or none."""
        node.names = self._identifiers(node.names, "declared names")
        return node if node.names else []

    visit_Global = visit_Nonlocal = _visit_declaration

    def generic_visit(self, node: Any) -> Any:
        """Everything else; raises ValueError where a list took the place of one tree."""
        visited = super().generic_visit(node)
        for field in node._fields:
            value = node.__dict__.get(field)
            if isinstance(value, list) and not isinstance(node, gast.Expr) and field in _SINGLE:
                raise ValueError(f"{len(value)} trees cannot replace the one {field} of a {type(node).__name__}")
            if isinstance(value, list) and field == "body" and not value and isinstance(node, gast.stmt):
                value.append(gast.Pass())
        return visited


# Fields that hold one tree, of the nodes in which templates have placeholders.
_SINGLE: Final = ("func", "iter", "left", "operand", "right", "slice", "target", "test", "value")
