"""Makes docs/errors.md from the docstrings of the public error classes, so that the page cannot drift from the code.

Example:
    $ python docs/errors_page.py    # writes docs/errors.md; a test compares the page with what this would write
"""

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "errors.md"
HEAD = """\
# Errors

<!-- Made by docs/errors_page.py from the docstrings of the classes: change those, then run it again. -->

Every error that is raised on purpose, what makes it happen, and its repair. Messages name your file and line.
"""


def public_errors(module: ModuleType) -> list[type[BaseException]]:
    """The error classes that a module offers, in the order in which they are written."""
    classes = [getattr(module, name) for name in module.__all__]
    errors = [found for found in classes if isinstance(found, type) and issubclass(found, BaseException)]
    return sorted(errors, key=lambda error: inspect.getsourcelines(error)[1])


def section(error: type[BaseException], package: str) -> str:
    """The part of the page for one class."""
    bases = ", ".join(f"`{base.__name__}`" for base in error.__bases__)
    text = "\n".join(fenced(inspect.getdoc(error) or ""))
    return f"### `{package}.{error.__name__}`\n\nIs a {bases}.\n\n{text}\n"


def fenced(docstring: str) -> Iterator[str]:
    """The lines of a docstring, with every indented block as a fenced one."""
    block: list[str] = []
    for line in [*docstring.splitlines(), ""]:
        if line.startswith("    ") or (block and not line.strip()):
            block.append(line)
            continue
        yield from closed(block)
        block = []
        yield line
    yield from closed(block)


def closed(block: list[str]) -> Iterator[str]:
    """One indented block in fences, with an empty line around it."""
    if block:
        yield "\n```py"
        yield inspect.cleandoc("\n".join(["", *block]))
        yield "```\n"


def errors_page() -> str:
    """The text of the whole page."""
    import autograph.errors
    import runtime.array_errors
    import runtime.errors

    parts = [HEAD]
    for title, modules in (("autograph", [autograph.errors]), ("runtime", [runtime.errors, runtime.array_errors])):
        parts.append(f"## {title}\n")
        for module in modules:
            package = title if title == "autograph" else module.__name__
            parts += [section(error, package) for error in public_errors(module)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip("\n") + "\n"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PAGE.write_text(errors_page(), encoding="utf-8")
