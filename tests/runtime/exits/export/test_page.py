"""docs/exports.md has the table that the records say."""

from __future__ import annotations

from docs.exports_page import PAGE, page


def test_the_table_is_made_from_the_records() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python docs/exports_page.py"
