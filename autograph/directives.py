"""Directives: calls that say something to the converter and do nothing when they run.

Example:
    for i in range(n):
        set_loop_options(maximum_iterations=100)
        ...
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["UNSPECIFIED", "set_loop_options"]


class _Unspecified:
    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSPECIFIED"


UNSPECIFIED: Final = _Unspecified()


def set_loop_options(
    parallel_iterations: Any = UNSPECIFIED,
    swap_memory: Any = UNSPECIFIED,
    maximum_iterations: Any = UNSPECIFIED,
    shape_invariants: Any = UNSPECIFIED,
    checkpoint_every: Any = UNSPECIFIED,
    unroll: Any = UNSPECIFIED,
) -> None:
    """Options for the loop whose body begins with this call; they reach the stager that stages the loop.

    parallel_iterations: how many iterations may run at the same time. swap_memory: whether saved values may leave
    memory. maximum_iterations: the loop stops after so many. shape_invariants: pairs (variable, shape that it keeps).
    checkpoint_every: gradients keep the loop's variables every so many iterations only, and run what is between again;
    True for about the square root of the number of iterations.
    unroll: of a loop over a range or a list of Python: True: its body is traced for each item; False: it is one loop of
    the graph, or refused; a number: it is one loop if it has more iterations than that, and its body allows it.
    In code that is not converted it does nothing; in loops that run as Python, nothing but `unroll`.
    """
