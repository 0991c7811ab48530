"""Names for generated code that meet no name of the user's, and private names as the compiler would spell them.

Example:
    names = Namer({"if_body"})
    names.fresh("if_body")   # 'if_body_1'
    class_of("Model.train.<locals>.step")   # 'Model'
    mangled("__weights", "Model")           # '_Model__weights'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import gast

from autograph.syntax import children

__all__ = [
    "FRAME_READERS", "STACK_READERS", "Namer", "bound_among", "class_of", "defined_in", "identifiers", "mangle_private",
    "mangled", "put_back",
]  # fmt: skip

FRAME_READERS: Final = frozenset({"locals", "vars", "dir", "eval", "exec"})
"""The builtins that read the variables of the frame that calls them."""

STACK_READERS: Final = frozenset({
    "_getframe", "_getframemodulename", "currentframe", "extract_stack", "f_back", "format_stack", "getouterframes",
    "print_stack", "walk_stack",
})  # fmt: skip
"""By what a program gets at the frames around its own; but for `inspect.stack`, for many a variable is called so."""

_RING = 64


class Namer:
    """Hands out names that are not in use. Each call takes constant time."""

    def __init__(self, used: Iterable[str]) -> None:
        self._used = set(used)
        self._next: dict[str, int] = {}
        self._rings: dict[str, list[str]] = {}
        self._turns: dict[str, int] = {}
        self._shared: dict[str, str] = {}

    def fresh(self, root: str) -> str:
        """`root` if it is free, else `root_1`, `root_2`, ...; handed out once."""
        name, number = root, self._next.get(root, 1)
        while name in self._used:
            name = f"{root.rstrip('_')}_{number}"
            number += 1
        self._next[root] = number
        self._used.add(name)
        return name

    def shared(self, root: str) -> str:
        """A name for parameters of lambdas, the same each time: a lambda in a lambda may hide that of the outer one."""
        if root not in self._shared:
            self._shared[root] = self.fresh(root)
        return self._shared[root]

    def passing(self, root: str) -> str:
        """A name for a function that only the statement right after its definition uses: it comes back after a while.

        Python's compiler copies the names of a scope for each function inside it: with a name of its own for each
        generated function, the time to compile them would grow with the square of their number. With one name for all
        it would too, for Python 3.11 tells the code of functions apart by their names first. So some names take turns.
        """
        ring = self._rings.setdefault(root, [])
        turn = self._turns.get(root, 0)
        self._turns[root] = (turn + 1) % _RING
        if turn == len(ring):
            ring.append(self.fresh(root))
        return ring[turn]


def class_of(qualname: str) -> str | None:
    """The class whose body holds the function, read from its qualified name; None outside classes."""
    parts = qualname.split(".")[:-1]
    for position in range(len(parts) - 1, -1, -1):
        is_function = position + 1 < len(parts) and parts[position + 1] == "<locals>"
        if parts[position] != "<locals>" and not is_function:
            return parts[position]
    return None


def mangled(name: str, class_name: str) -> str:
    """The name that the compiler uses for `name` inside the class."""
    owner = class_name.lstrip("_")
    if not owner or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    return f"_{owner}{name}"


# The fields that hold names which the compiler mangles. Keyword arguments of calls are not among them.
_MANGLED_FIELDS: dict[type, tuple[str, ...]] = {
    gast.Name: ("id",),
    gast.Attribute: ("attr",),
    gast.FunctionDef: ("name",),
    gast.AsyncFunctionDef: ("name",),
    gast.ClassDef: ("name",),
    gast.Global: ("names",),
    gast.Nonlocal: ("names",),
    gast.alias: ("name", "asname"),
    gast.ImportFrom: ("module",),
    gast.MatchAs: ("name",),
    gast.MatchStar: ("name",),
    gast.MatchMapping: ("rest",),
    gast.ParamSpec: ("name",),
    gast.TypeVar: ("name",),
    gast.TypeVarTuple: ("name",),
}

_NAMED = (
    gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.ParamSpec, gast.TypeVar, gast.TypeVarTuple,
)  # fmt: skip
"""What makes objects that know the name which was written, and are bound to the mangled one."""

_ANNOTATIONS = ("annotation", "returns")

Written = list[tuple[Any, str, Any]]
"""Nodes with their fields that held a private name, and what was written there."""


def mangle_private(root: Any, class_name: str | None, text_annotations: bool = False) -> Written:
    """Spell out the private names in a function of that class, None for one of none; also in the classes in it.

    Its own name stays. text_annotations: whether annotations are kept as text, in which the compiler mangles nothing.
    The result is for `put_back`.
    """
    written: Written = []
    pending = [(root, class_name)]
    while pending:
        node, owner = pending.pop()
        kind, inner = type(node), owner
        if kind is gast.ClassDef:
            inner, outer = node.name, {id(part) for part in _outside(node)}
        else:
            outer = set()
        if owner is not None and node is not root and kind in _MANGLED_FIELDS:
            for field in _MANGLED_FIELDS[kind]:
                before = getattr(node, field)
                after = _mangled_all(before, owner)
                if after != before:
                    written.append((node, field, before))
                    setattr(node, field, after)
        left_out = [getattr(node, field, None) for field in _ANNOTATIONS] if text_annotations else ()
        for child in children(node):
            if child not in left_out:
                pending.append((child, owner if id(child) in outer else inner))
    return written


def _outside(node: Any) -> list[Any]:
    """The parts of the definition of a class that belong to what is around it."""
    return [*node.decorator_list, *([] if node.type_params else [*node.bases, *node.keywords])]


def _mangled_all(value: Any, owner: str) -> Any:
    if isinstance(value, list):
        return [mangled(name, owner) for name in value]
    return None if value is None else mangled(value, owner)


def put_back(written: Written, only_definitions: bool = False) -> None:
    """Undo `mangle_private`, or only for functions and classes: the compiler binds their mangled names by itself."""
    for node, field, value in written:
        if not only_definitions or isinstance(node, _NAMED):
            setattr(node, field, value)


# The fields that hold identifiers, beside those that hold nodes.
_NAME_FIELDS = ("id", "name", "asname", "arg", "names", "rest", "attr")


def identifiers(tree: Any) -> set[str]:
    """Every identifier in a tree, of whatever kind."""
    found: set[str] = set()
    pending = [tree]
    while pending:
        node = pending.pop()
        for field in _NAME_FIELDS:
            value = getattr(node, field, None)
            if isinstance(value, str):
                found.add(value)
            elif isinstance(value, list):
                found.update(item for item in value if item.__class__ is str)
        pending += children(node)
    return found


def defined_in(function: Any) -> list[str]:
    """The names of functions and classes that are defined in a function; `lambda x y` for lambdas (code_names.py)."""
    found: set[str] = set()
    pending = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Lambda):
            parameters = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            found.add(" ".join(["lambda", *(parameter.id for parameter in parameters)]))
        elif isinstance(node, _NAMED):
            found.add(node.name)
        elif isinstance(node, gast.TypeAlias):
            found.add(node.name.id)
        pending += children(node)
    return sorted(found)


def bound_among(tree: Any, names: frozenset[str]) -> frozenset[str]:
    """Those of `names` that something in the tree binds, in whatever scope."""
    found: set[str] = set()
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name):
            found.update([] if isinstance(node.ctx, gast.Load) else [node.id])
        elif isinstance(node, gast.alias):
            found.add(node.asname or node.name)
        elif isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
            found.add(node.name)
        pending += children(node)
    return names & found
