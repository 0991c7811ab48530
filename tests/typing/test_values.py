"""The types that checkers reveal are those of the values: the programs run, without the lines that are mistakes."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.typing.checking import COMMENT, own_numbers, program_files, written

REVEALED = {m[:2]: m.text for m in written("mypy") if m.text.startswith("note: Revealed")}
MISTAKES = {m[:2] for m in written("mypy") if m.text.startswith("error")}


class Checker(ast.NodeTransformer):
    """Leaves out statements that are mistakes, and lets `reveal_type` know its line."""

    def __init__(self, path: Path) -> None:
        self.program, self.numbers = path.name, own_numbers(path.read_text(encoding="utf-8"))

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            if (self.program, self.numbers[first]) in MISTAKES:
                return None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reveal_type":
            place = ast.Constant((self.program, self.numbers[node.lineno]))
            node.args.append(ast.copy_location(place, node))
            return node
        return self.generic_visit(node)


def alternatives(text: str) -> Iterator[str]:
    """The types of a union."""
    depth, start = 0, 0
    for place, sign in enumerate(text):
        depth += (sign in "[(") - (sign in ")]")
        if text[place : place + 3] == " | " and not depth:
            yield text[start:place]
            start = place + 3
    yield text[start:]


def is_of(value: Any, text: str) -> bool:
    """Whether a value is of a type as mypy writes it; of lists and tuples of one type each element is looked at."""
    if " | " in text and len(kinds := [*alternatives(text)]) > 1:
        return any(is_of(value, kind) for kind in kinds)
    if text == "Any":
        return True
    if text.startswith("def "):
        return callable(value)
    if literal := re.match(r"Literal\[(.*)\.\w+\]\?", text):
        text = literal[1]
    name, _, inside = text.removesuffix("]").partition("[")
    module, _, name = name.rpartition(".")
    if module.startswith("tests.typing.programs."):
        return bool(type(value).__name__ == name)
    kind = getattr(importlib.import_module({"typing": "collections.abc"}.get(module, module) or "builtins"), name)
    if not isinstance(value, kind):
        return False
    elements = inside.removesuffix(", ...") if kind in (list, tuple) and "fallback" not in inside else ""
    kinds = {*elements.split(", ")} if elements and "[" not in elements else set()
    return len(kinds) != 1 or all(is_of(element, *kinds) for element in value)


@pytest.mark.parametrize("path", program_files(), ids=lambda path: path.stem)
def test_values_are_of_the_types_that_are_revealed(path: Path) -> None:
    seen = set()

    def reveal_type(value: Any, place: tuple[str, int]) -> Any:
        text = REVEALED[place].split('"')[1]
        assert is_of(value, text), (path.name, place[1], text, value)
        seen.add(place)
        return value

    tree = ast.fix_missing_locations(Checker(path).visit(ast.parse(path.read_text(encoding="utf-8"))))
    names = {"reveal_type": reveal_type, "__name__": f"tests.typing.programs.{path.stem}"}
    exec(compile(tree, str(path), "exec"), names)
    assert seen == {place for place in REVEALED if place[0] == path.name}


def test_types_of_values_are_told_apart() -> None:
    assert is_of([1], "list[int]") and is_of((1, 2), "tuple[int, int]") and is_of(1.5, "int | float")
    assert not is_of([1.5], "list[int]") and not is_of((1,), "list[int]") and not is_of("", "int | float")
    assert COMMENT.match('    # by mypy: note: Revealed type is "int"')
