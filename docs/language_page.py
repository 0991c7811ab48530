"""Makes docs/language.md and docs/language/ from the programs of tests/language, which the tests run.

Example:
    $ python docs/language_page.py    # writes the pages; a test compares them with what this would write
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.language.construct import Construct

ROOT = Path(__file__).resolve().parent.parent
MADE_BY = "<!-- Made by docs/language_page.py from the programs in tests/language: change those, then run it again. -->"
HEAD = f"""\
# The language

{MADE_BY}

What becomes of each construct of Python under `runtime.function`, when the values that it works on are tensors.
On plain values every construct does what Python does. The tests run every program below: one trace of it gives what
Python gives for each of the inputs shown, and raises what Python raises; where a row names an operation, it is in the
graph. What is refused raises the error shown while the function is traced, before anything is computed.
"""


def pages() -> dict[str, str]:
    """The texts of the pages by their names in docs/: what there is, and a page for each section."""
    from tests.language import CONSTRUCTS

    sections = {title: tuple(rows) for title, rows in groupby(CONSTRUCTS, key=lambda row: row.section)}
    made, listed = {}, [HEAD]
    for title, rows in sections.items():
        name = f"language/{title.lower().replace(' ', '_')}.md"
        parts = [f"# {title}\n", f"{MADE_BY}\n", "One part of [the language](../language.md).\n", *table(rows)]
        made[name] = page([*parts, *(entry(row) for row in rows)])
        listed += [f"## [{title}]({name})\n", f"{' · '.join(row.name for row in rows)}\n"]
    return {"language.md": page(listed), **made}


def page(parts: list[str]) -> str:
    return "\n".join(parts).rstrip("\n") + "\n"


def table(rows: tuple[Construct, ...]) -> list[str]:
    """The rows of a section at a glance."""
    head = ["| construct | how it stages, or what to write instead | refused with |", "|---|---|---|"]
    errors = [f"`{row.error.__name__}`" if row.error else "" for row in rows]
    return [*head, *(f"| {cell(r.name)} | {cell(r.how)} | {e} |" for r, e in zip(rows, errors, strict=True)), ""]


def cell(text: str) -> str:
    """Text for a cell of a table, where a bar would end the cell."""
    return text.replace("|", "\\|")


def entry(row: Construct) -> str:
    """The part of the page for one construct."""
    from tests.language.construct import source_of

    program = "\n\n".join(source_of(thing) for thing in (*row.uses, row.program))
    return f"## {row.name}\n\n{row.how}{operation(row)}\n\n```py\n{program}```\n\n{results(row)}\n"


def operation(row: Construct) -> str:
    """The operation of the graph that the tests look for."""
    return f" In the graph: `{row.graph}`." if row.graph else ""


def results(row: Construct) -> str:
    """What each input gives, or the error."""
    from tests.language.running import outcome

    if row.error is not None:
        return f"Refused: `{name_of(row.error)}`, \"{row.words}\"."
    calls = [(call(row, given), outcome(row.program, given)) for given in row.inputs]
    return "\n".join(f"- `{text}` {result}" for text, result in calls)


def name_of(error: type[Exception]) -> str:
    """The name under which a user finds the class."""
    package = error.__module__.partition(".")[0]
    return {"builtins": "", "autograph": "autograph.", "runtime": "runtime.errors."}[package] + error.__name__


def call(row: Construct, given: tuple[Any, ...]) -> str:
    """The call of the program, as one would type it."""
    values = ", ".join(repr(value.tolist() if hasattr(value, "tolist") else value) for value in given)
    return f"{row.program.__name__}({values})"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    (ROOT / "docs" / "language").mkdir(exist_ok=True)
    for name, text in pages().items():
        (ROOT / "docs" / name).write_text(text, encoding="utf-8")
