"""`checkpoints_iterator`: the checkpoints that another program writes, as they come.

    for path in checkpoints_iterator("training", timeout=600):
        checkpoint.restore(path)
        evaluate(model)
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Final

from runtime.checkpoint.files import latest_checkpoint

__all__ = ["checkpoints_iterator"]

PAUSE: Final = 1.0
"""Seconds between two looks at the directory, at most."""


def checkpoints_iterator(
    checkpoint_dir: str | os.PathLike[str], min_interval_secs: float = 0, timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:  # fmt: skip
    """Gives the path of the last checkpoint of a directory, again and again when there is a new one.

    min_interval_secs: seconds between two of them at least. timeout: seconds without a new one after which it ends;
    None: never. timeout_fn: is called then, and says whether it ends indeed.
    """
    before = None
    while True:
        path = _other_than(before, checkpoint_dir, timeout)
        if path is None:
            if timeout_fn is None or timeout_fn():
                return
            continue
        start = time.monotonic()
        before = path
        yield path
        time.sleep(max(0.0, start + min_interval_secs - time.monotonic()))


def _other_than(before: str | None, directory: str | os.PathLike[str], timeout: float | None) -> str | None:
    """The last checkpoint as soon as it is another one; None when the time is over."""
    end = None if timeout is None else time.monotonic() + timeout
    pause = PAUSE if timeout is None else min(PAUSE, timeout / 10)
    while True:
        path = latest_checkpoint(directory)
        if path is not None and path != before:
            return path
        if end is not None and time.monotonic() >= end:
            return None
        time.sleep(pause)
