"""Which constructs stand inside which: a count of (outer, inner) pairs over programs.

A generator that never puts `continue` into a `finally` in a `for` tests nothing of it; the table shows such holes.

Example:

    pairs("for i in x:\\n    if i:\\n        break\\n")
    # {("for", "if"): 1, ("for", "break"): 1, ("if", "break"): 1}
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

__all__ = ["CONTAINER_PAIRS", "PYTHON_PAIRS", "STAGED_PAIRS", "Layout", "pairs", "rare", "table"]

OUTER = ("def", "for", "for else", "while", "while else", "if", "else", "try", "except", "try else", "finally", "with")
INNER = (
    "if",
    "for",
    "while",
    "try",
    "with",
    "def",
    "class",
    "lambda",
    "break",
    "continue",
    "return",
    "raise",
    "assert",
    "del",
    "assign",
    "augment",
    "nonlocal",
    "comprehension",
    "ternary",
    "logic",
    "not",
    "chain",
    "walrus",
    "star call",
)

RARE = 200  # fewer than one program of so many is fewer than 100 of 20,000


@dataclass(frozen=True)
class Layout:
    """The rows and columns of a table, and the pairs that cannot be, with the reason."""

    outer: tuple[str, ...]
    inner: tuple[str, ...]
    impossible: Mapping[tuple[str, str], str]


HEAD_OF_A_FUNCTION = "the declaration stands at the head of a function, and pairs stop at a function"
GENERATOR_WITH_TRY = "a generator that yields in `try` runs in steps, as in Python, and cannot branch on tensors"
NO_NONLOCAL = {(outer, "nonlocal"): HEAD_OF_A_FUNCTION for outer in (*OUTER, "match") if outer != "def"}
PYTHON_PAIRS = Layout(OUTER, INNER, NO_NONLOCAL)
# What the staged family writes: no class, no `del`.
STAGED_PAIRS = Layout(
    (*OUTER, "match"),
    (
        *(name for name in INNER if name not in ("class", "del")),
        *("match", "text", "unpack", "item read", "item write", "attribute write", "append", "builtin", "None", "call"),
        "yield",
    ),
    NO_NONLOCAL | {(outer, "yield"): GENERATOR_WITH_TRY for outer in ("try", "except", "try else", "finally")},
)
# What the containers family is about: names that share an object, and ways to change and to compare one.
CONTAINER_PAIRS = Layout(
    (*OUTER, "match"),
    (
        *("alias", "assign", "unpack", "augment", "item write", "slice write", "attribute write", "append", "change"),
        *("is", "None", "item read", "ternary", "call"),
    ),
    {},
)
CHANGES = ("clear", "extend", "insert", "pop", "reverse", "setdefault", "update")
BUILTINS = ("abs", "all", "any", "divmod", "enumerate", "len", "max", "min", "reversed", "sorted", "sum", "zip")

SIMPLE = {
    ast.If: "if",
    ast.For: "for",
    ast.While: "while",
    ast.Try: "try",
    ast.With: "with",
    ast.FunctionDef: "def",
    ast.ClassDef: "class",
    ast.Lambda: "lambda",
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Return: "return",
    ast.Raise: "raise",
    ast.Assert: "assert",
    ast.Delete: "del",
    ast.Assign: "assign",
    ast.AugAssign: "augment",
    ast.Nonlocal: "nonlocal",
    ast.ListComp: "comprehension",
    ast.SetComp: "comprehension",
    ast.GeneratorExp: "comprehension",
    ast.IfExp: "ternary",
    ast.BoolOp: "logic",
    ast.NamedExpr: "walrus",
    ast.Starred: "star call",
    ast.Match: "match",
    ast.JoinedStr: "text",
    ast.Yield: "yield",
}
BLOCKS = {
    ast.If: {"body": "if", "orelse": "else"},
    ast.For: {"body": "for", "orelse": "for else"},
    ast.While: {"body": "while", "orelse": "while else"},
    ast.With: {"body": "with"},
    ast.FunctionDef: {"body": "def"},
    ast.Try: {"body": "try", "orelse": "try else", "finalbody": "finally"},
    ast.ExceptHandler: {"body": "except"},
    ast.match_case: {"body": "match"},
}


def pairs(text: str) -> Counter[tuple[str, str]]:
    """How often each inner construct stands in each outer one, at any depth but not through a `def`."""
    return Counter(_walk(ast.parse(text), ()))


def _walk(node: ast.AST, around: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    name = _name(node)
    if name:
        for outer in dict.fromkeys(around):
            yield outer, name
    blocks = BLOCKS.get(type(node), {})
    for field, value in ast.iter_fields(node):
        if field in blocks:
            inner = (blocks[field],) if isinstance(node, ast.FunctionDef) else (*around, blocks[field])
        else:
            inner = around
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child, inner)


def _name(node: ast.AST) -> str | None:
    if isinstance(node, ast.Compare):
        return "chain" if len(node.ops) > 1 else "is" if isinstance(node.ops[0], ast.Is | ast.IsNot) else None
    if isinstance(node, ast.UnaryOp):
        return "not" if isinstance(node.op, ast.Not) else None
    if isinstance(node, ast.Subscript | ast.Attribute):
        written = isinstance(node.ctx, ast.Store)
        kind = "attribute" if isinstance(node, ast.Attribute) else "item"
        if written and kind == "item" and isinstance(node.slice, ast.Slice):
            kind = "slice"
        return f"{kind} write" if written else f"{kind} read"
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
        return "unpack"
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
        return "alias"
    if isinstance(node, ast.Constant):
        return "None" if node.value is None else None
    return _call(node) if isinstance(node, ast.Call) else SIMPLE.get(type(node))


def _call(node: ast.Call) -> str | None:
    match node.func:
        case ast.Name(id=name):
            return "builtin" if name in BUILTINS else "call"
        case ast.Attribute(attr="append"):
            return "append"
        case ast.Attribute(attr=name) if name in CHANGES:
            return "change"
    return None


def table(counts: Counter[tuple[str, str]], layout: Layout = PYTHON_PAIRS) -> str:
    """The counts as a table, outer constructs as rows."""
    lines = [" " * 11 + "".join(f"{inner[:8]:>9}" for inner in layout.inner)]
    for outer in layout.outer:
        lines.append(f"{outer:<11}" + "".join(f"{counts[outer, inner]:>9}" for inner in layout.inner))
    return "\n".join(lines)


def rare(counts: Counter[tuple[str, str]], programs: int, layout: Layout = PYTHON_PAIRS) -> list[str]:
    """Pairs that are written less often than 100 times in 20,000 programs."""
    return [
        f"{inner} in {outer}: {counts[outer, inner]}"
        for outer in layout.outer
        for inner in layout.inner
        if counts[outer, inner] * RARE < programs and (outer, inner) not in layout.impossible
    ]
