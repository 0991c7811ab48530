"""Tracebacks of converted code, as the user would see them from the original.

A statement like `if` becomes a call of an operator, which calls a generated body: three entries of the traceback for
what was one. When an exception leaves a converted function, the entries of operators are taken out, and of the entries
that stand for the same call of the same function the innermost is kept: the one with the line that failed.

Example: an error in the body of a loop shows
    File "model.py", line 7, in step     and not     line 5, in step / loop.py, in for_stmt / line 7, in loop_body

Where an exception leaves the function that the user called, the entries of this distribution are taken out altogether,
those of a runtime that traced it too. With the environment variable AUTOGRAPH_TRACEBACK=full all entries stay.
"""

from __future__ import annotations

import os
from types import TracebackType

from autograph.rules import is_own_code, is_user_code
from autograph.template import is_body_of

__all__ = [
    "filter_tracebacks", "only_users_frames", "show_users_frames", "tracebacks_are_filtered",
    "without_generated_frames",
]  # fmt: skip

_OPERATORS = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CALLS = frozenset(os.path.join(_OPERATORS, name) for name in ("call.py", "callers.py"))
_CALLED_BACK = frozenset(os.path.join(_OPERATORS, name) for name in ("builtins.py", "as_it_is.py"))


def without_generated_frames(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback that starts in a converted function, up to the first function that it called, made readable."""
    first = traceback
    while first is not None and first.tb_next is not None and _is_operator(first):
        first = first.tb_next  # the scope of a lambda is entered by an operator
    start, before = first, None
    while first is not None:
        operator: TracebackType | None = None
        after = first.tb_next
        while after is not None and _is_operator(after):
            operator, after = after, after.tb_next
        if operator is None:
            before = first  # what it called stands for itself (a comprehension, for instance)
        elif after is None or operator.tb_frame.f_code.co_filename in _CALLS:
            first.tb_next = after  # the operator itself failed, or it called a function of the user
            break
        elif operator.tb_frame.f_code.co_filename in _CALLED_BACK:
            first.tb_next, before = after, first  # a builtin called back
        elif not _stands_for_the_same(first, after):
            break  # a stager's own frames: left for those who write it
        elif before is None:
            start = after
        else:
            before.tb_next = after
        first = after
    return start


def _is_operator(entry: TracebackType) -> bool:
    return entry.tb_frame.f_code.co_filename.startswith(_OPERATORS)


def _stands_for_the_same(outer: TracebackType, inner: TracebackType) -> bool:
    """Whether the inner frame runs a body generated for the function of the outer; the loader names them alike."""
    return is_body_of(outer.tb_frame.f_code, inner.tb_frame.f_code)


_asked: bool | None = None
"""What the program says of it; None: what the environment says."""


def filter_tracebacks(enabled: bool) -> None:
    """Whether the entries of this distribution are taken out from now on, whatever the environment says."""
    global _asked
    _asked = enabled


def tracebacks_are_filtered() -> bool:
    """Whether the entries of this distribution are taken out."""
    return os.environ.get("AUTOGRAPH_TRACEBACK") != "full" if _asked is None else _asked


def show_users_frames(error: BaseException) -> None:
    """Leave in the traceback of an exception, and of those that it came from, the user's entries only."""
    if not tracebacks_are_filtered():
        return
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is not None and id(current) not in seen:
            seen.add(id(current))
            current.__traceback__ = only_users_frames(current.__traceback__)
            # an exception that stands for one of a run answers these for the program, not for tools
            pending += [object.__getattribute__(current, name) for name in ("__cause__", "__context__")]


def only_users_frames(traceback: TracebackType | None) -> TracebackType | None:
    """The entries of the user's code, and of libraries that it called; one entry for each call of a function."""
    kept: list[TracebackType] = []
    between: set[str] = set()  # the files of this distribution since the last entry that was kept
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if is_own_code(code.co_filename) or code.co_filename.startswith("<plan of "):
            between.add(code.co_filename)
        elif not between or is_user_code(code.co_filename):
            if kept and between and not between & _CALLS and _stands_for_the_same(kept[-1], traceback):
                kept.pop()
            kept.append(traceback)
            between = set()
        traceback = traceback.tb_next
    for entry, after in zip(kept, [*kept[1:], None], strict=False):
        entry.tb_next = after
    return kept[0] if kept else None
