"""What pictures for people share: text that is safe in HTML and SVG, colours for light and dark, a page around a body.

    page("power", "<p>2 inputs</p>")        # one self-contained document: nothing is loaded from elsewhere

Text and lines have the colour of what is around them, and fills are translucent, so a picture is legible on any
background. What needs colours of its own asks the reader's system (`prefers-color-scheme`), and the marks by which
notebooks tell which theme they show.
"""

from __future__ import annotations

import re
from html import escape as _escape
from typing import Final

__all__ = ["THEME", "escaped", "page", "plain"]

_NO_TEXT: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Characters that XML has not, and those that change the direction of the text around them."""

_LIGHT: Final = "--key:#7a3fc9;--text:#0a6b3d;--note:#6a6a72;--own:#0b62b5"
_DARK: Final = "--key:#c9a6ff;--text:#7fd6a2;--note:#a0a0aa;--own:#7cb8ff"

THEME: Final = (
    '.agp{--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;'
    "font:13px/1.45 system-ui,sans-serif;color:inherit;max-width:100%}"
    ".agp table{border-collapse:collapse;background:none;color:inherit;border:0}"
    ".agp th,.agp td{font-size:inherit;border:0;padding:1px 8px;text-align:left;vertical-align:top}"
    ".agp th,.agp td{background:none;color:inherit}"
    ".agp code{font:12px/1.5 var(--mono);background:none;color:inherit}"
    ".agp .key{color:var(--key)}.agp .text{color:var(--text)}.agp .note{color:var(--note)}.agp .own{color:var(--own)}"
    f".agp{{{_LIGHT}}}"
    f"@media (prefers-color-scheme:dark){{.agp{{{_DARK}}}}}"
    f'[data-jp-theme-light="true"] .agp,.vscode-light .agp{{{_LIGHT}}}'
    f'[data-jp-theme-light="false"] .agp,.vscode-dark .agp{{{_DARK}}}'
)
"""The style of the class `agp`: letters, tables, the colours as variables, and those of Python text."""

_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root{{color-scheme:light dark}}
body{{margin:1rem;background:Canvas;color:CanvasText;font:14px/1.45 system-ui,sans-serif}}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def plain(text: str) -> str:
    """The text without what is no character of XML, or changes the direction of what is around it."""
    return _NO_TEXT.sub("\ufffd", text)


def escaped(text: object) -> str:
    """Text for an element or an attribute, of HTML and of XML."""
    return _escape(plain(str(text)), quote=True)


def page(title: str, body: str) -> str:
    """A document with this title; `body` is HTML."""
    return _PAGE.format(title=escaped(title), body=body)
