"""The base of a transformer: a visitor that knows the function it works on, and keeps state as it goes down the tree.

Example:
    class Doubler(transformer.Base):
        def visit_Constant(self, node):
            return templates.replace_as_expression("2 * value", value=node)

    tree = Doubler(ctx).visit(tree)

What a visit returns in place of a node gets the node's position and origin, so tracebacks show the user's line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import gast

from autograph.pyct import anno, ast_util, naming, origin_info, parser, positions, pretty_printer, templates
from autograph.syntax import copy_location

__all__ = ["Base", "CodeGenerator", "Context", "EntityInfo", "NodeStateTracker"]


class EntityInfo(NamedTuple):
    """The function that is transformed.

    name: the name that the result has. source_code, source_file: its text, and the file with it. future_features: names
    of the `from __future__` features that it was compiled with. namespace: the values of what it sees from outside.
    """

    name: str
    source_code: str
    source_file: str
    future_features: tuple[str, ...]
    namespace: dict[str, Any]


@dataclass(slots=True)
class Context:
    """What a transformer needs to know. user: what the client gave; current_origin: of the node that is visited."""

    info: EntityInfo
    namer: naming.Namer
    user: Any = None
    current_origin: origin_info.OriginInfo | None = field(default=None)


class _StateStack:
    """Values of one class, one for each time that it was entered; attributes are those of the innermost value."""

    _stack: list[Any]
    _kind: Callable[[], Any]

    def __init__(self, kind: Any) -> None:
        object.__setattr__(self, "_kind", kind)
        object.__setattr__(self, "_stack", [])
        if not hasattr(kind, "no_root"):
            self.enter()

    def __enter__(self) -> _StateStack:
        self.enter()
        return self

    def __exit__(self, *_: object) -> None:
        self.exit()

    def enter(self) -> None:
        """Start with a new value."""
        self._stack.append(self._kind())

    def exit(self) -> Any:
        """Go back to the value before; returns the one that is left."""
        return self._stack.pop()

    @property
    def stack(self) -> list[Any]:
        """All values, the innermost last."""
        return self._stack

    @property
    def level(self) -> int:
        """How many values there are."""
        return len(self._stack)

    @property
    def value(self) -> Any:
        """The innermost value."""
        return self._stack[-1]

    def __iter__(self) -> Any:
        return iter(self._stack)

    def __getattr__(self, key: str) -> Any:
        return getattr(self._stack[-1], key)

    def __setattr__(self, key: str, value: Any) -> None:
        setattr(self._stack[-1], key, value)


class _State:
    """The stacks of a visitor, by class: `self.state[Loop]`."""

    def __init__(self) -> None:
        self._stacks: dict[Any, _StateStack] = {}

    def __getitem__(self, kind: Any) -> _StateStack:
        if kind not in self._stacks:
            self._stacks[kind] = _StateStack(kind)
        return self._stacks[kind]


class NodeStateTracker:
    """State by class: `with self.state[Loop] as loop: loop.test = node.test`.

    Each class is a value of its own: `self.state[Loop].level` tells how deep, attributes are those of the innermost. A
    class that is never entered has one value, unless it has an attribute `no_root`.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.state = _State()

    if TYPE_CHECKING:  # visitors derive from a visitor of gast too

        def visit(self, node: Any) -> Any: ...

    def debug_print(self, node: Any) -> Any:
        """Print a tree, and return it."""
        print(pretty_printer.fmt(node))
        return node

    def debug_print_src(self, node: Any) -> Any:
        """Print a tree as code, and return it."""
        print(parser.unparse(node, include_encoding_marker=False), end="")
        return node

    def visit_block(
        self,
        nodes: Collection[Any] | None,
        before_visit: Callable[[], None] | None = None,
        after_visit: Callable[[Any], tuple[Any, list[Any] | None]] | None = None,
    ) -> list[Any] | None:
        """Visit the statements of a block in turn.

        before_visit: is called before each. after_visit: gets what came of a statement, and returns what to put in
        place of that, and a list that all following statements go to (the body of a new `if`, say), or None.
        """
        if nodes is None:
            return None
        results: list[Any] = []
        destination = results
        for node in nodes:
            if before_visit is not None:
                before_visit()
            new, other = self.visit(node), None
            if after_visit is not None and new:
                new, other = after_visit(new)
            if new:
                destination += new if isinstance(new, list | tuple) else [new]
            if other is not None:
                destination = other
        return results


class Base(NodeStateTracker, gast.NodeTransformer):
    """A transformer: its `visit_<Node>` return what to put in place of a node: a node, a list, or None for nothing."""

    def create_assignment(self, target: Any, expression: Any) -> list[Any]:
        """The statement `target = expression`, of trees or names."""
        return templates.replace("target = expression", target=target, expression=expression)

    def apply_to_single_assignments(self, targets: Any, values: Any, apply_fn: Callable[[Any, Any], None]) -> None:
        """See ast_util.apply_to_single_assignments."""
        ast_util.apply_to_single_assignments(targets, values, apply_fn)

    def visit(self, node: Any) -> Any:
        """Transform a node. Raises TypeError for a list: a block goes to `visit_block`."""
        if not isinstance(node, gast.AST):
            raise TypeError(f"visit takes a node, found {type(node).__name__}; visit_block takes a list of statements")
        if anno.hasanno(node, anno.Basic.SKIP_PROCESSING):
            return node
        before = self.ctx.current_origin
        origin = anno.getanno(node, anno.Basic.ORIGIN, before)
        self.ctx.current_origin = origin
        value = node.value if isinstance(node, gast.Expr) else None
        result = super().visit(node)
        is_changed = isinstance(result, gast.Expr) and result is node and result.value is not value
        if is_changed and isinstance(result.value, list | tuple | gast.stmt):  # of a template that has statements
            result = result.value
        if result is not node and result is not None:
            for new in result if isinstance(result, list | tuple) else [result]:
                _place(new, node, origin)
        self.ctx.current_origin = before
        return result


def _place(new: Any, old: Any, origin: Any) -> None:
    """Give what stands in place of a node its position and origin, where it has none of its own."""
    if "lineno" in new._attributes and not positions.has_position(new) and positions.has_position(old):
        copy_location(new, old)
    if origin is not None and not anno.hasanno(new, anno.Basic.ORIGIN):
        anno.setanno(new, anno.Basic.ORIGIN, origin)


class CodeGenerator(NodeStateTracker, gast.NodeVisitor):
    """A visitor that writes text in another language: methods `visit_<Node>` call `emit`.

    source_map: from lines of the text to the origins of the nodes that wrote them.
    """

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self._parts: list[str] = []
        self._line = 1
        self.source_map: dict[int, origin_info.OriginInfo] = {}

    def emit(self, code: str) -> None:
        """Write some text."""
        origin = self.ctx.current_origin
        lines = code.count("\n")
        if origin is not None:
            for line in range(self._line, self._line + max(1, lines)):
                self.source_map.setdefault(line, origin)
        self._line += lines
        self._parts.append(code)

    @property
    def code_buffer(self) -> str:
        """The text so far."""
        return "".join(self._parts)

    def visit(self, node: Any) -> Any:
        """Write a node."""
        if anno.hasanno(node, anno.Basic.SKIP_PROCESSING):
            return None
        before = self.ctx.current_origin
        self.ctx.current_origin = anno.getanno(node, anno.Basic.ORIGIN, before)
        result = super().visit(node)
        self.ctx.current_origin = before
        return result
