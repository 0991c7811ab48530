"""`show`: a function and its converted form side by side.

    autograph.show(step)                        # a table in notebooks, text at a prompt
    autograph.show(step).save("step.html")      # a page that needs nothing else
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograph import source, syntax
from autograph.api import Features, asked_for
from autograph.comparison import Row, aligned, as_html, as_text
from autograph.conversion import converted_tree
from autograph.page import page

__all__ = ["Comparison", "show"]


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """A program and its converted form: a table in notebooks, `str` of it is text."""

    name: str
    rows: tuple[Row, ...]

    def __str__(self) -> str:
        return as_text(self.rows)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self.rows, self.name)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as one HTML page."""
        Path(path).write_text(page(self.name, self._repr_html_()), encoding="utf-8")


def show(fn: Any, recursive: bool = True, experimental_optional_features: Features = None) -> Comparison:
    """The source and the generated code of a function, method, lambda or callable object, line beside line.

    recursive, experimental_optional_features: as for `to_code`. Raises ConversionError if it cannot be converted.
    """
    function, options = asked_for(fn, recursive, experimental_optional_features)
    definition, tree = converted_tree(function, options)
    node: Any = definition.node
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    lines = [line.rstrip("\r\n") for line in source.lines_of(function)][first - 1 : node.end_lineno]
    if len(lines) < node.end_lineno - first + 1:  # code without text: its tree is all that there is
        first, lines = node.lineno, syntax.unparse(syntax.to_gast(node)).split("\n")
    return Comparison(function.__qualname__, tuple(aligned(lines, first, syntax.unparse(tree), tree)))
