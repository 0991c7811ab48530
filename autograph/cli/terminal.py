"""What a person is told on stderr: messages and the progress line, with control characters escaped.

A file name or a source line may hold terminal escapes; shown as they are they could rewrite the screen.

Example:
    visible("a\\x1b[2J.py")  # 'a\\\\x1b[2J.py'
    Talk(quiet=False).note("model.py:3: batches stays Python: ...")
"""

from __future__ import annotations

import re
import sys
import traceback
from dataclasses import dataclass, field
from typing import TextIO

__all__ = ["Talk", "visible", "visible_text"]

# C0 and C1 controls, DEL, the marks that change the direction of text, and halves of surrogate pairs.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_CONTROL_BUT_LAYOUT = re.compile(_CONTROL.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))


def _escape(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")


def visible(text: str) -> str:
    """`text` on one line, with every control character shown as an escape."""
    return _CONTROL.sub(_escape, text)


def visible_text(text: str) -> str:
    """`text` with every control character but line ends and tabs shown as an escape."""
    return _CONTROL_BUT_LAYOUT.sub(_escape, text)


@dataclass(slots=True)
class Talk:
    """All that the program says on stderr. A progress line is wiped away before anything else is said."""

    quiet: bool = False
    color: bool = False
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    _progress_shown: bool = False

    def error(self, message: str) -> None:
        """Something that the user must mend: said even with --quiet. The message starts with its place."""
        self._say("\x1b[1;31m", message)

    def note(self, message: str) -> None:
        """Something worth knowing."""
        if not self.quiet:
            self._say("\x1b[1;36m", message)

    def fault(self, error: BaseException, message: str) -> None:
        """An error that is not the user's: its traceback, then the message."""
        self.clear()
        self.stream.write(visible_text("".join(traceback.format_exception(error))))
        self.error(message)

    def progress(self, done: int, total: int, name: str) -> None:
        """Which file of how many is being converted; only on a terminal, and only for more than one."""
        if total < 2 or self.quiet or not self.stream.isatty():
            return
        self.clear()
        self.stream.write(f"\r[{done}/{total}] {name[-60:]}")
        self.stream.flush()
        self._progress_shown = True

    def clear(self) -> None:
        """Wipes the progress line away."""
        if self._progress_shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
            self._progress_shown = False

    def _say(self, color: str, message: str) -> None:
        self.clear()
        place, colon, rest = visible_text(message).partition(": ")
        if self.color:
            place = f"{color}{place}\x1b[0m"
        self.stream.write(f"{place}{colon}{rest}\n")
        self.stream.flush()
