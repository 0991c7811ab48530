"""Many programs in a row: counts of what was found, refusals by reason, failures made small.

Example:

    report = campaign(range(200))
    print(report.summary())
    assert not report.failures
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from .grammar import Program, program
from .oracle import Verdict, check, deadline
from .pairs import pairs
from .shrink import shrink

__all__ = ["Failure", "Report", "campaign"]


@dataclass(frozen=True)
class Failure:
    """A program that differs, made small."""

    seed: int
    family: str
    verdict: Verdict
    text: str

    def __str__(self) -> str:
        head = f"seed {self.seed} of {self.family} differs for inputs {self.verdict.inputs}: {self.verdict.detail}"
        return f"{head}\n{self.text}"


@dataclass
class Report:
    """What a campaign found."""

    programs: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def summary(self) -> str:
        refused = sum(self.refusals.values())
        equal = self.programs - refused - len(self.failures)
        share = 1 / max(1, self.programs)
        shown = f"{refused} refused ({refused * share:.2%})"
        lines = [f"{self.programs} programs: {equal} equal, {shown}, {len(self.failures)} different"]
        lines += [
            f"  refused {count:5} x ({count * share:.2%}) {reason}" for reason, count in self.refusals.most_common()
        ]
        return "\n".join(lines)


def campaign(
    seeds: Iterable[int],
    *,
    name: str = "integers",
    write: Callable[[int], Program] = program,
    judge: Callable[[Program], Verdict] = check,
    shrinks: bool = True,
    count_pairs: bool = False,
    stop_after: int = 5,
) -> Report:
    """Judge the program of every seed; stops early after some failures."""
    report = Report()
    for seed in seeds:
        candidate = write(seed)
        verdict = judge(candidate)
        report.programs += 1
        if count_pairs:
            report.pairs += pairs(candidate.text)
        if verdict.kind == "refused":
            report.refusals[verdict.detail] += 1
        elif verdict.kind == "differs":
            report.failures.append(_failure(candidate, name, verdict, judge, shrinks))
            if len(report.failures) >= stop_after:
                break
    return report


def _failure(
    failed: Program, family: str, verdict: Verdict, judge: Callable[[Program], Verdict], shrinks: bool
) -> Failure:
    if not shrinks:
        return Failure(failed.seed, family, verdict, failed.text)

    def fails(text: str) -> bool:
        return "def program(" in text and judge(replace(failed, text=text)).sort() == verdict.sort()

    token = deadline.set(0.1)
    text = shrink(failed.text, fails)
    deadline.reset(token)
    return Failure(failed.seed, family, judge(replace(failed, text=text)), text)
