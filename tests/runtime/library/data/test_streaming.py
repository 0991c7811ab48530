"""Memory does not grow with the data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import resource, sys
import runtime as tf
from runtime.library.data import TextLineDataset

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024        # MiB

warm = TextLineDataset(sys.argv[2]).map(lambda line: tf.strings.length(line)).shuffle(1000).batch(64)
for _ in warm:
    pass
before = peak()
total = 0
lines = TextLineDataset(sys.argv[1]).map(lambda line: (line, tf.strings.length(line))).shuffle(10_000)
for _, lengths in lines.batch(64).prefetch(4):
    total += int(tf.reduce_sum(lengths))
print(total, before, peak())
"""


def run(tmp_path: Path, megabytes: int) -> tuple[int, float, float]:
    line = b"0123456789abcdef" * 63 + b"fifteen letters" + b"\n"
    assert len(line) == 1024
    small, big = tmp_path / "small", tmp_path / "big"
    small.write_bytes(line * 2000)
    with big.open("wb") as file:
        for _ in range(megabytes):
            file.write(line * 1024)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    made = subprocess.run(
        [sys.executable, str(program), str(big), str(small)], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
    )  # fmt: skip
    big.unlink()
    total, before, peak = made.stdout.split()
    assert int(total) == megabytes * 1024 * 1023
    return int(total), float(before), float(peak)


def test_a_file_goes_through_a_pipeline_in_little_memory(tmp_path: Path) -> None:
    _, before, peak = run(tmp_path, 160)
    assert peak - before < 100, "the file has 160 MiB, the buffer of shuffle 10"


@pytest.mark.slow
def test_two_gigabytes_go_through_a_pipeline_in_less_than_300_megabytes(tmp_path: Path) -> None:
    _, _, peak = run(tmp_path, 2048)
    assert peak < 300
