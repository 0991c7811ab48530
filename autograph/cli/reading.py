"""Reading source files as Python itself reads them: byte order mark, coding cookie, any kind of line end.

Nothing here looks at what the text means, and nothing is read but the file that was named.

Example:
    source = read_source("model.py", "model.py", max_bytes=10_000_000)
    source.text.splitlines()[0]
"""

from __future__ import annotations

import codecs
import io
import re
import sys
import tokenize
from dataclasses import dataclass

from autograph.cli.terminal import visible
from autograph.errors import AutoGraphError

__all__ = ["BadInput", "Source", "decode", "read_source", "read_stdin"]

# The second group is what stands after the name of the encoding, to be kept (PEP 263).
_COOKIE = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)[-\w.]+(.*)$")
_REMEDY = "Save the file as UTF-8, or name its encoding in a comment on line 1: # -*- coding: latin-1 -*-"


class BadInput(AutoGraphError):
    """A file named on the command line cannot be used.

    Fails:
        $ autograph missing.py
    Repair: the message names the file, what is wrong with it, and what to do.
    """


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file, and its name with control characters escaped."""

    name: str
    text: str


def read_source(path: str, name: str, max_bytes: int) -> Source:
    """The text of the file `path`, called `name` in messages. Raises BadInput."""
    try:
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except IsADirectoryError:
        raise BadInput(f"{name}: is a folder, not a file. Name the Python files in it: {name}/*.py") from None
    except FileNotFoundError:
        raise BadInput(f"{name}: there is no such file. Check the name and the current folder") from None
    except PermissionError:
        raise BadInput(f"{name}: no permission to read it. Change its permissions, or pipe it to -") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"{name}: cannot be read: {visible(reason)}. Check the name") from None
    return Source(name, decode(data, name, max_bytes))


def read_stdin(name: str, max_bytes: int) -> Source:
    """The text of standard input, called `name` in messages. Raises BadInput."""
    if sys.stdin is None:
        raise BadInput(f"{name}: standard input is closed. Name a file, or pipe the text in")
    stream = getattr(sys.stdin, "buffer", None)
    data = sys.stdin.read(max_bytes + 1).encode() if stream is None else stream.read(max_bytes + 1)
    return Source(name, decode(data, name, max_bytes))


def decode(data: bytes, name: str, max_bytes: int) -> str:
    """The text in `data`, with `\\n` at line ends. Raises BadInput with the line that cannot be decoded."""
    if len(data) > max_bytes:
        raise BadInput(f"{name}: larger than {max_bytes:,} bytes. Raise the limit with --max-bytes")
    try:
        encoding, first_lines = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(name, error) from None
    except (SyntaxError, LookupError, UnicodeError) as error:
        raise _bad_cookie(name, data, error) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if encoding.startswith("utf-8") else _with_utf8_cookie(text, len(first_lines))


def _undecodable(name: str, error: UnicodeDecodeError) -> BadInput:
    line = error.object.count(b"\n", 0, error.start) + 1
    byte = error.object[error.start]
    return BadInput(f"{name}:{line}: cannot decode: byte 0x{byte:02x} is not {error.encoding}. {_REMEDY}")


def _bad_cookie(name: str, data: bytes, error: Exception) -> BadInput:
    """The error for a file whose encoding is wrong or missing, rather than one of its bytes."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as place:
        return _undecodable(name, place)
    line = 1 if b"coding" in data.partition(b"\n")[0] else 2
    if data.startswith(codecs.BOM_UTF8):
        reason = "the byte order mark says UTF-8, and the comment names another encoding"
    elif isinstance(error, SyntaxError):
        reason = visible(str(error.msg))
    else:  # a codec that does not make text, or that tells no place
        reason = f"the comment names an encoding that does not fit: {visible(str(error))}"
    return BadInput(f"{name}:{line}: cannot decode: {reason}. {_REMEDY}")


def _with_utf8_cookie(text: str, cookie_lines: int) -> str:
    """The text with its coding cookie (on one of the first lines) changed to utf-8, in which we write."""
    lines = text.split("\n", cookie_lines)
    for number, line in enumerate(lines[:cookie_lines]):
        lines[number] = _COOKIE.sub(r"\g<1>utf-8\g<2>", line)
    return "\n".join(lines)
