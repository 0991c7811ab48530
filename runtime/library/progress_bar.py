"""How far a long loop has come: `for batch in runtime.progress(dataset)`, and what `fit` shows of an epoch.

    for path in runtime.progress(paths, label="files"): ...      # files: 12/40 [00:03]

On a terminal it is a bar of tqdm, where that is installed, else a line that is written anew; nothing is written where
the standard error is no terminal. Loops that a graph runs are left as they are.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from runtime.context import current_recorder
from runtime.graph.graph import Graph

__all__ = ["progress"]

T = TypeVar("T")

_EVERY: Final = 0.5
"""Seconds between two lines."""


def progress(items: Iterable[T], total: int | None = None, label: str = "") -> Iterable[T]:
    """The same items, one after the other, with what is done shown on the standard error if that is a terminal.

    total: how many there are, where `len(items)` does not say; label: what stands before the count.
    """
    if isinstance(current_recorder(), Graph) or not sys.stderr.isatty():
        return items
    known = _length(items) if total is None else total
    try:
        from tqdm import tqdm
    except ImportError:
        return _with_lines(items, known, label)
    bar: Iterable[T] = tqdm(items, total=known, desc=label or None, leave=False)
    return bar


def _length(items: Any) -> int | None:
    try:
        return len(items)
    except TypeError:  # a Dataset without an end, a generator
        return None


def _with_lines(items: Iterable[T], total: int | None, label: str) -> Iterator[T]:
    begun = shown = time.monotonic()
    of = "" if total is None else f"/{total}"
    width = 0
    try:
        for count, item in enumerate(items):
            now = time.monotonic()
            if now - shown >= _EVERY:
                shown, minutes = now, divmod(int(now - begun), 60)
                text = f"{label}{': ' if label else ''}{count}{of} [{minutes[0]:02d}:{minutes[1]:02d}]"
                sys.stderr.write("\r" + text.ljust(width))
                sys.stderr.flush()
                width = len(text)
            yield item
    finally:
        if width:
            sys.stderr.write("\r" + " " * width + "\r")
            sys.stderr.flush()
