"""set_loop_options(...), the first statement of a loop: it becomes the options of the loop.

    while n > 1:
        autograph.experimental.set_loop_options(maximum_iterations=10)    --->  {'maximum_iterations': 10}

It is known by its name, at the end of any dotted name: the tree alone must tell, also where nothing is imported. The
values are evaluated once, before the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["OPTION_NAMES", "is_loop_options", "options_of"]

OPTION_NAMES = (
    "parallel_iterations", "swap_memory", "maximum_iterations", "shape_invariants", "checkpoint_every", "unroll",
)  # fmt: skip


def is_loop_options(node: Any) -> bool:
    """Whether an expression is a call of set_loop_options."""
    if not isinstance(node, gast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, gast.Attribute) else getattr(function, "id", None)
    return bool(name == "set_loop_options")


def options_of(rewriter: Rewriter, node: Any, at: At, first: Sequence[tuple[str, Any]] = ()) -> Any:
    """The dictionary of options of a loop, starting with the entries in `first`."""
    entries = list(first)
    call = rewriter.jumps.loop_options.get(node)
    if call is not None:
        entries += [(name, rewriter.expression(value)) for name, value in zip(OPTION_NAMES, call.args, strict=False)]
        entries += [(keyword.arg, rewriter.expression(keyword.value)) for keyword in call.keywords]
    keys = [at.constant(name) for name, _ in entries]
    return at.put(gast.Dict(keys, [value for _, value in entries]))
