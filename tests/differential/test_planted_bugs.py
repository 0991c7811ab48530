"""The oracle finds every planted bug within 500 programs."""

from __future__ import annotations

import pytest

from .campaign import campaign
from .planted import BUGS, Bug, planted


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS.keys())
def test_a_planted_bug_is_found(bug: Bug) -> None:
    with planted(bug):
        report = campaign(range(500), shrinks=False, stop_after=1)
    assert report.failures, f"{report.programs} programs did not show it"
    assert "crashed" not in report.failures[0].verdict.detail


def test_there_are_enough_bugs() -> None:
    assert len(BUGS) >= 10
