"""The first line of code, changed without its lines: a table of lines counts from the first one.

    def f(x):                # the body of the `if` is code of its own, which begins at line 2 but is a part of `f`:
        if x > 0:            # who looks for the source of its frame is to find that of the whole function, and to
            x = x * x        # count its lines from the first line of `f`

The table is that of PEP 626 as Python has it since 3.11: entries of a head (kind and number of instructions) and of
what the kind says; lines are distances to the entry before.
"""

from __future__ import annotations

from types import CodeType
from typing import Final

__all__ = ["signed", "statement_line", "with_first_line"]

_SHORT: Final = range(10)  # the line of the entry before, columns in the kind and one byte
_ONE_LINE: Final = range(10, 13)  # 0 to 2 lines on, columns in two bytes
_LONG: Final = 14  # distance, last line, columns
_NOTHING: Final = 15


def with_first_line(code: CodeType, first: int) -> CodeType:
    """`code` with another `co_firstlineno`; its instructions stay at their lines and columns."""
    distance = code.co_firstlineno - first
    if not distance:
        return code
    table = code.co_linetable
    start = 0
    while start < len(table) and _kind(table[start]) == _NOTHING:
        start += 1
    if start < len(table):
        entry, end = _moved(table, start, distance)
        table = table[:start] + entry + table[end:]
    return code.replace(co_firstlineno=first, co_linetable=table)


def statement_line(code: CodeType) -> int:
    """The line at which code begins: for the generated body of a statement that of the statement."""
    return next((line for *_, line in code.co_lines() if line), code.co_firstlineno)


def signed(number: int) -> bytes:
    """A number in the table that may be negative."""
    return _unsigned(-number << 1 | 1 if number < 0 else number << 1)


def _kind(head: int) -> int:
    return head >> 3 & 15


def _moved(table: bytes, start: int, distance: int) -> tuple[bytes, int]:
    """The entry at `start` some lines further on, and where the next one begins."""
    kind, end = _kind(table[start]), start + 1
    if kind in _SHORT:
        column = kind << 3 | table[end] >> 4
        return _long(table[start], distance, column, column + (table[end] & 15)), end + 1
    if kind in _ONE_LINE:
        return _long(table[start], distance + kind - _ONE_LINE.start, table[end], table[end + 1]), end + 2
    value = shift = 0
    while True:
        value |= (table[end] & 63) << shift
        shift += 6
        end += 1
        if not table[end - 1] & 64:
            break
    return table[start : start + 1] + signed(distance + (-(value >> 1) if value & 1 else value >> 1)), end


def _long(head: int, distance: int, column: int, last: int) -> bytes:
    return bytes([head & 0x87 | _LONG << 3]) + signed(distance) + b"\0" + _unsigned(column + 1) + _unsigned(last + 1)


def _unsigned(number: int) -> bytes:
    parts = []
    while number > 63:
        parts.append(number & 63 | 64)
        number >>= 6
    return bytes([*parts, number])
