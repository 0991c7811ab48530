"""What is left of break, continue and return once they are lowered to flags: side tables, by node.

Example: after `return x` was lowered in `f`, `jumps.returns[f] == ("do_return", "retval_")`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["Jumps"]


@dataclass(slots=True)
class Jumps:
    """What the lowering leaves to the analyses and converters.

    returns: function -> names of its flag and its value. leaves: return statement -> the same names.
    always_return: functions that end in a loop which nothing but `return` leaves.
    extra_tests: for statement -> what must hold for another round. loop_options: loop -> its set_loop_options call.
    passes: assignments of flags that nothing reads; each stays as a `pass` at the line of its jump.
    native: try statements that the lowering made itself; they stay statements.
    patterns: call of `match_case` -> the pattern that the subject is held against.
    """

    returns: dict[Any, tuple[str, str]] = field(default_factory=dict)
    leaves: dict[Any, tuple[str, str]] = field(default_factory=dict)
    always_return: set[Any] = field(default_factory=set)
    extra_tests: dict[Any, Any] = field(default_factory=dict)
    loop_options: dict[Any, Any] = field(default_factory=dict)
    passes: set[Any] = field(default_factory=set)
    native: set[Any] = field(default_factory=set)
    patterns: dict[Any, Any] = field(default_factory=dict)
