"""Kinds of objects, times ways to them, times changes between two calls: a trace is never stale without a word.

A sample of them runs with the suite; all with `-m slow`. A kind that is added to a table of the heap is in it by that.
"""

from __future__ import annotations

import itertools
import linecache
import random
import re
import textwrap
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from runtime.errors import TraceEffectWarning
from tests.runtime.heap.programs import PATHS, _reset, close_files, namespace
from tests.runtime.heap.samples import SAMPLES

PROGRAM = """
def make():
    o = {make}
{before}
    def f(x):
        q_ = {reached}
        return x + ({look})
    def change():
        {change}
    return f, change
"""

UNSEEN = {"_hashlib.HASH", "sqlite3.Connection", "xml.etree.ElementTree.Element", "library with a part in C"}
"""What nobody can see without keeping it (runtime.heap.opaque)."""

NOT_HELD = {"local", "global", "alias before"}
CELLS = [
    (sample, path, change)
    for sample in SAMPLES
    if sample.kind not in UNSEEN and (sample.kind != "itertools.batched" or hasattr(itertools, "batched"))
    for path in PATHS
    if path not in NOT_HELD
    for change in sample.changes
]


def calls(function: Any, change: Any) -> list[float]:
    before = [float(function(tf.constant(1.0, tf.float64))) for _ in range(2)]
    change()
    return before + [float(function(tf.constant(1.0, tf.float64))) for _ in range(2)]


def run(chosen: Iterable[Any], folder: Path) -> int:
    names = namespace(folder)
    followed, stale = 0, []
    for number, (sample, path, change) in enumerate(chosen):
        before, reached = PATHS[path]
        source = PROGRAM.format(
            make=sample.make, before=textwrap.indent(before, "    "), reached=reached, change=change,
            look=re.sub(r"(?<![\w.])o(?!\w)", "q_", sample.look),
        )  # fmt: skip
        file = f"{folder}/calls_{number}.py"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), names)
        _reset(names)
        try:
            expected = calls(*names["make"]())
        except Exception:  # no program
            continue
        _reset(names)
        function, changing = names["make"]()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", TraceEffectWarning)
            found = calls(tf.function(function), changing)
        if found == expected:
            followed += 1
        elif not any(warning.category is TraceEffectWarning for warning in caught):
            stale.append(f"{sample.kind} | {path} | {change}: {found} and not {expected}\n{source}")
    close_files(names)
    assert not stale, f"{len(stale)} are stale, such as\n" + "\n".join(stale[:5])
    return followed


def test_a_sample_of_them(tmp_path: Path) -> None:
    assert run(random.Random(5).sample(CELLS, 150), tmp_path) > 75


@pytest.mark.slow
def test_all(tmp_path: Path) -> None:
    print(f"{run(CELLS, tmp_path)} of {len(CELLS)} are followed; the others are warned of, or no programs")
