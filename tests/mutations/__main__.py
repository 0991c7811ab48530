"""Command line: break the packages in each of the ways of the table, and say which of them no test notices.

    python -m tests.mutations                  # all of them, some minutes
    python -m tests.mutations guards cache     # those with one of the words in the name of the file or the behaviour

Exit code 1 if one survives, 2 if the tests fail without any.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .runner import Verdict, Workshop
from .table import MUTATIONS

ROOT = Path(__file__).resolve().parent.parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description="Does a test notice each break?")
    parser.add_argument("words", nargs="*", help="only mutations with one of these words in them")
    parser.add_argument("--list", action="store_true", help="name them and stop")
    options = parser.parse_args()
    chosen = [m for m in MUTATIONS if not options.words or any(word in str(m) for word in options.words)]
    if options.list:
        print("\n".join(map(str, chosen)))
        return 0
    with Workshop(ROOT) as workshop:
        if failures := workshop.failures(sorted({test for m in chosen for test in m.tests})):
            print(f"the tests fail without any mutation:\n{failures}")
            return 2
        verdicts = []
        for number, mutation in enumerate(chosen, 1):
            started = time.perf_counter()
            verdicts.append(workshop.judge(mutation))
            seconds = time.perf_counter() - started
            print(f"{number:3} {verdicts[-1].value:8} {seconds:5.1f} s  {mutation}", flush=True)
    print(f"{verdicts.count(Verdict.KILLED)} of {len(verdicts)} killed")
    return 0 if all(verdict is Verdict.KILLED for verdict in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
