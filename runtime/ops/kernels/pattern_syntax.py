r"""Regular expressions in the syntax of RE2, which programs with string operations are written in, as Python's `re`.

    compiled(b"[[:alpha:]]+$")        # re.compile(r"[a-zA-Z]+\Z", re.ASCII)

Both have nearly one syntax; what would mean something else in Python is rewritten here: `$` (Python's also matches
before a last newline), `\z`, `\s` (without vertical tabs), `\Q...\E`, `\x{1F600}`, `[[:alpha:]]`, `(?<name>`, `{,3}`
(plain text). Classes such as `\d` and the case that `(?i)` ignores are those of ASCII. `\pL` and `\C`, which Python
does not have, are errors; what only Python has (lookahead, references in patterns) works.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Final

from runtime.errors import InvalidArgumentError

__all__ = ["compiled", "replaced", "translated"]

_CLASSES: Final = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7f", "blank": r"\t ", "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~", "space": r"\t\n\v\f\r ",
    "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip

_NEGATED: Final = {
    "alnum": r"\x00-/:-@\[-`{-\U0010ffff", "digit": r"\x00-/:-\U0010ffff", "alpha": r"\x00-@\[-`{-\U0010ffff",
    "space": r"\x00-\x08\x0e-\x1f!-\U0010ffff", "word": r"\x00-/:-@\[-^`{-\U0010ffff",
    "upper": r"\x00-@\[-\U0010ffff", "lower": r"\x00-`{-\U0010ffff", "punct": r"\x00- 0-9A-Za-z\x7f-\U0010ffff",
}  # fmt: skip
"""`[[:^alpha:]]`: what is left of all characters."""

_BLANKS: Final = r"\t\n\f\r "

_TOKEN: Final = re.compile(
    r"""\\Q(?P<quoted>.*?)(?:\\E|\Z)            # text as it stands
      | \\x\{(?P<code>[0-9A-Fa-f]+)\}
      | \\(?P<escaped>.)
      | \[:(?P<negated>\^?)(?P<posix>\w+):\]
      | \(\?(?P<flags>[a-zA-Z-]+)(?P<scoped>[:)])
      | \(\?<(?P<name>\w+)>
      | \{,(?=\d+\})
      | .
    """,
    re.VERBOSE | re.DOTALL,
)


_SPECIAL_IN_CLASSES: Final = frozenset("[]&|~")
"""What Python reserves for operations on sets."""


class _Translation:
    """One walk over a pattern. What `$` means depends on the flags of the groups that are open."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.multiline = [False]
        self.in_class = False
        self._class_start = -1

    def take(self, token: re.Match[str]) -> None:
        text = token[0]
        if token["quoted"] is not None:
            self.pieces.append(re.escape(token["quoted"]))
        elif token["code"] is not None:
            self.pieces.append(re.escape(chr(int(token["code"], 16))))
        elif token["escaped"] is not None:
            self.pieces.append(self._escaped(token["escaped"]))
        elif self.in_class:
            self._in_class(token)
        elif token["flags"] is not None:
            self._flags(token["flags"], token["scoped"])
        elif token["name"] is not None:
            self._opened(f"(?P<{token['name']}>")
        else:
            _PLAIN.get(text, _Translation._as_is)(self, text)

    def _escaped(self, char: str) -> str:
        if char == "s":
            return _BLANKS if self.in_class else f"[{_BLANKS}]"
        if char == "S" and not self.in_class:
            return f"[^{_BLANKS}]"
        return r"\Z" if char == "z" and not self.in_class else f"\\{char}"

    def _in_class(self, token: re.Match[str]) -> None:
        text = token[0]
        if token["posix"] is not None:
            table = _NEGATED if token["negated"] else _CLASSES
            if token["posix"] not in table:
                raise ValueError(f"invalid character class range: {text}")
            text = table[token["posix"]]
        elif text == "]" and len(self.pieces) > self._class_start:
            self.in_class = False
        elif text in _SPECIAL_IN_CLASSES or (text == "-" and self.pieces[-1] == "-"):
            text = f"\\{text}"
        elif len(text) > 1:  # no token has a meaning of its own here
            text = text.replace("[", r"\[").replace("]", r"\]")
        self.pieces.append(text)

    def _flags(self, flags: str, scoped: str) -> None:
        on, _, off = flags.partition("-")
        multiline = (self.multiline[-1] or "m" in on) and "m" not in off
        if scoped == ":":
            self.multiline.append(multiline)
            self.pieces.append(f"(?{flags}:")
        else:
            self.multiline[-1] = multiline
            if off or self.pieces:  # Python takes flags for the rest of a pattern only at its very beginning
                raise ValueError(f"(?{flags}) stands at the beginning of a pattern, or holds for a group: (?{flags}:")
            self.pieces.append(f"(?{flags})")

    def _opened(self, text: str) -> None:
        self.multiline.append(self.multiline[-1])
        self.pieces.append(text)

    def _closed(self, text: str) -> None:
        if len(self.multiline) > 1:
            self.multiline.pop()
        self.pieces.append(text)

    def _class_opened(self, text: str) -> None:
        self.in_class = True
        self.pieces.append(text)
        self._class_start = len(self.pieces)

    def _end(self, text: str) -> None:
        self.pieces.append("$" if self.multiline[-1] else r"\Z")

    def _as_is(self, text: str) -> None:
        self.pieces.append(text)


_PLAIN: Final[dict[str, Callable[[_Translation, str], None]]] = {
    "(": _Translation._opened, ")": _Translation._closed, "[": _Translation._class_opened, "$": _Translation._end,
    "{,": lambda translation, text: translation.pieces.append(r"\{,"),
}  # fmt: skip


def translated(pattern: str) -> str:
    """The pattern in Python's syntax. Raises ValueError for what it cannot say."""
    translation = _Translation()
    position = 0
    while position < len(pattern):
        if translation.in_class and pattern[position] == "^" and len(translation.pieces) == translation._class_start:
            translation.pieces.append("^")
            translation._class_start += 1
            position += 1
            continue
        token = _TOKEN.match(pattern, position)
        assert token is not None
        translation.take(token)
        position = token.end()
    return "".join(translation.pieces)


@functools.lru_cache(maxsize=256)
def compiled(pattern: bytes) -> re.Pattern[str]:
    """A pattern of UTF-8 that is ready for use. Raises InvalidArgumentError."""
    try:
        return re.compile(translated(pattern.decode()), re.ASCII)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        text = pattern.decode(errors="backslashreplace")
        raise InvalidArgumentError(f"Invalid pattern: {text}, error: {error}") from None


# -- replacing -----------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def _rewrite(rewrite: bytes, groups: int) -> tuple[str | int, ...]:
    r"""The pieces of a replacement: text, and the numbers of groups (`\1`; `\0` is the whole match)."""
    text = rewrite.decode("utf-8", "surrogateescape")
    pieces: list[str | int] = []
    for piece in re.findall(r"\\.?|[^\\]+", text, re.DOTALL):
        if piece[0] != "\\":
            pieces.append(piece)
        elif piece == "\\\\":
            pieces.append("\\")
        elif piece[1:].isdigit():
            if int(piece[1:]) > groups:
                raise InvalidArgumentError(
                    f"Invalid rewrite {text!r}: it takes group {piece[1:]}, the pattern has {groups} of them"
                )
            pieces.append(int(piece[1:]))
        else:
            raise InvalidArgumentError(
                rf"Invalid rewrite {text!r}: after a backslash there is a digit or another backslash, not {piece[1:]!r}"
            )
    return tuple(pieces)


def replaced(text: bytes, pattern: bytes, rewrite: bytes, everywhere: bool) -> bytes:
    """The text with what matches the pattern replaced; an empty match right after another match is none."""
    regex = compiled(pattern)
    pieces = _rewrite(rewrite, regex.groups)
    source = text.decode("utf-8", "surrogateescape")
    made: list[str] = []
    position, last_end = 0, -1
    while position <= len(source) and (match := regex.search(source, position)) is not None:
        made.append(source[position : match.start()])
        if match.start() == match.end() == last_end:
            made.append(source[last_end : last_end + 1])
            position = last_end + 1
            continue
        made += [piece if isinstance(piece, str) else match[piece] or "" for piece in pieces]
        position = last_end = match.end()
        if not everywhere:
            break
    return "".join([*made, source[position:]]).encode("utf-8", "surrogateescape")
