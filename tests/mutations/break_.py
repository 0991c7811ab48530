"""`Break`: a line of the project, what it becomes, and the tests that must fail then."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Break"]


@dataclass(frozen=True)
class Break:
    """`old` stands once in `file`; with `new` in its place one of `tests` fails."""

    file: str
    old: str
    new: str
    tests: str
