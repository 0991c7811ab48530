"""docs/ops.md is what the records say."""

from __future__ import annotations

from docs.ops_page import PAGE, ops_page
from runtime.ops.records.families import load_all


def test_the_page_is_made_from_the_records() -> None:
    assert PAGE.read_text(encoding="utf-8") == ops_page(), "run: python docs/ops_page.py"


def test_every_operation_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    ours = [op.name for op in load_all().values() if op.__module__.startswith("runtime.ops.")]
    assert [name for name in ours if f"\n### {name}\n" not in page] == []
