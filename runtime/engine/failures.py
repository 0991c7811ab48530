"""What an error that leaves a plan says: which operation failed, and on which line of the user's code it was made.

    InvalidArgumentError: floordiv: division by zero
    in operation 'floordiv', at model.py:12 in step

Nothing is recorded while a plan runs well: the line of the generated code, in the traceback, tells the operation.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FrameType, TracebackType
from typing import Any, Final

import numpy as np

from autograph.line_tables import signed
from runtime.errors import OpError
from runtime.graph.location import Location
from runtime.graph.operation import Operation
from runtime.graph.risks import exceptions_of
from runtime.ops.arrays.index import getitem, wrong_index
from runtime.ops.arrays.item_update import setitem
from runtime.ops.flow.raising import raise_, reraise
from runtime.ops.kernels.narrow import in_float32
from runtime.ops.records.kernel_errors import as_ours, is_raw

__all__ = ["explain_failure", "explainer", "name_endless"]


def explainer(
    filename: str,
    lines: Sequence[str],
    operations: Sequence[Operation | None],
    callees: Mapping[str, str] | None = None,
) -> Callable[[BaseException], None]:
    """The function that generated code calls with an error: it adds the note, or raises a better error in its place.

    An interrupt is no error of an operation: its traceback shows the user's line that was at work.

    `operations` has, for each of the lines, the operation that the line runs, `callees` the functions of the library by
    their names in the code.
    """

    def explain(error: BaseException) -> None:
        frame, number = _innermost(error, filename)
        if isinstance(error, RecursionError) and frame is not None and frame.f_code.co_name in (callees or {}):
            name_endless(error, (callees or {})[frame.f_code.co_name])
        operation = operations[number - 1] if number else None
        if operation is None or frame is None:
            return
        entry = error.__traceback__
        while entry is not None and entry.tb_frame is not frame:
            entry = entry.tb_next
        if not isinstance(error, Exception):
            _show_line(operation, entry)
            return
        wrong = _wrong_place(error, operation, lines[number - 1], frame)
        if wrong is not None:
            raise _told(wrong, operation) from None
        explain_failure(error, operation, entry, lambda: _arguments(lines[number - 1], operation, frame))

    return explain


def name_endless(error: RecursionError, function: str) -> None:
    """Says of which function the calls were too many."""
    error.args = (f"maximum recursion depth exceeded in calls of {function!r}; does it reach a case without one?",)


def explain_failure(
    error: Exception, operation: Operation, entry: TracebackType | None, arguments: Callable[[], list[Any]]
) -> None:
    """Adds the note, and the user's lines to the traceback behind `entry`, or raises a better error.

    arguments: gives the arrays that the kernel was called with, none if they are not known.
    """
    if _raises_again(operation):
        return  # what is raised again has been explained when it was raised
    if operation.op.nests and getattr(error, "__notes__", None):
        return  # it comes from the inside of a region, where it was explained
    note = _note(operation)
    if note in getattr(error, "__notes__", ()):
        return  # it has passed a `try` of the program, where it was explained
    _show_line(operation, entry)
    if is_raw(operation.op, error) and type(error) not in exceptions_of(operation):
        raise _told(as_ours(operation.op, error, arguments(), operation.attributes), operation) from error
    _tell(error, operation, note)


def _show_line(operation: Operation, entry: TracebackType | None) -> None:
    """Puts the user's lines that made the operation behind an entry of a traceback."""
    if entry is not None and operation.location is not None:
        is_statement = operation.op.facts.statement
        entry.tb_next = _lines(operation.location, None if is_statement else entry.tb_next)


def _told(better: Exception, operation: Operation) -> Exception:
    """A better error, with what it is to say of the operation."""
    _tell(better, operation, _note(operation))
    return better.with_traceback(None if operation.location is None else _lines(operation.location, None))


def _note(operation: Operation) -> str:
    return f"{_shown(operation)}at {operation.location or 'an unknown line'}"


def _tell(error: BaseException, operation: Operation, note: str) -> None:
    """Gives the error the operation and its line; the first one counts, where it passes several graphs."""
    error.add_note(note)
    if isinstance(error, OpError) and error.op is None:
        error.op = operation


def _raises_again(operation: Operation) -> bool:
    """Whether what it raises was raised before."""
    return operation.op is reraise or (operation.op is raise_ and operation.attributes["error"].head == "hole")


def _shown(operation: Operation) -> str:
    """The operation as its user knows it: nothing for `assert` and `raise`, which are lines and no operations."""
    if operation.op.facts.statement:
        return ""
    kind = "" if operation.name == operation.type else f" ({operation.type})"
    return f"in operation {operation.name!r}{kind}, "


def _lines(place: Location, after: TracebackType | None) -> TracebackType | None:
    """The user's lines that led to an operation as entries of a traceback, which goes on with `after`.

    They are what Python would show, had the program run without a graph. Behind the line of a statement comes nothing.
    """
    for line in reversed(place.lines()):
        try:
            exec(_raising_at(line), {"error": Exception()})
        except Exception as raised:
            entry = raised.__traceback__
            assert entry is not None and entry.tb_next is not None
            after = TracebackType(after, entry.tb_next.tb_frame, entry.tb_next.tb_lasti, entry.tb_next.tb_lineno)
    return after


def _raising_at(location: Location) -> CodeType:
    """`raise error` as code that stands at this line of this file, in a function of this name, without columns."""
    first = location.lineno if location.first is None else location.first
    units = len(_RAISE.co_code) // 2
    heads = [bytes([0x80 | _NO_COLUMNS << 3 | min(8, units - i) - 1]) for i in range(0, units, 8)]
    entries = [head + signed(0 if i else location.lineno - first) for i, head in enumerate(heads)]
    return _RAISE.replace(
        co_filename=location.filename,
        co_firstlineno=first,
        co_name=location.function,
        co_qualname=location.function,
        co_linetable=b"".join(entries),
    )


_RAISE: Final = compile("raise error", "", "exec")
_NO_COLUMNS: Final = 13
"""The kind of a line table's entry that gives a line, as the distance to the one before, and no columns."""


def _innermost(error: BaseException, filename: str) -> tuple[FrameType | None, int]:
    """The innermost frame of generated code in the traceback, and its line there."""
    traceback = error.__traceback__
    found: tuple[FrameType | None, int] = (None, 0)
    while traceback is not None and traceback.tb_frame.f_code.co_filename == filename:
        found = traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next
    return found


def _wrong_place(error: Exception, operation: Operation, line: str, frame: FrameType) -> Exception | None:
    """The kernel's error for an index that numpy refused in a statement: `v1 = v0.item(v2)`, `v0[v2] = v1`."""
    if operation.op not in _INDEXED or isinstance(error, OpError) or not isinstance(error, IndexError | OverflowError):
        return None
    for node in ast.walk(ast.parse(line.strip().removeprefix("else: "))):
        if isinstance(node, ast.Subscript):
            array, index = node.value, node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "item":
            array, index = node.func.value, ast.Tuple(node.args, ast.Load())
        else:
            continue
        scope = {**frame.f_globals, **frame.f_locals}
        found, key = (eval(ast.unparse(part), scope) for part in (array, index))
        parts = key if isinstance(key, tuple) else (key,)
        if isinstance(error, IndexError) or any(isinstance(part, int) and part.bit_length() > 63 for part in parts):
            return wrong_index(operation.op.name, parts, found, IndexError(str(error)))
    return None


_INDEXED: Final = frozenset({getitem, setitem})


def _arguments(line: str, operation: Operation, frame: FrameType) -> list[Any]:
    """The arrays that the kernel was called with on this line of generated code; none if not all are found."""
    scope = {**frame.f_globals, **frame.f_locals}
    op = operation.op
    kernels = (op.kernel, op.ufunc, op.float_ufunc, in_float32(op.kernel))
    for node in ast.walk(ast.parse(line.strip())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and scope.get(node.func.id) in kernels:
            found = [scope.get(a.id) for a in node.args if isinstance(a, ast.Name)]
            arrays = [a for a in found if isinstance(a, np.ndarray | np.generic)]
            return arrays if len(arrays) == len(operation.inputs) else []
    return []
