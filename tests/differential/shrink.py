"""Makes a failing program small: deletes statements, or puts a body in place of its compound statement, while it fails.

Example:

    shrink(text, lambda candidate: "bug" in candidate)      # the fewest statements that still contain "bug"

A candidate is source text; the caller says whether it still fails in the same way.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

__all__ = ["shrink"]

BLOCKS = ("body", "orelse", "finalbody", "handlers")


def shrink(text: str, fails: Callable[[str], bool], attempts: int = 600) -> str:
    """The smallest text found within a number of attempts; equal to the given one if nothing may go."""
    best = ast.unparse(ast.parse(text)) + "\n"
    if not fails(best):
        return text
    progress = True
    while progress and attempts > 0:
        progress = False
        for candidate in _smaller(best):
            attempts -= 1
            if attempts <= 0:
                break
            if fails(candidate):
                best, progress = candidate, True
                break
    return best


def _smaller(text: str) -> Iterator[str]:
    """Texts with some statements fewer: halves of blocks first, then single statements, then hoisted bodies."""
    places = [
        (index, name)
        for index, node in enumerate(ast.walk(ast.parse(text)))
        for name in BLOCKS
        if isinstance(getattr(node, name, None), list) and getattr(node, name)
    ]
    spans: list[tuple[int, int, str, int, int]] = []
    for index, name in places:
        length = len(_block(ast.parse(text), index, name))
        size = length
        while size:
            spans += [(-size, index, name, start, min(start + size, length)) for start in range(0, length, size)]
            size //= 2
    for _, index, name, start, stop in sorted(spans):
        yield from _rendered(text, index, name, start, stop, hoist=False)
    for _, index, name, start, stop in spans:
        if stop - start == 1:
            yield from _rendered(text, index, name, start, stop, hoist=True)


def _block(tree: ast.AST, index: int, name: str) -> list[ast.stmt]:
    block: list[ast.stmt] = getattr(list(ast.walk(tree))[index], name)
    return block


def _rendered(text: str, index: int, name: str, start: int, stop: int, hoist: bool) -> Iterator[str]:
    tree = ast.parse(text)
    block = _block(tree, index, name)
    replacement: list[ast.stmt] = []
    if hoist:
        node = block[start]
        for inner in BLOCKS[:3]:
            replacement += getattr(node, inner, [])
        if not replacement or isinstance(node, ast.FunctionDef | ast.ClassDef):
            return
    block[start:stop] = replacement
    if not block and name == "body":
        block.append(ast.Pass())
    candidate = ast.unparse(tree) + "\n"
    try:
        compile(candidate, "<candidate>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return
    if candidate != text and len(candidate) < len(text):
        yield candidate
