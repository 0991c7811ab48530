"""Command line: run many programs, print what was refused and why, which constructs stood in which, and failures.

    python -m tests.differential --count 20000 --seed 7 --family integers
    python -m tests.differential --show 12            # the program of a seed

Exit code 1 if a program differs.
"""

from __future__ import annotations

import argparse
import sys
import time

import runtime

from .pairs import STAGED_PAIRS, rare, table
from .staged_language import OFF
from .suites import SUITES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description="Compare random programs.")
    parser.add_argument("--count", type=int, default=2000, help="number of programs (default 2000)")
    parser.add_argument("--seed", type=int, default=0, help="first seed (default 0)")
    parser.add_argument(
        "--family", choices=sorted(SUITES), default="integers", help="what kind of programs, and how they are judged"
    )
    parser.add_argument("--no-shrink", action="store_true", help="print failing programs as they are")
    parser.add_argument("--stop-after", type=int, default=5, help="stop after so many failures (default 5)")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed and stop")
    parser.add_argument("--backend", help="the engine that runs graphs (default: that of the machine)")
    options = parser.parse_args()
    runtime.config.backend(options.backend)
    suite = SUITES[options.family]
    if options.show is not None:
        print(suite.program(options.show).text)
        return 0
    started = time.perf_counter()
    report = suite.run(
        range(options.seed, options.seed + options.count),
        shrinks=not options.no_shrink,
        count_pairs=True,
        stop_after=options.stop_after,
    )
    print(report.summary())
    print(f"{time.perf_counter() - started:.1f} s\n\n{table(report.pairs, suite.layout)}\n")
    missing = rare(report.pairs, report.programs, suite.layout)
    print(f"{len(missing)} pairs come less often than 100 times in 20,000 programs{':' if missing else ''}")
    print("".join(f"  {pair}\n" for pair in missing), end="")
    left_out = suite.layout.impossible.items()
    print("".join(f"impossible: {inner} in {outer} ({why})\n" for (outer, inner), why in left_out), end="")
    if suite.layout is STAGED_PAIRS:
        print("".join(f"not written: {name} ({why})\n" for name, why in OFF.items()), end="")
    for failure in report.failures:
        print(f"\n{failure}")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
