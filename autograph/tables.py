"""The report of `explain` as a table: where, the line of the program, and what became of it.

    report_html(report.entries, [])         # what `Report._repr_html_` gives
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Sequence
from typing import Any, Final

from autograph.coloring import pieces
from autograph.page import THEME, escaped

__all__ = ["report_html"]

STYLE: Final = (
    THEME
    + """\
.agp{overflow-x:auto}
.agp .report th,.agp .report td{border-bottom:1px solid rgba(128,128,140,.25)}
.agp .report .n{text-align:right;color:var(--note)}
.agp code{white-space:pre}
.agp .bad{background:rgba(245,105,30,.25)}
"""
)


def report_html(entries: Sequence[Any], raised: Sequence[str]) -> str:
    """One element. entries: each with its `place`, by place; a heading stands where the file changes."""
    rows, file = [], None
    for entry in entries:
        place = entry.place
        if place.filename != file:
            file = place.filename
            rows.append(f'<tr><th colspan="3">{escaped(_name_of(file))}</th></tr>')
        what = str(entry).partition(": ")
        code = f"<code>{_colored(linecache.getline(place.filename, place.lineno).rstrip())}</code>"
        rows.append(f'<tr><td class="n">{place.lineno}</td><td>{code}</td><td>{_said(what)}</td></tr>')
    rows += [f'<tr><td class="bad" colspan="3">{escaped(line)}</td></tr>' for line in raised]
    return f'<div class="agp"><style>{STYLE}</style><table class="report">{"".join(rows)}</table></div>'


def _name_of(file: str) -> str:
    """The name of a file; of a cell of IPython, which has a file that nobody knows, what IPython calls it."""
    module = sys.modules.get("IPython")
    shell = None if module is None else module.get_ipython()
    label = None if shell is None else shell.compile.format_code_name(file)
    return file if label is None else " ".join(label)


def _said(what: tuple[str, str, str]) -> str:
    """What became of something: of what is in faint letters."""
    return f'<span class="note">{escaped(what[0])}</span> {escaped(what[2])}'


def _colored(line: str) -> str:
    """A line of the program, coloured where it can be read by itself."""
    found = pieces(line)[0]
    return "".join(f'<span class="{kind}">{escaped(text)}</span>' if kind else escaped(text) for kind, text in found)
