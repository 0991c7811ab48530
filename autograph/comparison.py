"""A program and its converted form side by side, statement beside statement.

    rows = aligned(["def f(x):", "    return -x"], 1, converted, tree)
    print(as_text(rows))
    html = as_html(rows)

The nodes of a converted tree carry the lines that they come from; the lines of its text are found by parsing that once
more. What one statement became stands in the rows from its own on, and what comes from no line of its own refers back.
"""

from __future__ import annotations

import ast
import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from autograph import syntax
from autograph.coloring import pieces
from autograph.page import THEME, escaped, page

__all__ = ["STYLE", "Comparison", "Row", "aligned", "as_html", "as_text"]

_NEAR: Final = 4
"""So many lines after the header of a generated function its first statement comes at the latest."""

STYLE: Final = (
    THEME
    + """\
.agp table.pair{table-layout:fixed;width:100%}
.agp .pair td,.agp .pair th{padding:0 6px}
.agp .pair td{font:12px/1.5 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}
.agp .pair .n{width:2.6em;text-align:right;color:var(--note);white-space:pre;user-select:none}
.agp .pair tr.first td{border-top:1px solid rgba(128,128,140,.25)}
.agp .pair .new{background:rgba(40,130,240,.09)}
@media (max-width:640px){
.agp .pair,.agp .pair tbody{display:block}
.agp .pair thead{display:none}
.agp .pair tr{display:grid;grid-template-columns:3.6em minmax(0,1fr)}
.agp .pair .none{display:none}
}
"""
)
"""The style of comparisons, of the class `agp`."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: a line of the program and one of the converted text, by their numbers and texts; 0 where there is none.

    origin: the line of the program that a line of converted text comes from, which may stand further up.
    """

    line: int
    text: str
    new_line: int
    new_text: str
    origin: int


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """A function and its converted form: a table in notebooks, `str` of it is text."""

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


def aligned(lines: Sequence[str], first: int, converted: str, tree: Any) -> list[Row]:
    """The rows. lines: the program from line `first` on. tree: what `converted` is the text of, a gast tree."""
    texts = converted.rstrip("\n").split("\n")
    origins = _origins(converted, tree)
    wanted = [origins.get(number, 0) for number in range(1, len(texts) + 1)]
    rows: list[Row] = []
    shown, last = first - 1, first + len(lines) - 1

    def alone(end: int) -> None:
        nonlocal shown
        while shown < end:
            shown += 1
            rows.append(Row(shown, lines[shown - first], 0, "", 0))

    for number, (text, origin) in enumerate(zip(texts, wanted, strict=True), 1):
        line = 0
        after = wanted[number : number + _NEAR]
        if shown < origin <= last:
            alone(origin - 1)
            same = lines[origin - first].strip()
            others = [t.strip() for t, o in zip(texts[number : number + _NEAR], after, strict=True) if o == origin]
            if text.strip() == same or same not in others:  # else the statement itself comes right after this
                line = shown = origin
        elif shown < last and _belong_together(text, lines[shown + 1 - first], after, shown):
            line = shown = shown + 1
        rows.append(Row(line, lines[line - first] if line else "", number, text, line or origin))
    alone(last)
    return rows


def _belong_together(text: str, line: str, after: Sequence[int], shown: int) -> bool:
    """Whether a generated line stands beside the next line of the program, which comes after the line `shown`.

    Empty lines do, and headers without a statement of their own, as `else:`, beside the header of what they begin.
    after: where the lines after `text` come from.
    """
    if not text.strip() or not line.strip():
        return not text.strip() and not line.strip()
    following = next((origin for origin in after if origin > shown), 0)
    return following == shown + 2 and text.endswith(":") and line.rstrip().endswith(":")


def _origins(text: str, tree: Any) -> dict[int, int]:
    """The line of the program for lines of converted text at which statements begin, and for those of long texts."""
    found: dict[int, int] = {}
    with syntax.deep_recursion(), syntax.unwarned("<converted text>"):
        module = ast.parse(text)
    statements = tree.body if hasattr(tree, "body") and not hasattr(tree, "name") else [tree]
    waiting = list(zip(module.body, statements, strict=False))
    while waiting:
        new, old = waiting.pop()
        if getattr(old, "lineno", None) is not None and hasattr(new, "lineno"):
            found.setdefault(new.lineno, old.lineno)
            if not getattr(new, "body", None):
                end = getattr(old, "end_lineno", None) or old.lineno
                for more in range(1, (new.end_lineno or new.lineno) - new.lineno + 1):
                    found.setdefault(new.lineno + more, min(old.lineno + more, end))
        for one, other in zip(getattr(new, "decorator_list", ()), getattr(old, "decorator_list", ()), strict=False):
            found.setdefault(one.lineno, other.lineno)
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            new_parts, old_parts = getattr(new, name, None), getattr(old, name, None)
            if isinstance(new_parts, list) and isinstance(old_parts, list):
                waiting += zip(new_parts, old_parts, strict=False)
    return found


def as_text(rows: Sequence[Row]) -> str:
    """Both in columns of letters."""
    width = max((_width(row.text.expandtabs()) for row in rows), default=0)
    return "\n".join(_text_row(row, width).rstrip() for row in rows) + "\n"


def _text_row(row: Row, width: int) -> str:
    text = row.text.expandtabs()
    number = str(row.line) if row.line else ""
    return f"{number:>5}  {text}{' ' * (width - _width(text))}  |  {row.new_text}"


def _width(text: str) -> int:
    """In letters; those of the East are two wide."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def as_html(rows: Sequence[Row], title: str = "", style: bool = True) -> str:
    """One element with a table. style: with the style, which a page needs once."""
    old = iter(_colored([row.text for row in rows if row.line]))
    new = iter(_colored([row.new_text for row in rows if row.new_line]))
    head = f"<div><b>{escaped(title)}</b></div>" if title else ""
    columns = '<th class="n"></th><th>source</th><th class="n"></th><th>converted</th>'
    body = "\n".join(_html_rows(rows, old, new))
    sheet = f"<style>{STYLE}</style>" if style else ""
    table = f'<table class="pair"><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>'
    return f'<div class="agp">{sheet}{head}{table}</div>'


def _html_rows(rows: Sequence[Row], old: Iterator[str], new: Iterator[str]) -> Iterator[str]:
    shown = 0
    for row in rows:
        shown = row.line or shown
        left = f"<td>{next(old)}</td>" if row.line else '<td class="none"></td>'
        back = f"{'↑' if row.origin <= shown else '↓'}{row.origin}" if row.origin else ""
        number = f'<td class="n{"" if row.line else " none"}">{row.line or back}</td>'
        right = f'<td class="new">{next(new)}</td>' if row.new_line else '<td class="none"></td>'
        second = f'<td class="n{"" if row.new_line else " none"}">{row.new_line or ""}</td>'
        kind = ' class="first"' if row.line else ""
        yield f"<tr{kind}>{number}{left}{second}{right}</tr>"


def _colored(lines: list[str]) -> list[str]:
    """The lines as HTML, coloured."""
    return [
        "".join(f'<span class="{kind}">{escaped(piece)}</span>' if kind else escaped(piece) for kind, piece in line)
        for line in pieces("\n".join(lines))
    ]
