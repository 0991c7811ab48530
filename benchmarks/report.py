"""The table as Markdown, the machine it was measured on, and its place in the README between two markers.

    <!-- benchmarks:begin -->
    ... the tables ...
    <!-- benchmarks:end -->
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

from benchmarks.measure import Row

__all__ = ["BEGIN", "END", "machine", "table", "write"]

BEGIN, END = "<!-- benchmarks:begin -->", "<!-- benchmarks:end -->"

# Units that are shown larger or smaller: the factor to the unit of the measurement, and its name.
SCALES = {
    "s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")),
    "bytes": ((2**20, "MiB"), (2**10, "KiB"), (1, "bytes")),
}


def quantity(value: float, unit: str) -> str:
    """A value with its unit, to three digits: 0.00421 s is `4.21 ms`."""
    for factor, name in SCALES.get(unit, ((1.0, unit),)):
        if abs(value) >= factor or (unit, name) in (("s", "ns"), ("bytes", "bytes")) or unit not in SCALES:
            scaled = value / factor
            digits = f"{scaled:.3g}" if abs(scaled) < 1000 else f"{scaled:,.0f}"
            return f"{digits} {name}".strip()
    raise AssertionError(unit)


def table(title: str, rows: list[Row]) -> str:
    """One section of the report."""
    lines = [f"**{title}**", "", "| what | measured | target | compared with | ratio |", "|---|---:|---:|---:|---:|"]
    for row in rows:
        target = "" if row.target is None else f"≤ {quantity(row.target, row.unit)}"
        compared, ratio = row.baseline_name, ""
        if row.baseline is not None:
            compared = f"{row.baseline_name}: {quantity(row.baseline, row.unit)}"
        if row.target:
            ratio = f"{_short(row.value / row.target)} of target"
        elif row.baseline:
            ratio = f"{_short(row.value / row.baseline)} ×"
        missed = " (missed)" if row.met is False else ""
        lines.append(f"| {row.name} | {quantity(row.value, row.unit)}{missed} | {target} | {compared} | {ratio} |")
    return "\n".join(lines)


def _short(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2g}"


def machine() -> str:
    """One line that names the processor, the number of cores, the system and the versions that matter."""
    import numpy

    return (
        f"Measured on {_processor()}, {os.cpu_count()} cores, {platform.system()},"
        f" Python {platform.python_version()}, numpy {numpy.__version__}: the least of"
        " several repeats, in one run; what takes milliseconds or more is CPU time."
    )


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def write(readme: Path, text: str) -> None:
    """Put `text` between the markers of `readme`; a file without them gets a section at its end."""
    old = readme.read_text(encoding="utf-8")
    block = f"{BEGIN}\n{text}\n{END}"
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if bool(begin) != bool(end):
        raise SystemExit(f"{readme}: needs both {BEGIN} and {END}, in this order")
    new = before + block + after if begin else f"{old.rstrip()}\n\n## Speed and memory\n\n{block}\n"
    readme.write_text(new, encoding="utf-8")
