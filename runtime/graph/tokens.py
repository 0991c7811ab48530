"""The tokens of a graph's text, with line and column for errors.

>>> [t.text for t in tokens("%a = add(%x, 1)  # note")]
['%', 'a', '=', 'add', '(', '%', 'x', ',', '1', ')', '']
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from runtime.errors import FormatError
from runtime.ops.records.record import Array

__all__ = ["Reader"]

_TOKEN = re.compile(
    r"""(?:[ \t\r\n]+|\#[^\n]*)*
    (?:(?P<arrow>->)
    |(?P<raw>raw"[A-Za-z0-9+/=]*")
    |(?P<string>b?"(?:[^"\\\x00-\x1f]|\\.)*")
    |(?P<word>[A-Za-z0-9_./+-]+)
    |(?P<sign>[%@=(){}\[\],:?*!]))?""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of the text and where it starts."""

    kind: str
    text: str
    start: int


class Reader:
    """The text, one token ahead."""

    def __init__(self, text: str, arrays: Mapping[str, Array] | None = None) -> None:
        self.text = text
        self.arrays: Mapping[str, Array] = {} if arrays is None else arrays
        """Those that the text names and does not hold."""
        self._matches = _TOKEN.finditer(text)
        self.token = self._scan()

    def _scan(self) -> Token:
        for match in self._matches:
            kind = match.lastgroup
            if kind is not None:
                return Token(kind, match[kind], match.start(kind))
            if match.end() < len(self.text):  # nothing but white space was found
                self.fail_at(match.end(), f"unexpected character {self.text[match.end()]!r}")
        return Token("end", "", len(self.text))

    def take(self) -> Token:
        """The token that is next; goes on to the one after it."""
        token = self.token
        self.token = self._scan()
        return token

    def accept(self, text: str) -> bool:
        """Takes the next token if it is this sign or word."""
        if self.token.text != text or self.token.kind in ("string", "end"):
            return False
        self.token = self._scan()
        return True

    def expect(self, text: str) -> None:
        if not self.accept(text):
            self.fail(f"expected {text!r}, found {self.token.text[:40]!r}" if self.token.text else f"expected {text!r}")

    def word(self, what: str) -> str:
        """A name: plain or quoted."""
        if self.token.kind == "word":
            return self.take().text
        if self.token.kind == "string" and self.token.text.startswith('"'):
            return str(self.string())
        self.fail(f"expected {what}, found {self.token.text[:40]!r}")

    def string(self) -> str | bytes:
        """A string or bytes."""
        token = self.take()
        binary = token.text.startswith("b")
        try:
            value: Any = json.loads(token.text[1:] if binary else token.text)
            return value.encode("latin-1") if binary else str(value)
        except ValueError as error:
            self.fail_at(token.start, f"a string that cannot be read: {error}")

    def number(self, what: str) -> int:
        """A number without a sign."""
        if self.token.kind == "word" and self.token.text.isdigit() and len(self.token.text) <= 20:
            return int(self.take().text)
        self.fail(f"expected {what}, found {self.token.text[:40]!r}")

    def fail(self, problem: str) -> NoReturn:
        self.fail_at(self.token.start, problem)

    def fail_at(self, start: int, problem: str) -> NoReturn:
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        raise FormatError(f"line {line}, column {column}: {problem}")
