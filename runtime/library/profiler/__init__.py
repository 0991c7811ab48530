"""Where the time and memory of a Function go, by the lines of the program: as a table, beside the source, as files.

    found = runtime.profiler.profile(step, x, y)
    print(found)                        # the lines that take most, with their times, shares and the bytes they make
    print(found.source())               # the program, with the share of each line before it
    found.write_tensorboard("logs")     # for TensorBoard: when each operation ran

`runtime.profiler.experimental` notes the calls of Functions while a program runs, for TensorBoard.
"""

from __future__ import annotations

from runtime.library.profiler import experimental
from runtime.library.profiler.lines import LineTime, Profile, profile
from runtime.names.elsewhere import explain

__all__ = ["LineTime", "Profile", "experimental", "profile"]

explain(__name__)
