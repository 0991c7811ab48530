"""Original, converted and staged functions agree on thousands of random programs, in everything that they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .suites import REFUSED_SHARE, SUITES

SHARD = 200
SHARDS = [
    *[("integers", shard) for shard in range(8)],
    *[("floats", shard) for shard in range(2)],
    *[("staging", shard) for shard in range(1)],
    *[("shadow", shard) for shard in range(2)],
    *[("staged", shard) for shard in range(2)],
]


@pytest.mark.parametrize(("name", "shard"), SHARDS)
def test_programs_behave_as_the_original(name: str, shard: int, record_property: Callable[[str, object], None]) -> None:
    report = SUITES[name].run(range(shard * SHARD, (shard + 1) * SHARD))
    refused = {f"{name}: refused: {reason}": count for reason, count in report.refusals.items()}
    record_property("differential", {f"{name}: programs": report.programs, **refused})
    assert not report.failures, "\n\n".join(map(str, report.failures))
    assert report.programs == SHARD
    assert sum(report.refusals.values()) <= SHARD * REFUSED_SHARE, report.summary()
