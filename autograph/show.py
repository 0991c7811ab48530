"""`show`: a function and its converted form side by side.

    autograph.show(step)                        # a table in notebooks, text at a prompt
    autograph.show(step).save("step.html")      # a page that needs nothing else
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.api import Features, asked_for
from autograph.conversion import converted_tree

if TYPE_CHECKING:
    from autograph.comparison import Comparison

__all__ = ["show"]


def show(fn: Any, recursive: bool = True, experimental_optional_features: Features = None) -> Comparison:
    """The source and the generated code of a function, method, lambda or callable object, line beside line.

    recursive, experimental_optional_features: as for `to_code`. Raises ConversionError if it cannot be converted.
    """
    from autograph import syntax  # as all that parses, loaded when it is needed
    from autograph.comparison import Comparison, aligned

    function, options = asked_for(fn, recursive, experimental_optional_features)
    definition, tree = converted_tree(function, options)
    node: Any = definition.node
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
    lines = [line.rstrip("\r\n") for line in definition.lines][first - 1 : node.end_lineno]
    if len(lines) < node.end_lineno - first + 1:  # code without text: its tree is all that there is
        first, lines = node.lineno, syntax.unparse(syntax.to_gast(node)).split("\n")
    return Comparison(function.__qualname__, tuple(aligned(lines, first, syntax.unparse(tree), tree)))
