"""Text to tree and back, and the builders of new nodes: the one place that knows gast, ast and astunparse.

Trees are gast trees, which look the same on every Python version. They are compiled (loader) or printed (here) after
one step back to the standard library's ast. Text is printed with ast.unparse; astunparse serves the tree view only.

Example:
    module = parse_module("y = f(x)", "example.py")
    print(unparse(module))      # y = f(x)
    At(module.body[0]).assign("z", At(module.body[0]).constant(1))   # a node at the place of the first statement

A tree may be as deep as the longest chain of operators in the program, so walks over it run under `deep_recursion`
(docs/decisions/0001-recursion-over-nesting-depth.md).
"""

from __future__ import annotations

import ast
import gc
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import astunparse
import gast

from autograph.depth import raise_limit, restore_limit
from autograph.errors import SourceSyntaxError

__all__ = [
    "SCOPES", "At", "children", "copy_location", "deep_recursion", "dump", "negated", "nodes_of", "parse_module",
    "paused_collection", "to_ast", "to_gast", "unparse", "unwarned",
]  # fmt: skip

SCOPES: Final = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
"""What has a body with names of its own, which a walk over one function leaves out."""

_DEEP_LIMIT = 100_000
_pauses_lock = threading.Lock()
_pauses = 0
_collected_before = True


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let Python functions recurse over the depth of a program; the old limit is back when the last user leaves.

    Frames of Python functions take no C stack on Python 3.11 and later, so the limit guards nothing here: how deep a
    tree can be was already decided by the parser.
    """
    need = raise_limit(frames=_DEEP_LIMIT)
    try:
        yield
    finally:
        restore_limit(need)


@contextmanager
def paused_collection() -> Iterator[None]:
    """No garbage collection while a large tree is built: it has no cycles, and each collection would walk all of it."""
    global _pauses, _collected_before
    with _pauses_lock:
        if _pauses == 0:
            _collected_before = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _pauses_lock:
            _pauses -= 1
            if _pauses == 0 and _collected_before:
                gc.enable()


@contextmanager
def unwarned(filename: str) -> Iterator[None]:
    """What Python's compiler warns of in a file is not said: Python said it when it compiled the file for the user.

    `warnings.catch_warnings` would show other warnings of the program a second time; a filter alone does not.
    """
    filters: list[Any] = warnings.filters  # type: ignore[assignment]
    silence = ("ignore", None, Warning, filename.removesuffix(".py"), 0)  # so the compiler names the module
    filters.insert(0, silence)
    try:
        yield
    finally:
        with suppress(ValueError):  # somebody has reset the filters
            filters.remove(silence)


def parse_module(text: str, filename: str) -> Any:
    """The gast tree of a whole file; raises SourceSyntaxError for everything that Python's parser refuses."""
    nul = text.find("\0")  # the parser refuses it without a place
    if nul >= 0:
        reason = "a NUL character; remove it, or save the file as plain text"
        raise SourceSyntaxError(reason, filename, 1 + text.count("\n", 0, nul))
    try:
        # Python 3.14 under -OO leaves the docstrings out, unless it is told not to.
        tree = compile(text, filename, "exec", ast.PyCF_ONLY_AST, dont_inherit=True, optimize=0)
    except SyntaxError as error:
        raise SourceSyntaxError(error.msg, filename, error.lineno, error.offset, error.text) from None
    except (RecursionError, MemoryError):
        lines = text.split("\n")
        longest = 1 + max(range(len(lines)), key=lambda i: len(lines[i]))
        reason = f"the nesting is too deep for Python's parser; split it (line {longest} is the longest of the file)"
        raise SourceSyntaxError(reason, filename) from None
    return to_gast(tree)


def to_gast(node: ast.AST) -> Any:
    """The gast tree of a tree of the standard library."""
    with deep_recursion(), paused_collection():
        return gast.ast_to_gast(node)


def to_ast(node: Any) -> Any:
    """The standard tree of a gast tree, ready to compile if every node has a position, as here they have.

    Compile deep trees under `deep_recursion()` too: on Python 3.11 the compiler obeys the same limit.
    """
    with deep_recursion(), paused_collection():
        return _to_ast(node)


def unparse(node: Any) -> str:
    """The text of a gast tree."""
    with deep_recursion():
        return ast.unparse(_to_ast(node))


def dump(node: Any) -> str:
    """The tree view of a gast tree, one node per line, for people."""
    with deep_recursion():
        text: str = astunparse.dump(_to_ast(node))
    return text


# gast's own way back takes several times as long, and it is half of the time of a conversion. What differs between the
# two kinds of tree is a name that is a parameter or an exception's; all other nodes have the same fields.


def _to_ast(node: Any) -> Any:
    kind = node.__class__
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(node)
    target, keys = _targets.get(kind) or _target(kind)
    new = target.__new__(target)  # its constructor warns of fields that are only set below
    fields = new.__dict__
    for key, value in node.__dict__.items():
        if key not in keys:
            continue
        if value.__class__ is list:
            fields[key] = [_to_ast(item) if isinstance(item, ast.AST) else item for item in value]
        elif isinstance(value, ast.AST):
            fields[key] = _to_ast(value)
        else:
            fields[key] = value
    return new


_targets: dict[type, tuple[Any, frozenset[str]]] = {}


def _target(kind: type) -> tuple[Any, frozenset[str]]:
    """The class of the standard library for one of gast, and the names of what it holds."""
    target = next(getattr(ast, base.__name__) for base in kind.__mro__ if hasattr(ast, base.__name__))
    _targets[kind] = target, frozenset((*target._fields, *target._attributes))
    return _targets[kind]


def _name_to_ast(node: Any) -> Any:
    new: Any = ast.Name(node.id, _to_ast(node.ctx))
    return ast.copy_location(new, node)


def _parameter_to_ast(node: Any) -> Any:
    if node is None:
        return None
    annotation = None if node.annotation is None else _to_ast(node.annotation)
    return ast.copy_location(ast.arg(node.id, annotation, node.type_comment), node)


def _arguments_to_ast(node: Any) -> Any:
    return ast.arguments(
        posonlyargs=[_parameter_to_ast(parameter) for parameter in node.posonlyargs],
        args=[_parameter_to_ast(parameter) for parameter in node.args],
        vararg=_parameter_to_ast(node.vararg),
        kwonlyargs=[_parameter_to_ast(parameter) for parameter in node.kwonlyargs],
        kw_defaults=[None if default is None else _to_ast(default) for default in node.kw_defaults],
        kwarg=_parameter_to_ast(node.kwarg),
        defaults=[_to_ast(default) for default in node.defaults],
    )


def _handler_to_ast(node: Any) -> Any:
    caught = None if node.type is None else _to_ast(node.type)
    name = None if node.name is None else node.name.id
    return ast.copy_location(ast.ExceptHandler(caught, name, [_to_ast(item) for item in node.body]), node)


_CONTEXTS = {gast.Load: ast.Load(), gast.Store: ast.Store(), gast.Del: ast.Del()}

_SPECIAL: dict[type, Callable[[Any], Any]] = {
    gast.Name: _name_to_ast,
    gast.arguments: _arguments_to_ast,
    gast.ExceptHandler: _handler_to_ast,
    **dict.fromkeys(_CONTEXTS, lambda node: _CONTEXTS[node.__class__]),
}


def nodes_of(tree: ast.AST) -> list[Any]:
    """Every node of a tree of the standard library, as `ast.walk` gives them, in a third of its time."""
    found: list[Any] = [tree]
    for node in found:  # it grows
        for value in node.__dict__.values():
            if value.__class__ is list:
                found += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def children(node: Any) -> Iterable[Any]:
    """The nodes directly below a node, in the order of its fields, without the load/store markers."""
    found = []
    for field in node._fields:
        value = getattr(node, field, ())
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, gast.AST)]
        elif isinstance(value, gast.AST) and value._fields:
            found.append(value)
    return found


def copy_location(new: Any, old: Any) -> Any:
    """Give `new` the position of `old`, and return it."""
    new.lineno, new.col_offset = old.lineno, old.col_offset
    new.end_lineno, new.end_col_offset = old.end_lineno, old.end_col_offset
    return new


class At:
    """Builds nodes at the position of an existing node.

    Example: `At(statement).call(At(statement).name("print"), [argument])`.
    """

    __slots__ = ("col_offset", "end_col_offset", "end_lineno", "lineno")

    def __init__(self, start: Any, end: Any = None) -> None:
        """From the start of `start` to the end of `end`, which is `start` itself where not given."""
        end = start if end is None else end
        self.lineno: int = start.lineno
        self.col_offset: int = start.col_offset
        self.end_lineno: int = end.end_lineno
        self.end_col_offset: int = end.end_col_offset

    @classmethod
    def start_of(cls, node: Any) -> At:
        """The first character of a node: for code that runs whatever becomes of the rest of the statement."""
        at = cls(node)
        at.end_lineno, at.end_col_offset = at.lineno, at.col_offset + 1
        return at

    def put(self, node: Any) -> Any:
        """Set the position of a node that was built elsewhere."""
        node.lineno, node.col_offset = self.lineno, self.col_offset
        node.end_lineno, node.end_col_offset = self.end_lineno, self.end_col_offset
        return node

    def name(self, name: str) -> Any:
        return self.put(gast.Name(name, gast.Load(), None, None))

    def store(self, name: str) -> Any:
        return self.put(gast.Name(name, gast.Store(), None, None))

    def constant(self, value: Any) -> Any:
        return self.put(gast.Constant(value, None))

    def attribute(self, value: Any, attr: str) -> Any:
        return self.put(gast.Attribute(value, attr, gast.Load()))

    def tuple(self, items: Sequence[Any]) -> Any:
        return self.put(gast.Tuple(list(items), gast.Load()))

    def keyword(self, arg: str | None, value: Any) -> Any:
        return self.put(gast.keyword(arg, value))

    def call(self, function: Any, arguments: Sequence[Any], keywords: Sequence[Any] = ()) -> Any:
        return self.put(gast.Call(function, list(arguments), list(keywords)))

    def operator(self, ag: str, name: str, *arguments: Any, keywords: Sequence[Any] = ()) -> Any:
        """A call of one of the functions of generated code: `ag__.name(arguments)`."""
        function = self.attribute(self.name(ag), name)
        # Python gives a method call the last line of what is called: over many lines, that is not the user's.
        if self.end_lineno != self.lineno:
            for node in (function, function.value):
                node.end_lineno, node.end_col_offset = self.lineno, self.col_offset + 1
        return self.call(function, arguments, keywords)

    def assign(self, target: Any, value: Any) -> Any:
        """`target = value`; a string names a variable."""
        target = self.store(target) if isinstance(target, str) else target
        return self.put(gast.Assign([target], value, None))

    def delete(self, *names: str) -> Any:
        """`del name, ...`"""
        return self.put(gast.Delete([self.put(gast.Name(name, gast.Del(), None, None)) for name in names]))

    def expression(self, value: Any) -> Any:
        return self.put(gast.Expr(value))

    def returns(self, value: Any) -> Any:
        return self.put(gast.Return(value))

    def pass_(self) -> Any:
        return self.put(gast.Pass())

    def if_(self, test: Any, body: list[Any]) -> Any:
        return self.put(gast.If(test, body, []))

    def not_(self, value: Any) -> Any:
        return self.put(gast.UnaryOp(gast.Not(), value))

    def parameters(self, names: Sequence[str]) -> Any:
        params = [self.put(gast.Name(name, gast.Param(), None, None)) for name in names]
        return gast.arguments(params, [], None, [], [], None, [])

    def thunk(self, body: Any, parameters: Sequence[str] = ()) -> Any:
        """`lambda: body`."""
        return self.put(gast.Lambda(self.parameters(parameters), body))

    def function(self, name: str, parameters: Sequence[str], body: list[Any]) -> Any:
        """`def name(parameters): body`, with `pass` where there is nothing to do."""
        return self.put(gast.FunctionDef(name, self.parameters(parameters), body or [self.pass_()], [], None, None, []))


def negated(flags: Sequence[str], at: At) -> Any:
    """`not a and not b and ...` over the names of flags."""
    tests = [at.not_(at.name(flag)) for flag in flags]
    return tests[0] if len(tests) == 1 else at.put(gast.BoolOp(gast.And(), tests))
