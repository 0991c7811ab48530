"""JSON from files that nobody vouches for, read within limits that are checked before anything is built.

    parsed('{"a": [1, 2]}', "model.index")               # {'a': [1, 2]}
    parsed('{"a": 1, "a": 2}', "model.index")            # FileFormatError: ... the key 'a' stands there twice

Python's own parser recurses as deep as the brackets do, makes integers of any length, and lets the last of two equal
keys win. `written` gives the same text for the same value in each process.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from runtime.errors import FileFormatError

__all__ = ["parsed", "written"]

DEEPEST: Final = 200
"""How many brackets may be open at once."""

MOST_VALUES: Final = 4_000_000
"""How many brackets and commas there may be."""

_TOKEN: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},]', re.DOTALL)

_LONGEST_NUMBER: Final = 20


def written(value: Any) -> str:
    """The value as JSON: keys in order, without white space, ASCII alone."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def parsed(text: str | bytes, where: str) -> Any:
    """The value of a JSON text. where: for messages. Raises FileFormatError for everything that is not plain JSON."""

    def refuse(why: str) -> NoReturn:
        raise FileFormatError(f"{where}: {why}")

    def integer(digits: str) -> int:
        if len(digits) > _LONGEST_NUMBER or not -(2**63) <= int(digits) < 2**63:
            refuse(f"a number does not fit 64 bits: {digits[:30]}")
        return int(digits)

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                refuse(f"the key {key!r} stands there twice")
            found[key] = value
        return found

    def constant(name: str) -> NoReturn:
        refuse(f"has the number {name}")

    try:
        text = text.decode("utf-8") if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        refuse(f"at byte {error.start} of the text: is not UTF-8")
    _check_size(text, refuse)
    try:
        return json.loads(text, parse_int=integer, object_pairs_hook=mapping, parse_constant=constant)
    except FileFormatError:
        raise
    except (ValueError, RecursionError) as error:
        refuse(f"is not JSON: {error}")


def _check_size(text: str, refuse: Any) -> None:
    depth = count = 0
    for token in _TOKEN.finditer(text):
        sign = text[token.start()]
        if sign == '"':
            continue
        count += 1
        depth += 1 if sign in "[{" else -1 if sign in "]}" else 0
        if depth > DEEPEST:
            refuse(f"at character {token.start()} of the text: more than {DEEPEST} brackets are open")
        if count > MOST_VALUES:
            refuse(f"at character {token.start()} of the text: more than {MOST_VALUES} values")
