"""Effects that nobody can put back, in statements that a tensor decides: refused before they happen."""

from __future__ import annotations

import csv
import gzip
import json
import linecache
import mmap
import pathlib
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError

LASTING = (
    "file.write('pos')", "file.writelines(['a'])", "file.truncate(3)", "file.buffer.write(b'pos')",
    "print('a', file=file)",
    "json.dump([1], file)", "np.savetxt(file, [1.0])", "csv.writer(file).writerow([1])", "zipped.write(b'abc')",
    "steps.throw(ValueError)", "mapped.resize(4)",
)  # fmt: skip
"""What nobody could put back, were it done."""


def steps_of(seen: list[str]) -> Any:
    try:
        yield 1
    finally:
        seen.append("left")


@pytest.mark.parametrize("change", LASTING)
def test_what_lasts_is_refused_before_it_happens(change: str, tmp_path: pathlib.Path) -> None:
    source = f"def program(n):\n    if n > 0:\n        {change}\n    return n\n"
    name, seen = f"<lasting {change}>", list[str]()
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    (tmp_path / "log").write_text("as it was")
    with open(tmp_path / "log", "r+") as file, gzip.open(tmp_path / "gz", "wb") as zipped, mmap.mmap(-1, 8) as mapped:
        names: dict[str, Any] = {"file": file, "zipped": zipped, "mapped": mapped, "steps": steps_of(seen), "np": np}
        names.update(json=json, csv=csv)
        next(names["steps"])
        exec(compile(source, name, "exec"), names)
        for n in (1, 0):
            with pytest.raises(StagingError, match="Do it outside of the statement"):
                tf.function(names["program"])(tf.constant(n))
        assert (file.tell(), zipped.tell(), len(mapped), seen) == (0, 0, 8, [])
    assert (tmp_path / "log").read_text() == "as it was"


def test_the_place_in_a_memory_map_is_a_part_of_it() -> None:
    with mmap.mmap(-1, 8) as mapped:

        @tf.function
        def program(n):
            if n > 0:
                mapped.seek(3)
            return n

        with pytest.raises(StagingError, match="the memory map of the variable 'mapped' is changed"):
            program(tf.constant(1))
        assert mapped.tell() == 0
