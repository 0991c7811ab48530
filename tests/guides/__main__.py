"""Runs the programs of the guides and says which do not answer as TensorFlow does.

    $ python -m tests.guides [guide ...]
"""

from __future__ import annotations

import sys

import runtime
from tests.guides.answers import agree, answer, read
from tests.guides.programs import GUIDES


def main(chosen: list[str]) -> int:
    """The number of programs that answer otherwise."""
    wrong = 0
    for guide in chosen or GUIDES:
        recorded, failed = read(guide), []
        for name, program in GUIDES[guide].items():
            found = answer(program, runtime)
            if not agree(found, recorded[name]):
                failed.append(f"  {name}\n    here        {_short(found)}\n    TensorFlow  {_short(recorded[name])}")
        wrong += len(failed)
        print(f"{guide}: {len(GUIDES[guide]) - len(failed)} of {len(GUIDES[guide])} programs answer as TensorFlow does")
        print(*failed, sep="\n", end="\n" if failed else "")
    return wrong


def _short(answer: object) -> str:
    text = str(answer)
    return text if len(text) < 300 else f"{text[:300]} ..."


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
