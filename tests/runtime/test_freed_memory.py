"""Memory of arrays that a program makes and frees in each turn is used again: its pages are not new each time."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys
import numpy as np
if sys.argv[1] == "here":
    import runtime

def faults(turns):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(turns):
        made = [np.ones(300_000) for _ in range(4)]
        made.clear()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

faults(3)
print(faults(10))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators have rules of their own")
def test_pages_are_not_new_in_each_turn() -> None:
    there, here = (
        int(subprocess.run([sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True).stdout)
        for how in ("there", "here")
    )
    assert here < 100 < 5_000 < there
