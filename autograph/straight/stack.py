"""What is known while instructions are read: values that are not used yet, and statements that are complete.

    stack.push(ast.Name("x", ast.Load()))      # at the place in the text of the instruction that is read
    left, right = stack.values(2)
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

__all__ = ["Augmented", "Converted", "FunctionNode", "Item", "Null", "Stack", "Unknown"]

FunctionNode = ast.FunctionDef | ast.Lambda


class Unknown(Exception):
    """The code does what is not read here."""


@dataclass(frozen=True)
class Null:
    """What lies on the stack beside a function that is called, and in the place of cells for one that is made."""

    of_method: bool = False
    """Whether what is called was looked up as a method is."""


@dataclass(frozen=True)
class Converted:
    """A value in the field of an f-string, before it is formatted."""

    value: ast.expr
    conversion: int


@dataclass(frozen=True)
class Augmented:
    """What `x += 1` is about to store."""

    target: ast.expr
    operator: ast.operator
    value: ast.expr


@dataclass(frozen=True)
class Item:
    """One of the values that an assignment to several names takes apart."""

    names: ast.Tuple


@dataclass
class Stack:
    """See the module's docstring. inner: the tree of a function in the function.

    imported: names that Python knew as those of modules, in which it looks no methods up.
    """

    code: CodeType
    inner: Callable[[CodeType], FunctionNode | None]
    imported: set[str]
    place: dict[str, int]
    items: list[Any] = field(default_factory=list)
    body: list[ast.stmt] = field(default_factory=list)
    names: tuple[str, ...] = ()
    """Of the arguments that the next call gives by name."""

    def put(self, node: Any) -> Any:
        """The node, at the place of the instruction."""
        for name, value in self.place.items():
            setattr(node, name, value)
        return node

    def push(self, node: Any) -> None:
        self.items.append(self.put(node))

    def push_called(self, node: Any, of_method: bool = False) -> None:
        """What the next call calls, or what that is an attribute of."""
        self.items += [Null(of_method), self.put(node)]

    def take(self, count: int) -> list[Any]:
        """The last values, in the order in which they came."""
        if count > len(self.items):
            raise Unknown
        first = len(self.items) - count
        taken = self.items[first:]
        del self.items[first:]
        return taken

    def values(self, count: int) -> list[ast.expr]:
        taken = self.take(count)
        if not all(isinstance(value, ast.expr) for value in taken):
            raise Unknown
        return taken

    def value(self) -> ast.expr:
        return self.values(1)[0]
