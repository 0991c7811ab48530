"""Makes the table of docs/exports.md from the records and the rules of runtime.exits.

Example:
    $ python docs/exports_page.py    # writes the part of docs/exports.md after the mark; a test compares it
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from runtime.ops.record import Op

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "exports.md"
MARK: Final = "<!-- The rest is made by docs/exports_page.py from the records: run it after a change of them. -->\n"


def table() -> str:
    """The rows, family by family."""
    from runtime.exits.onnx.table import leaves
    from runtime.ops.families import load_all

    records = [op for op in load_all().values() if op.__module__.startswith("runtime.ops.")]
    families: dict[str, list[Op]] = {}
    for op in records:
        families.setdefault(op.__module__.rpartition(".")[2], []).append(op)
    count = sum(map(leaves, records))
    parts = [f"\n{count} of {len(records)} operations leave as ONNX.\n"]
    for family in sorted(families):
        rows = [row(op) for op in sorted(families[family], key=lambda op: op.name)]
        parts += [f"\n### {family.replace('_', ' ').capitalize()}\n\n| operation | ONNX |\n|---|---|\n", *rows]
    return "".join(parts)


def row(op: Op) -> str:
    """One operation: what it becomes, or why it does not leave."""
    from runtime.exits.onnx.table import how, leaves, reason

    return f"| `{op.name}` | {how(op) if leaves(op) else f'no: {reason(op)}'} |\n"


def page() -> str:
    """The text of the page, with a new table."""
    head, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    return head + mark + table()


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(page(), encoding="utf-8")
