"""The oracle finds every planted bug within 500 programs."""

from __future__ import annotations

import pytest

from .campaign import campaign
from .planted import BUGS, PROBE_BUG, STAGING_BUGS, STATE_BUGS, Bug, planted
from .suites import REFUSED_SHARE, SUITES


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS.keys())
def test_a_planted_bug_is_found(bug: Bug) -> None:
    with planted(bug):
        report = campaign(range(500), shrinks=False, stop_after=1)
    assert report.failures, f"{report.programs} programs did not show it"
    assert "crashed" not in report.failures[0].verdict.detail


@pytest.mark.parametrize("suite", ["shadow", "staged"])
@pytest.mark.parametrize("bug", STAGING_BUGS.values(), ids=STAGING_BUGS.keys())
def test_a_planted_bug_is_found_by_staging(bug: Bug, suite: str) -> None:
    """By a wrong answer, or because the runtime notices something and refuses far more programs than it should."""
    with planted(bug):
        report = SUITES[suite].run(range(300), shrinks=False, stop_after=1)
    assert report.failures or sum(report.refusals.values()) > REFUSED_SHARE * report.programs, report.summary()


@pytest.mark.parametrize("bug", STATE_BUGS.values(), ids=STATE_BUGS.keys())
def test_a_planted_bug_is_found_by_calls_of_methods(bug: Bug) -> None:
    with planted(bug):
        report = SUITES["stateful"].run([*range(8), *range(24, 32)], shrinks=False, stop_after=1)
    assert report.failures, report.summary()


def test_state_left_by_a_probed_test_is_found() -> None:
    with planted(PROBE_BUG):
        report = SUITES["shadow"].run(range(500), shrinks=False, stop_after=1)
    assert report.failures, report.summary()


def test_there_are_enough_bugs() -> None:
    assert len(BUGS) >= 10
