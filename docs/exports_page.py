"""Makes the table of docs/exports.md from the records and the rules of runtime.exits.

Example:
    $ python docs/exports_page.py    # writes the part of docs/exports.md after the mark; a test compares it
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from runtime.ops.records.record import Op

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "exports.md"
MARK: Final = "<!-- The rest is made by docs/exports_page.py from the records: run it after a change of them. -->\n"


def table() -> str:
    """The rows, family by family."""
    from runtime.exits.onnx.table import leaves
    from runtime.exits.xla.table import how
    from runtime.ops.records.families import load_all

    records = [op for op in load_all().values() if op.__module__.startswith("runtime.ops.")]
    families: dict[str, list[Op]] = {}
    for op in records:
        families.setdefault(op.__module__.rpartition(".")[2], []).append(op)
    count, of_xla = sum(map(leaves, records)), sum(not how(op).startswith("no:") for op in records)
    parts = [f"\n{count} of {len(records)} operations leave as ONNX, {of_xla} as programs of XLA.\n"]
    for family in sorted(families):
        rows = [row(op) for op in sorted(families[family], key=lambda op: op.name)]
        head = "| operation | ONNX | XLA | machine code |\n|---|---|---|---|\n"
        parts += [f"\n### {family.replace('_', ' ').capitalize()}\n\n{head}", *rows]
    return "".join(parts)


def row(op: Op) -> str:
    """One operation: what it becomes, or why it does not leave."""
    from runtime.exits.onnx.table import how, leaves, reason
    from runtime.exits.xla.table import how as how_in_xla

    in_onnx = how(op) if leaves(op) else f"no: {reason(op)}"
    return f"| `{op.name}` | {in_onnx} | {how_in_xla(op)} | {_in_machine_code(op)} |\n"


def _in_machine_code(op: Op) -> str:
    from runtime.native.lowerings import __all__ as _filled  # noqa: F401
    from runtime.native.rules import RULES

    if op in RULES or (op.float_ufunc is not None and op.raises is None):
        return "a rule"
    return "its kernel, where that is an expression" if op.elementwise else "no: it stays with NumPy"


def page() -> str:
    """The text of the page, with a new table."""
    head, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    return head + mark + table()


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(page(), encoding="utf-8")
