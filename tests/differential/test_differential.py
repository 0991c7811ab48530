"""The original and the converted function agree on 2,000 random programs, in everything that they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .author import FLOATS, INTEGERS, Family
from .campaign import campaign

SHARD = 200
SHARDS = [(INTEGERS, shard) for shard in range(8)] + [(FLOATS, shard) for shard in range(2)]


@pytest.mark.parametrize(("family", "shard"), SHARDS, ids=lambda value: getattr(value, "name", str(value)))
def test_converted_programs_behave_as_the_original(
    family: Family, shard: int, record_property: Callable[[str, object], None]
) -> None:
    report = campaign(range(shard * SHARD, (shard + 1) * SHARD), family)
    refused = {f"refused: {reason}": count for reason, count in report.refusals.items()}
    record_property("differential", {"programs compared in Python mode": report.programs, **refused})
    assert not report.failures, "\n\n".join(map(str, report.failures))
    assert report.programs == SHARD
    assert sum(report.refusals.values()) <= SHARD // 10, report.summary()
