"""Tensors and modules as tables for notebooks.

    of_array(array, "Tensor", "float32[3,4]")           # the values, the middle of long ones left out
    of_module("Dense", variables, {"inner": ...})

Numbers are shown with six digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from autograph.page import escaped
from runtime.pictures.notebook import STYLE
from runtime.pictures.reading import clipped

__all__ = ["ModuleFacts", "of_array", "of_module", "of_text"]

_ENDS: Final = 5
"""How many rows and columns are shown from the beginning and from the end."""
_BLOCKS: Final = 4
"""How many matrices of an array of more than two dimensions."""

ModuleFacts = tuple[str, Sequence[tuple[str, str, str]], Sequence["ModuleFacts"]]
"""A module: what it is, its own Variables (name, type, whether trained), the modules in it."""


def _framed(body: str) -> str:
    return f'<div class="agp"><style>{STYLE}</style>{body}</div>'


def of_text(kind: str, type_: str, note: str = "", below: str = "") -> str:
    """A value of which only this is known. below: HTML."""
    head = f'<div><b>{escaped(kind)}</b> <code>{escaped(type_)}</code> <span class="note">{escaped(note)}</span></div>'
    return _framed(head + below)


def of_array(array: Any, kind: str, type_: str, numbers: bool) -> str:
    """An array of any rank. numbers: whether its elements have a least and a greatest."""
    note = ""
    if numbers and array.size > 1:
        note = f"from {_element(array.min())} to {_element(array.max())}"
    if array.size == 0:
        return of_text(kind, type_, "no elements")
    if array.ndim <= 2:
        return of_text(kind, type_, note, _matrix(array))
    pieces, left = [], 1
    for size in array.shape[:-2]:
        left *= size
    for number in range(min(left, _BLOCKS)):
        index = _index(number, array.shape[:-2])
        place = ", ".join(map(str, index))
        is_open = " open" if number == 0 else ""
        pieces.append(f"<details{is_open}><summary><code>[{place}]</code></summary>{_matrix(array[index])}</details>")
    if left > _BLOCKS:
        pieces.append(f'<div class="note">and {left - _BLOCKS} more matrices</div>')
    return of_text(kind, type_, note, "".join(pieces))


def _index(number: int, shape: Sequence[int]) -> tuple[int, ...]:
    """The place of a matrix in the dimensions before the last two."""
    found = []
    for size in reversed(shape):
        number, place = divmod(number, size)
        found.append(place)
    return tuple(found[::-1])


def _matrix(array: Any) -> str:
    """A table of at most two dimensions, with the numbers of rows and columns."""
    if array.ndim == 0:
        return f"<div><code>{escaped(_element(array[()]))}</code></div>"
    rows = array if array.ndim == 2 else array.reshape(1, -1)
    columns = list(_ends(rows.shape[1]))
    head = "".join(f'<th class="note">{"…" if c is None else c}</th>' for c in columns)
    lines = [f"<tr><th></th>{head}</tr>"]
    for r in _ends(rows.shape[0]):
        cells = "".join(f'<td class="n">{_cell(rows, r, c)}</td>' for c in columns)
        name = "" if array.ndim == 1 else "…" if r is None else r
        lines.append(f'<tr><th class="note">{name}</th>{cells}</tr>')
    return f'<div class="wide"><table class="facts">{"".join(lines)}</table></div>'


def _cell(rows: Any, row: int | None, column: int | None) -> str:
    return "…" if row is None or column is None else escaped(_element(rows[row, column]))


def _ends(count: int) -> Iterator[int | None]:
    """The numbers below a count, None in the place of those in the middle."""
    if count <= 2 * _ENDS + 1:
        yield from range(count)
    else:
        yield from range(_ENDS)
        yield None
        yield from range(count - _ENDS, count)


def _element(value: Any) -> str:
    """One element: numbers with six digits, texts as Python writes them."""
    item = value.item() if hasattr(value, "item") else value
    if isinstance(item, float):
        return f"{item:.6g}"
    if isinstance(item, complex):
        return f"{item:.4g}"
    return clipped(repr(item) if isinstance(item, str | bytes) else str(item))


def of_module(facts: ModuleFacts, count: int) -> str:
    """A module: its own Variables as a table, the modules in it to be opened. count: of all numbers in it."""
    title, _, inner = facts
    pieces = [f'<div><b>{escaped(title)}</b> <span class="note">{count:,} numbers in Variables</span></div>']
    waiting: list[Any] = [facts]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        name, variables, inner = item
        if item is not facts:
            pieces.append(f"<details open><summary>{escaped(name)}</summary>")
            waiting.append("</details>")
        pieces.append(_variables(variables))
        waiting += inner[::-1]
    return _framed("".join(pieces))


def _variables(variables: Sequence[tuple[str, str, str]]) -> str:
    if not variables:
        return ""
    rows = [
        f'<tr><td>{escaped(name)}</td><td><code>{escaped(type_)}</code></td><td class="note">{escaped(note)}</td></tr>'
        for name, type_, note in variables
    ]
    return f'<div class="wide"><table class="facts">{"".join(rows)}</table></div>'
