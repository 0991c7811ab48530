"""Where generated code comes from: the user's line of each node, and a map from lines of generated text to them.

The tree that runs keeps the user's positions on its nodes, so nothing has to be mapped back in tracebacks. Origins
serve what is told of nodes, and text that a person reads or that goes into a file.

Example:
    node, source = parser.parse_entity(fn, future_features=())
    resolve_entity(node, source, fn)
    origin = anno.getanno(node.body[0], anno.Basic.ORIGIN)
    origin.loc.lineno, origin.function_name, origin.source_code_line
    lines = create_source_map(node, parser.unparse(node), "generated.py")
    lines[LineLocation("generated.py", 2)]   # the origin of line 2
"""

from __future__ import annotations

import inspect
import io
import tokenize
from typing import Any, NamedTuple

import gast

from autograph.pyct import anno, parser, positions
from autograph.syntax import children

__all__ = [
    "LineLocation",
    "Location",
    "OriginInfo",
    "copy_origin",
    "create_source_map",
    "resolve",
    "resolve_entity",
]


class LineLocation(NamedTuple):
    """A line of a file."""

    filename: str
    lineno: int


class Location(NamedTuple):
    """A place in a file."""

    filename: str
    lineno: int
    col_offset: int

    @property
    def line_loc(self) -> LineLocation:
        """The line."""
        return LineLocation(self.filename, self.lineno)


class OriginInfo(NamedTuple):
    """Where a node was written: the place, the function, the text of the line, and the comment that ends it."""

    loc: Location
    function_name: str | None
    source_code_line: str
    comment: str | None

    def as_frame(self) -> tuple[str, int, str | None, str]:
        """As a row of traceback.format_list."""
        return self.loc.filename, self.loc.lineno, self.function_name, self.source_code_line

    def __repr__(self) -> str:
        if self.loc.filename:
            return f"{self.loc.filename}:{self.loc.lineno}:{self.loc.col_offset}"
        return f"<no file>:{self.loc.lineno}:{self.loc.col_offset}"


def resolve(
    root_node: Any,
    source: str,
    context_filepath: str,
    context_lineno: int,
    context_col_offset: int = 0,
) -> None:
    """Annotate the nodes of a tree with their Basic.ORIGIN.

    source: the text of the tree, which begins in line `context_lineno` of the file. The positions of the nodes are
    those of the file, as `parser.parse_entity` gives them; `context_col_offset` is accepted and not needed.
    """
    lines = source.split("\n")
    comments = _comments(source)
    name = root_node.name if hasattr(root_node, "name") else None
    pending: list[tuple[Any, str | None]] = [(root_node, name)]
    while pending:
        node, function = pending.pop()
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
            function = node.name
        if positions.has_position(node):
            index = node.lineno - context_lineno
            line = lines[index] if 0 <= index < len(lines) else ""
            place = Location(context_filepath, node.lineno, node.col_offset)
            anno.setanno(node, anno.Basic.ORIGIN, OriginInfo(place, function, line, comments.get(index + 1)))
        pending += [(child, function) for child in children(node)]


def _comments(source: str) -> dict[int, str]:
    """The comment of each line that ends with one."""
    found: dict[int, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.string.lstrip("#").strip()
    except (tokenize.TokenError, SyntaxError):  # the text of a lambda may end in the middle of a line
        pass
    return found


def resolve_entity(node: Any, source: str, entity: Any) -> None:
    """Annotate the nodes of a function with their Basic.ORIGIN; node and source as `parser.parse_entity` gives them."""
    function = inspect.unwrap(entity, stop=lambda each: hasattr(each, "__code__"))
    code = getattr(function, "__code__", None)
    if code is not None:
        first = node.lineno if isinstance(node, gast.Lambda) else code.co_firstlineno
        resolve(node, source, code.co_filename, first)
    else:
        resolve(node, source, inspect.getsourcefile(entity) or "", inspect.getsourcelines(entity)[1] or 1)


def copy_origin(from_node: Any, to_node: Any) -> None:
    """Give all nodes of a tree (or of several) the origin of `from_node`, if it has one."""
    origin = anno.getanno(from_node, anno.Basic.ORIGIN, None)
    if origin is None:
        return
    pending = list(to_node) if isinstance(to_node, list | tuple) else [to_node]
    while pending:
        node = pending.pop()
        anno.setanno(node, anno.Basic.ORIGIN, origin)
        pending += children(node)


def create_source_map(nodes: Any, code: str, filepath: str) -> dict[LineLocation, OriginInfo]:
    """From lines of generated text to the origins of the nodes that they were printed from.

    code: what `parser.unparse(nodes)` gave; filepath: the file that it goes to. Raises ValueError if the text is not
    that of the nodes.
    """
    generated = parser.parse(code, single_node=False)
    originals = list(nodes) if isinstance(nodes, list | tuple) else [nodes]
    if len(originals) == 1 and isinstance(originals[0], gast.Module):
        originals = originals[0].body
    if len(originals) == 1 and isinstance(originals[0], gast.expr) and isinstance(generated[0], gast.Expr):
        generated = [generated[0].value]
    found: dict[LineLocation, OriginInfo] = {}
    pending = [(originals, generated)]
    while pending:
        ours, printed = pending.pop()
        if [type(each) for each in ours] != [type(each) for each in printed]:
            raise ValueError(f"the text for {filepath} was not printed from these nodes: {ours!r} against {printed!r}")
        for node, other in zip(ours, printed, strict=True):
            origin = anno.getanno(node, anno.Basic.ORIGIN, None)
            if origin is not None and positions.has_position(other):
                place = LineLocation(filepath, other.lineno)
                if place not in found or isinstance(node, gast.stmt):  # the statement of a line tells most
                    found.setdefault(place, origin)
            if not isinstance(node, gast.JoinedStr):  # printed in another way on some versions
                pending.append((list(children(node)), list(children(other))))
    return found
