"""Which constructs stand inside which: a count of (outer, inner) pairs over programs.

A generator that never puts `continue` into a `finally` in a `for` tests nothing of it; the table shows such holes.

Example:

    pairs("for i in x:\\n    if i:\\n        break\\n")
    # {("for", "if"): 1, ("for", "break"): 1, ("if", "break"): 1}
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

__all__ = ["INNER", "OUTER", "pairs", "table"]

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
}
BLOCKS = {
    ast.If: {"body": "if", "orelse": "else"},
    ast.For: {"body": "for", "orelse": "for else"},
    ast.While: {"body": "while", "orelse": "while else"},
    ast.With: {"body": "with"},
    ast.FunctionDef: {"body": "def"},
    ast.Try: {"body": "try", "orelse": "try else", "finalbody": "finally"},
    ast.ExceptHandler: {"body": "except"},
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
        return "chain" if len(node.ops) > 1 else None
    if isinstance(node, ast.UnaryOp):
        return "not" if isinstance(node.op, ast.Not) else None
    return SIMPLE.get(type(node))


def table(counts: Counter[tuple[str, str]]) -> str:
    """The counts as a table, outer constructs as rows."""
    lines = [" " * 11 + "".join(f"{inner[:8]:>9}" for inner in INNER)]
    for outer in OUTER:
        lines.append(f"{outer:<11}" + "".join(f"{counts[outer, inner]:>9}" for inner in INNER))
    return "\n".join(lines)
