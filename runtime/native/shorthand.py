"""Text for LLVM in which what is always written in two lines is one; `written_out` makes the two of it.

    %t = get ptr, i8, ptr %o, i64 8                        getelementptr, load: what is there
    put ptr %v, ptr, ptr %values, i64 %c                   getelementptr, store
    if eq ptr %t, null, label %missing, label %found       icmp, br
"""

from __future__ import annotations

import re
from itertools import count

__all__ = ["written_out"]

_WORDS = re.compile(r"^  (?:(%[\w.]+) = get ([^,\n]+), (.+)|put ([^,\n]+), (.+)|if (.+?), (label %.+))$", re.MULTILINE)


def written_out(text: str) -> str:
    """The text as LLVM reads it."""
    numbers = count()

    def lines(found: re.Match[str]) -> str:
        name, loaded, source, stored, target, test, ways = found.groups()
        made = f"%short.{next(numbers)}"
        if name is not None:
            return f"  {made} = getelementptr {source}\n  {name} = load {loaded}, ptr {made}"
        if stored is not None:
            return f"  {made} = getelementptr {target}\n  store {stored}, ptr {made}"
        return f"  {made} = icmp {test}\n  br i1 {made}, {ways}"

    return _WORDS.sub(lines, text)
