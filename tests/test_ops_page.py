"""docs/ops.md and the pages below docs/ops are what the records say."""

from __future__ import annotations

import re

from docs.ops_page import ROOT, pages
from runtime.ops.records.families import load_all

DOCS = ROOT / "docs"


def test_the_pages_are_made_from_the_records() -> None:
    there = [DOCS / "ops.md", *(DOCS / "ops").iterdir()]
    found = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in there}
    assert found == pages(), "run: python docs/ops_page.py"


def test_every_operation_is_on_one_page_and_the_list_leads_there() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "ops").iterdir())
    ours = sorted(op.name for op in load_all().values() if op.__module__.startswith("runtime.ops."))
    assert sorted(re.findall(r"^### (\w+)$", text, re.MULTILINE)) == ours
    links = re.findall(r"\((ops/\w+\.md)#(\w+)\)", (DOCS / "ops.md").read_text(encoding="utf-8"))
    assert sorted(name for _, name in links) == ours
    for target, name in links:
        assert f"\n### {name}\n" in (DOCS / target).read_text(encoding="utf-8")
