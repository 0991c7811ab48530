"""A call that is refused leaves all objects as they were before: of each kind, changed in each way, before or in the
statement that cannot be staged."""

from __future__ import annotations

import itertools
import linecache
import random
import threading
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.errors import TraceEffectWarning
from tests.runtime.heap.programs import close_files, namespace
from tests.runtime.heap.samples import SAMPLES, Sample

PLACES: Final = {
    "branch": "if x > 0:\n        CHANGE\n        LOCK.acquire()",
    "other branch": "if x > 0:\n        y = 1\n    else:\n        CHANGE\n    if x > 1:\n        LOCK.acquire()",
    "loop": "for i in range(x):\n        CHANGE\n        LOCK.acquire()",
    "before": "CHANGE\n    if x > 0:\n        LOCK.acquire()",
}
"""No graph can acquire a lock."""

_OPAQUE: Final = frozenset(
    {
        "functools.singledispatch", "library with a part in C", "_queue.SimpleQueue", "_hashlib.HASH", "zlib.Compress",
        "sqlite3.Connection", "csv.writer", "xml.etree.ElementTree.Element", "generator", "list_iterator",
        "dict_keyiterator", "map", "filter", "zip", "enumerate", "numpy.flatiter",
    }
)  # fmt: skip
"""What says nothing of its state, or cannot be put back: a step that Python alone has decided about is not undone."""

CASES: Final = [
    (sample, change, place)
    for sample, place in itertools.product(SAMPLES, PLACES)
    for change in sample.changes
    if sample.kind != "itertools.batched"
    and (place != "before" or not (sample.kind in _OPAQUE or sample.kind.startswith("itertools.") or "close" in change))
]


def wrong(cases: Iterable[tuple[Sample, str, str]], folder: Path) -> list[str]:
    """What is another thing after a call that was refused, or was not refused."""
    names, found = namespace(folder), []
    names["LOCK"] = threading.Lock()
    for number, (sample, change, place) in enumerate(cases):
        source = f"def f(x):\n    {PLACES[place].replace('CHANGE', change)}\n    return x\n"
        file = f"{folder}/refused_{number}.py"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), names)
        before = _look(sample, names)
        names["o"] = o = _made(sample, names)
        with warnings.catch_warnings(), pytest.raises(StagingError):
            warnings.simplefilter("ignore", TraceEffectWarning)
            tf.function(names["f"])(tf.constant(1))
        names["o"] = o
        after = float(eval(sample.look, names))
        if after != before:
            found.append(f"{sample.kind}, {change}, {place}: {before} before and {after} after")
    close_files(names)
    return found


def _made(sample: Sample, names: dict[str, Any]) -> Any:
    for kept in names["KEPT"]:
        kept.v = 1.0
    names["library"].Frame.made = 0
    return eval(sample.make, names)


def _look(sample: Sample, names: dict[str, Any]) -> float:
    names["o"] = _made(sample, names)
    return float(eval(sample.look, names))


def test_some_kinds(tmp_path: Path) -> None:
    assert not wrong(random.Random(7).sample(CASES, 60), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_all_kinds(place: str, tmp_path: Path) -> None:
    assert not wrong([case for case in CASES if case[2] == place], tmp_path)
