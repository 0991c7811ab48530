"""The command `python -m benchmarks`: measures the sections and prints the tables, or writes them into the pages."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

import runtime
from benchmarks.measure import FULL, TINY, Row
from benchmarks.report import machine, table, write

SECTIONS = {
    "front_page": "The program of the first page",
    "conversion": "Conversion (no cache)",
    "calls": "Calls of converted functions",
    "plain_values": "Ordinary programs over plain values",
    "operators": "Constructs of Python in converted code",
    "imports": "Imports, in a new process",
    "function_calls": "Calls of a Function",
    "state": "Variables",
    "tracing": "Tracing and planning",
    "control_flow": "Control flow in a graph",
    "elements": "Elements and lists in a graph",
    "native": "Machine code",
    "numpy_programs": "Programs of NumPy as Functions",
    "datasets": "Datasets",
    "training": "Training",
    "memory": "Memory",
}
ROOT = Path(__file__).resolve().parent.parent
README, TABLES = ROOT / "README.md", ROOT / "docs" / "performance.md"
ON_THE_FIRST_PAGE = (
    "`x + 1` on [2, 2], over numpy's time",
    "trace + plan of 1,000 operations in a straight line",
    "Mandelbrot, 256 x 256 pixels, 50 steps",
    "a step of training 784-128-10, batch 32",
    "`import runtime`, after numpy's",
    "10,000 functions traced, run and dropped: growth of the process",
)
"""Rows that the README shows beside its program."""


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measures the project.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"some of: {', '.join(SECTIONS)} (default: all)")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/performance.md and README.md")
    parser.add_argument("--tiny", action="store_true", help="only show that every program runs")
    arguments = parser.parse_args(argv)
    unknown = sorted(set(arguments.sections) - set(SECTIONS))
    if unknown:
        parser.error(f"no such section: {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    if arguments.write and (arguments.tiny or arguments.sections):
        parser.error("--write needs the whole table at its full size")
    parts, missed, measured = [machine()], 0, {}
    for name in arguments.sections or SECTIONS:
        start = time.perf_counter()
        module = importlib.import_module(f"benchmarks.{name}")
        with runtime.config.backend("numpy"):  # machine code has a section of its own
            rows = list(module.rows(TINY if arguments.tiny else FULL))
        missed += sum(row.met is False for row in rows)
        measured[name] = rows
        parts.append(table(SECTIONS[name], rows))
        print(f"{name}: {time.perf_counter() - start:.1f} s", file=sys.stderr)
    text = "\n\n".join(parts)
    print(text)
    if arguments.write:
        write(TABLES, text)
        write(README, first_page(measured))
    if missed and not arguments.tiny:
        print(f"{missed} targets missed", file=sys.stderr)
    return 0


def first_page(measured: dict[str, list[Row]]) -> str:
    """The tables of the README: its program, and six rows of the others."""
    rows = [row for found in measured.values() for row in found]
    shown = [next(row for row in rows if row.name == name) for name in ON_THE_FIRST_PAGE]
    tables = table(SECTIONS["front_page"], measured["front_page"]), table("And otherwise", shown)
    return "\n\n".join([machine(), *tables])


if __name__ == "__main__":
    raise SystemExit(main())
