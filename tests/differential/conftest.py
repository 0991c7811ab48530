"""Prints, after the tests, how many programs were compared and which were refused."""

from __future__ import annotations

from collections import Counter

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Add up what the campaigns recorded (also those that ran in other processes)."""
    totals: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "differential" and getattr(report, "when", "") == "call":
                    totals.update(value)
    if totals:
        terminalreporter.section("differential programs")
        for name, count in totals.most_common():
            terminalreporter.write_line(f"{count:7} {name}")
