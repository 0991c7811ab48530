"""The table of what XLA knows: for each operation a function on arrays that JAX traces, and what says that it fails.

    is_function({exp: "exp", erf: "scipy.special.erf"})     # one function of jax.numpy, or jax and a path

    @lowers(expand_dims)
    def _(input, axis):                         # operands and attributes by their names, as in rules of gradients
        return jnp.expand_dims(input, axis)

    @fails(floordiv)
    def _(x, y):                                # whether the numpy plan raises: it runs then, and says what
        return y == 0

An operand is a numpy array where its value is known while JAX traces: shapes are, so are constants, and what comes of
them. A result is cast to the dtype that the graph says. What is made of simpler operations has its rule in
runtime/exits/expansions instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from runtime.exits.rules import Refused
from runtime.exits.xla.library import jax_library
from runtime.ops.records.record import Op
from runtime.ops.records.tables import enter

__all__ = [
    "CONTROL", "DIRECT", "FAILURES", "ROOM", "RULES", "STAYS", "Rule", "fails", "is_function", "is_known", "known",
    "lowers", "stays",
]  # fmt: skip

Rule = Callable[..., Any]

RULES: Final[dict[Op, Rule]] = {}

DIRECT: Final[dict[Op, str]] = {}
"""Operations that are one function of JAX, with its name."""

CONTROL: Final[dict[Op, Rule]] = {}
"""By the operation that has graphs inside, what carries it out: given the lowering, the operation and its operands."""

FAILURES: Final[dict[Op, Rule]] = {}
"""By the operation, for which operands its kernel raises: an array of bools, all False where it does not."""

STAYS: Final[dict[Op, str]] = {}
"""By the operation, why XLA has it not, where that is not so for every format (`runtime.exits.rules.STAYS`)."""


def lowers(*ops: Op) -> Callable[[Rule], Rule]:
    """Decorator: the function computes what these operations give."""

    def register(rule: Rule) -> Rule:
        enter(RULES, ops, rule, "has a rule for XLA")
        return rule

    return register


def fails(*ops: Op) -> Callable[[Rule], Rule]:
    """Decorator: the function says when these operations raise."""

    def register(rule: Rule) -> Rule:
        enter(FAILURES, ops, rule, "has a rule for what it raises")
        return rule

    return register


ROOM: Final[dict[Op, str]] = {}
"""Operations on lists that may need more room than is known: the operand that says how much. Only a lowering that knows
what fails takes one that is not known."""


def stays(reason: str, *ops: Op) -> None:
    """Says why these operations have no rule."""
    enter(STAYS, ops, reason, "has a reason")


def is_function(table: Mapping[Op, str]) -> None:
    """Says which operations are one function of the same meaning."""
    for op, name in table.items():
        DIRECT[op] = name
        RULES[op] = _calling(name)


def _calling(name: str) -> Rule:
    module, _, function = f"jax.{name}".rpartition(".") if "." in name else ("jax.numpy", "", name)

    def call(operands: Any) -> Any:
        return getattr(jax_library(module), function)(*operands)

    return call


def is_known(value: Any) -> bool:
    """Whether a value is one that does not wait for the run."""
    return isinstance(value, np.ndarray | np.generic)


def known(value: Any, what: str) -> Any:
    """A value that has to be known while JAX traces, as a numpy array. Raises Refused."""
    if not is_known(value):
        raise Refused(f"{what} depends on values, and every shape in XLA is fixed before a program runs")
    return np.asarray(value)
