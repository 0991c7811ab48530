"""Makes docs/tensorflow_names.md: TensorFlow's public names, where they are here, and what to take for the others.

Example:
    $ python docs/tensorflow_names_page.py    # writes the page; a test compares it
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tensorflow_names.md"
NAMES = ROOT / "tests" / "runtime" / "names" / "tensorflow_names.txt"
"""The public names of TensorFlow 2.21 in the rooms of the page, one in a line."""

HEAD: Final = """# TensorFlow's names

The public names of TensorFlow 2.21 below `tf`, `tf.math`, `tf.nn`, `tf.data`, `tf.keras.layers` and the rooms of Keras
beside it: {here} of {all} are here under the same name. The error for a name that is not here says what stands in this
table.
"""
ROOMS: Final = (
    "", "math", "nn", "data", "keras.layers", "keras.losses", "keras.metrics", "keras.optimizers", "keras.callbacks",
    "keras.utils", "keras.initializers", "keras.regularizers", "keras.activations",
)  # fmt: skip


def found(name: str) -> Any:
    """What has a name below `runtime`. Raises AttributeError."""
    import runtime

    value: Any = runtime
    for step in name.split("."):
        value = getattr(value, step)
    return value


def answers() -> dict[str, str]:
    """For each name what the error says of it; the empty text where it is here."""
    said = {}
    for name in NAMES.read_text(encoding="utf-8").split():
        try:
            found(name)
            said[name] = ""
        except AttributeError as error:
            said[name] = str(error).partition(f"has no attribute {name.rpartition('.')[2]!r}")[2]
    return said


def page() -> str:
    """The text of the page."""
    said = answers()
    parts = [HEAD.format(here=sum(not text for text in said.values()), all=len(said))]
    for room in ROOMS:
        own = {name: text for name, text in said.items() if name.rpartition(".")[0] == room}
        parts.append(f"\n## tf{'.' if room else ''}{room}\n")
        parts.append("\nHere: " + ", ".join(f"`{name.rpartition('.')[2]}`" for name in own if not own[name]) + ".\n")
        parts.append("\n| not here | instead |\n|---|---|\n")
        parts += [f"| `{name.rpartition('.')[2]}` | {_instead(text)} |\n" for name, text in own.items() if text]
    return "".join(parts)


def _instead(text: str) -> str:
    use = text.removeprefix(". Use ").removeprefix(": ")
    return f"`{use}`" if text.startswith(". Use ") else use


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
